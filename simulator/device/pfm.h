/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tru64's pfm(7): counters that interrupt each so many events, and what the
 * driver does at an interrupt.
 *
 * Interrupts are not counted one by one but worked out from what the events
 * add up to: a reader gets the number there would have been.  Only the
 * profile watches (qemu/pfm_watch.c).  All functions return 0 or -errno.
 */
#ifndef DEVICE_PFM_H
#define DEVICE_PFM_H

#include "machine/pmu.h"

enum pfm_mode { PFM_ONE = 1, PFM_EACH, PFM_ALL };

enum pfm_item { PFM_ITEM_COUNTERS = 1, PFM_ITEM_IPL = 2, PFM_ITEM_PROFILE = 4 };

#define PFM_LEVELS 9
#define PFM_LEVEL_USER 8

/* What is done to counters by the calls of the EV5 and EV6 families. */
enum pfm_action {
	PFM_DISABLE,
	PFM_ENABLE,
	PFM_RESTART,		/* from zero */
	PFM_CLEAR,
	PFM_SET,
	PFM_ENABLE_WRITE	/* from the values given */
};

/*
 * Opens the device in a mode, by the process pid with a descriptor of that
 * key (any number that tells it from others).  -ENODEV (no such counters),
 * -EINVAL (no mode), -EBUSY (a process has it open; one that is not alive is
 * forgotten).  The superuser takes over.
 */
int pfm_open(struct machine_map *map, unsigned mode, unsigned cpu, s32 pid,
	     u64 key, bool superuser);

/* Whether that descriptor is the one that the device is open by; if none
 * is, it is from now on, for all CPUs. */
int pfm_check(struct machine_map *map, s32 pid, u64 key);

/* The process closes it, or ends. */
void pfm_close(struct machine_map *map, s32 pid);

/* PCNTRENABLE, PCNTRDISABLE. */
int pfm_interrupts(struct machine_map *map, bool on);

/* PCNTSETMUX, PCNT5MUX and PCNT6MUX: the word of that family, 4, 5 or 6.
 * With ProfileMe, counter 0 has the statistic and counter 1 the samples. */
int pfm_mux(struct machine_map *map, unsigned family, u64 word);

/* PCNT5FREQ; 256 is for the superuser: -EPERM. */
int pfm_frequency(struct machine_map *map, u64 word, bool superuser);

/* PCNT5CTXTS, by a process of that slot. */
int pfm_contexts(struct machine_map *map, u64 word, unsigned slot);

/* PCNTSETITEMS: what a tick does; -EINVAL if that is nothing, or unknown. */
int pfm_items(struct machine_map *map, u64 items);

/* PCNTLOGALL and PCNTLOGSELECT, which sets the process's bit as well. */
int pfm_log(struct machine_map *map, bool select, unsigned slot);
int pfm_clear_pme(struct machine_map *map, unsigned slot);

/* PCNTCLEARCNT. */
int pfm_clear(struct machine_map *map);

/* An action on the counters that the union's word selects. */
int pfm_act(struct machine_map *map, unsigned family, unsigned action,
	    u64 word);

/* PCNT5GETCNTRS and PCNT6GETCNTRS: the word, with the counters' values. */
int pfm_registers(struct machine_map *map, unsigned family, u64 *word);

/*
 * The driver's counts of each CPU, *n of them: cycles and interrupts, or, if
 * full, interrupts and what the registers have on top of them.
 */
int pfm_counts(struct machine_map *map, unsigned family, bool full,
	       u64 count[PFM_CPUS][1 + PFM_COUNTERS], unsigned *n);

/* The IPL histograms of each CPU, *n of them. */
int pfm_levels(struct machine_map *map, u64 level[PFM_CPUS][PFM_LEVELS],
	       unsigned *n);

/* PCNTSETUADDR and the like; stride in instructions, -1: as it is. */
int pfm_range(struct machine_map *map, bool kernel, u64 start, u64 end,
	      s64 stride);
int pfm_caller(struct machine_map *map);

/* Bytes of the profile; and before it is read, it is brought up to date. */
void pfm_profile_settle(struct machine_map *map);
u64 pfm_profile_bytes(const struct machine *m);

/* Whether a profile is taken, of this process as well; and n more in it, or in
 * the second counts of pairs. */
bool pfm_is_profiled(const struct machine *m, unsigned slot);
void pfm_tick(struct machine *m, u64 pc, unsigned cpu, bool second, u64 n);

/* Processes: a child has its parent's bit, as has what is executed; counts
 * of one that ends are kept. */
void pfm_start(struct machine_map *map, unsigned slot, bool pme);
void pfm_leave(struct machine_map *map, unsigned slot);

#endif
