/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Signals that a run of a window counts, by their place in its tally; the end of
 * window_internal.h. */
#ifndef PIPELINE_WINDOW_TALLY_H
#define PIPELINE_WINDOW_TALLY_H

static inline bool
tally_has(unsigned signal)
{
	return (signal >= SIG_CYCLE_ISSUE && signal <= SIG_ALU_WBB) ||
	       (signal >= SIG_RETIRE_1 && signal <= SIG_WRONG_INSN);
}

static inline unsigned
tally_of(unsigned signal)
{
	return signal <= SIG_ALU_WBB
		       ? signal - SIG_CYCLE_ISSUE
		       : signal - SIG_RETIRE_1 + TALLY_STALLS;
}

/* Some more of a signal that the run counts. */
SIM_INLINE void
tally_add(struct window *w, unsigned signal, s32 n)
{
	unsigned i = tally_of(signal);

	_Static_assert(TALLY_N <= 64, "a mask has room");
	w->tally[i] += n;
	w->used |= 1ull << i;
}

static inline unsigned
signal_of(unsigned tally)
{
	return tally < TALLY_STALLS ? tally + SIG_CYCLE_ISSUE
				    : tally - TALLY_STALLS + SIG_RETIRE_1;
}

#endif
