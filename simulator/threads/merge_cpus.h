/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The merge where each context is a CPU with caches, predictors, buffers and
 * time of its own: what threads have recorded goes through their CPU's core,
 * block by block; the CPU whose clock is behind goes next.
 */
#ifndef SIM_MERGE_CPUS_H
#define SIM_MERGE_CPUS_H

#include "merge_internal.h"

/* The CPUs of a merge; NULL without memory. */
struct merge_cpus *cpus_new(const struct merge *m);
void cpus_free(struct merge_cpus *cpus);

/* What the merge's core was is CPU tc from now on. */
void cpus_begin(struct merge *m, unsigned tc);

/* The CPU was idle until now, which is waker's time unless that is NULL. */
void cpus_wake(struct merge *m, struct context *x,
	       const struct merge_queue *waker);

/* Another thread's turn: what the one of q executed last is over. */
void cpus_pause(struct merge *m, struct context *x,
		const struct merge_queue *q);

/* The process ends: buffers of all CPUs are accounted up to the present. */
void cpus_settle(struct merge *m);

/* In a child just forked: as core_child(), of all CPUs. */
void cpus_child(struct merge *m);

/* Works off blocks until a thread has to deliver more: its context, or NULL
 * if there is nothing left to do. */
struct context *cpus_run(struct merge *m);

#endif
