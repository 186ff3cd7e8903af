/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events, of tables and made up, with masks, thresholds and the like: what
 * they count follows from the signals, and is the same however it is counted.
 */
#include "fuzz.h"

#include <string.h>

#define MADE 16		/* events that no table has */
#define SELECTED 24
#define TRIES 200
#define USER (1u << MODE_USER)

typedef unsigned long long number;

/* ---- Events that no table has ------------------------------------------ */

/* The second is part of the first, so that it can be taken off. */
static const u8 parts[][2] = {
	{SIG_INSN, SIG_INSN_LOAD}, {SIG_BRANCH_COND, SIG_BRANCH_MISS},
	{SIG_DACCESS, SIG_DCACHE_MISS},
	{SIG_DCACHE_MISS, SIG_DCACHE_MISS_STORE}};

/* Signals of cycles with one, two... of something. */
static const struct {
	u8 first, n;
} per_cycle[] = {{SIG_ISSUE_1, 6}, {SIG_RETIRE_1, 4},
		 {SIG_RETIRE_INSN_1, 4}, {SIG_SLOTS_1, 6},
		 {SIG_FSB_Q1, 3}};

/* Signals of cycles with something, and of the first of several. */
static const u8 pending[][2] = {
	{SIG_DCACHE_PENDING, SIG_DCACHE_PENDING_EDGE},
	{SIG_L2_PENDING, SIG_L2_PENDING_EDGE},
	{SIG_L2_LOAD_PENDING, SIG_L2_LOAD_PENDING_EDGE},
	{SIG_BUS_BUSY, SIG_BUS_BUSY_EDGE}};

/* Parts of fetches are rounded off before they are multiplied. */
static u8
factor_of(u16 signal, struct dice *d)
{
	return signal == SIG_IFETCH ? 1 : (u8)(1 + dice_below(d, 4));
}

static void
make_terms(struct sim_event *e, struct dice *d)
{
	e->mask_is_number = dice_percent(d, 15);
	for (e->n = 0; e->n < 6 && (!e->n || dice_percent(d, 65)); e->n++) {
		u16 signal = (u16)dice_below(d, SIG_N);

		e->term[e->n] = (struct event_term){
			.signal = signal,
			.factor = factor_of(signal, d),
			.mask = (u8)DICE_PICK(d, 0, 0, 1, 2, 4, 128)};
	}
	e->divide = (u8)DICE_PICK(d, 0, 0, 0, 1, 2, 5, 10);
	for (unsigned i = 0; i < e->n; i++)
		if (e->term[i].signal == SIG_IFETCH)
			e->divide = 0;	/* no table's is */
}

static void
make_difference(struct sim_event *e, struct dice *d)
{
	const u8 *pair = parts[dice_below(d, SIM_COUNT(parts))];
	u8 factor = (u8)(1 + dice_below(d, 3));

	for (e->n = 0; e->n < 2; e->n++)
		e->term[e->n] = (struct event_term){
			.signal = pair[e->n], .factor = factor,
			.less = e->n};
}

static void
make_cycles(struct sim_event *e, struct dice *d)
{
	unsigned k = dice_below(d, SIM_COUNT(per_cycle));
	const u8 *pair = pending[dice_below(d, SIM_COUNT(pending))];

	if (dice_percent(d, 50)) {
		e->cycles = pair[0];
		e->edges = pair[1];
		return;
	}
	for (; e->n_per_cycle < per_cycle[k].n; e->n_per_cycle++)
		e->per_cycle[e->n_per_cycle] =
			(u16)(per_cycle[k].first + e->n_per_cycle);
}

void
fuzz_make_events(struct sim_config *c, struct dice *d)
{
	for (unsigned i = 0; i < MADE && c->n_events < SIM_MAX_EVENTS; i++) {
		struct sim_event *e = &c->event[c->n_events++];

		*e = (struct sim_event){.mask_default = 1};
		if (dice_percent(d, 25))
			make_difference(e, d);
		else
			make_terms(e, d);
		if (dice_percent(d, 50))
			make_cycles(e, d);
	}
}

/* ---- What a selection looks at ----------------------------------------- */

static void
use(bool used[SIG_N], const u16 *signal, unsigned n)
{
	while (n--)
		used[*signal++] = true;
}

static void
find_signals(const struct sim_config *c, const struct pmu_select *s,
	     bool used[SIG_N])
{
	const struct sim_event *e = &c->event[s->event];

	memset(used, 0, SIG_N * sizeof *used);
	if (s->edge)
		use(used, &e->edges, 1);
	if (s->threshold) {
		use(used, e->per_cycle, e->n_per_cycle);
		use(used, &e->cycles, e->cycles != 0);
	}
	for (unsigned i = 0; i < e->n; i++)
		used[e->term[i].signal] = true;
}

/* Whether all that it looks at has been counted, or has a place. */
static bool
is_known(const struct fuzz *f, const struct pmu_select *s,
	 const struct fuzz_counts *all)
{
	const struct sim_config *c = &f->cpu->config;
	bool used[SIG_N];

	find_signals(c, s, used);
	for (unsigned g = 0; g < SIG_N; g++)
		if (used[g] && !all->asked[g])
			return false;
	return true;
}

