/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How the target reaches the emulated devices.
 *
 *	channel.c	requests by a system call of our own
 *	channel_perf.c	those to /proc/perf
 *	device_file.c	the devices' files: open, read, write, stat
 */
#ifndef QEMU_CHANNEL_H
#define QEMU_CHANNEL_H

#include "call.h"
#include "plugin.h"

#include "../guest/pmcsim_channel.h"

/* A request while it is worked on, numbers in our byte order. */
struct request {
	u64 value;		/* in and out */
	char *text;		/* in and out, room bytes */
	u32 length, room;
	bool reply;		/* the text is the answer */
};

/* A range of operations: what it does with a request. */
typedef enum pmcsim_result request_fn(unsigned operation, struct request *r);

request_fn channel_perf;

/*
 * A file of a device: the whole text that reading gives (into text,
 * DEVICE_TEXT bytes; its length), and what is done with text that is written
 * (0 or -errno).  like is a file that the host has, with a path of the same
 * length, whose attributes lstat(2) may show instead.
 */
#define DEVICE_TEXT 4096

struct device_file {
	const char *path;	/* at least 9 characters */
	const char *like;
	size_t (*read)(char *text);
	int (*write)(const char *text, size_t length);
	bool (*may_write)(void);
};

extern const struct device_file perf_file;

/* Before a system call of the target, and when it has returned. */
void device_file_before(enum call call, const u64 arg[8]);
void device_file_after(void);

/* Called when a system call has returned; what was changed for its sake is
 * put back. */
void channel_syscall_return(void);

#endif
