/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the machine keeps for the event counters of IRIX (hwperf.h): with
 * each process, and of the system.
 */
#ifndef DEVICE_HWPERF_STATE_H
#define DEVICE_HWPERF_STATE_H

#include "../types.h"

#define HWPERF_EVENTS 32
#define HWPERF_COUNTERS 2
#define HWPERF_COUNTER_EVENTS (HWPERF_EVENTS / HWPERF_COUNTERS)
#define HWPERF_CPUS 16
#define HWPERF_ENDED 1024	/* processes whose parents have not waited */
#define HWPERF_LOG 1024		/* processes that a tool is told about */

/* What is to be counted. */
struct hwperf_control {
	u16 spec[HWPERF_EVENTS]; /* event << 5 | interrupt << 4 | modes */
	s32 threshold[HWPERF_EVENTS]; /* overflow after so many; 0: never */
	s32 signal;		/* of an overflow; 0: none */
};

/* Virtual counters that run on one machine's hardware counters. */
struct hwperf_counters {
	u64 value[HWPERF_EVENTS];
	u64 start[HWPERF_EVENTS]; /* the event's sum when it came on */
};

/* A process's. */
struct hwperf_process {
	struct hwperf_control control;
	struct hwperf_counters counters;
	u32 generation;		/* 0: has never counted */
	u32 changes;		/* of what is counted, to be noticed */
	bool counting;
	bool system;		/* has the counters in system mode */
	bool save;		/* its counts go to its parent at its end */
	u8 current[HWPERF_COUNTERS]; /* events that are counted now */
	s64 left[HWPERF_EVENTS]; /* to the next overflow, see sample.h */
	u64 calls[4];		/* read, write, poll or select, ioctl */
	u64 bytes[2];		/* read, written */
};

/* A process that has ended and that its parent has not waited for. */
struct hwperf_ended {
	s32 pid;		/* 0: none */
	s32 parent;
	u64 value[HWPERF_EVENTS];
};

struct hwperf_machine {
	/* System mode. */
	bool system;
	u32 generation;
	struct hwperf_control control;
	u8 current[HWPERF_COUNTERS];
	struct hwperf_counters cpu[HWPERF_CPUS];
	u64 global[HWPERF_EVENTS];
	u64 tick_left;		/* cycles to the next tick, when last seen */

	/* A tool from outside: the first process counts this. */
	bool armed;
	struct hwperf_control arm;
	s32 first;		/* its pid */
	u64 total[HWPERF_EVENTS]; /* its counts when it had ended */
	u32 n_log;
	struct hwperf_log {
		s32 pid;
		u64 value[HWPERF_EVENTS]; /* its own, without children */
	} log[HWPERF_LOG];

	struct hwperf_ended ended[HWPERF_ENDED];
};

#endif
