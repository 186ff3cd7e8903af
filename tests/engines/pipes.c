/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pipes CASE: processes that write pieces into pipes, with work in between, and one
 * that reads and says how many reads found how many bytes:
 *
 * one	from one writer
 * chain	through a second process, which passes on what each read gets
 * two	from two writers
 * enough	with reads that ask for as much as one piece has
 * busy	from a writer that works until it is told that its first piece has come
 * loose	as one, with a descriptor that does not wait
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PIECES 20
#define BYTES 10

static void
work(void)
{
	for (volatile unsigned i = 0; i < 20000; i++)
		;
}

static void
put(int fd, const void *data, size_t n)
{
	if (write(fd, data, n) != (ssize_t)n)
		_exit(3);
}

static void
write_pieces(int fd)
{
	for (unsigned i = 0; i < PIECES; i++) {
		put(fd, "0123456789", BYTES);
		work();
	}
}

static void
pass_on(int from, int to)
{
	char data[4096];
	ssize_t n;

	while ((n = read(from, data, sizeof data)) > 0)
		put(to, data, (size_t)n);
}

/* Until it is told. */
static void
stay_busy(int to, int told)
{
	struct pollfd p = {.fd = told, .events = POLLIN};

	put(to, "0123456789", BYTES);
	while (!poll(&p, 1, 0))
		;
	put(to, "0123456789", BYTES);
}

/* A process that writes into the pipe. */
static void
start(const char *name, const int out[2], int from)
{
	if (fork())
		return;
	close(out[0]);
	if (!strcmp(name, "busy"))
		stay_busy(out[1], from);
	else if (!strcmp(name, "pass"))
		pass_on(from, out[1]);
	else
		write_pieces(out[1]);
	_exit(0);
}

static void
read_all(int fd, size_t most, int tell)
{
	unsigned reads = 0, bytes = 0;
	char data[4096];
	ssize_t n;

	while ((n = read(fd, data, most)) > 0 || (n < 0 && errno == EAGAIN)) {
		if (n < 0)
			continue;
		reads++;
		bytes += (unsigned)n;
		if (tell >= 0)
			put(tell, "", 1);
	}
	printf("%u reads, %u bytes\n", reads, bytes);
}

int
main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "one";
	int out[2], other[2];

	if (pipe(out) || pipe(other))
		return 3;
	start(name, !strcmp(name, "chain") ? other : out, other[0]);
	if (!strcmp(name, "two"))
		start(name, out, -1);
	if (!strcmp(name, "chain")) {
		close(other[1]);
		start("pass", out, other[0]);
	}
	close(out[1]);
	if (!strcmp(name, "loose"))
		fcntl(out[0], F_SETFL, O_NONBLOCK);
	read_all(out[0], !strcmp(name, "enough") ? BYTES : 4096,
		 !strcmp(name, "busy") ? other[1] : -1);
	while (wait(NULL) > 0)
		;
	return 0;
}
