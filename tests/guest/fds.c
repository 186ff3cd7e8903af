/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fds HOW PROGRAM: opens and closes descriptors as programs do, then executes
 * the program.  HOW: up, down, listed (closes what is open, in that order),
 * range (close_range), over (dup2 onto every number that the limit, or most
 * limits, allow, but a few that are needed to execute a program), full (there
 * is none left).
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MOST_LIMITS 1024

static void
close_listed(void)
{
	DIR *d = opendir("/proc/self/fd");
	struct dirent *e;

	while (d && (e = readdir(d)))
		if (atoi(e->d_name) > 2 && atoi(e->d_name) != dirfd(d))
			close(atoi(e->d_name));
	if (d)
		closedir(d);
}

static void
disturb(const char *how, int limit)
{
	int most = limit < MOST_LIMITS ? limit : MOST_LIMITS;

	if (!strcmp(how, "up"))
		for (int fd = 3; fd < limit; fd++)
			close(fd);
	else if (!strcmp(how, "down"))
		for (int fd = limit - 1; fd > 2; fd--)
			close(fd);
	else if (!strcmp(how, "listed"))
		close_listed();
	else if (!strcmp(how, "over"))
		for (int fd = 3; fd < most - 4; fd++)
			dup2(0, fd);
	else if (!strcmp(how, "full"))
		while (dup(0) >= 0)
			;
#ifdef SYS_close_range
	else if (!strcmp(how, "range"))
		syscall(SYS_close_range, 3u, ~0u, 0u);
#endif
}

int
main(int argc, char **argv)
{
	struct rlimit limit;
	int fd = open("/dev/null", O_RDONLY);

	if (argc != 3 || getrlimit(RLIMIT_NOFILE, &limit))
		return 64;
	if (fd != 3) {
		printf("the first descriptor is %d\n", fd);
		return 1;
	}
	disturb(argv[1], (int)limit.rlim_cur);
	fflush(stdout);
	execv(argv[2], argv + 2);
	return 127;
}
