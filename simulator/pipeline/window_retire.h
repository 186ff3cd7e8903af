/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Micro-ops retire, for window.c: in order, and what the cycles between them are
 * charged to. */
#ifndef PIPELINE_WINDOW_RETIRE_H
#define PIPELINE_WINDOW_RETIRE_H

#include "window_internal.h"

/* Up to n cycles of a gap that have that cause; the rest of the gap. */
SIM_INLINE u64
charge(struct window *w, u64 gap, u64 n, unsigned cause)
{
	if (n > gap)
		n = gap;
	tally_add(w, cause, (s32)n);
	return gap - n;
}

static SIM_NOINLINE void
charge_gap(struct window *w, u64 gap, struct window_delay d)
{
	struct window_clock *now = &w->now;
	u64 late = now->arrive > now->late_from ? now->arrive - now->late_from
						: 0;

	gap = charge(w, gap, d.walk, SIG_ALU_DTLB);
	gap = charge(w, gap, d.own - d.walk, d.own_cause);
	gap = charge(w, gap, d.wait, d.wait_cause);
	gap = charge(w, gap, w->kept_out, SIG_ALU_OTHER);
	w->kept_out = 0;
	if (late)
		gap = charge(w, gap, late, now->late[1]);
	charge(w, gap, gap, now->late[!late]);
}

/* What retire() counts each time. */
#define RETIRED (1ull | 0xffull << TALLY_STALLS)
_Static_assert(SIG_RETIRE_INSN_4 == SIG_RETIRE_1 + 7, "two histograms");

/* One more retires in a cycle in which n have: the cycle is counted by how
 * many they are. */
SIM_INLINE void
one_more(s32 *histogram, unsigned n)
{
	if (n >= 4)
		return;
	if (n)
		histogram[n - 1]--;
	histogram[n]++;
}

/* The cycle of the last retirement is that of an instruction. */
SIM_INLINE void
retire_insn(struct window *w)
{
	one_more(&w->tally[tally_of(SIG_RETIRE_INSN_1)], w->now.n_insns++);
}

/* Retires what is done at that cycle; the cycle that it retires. */
SIM_INLINE u64
retire(struct window *w, u64 done, const struct window_delay *d)
{
	struct window_clock *now = &w->now;
	u64 at = later(done + 1, now->retired);

	if (at == now->retired && now->n_retired == w->pipe->window.retire)
		at++;
	if (at > now->retired) {
		if (at > now->retired + 1)
			charge_gap(w, at - now->retired - 1, *d);
		w->tally[0]++;
		now->retired = at;
		now->n_retired = now->n_insns = 0;
	}
	one_more(&w->tally[tally_of(SIG_RETIRE_1)], now->n_retired++);
	return at;
}

#endif
