/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The log of a machine: what happened, in the order in which it did, for
 * for readers that ask afterwards which code an address meant.
 *
 * Records of any process, one behind the other, in segments of the machine.
 * A record is complete before it is there at all, so that a process that is
 * killed leaves none that is damaged.
 */
#ifndef SIM_MACHINE_LOG_H
#define SIM_MACHINE_LOG_H

#include "machine.h"

enum log_kind {
	LOG_IMAGE = 1,	/* a program begins: struct log_image */
	LOG_MAP,	/* code comes from there: struct log_map */
	LOG_SAMPLE,	/* a counter has overflowed: struct log_sample */
	LOG_CALL,	/* a path of calls: struct log_call */
	LOG_CALLED,	/* how often it was taken: struct log_called */
	LOG_SUMS	/* what has been counted so far: struct log_sums */
};

#define LOG_MAX 4352	/* bytes of a record */

struct log_record {
	u32 bytes;		/* a multiple of 8 */
	u32 kind;		/* enum log_kind */
	u32 image;		/* number of the program that it is about */
	u32 pad;
};

/* A fork child begins with the code of its parent, another program with
 * none. */
struct log_image {
	struct log_record head;
	u32 parent;		/* image before, or that forked; 0: none */
	s32 pid;
	u32 forked;		/* 1 if it is a fork child */
	u32 pad;
};

/* What was known of these addresses before is not true any more. */
struct log_map {
	struct log_record head;
	u64 start, end;		/* addresses of the target */
	u64 offset;		/* in the file, of start */
	char path[];		/* with a null character; empty: no file */
};

struct log_sample {
	struct log_record head;
	u64 pc, cycle;
	u64 n;			/* tenths of happenings, of a follower */
	u64 vaddr;		/* of its block */
	u32 request;		/* number of the machine's request */
	u32 tc;
	u32 n_insn;		/* of the block; 0: not told */
	u32 path;		/* of calls, that led there; 0: none */
	u16 offset[];		/* of its instructions */
};

/* Paths have numbers from 1 on, of any program. */
struct log_call {
	struct log_record head;
	u32 path;
	u32 parent;		/* the path that it goes on from; 0: none */
	u64 site;		/* address of the call */
};

struct log_called {
	struct log_record head;
	u32 path, pad;
	u64 taken;		/* times more */
};

/* All signals of user mode, of all processes, and how often what the ledger
 * charges had happened. */
struct log_sums {
	struct log_record head;
	u64 times[LEDGER_N];
	u64 sig[SIG_N];
};

/* Appends what has been counted so far, of an image: other processes may as well, and
 * no later record has less.  0, or -ENOSPC: it is lost, and counted. */
int machine_log_sums(struct machine_map *map, u32 image);

/* Appends a copy of a record; 0, or -ENOSPC: it is lost, and counted. */
int machine_log_append(struct machine_map *map,
		       const struct log_record *record);

/*
 * Calls fn with each record, until it returns something other than 0, which
 * is returned; records that make no sense end a segment.  -errno if the log
 * cannot be read.
 */
int machine_log_read(struct machine_map *map,
		     int (*fn)(void *arg, const struct log_record *record),
		     void *arg);

#endif
