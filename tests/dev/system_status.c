/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Developer check: are the modes that a system's instructions are counted in
 * those of the processor's registers?
 *
 * It runs a command on a board, as pc_sweep --system does, and has QEMU write
 * down each block that it executes with the registers before it (-d).  From
 * these it counts instructions in user mode, kernel mode and exception level
 * (system_log_mips.c, system_log_x86.c), and prints them beside what the plugin
 * has counted in the same run; and how many were announced, but not executed,
 * and so are in neither.
 *
 *	make tests/dev/system_status
 *	PMCSIM_PLUGIN=.libs/pmcsim-plugin.so tests/dev/system_status BOARD \
 *		COMMAND...
 *
 * It takes a minute or more, and exits with 1 if a count differs.
 */
#include "counters/machine_api.h"
#include "system/system_command.h"
#include "system/system_internal.h"
#include "system_log.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SECONDS 1800

static const char *const name[LOG_MODES] = {"user", "kernel", "exception"};

static struct {
	char path[PATH_MAX];
	const struct log_reader *reader;
} log_;

static void *
read_log(void *unused)
{
	FILE *in = fopen(log_.path, "re");
	char line[512];

	(void)unused;
	while (in && fgets(line, sizeof line, in))
		log_.reader->line(line);
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

static void
find_marks(const struct system_board *board)
{
	unsigned char program[SYSTEM_MEASURE_MAX];

	log_.reader->marks(program, board->measure(program));
}

static void
find_reader(const char *board)
{
	static const struct log_reader *const readers[] = {&log_mips,
							   &log_x86};

	for (size_t i = 0; i < sizeof readers / sizeof *readers; i++)
		if (!strcmp(readers[i]->board, board))
			log_.reader = readers[i];
	if (!log_.reader)
		die("there is no such board");
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
	snprintf(text, sizeof text, "{\"execute\":\"human-monitor-command\","
		 "\"arguments\":{\"command-line\":\"log %s\"}}\n",
		 log_.reader->items);
	ask(q, text);
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

int
main(int argc, char **argv)
{
	static const enum sim_mode mode[LOG_MODES] = {MODE_USER, MODE_KERNEL,
						    MODE_EXL};
	struct pmcsim_error error;
	struct pmcsim_machine *m;
	struct system_place place;
	struct command command;
	struct pmcsim_cpu *cpu;
	uint64_t ours[LOG_MODES];
	bool same = true;

	if (argc < 3)
		die("a board and a command are needed");
	find_reader(argv[1]);
	if (pmcsim_system_find(argv[1], &place, &error) ||
	    pmcsim_cpu_load("mips34k", &cpu, &error) ||
	    pmcsim_machine_new(cpu, NULL, &m, &error))
		die(error.text);
	if (system_command(argv[1], argv + 2, m->path, &command, &error) ||
	    system_prepare_machine(&m->map, &command, &error))
		die(error.text);
	command_free(&command);
	find_marks(place.board);
	run(&place, m, argv + 2);
	printf("%-10s %14s %14s %14s %14s\n", "mode", "counted", "log",
	       "off by", "not executed");
	for (unsigned i = 0; i < LOG_MODES; i++) {
		ours[i] = machine_signal(&m->map, SIG_INSN, mode[i], -1, -1);
		same &= ours[i] == log_sum.count[i];
		printf("%-10s %14" PRIu64 " %14" PRIu64 " %14" PRId64
		       " %14" PRIu64 "\n", name[i], ours[i],
		       log_sum.count[i], (int64_t)(ours[i] - log_sum.count[i]),
		       log_sum.rest[i]);
	}
	if (log_sum.unknown)
		printf("%" PRIu64 " blocks of unknown length\n", log_sum.unknown);
	pmcsim_machine_free(m);
	pmcsim_cpu_free(cpu);
	pmcsim_system_place_free(&place);
	return !same || log_sum.unknown;
}
