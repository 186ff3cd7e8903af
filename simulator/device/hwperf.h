/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The event counters of IRIX on R10000 and R12000 (r10k_evcntrs(5)): 32
 * virtual counters of 64 bits for each process, on two hardware counters
 * that run in turns if more than one event each is asked for; or one set for
 * the whole machine.
 *
 * Processes are given by their slots, the caller by the user that it is
 * believed to be.  Functions return what the system's call returns: a
 * generation number from 1 on, or 0, or
 *
 *	-EINVAL	a control word that is none, counters that are not in use
 *	-EPERM	for the superuser only
 *	-EBUSY	the counters are in use in the other mode
 *
 * Where the manual leaves something open:
 * - A control word must count its own event, or that of number 0, in at least
 *   one mode; a threshold needs a control word with its interrupt enabled.
 *   Numbers are what the chip's register gets: a word without one counts event
 *   0 of its counter.  Clients fill in modes alone, or nothing, to get the
 *   counters of a process before they know the events.
 * - Supervisor mode does not exist, but selecting it needs no less than
 *   kernel mode.
 * - Enabling counters that count already starts them again from zero, and so
 *   do other events after the counters were released.
 */
#ifndef DEVICE_HWPERF_H
#define DEVICE_HWPERF_H

#include "machine/pmu.h"

/* Bits of a control word. */
#define HWPERF_EXL 0x1u
#define HWPERF_K 0x2u
#define HWPERF_S 0x4u
#define HWPERF_U 0x8u
#define HWPERF_MODES 0xfu
#define HWPERF_IE 0x10u
#define HWPERF_EVENT_SHIFT 5

/* Whether a process runs at this moment; those that wait do not. */
typedef bool hwperf_running_fn(s32 pid);

/*
 * PIOCENEVCTRS: starts counting for a process, or, if kernel mode is among
 * the modes, for the system.  -EBUSY if the system counts, or if it is to
 * and a process that runs has the counters.
 */
s64 hwperf_enable(struct machine_map *map, unsigned slot, u32 uid,
		  const struct hwperf_control *control,
		  hwperf_running_fn *running);

/* PIOCSETEVCTRL: other events for a process that counts, or that has released
 * its counters. */
s64 hwperf_modify(struct machine_map *map, unsigned slot, u32 uid,
		  const struct hwperf_control *control);

/* PIOCGETEVCTRS: the counters, those of the system if that is what the
 * process has; also when it does not count any more. */
s64 hwperf_read(struct machine_map *map, unsigned slot,
		u64 value[HWPERF_EVENTS]);

/* PIOCGETEVCTRL. */
s64 hwperf_get_control(struct machine_map *map, unsigned slot,
		       struct hwperf_control *control);

/* PIOCRELEVCTRS: 0; the values can still be read. */
s64 hwperf_release(struct machine_map *map, unsigned slot);

/* PIOCSAVECCNTRS: 0; at the process's end its counts go to its parent. */
s64 hwperf_save(struct machine_map *map, unsigned slot);

/* What a process has used, of what is modelled. */
struct hwperf_usage {
	u64 user_ns, system_ns;	/* emulated time */
	u64 faults;		/* first touches of pages */
	u64 tlb_misses;		/* of user mode */
	u64 calls;		/* of the system */
	u64 signals;
	u64 kind[4];		/* calls: read, write, poll or select, ioctl */
	u64 bytes[2];		/* read, written */
	u64 value[HWPERF_EVENTS];
};

/* PIOCGETPREVCTRS: the counters and what the process has used, at once. */
s64 hwperf_usage(struct machine_map *map, unsigned slot,
		 struct hwperf_usage *usage);

/* ---- syssgi(SGI_EVENTCTR, ...) --------------------------------------- */

/* HWPERF_PROFENABLE: enables the counters of the calling process. */
s64 hwperf_profile(struct machine_map *map, unsigned slot, u32 uid,
		   const struct hwperf_control *control);

