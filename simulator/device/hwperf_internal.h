/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of hwperf share; all of it with the machine locked. */
#ifndef DEVICE_HWPERF_INTERNAL_H
#define DEVICE_HWPERF_INTERNAL_H

#include "hwperf.h"

#include "machine/pmu.h"

/* -EINVAL, -EPERM, or 0. */
int hwperf_check(const struct hwperf_control *control, u32 uid);

/* Whether nothing is to be counted. */
bool hwperf_is_empty(const struct hwperf_control *control);

/* Whether an event is counted in kernel mode: what makes system mode. */
bool hwperf_wants_system(const struct hwperf_control *control);

/* What an event counts as its control word has it; tc -1: of all. */
struct pmu_select hwperf_select(const struct sim_config *config,
				const struct hwperf_control *control,
				unsigned event, int tc);

/*
 * What is counted now, a bit per event.  With totals: lets it count from now,
 * and adds what has been counted.
 */
u32 hwperf_current(const struct hwperf_control *control,
		   const u8 current[HWPERF_COUNTERS]);
void hwperf_come_on(const struct sim_config *config,
		    const struct machine_totals *totals,
		    const struct hwperf_control *control, u32 events, int tc,
		    struct hwperf_counters *counters);
void hwperf_collect(const struct sim_config *config,
		    const struct machine_totals *totals,
		    const struct hwperf_control *control, u32 events, int tc,
		    struct hwperf_counters *counters);

/* Values that have been collected, as a program sees them. */
const u64 *hwperf_show(struct hwperf_counters *counters);

/* The first event of each counter; the next one: false if there is none. */
void hwperf_first(const struct hwperf_control *control,
		  u8 current[HWPERF_COUNTERS]);
bool hwperf_next(const struct hwperf_control *control,
		 u8 current[HWPERF_COUNTERS]);

/* A process counts these from zero; its generation. */
s64 hwperf_begin(struct machine_map *map, unsigned slot,
		 const struct hwperf_control *control);

/* Shares out what an ended process has counted and that could not be told
 * yet, as it is an estimate, to its threads. */
void hwperf_threads_estimates(struct machine *m, unsigned slot);

/* Overflows are a whole threshold away. */
void hwperf_wind(struct hwperf_process *process);

/* The events that a process counts now begin to. */
void hwperf_let_count(struct machine_map *map, unsigned slot);

/* Brings a process's values up to date. */
void hwperf_settle(struct machine_map *map, unsigned slot);

/* Takes the counters away from a process that has them in user mode. */
void hwperf_lose(struct machine_map *map, unsigned slot);

/* System mode. */
void hwperf_system_begin(struct machine_map *map,
			 const struct hwperf_control *control);
void hwperf_system_settle(struct machine_map *map);
void hwperf_system_end(struct machine_map *map);
void hwperf_system_change(struct machine_map *map,
			  const struct hwperf_control *control);

#endif
