/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "pmcsim study run": cells on this machine's processors. */
#include "study.h"

#include "common/terminal.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct job {
	pid_t pid;		/* 0: none */
	const struct study_cell *cell;
};

struct run {
	const struct study_plan *plan;
	struct job *job;
	unsigned long jobs;
	unsigned next, under_way, done, there, failed;
	sigset_t before;	/* what cells are to have */
};

/* In a process group of its own: what the shell has started is stopped with
 * it, and by nothing but us. */
static int
spawn(struct run *r, char *const *argv, pid_t *pid)
{
	posix_spawnattr_t how;
	int err;

	posix_spawnattr_init(&how);
	posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP |
				       POSIX_SPAWN_SETSIGMASK);
	posix_spawnattr_setpgroup(&how, 0);
	posix_spawnattr_setsigmask(&how, &r->before);
	err = posix_spawnp(pid, argv[0], NULL, &how, argv, environ);
	posix_spawnattr_destroy(&how);
	return err;
}

static void
start(struct run *r, struct job *job)
{
	const struct study *s = r->plan->study;
	char *text = study_cell_command(s, &r->plan->cell[r->next]);
	char *argv[] = {(char *)"sh", (char *)"-c", text, NULL};
	int err = spawn(r, argv, &job->pid);

	free(text);
	if (err) {
		tool_say(&study_tool, "a cell cannot be started: %s",
			 strerror(err));
		job->pid = 0;
		r->failed++;
		return;
	}
	job->cell = &r->plan->cell[r->next];
	r->under_way++;
}

static void
show(const struct run *r)
{
	if (!terminal_is(stderr))
		return;
	fprintf(stderr, "\r\033[K%u of %u cells, %u under way\r",
		r->there + r->done, r->plan->n, r->under_way);
	fflush(stderr);
}

static void
finish(struct run *r, pid_t pid, int status)
{
	struct job *job = r->job;
	char *text;

	while (job < r->job + r->jobs && job->pid != pid)
		job++;
	if (job == r->job + r->jobs)
		return;
	job->pid = 0;
	r->under_way--;
	if (WIFEXITED(status) && !WEXITSTATUS(status)) {
		r->done++;
		return;
	}
	r->failed++;
	text = study_cell_text(r->plan->study, job->cell->number);
	tool_say(&study_tool, "%s: ended with status %d", text,
		 WIFEXITED(status) ? WEXITSTATUS(status)
				   : 128 + WTERMSIG(status));
	free(text);
}

/* Starts what there is room for; cells that are there are passed over. */
static void
fill(struct run *r)
{
	for (unsigned long k = 0; k < r->jobs; k++)
		for (; r->next < r->plan->n && !r->job[k].pid; r->next++)
			if (!study_cell_is_there(r->plan->study,
						 &r->plan->cell[r->next]))
				start(r, &r->job[k]);
			else
				r->there++;
}

static void
stop_all(const struct run *r, int signal)
{
	tool_signal = signal;
	tool_stop++;
	for (unsigned long k = 0; k < r->jobs; k++)
		if (r->job[k].pid)
			kill(-r->job[k].pid, tool_stop > 1 ? SIGKILL : SIGTERM);
}

/* Until one has ended, or all are to be stopped; all these signals are held,
 * so that none comes unseen. */
static void
wait_for_one(struct run *r, const sigset_t *held)
{
	int signal = sigwaitinfo(held, NULL), status;
	pid_t pid;

	if (signal > 0 && signal != SIGCHLD)
		stop_all(r, signal);
	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		finish(r, pid, status);
}

int
study_run(const struct study_plan *plan, unsigned long jobs)
{
	struct run r = {.plan = plan, .jobs = jobs};
	sigset_t held;

	r.job = tool_alloc(&study_tool, jobs, sizeof *r.job);
	sigemptyset(&held);
	sigaddset(&held, SIGCHLD);
	sigaddset(&held, SIGINT);
	sigaddset(&held, SIGTERM);
	sigaddset(&held, SIGHUP);
	sigprocmask(SIG_BLOCK, &held, &r.before);
	for (;;) {
		if (!tool_stop)
			fill(&r);
		show(&r);
		if (!r.under_way)
			break;
		wait_for_one(&r, &held);
	}
	sigprocmask(SIG_SETMASK, &r.before, NULL);
	if (terminal_is(stderr))
		fputs("\r\033[K", stderr);
	printf("%u cells: %u executed, %u were there, %u failed\n", plan->n,
	       r.done, r.there, r.failed);
	free(r.job);
	return tool_stop ? 128 + tool_signal : r.failed ? TOOL_FAILED : 0;
}
