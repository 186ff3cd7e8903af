/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The standard streams of targets that are run more than once. */
#include "streams.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define UNKNOWN ((off_t)-2)

/* Where standard input stood at first; -1: it cannot be read again. */
static off_t start = UNKNOWN;

static off_t
input_start(void)
{
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
	int fd = -1;

	if (input_start() >= 0)
		fd = open("/proc/self/fd/0", O_RDONLY | O_CLOEXEC);
	if (fd >= 0 && lseek(fd, start, SEEK_SET) >= 0)
		return fd;
	if (fd >= 0)
		close(fd);
	return open("/dev/null", O_RDONLY | O_CLOEXEC);
}

static const char *
temporary_folder(void)
{
	const char *folder = getenv("TMPDIR");

	return folder && *folder ? folder : "/tmp";
}

/* A file without a name, since what it takes may be larger than memory. */
static int
open_unnamed(void)
{
	char *path;
	int fd;

	if (asprintf(&path, "%s/pmcsim-XXXXXX", temporary_folder()) < 0)
		return -1;
	fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		unlink(path);
	free(path);
	return fd;
}

static int
write_all(int fd, const char *data, size_t n)
{
	while (n > 0) {
		ssize_t done = write(fd, data, n);

		if (done < 0 && errno != EINTR)
			return -errno;
		if (done > 0) {
			data += done;
			n -= (size_t)done;
		}
	}
	return 0;
}

/* *reading: that is what went wrong. */
static int
copy_input(int to, bool *reading)
{
	char buffer[1 << 14];
	ssize_t n = 0;
	int err = 0;

	while (err == 0 && !tool_stop) {
		n = read(STDIN_FILENO, buffer, sizeof(buffer));
		if (n == 0)
			break;
		if (n > 0) {
			err = write_all(to, buffer, (size_t)n);
		} else if (errno != EINTR) {
			err = -errno;
			*reading = true;
		}
	}
	return err;
}

/* Lets standard input be the file, for reading only. */
static int
read_from(int fd)
{
	char path[32];
	int input, err = 0;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	input = open(path, O_RDONLY | O_CLOEXEC);
	if (input < 0 || dup2(input, STDIN_FILENO) < 0)
		err = -errno;
	if (input >= 0)
		close(input);
	return err;
}

static int
keep_input(bool *reading)
{
	int fd = open_unnamed(), err;

	if (fd < 0)
		return -errno;
	err = copy_input(fd, reading);
	if (err == 0)
		err = read_from(fd);
	close(fd);
	start = UNKNOWN;
	return err;
}

void
streams_keep_input(const struct tool *tool)
{
	bool reading = false;
	int err;

	if (input_start() >= 0)
		return;
	if (isatty(STDERR_FILENO))
		tool_say(tool, "reading standard input");
	err = keep_input(&reading);
	if (err != 0)
		tool_fail(tool, TOOL_FAILED,
			  "standard input cannot be kept%s%s: %s",
			  reading ? "" : " in ",
			  reading ? "" : temporary_folder(), strerror(-err));
}

bool
streams_input_passes(void)
{
	struct stat st;

	return fstat(STDIN_FILENO, &st) == 0 &&
	       (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode));
}

bool
streams_input_waits(void)
{
	int n = 0;

	return ioctl(STDIN_FILENO, FIONREAD, &n) == 0 && n > 0;
}

int
streams_open(struct streams *s, bool kept)
{
	int err;

	*s = (struct streams){{-1, -1, -1}, kept};
	if (!kept) {
		if (input_start() >= 0)
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
	char buffer[1 << 14];
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
