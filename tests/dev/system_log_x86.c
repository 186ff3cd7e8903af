/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The log of a PC: privilege level and interrupt flag are those of the
 * registers before each block; where an exception has ended one, and comes
 * back to, its line tells.
 *
 * What the log has and we do not count: a repeated string instruction once
 * more for each time, and the announced end of a block that is left because an
 * access is one to a device and is done again.
 */
#include "system_log.h"

#include "program/system_marks.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define MEASURE_BASE 0x400000u
#define FLAG_IF 0x200u
#define TEXT_AT 25	/* behind a line's bytes: its instruction */
#define NESTED 64
#define FIRST_INTERRUPT 0x20

struct executed {
	const struct log_block *block;
	uint64_t pc;
	enum log_mode mode;
	bool counted;
	bool again;		/* a string instruction that repeats itself */
};

static struct {
	bool repeats, returns;	/* of the instruction announced last */
	struct executed before_last, last, now;
	bool pending;		/* now waits for its registers */
	bool left;		/* last has been left ... */
	uint64_t left_at;	/* ... there, which is not done */
	bool exception, entered;
	/* Exceptions in the kernel that have not returned. */
	struct { uint64_t pc; bool exception; } outer[NESTED];
	unsigned n_outer;
} x86;

static void
take_instruction(const char *line)
{
	const char *text = strchr(line, ':');
	uint64_t pc;

	if (!text || sscanf(line, "%" SCNx64, &pc) != 1)
		return;
	/* Bytes that did not fit have lines of their own. */
	if (strlen(text) <= TEXT_AT)
		return;
	text += TEXT_AT;
	text += strspn(text, " ");
	if (*text == '\n')
		return;
	log_announce(pc);
	x86.repeats = !strncmp(text, "rep", 3);
	x86.returns = !strncmp(text, "iret", 4);
}

/* "Trace 0: 0x7f... [.../ffffffff81c00080/...] name" */
static void
take_trace(const char *text)
{
	struct log_block *b;
	uint64_t at, pc;

	if (sscanf(text, " %*d: %" SCNx64 " [%*x/%" SCNx64 "/", &at, &pc) != 2)
		return;
	b = log_block(at);
	if (log_announced(b)) {
		b->repeats = x86.repeats;
		b->returns = x86.returns;
	}
	log_sum.unknown += !b->n;
	x86.now = (struct executed){.block = b, .pc = pc};
	x86.pending = true;
}

/* How many instructions of the block before have been executed. */
static uint32_t
reached(void)
{
	const struct log_block *b = x86.last.block;
	uint32_t i = 0;

	if (!x86.left)
		return b->n;
	while (i < b->n && b->pc[i] != x86.left_at)
		i++;
	return i;
}

/* The block before is over. */
static void
end_block(void)
{
	const struct executed *last = &x86.last;
	uint32_t n;

	if (!last->block)
		return;
	n = reached();
	if (last->counted) {
		uint64_t rest = last->block->n - n;

		log_sum.rest[last->mode] += rest;
		log_sum.count[last->mode] -= rest;
	}
	for (uint32_t i = 0; i < n; i++) {
		if (last->block->pc[i] == log_sum.start)
			log_sum.counting = true;
		if (last->block->pc[i] == log_sum.stop)
			log_sum.counting = false;
	}
}

/* From where the kernel is entered with interrupts disabled, to where they are
 * enabled or it returns. */
static enum log_mode
mode_of(unsigned level, uint32_t flags)
{
	const struct executed *last = &x86.last;

	if (level == 3) {
		x86.n_outer = 0;
		x86.exception = false;
		return LOG_USER;
	}
	if (x86.n_outer && last->block && last->block->returns &&
	    x86.now.pc == x86.outer[x86.n_outer - 1].pc)
		x86.exception = x86.outer[--x86.n_outer].exception;
	if (x86.entered || last->mode == LOG_USER)
		x86.exception = true;
	if (flags & FLAG_IF)
		x86.exception = false;
	return x86.exception ? LOG_EXL : LOG_KERNEL;
}

