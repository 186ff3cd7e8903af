/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The standard streams of targets that are run more than once. */
#include "streams.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define UNKNOWN ((off_t)-2)

/* Where standard input stood at first; -1: it cannot be read again. */
static off_t
input_start(void)
{
	static off_t start = UNKNOWN;
	struct stat st;

	if (start == UNKNOWN) {
		start = -1;
		if (fstat(STDIN_FILENO, &st) == 0 && S_ISREG(st.st_mode))
			start = lseek(STDIN_FILENO, 0, SEEK_CUR);
	}
	return start;
}

/* Standard input for one of several targets. */
static int
open_input(void)
{
	off_t start = input_start();
	int fd = -1;

	if (start >= 0)
		fd = open("/proc/self/fd/0", O_RDONLY | O_CLOEXEC);
	if (fd >= 0 && lseek(fd, start, SEEK_SET) >= 0)
		return fd;
	if (fd >= 0)
		close(fd);
	return open("/dev/null", O_RDONLY | O_CLOEXEC);
}

int
streams_open(struct streams *s, bool kept)
{
	int err;

	*s = (struct streams){{-1, -1, -1}, kept};
	if (!kept) {
		off_t start = input_start();

		if (start >= 0)
			lseek(STDIN_FILENO, start, SEEK_SET);
		return 0;
	}
	s->fd[0] = open_input();
	s->fd[1] = memfd_create("stdout", MFD_CLOEXEC);
	s->fd[2] = memfd_create("stderr", MFD_CLOEXEC);
	if (s->fd[0] >= 0 && s->fd[1] >= 0 && s->fd[2] >= 0)
		return 0;
	err = -errno;
	streams_close(s);
	return err;
}

const int *
streams_fd(const struct streams *s)
{
	return s->kept ? s->fd : NULL;
}

static int
copy(int from, FILE *to)
{
	char buffer[1 << 16];
	off_t at = 0;
	ssize_t n;

	while ((n = pread(from, buffer, sizeof(buffer), at)) > 0) {
		if (fwrite(buffer, 1, (size_t)n, to) != (size_t)n)
			return -errno;
		at += n;
	}
	if (n < 0 || fflush(to) != 0)
		return -errno;
	return 0;
}

int
streams_replay(const struct streams *s)
{
	int err = 0;

	if (s->kept)
		err = copy(s->fd[1], stdout);
	if (s->kept && err == 0)
		err = copy(s->fd[2], stderr);
	return err;
}

void
streams_close(struct streams *s)
{
	for (int i = 0; i < 3; i++) {
		if (s->fd[i] >= 0)
			close(s->fd[i]);
		s->fd[i] = -1;
	}
}
