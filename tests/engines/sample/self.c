/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a process is told of itself, and may do to itself. */
#include "sample.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sched.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>

extern char **environ;

static void
descriptors_are_few(void)
{
	char path[40];
	struct stat s;

	for (int fd = 0; fd < 64; fd++) {
		snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
		if (fd > 2 && !lstat(path, &s))
			SAY("%d is open\n", fd);
	}
	SAY("%d\n", open("/dev/null", O_RDONLY));
}

static void
caught(int s)
{
	(void)s;
}

static void
mask_and_ignored_pass(void)
{
	sigset_t set;

	signal(SIGUSR1, SIG_IGN);
	signal(SIGUSR2, caught);
	sigemptyset(&set);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	system("grep -E 'Sig(Blk|Ign|Cgt)' /proc/self/status");
}

static void
groups_and_sessions(void)
{
	pid_t pid = fork();

	if (!pid) {
		DO(setsid() == getpid());
		DO(getsid(0) == getpid());
		DO(getpgrp() == getpid());
		DO(setsid());
		_exit(0);
	}
	say_end(pid);
	pid = fork();
	if (!pid) {
		DO(setpgid(0, 0));
		DO(getpgid(0) == getpid());
		_exit(0);
	}
	say_end(pid);
}

static void
names(void)
{
	char name[16] = "";

	DO(prctl(PR_GET_NAME, name));
	SAY("%s\n", name);
	DO(prctl(PR_SET_NAME, "another name that is long"));
	DO(prctl(PR_GET_NAME, name));
	SAY("%s\n", name);
	system("sed -n 's/^Name:.//p' /proc/$PPID/status");
}

static void
say_file(const char *path)
{
	char text[4096];
	int fd = open(path, O_RDONLY);
	ssize_t n = read(fd, text, sizeof text - 1);

	for (ssize_t i = 0; i < n; i++)
		putchar(text[i] ? text[i] : '|');
	SAY("\n");
	close(fd);
}

static void
own_files(void)
{
	char path[4096] = "", *slash;

	DO(readlink("/proc/self/exe", path, sizeof path) > 0);
	slash = strrchr(path, '/');
	SAY("%s\n", slash ? slash + 1 : path);
	say_file("/proc/self/cmdline");
	say_file("/proc/self/comm");
	snprintf(path, sizeof path, "/proc/%d/cmdline", getpid());
	say_file(path);
}

/* The program's file, by all calls that follow the link to it. */
static void
own_program(void)
{
	static const char own[] = "/proc/self/exe";
	struct open_how how = {.flags = O_RDONLY};
	char path[4096] = "";
	struct stat is, seen;
	struct statx x;

	DO(readlink(own, path, sizeof path - 1) > 0);
	DO(stat(path, &is));
	DO(chdir("/"));
	DO(!syscall(SYS_stat, own, &seen) && seen.st_ino == is.st_ino);
	DO(!fstatat(AT_FDCWD, own, &seen, 0) && seen.st_ino == is.st_ino);
	DO(!lstat(own, &seen) && S_ISLNK(seen.st_mode));
	DO(!statx(AT_FDCWD, own, 0, STATX_INO, &x) && x.stx_ino == is.st_ino);
	DO(!fstat(open(own, O_RDONLY), &seen) && seen.st_ino == is.st_ino);
	DO(!fstat(syscall(SYS_open, own, O_PATH), &seen) &&
	   seen.st_ino == is.st_ino);
	DO(!fstat(syscall(SYS_openat2, -1, own, &how, sizeof how), &seen) &&
	   seen.st_ino == is.st_ino);
	DO(open(own, O_RDONLY | O_NOFOLLOW) < 0 && errno == ELOOP);
	snprintf(path, sizeof path, "/proc/%d/task/%d/exe", getpid(), getpid());
	DO(!fstat(open(path, O_RDONLY), &seen) && seen.st_ino == is.st_ino);
	DO(access(own, X_OK));
	DO(syscall(SYS_faccessat2, AT_FDCWD, own, W_OK, AT_EACCESS));
}

static void
own_variables(void)
{
	static char text[1 << 20];
	int fd = open("/proc/self/environ", O_RDONLY);
	ssize_t n = read(fd, text, sizeof text);
	size_t at = 0, same = 0;

	for (char **e = environ; *e && at < (size_t)n; e++) {
		same += !strcmp(text + at, *e);
		at += strlen(text + at) + 1;
	}
	SAY("all %d\n", same > 0 && !environ[same] && at == (size_t)n);
}

static void
auxiliary(void)
{
	unsigned long v[2];
	int fd = open("/proc/self/auxv", O_RDONLY);
	bool same = true;
	int n = 0;

	while (read(fd, v, sizeof v) == sizeof v && v[0]) {
		same &= getauxval(v[0]) == v[1];
		n += v[0] == AT_PHDR || v[0] == AT_ENTRY || v[0] == AT_RANDOM;
	}
	SAY("%d %d\n", same, n);
	SAY("%s\n", (char *)getauxval(AT_PLATFORM));
	SAY("%ld %ld\n", getauxval(AT_PAGESZ), getauxval(AT_SECURE));
	SAY("%s\n", (char *)getauxval(AT_EXECFN));
}

static void
processors(void)
{
	unsigned first = 0;
	cpu_set_t set;

	DO(sched_getaffinity(0, sizeof set, &set));
	SAY("%d\n", CPU_COUNT(&set) > 0);
	while (!CPU_ISSET(first, &set))
		first++;
	CPU_ZERO(&set);
	CPU_SET(first, &set);
	DO(sched_setaffinity(0, sizeof set, &set));
	DO(sched_getaffinity(0, sizeof set, &set));
	SAY("%d %d\n", CPU_COUNT(&set), CPU_ISSET(first, &set));
	system("nproc");
	CPU_ZERO(&set);
	DO(sched_setaffinity(0, sizeof set, &set));
	DO(getpriority(PRIO_PROCESS, 0));
	DO(setpriority(PRIO_PROCESS, 0, 5));
	DO(getpriority(PRIO_PROCESS, 0));
	DO(sched_getscheduler(0));
}

static void
times_pass(void)
{
	struct timespec a, b;
	struct rusage usage;

	clock_gettime(CLOCK_MONOTONIC, &a);
	usleep(2000);
	clock_gettime(CLOCK_MONOTONIC, &b);
	SAY("%d\n", (b.tv_sec - a.tv_sec) * 1000000000l + b.tv_nsec -
		    a.tv_nsec >= 2000000);
	DO(getrusage(RUSAGE_SELF, &usage));
	DO(getrusage(12345, &usage));
	DO(clock_gettime(12345, &a));
	DO(clock_getres(CLOCK_MONOTONIC, &a));
	SAY("%d\n", time(NULL) > 1700000000);
}

static const struct sample samples[] = {
	SAMPLE(descriptors_are_few), SAMPLE(mask_and_ignored_pass),
	SAMPLE(groups_and_sessions), SAMPLE(names), SAMPLE(own_files), SAMPLE(own_program),
	SAMPLE(own_variables), SAMPLE(auxiliary), SAMPLE(processors),
	SAMPLE(times_pass),
};

SAMPLES(samples)
