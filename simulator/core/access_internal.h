/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of accesses that the fast path left over share. */
#ifndef SIM_ACCESS_INTERNAL_H
#define SIM_ACCESS_INTERNAL_H

#include "dcache.h"

/* data_wait() where that is rare. */
static SIM_NOINLINE void
buffer_stall(struct core *c, u64 cycles, unsigned signal)
{
	data_wait(c, cycles, signal);
}

/* An entry of the load queue from cycle issue until the data is there; the
 * cycle that it is had. */
SIM_INLINE u64
take_load_queue(struct core *c, u64 issue, u64 ready, bool plain)
{
	u64 start, done;

	alone_forget(c);
	start = plain ? queue_take_ahead(c, &c->ldq, issue)
		      : queue_take_busy(c, &c->ldq, issue);
	done = ready > start ? ready : start + 1;
	if (plain)
		queue_put_ahead(c, &c->ldq, start, done);
	else
		queue_put(&c->ldq, done);
	if (SIM_UNLIKELY(start != issue))
		buffer_stall(c, start - issue, SIG_ALU_LDQ);
	return start;
}

/* A load whose data comes late; its line is in slot s, or gone (-1). */
SIM_INLINE void
load_late(struct core *c, const struct block_access *a, u64 va, int s,
	  u64 ready, bool plain)
{
	u64 issue = core_cycle(c) - a->cycles_back;

	issue = take_load_queue(c, issue, ready, plain);
	load_wait(c, a, va, s, issue, ready, plain);
}

/* An access to a line or two, of whatever cache; the page of the first has been
 * asked for. */
void access_lines_any(struct core *c, u32 what, u64 va,
		      const struct block_access *a);

/* access_plain.c: the same of caches of the usual kind (core.plain). */
void access_plain(struct core *c, u32 what, u64 va,
		  const struct block_access *a);

#endif
