/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Caches and TLBs behind the first level, of a program that has gone on without the
 * model for a while. */
#ifndef SIM_REFRESH_H
#define SIM_REFRESH_H

#include "core.h"

/*
 * Data of these addresses has been loaded meanwhile: it is read from the level behind
 * the first one, and its pages are looked up, one by one.  A 0 is none.  What that
 * counts, and the time that passes, is the caller's to take back.
 */
void core_refresh(struct core *c, const u64 *line, unsigned n,
		  unsigned line_bits);

/* The same of so many bytes of code. */
void core_refresh_code(struct core *c, u64 from, unsigned bytes);

#endif
