/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints what a program inherits through execve. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define SIGNALS 31
#define DESCRIPTORS 32

static void
print_signals(void)
{
	struct sigaction action;
	sigset_t mask;

	sigprocmask(SIG_BLOCK, NULL, &mask);
	for (int s = 1; s <= SIGNALS; s++) {
		if (s == SIGKILL || s == SIGSTOP || sigaction(s, NULL, &action))
			continue;
		if (action.sa_handler == SIG_IGN)
			printf("ignored %d\n", s);
		if (sigismember(&mask, s))
			printf("blocked %d\n", s);
	}
}

static void
print_limits(void)
{
	static const int limits[] = {RLIMIT_CORE, RLIMIT_NOFILE, RLIMIT_FSIZE};
	struct rlimit limit;

	for (unsigned i = 0; i < sizeof limits / sizeof *limits; i++)
		if (!getrlimit(limits[i], &limit))
			printf("limit %lu\n", (unsigned long)limit.rlim_cur);
}

int
main(void)
{
	char cwd[4096];
	mode_t mask = umask(0);

	print_signals();
	print_limits();
	for (int fd = 0; fd < DESCRIPTORS; fd++)
		if (fcntl(fd, F_GETFD) >= 0)
			printf("open %d\n", fd);
	printf("umask %o\nnice %d\ncwd %s\nsession %d\n", (unsigned)mask,
	       getpriority(PRIO_PROCESS, 0), getcwd(cwd, sizeof cwd),
	       getsid(0) == getpid());
	return 0;
}
