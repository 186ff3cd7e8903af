/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The distance to the next overflow, where several processes share it. */
#ifndef SIM_DISTANCE_H
#define SIM_DISTANCE_H

#include "types.h"

#define SAMPLE_TENTHS 10	/* per happening: fetch groups come in tenths */

/*
 * In tenths of happenings.  A process borrows some, to count it off without
 * asking, and gives back what it has not used.  Each takes it that the others
 * have used nothing of what they hold: nothing overflows too early, and what
 * is late is made up for when loans come back.
 */
struct distance {
	s64 left;		/* and not lent; below 0: when loans come back */
	s64 lent;		/* to all processes */
};

#endif
