/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Several CPUs, each with caches of its own, and which of them has which line.
 *
 * A directory knows for each line of memory either its owner, which alone may
 * have it and may have changed it, or the CPUs that share it unchanged.  It is
 * asked when a CPU reads a line from behind its caches, and when it stores
 * to a line that is not its own:
 *
 *	read		an owner is asked (an intervention), writes the line
 *			back if it has changed it, and shares it; without
 *			owner or sharers the reader owns it, unless it fetches
 *			instructions
 *	store		an owner is asked and loses the line; each sharer is
 *			told to give it up (an invalidation); the line is the
 *			CPU's own
 *
 * Lines that are replaced unchanged stay in the directory: a CPU that is asked
 * then need not have the line any more.  What changes hands costs what memory
 * does; to be asked costs nothing.
 */
#ifndef SIM_COHERENCE_H
#define SIM_COHERENCE_H

#include "core.h"

struct coherence;

/* A directory that knows of no line; NULL without memory. */
struct coherence *coherence_new(const struct sim_config *config);
void coherence_free(struct coherence *d);

/* The core is that CPU from now on (0 to SIM_MAX_TC - 1): lines that it has
 * are its own.  The others must not have any of them. */
void coherence_join(struct coherence *d, struct core *c, unsigned cpu);

/* The CPU is about to store to that address, at cycle t. */
void coherence_store(struct core *c, u64 addr, u64 t);

/* It reads the line of that address from behind its caches, at cycle t. */
void coherence_read(struct core *c, u64 addr, u64 t, enum outer_request what);

/* It has written the line back to memory, because it was replaced. */
void coherence_written(struct core *c, u64 addr);

#endif
