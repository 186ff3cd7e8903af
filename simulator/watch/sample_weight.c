/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Weights: an event is a sum of signals, so what one happening of a signal
 * adds to it is what the event counts when only that has happened.  Weights
 * are in tenths, so that half an event has one.
 */
#include "sample_internal.h"

#include "machine/machine_internal.h"

#include <errno.h>

static s64
event_of(const struct watch *w, const struct sim_config *config,
	 const u64 sig[SIG_N])
{
	return (s64)pmu_event_count(config, &w->want.select, sig);
}

static void
weigh_user(struct watch *w, const struct sim_config *config)
{
	static const u8 taken[] = {SIG_BRANCH_TAKEN, SIG_JUMP, SIG_CALL,
				   SIG_JUMP_IND, SIG_RETURN};
	/* The first is worked out from totals: the second less the third. */
	static const u8 others[][3] = {
		{SIG_DACCESS_LOAD, SIG_DACCESS, SIG_DACCESS_STORE},
		{SIG_STORE_HIT, SIG_DACCESS_STORE, SIG_DCACHE_MISS_STORE},
		{SIG_RETURN_PRED, SIG_RETURN, SIG_RETURN_NOPRED},
		{SIG_SC_FAILED, SIG_INSN_SC, SIG_SC_STORED},
	};
	u64 sig[SIG_N] = {0};

	for (unsigned g = 0; g < SIG_N; g++) {
		sig[g] = SAMPLE_TENTHS;
		w->weight[g] += event_of(w, config, sig);
		sig[g] = 0;
	}
	for (unsigned i = 0; i < SIM_COUNT(others); i++) {
		w->weight[others[i][1]] += w->weight[others[i][0]];
		w->weight[others[i][2]] -= w->weight[others[i][0]];
	}
	sig[SIG_IFETCH] = config->pipe.discarded_tenths;
	for (unsigned i = 0; i < SIM_COUNT(taken); i++)
		w->weight[taken[i]] += event_of(w, config, sig);
}

/* Work of the operating system, but for that of clock ticks: those are
 * accounted where cycles are added up. */
static void
weigh_ledger(struct watch *w, const struct sim_config *config, unsigned mode)
{
	for (unsigned i = 0; i < LEDGER_N * LEDGER_SIGNALS; i++) {
		unsigned cause = i / LEDGER_SIGNALS;
		u16 signal = ledger_signals[cause][i % LEDGER_SIGNALS];
		u64 sig[SIG_N];

		if (cause == LEDGER_TICK || signal == SIG_N ||
		    config->ledger.cause[cause].mode != mode)
			continue;
		for (unsigned g = 0; g < SIG_N; g++)
			sig[g] = (u64)SAMPLE_TENTHS *
				config->ledger.cause[cause].cost[g];
		w->weight[signal] += event_of(w, config, sig);
	}
}

static void
weigh_outcomes(struct watch *w, const struct sim_config *config)
{
	u64 outcome[2][BRANCH_OUTCOMES] = {{0}};

	for (unsigned i = 0; i < 2 * BRANCH_OUTCOMES; i++) {
		u64 *one = &outcome[i / BRANCH_OUTCOMES][i % BRANCH_OUTCOMES];
		u64 sig[SIG_N] = {0};
		s64 sum = 0;

		*one = 1;
		machine_outcomes_add(&config->pipe, outcome, sig);
		*one = 0;
		for (unsigned g = 0; g < SIG_N; g++)
			sum += (s64)sig[g] * w->weight[g];
		w->outcome[i / BRANCH_OUTCOMES][i % BRANCH_OUTCOMES] = sum;
		w->outcomes |= sum != 0;
	}
}

/* What the end of a block has, not the beginning of the next.  In a window,
 * what a branch has killed is missing where the next instruction retires. */
static bool
is_behind(unsigned g, const struct sim_config *config)
{
	if (g == SIG_CYCLE_KILLED || g == SIG_IFU_REDIRECT)
		return !pipeline_is_window(&config->pipe);
	return g <= SIG_RETURN_NOPRED || g == SIG_IFETCH ||
	       g == SIG_WRONG_INSN;
}

int
watch_weigh(struct watch *w, const struct sim_config *config)
{
	const struct pmu_select *select = &w->want.select;

	if (select->event < 0 || (u32)select->event >= config->n_events)
		return -EINVAL;
	if (select->modes & 1u << MODE_USER)
		weigh_user(w, config);
	for (unsigned mode = 0; mode < MODE_N; mode++)
		if (mode != MODE_USER && select->modes >> mode & 1)
			weigh_ledger(w, config, mode);
	weigh_outcomes(w, config);
	for (unsigned g = 0; g < SIG_N; g++)
		if (w->weight[g] && is_behind(g, config))
			w->list[w->n++] = (u16)g;
	w->n_behind = w->n;
	for (unsigned g = 0; g < SIG_N; g++)
		if (w->weight[g] && !is_behind(g, config))
			w->list[w->n++] = (u16)g;
	return 0;
}

/* Whether what number first..last-1 of enum alone stand for does. */
static bool
weighs_alone(const struct watch *w, const struct sim_config *config,
	     unsigned first, unsigned last)
{
	for (unsigned i = first; i < last; i++) {
		u64 alone[ALONE_N] = {0}, sum[SIG_N] = {0};

		alone[i] = 1;
		machine_alone_add(config, alone, sum);
		for (unsigned g = 0; g < SIG_N; g++)
			if (sum[g] && w->weight[g])
				return true;
	}
	return false;
}

bool
watch_weighs_alone(const struct watch *w, const struct sim_config *config)
{
	return weighs_alone(w, config, 0, ALONE_WAITS);
}

bool
watch_weighs_waits(const struct watch *w, const struct sim_config *config)
{
	return weighs_alone(w, config, ALONE_WAITS, ALONE_N);
}

bool
watch_weighs_buffers(const struct watch *w)
{
	for (unsigned g = SIG_IFB_BUSY; g <= SIG_WBB_Q3; g++)
		if (w->weight[g])
			return true;
	return false;
}
