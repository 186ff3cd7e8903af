/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Developer check: are the modes that a system's instructions are counted in
 * those of the processor's Status register?
 *
 * It runs a command on the Malta board, as pc_sweep --system malta does, and
 * has QEMU write down each block that it executes with the registers before
 * it (-d in_asm,exec,cpu,nochain).  From Status there it counts instructions
 * in user mode, kernel mode and exception level, and prints them beside what
 * the plugin has counted in the same run.  Where an exception leaves a block
 * half-way, EPC tells how far it came: the rest of it is not counted, and
 * printed too.
 *
 *	make tests/dev/system_status && tests/dev/system_status COMMAND...
 *
 * It takes a minute or more, and exits with 1 if a mode differs by more than a
 * thousandth.
 */
#include "machine_api.h"
#include "system_command.h"
#include "system_internal.h"

#include "../simulator/system_marks.h"

#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MEASURE_BASE 0x10000000u
#define STATUS_EXL 2u
#define STATUS_ERL 4u
#define STATUS_USER 0x10u
#define SECONDS 1800
#define BLOCKS (1u << 20)	/* a power of two */

enum mode { USER, KERNEL, EXL, N_MODES };

static const char *const name[N_MODES] = {"user", "kernel", "exception"};

/* ---- QEMU's log ------------------------------------------------------ */

struct executed {
	uint32_t pc, n;		/* instructions */
	enum mode mode;
	bool counted;
};

static struct {
	char path[PATH_MAX];
	uint32_t start, stop;	/* addresses of the marks */
	/* Blocks of QEMU's by its address of them. */
	uint64_t key[BLOCKS];
	uint32_t length[BLOCKS];
	uint32_t translated;	/* instructions of the one just made */
	struct executed last, now;
	bool pending;		/* now waits for its registers */
	bool counting;
	uint64_t count[N_MODES], half_way[N_MODES];
	uint64_t unknown;	/* blocks whose length is not known */
} log_;

static uint32_t *
length_of(uint64_t block)
{
	size_t i = (block >> 6) * 0x9e3779b1u % BLOCKS;

	while (log_.key[i] && log_.key[i] != block)
		i = (i + 1) % BLOCKS;
	log_.key[i] = block;
	return &log_.length[i];
}

/* "Trace 0: 0x7f... [00000000/80100400/...] name" */
static void
take_trace(const char *text)
{
	unsigned long long block;
	uint32_t pc, *length;

	if (sscanf(text, " %*d: %llx [%*x/%" SCNx32 "/", &block, &pc) != 2)
		return;
	length = length_of(block);
	if (log_.translated)
		*length = log_.translated;
	log_.translated = 0;
	log_.unknown += !*length;
	log_.now = (struct executed){.pc = pc, .n = *length};
	log_.pending = true;
}

/*
 * How far the block before has come: to its end, or to where an access to
 * memory has led to an exception; all other exceptions end a block.
 */
static uint32_t
reached(const struct executed *e, uint32_t cause, uint32_t epc)
{
	const struct executed *last = &log_.last;
	unsigned code = cause >> 2 & 31;

	if (e->mode == EXL && last->mode != EXL && code >= 1 && code <= 7 &&
	    epc - last->pc < 4 * last->n)
		return epc;
	return last->pc + 4 * last->n;
}

/* The block before is over. */
static void
end_block(uint32_t end)
{
	const struct executed *last = &log_.last;

	uint32_t rest = last->n - (end - last->pc) / 4;

	if (last->counted) {
		log_.half_way[last->mode] += rest;
		log_.count[last->mode] -= rest;
	}
	if (log_.start - last->pc < end - last->pc)
		log_.counting = true;
	if (log_.stop - last->pc < end - last->pc)
		log_.counting = false;
}

/* "CP0 Status  0x... Cause   0x... EPC    0x..." */
static void
take_status(const char *text)
{
	uint32_t status, cause, epc;
	struct executed *e = &log_.now;

	if (!log_.pending || sscanf(text, " %" SCNx32 " Cause %" SCNx32
				    " EPC %" SCNx32, &status, &cause,
				    &epc) != 3)
		return;
	log_.pending = false;
	e->mode = status & (STATUS_EXL | STATUS_ERL) ? EXL :
		  status & STATUS_USER ? USER : KERNEL;
	end_block(reached(e, cause, epc));
	e->counted = log_.counting;
	if (log_.counting)
		log_.count[e->mode] += e->n;
	log_.last = *e;
}

/* It was left again before its first instruction. */
static void
take_back(void)
{
	struct executed *e = &log_.last;

	if (e->counted)
		log_.count[e->mode] -= e->n;
	e->counted = false;
}

static void *
read_log(void *unused)
{
	static const char trace[] = "Trace", status[] = "CP0 Status";
	FILE *in = fopen(log_.path, "re");
	char line[512];

	(void)unused;
	while (in && fgets(line, sizeof line, in)) {
		if (!strncmp(line, "0x", 2))
			log_.translated++;
		else if (!strncmp(line, trace, sizeof trace - 1))
			take_trace(line + sizeof trace - 1);
		else if (!strncmp(line, status, sizeof status - 1))
			take_status(line + sizeof status - 1);
		else if (!strncmp(line, "Stopped execution", 17))
			take_back();
		else if (!strncmp(line, "IN:", 3))
			log_.translated = 0;
	}
	if (in)
		fclose(in);
	return NULL;
}