bool
fuzz_has_places(const struct fuzz *f, const struct pmu_select *s)
{
	bool used[SIG_N];

	find_signals(&f->cpu->config, s, used);
	for (unsigned g = 0; g < SIG_N; g++)
		if (used[g] && !fuzz_has_place(g))
			return false;
	return s->modes == USER || !f->cpu->config.ledger.tick_cycles;
}

/* ---- Selections -------------------------------------------------------- */

static struct pmu_select
select_any(struct fuzz *f)
{
	const struct sim_config *c = &f->cpu->config;
	struct dice *d = &f->dice;
	struct pmu_select s =
		fuzz_select(f, SIG_N + dice_below(d, c->n_events - SIG_N));
	const struct sim_event *e = &c->event[s.event];

	if (e->n && dice_percent(d, 50))
		s.mask = e->mask_is_number ? e->term[dice_below(d, e->n)].mask
					   : (u8)dice_next(d);
	if (e->edges && dice_percent(d, 30))
		s.edge = true;
	else if (e->n_per_cycle && dice_percent(d, 60))
		s.threshold = (u8)(1 + dice_below(d, e->n_per_cycle));
	else if (e->cycles && dice_percent(d, 50))
		s.threshold = 1;
	s.invert = s.threshold && dice_percent(d, 30);
	/* What is taken off is a part in user mode only. */
	if (e->n && !e->term[e->n - 1].less && dice_percent(d, 20))
		s.modes = (u8)(1 + dice_below(d, (1u << MODE_N) - 1));
	return s;
}

/* One that counts something, if there is one. */
static struct pmu_select
select_one(struct fuzz *f, const struct fuzz_counts *all)
{
	const struct sim_config *c = &f->cpu->config;
	struct pmu_select s;

	for (unsigned i = 0; i < TRIES; i++) {
		s = select_any(f);
		if (is_known(f, &s, all) && pmu_event_count(c, &s, all->n))
			return s;
	}
	return fuzz_select(f, SIG_INSN);
}

/* ---- Laws -------------------------------------------------------------- */

void
fuzz_compare(struct fuzz *f, const char *how, const struct pmu_select *s,
	     u64 count, u64 known)
{
	const struct sim_event *e = &f->cpu->config.event[s->event];

	if (count == known)
		return;
	fuzz_found(f, how);
	printf(": %llu, not %llu; event %d - %d, mask %#x, threshold %u%s%s, "
	       "modes %#x, divided by %u, of", (number)count, (number)known, s->event,
	       SIG_N, s->mask, s->threshold, s->invert ? ", inverted" : "",
	       s->edge ? ", edges" : "", s->modes, e->divide);
	for (unsigned i = 0; i < e->n; i++)
		printf(" %s%s@%u*%u", e->term[i].less ? "-" : "",
		       signal_name(e->term[i].signal), e->term[i].mask,
		       e->term[i].factor);
	putchar('\n');
}

static void
check_alone(struct fuzz *f, const struct fuzz_run *counted)
{
	struct fuzz_run one = {.n = 1};
	unsigned i = dice_below(&f->dice, counted->n);

	one.select[0] = counted->select[i];
	fuzz_run(f, &one);
	fuzz_compare(f, "event alone", one.select, one.count[0],
		     counted->count[i]);
}

/* Each count has all samples that go into it. */
static void
check_samples(struct fuzz *f, struct fuzz_run *placed, const u64 *known)
{
	u64 period = 50 + dice_below(&f->dice, 5000), total[SIG_N];

	fuzz_run_samples(f, placed, period, total);
	for (unsigned i = 0; i < placed->n; i++) {
		fuzz_compare(f, "sampled event", &placed->select[i], total[i],
			     known[i]);
		fuzz_compare(f, "samples", &placed->select[i],
			     placed->count[i], total[i] / period);
	}
}

static void
check_places(struct fuzz *f, const struct fuzz_run *counted)
{
	struct fuzz_run placed = {.n = 0};
	u64 known[PMCSIM_PROFILE_EVENTS];

	for (unsigned i = 0; i < counted->n &&
			     placed.n < PMCSIM_PROFILE_EVENTS; i++)
		if (fuzz_has_places(f, &counted->select[i])) {
			known[placed.n] = counted->count[i];
			placed.select[placed.n++] = counted->select[i];
		}
	if (!placed.n)
		return;
	fuzz_run_exact(f, &placed);
	for (unsigned i = 0; i < placed.n; i++)
		fuzz_compare(f, "event by instruction", &placed.select[i],
			     placed.count[i], known[i]);
	check_samples(f, &placed, known);
}

void
fuzz_check_events(struct fuzz *f, const struct fuzz_counts *all)
{
	struct fuzz_run counted = {.n = SELECTED};

	for (unsigned i = 0; i < counted.n; i++)
		counted.select[i] = select_one(f, all);
	fuzz_run(f, &counted);
	for (unsigned i = 0; i < counted.n; i++)
		if (counted.select[i].modes == USER)
			fuzz_compare(f, "event", &counted.select[i], counted.count[i],
			     pmu_event_count(&f->cpu->config,
					     &counted.select[i], all->n));
	check_alone(f, &counted);
	check_places(f, &counted);
	fuzz_check_sums(f, &counted.select[dice_below(&f->dice, counted.n)]);
}
