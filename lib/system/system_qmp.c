/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * QEMU's monitor protocol, as far as a snapshot needs it: a greeting, then
 * one answer a line, with events in between.
 */
#include "system_internal.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define ANSWER_SECONDS 30
#define ANSWER_BYTES 8192
#define POLL_NS 20000000

int
qmp_value(const char *line, const char *key, char *value, size_t size)
{
	char quoted[64];
	const char *p;
	size_t n;

	snprintf(quoted, sizeof quoted, "\"%s\"", key);
	p = strstr(line, quoted);
	if (!p)
		return -ENOENT;
	p += strlen(quoted);
	p += strspn(p, " ");
	if (*p++ != ':')
		return -ENOENT;
	p += strspn(p, " ");
	n = *p == '"' ? strcspn(++p, "\"") : strcspn(p, ",}] \r\n");
	if (n >= size)
		return -E2BIG;
	memcpy(value, p, n);
	value[n] = '\0';
	return 0;
}

/* One line, without what ends it. */
static int
read_line(int fd, char line[ANSWER_BYTES])
{
	struct pollfd poll_fd = {.fd = fd, .events = POLLIN};
	size_t n = 0;

	while (n < ANSWER_BYTES - 1) {
		if (poll(&poll_fd, 1, ANSWER_SECONDS * 1000) <= 0)
			return -ETIMEDOUT;
		if (read(fd, line + n, 1) != 1)
			return -EPIPE;
		if (line[n] == '\n')
			break;
		n++;
	}
	line[n] = '\0';
	return 0;
}

/* Sends a command and reads up to its answer. */
static int
command(struct system_qemu *q, const char *text, char line[ANSWER_BYTES])
{
	size_t n = strlen(text);
	char value[64];
	int rc;

	if (write(q->monitor, text, n) != (ssize_t)n)
		return -EPIPE;
	do
		rc = read_line(q->monitor, line);
	while (!rc && qmp_value(line, "return", value, sizeof value) ==
			      -ENOENT && !strstr(line, "\"error\""));
	if (!rc && strstr(line, "\"error\""))
		rc = -EIO;
	return rc;
}

/* It greets us, and takes commands once we have answered. */
static int
greet(struct system_qemu *q, char line[ANSWER_BYTES])
{
	int rc = q->greeted ? 0 : read_line(q->monitor, line);

	if (!rc && !q->greeted)
		rc = command(q, "{\"execute\":\"qmp_capabilities\"}\n", line);
	q->greeted |= !rc;
	return rc;
}

int
system_quit(struct system_qemu *q)
{
	char line[ANSWER_BYTES];
	int rc = greet(q, line);

	return rc ? rc : command(q, "{\"execute\":\"quit\"}\n", line);
}

/* The machine is not stopped first: a snapshot of a stopped one does not run
 * when it is restored. */
int
system_snapshot(struct system_qemu *q, const char *name)
{
	const struct timespec pause = {0, POLL_NS};
	char line[ANSWER_BYTES], text[256], status[32] = "";
	int rc = greet(q, line);

	if (!rc)
		rc = command(q, "{\"execute\":\"migrate-set-parameters\","
			     "\"arguments\":{\"max-bandwidth\":"
			     "100000000000}}\n", line);
	snprintf(text, sizeof text, "{\"execute\":\"migrate\",\"arguments\":"
		 "{\"uri\":\"exec:cat > %s\"}}\n", name);
	if (!rc)
		rc = command(q, text, line);
	while (!rc && strcmp(status, "completed")) {
		nanosleep(&pause, NULL);
		rc = command(q, "{\"execute\":\"query-migrate\"}\n", line);
		if (!rc && qmp_value(line, "status", status, sizeof status))
			rc = -EIO;
		if (!strcmp(status, "failed"))
			rc = -EIO;
	}
	return rc;
}
