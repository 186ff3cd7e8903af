/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files of emulated devices.
 *
 *	device_file.c	the files, what is behind a descriptor
 *	channel_device.c ioctl() and other calls of a device
 */
#ifndef QEMU_DEVICE_FILE_H
#define QEMU_DEVICE_FILE_H

#include "call.h"
#include "target.h"

#define DEVICE_TEXT 4096	/* bytes that any text fits into */
#define DEVICE_PATH 64		/* bytes of a path, its end included */

/* What a call of a device is about: pmcsim_channel.h, PMCSIM_DEVICE_CALL. */
struct device_call {
	const char *path;	/* that was opened; NULL: no descriptor */
	int fd;			/* -1: none */
	bool writable;		/* opened for writing */
	u32 command;		/* enum pmcsim_command */
	u64 *word;		/* arguments in, results out */
	size_t n, room;		/* words there are and may be */
};

/*
 * A file of a device: the whole text that reading gives (into text,
 * DEVICE_TEXT bytes; its length), what is done with text that is written (0
 * or -errno), and what calls do (a result from 0 on, or -errno of the host's
 * numbers).  Where a function is NULL there is nothing to read, or nothing
 * can be written or called.  pour() writes what reading gives into a file,
 * where that is longer than a text; may_read() says whether that descriptor
 * gets it (NULL: always), else reading fails; close() is told before the target
 * closes a descriptor.  like is a file that the host has, whose
 * attributes are shown where those of the file cannot be.
 */
struct device_file {
	u8 system;		/* enum sim_system of machines that have it */
	const char *path;	/* at least 9 characters; NULL: see match */
	bool (*match)(const char *path); /* for files with many names */
	const char *like[2];	/* its folder, its name: at most path's size */
	size_t (*read)(char *text);
	int (*write)(const char *text, size_t length);
	bool (*may_write)(const char *path);
	bool (*may_read)(int fd);
	s64 (*call)(struct device_call *call);
	void (*pour)(int fd);
	void (*close)(int fd);
};

/* Makes a word the result of a call; 0. */
s64 device_call_give(struct device_call *call, u64 value);

extern const struct device_file perf_file, pctr_file, ia64_file, pfm_file;

/* The file of that path on this machine; NULL: none. */
const struct device_file *device_file_named(const char *path);

/*
 * The file behind a descriptor; NULL: none.  The path that was opened goes
 * into path, unless that is NULL.
 */
const struct device_file *device_file_of(int fd, char path[DEVICE_PATH]);

/* Whether it was opened for writing. */
bool device_file_writable(int fd);

/* The first file of this machine whose device can be called. */
const struct device_file *device_file_called(void);

/* A descriptor with the text as it is now, and that text once more. */
int device_file_snapshot(const struct device_file *file, const char *path);
void device_file_fill(int fd, const struct device_file *file);

/* Whether the target may write a file of that length. */
bool device_file_fits(size_t bytes);

#endif
