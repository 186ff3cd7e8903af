/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs: a target on a machine, from its start to its end. */
#include "engine/command.h"
#include "engine/engine.h"
#include "counters/machine_api.h"
#include "engine/native.h"
#include "engine/shown.h"
#include "engine/supervise.h"
#include "system/system.h"
#include "system/system_command.h"
#include "engine/target.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct pmcsim_process {
	pid_t supervisor;
	int report_fd;
	const volatile int *stop;
	void (*watch)(void *arg);
	void *watch_arg;
	char *name;		/* of the engine or a system's command */
	struct pmcsim_machine *machine;
	uint64_t before;	/* instructions the machine had completed */
	bool system;		/* it tells for itself what went wrong */
	u32 started, stopped;	/* marks that it had seen */
};

/* Opens /dev/null for all three streams; -1 in fd[0] if that fails. */
static void
open_null(int fd[3])
{
	fd[0] = fd[1] = fd[2] = open("/dev/null", O_RDWR | O_CLOEXEC);
}

static int
launch(struct pmcsim_process *p, const struct command *command,
       const struct pmcsim_start *start, struct pmcsim_error *error)
{
	int null[3] = {-1, -1, -1};
	const int *fd = start->fd;
	pid_t pid;

	if (start->quiet) {
		open_null(null);
		if (null[0] < 0)
			return engine_fail(error, -errno, "/dev/null: %s",
					   strerror(errno));
		fd = null;
	}
	pid = supervise(command, fd, &p->report_fd);
	if (null[0] >= 0)
		close(null[0]);
	if (pid < 0)
		return engine_fail(error, pid, "cannot start a process: %s",
				   strerror(-pid));
	p->supervisor = pid;
	return 0;
}

/* NULL: none. */
static const uint64_t *
seed_of(const struct pmcsim_machine *m)
{
	return m->map.m->seeded ? &m->map.m->seed : NULL;
}

/* Finds the target and puts the engine's command line together. */
static int
prepare(char *const *argv, const char *machine_path, const uint64_t *seed,
	struct command *command, struct pmcsim_error *error)
{
	struct program target;
	int err = target_find(&target, argv, error);

	if (err != 0)
		return err;
	err = command_make(command, &target, machine_path, seed, error);
	program_free(&target);
	if (err != 0)
		command_free(command);
	return err;
}

/* The same for a target in a system. */
static int
prepare_system(struct pmcsim_machine *m, const struct pmcsim_start *start,
	       struct command *command, struct pmcsim_error *error)
{
	int err = system_check_machine(&m->map, error);

	if (err == 0)
		err = system_command(start->system, start->argv, m->path,
				     command, error);
	if (err != 0)
		return err;
	err = system_prepare_machine(&m->map, command, error);
	if (err != 0)
		command_free(command);
	return err;
}

int
pmcsim_system_check(const char *system, char *const *argv, bool *alone,
		    struct pmcsim_error *error)
{
	struct command command;
	int err = system_command(system, argv, "", &command, error);

	*alone = err == 0 && system_command_is_alone(&command);
	if (err == 0)
		command_free(&command);
	return err;
}

int
pmcsim_system_without(const char *system, char *const *argv,
		      struct pmcsim_error *error)
{
	const struct system_board *board = pmcsim_system_find_board(system);
	struct program target;
	int err = target_find(&target, argv, error);

	if (err != 0)
		return err;
	if (!board || target.isa != board->isa)
		err = engine_fail(error, -ENOEXEC, "%s is no program for %s",
				  target.path, system);
	program_free(&target);
	return err ? err : pmcsim_command_check(argv, error);
}

bool
pmcsim_command_is_native(char *const *argv)
{
	struct program target;
	bool native;

	if (target_find(&target, argv, NULL))
		return false;
	native = native_is_chosen(target.isa);
	program_free(&target);
	return native;
}

const char *
pmcsim_command_isa(char *const *argv)
{
	struct program target;
	bool is;

	if (target_find(&target, argv, NULL))
		return NULL;
	is = target.isa == ISA_X86_64;
	program_free(&target);
	return is ? level_name(engine_level()) : NULL;
}

int
pmcsim_command_check(char *const *argv, struct pmcsim_error *error)
{
	struct command command;
	int err = prepare(argv, "", NULL, &command, error);

	if (err == 0)
		command_free(&command);
	return err;
}

int
pmcsim_machine_start(struct pmcsim_machine *m,
		     const struct pmcsim_start *start,
		     struct pmcsim_process **process,
		     struct pmcsim_error *error)
{
	struct pmcsim_process *p;
	struct command command;
	int err = machine_thaw(&m->map);

	if (err != 0)
		return engine_fail(error, err, "machine: %s", strerror(-err));
	native_allow(!m->map.m->parallel);
	err = start->system ? prepare_system(m, start, &command, error) :
			      prepare(start->argv, m->path, seed_of(m),
				      &command, error);
	if (err != 0)
		return err;
	p = calloc(1, sizeof(*p));
	if (p)
		p->name = strdup(start->system ? start->argv[0] :
						 command.argv[0]);
	if (!p || !p->name) {
		err = engine_fail(error, -ENOMEM, "out of memory");
	} else {
		m->map.m->used = 0;
		m->map.m->doubts = 0;
		m->map.m->cut = 0;
		m->map.m->begun = 0;
		p->before = pmcsim_machine_instructions(m);
		p->started = m->map.m->facts.started;
		p->stopped = m->map.m->facts.stopped;
		err = machine_guard(&m->map);
		if (err != 0)
			engine_fail(error, err, "machine: %s", strerror(-err));
		else
			err = launch(p, &command, start, error);
	}
	command_free(&command);
	if (err != 0) {
		if (p)
			free(p->name);
		free(p);
		return err;
	}
	p->stop = start->stop;
	p->watch = start->watch;
	p->watch_arg = start->watch_arg;
	p->machine = m;
	p->system = start->system != NULL;
	*process = p;
	return 0;
}

