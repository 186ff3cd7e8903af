/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the measuring programs of all instruction sets ask of Linux. */
#ifndef LIB_SYSTEM_MEASURE_H
#define LIB_SYSTEM_MEASURE_H

/* Numbers of the guest's Linux, the same for all instruction sets. */
#define CLOCK_MONOTONIC 1
#define CLOCK_MONOTONIC_COARSE 6	/* goes on with the tick */
#define TIMER_ABSTIME 1

/* How far into a second a command starts: 34 ms, in ns, a multiple of 2^16. */
#define LATER_NS 0x02000000u

#endif
