/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stores that come to a write buffer which merges them. */
#include "near.h"
#include "dcache.h"
#include "watched.h"
#include "writebuf_fast.h"

/* A store to one that the tables show comes to the write buffer at cycle
 * t. */
static SIM_NOINLINE void
put_any(struct core *c, u64 va, u64 t, const struct block_access *a)
{
	u64 wait = writebuf_store(c, va, t);

	if (SIM_UNLIKELY(wait))
		data_wait(c, wait, SIG_ALU_WBB);
	if (SIM_UNLIKELY(c->indirect))
		core_look(c, a);
}

/* The same where nothing happens at that cycle but that it comes in. */
SIM_INLINE void
put(struct core *c, u64 va, u64 t, const struct block_access *a)
{
	struct writebuf *w = &c->writebuf;
	u64 block = va >> w->block_bits;

	if (writebuf_holds(w, block))
		c->sig[SIG_WBB_MERGED]++;
	else if (SIM_UNLIKELY(w->n == w->entries))
		put_any(c, va, t, a);
	else
		writebuf_add(w, block, t);
}

static SIM_NOINLINE void
put_behind(struct core *c, u64 va, u64 t, const struct block_access *a)
{
	if (SIM_LIKELY(writebuf_pass(c, t)))
		put(c, va, t, a);
	else
		put_any(c, va, t, a);
}

static SIM_NOINLINE void
put_next(struct core *c, u64 va, u64 t, const struct block_access *a)
{
	if (!writebuf_turn(c, va >> c->writebuf.block_bits, t))
		put_behind(c, va, t, a);
}

void
near_put(struct core *c, u64 va, u64 t, const struct block_access *a)
{
	if (t < c->writebuf.next)
		put(c, va, t, a);
	else if (c->writebuf.drain_at > 1)
		put_behind(c, va, t, a);
	else
		put_next(c, va, t, a);
}

