/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pfm(7): the profile of a kernel that is not executed.  Its events come from
 * the ledger of the operating system's work, which knows what caused them, not
 * which instructions: each cause has a place of its own in the kernel's text,
 * PFM_KERNEL_STEP bytes behind the one before, where its ticks go.
 */
#include "pfm_internal.h"

#include "machine/machine_internal.h"

#include <string.h>

_Static_assert(PFM_CAUSES == LEDGER_N, "a place for each cause");

/* Of an event, what each cause has added since it was looked last. */
struct shares {
	u64 cause[LEDGER_N], all;
};

static u64
cost_of(const struct machine *m, unsigned n, unsigned cause)
{
	const struct ledger_config *ledger = &m->config.ledger;
	struct pmu_select select = {.event = m->pfm.event[n],
				    .modes = 1u << ledger->cause[cause].mode};
	u64 sig[SIG_N];

	if (select.event < 0 ||
	    !(m->pfm.modes[PFM_KERNEL] >> ledger->cause[cause].mode & 1))
		return 0;
	for (unsigned g = 0; g < SIG_N; g++)
		sig[g] = ledger->cause[cause].cost[g];
	return pmu_event_count(&m->config, &select, sig);
}

static void
find_shares(const struct machine *m, unsigned n, const u64 *times,
	    const u64 *before, struct shares *s)
{
	s->all = 0;
	for (unsigned c = 0; c < LEDGER_N; c++) {
		s->cause[c] = (times[c] - before[c]) * cost_of(m, n, c);
		s->all += s->cause[c];
	}
}

static u64
place_of(unsigned cause)
{
	return PFM_KERNEL_TEXT + (u64)cause * PFM_KERNEL_STEP;
}

/* What moves data is a utility routine; others are if a range says so. */
static bool
is_utility(const struct pfm_machine *p, unsigned cause)
{
	u64 pc = place_of(cause);

	for (unsigned n = 0; n < p->n_ranges; n++)
		if (pc >= p->more[n].start && pc < p->more[n].end)
			return true;
	return cause == LEDGER_LINE;
}

/* Whose the ticks of a cause are: what traps has no caller. */
static unsigned
charged(const struct pfm_machine *p, unsigned cause)
{
	if (!p->caller || cause < LEDGER_IO || !is_utility(p, cause))
		return cause;
	return charged(p, cause == LEDGER_LINE ? LEDGER_IO : LEDGER_SYSCALL);
}

static void
tick(struct machine *m, unsigned cpu, unsigned cause, u64 ticks)
{
	struct pfm_machine *p = &m->pfm;
	u64 pc = place_of(charged(p, cause)), at;
	u32 *bucket = p->bucket;

	if (pc < p->range.start || pc >= p->range.end ||
	    (p->mode == PFM_ONE && cpu != p->cpu))
		return;
	at = (pc - p->range.start) / p->stride;
	if (p->mode == PFM_EACH)
		bucket += (size_t)cpu * p->n_buckets;
	if (at >= p->n_buckets)
		return;
	if (ticks > UINT32_MAX - bucket[at])
		ticks = UINT32_MAX - bucket[at];
	bucket[at] += (u32)ticks;
}

/* The counter has counted so much more in the kernel. */
static void
spread(struct machine *m, unsigned cpu, unsigned n, u64 more,
       const struct shares *s)
{
	u64 *rest = m->pfm.cause_rest[cpu][n];

	for (unsigned c = 0; s->all && c < LEDGER_N; c++) {
		rest[c] += (u64)((unsigned __int128)more * s->cause[c] /
				 s->all);
		tick(m, cpu, c, rest[c] >> m->pfm.shift[n]);
		rest[c] &= (1ull << m->pfm.shift[n]) - 1;
	}
}

void
pfm_kernel_begin(struct machine_map *map)
{
	struct pfm_machine *p = &map->m->pfm;

	memset(p->cause_rest, 0, sizeof p->cause_rest);
	p->kernel = false;	/* nothing of what has been counted so far */
	pfm_kernel_settle(map);
	p->kernel = true;
}

void
pfm_kernel_settle(struct machine_map *map)
{
	struct machine *m = map->m;
	struct pfm_machine *p = &m->pfm;
	const struct machine_totals *t = machine_totals(map);

	for (unsigned cpu = 0; cpu < m->config.topo.tcs; cpu++) {
		u64 times[LEDGER_N];

		machine_ledger(&m->config, t, (int)cpu, times);
		for (unsigned n = 0; n < PFM_COUNTERS; n++) {
			u64 now = p->kept.n[cpu][n][PFM_KERNEL];
			u64 *known = &p->kernel_known[cpu][n];
			struct shares s;

			find_shares(m, n, times, p->cause_known[cpu], &s);
			if (p->kernel && now > *known)
				spread(m, cpu, n, now - *known, &s);
			*known = now;
		}
		memcpy(p->cause_known[cpu], times, sizeof times);
	}
}
