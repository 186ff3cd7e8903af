/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which events count at the same time. */
#ifndef COUNTERS_H
#define COUNTERS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Gives each of n events a counter of its own among those that can count it, a
 * bit each: the first event the lowest that leaves the others one.  False: there
 * are not enough.
 */
bool counters_assign(const unsigned *counters, size_t n,
		     unsigned *counter);

#endif
