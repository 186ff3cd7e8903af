/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The log of a Malta board: modes are those of the Status register before each
 * block.  Where an exception leaves a block half-way, EPC tells how far it
 * came; where an access is one to a device and is done again, the block that
 * follows begins there.
 */
#include "system_log.h"

#include "program/system_marks.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define MEASURE_BASE 0x10000000u
#define STATUS_EXL 2u
#define STATUS_ERL 4u
#define STATUS_USER 0x10u

struct executed {
	uint32_t pc, n;		/* instructions */
	enum log_mode mode;
	bool counted;
};

static struct {
	struct executed last, now;
	bool pending;		/* now waits for its registers */
	bool redone;		/* last was left where now begins */
} mips;

/* "Trace 0: 0x7f... [00000000/80100400/...] name" */
static void
take_trace(const char *text)
{
	struct log_block *b;
	uint64_t at;
	uint32_t pc;

	if (sscanf(text, " %*d: %" SCNx64 " [%*x/%" SCNx32 "/", &at, &pc) != 2)
		return;
	b = log_block(at);
	log_announced(b);
	log_sum.unknown += !b->n;
	mips.now = (struct executed){.pc = pc, .n = b->n};
	mips.pending = true;
}

/* An exception of an access to memory, or of the first use of the FPU. */
static bool
is_done_again(uint32_t cause)
{
	unsigned code = cause >> 2 & 31;

	return (code >= 1 && code <= 7) || code == 11;
}

/*
 * How far the block before has come: to its end, or to what the kernel lets it
 * do again; all other exceptions end a block.
 */
static uint32_t
reached(const struct executed *e, uint32_t cause, uint32_t epc)
{
	const struct executed *last = &mips.last;

	if (mips.redone)
		return e->pc;
	if (e->mode == LOG_EXL && last->mode != LOG_EXL &&
	    is_done_again(cause) && epc - last->pc < 4 * last->n)
		return epc;
	return last->pc + 4 * last->n;
}

/* The block before is over. */
static void
end_block(uint32_t end)
{
	const struct executed *last = &mips.last;
	uint32_t rest = last->n - (end - last->pc) / 4;

	if (last->counted) {
		log_sum.rest[last->mode] += rest;
		log_sum.count[last->mode] -= rest;
	}
	if ((uint32_t)log_sum.start - last->pc < end - last->pc)
		log_sum.counting = true;
	if ((uint32_t)log_sum.stop - last->pc < end - last->pc)
		log_sum.counting = false;
}

/* "CP0 Status  0x... Cause   0x... EPC    0x..." */
static void
take_status(const char *text)
{
	uint32_t status, cause, epc;
	struct executed *e = &mips.now;

	if (!mips.pending || sscanf(text, " %" SCNx32 " Cause %" SCNx32
				    " EPC %" SCNx32, &status, &cause,
				    &epc) != 3)
		return;
	mips.pending = false;
	e->mode = status & (STATUS_EXL | STATUS_ERL) ? LOG_EXL :
		  status & STATUS_USER ? LOG_USER : LOG_KERNEL;
	end_block(reached(e, cause, epc));
	mips.redone = false;
	e->counted = log_sum.counting;
	if (log_sum.counting)
		log_sum.count[e->mode] += e->n;
	mips.last = *e;
}

/* It was left again before its first instruction. */
static void
take_back(void)
{
	struct executed *e = &mips.last;

	if (e->counted)
		log_sum.count[e->mode] -= e->n;
	e->counted = false;
}

static void
mips_line(const char *line)
{
	static const char trace[] = "Trace", status[] = "CP0 Status",
			  redone[] = "cpu_io_recompile: ";

	if (!strncmp(line, "0x", 2))
		log_announce(0);
	else if (!strncmp(line, trace, sizeof trace - 1))
		take_trace(line + sizeof trace - 1);
	else if (!strncmp(line, status, sizeof status - 1))
		take_status(line + sizeof status - 1);
	else if (!strncmp(line, "Stopped execution", 17))
		take_back();
	else if (!strncmp(line, redone, sizeof redone - 1))
		mips.redone = true;
	else if (!strncmp(line, "IN:", 3))
		log_announced(NULL);
}

static void
mips_marks(const unsigned char *program, size_t n)
{
	for (size_t i = 0; i + 4 <= n; i += 4) {
		uint32_t word;

		memcpy(&word, program + i, 4);
		if (word == SYSTEM_MARK_START)
			log_sum.start = MEASURE_BASE + i;
		if (word == SYSTEM_MARK_STOP)
			log_sum.stop = MEASURE_BASE + i;
	}
}

const struct log_reader log_mips = {
	"malta", "in_asm,exec,cpu,nochain", mips_marks, mips_line
};
