/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The event counters of IRIX while this process counts: clock ticks, at
 * which counters go on to other events; overflows, which send a signal or
 * add to a bucket of a profile.
 */
#ifndef QEMU_HWPERF_WATCH_H
#define QEMU_HWPERF_WATCH_H

#include "target.h"

/* The process begins, or is a child just forked. */
void hwperf_watch_start(void);

/* Before it forks or executes another program: keeps where its clock is. */
void hwperf_watch_keep(void);

/* So many cycles have passed while it waited.  The clock ticks for the
 * process that executes: a process has its own, so that those of others that
 * execute at the same time leave no trace, and takes over what its children
 * have used. */
void hwperf_watch_pass(u64 cycles);

/* The counters have been changed: those of this process are watched. */
void hwperf_watch_refresh(void);

/* Buckets of 16 bits as profil(2) has them, in the target's memory. */
struct hwperf_profile {
	u64 base;		/* address of the buckets */
	u64 bytes;		/* of them */
	u64 offset;		/* lowest address that counts */
	u64 scale;		/* 0x10000: a bucket for each two bytes */
};

#define HWPERF_PROFILES 16

/* Overflows of this process count in these from now on; n 0: in none. */
void hwperf_watch_profile(const struct hwperf_profile *profile, unsigned n);

#endif
