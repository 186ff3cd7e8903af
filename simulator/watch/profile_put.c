/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What signals say has happened, put down at the instructions it is of. */
#include "profile_internal.h"

#include <string.h>

/* Of the instructions completed, or of the system call that was one. */
static bool
is_completion(unsigned g)
{
	return g <= SIG_INSN_LAST ||
	       (g >= SIG_OS_SYSCALL && g <= SIG_OS_SIGNAL);
}

static bool
is_branch(unsigned g, bool window)
{
	if (g == SIG_CYCLE_KILLED || g == SIG_IFU_REDIRECT)
		return !window;
	return (g >= SIG_BRANCH_COND && g <= SIG_RETURN_NOPRED) ||
	       g == SIG_IFETCH || g == SIG_WRONG_INSN;
}

void
profile_put_down(const struct profiler *p, const struct spot *spot,
		 unsigned signal, u64 n)
{
	s64 *at;

	if (!spot->r || spot->insn >= spot->r->n_insn)
		return;
	at = profile_happened(spot->r) + spot->insn * p->n_event;
	for (unsigned e = 0; e < p->n_event; e++)
		at[e] += p->event[e].weight[signal] * (s64)n;
}

static const struct spot *
spot_of(const struct profiler *p, const struct spots *spots, unsigned g)
{
	if (is_completion(g))
		return &spots->end;
	if (is_branch(g, p->window))
		return &spots->branch;
	return g == SIG_ITLB_MISS || g == SIG_JTLB_I_MISS ? &spots->entry
							  : &spots->elsewhere;
}

void
profile_look(struct profiler *p, unsigned tc, const struct spots *spots)
{
	const u64 *sig = p->sig[tc];
	u64 *known = p->known[tc];

	for (unsigned i = 0; i < p->n; i++) {
		unsigned g = p->list[i];
		u64 n = sig[g] - known[g];

		if (!n)
			continue;
		known[g] = sig[g];
		profile_put_down(p, spot_of(p, spots, g), g, n);
	}
}

void
profile_look_at(struct profiler *p, unsigned tc, struct profile_block *r,
		unsigned insn)
{
	struct spot spot = {r, insn};

	profile_look(p, tc, &(struct spots){spot, spot, spot, spot});
}

void
profile_look_last(struct profiler *p, unsigned tc)
{
	struct profile_block *r = p->last[tc];

	profile_look_at(p, tc, r, r ? r->n_insn - 1u : 0);
}

void
profile_know(struct profiler *p, unsigned tc)
{
	memcpy(p->known[tc], p->sig[tc], sizeof p->known[tc]);
}
