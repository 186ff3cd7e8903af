/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The core and those that watch it: a sampler, a profiler.  Each hands down a
 * table of functions, which the core calls while core.sampler or core.profiler
 * is not NULL.  What they do is in the room watch/.
 */
#ifndef SIM_WATCHED_H
#define SIM_WATCHED_H

#include "core.h"

struct sampler_fns {
	/* From core_attend(): block t has been entered.  The new deadline, at
	 * most the one given. */
	u64 (*attend)(struct core *c, const struct block *t, u64 deadline);
	/* That instruction has made an access that was not a plain hit. */
	void (*access)(struct core *c, unsigned insn);
	/* Something rare may have been counted, by a block that is entered. */
	void (*rare)(struct core *c);
	/* That instruction has retired in a window that watches. */
	void (*retired)(struct core *c, unsigned insn);
	/* The core is bound to these signals and that context. */
	void (*resync)(struct core *c, u64 (*sig)[SIG_N], unsigned tc);
	/* The process ends, and with it the block that it is in. */
	void (*end)(struct core *c);
};

struct profiler_fns {
	void (*access)(struct core *c, unsigned insn);
	/* window_end() has let the last block end. */
	void (*ended)(struct core *c);
	void (*resync)(struct core *c, u64 (*sig)[SIG_N], unsigned tc);
	/* All that has happened is put down. */
	void (*look)(struct core *c);
};

/* After something that access a, or what is watched in its place, has counted:
 * what is new is its instruction's.  A sampler that coasts wants to know at its
 * deadline only, else always. */
static inline void
core_look(struct core *c, const struct block_access *a)
{
	if (c->sampler && c->now >= c->deadline)
		c->samples->access(c, a->insn);
	if (c->profiler)
		c->profiles->access(c, a->insn);
}

#endif
