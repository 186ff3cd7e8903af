/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kernel says about the threads of this process, from /proc: a
 * decision here rests on threads being asleep for good, never on how long
 * something took.
 */
#include "turns_internal.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Reads a small file of a thread; false if there is none. */
static bool
read_task(pid_t tid, const char *file, char *buf, size_t size)
{
	char path[64];
	ssize_t n;
	int fd;

	snprintf(path, sizeof path, "/proc/self/task/%d/%s", (int)tid, file);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = read(fd, buf, size - 1);
	close(fd);
	buf[n > 0 ? n : 0] = 0;
	return n > 0;
}

/* The system call that a thread sleeps in, and its first argument. */
static bool
sleeping_call(pid_t tid, long *number, u64 *arg)
{
	char buf[256], *end;

	if (!read_task(tid, "syscall", buf, sizeof buf) || buf[0] < '0' ||
	    buf[0] > '9')
		return false;
	*number = strtol(buf, &end, 10);
	*arg = strtoull(end, NULL, 16);
	return true;
}

/* Whether it sleeps until it is woken; no more once that has been done. */
static bool
is_asleep(pid_t tid)
{
	char buf[512], *s;

	if (!read_task(tid, "stat", buf, sizeof buf))
		return false;
	s = strrchr(buf, ')');
	return s && s[1] == ' ' && s[2] == 'S';
}

bool
watch_asleep(const struct thread *th)
{
	long number;
	u64 arg;

	/* A thread that is being woken still shows its system call. */
	if (!sleeping_call(th->tid, &number, &arg) || !is_asleep(th->tid))
		return false;
	if (number != SYS_futex)
		return true;
	/* Not in a lock of QEMU's or ours on the way there or back. */
	return th->futex && arg == plugin.guest_base + th->futex;
}

/* A number that changes whenever the thread has run; 0 if it runs. */
static u64
times_run(pid_t tid)
{
	static const char *const counts[] = {"\nvoluntary_ctxt_switches:",
					     "\nnonvoluntary_ctxt_switches:"};
	char buf[4096], *s;
	u64 sum = 1;

	if (!read_task(tid, "status", buf, sizeof buf))
		return 0;
	s = strstr(buf, "\nState:");
	if (!s || s[strlen("\nState:") + 1] != 'S')
		return 0;
	for (unsigned i = 0; i < SIM_COUNT(counts); i++) {
		s = strstr(buf, counts[i]);
		if (!s)
			return 0;
		sum += strtoull(s + strlen(counts[i]), NULL, 10);
	}
	return sum;
}

static bool
is_parked(pid_t tid)
{
	bool parked = false;

	pthread_mutex_lock(&turns.lock);
	for (struct thread *th = turns.first; th; th = th->next)
		if (th->tid == tid && th->parked)
			parked = true;
	pthread_mutex_unlock(&turns.lock);
	return parked;
}

/* Sum over all threads but the parked ones; 0 if one of them runs. */
static u64
all_times_run(void)
{
	pid_t self = (pid_t)syscall(SYS_gettid);
	DIR *dir = opendir("/proc/self/task");
	struct dirent *entry;
	u64 sum = 1;

	if (!dir)
		return 0;
	while (sum && (entry = readdir(dir))) {
		pid_t tid = (pid_t)atoi(entry->d_name);
		u64 times;

		if (!tid || tid == self || is_parked(tid))
			continue;
		times = times_run(tid);
		sum = times ? sum + times : 0;
	}
	closedir(dir);
	return sum;
}

bool
watch_asleep_all(void)
{
	u64 before = all_times_run();

	return before && before == all_times_run();
}

enum watched
watch_holder(const struct thread *holder)
{
	u64 before = all_times_run(), arg;
	long number;

	if (!before || !sleeping_call(holder->tid, &number, &arg) ||
	    before != all_times_run())
		return WATCH_NOTHING;
	if (number != SYS_futex)
		return holder->in_call ? WATCH_CALL : WATCH_NOTHING;
	return arg == (u64)(uintptr_t)&turns.lock ? WATCH_NOTHING
						  : WATCH_EXCLUSIVE;
}
