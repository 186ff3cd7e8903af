/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef LIB_CLOCK_H
#define LIB_CLOCK_H

/* Milliseconds of the host's CLOCK_MONOTONIC: for patience, never a result. */
long clock_ms(void);

#endif
