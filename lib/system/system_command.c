/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A command in a system: a process of ours in the command's place, which
 * starts QEMU from the snapshot, waits for the command's end and passes on
 * what it has written.  Whatever ends it takes QEMU along.
 */
#include "system_command.h"

#include "kernel.h"
#include "engine/part.h"
#include "system_internal.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEFAULT_SECONDS 600

struct system_start {
	struct system_place place;
	char *plugin;
	char *const *argv;
	bool alone;		/* its folder does not go along */
};

static volatile int stop;

static void
on_signal(int number)
{
	stop = number;
}

static void
catch_signals(void)
{
	static const int number[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
	struct sigaction action = {.sa_handler = on_signal};

	for (size_t i = 0; i < sizeof number / sizeof *number; i++)
		sigaction(number[i], &action, NULL);
	signal(SIGPIPE, SIG_IGN);
}

/* The most that a command may take, $PMCSIM_SYSTEM_SECONDS. */
static int
limit_seconds(void)
{
	const char *text = getenv("PMCSIM_SYSTEM_SECONDS");
	long n = text ? strtol(text, NULL, 10) : 0;

	return n > 0 && n <= 86400 ? (int)n : DEFAULT_SECONDS;
}

static int
say(const struct system_place *place, const char *what)
{
	dprintf(2, "pmcsim: %s: %s\n", place->board->name, what);
	return 125;
}

/* Why there is no status. */
static int
explain(const struct system_place *place, int rc)
{
	char text[128];

	switch (rc) {
	case -EINTR:
		return 128 + stop;
	case -ETIMEDOUT:
		snprintf(text, sizeof text, "the command has not ended in %d "
			 "seconds, as many as $PMCSIM_SYSTEM_SECONDS allows",
			 limit_seconds());
		return say(place, text);
	case -EPIPE:
		return say(place, "QEMU has ended before the command");
	case -ENOEXEC:
		return say(place, "the command could not be started");
	case -EPROTO:
		return say(place, "the command's end was told in other words "
			   "than ours");
	default:
		return say(place, strerror(-rc));
	}
}

/* Why what the command has written is not passed on, or not all. */
static int
explain_output(const struct system_place *place, const char *name, int rc)
{
	char text[128];

	if (rc == -EINTR)
		return 128 + stop;
	if (rc == -EPIPE)
		return 128 + SIGPIPE;	/* as if it had written there itself */
	snprintf(text, sizeof text, "the command's %s: %s", name,
		 rc == -EPROTO ? "it has put something else in its place" :
		 rc == -EFBIG ? "it is larger than the board's memory" :
		 strerror(-rc));
	return say(place, text);
}

static int
pass_all_on(const struct system_place *place, const struct system_job *job)
{
	static const char *const name[] = {NULL, "stdout", "stderr"};
	int rc = 0;

	for (int fd = 1; fd <= 2 && !rc; fd++) {
		rc = system_pass_on(job->folder, name[fd], fd, &stop);
		if (rc)
			rc = explain_output(place, name[fd], rc);
	}
	return rc;
}

static int
run_in_guest(const struct system_start *s, const struct system_job *job)
{
	const struct system_boot boot = {
		.board = s->place.board, .qemu = s->place.qemu,
		.folder = s->place.folder, .job = job->folder,
		.plugin = s->plugin, .restore = true,
	};
	char token[SYSTEM_TOKEN];
	struct system_qemu q;
	int status = 0, rc = system_token_make(token), failed;

	if (!rc)
		rc = system_boot(&boot, &q);
	if (rc)
		return explain(&s->place, rc);
	rc = system_start_command(&q, token);
	if (!rc)
		rc = system_await_end(&q, token, limit_seconds(), &stop,
				      &status);
	system_end(&q);
	if (rc && rc != -ENOSPC)
		return explain(&s->place, rc);
	failed = pass_all_on(&s->place, job);
	if (!failed && rc)
		failed = say(&s->place, "the folder of temporary files has no "
			     "room for all that the command has written");
	return failed ? failed : status;
}

static int
run(void *arg)
{
	struct system_start *s = arg;
	struct pmcsim_error error = {""};
	struct system_job job;
	int status;

	catch_signals();
	if (system_job_make(&job, s->place.board, s->argv, &error))
		return say(&s->place, error.text);
	status = run_in_guest(s, &job);
	system_job_remove(&job);
	return status;
}

static void
release(void *arg)
{
	struct system_start *s = arg;

	if (!s)
		return;
	pmcsim_system_place_free(&s->place);
	free(s->plugin);
	free(s);
}

int
system_command(const char *board, char *const *argv,
	       const char *machine_path, struct command *command,
	       struct pmcsim_error *error)
{
	struct system_start *s = calloc(1, sizeof *s);
	struct system_job job;
	int rc;

	*command = (struct command){
		.run = run, .release = release, .arg = s};
	if (!s)
		return engine_fail(error, -ENOMEM, "out of memory");
	s->argv = argv;
	rc = pmcsim_system_find(board, &s->place, error);
	/* What cannot be copied is told before anything starts. */
	if (!rc)
		rc = system_job_make(&job, s->place.board, argv, error);
	if (!rc) {
		s->alone = job.alone;
		system_job_remove(&job);
		s->plugin = part_plugin(machine_path, error);
		rc = s->plugin ? 0 : -ENXIO;
	}
	if (rc)
		command_free(command);
	return rc;
}

bool
system_command_is_alone(const struct command *command)
{
	const struct system_start *s = command->arg;

	return s->alone;
}

int
system_check_machine(struct machine_map *map, struct pmcsim_error *error)
{
	if (map->m->machine_clock || map->m->seeded)
		return engine_fail(error, -EINVAL, "a board has a clock and "
				   "random numbers of its own, not this "
				   "machine's: make one without");
	if (map->m->system ||
	    !machine_signal(map, SIG_INSN, MODE_USER, -1, -1))
		return 0;
	return engine_fail(error, -EBUSY, "programs have run on this machine "
			   "without a kernel: make a new one for a system");
}

static int
find_vectors(struct machine_map *map, const struct system_place *place,
	     struct pmcsim_error *error)
{
	struct pmcsim_kernel *kernel;
	int rc = kernel_open(place, &kernel, error);

	if (rc)
		return rc;
	system_vectors(kernel, &map->m->vectors);
	pmcsim_kernel_free(kernel);
	return 0;
}

/*
 * Where the refill of a TLB is code that is executed, the table's cycles for
 * it would count twice; kernel addresses may go past the TLBs.
 */
int
system_prepare_machine(struct machine_map *map, const struct command *command,
		       struct pmcsim_error *error)
{
	const struct system_start *start = command->arg;
	const struct system_board *board = start->place.board;
	struct sim_config *config = &map->m->config;

	map->m->system = true;
	if (board->refills)
		config->pipe.tlb_refill = 0;
	config->unmapped_first = board->unmapped_first;
	config->unmapped_last = board->unmapped_last;
	machine_seal(map->m);
	return board->symbol_vectors ?
		find_vectors(map, &start->place, error) : 0;
}
