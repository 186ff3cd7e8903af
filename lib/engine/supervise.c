/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The supervisor: it leaves the terminal, the process group and the standard
 * streams to the target, ends when the target ends, and sees to it that
 * nothing of a target that was stopped lives on.
 */
#include "clock.h"
#include "supervise.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define GRACE_MS 2000	/* from asking the target to end to killing it */
#define POLL_MS 100	/* between two looks at what is left by then */

static const int left_to_target[] = {SIGINT, SIGQUIT, SIGHUP, SIGTERM,
					SIGCHLD};

#define N_LEFT (sizeof(left_to_target) / sizeof(*left_to_target))

/* Signals as the caller had them: what the target starts with. */
struct inherited {
	struct sigaction action[N_LEFT];
	sigset_t mask;
};

static void
send_report(int fd, const struct supervise_report *report)
{
	if (write(fd, report, sizeof(*report)) != sizeof(*report))
		_exit(1);
}

static void
send_error(int fd, int error)
{
	send_report(fd, &(struct supervise_report){.error = error});
}

/*
 * Where the target's memory is QEMU decides, but if what comes next is taken,
 * the kernel does: not at random.  Where that is refused, it stays so.
 */
static void
fix_addresses(void)
{
	int now = personality(0xffffffff);

	if (now >= 0)
		personality((unsigned long)now | ADDR_NO_RANDOMIZE);
}

/* A handler that the caller has is reset; what it ignores stays ignored. */
static _Noreturn void
become_target(const struct command *command, const int *fd, int report_fd,
	      const struct inherited *before)
{
	for (size_t i = 0; i < N_LEFT; i++) {
		struct sigaction action = before->action[i];

		if (action.sa_handler != SIG_IGN)
			action.sa_handler = SIG_DFL;
		sigaction(left_to_target[i], &action, NULL);
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (int i = 0; fd && i < 3; i++) {
		if (fd[i] != i && dup2(fd[i], i) < 0) {
			send_error(report_fd, errno);
			_exit(127);
		}
	}
	sigprocmask(SIG_SETMASK, &before->mask, NULL);
	if (command->run)
		_exit(command->run(command->arg));
	fix_addresses();
	execve(command->argv[0], command->argv, command->env);
	send_error(report_fd, errno);
	_exit(127);
}

/*
 * Sends a signal to every child: the target, and orphans taken in.  A kernel
 * that does not list them leaves the target alone to be reached: false.
 */
static bool
signal_children(pid_t target, int signal)
{
	char path[64], text[1 << 14], *p, *end;
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/self/task/%d/children", getpid());
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		kill(target, signal);
		return false;
	}
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[n > 0 ? n : 0] = '\0';
	for (p = text;; p = end) {
		long pid = strtol(p, &end, 10);

		if (end == p || pid <= 0)
			return true;
		kill((pid_t)pid, signal);
	}
}

/* Takes in what has ended; true once the target is among it. */
static bool
reap(pid_t target, int *wait_status, bool *alone)
{
	bool ended = false;
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (pid == target) {
			*wait_status = status;
			ended = true;
		}
	}
	*alone = pid < 0;
	return ended;
}

/* The next signal of the set, 0 if there is none within milliseconds. */
static int
next_signal(const sigset_t *set, long ms)
{
	struct timespec time = {ms / 1000, ms % 1000 * 1000000};
	int s = sigtimedwait(set, NULL, &time);

	return s > 0 ? s : 0;
}

/* Whether the terminal has sent the target what it has sent us. */
static bool
terminal_spoke(void)
{
	sigset_t pending;

	sigpending(&pending);
	return sigismember(&pending, SIGINT) || sigismember(&pending, SIGHUP);
}

/*
 * Ends the target and everything that comes from it: asks, unless the
 * terminal did, and insists when a while has passed or SIGTERM comes once
 * more.
 */
static int
end_all(pid_t target, const sigset_t *set)
{
	int status = 0, how = terminal_spoke() ? 0 : SIGTERM;
	bool alone = false, ended = false, listed = true;
	long limit = clock_ms() + GRACE_MS;

	for (;;) {
		if (how) {
			listed = signal_children(target, how);
			signal_children(target, SIGCONT);
		}
		ended |= reap(target, &status, &alone);
		if (alone || (ended && !listed))
			return status;
		if (next_signal(set, POLL_MS) == SIGTERM) {
			how = SIGKILL;
		} else if (clock_ms() >= limit || (ended && !how)) {
			how = how ? SIGKILL : SIGTERM;
			limit = clock_ms() + GRACE_MS;
		}
	}
}

/* Whether what the target has left ends with it: a signal that has ended it may be
 * on its way to the others. */
static bool
others_end(pid_t target, const sigset_t *set, int wait_status)
{
	long limit = clock_ms() + GRACE_MS;
	bool alone = false;
	int status;

	if (!WIFSIGNALED(wait_status))
		return false;
	while (!alone && clock_ms() < limit &&
	       next_signal(set, POLL_MS) != SIGTERM)
		reap(target, &status, &alone);
	return alone;
}

/* Waits for the target. */
static struct supervise_report
watch(pid_t target, const sigset_t *set)
{
	struct supervise_report report = {0};
	bool alone;

	while (!reap(target, &report.wait_status, &alone)) {
		if (sigwaitinfo(set, NULL) != SIGTERM)
			continue;
		report.wait_status = end_all(target, set);
		report.stopped = true;
		return report;
	}
	report.left = !alone && !others_end(target, set, report.wait_status);
	return report;
}

/* All signals are held: they wake nothing but what waits for them. */
static _Noreturn void
be_supervisor(const struct command *command, const int *fd, int report_fd,
	      const struct inherited *before, pid_t caller)
{
	struct sigaction usual = {.sa_handler = SIG_DFL};
	sigset_t set;
	struct supervise_report report;
	pid_t target;

	for (size_t i = 0; i < N_LEFT; i++)
		sigaction(left_to_target[i], &usual, NULL);
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGCHLD);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != caller)
		_exit(1);
	target = fork();
	if (target < 0) {
		send_error(report_fd, errno);
		_exit(1);
	}
	if (target == 0)
		become_target(command, fd, report_fd, before);
	report = watch(target, &set);
	send_report(report_fd, &report);
	_exit(0);
}

/* All signals wait until the new process has settled its own handling. */
static void
hold_signals(struct inherited *before)
{
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before->mask);
	for (size_t i = 0; i < N_LEFT; i++)
		sigaction(left_to_target[i], NULL, &before->action[i]);
}

pid_t
supervise(const struct command *command, const int *fd, int *report_fd)
{
	struct inherited before;
	pid_t caller = getpid(), pid;
	int pipe_fd[2], err;

	if (pipe2(pipe_fd, O_CLOEXEC) != 0)
		return -errno;
	hold_signals(&before);
	pid = fork();
	err = errno;
	if (pid == 0) {
		close(pipe_fd[0]);
		be_supervisor(command, fd, pipe_fd[1], &before, caller);
	}
	sigprocmask(SIG_SETMASK, &before.mask, NULL);
	close(pipe_fd[1]);
	if (pid < 0) {
		close(pipe_fd[0]);
		return -err;
	}
	*report_fd = pipe_fd[0];
	return pid;
}
