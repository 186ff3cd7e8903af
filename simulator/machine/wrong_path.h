/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the instructions of wrong paths were.  A window counts only how many
 * there were; they are taken to be of the mix of those that completed in the
 * same time, from when a counter began to when it is read.
 */
#ifndef SIM_WRONG_PATH_H
#define SIM_WRONG_PATH_H

#include "signals.h"

/* Where the signals were that it is worked out from. */
struct wrong_path {
	u64 wrong;		/* instructions of wrong paths */
	u64 insn, load, store, branch; /* that completed */
};

/* Where an event's sum was when its count began. */
struct pmu_start {
	u64 sum;
	struct wrong_path path;
};

/* Takes them from signals. */
void wrong_path_note(struct wrong_path *path, const u64 sum[SIG_N]);

/* Fills in wrong.load, wrong.store and wrong.branch since then. */
void wrong_path_add(u64 sum[SIG_N], const struct wrong_path *since);

#endif
