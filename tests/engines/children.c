/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * children CASE FOLDER: has a handler of SIGCHLD and a child, and stops itself
 * before it waits as the case says.  The child ends when FOLDER/go can be opened;
 * which processes these are is in FOLDER/pids.  So another process decides whether
 * the child ends before that or behind, and nothing that is counted may differ.
 * Ends with 0 if the handler has been called once for the child.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t told;
static volatile unsigned sink;
static pid_t child;
static int never[2];		/* a pipe that has nothing */
static sigset_t chld;

static void
on_child(int sig)
{
	(void)sig;
	told++;
}

static void
open_go(void)
{
	close(open("go", O_RDONLY));
	_exit(3);
}

static void
compute(void)
{
	for (unsigned i = 0; i < 1000; i++)
		sink += i;
}

/* Stops: the other process lets this one go on. */
static void
stop(void)
{
	pid_t pids[2] = {getpid(), child};
	int fd = open("pids", O_WRONLY);

	if (write(fd, pids, sizeof pids) != sizeof pids)
		_exit(9);
	close(fd);
	kill(getpid(), SIGSTOP);
	compute();
}

static int
found(pid_t pid, int status)
{
	compute();
	return pid == child && WIFEXITED(status) && WEXITSTATUS(status) == 3 &&
	       told == 1 ? 0 : 1;
}

static int
reap(void)
{
	int status = 0;
	pid_t pid = waitpid(child, &status, 0);

	return found(pid, status);
}

/* A wait that the handler does not interrupt, and one that looks for any. */
static int
case_wait(void)
{
	stop();
	return reap();
}

static int
case_any(void)
{
	int status = 0;
	pid_t pid;

	stop();
	pid = waitpid(-1, &status, 0);
	return found(pid, status);
}

static int
case_waitid(void)
{
	siginfo_t info = {0};

	stop();
	if (waitid(P_ALL, 0, &info, WEXITED | WNOWAIT) || told != 1 ||
	    info.si_pid != child || info.si_status != 3)
		return 2;
	return reap();
}

static int
case_pause(void)
{
	stop();
	if (pause() != -1 || errno != EINTR || told != 1)
		return 2;
	return reap();
}

static int
case_suspend(void)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_BLOCK, &chld, NULL);
	stop();
	if (told || sigsuspend(&none) != -1 || told != 1)
		return 2;
	return reap();
}

static int
case_read(void)
{
	char c;

	stop();
	if (read(never[0], &c, 1) != -1 || errno != EINTR || told != 1)
		return 2;
	return reap();
}

/* What is there is read first. */
static int
case_read_there(void)
{
	char c;

	if (write(never[1], "x", 1) != 1)
		return 3;
	stop();
	if (read(never[0], &c, 1) != 1 || told)
		return 2;
	return reap();
}

static int
case_poll(void)
{
	struct pollfd p = {.fd = never[0], .events = POLLIN};

	stop();
	if (poll(&p, 1, -1) != -1 || errno != EINTR || told != 1)
		return 2;
	return reap();
}

static int
case_select(void)
{
	fd_set set;

	FD_ZERO(&set);
	FD_SET(never[0], &set);
	stop();
	if (select(never[0] + 1, &set, NULL, NULL, NULL) != -1 ||
	    !FD_ISSET(never[0], &set) || told != 1)
		return 2;
	return reap();
}

/* It is blocked while the child is waited for, and told behind. */
static int
case_block(void)
{
	int status = 0;
	pid_t pid;

	stop();
	sigprocmask(SIG_BLOCK, &chld, NULL);
	pid = waitpid(child, &status, 0);
	if (told)
		return 2;
	sigprocmask(SIG_UNBLOCK, &chld, NULL);
	return found(pid, status);
}

/* A loop without a system call. */
static int
case_loop(void)
{
	stop();
	while (!told)
		sink++;
	return reap();
}

/* ... and one that blocks the signal now and then. */
static int
case_guarded(void)
{
	stop();
	while (!told) {
		sigprocmask(SIG_BLOCK, &chld, NULL);
		sink++;
		sigprocmask(SIG_UNBLOCK, &chld, NULL);
	}
	return reap();
}

static const struct {
	const char *name;
	int (*run)(void);
	int flags;
} cases[] = {
	{"wait", case_wait, SA_RESTART},	{"any", case_any, SA_RESTART},
	{"wait-once", case_wait, 0},		{"waitid", case_waitid, 0},
	{"pause", case_pause, 0},		{"suspend", case_suspend, 0},
	{"read", case_read, 0},		{"read-there", case_read_there, 0},
	{"poll", case_poll, SA_RESTART},	{"select", case_select, SA_RESTART},
	{"block", case_block, 0},		{"loop", case_loop, 0},
	{"guarded", case_guarded, 0},
};

int
main(int argc, char **argv)
{
	struct sigaction action = {.sa_handler = on_child};

	if (argc != 3 || chdir(argv[2]) || pipe(never))
		return 64;
	sigemptyset(&chld);
	sigaddset(&chld, SIGCHLD);
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		if (strcmp(cases[i].name, argv[1]))
			continue;
		action.sa_flags = cases[i].flags | SA_NOCLDSTOP;
		sigaction(SIGCHLD, &action, NULL);
		child = fork();
		if (!child)
			open_go();
		return cases[i].run();
	}
	return 64;
}
