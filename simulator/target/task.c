/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "task.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool
task_read(pid_t tid, const char *file, char *buf, size_t size)
{
	char path[64];
	ssize_t n;
	int fd;

	snprintf(path, sizeof path, "/proc/%d/%s", (int)tid, file);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = read(fd, buf, size - 1);
	close(fd);
	buf[n > 0 ? n : 0] = 0;
	return n > 0;
}

const char *
task_stat(pid_t tid, char buf[TASK_STAT])
{
	const char *name_end = task_read(tid, "stat", buf, TASK_STAT)
				       ? strrchr(buf, ')') : NULL;

	return name_end && name_end[1] == ' ' ? name_end + 2 : NULL;
}
