/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How the target reaches the emulated devices.
 *
 *	channel.c	requests by a system call of our own
 *	channel_perf.c	those to /proc/perf
 *	channel_device.c ioctl() and other calls of a device
 */
#ifndef QEMU_CHANNEL_H
#define QEMU_CHANNEL_H

#include "device_file.h"

#include "guest/pmcsim_channel.h"

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
request_fn channel_device;

/* The system call CALL_CHANNEL, which no kernel has: a request, if its first
 * argument is the channel's magic number. */
void channel_request(const u64 arg[8]);

#endif
