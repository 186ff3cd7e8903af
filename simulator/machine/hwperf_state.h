/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the machine keeps for the event counters of IRIX (hwperf.h): with
 * each process, and of the system.
 */
#ifndef DEVICE_HWPERF_STATE_H
#define DEVICE_HWPERF_STATE_H

#include "distance.h"
#include "wrong_path.h"

#define HWPERF_EVENTS 32
#define HWPERF_COUNTERS 2
#define HWPERF_COUNTER_EVENTS (HWPERF_EVENTS / HWPERF_COUNTERS)
#define HWPERF_CPUS 16
#define HWPERF_ENDED 4096	/* processes whose parents have not waited */
#define HWPERF_LOG 4096		/* processes that a tool is told about */
#define HWPERF_SAMPLES 8192	/* and times at which it is told counts */

/* What is to be counted. */
struct hwperf_control {
	u16 spec[HWPERF_EVENTS]; /* event << 5 | interrupt << 4 | modes */
	s32 threshold[HWPERF_EVENTS]; /* overflow after so many; 0: never */
	s32 signal;		/* of an overflow; 0: none */
};

/*
 * Values of virtual counters, and what tells how good they are if they have
 * taken turns: a turn is the time from one clock tick to another.
 */
struct hwperf_values {
	u64 value[HWPERF_EVENTS];
	u64 cycles[HWPERF_EVENTS]; /* for which it was counted */
	u64 turns[HWPERF_EVENTS]; /* whole ones */
	u64 squares[HWPERF_EVENTS]; /* of what was counted in each of them */
	u64 all_cycles;		/* counted or not */
};

/* Virtual counters that run on one machine's hardware counters. */
struct hwperf_counters {
	struct hwperf_values sum;
	struct pmu_start start[HWPERF_EVENTS]; /* when the event came on */
	u64 taken[HWPERF_EVENTS]; /* of what it has counted since, is in sum */
	u64 start_cycles;
	u64 turn[HWPERF_EVENTS]; /* counted in this turn so far */
	u64 shown[HWPERF_EVENTS]; /* to programs, which see no count fall */
};

/* A process's. */
struct hwperf_process {
	struct hwperf_control control;
	struct hwperf_counters counters;
	u32 generation;		/* 0: has nothing counted */
	u32 changes;		/* of what is counted, to be noticed */
	bool ready;		/* others may use its counters */
	bool counting;
	bool of_tool;		/* counts what a tool armed, which pauses it */
	bool system;		/* has the counters in system mode */
	bool released;		/* by itself: it may go on with others */
	bool save;		/* its counts go to its parent at its end */
	u8 current[HWPERF_COUNTERS]; /* events that are counted now */
	u64 tick_left;		/* cycles to its next clock tick, as it was
				   before it forked or executed; 0: a period */
	sample_distance left[HWPERF_EVENTS]; /* to the next overflow */
	u64 children[HWPERF_EVENTS]; /* part of its values is theirs */
	u64 told[HWPERF_EVENTS]; /* part of the rest is its threads' */
	u64 calls[4];		/* read, write, poll or select, ioctl */
	u64 bytes[2];		/* read, written */
};

/* A process that has ended and that its parent has not waited for. */
struct hwperf_ended {
	s32 pid;		/* 0: none */
	s32 parent;
	struct hwperf_values sum;
};

struct hwperf_machine {
	/* System mode. */
	bool system;
	u32 generation;
	struct hwperf_control control;
	u8 current[HWPERF_COUNTERS];
	struct hwperf_counters cpu[HWPERF_CPUS];
	u64 global[HWPERF_EVENTS];

	/* A tool from outside: the first process counts this. */
	bool armed;
	bool tool;		/* it has been armed */
	u32 unrepeatable;	/* the machine's, at that time */
	bool paused;
	struct hwperf_control arm;
	bool threads;		/* it wants to know what each thread counts */
	s32 first;		/* its pid */
	struct hwperf_values total; /* its counts when it had ended */
	u32 n_log;		/* may be more than there is room for */
	struct hwperf_log {
		s32 pid;
		s32 tid;	/* 0: all its threads */
		u64 value[HWPERF_EVENTS]; /* its own, without children */
		u64 wrong;	/* a thread's instructions on wrong paths */
	} log[HWPERF_LOG];
	u64 sample_cycles;	/* between two samples; 0: none are taken */
	u32 n_samples;		/* may be more than there is room for */
	struct hwperf_sample {
		s32 pid;
		u64 cycles;	/* of the process */
		u64 value[HWPERF_COUNTERS]; /* of the current events */
	} sample[HWPERF_SAMPLES];

	u32 ended_used;		/* high-water mark */
	u32 n_lost;		/* processes whose counts found no room there */
	struct hwperf_ended ended[HWPERF_ENDED];
};

#endif