/*
 * Waits until there is something to read; the caller may watch meanwhile.  A stop that is signalled between
 * looking at the flag and waiting would be missed, so the signals are let in
 * only while waiting.  A second one makes the supervisor insist.  True when
 * the caller stopped the target.
 */
static bool
wait_or_stop(const struct pmcsim_process *p)
{
	struct pollfd poll = {.fd = p->report_fd, .events = POLLIN};
	const struct timespec second = {.tv_sec = 1};
	sigset_t signals, before;
	int seen = 0, n;

	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGHUP);
	sigprocmask(SIG_BLOCK, &signals, &before);
	do {
		if (p->stop && *p->stop > seen) {
			seen = *p->stop;
			kill(p->supervisor, SIGTERM);
		}
		n = ppoll(&poll, 1, p->watch ? &second : NULL, &before);
		if (n == 0)
			p->watch(p->watch_arg);
	} while (n == 0 || (n < 0 && errno == EINTR));
	sigprocmask(SIG_SETMASK, &before, NULL);
	return seen > 0;
}

static void
tell_exit(struct pmcsim_exit *how, const struct supervise_report *report,
	  bool interrupted, bool system)
{
	int wait_status = report->wait_status;

	how->left = report->left && !system;
	how->interrupted = interrupted;
	how->partial = interrupted || report->stopped;
	how->signal = WIFSIGNALED(wait_status) ? WTERMSIG(wait_status) : 0;
	how->status = how->signal ? 128 + how->signal :
				    WEXITSTATUS(wait_status);
}

/* Reads the supervisor's report; false when it died without one. */
static bool
read_report(int fd, struct supervise_report *report)
{
	ssize_t n;

	do
		n = read(fd, report, sizeof(*report));
	while (n < 0 && errno == EINTR);
	return n == sizeof(*report);
}

static void
wait_for(pid_t pid)
{
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

/*
 * An engine that cannot load the plugin, or the target, ends without having
 * executed an instruction, and has said why on stderr.
 */
static int
check_engine(const struct pmcsim_process *p, const struct pmcsim_exit *how,
	     struct pmcsim_error *error)
{
	if (how->status == 0 || how->interrupted ||
	    pmcsim_machine_instructions(p->machine) != p->before)
		return 0;
	return engine_fail(error, -ENXIO,
			   "%s: ended with status %d before it executed an "
			   "instruction of the target", p->name, how->status);
}

/* Counts are those between the marks before and behind the command. */
static int
check_system(const struct pmcsim_process *p, struct pmcsim_exit *how,
	     struct pmcsim_error *error)
{
	const struct system_facts *facts = &p->machine->map.m->facts;

	how->partial |= facts->stopped == p->stopped;
	if (how->interrupted || facts->started != p->started)
		return 0;
	if (how->status == SYSTEM_NO_PROGRAM)
		return engine_fail(error, -ENOENT, "%s: there is no such "
				   "program in the system", p->name);
	return engine_fail(error, -ENXIO, "%s: the system has not started it",
			   p->name);
}

/* What there is to be read from now on, nothing of the target changes; one that
 * lasts is shared with other targets, and with other tools. */
static int
settle_machine(struct machine_map *map, struct pmcsim_error *error)
{
	int err = 0;

	if (!map->m->lasting)
		err = machine_freeze(map);
	else if (!machine_is_sound(map->m))
		err = -EINVAL;
	if (err == -EINVAL)
		return engine_fail(error, -EIO, "the command has damaged the "
				   "machine on which it ran");
	return err ? engine_fail(error, err, "machine: %s", strerror(-err)) : 0;
}

int
pmcsim_process_wait(struct pmcsim_process *p, struct pmcsim_exit *how,
		    struct pmcsim_error *error)
{
	struct supervise_report report;
	bool interrupted = wait_or_stop(p);
	int err = 0;

	if (!read_report(p->report_fd, &report))
		err = engine_fail(error, -EIO,
				  "the process that watches the target was "
				  "killed");
	else if (report.error)
		err = engine_fail(error, -ENXIO, "%s: cannot be started: %s",
				  p->name, strerror(report.error));
	else
		tell_exit(how, &report, interrupted, p->system);
	if (err == 0)
		err = settle_machine(&p->machine->map, error);
	how->partial |= err == 0 && p->machine->map.m->cut;
	if (err == 0)
		err = p->system ? check_system(p, how, error)
				: check_engine(p, how, error);
	wait_for(p->supervisor);
	close(p->report_fd);
	free(p->name);
	free(p);
	return err;
}

int
pmcsim_machine_run(struct pmcsim_machine *m, const struct pmcsim_start *start,
		   struct pmcsim_exit *how, struct pmcsim_error *error)
{
	struct pmcsim_process *process;
	int err = pmcsim_machine_start(m, start, &process, error);

	return err ? err : pmcsim_process_wait(process, how, error);
}
