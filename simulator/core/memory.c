/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Time in which the program does not go on, and what is under way does. */
#include "memory.h"

/* What has been accounted up to cycle end and is behind t. */
SIM_INLINE u64
behind(u64 end, u64 t)
{
	return end > t ? end - t : 0;
}

void
memory_leave(struct core *c, u64 t)
{
	struct queue *const q[] = {&c->fsb, &c->ldq, &c->wbb, &c->ifb};

	alone_forget(c);
	t = c->left = later(t, c->returned);
	for (unsigned i = 0; i < SIM_COUNT(q); i++)
		queue_leave(c, q[i], t);
	c->sig[SIG_DCACHE_PENDING] -= behind(c->pending_end, t);
	c->sig[SIG_BUS_BUSY] -= behind(c->bus_free, t);
}

void
memory_return(struct core *c, u64 t)
{
	struct queue *const q[] = {&c->fsb, &c->ldq, &c->wbb, &c->ifb};

	t = c->returned = later(t, c->returned);
	for (unsigned i = 0; i < SIM_COUNT(q); i++)
		queue_return(c, q[i], c->left, t);
	c->sig[SIG_DCACHE_PENDING] += behind(c->pending_end, t);
	c->sig[SIG_BUS_BUSY] += behind(c->bus_free, t);
}