/* HWPERF_ENSYSCNTRS: takes the counters away from all processes. */
s64 hwperf_system_enable(struct machine_map *map, u32 uid,
			 const struct hwperf_control *control);

/* HWPERF_GET_SYSCNTRS, and HWPERF_GET_CPUCNTRS: 0 if there is no such CPU. */
s64 hwperf_system_read(struct machine_map *map, u64 value[HWPERF_EVENTS]);
s64 hwperf_cpu_read(struct machine_map *map, u64 cpu,
		    u64 value[HWPERF_EVENTS]);

/* HWPERF_GET_SYSEVCTRL, HWPERF_SET_SYSEVCTRL, HWPERF_RELSYSCNTRS (0). */
s64 hwperf_system_control(struct machine_map *map,
			  struct hwperf_control *control);
s64 hwperf_system_modify(struct machine_map *map, u32 uid,
			 const struct hwperf_control *control);
s64 hwperf_system_release(struct machine_map *map, u32 uid);

/* ---- What happens to processes --------------------------------------- */

/* The first process of a tool that has armed the counters counts from its
 * beginning. */
void hwperf_start(struct machine_map *map, unsigned slot);

/* A child just forked: it counts as its parent did, from zero. */
void hwperf_fork(struct machine_map *map, unsigned child,
		 const struct hwperf_process *parent);

/* A process goes on in another slot: what it has counted, and there. */
void hwperf_leave(struct machine_map *map, unsigned slot,
		  struct hwperf_process *process);
void hwperf_arrive(struct machine_map *map, unsigned slot,
		   const struct hwperf_process *process);

/* A process ends: its counts are kept for its parent. */
void hwperf_exit(struct machine_map *map, unsigned slot);

/* A process may have waited for children: it gets their counts.  The cycles
 * that these have executed, all of them together. */
u64 hwperf_wait(struct machine_map *map, unsigned slot);

/* Clock tick of a process: counters go on to their next events. */
void hwperf_tick(struct machine_map *map, unsigned slot);

/* Whether the events are those of an R12000: the R10000 has cycles on both
 * counters. */
bool hwperf_is_r12000(const struct sim_config *config);

/* The event that an event's control word counts: its own, or event 0. */
unsigned hwperf_counted(const struct hwperf_control *control, unsigned event);

/* Whether an event is counted at this moment, in that process. */
bool hwperf_is_current(const struct hwperf_process *process, unsigned event);

/* ---- Threads --------------------------------------------------------- */

/* A thread, and where its counts are told. */
struct hwperf_thread {
	s32 tid;
	u32 log;		/* 1 + its entry in the machine's log, 0: none */
};

/* What the contexts had counted when it was last told. */
struct hwperf_threads {
	u32 changes;		/* of the process's counters, then */
	struct pmu_start last[HWPERF_CPUS][HWPERF_COUNTERS];
};

/* Tells what each context has counted since as its thread's, NULL for none;
 * n of them. */
void hwperf_threads_split(struct machine_map *map, unsigned slot,
			  struct hwperf_threads *threads,
			  struct hwperf_thread *const *running, unsigned n);

/* Tells all that the process has counted and that was not told as its own, but
 * for estimates: they are told when it has ended. */
void hwperf_threads_rest(struct machine_map *map, unsigned slot,
			 struct hwperf_thread *thread);

/* ---- For tools ------------------------------------------------------- */

/* Lets the next first process count; -EINVAL. */
int hwperf_arm(struct machine_map *map, const struct hwperf_control *control);

/* Whether threads did not take turns since then. */
bool hwperf_unrepeatable(const struct machine *m);

/* The counts of that process and of the children that were waited for; it
 * may have been killed. */
void hwperf_total(struct machine_map *map, struct hwperf_values *sum);

/* Stops all counting that was armed, and lets it go on; not that of processes
 * that have started or released their counters since. */
void hwperf_pause(struct machine_map *map, bool pause);

/* Notes what a process has counted so far. */
void hwperf_sample(struct machine_map *map, unsigned slot);

#endif
