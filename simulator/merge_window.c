/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads on a machine with a window, which has one context: they take turns
 * on it, block by block, as if they were one.
 */
#include "merge_internal.h"
#include "pipeline/window.h"
#include "profile.h"

/* What the thread has executed next. */
static void
enter(struct merge *m, struct merge_queue *q)
{
	const struct merge_record *r = &q->record[q->head & q->record_mask];
	const struct insn *insn = block_insns(r->block);
	struct core *c = m->core;

	if (c->profiler)
		profiler_enter(c, r->block);
	else
		window_enter(c, r->block);
	for (u32 i = r->first; i != r->end; i++) {
		const struct merge_access *a = &q->access[i & q->access_mask];
		const struct insn *in = &insn[a->access->insn];

		context_count(c, in, a);
		if (c->config->pipe.watch_alignment && a->va & (a->bytes - 1u))
			count_misaligned(c, a->va, a->bytes);
		core_data(c, a->access, a->va, a->bytes, a->store);
	}
	m->tc[0].slice -= r->block->n_insn;
	q->head++;
}

struct context *
merge_window(struct merge *m)
{
	struct context *x = &m->tc[0];
	struct merge_queue *q;

	while ((q = context_thread(m, x))) {
		if (q->head != q->tail)
			enter(m, q);
		else
			return m->draining ? NULL : x;
	}
	return NULL;
}