/* ---- The run --------------------------------------------------------- */

static _Noreturn void
die(const char *what)
{
	fprintf(stderr, "system_status: %s\n", what);
	exit(125);
}

/* Where the marks are in the program that measures. */
static void
find_marks(const struct system_board *board)
{
	unsigned char program[SYSTEM_MEASURE_MAX];
	size_t n = board->measure(program);

	for (size_t i = 0; i + 4 <= n; i += 4) {
		uint32_t word;

		memcpy(&word, program + i, 4);
		if (word == SYSTEM_MARK_START)
			log_.start = MEASURE_BASE + (uint32_t)i;
		if (word == SYSTEM_MARK_STOP)
			log_.stop = MEASURE_BASE + (uint32_t)i;
	}
}

/* Sends a line to QEMU's monitor, and reads the next one. */
static void
ask(struct system_qemu *q, const char *text)
{
	char c = 0;

	if (write(q->monitor, text, strlen(text)) < 0)
		die("the monitor does not listen");
	while (c != '\n' && read(q->monitor, &c, 1) == 1)
		;
}

static void
start_log(struct system_qemu *q)
{
	char text[PATH_MAX + 128];

	ask(q, "");	/* its greeting */
	ask(q, "{\"execute\":\"qmp_capabilities\"}\n");
	q->greeted = true;
	snprintf(text, sizeof text, "{\"execute\":\"human-monitor-command\","
		 "\"arguments\":{\"command-line\":\"logfile %s\"}}\n",
		 log_.path);
	ask(q, text);
	ask(q, "{\"execute\":\"human-monitor-command\",\"arguments\":"
	    "{\"command-line\":\"log in_asm,exec,cpu,nochain\"}}\n");
}

static void
run(const struct system_place *place, struct pmcsim_machine *m, char **argv)
{
	struct pmcsim_error error = {""};
	struct system_boot boot = {.board = place->board,
				   .qemu = place->qemu,
				   .folder = place->folder, .restore = true};
	struct system_qemu q;
	struct system_job job;
	pthread_t reader;
	char rest[16];
	int rc;

	if (system_job_make(&job, place->board, argv, &error))
		die(error.text);
	boot.job = job.folder;
	boot.plugin = command_plugin(m->path, &error);
	snprintf(log_.path, sizeof log_.path, "%s/log", job.folder);
	if (!boot.plugin || mkfifo(log_.path, 0600) ||
	    pthread_create(&reader, NULL, read_log, NULL) ||
	    system_boot(&boot, &q))
		die("cannot start");
	start_log(&q);
	rc = system_tell(&q, "go\n");
	if (!rc)
		rc = system_await(&q, SYSTEM_DONE, SECONDS, NULL, rest,
				  sizeof rest);
	system_end(&q);
	pthread_join(reader, NULL);
	system_job_remove(&job);
	if (rc)
		die(strerror(-rc));
}

static double
percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

int
main(int argc, char **argv)
{
	static const enum sim_mode mode[N_MODES] = {MODE_USER, MODE_KERNEL,
						    MODE_EXL};
	struct pmcsim_error error;
	struct pmcsim_machine *m;
	struct system_place place;
	struct command command;
	struct pmcsim_cpu *cpu;
	uint64_t ours[N_MODES];
	bool same = true;

	if (argc < 2)
		die("no command");
	if (pmcsim_system_find("malta", &place, &error) ||
	    pmcsim_cpu_load("mips34k", &cpu, &error) ||
	    pmcsim_machine_new(cpu, NULL, &m, &error))
		die(error.text);
	if (system_command("malta", argv + 1, m->path, &command, &error) ||
	    system_prepare_machine(&m->map, &command, &error))
		die(error.text);
	command_free(&command);
	find_marks(place.board);
	run(&place, m, argv + 1);
	printf("%-10s %14s %14s %9s %14s %9s\n", "mode", "counted", "Status",
	       "off by", "half-way", "share");
	for (unsigned i = 0; i < N_MODES; i++) {
		double off;

		ours[i] = machine_signal(&m->map, SIG_INSN, mode[i], -1, -1);
		off = percent(ours[i], log_.count[i]) - 100;
		same &= off > -0.1 && off < 0.1;
		printf("%-10s %14" PRIu64 " %14" PRIu64 " %8.4f%% %14" PRIu64
		       " %8.4f%%\n", name[i], ours[i], log_.count[i],
		       off, log_.half_way[i],
		       percent(log_.half_way[i], ours[i]));
	}
	if (log_.unknown)
		printf("%" PRIu64 " blocks of unknown length\n", log_.unknown);
	pmcsim_machine_free(m);
	pmcsim_cpu_free(cpu);
	pmcsim_system_place_free(&place);
	return !same || log_.unknown;
}
