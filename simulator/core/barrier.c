/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory barriers that wait until memory is quiet. */
#include "memory.h"

u64
barrier_wait(struct core *c, u64 t)
{
	u64 quiet;

	alone_forget(c);
	quiet = later(writebuf_drain(c, t), queue_end(&c->ldq, t));
	return later(quiet, queue_end(&c->wbb, t)) - t;
}

void
core_barrier(struct core *c, const struct block_access *a)
{
	u64 wait;

	if (c->n_pending)
		pending_until(c, core_cycle(c) - a->cycles_back);
	wait = barrier_wait(c, core_cycle(c) - a->cycles_back);
	if (!wait)
		return;
	c->sig[SIG_ALU_BARRIER] += wait;
	count_stall(c, wait);
	pending_pass(c, wait);
}
