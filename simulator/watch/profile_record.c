/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is worked out ahead: which signals matter to the events of a profile,
 * and what a block's instructions add to them each time. */
#include "profile.h"

#include "pipeline/block_prefix.h"
#include "core/fast.h"

#include <errno.h>
#include <string.h>

/* ---- Events ---------------------------------------------------------- */

/* Of accesses and instructions: no prediction of a branch counts it. */
static bool
is_beside_branches(unsigned g)
{
	return g <= SIG_INSN_LAST ||
	       (g >= SIG_DACCESS && g <= SIG_MEMORY_WRITE);
}

int
profiler_init(struct profiler *p, const struct sim_config *config,
	      const struct pmu_select *select, unsigned n)
{
	memset(p, 0, sizeof *p);
	p->n_event = n;
	p->window = pipeline_is_window(&config->pipe);
	p->timed = !p->window;
	p->kinds = KIND_SLOW;
	p->predictor = fast_predictor_of(config);
	for (unsigned e = 0; e < n; e++) {
		p->event[e].want.select = select[e];
		if (watch_weigh(&p->event[e], config))
			return -EINVAL;
	}
	for (unsigned e = 0; e < n; e++) {
		p->buffers |= watch_weighs_buffers(&p->event[e]);
		p->alone |= watch_weighs_alone(&p->event[e], config);
		p->waits |= watch_weighs_waits(&p->event[e], config);
	}
	for (unsigned g = 0; g < SIG_N; g++) {
		bool matters = false;

		for (unsigned e = 0; e < n; e++)
			matters |= p->event[e].weight[g] != 0;
		if (matters)
			p->list[p->n++] = (u16)g;
		if (matters && !is_beside_branches(g))
			p->kinds = KIND_DYNAMIC;
		p->timed &= !matters || signal_is_time(g);
	}
	return 0;
}

void
profiler_use_time(struct profiler *p, const struct core *c)
{
	p->elapsed = p->timed;
	for (unsigned e = 0; e < p->n_event; e++) {
		coast_weigh(&p->event[e], c);
		p->elapsed &= p->event[e].elapsed;
	}
	if (p->elapsed)
		p->alone = p->waits = false;
}

/* ---- Records --------------------------------------------------------- */

struct fill {
	const struct profiler *p;
	struct profile_block *r;
};

static void
add_share(void *arg, unsigned insn, unsigned signal, s64 n)
{
	const struct fill *f = arg;
	unsigned first = insn * f->p->n_event;

	for (unsigned e = 0; e < f->p->n_event; e++) {
		s32 more = (s32)(f->p->event[e].weight[signal] * n);

		profile_share(f->r)[first + e] += more;
		if (signal < BLOCK_FIRST_STALL)
			profile_part(f->r)[first + e] += more;
	}
}

int
profile_fill(const struct profiler *p, struct profile_block *r,
	     const struct block *b, const struct sim_config *config)
{
	size_t bytes = profile_bytes(b->n_insn, p->n_event);
	struct fill fill = {p, r};

	memset(r, 0, bytes);
	r->bytes = (u32)bytes;
	r->n_insn = b->n_insn;
	r->n_event = (u8)p->n_event;
	r->shares = b->shares;
	r->branch = (u16)block_branch_insn(b);
	r->vaddr = b->vaddr;
	for (unsigned i = 0; i < b->n_insn; i++)
		profile_offset(r)[i] = (u16)(block_insns(b)[i].pc - b->vaddr);
	return block_shares(b, config, true, add_share, &fill);
}
