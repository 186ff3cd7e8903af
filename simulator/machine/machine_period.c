/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "machine_period.h"

#include "machine_internal.h"

#include <string.h>

bool
period_estimates(enum sim_signal s)
{
	return !signal_is_told(s) && s != SIG_OS_PAGE;
}

void
period_look(const struct period_at *at, struct period_counts *now)
{
	memcpy(now->sig, at->sig, sizeof now->sig);
	memcpy(now->outcome, at->outcome, sizeof now->outcome);
	memcpy(now->alone, at->alone, sizeof now->alone);
}

void
period_since(const struct period_at *at, const struct period_counts *then,
	     struct period_counts *n)
{
	for (unsigned g = 0; g < SIG_N; g++)
		n->sig[g] = at->sig[g] - then->sig[g];
	for (unsigned i = 0; i < 2; i++)
		for (unsigned o = 0; o < BRANCH_OUTCOMES; o++)
			n->outcome[i][o] = at->outcome[i][o] -
					   then->outcome[i][o];
	for (unsigned i = 0; i < ALONE_N; i++)
		n->alone[i] = at->alone[i] - then->alone[i];
}

u64
period_scale(u64 n, u64 stands_for, u64 of)
{
	bool negative = (s64)n < 0;
	unsigned __int128 all = negative ? -n : n;

	if (!of)
		return 0;
	all = (all * stands_for + of / 2) / of;
	return negative ? -(u64)all : (u64)all;
}

/* All that was executed, of which n was measured. */
static u64
estimate(u64 n, const struct period_rate *r)
{
	return (r->own ? n : 0) + period_scale(n, r->stands_for, r->steps);
}

/* Branches themselves are exact: each that is mispredicted by this account is one
 * less that was not. */
static void
estimate_outcomes(u64 at[BRANCH_OUTCOMES], const u64 before[BRANCH_OUTCOMES],
		  const u64 n[BRANCH_OUTCOMES], const struct period_rate *r)
{
	for (unsigned taken = 0; taken <= OUTCOME_TAKEN; taken++) {
		unsigned miss = taken | OUTCOME_MISS;
		u64 misses = before[miss] + estimate(n[miss], r);

		at[taken] -= misses - at[miss];
		at[miss] = misses;
	}
}

void
period_estimate(const struct period_at *at, const struct period_counts *before,
		const struct period_rate *r)
{
	for (unsigned g = 0; g < SIG_N; g++)
		if (period_estimates((enum sim_signal)g))
			at->sig[g] = before->sig[g] +
				     estimate(r->n.sig[g], r);
	for (unsigned i = 0; i < 2; i++)
		estimate_outcomes(at->outcome[i], before->outcome[i],
				  r->n.outcome[i], r);
	for (unsigned i = 0; i < ALONE_N; i++)
		at->alone[i] = before->alone[i] + estimate(r->n.alone[i], r);
}

/* What a period adds to signals, as slots are added up. */
static void
add_up(const struct sim_config *config, const struct period_rate *r,
       u64 sum[SIG_N])
{
	static const struct period_counts none;
	struct period_counts all = none;
	const struct period_at at = {all.sig, all.outcome, all.alone};

	period_estimate(&at, &none, r);
	memcpy(sum, all.sig, sizeof all.sig);
	machine_outcomes_add(&config->pipe, (const u64(*)[4])all.outcome, sum);
	machine_alone_add(config, all.alone, sum);
}

void
machine_period_add(struct machine_map *map, u64 n, const struct period_rate *r)
{
	struct machine_periods *p = &map->m->periods;
	u64 sum[SIG_N], *part = p->part[n % PERIOD_PARTS];

	add_up(&map->m->config, r, sum);
	sum[SIG_INSN] = r->stands_for + (r->own ? r->steps : 0);
	for (unsigned g = 0; g < SIG_N; g++)
		if (sum[g])
			__atomic_fetch_add(&part[g], sum[g], __ATOMIC_RELAXED);
	__atomic_fetch_add(&p->estimated, r->stands_for, __ATOMIC_RELAXED);
	__atomic_fetch_add(&p->n, r->own, __ATOMIC_RELAXED);
	if (r->own)
		machine_period_exact(map, r->steps);
}

void
machine_period_exact(struct machine_map *map, u64 steps)
{
	__atomic_fetch_add(&map->m->periods.exact, steps, __ATOMIC_RELAXED);
}
