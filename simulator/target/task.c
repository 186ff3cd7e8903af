/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "task.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int
open_file(pid_t tid, const char *file)
{
	char path[64];

	if (tid == TASK_SELF)
		snprintf(path, sizeof path, "/proc/self/%s", file);
	else
		snprintf(path, sizeof path, "/proc/%d/%s", (int)tid, file);
	return open(path, O_RDONLY | O_CLOEXEC);
}

bool
task_read(pid_t tid, const char *file, char *buf, size_t size)
{
	int fd = open_file(tid, file);
	ssize_t n;

	if (fd < 0)
		return false;
	n = read(fd, buf, size - 1);
	close(fd);
	buf[n > 0 ? n : 0] = 0;
	return n > 0;
}

char *
task_read_all(pid_t pid, const char *file, size_t *bytes)
{
	int fd = open_file(pid, file);
	size_t size = 1 << 16, n = 0;
	char *text = fd < 0 ? NULL : malloc(size);
	ssize_t got;

	while (text && (got = read(fd, text + n, size - n - 1)) > 0) {
		char *more = text;

		n += (size_t)got;
		if (n + 1 == size)
			more = realloc(text, size *= 2);
		if (!more)
			free(text);
		text = more;
	}
	if (fd >= 0)
		close(fd);
	if (text)
		text[n] = '\0';
	*bytes = n;
	return text;
}

const char *
task_stat(pid_t tid, char buf[TASK_STAT])
{
	const char *name_end = task_read(tid, "stat", buf, TASK_STAT)
				       ? strrchr(buf, ')') : NULL;

	return name_end && name_end[1] == ' ' ? name_end + 2 : NULL;
}

bool
task_threads(pid_t pid, bool (*look)(pid_t pid, pid_t tid, void *given),
	     void *given)
{
	struct dirent *entry;
	bool goes_on = true;
	char path[64];
	DIR *dir;

	snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
	dir = opendir(path);
	if (!dir)
		return false;
	while (goes_on && (entry = readdir(dir))) {
		pid_t tid = (pid_t)atoi(entry->d_name);

		if (tid)
			goes_on = look(pid, tid, given);
	}
	closedir(dir);
	return true;
}

unsigned
task_children(pid_t pid, pid_t tid, pid_t *list, unsigned most)
{
	char file[64], text[4096], *s = text;
	unsigned n = 0;
	pid_t child;

	snprintf(file, sizeof file, "task/%d/children", (int)tid);
	if (!task_read(pid, file, text, sizeof text))
		return 0;
	while (n < most && (child = (pid_t)strtol(s, &s, 10)))
		list[n++] = child;
	return n;
}

u64
task_times_run(pid_t tid)
{
	static const char *const counts[] = {"\nvoluntary_ctxt_switches:",
					     "\nnonvoluntary_ctxt_switches:"};
	char buf[4096], *s;
	u64 sum = 1;

	if (!task_read(tid, "status", buf, sizeof buf))
		return 0;
	s = strstr(buf, "\nState:");
	if (!s || !strchr("SZT", s[strlen("\nState:") + 1]))
		return 0;
	for (unsigned i = 0; i < SIM_COUNT(counts); i++) {
		s = strstr(buf, counts[i]);
		if (!s)
			return 0;
		sum += strtoull(s + strlen(counts[i]), NULL, 10);
	}
	return sum;
}
