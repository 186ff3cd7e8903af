/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Distances to the next overflow, which several processes may share. */
#ifndef SIM_DISTANCE_H
#define SIM_DISTANCE_H

#include "types.h"

#define SAMPLE_TENTHS 10	/* per happening: fetch groups come in tenths */

/*
 * In tenths of happenings.  A process borrows all of it, or some, to count it
 * off without asking, and takes off what it has used when it asks again.  Until
 * then the others take it that it has used nothing: nothing overflows too early,
 * and what is late is made up for by the next one that asks.  In one word, so
 * that no process sees another's loan half given back.
 */
typedef s64 sample_distance;	/* below 0: more has been used than there was */

#endif
