/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Instructions that retire one by one, where they are asked for: events of
 * what is in flight, shares, the sampler. */
#include "window_internal.h"

#include "core/watched.h"

/* Instructions that had retired by a cycle, as far as is known. */
static u64
retired_by(const struct window *w, u64 cycle)
{
	const struct window_retired *r = NULL;

	for (u32 i = 1; i <= FLIGHT_RING; i++) {
		r = &w->flown[(w->flight - i) % FLIGHT_RING];
		if (r->cycle <= cycle)
			break;
	}
	return r->insns;
}

/* An instruction has retired at that cycle. */
static void
count_flight(struct window *w, u64 at)
{
	u64 insns = w->flown[(w->flight - 1) % FLIGHT_RING].insns + 1;

	w->flown[w->flight++ % FLIGHT_RING] =
		(struct window_retired){at, insns};
	tally_add(w, SIG_FLIGHT, (s32)(at - w->arrived));
	tally_add(w, SIG_FLIGHT_RETIRE,
		  (s32)(insns - retired_by(w, w->arrived)));
}

/* Lets the signals have what has been counted so far, and tells of it. */
static void
tell(struct core *c, struct window *w, unsigned insn)
{
	for (unsigned i = 0; i < TALLY_N; i++) {
		c->sig[signal_of(i)] += (u64)(s64)(w->tally[i] - w->told[i]);
		w->told[i] = w->tally[i];
	}
	w->telling = true;
	c->samples->retired(c, insn);
}

SIM_NOINLINE void
insns_end(struct core *c, struct window *w, unsigned insn, u64 at)
{
	if (w->flights)
		count_flight(w, at);
	if (w->shares)
		shares_take(w, insn);
	if (w->watched)
		tell(c, w, insn);
}
