/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What comes out of a board: the end of the command, and what it has written.
 * The command is root there and has the folder and the console as well, so
 * that anything may be in their place.
 */
#include "system_internal.h"

#include "engine/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#define LOST " lost"

int
system_token_make(char token[SYSTEM_TOKEN])
{
	unsigned char bytes[(SYSTEM_TOKEN - 1) / 2];

	if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
		return -EIO;
	for (size_t i = 0; i < sizeof bytes; i++)
		snprintf(token + 2 * i, 3, "%02x", bytes[i]);
	return 0;
}

int
system_start_command(struct system_qemu *q, const char *token)
{
	char line[SYSTEM_TOKEN + 8];

	snprintf(line, sizeof line, "go %s\n", token);
	return system_send(q, line);
}

int
system_read_end(const char *rest, const char *token, int *status)
{
	size_t length = strlen(token);
	char *end;
	long n;

	/* The script could not be started, and says so without a token. */
	if (!strcmp(rest, SYSTEM_NO_START))
		return -ENOEXEC;
	if (strncmp(rest, token, length) || rest[length] != ' ')
		return -EAGAIN;
	rest += length + 1;
	if (*rest < '0' || *rest > '9')
		return -EPROTO;
	n = strtol(rest, &end, 10);
	if (n > 255 || (*end && strcmp(end, LOST)))
		return -EPROTO;
	*status = (int)n;
	return *end ? -ENOSPC : 0;
}

int
system_await_end(struct system_qemu *q, const char *token, int seconds,
		 const volatile int *stop, int *status)
{
	long until = clock_ms() + seconds * 1000l, left;
	char rest[2 * SYSTEM_TOKEN];
	int rc;

	do {
		left = (until - clock_ms() + 999) / 1000;
		rc = left > 0 ? system_await(q, SYSTEM_DONE, (int)left, stop,
					     rest, sizeof rest) : -ETIMEDOUT;
		if (!rc)
			rc = system_read_end(rest, token, status);
	} while (rc == -EAGAIN);
	return rc;
}

/* Opens a file of the folder that is one; nothing of it is waited for, and no
 * link followed. */
static int
open_result(const char *folder, const char *name)
{
	int at = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;
	int fd, rc = 0;

	if (at < 0)
		return -errno;
	fd = openat(at, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY |
		    O_CLOEXEC);
	rc = fd < 0 ? -errno : 0;
	close(at);
	if (rc)
		return rc == -ELOOP || rc == -ENXIO ? -EPROTO : rc;
	if (fstat(fd, &st))
		rc = -errno;
	else if (!S_ISREG(st.st_mode))
		rc = -EPROTO;
	else if (st.st_size > SYSTEM_OUTPUT_LIMIT)
		rc = -EFBIG;
	if (!rc)
		return fd;
	close(fd);
	return rc;
}

static int
write_all(int fd, const char *text, size_t n)
{
	while (n) {
		ssize_t m = write(fd, text, n);

		if (m < 0 && errno != EINTR)
			return -errno;
		if (m > 0) {
			text += m;
			n -= (size_t)m;
		}
	}
	return 0;
}

int
system_pass_on(const char *folder, const char *name, int fd,
	       const volatile int *stop)
{
	char text[1 << 14];
	int in = open_result(folder, name), rc = 0;
	ssize_t n;

	if (in < 0)
		return in == -ENOENT ? 0 : in;
	while (!rc && (n = read(in, text, sizeof text)) != 0) {
		if (*stop)
			rc = -EINTR;
		else if (n > 0)
			rc = write_all(fd, text, (size_t)n);
		else if (errno != EINTR)
			rc = -errno;
	}
	close(in);
	return rc;
}
