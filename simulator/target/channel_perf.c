/* SPDX-License-Identifier: GPL-2.0-or-later */
/* /proc/perf for the target. */
#include "channel.h"
#include "engine.h"

#include "device/procperf.h"

#include <errno.h>

_Static_assert(PROCPERF_TEXT <= DEVICE_TEXT, "the dump fits");

static size_t
perf_read(char *text)
{
	target_settle();
	return procperf_read(&target.map, text);
}

static long
perf_execute(const char *text, size_t length, unsigned *line)
{
	target_settle();
	return procperf_write(&target.map, process_uid(), text, length, line);
}

static int
perf_write(const char *text, size_t length)
{
	unsigned line;
	long done = perf_execute(text, length, &line);

	return done < 0 ? (int)done : 0;
}

static bool
perf_may_write(const char *path)
{
	(void)path;
	return process_uid() == 0;
}

const struct device_file perf_file = {
	.system = SYSTEM_PROCPERF,
	.path = "/proc/perf",
	.like = {"/proc", "stat"},
	.read = perf_read,
	.write = perf_write,
	.may_write = perf_may_write,
};

static enum pmcsim_result
answer_read(struct request *r)
{
	char text[PROCPERF_TEXT];

	r->length = (u32)perf_read(text);
	if (r->length >= r->room)
		return PMCSIM_NO_ROOM;
	memcpy(r->text, text, r->length + 1);
	r->reply = true;
	return PMCSIM_DONE;
}

static enum pmcsim_result
answer_write(struct request *r)
{
	unsigned line;
	long done = perf_execute(r->text, r->length, &line);

	r->value = line;
	if (done >= 0)
		return PMCSIM_DONE;
	return done == -EPERM ? PMCSIM_NOT_PERMITTED : PMCSIM_INVALID;
}

enum pmcsim_result
channel_perf(unsigned operation, struct request *r)
{
	if (target.config->system != SYSTEM_PROCPERF)
		return PMCSIM_UNKNOWN;
	switch (operation) {
	case PMCSIM_PERF_READ:
		return answer_read(r);
	case PMCSIM_PERF_WRITE:
		return answer_write(r);
	}
	return PMCSIM_UNKNOWN;
}