/* "RIP=... RFL=00000246 [---Z-P-] CPL=3 ..." */
static void
take_registers(const char *text)
{
	const char *cpl = strstr(text, "CPL="), *rfl = strstr(text, "RFL=");
	struct executed *e = &x86.now, *last = &x86.last;
	uint32_t flags;

	if (!x86.pending || !cpl || !rfl ||
	    sscanf(rfl + 4, "%" SCNx32, &flags) != 1)
		return;
	x86.pending = false;
	end_block();
	e->mode = mode_of((unsigned)cpl[4] - '0', flags);
	e->again = !x86.left && !x86.entered && last->block &&
		   last->block->n && last->block->repeats &&
		   last->block->pc[last->block->n - 1] == e->pc;
	e->counted = log_sum.counting;
	if (e->counted)
		log_sum.count[e->mode] += e->block->n - e->again;
	x86.left = x86.entered = false;
	x86.before_last = *last;
	x86.last = *e;
}

/*
 * "     0: v=0e e=0004 i=0 cpl=3 IP=0033:00007f... ...".  Interrupts come
 * between blocks, or between the times of a string instruction.
 */
static void
take_exception(const char *line)
{
	const char *ip = strstr(line, " IP="), *cpl = strstr(line, " cpl=");
	const struct log_block *b = x86.last.block;
	unsigned vector;
	uint64_t pc;

	if (!ip || !cpl || sscanf(ip, " IP=%*x:%" SCNx64, &pc) != 1 ||
	    sscanf(line, " %*d: v=%x", &vector) != 1)
		return;
	x86.entered = true;
	x86.left_at = pc;
	x86.left = vector < FIRST_INTERRUPT ||
		   (b && b->n && b->repeats && b->pc[b->n - 1] == pc);
	if (cpl[5] != '3' && x86.n_outer < NESTED) {
		x86.outer[x86.n_outer].pc = pc;
		x86.outer[x86.n_outer++].exception = x86.exception;
	}
}

/* It was left again before its first instruction. */
static void
take_back(void)
{
	struct executed *e = &x86.last;

	if (e->counted)
		log_sum.count[e->mode] -= e->block->n - e->again;
	x86.last = x86.before_last;
	x86.last.counted = false;
}

static void
x86_line(const char *line)
{
	static const char trace[] = "Trace", redone[] = "cpu_io_recompile: "
		"rewound execution of TB to ";

	if (!strncmp(line, "0x", 2))
		take_instruction(line);
	else if (!strncmp(line, trace, sizeof trace - 1))
		take_trace(line + sizeof trace - 1);
	else if (!strncmp(line, "RIP=", 4))
		take_registers(line);
	else if (!strncmp(line, "Stopped execution", 17))
		take_back();
	else if (!strncmp(line, redone, sizeof redone - 1))
		x86.left = sscanf(line + sizeof redone - 1, "%" SCNx64,
				  &x86.left_at) == 1;
	else if (!strncmp(line, "IN:", 3))
		log_announced(NULL);
	else if (strstr(line, ": v=") == line + 6)
		take_exception(line);
}

static void
x86_marks(const unsigned char *program, size_t n)
{
	static const unsigned char start[] = {
		SYSTEM_MARK_X86(SYSTEM_MARK_X86_START)};
	static const unsigned char stop[] = {
		SYSTEM_MARK_X86(SYSTEM_MARK_X86_STOP)};

	for (size_t i = 0; i + sizeof start <= n; i++) {
		if (!memcmp(program + i, start, sizeof start))
			log_sum.start = MEASURE_BASE + i;
		if (!memcmp(program + i, stop, sizeof stop))
			log_sum.stop = MEASURE_BASE + i;
	}
}

const struct log_reader log_x86 = {
	"pc", "in_asm,exec,cpu,int,nochain", x86_marks, x86_line
};
