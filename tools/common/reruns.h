/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether the runs of one command were the same. */
#ifndef RERUNS_H
#define RERUNS_H

#include "outside.h"

/* From the least to the most of all runs. */
struct reruns_range {
	uint64_t least, most;
};

struct reruns {
	size_t n;
	struct reruns_range instructions, cycles;
};

/* A run that has ended. */
void reruns_add(struct reruns *r, struct pmcsim_machine *m);

/*
 * Notes if they were not the same, the figures of which do not match then.
 * Cycles only compare if all runs had the same counted; and runs that need not
 * repeat exactly may differ by a thousandth of their instructions.  o NULL:
 * there are no such options where the command runs.
 */
enum reruns_how { RERUNS_ROUGH, RERUNS_INSTRUCTIONS, RERUNS_CYCLES };
void reruns_tell(const struct reruns *r, const struct tool *tool,
		 enum reruns_how how, const char *remedy,
		 const struct outside *o);

#endif
