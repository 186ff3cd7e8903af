/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counters: a counter's value is what it was when it was programmed and the
 * event's signals since, worked out when it is read.
 */
#include "pmu.h"

#include "machine_internal.h"

#include <string.h>

int
pmu_find_event(const struct sim_config *config, unsigned counter,
	       unsigned code)
{
	if (!config->n_counters)
		return -1;
	counter %= config->n_counters;
	for (u32 i = 0; i < config->n_events; i++)
		if (config->event[i].code == code &&
		    config->event[i].counters >> counter & 1)
			return (int)i;
	return -1;
}

u32
pmu_event_need(const struct sim_event *e)
{
	u32 need = 0;

	for (unsigned i = 0; i < e->n; i++) {
		unsigned g = e->term[i].signal;

		if (g == SIG_FLIGHT || g == SIG_FLIGHT_RETIRE)
			need |= NEED_FLIGHT;
		if (g >= SIG_REPLAY_STORE && g <= SIG_LOAD_BLOCKED)
			need |= NEED_ORDER;
	}
	return need;
}

bool
pmu_event_is_untimed(const struct sim_event *e)
{
	for (unsigned i = 0; i < e->n; i++)
		if (!signal_is_untimed(e->term[i].signal))
			return false;
	return true;
}

u32
pmu_need(const struct sim_config *config, s32 event)
{
	if (event < 0 || (u32)event >= config->n_events)
		return 0;
	return pmu_event_need(&config->event[event]);
}

/* Whether the unit mask selects a term. */
static bool
is_selected(const struct sim_event *event, const struct event_term *term,
	    u8 mask)
{
	if (event->mask_is_number)
		return term->mask == mask;
	return !term->mask || term->mask & mask;
}

static u64
happenings(const struct sim_event *event, const struct pmu_select *select,
	   const u64 sig[SIG_N])
{
	u64 sum = 0;

	for (unsigned i = 0; i < event->n && i < SIM_EVENT_TERMS; i++) {
		const struct event_term *term = &event->term[i];
		u64 n;

		if (term->signal >= SIG_N ||
		    !is_selected(event, term, select->mask))
			continue;
		n = sig[term->signal] * term->factor;
		sum += term->less ? -n : n;
	}
	return sum;
}

/* Cycles with threshold happenings or more, or with fewer. */
static u64
cycles_with(const struct sim_event *event, const struct pmu_select *select,
	    const u64 sig[SIG_N])
{
	u64 sum = event->cycles && select->threshold == 1 ? sig[event->cycles]
							  : 0;

	for (unsigned i = select->threshold - 1u;
	     i < event->n_per_cycle && i < SIM_EVENT_PER_CYCLE; i++)
		if (event->per_cycle[i] < SIG_N)
			sum += sig[event->per_cycle[i]];
	return select->invert ? machine_cycles(sig) - sum : sum;
}

/* How many happenings count as one, where happenings are counted. */
static u64
divisor(const struct sim_event *event, const struct pmu_select *select)
{
	return event->divide && !select->threshold && !select->edge
		       ? event->divide : 1;
}

static u64
undivided(const struct sim_event *event, const struct pmu_select *select,
	  const u64 sig[SIG_N])
{
	if (select->edge)
		return sig[event->edges];
	return select->threshold ? cycles_with(event, select, sig)
				 : happenings(event, select, sig);
}

u64
pmu_count(const struct sim_event *event, const struct pmu_select *select,
	  const u64 sig[SIG_N])
{
	return undivided(event, select, sig) / divisor(event, select);
}

u64
pmu_event_count(const struct sim_config *config,
		const struct pmu_select *select, const u64 sig[SIG_N])
{
	return pmu_count(&config->event[select->event], select, sig);
}

static int
tc_of(const struct pmu_select *select)
{
	return select->scope == SCOPE_TC ? select->scope_id : -1;
}

static int
vpe_of(const struct pmu_select *select)
{
	return select->scope == SCOPE_VPE ? select->scope_id : -1;
}

static bool
is_an_event(const struct sim_config *config, const struct pmu_select *select)
{
	return select->event >= 0 && (u32)select->event < config->n_events;
}

/* The event's sum, with what wrong paths consisted of since then. */
static u64
sum_since(const struct sim_config *config, const struct machine_totals *t,
	  const struct pmu_select *select, const struct wrong_path *since)
{
	u64 sig[SIG_N];

	if (!is_an_event(config, select))
		return 0;
	machine_totals_since(config, t, select->modes, tc_of(select),
			     vpe_of(select), since, sig);
	return pmu_event_count(config, select, sig);
}

u64
pmu_totals_sum(const struct sim_config *config,
	       const struct machine_totals *t,
	       const struct pmu_select *select)
{
	static const struct wrong_path beginning;

	return sum_since(config, t, select, &beginning);
}

void
pmu_totals_start(const struct sim_config *config,
		 const struct machine_totals *t,
		 const struct pmu_select *select, struct pmu_start *start)
{
	u64 sig[SIG_N];

	memset(start, 0, sizeof *start);
	if (!is_an_event(config, select))
		return;
	machine_totals_begin(config, t, select->modes, tc_of(select),
			     vpe_of(select), &start->path, sig);
	start->sum = pmu_event_count(config, select, sig);
}

u64
pmu_totals_since(const struct sim_config *config,
		 const struct machine_totals *t,
		 const struct pmu_select *select,
		 const struct pmu_start *start)
{
	u64 sum = sum_since(config, t, select, &start->path);

	return sum > start->sum ? sum - start->sum : 0;
}

bool
pmu_is_estimated(const struct sim_config *config, s32 event)
{
	const struct sim_event *e;
	bool found = false;

	if (event < 0 || (u32)event >= config->n_events)
		return false;
	e = &config->event[event];
	for (unsigned i = 0; i < e->n; i++)
		found |= e->term[i].signal >= SIG_WRONG_LOAD &&
			 e->term[i].signal <= SIG_WRONG_BRANCH;
	return found;
}

/* Whether the ledger has anything of what a selection counts. */
static bool
is_accounted(const struct sim_config *config, const struct sim_event *event,
	     const struct pmu_select *select)
{
	struct pmu_select of_them = *select;
	u64 sig[SIG_N] = {0};

	of_them.invert = false;
	for (unsigned c = 0; c < LEDGER_N; c++)
		if (select->modes >> config->ledger.cause[c].mode & 1)
			for (unsigned g = 0; g < SIG_N; g++)
				sig[g] += config->ledger.cause[c].cost[g];
	return undivided(event, &of_them, sig) != 0;
}

/* Whether the machine has what makes an event happen, in any mode: one CPU is
 * asked for nothing. */
static bool
can_happen(const struct sim_config *config, const struct sim_event *event)
{
	for (unsigned i = 0; i < event->n; i++)
		if (config->topo.cpus > 1 ||
		    event->term[i].signal < SIG_EXT_INTERVENTION ||
		    event->term[i].signal > SIG_L2_STORE_S)
			return true;
	return false;
}

/* No system here runs anything in supervisor mode. */
#define OTHER_MODES (1u << MODE_KERNEL | 1u << MODE_EXL)

enum pmu_others
pmu_others_of(const struct sim_config *config, bool system,
	      const struct sim_event *event, const struct pmu_select *select)
{
	if (!(select->modes & OTHER_MODES))
		return OTHERS_KNOWN;
	if (event->of_user)
		return OTHERS_NOT_LOOKED_AT;
	if (system || !can_happen(config, event) ||
	    is_accounted(config, event, select))
		return OTHERS_KNOWN;
	return OTHERS_UNACCOUNTED;
}

enum pmu_others
pmu_others(const struct sim_config *config, bool system,
	   const struct pmu_select *select)
{
	if (select->event < 0)
		return OTHERS_KNOWN;
	return pmu_others_of(config, system, &config->event[select->event],
			     select);
}

struct pmu_select
pmu_selection(const struct pmu_counter *c)
{
	return (struct pmu_select){
		.control = c->control,
		.event = c->event,
		.modes = c->modes,
		.scope = c->scope,
		.scope_id = c->scope_id,
		.interrupt = c->interrupt,
		.mask = c->mask,
		.threshold = c->threshold,
		.invert = c->invert,
		.edge = c->edge,
	};
}

struct pmu_select
pmu_watched(const struct machine *m, unsigned n)
{
	struct pmu_select select = pmu_selection(&m->counter[n]);

	if (m->system)
		select.modes = 1u << MODE_USER;
	return select;
}

static u64
counter_value(const struct machine *m, const struct machine_totals *t,
	      const struct pmu_counter *c)
{
	struct pmu_select select = pmu_selection(c);

	return m->stopped ? c->base :
			    c->base + pmu_totals_since(&m->config, t, &select,
						       &c->start);
}

static void
counter_start(const struct machine *m, const struct machine_totals *t,
	      struct pmu_counter *c)
{
	struct pmu_select select = pmu_selection(c);

	pmu_totals_start(&m->config, t, &select, &c->start);
}

/* Watchers look at the requests and at their counters again. */
static void
requests_changed(struct machine *m)
{
	__atomic_add_fetch(&m->request_serial, 1, __ATOMIC_RELEASE);
}

void
pmu_program(struct machine_map *map, unsigned n,
	    const struct pmu_select *select, u64 value)
{
	struct pmu_counter *c = &map->m->counter[n];

	machine_lock(map);
	c->control = select->control;
	c->event = select->event;
	c->modes = select->modes;
	c->scope = select->scope;
	c->scope_id = select->scope_id;
	c->interrupt = select->interrupt;
	c->mask = select->mask;
	c->threshold = select->threshold;
	c->invert = select->invert;
	c->edge = select->edge;
	c->unrepeatable = map->m->unrepeatable;
	c->base = value;
	counter_start(map->m, machine_totals(map), c);
	requests_changed(map->m);
	machine_unlock(map);
}

void
pmu_mark_unrepeatable(struct machine *m)
{
	if (!m->stopped)
		__atomic_add_fetch(&m->unrepeatable, 1, __ATOMIC_RELAXED);
}

bool
pmu_unrepeatable(const struct machine *m)
{
	for (u32 i = 0; i < m->n_counters; i++) {
		const struct pmu_counter *c = &m->counter[i];

		if (c->event >= 0 && c->unrepeatable != m->unrepeatable)
			return true;
	}
	return false;
}

/* A request has its distance in tenths of happenings, see sample.h. */
#define TENTHS 10

void
pmu_request(struct machine_map *map, unsigned n,
	    const struct machine_request *request, u64 first)
{
	struct machine *m = map->m;
	struct machine_request *r = &m->request[n];

	machine_lock(map);
	*r = *request;
	r->left = (s64)first * TENTHS;
	r->serial = m->request_serial + 1;
	if (r->actions)
		m->need |= NEED_WATCH;
	if (r->actions & REQUEST_RECORD)
		m->need |= NEED_PLACES;
	requests_changed(m);
	machine_unlock(map);
}

void
pmu_read_all(struct machine_map *map, unsigned first, unsigned n, u64 *value)
{
	struct machine *m = map->m;
	const struct machine_totals *t;

	machine_lock(map);
	t = m->stopped ? NULL : machine_totals(map);
	for (unsigned i = 0; i < n; i++)
		value[i] = counter_value(m, t, &m->counter[first + i]);
	machine_unlock(map);
}

u64
pmu_read(struct machine_map *map, unsigned n)
{
	u64 value;

	pmu_read_all(map, n, 1, &value);
	return value;
}

u64
pmu_register(const struct sim_config *config, u64 value)
{
	return config->counter_bits < 64 ?
		value & ((1ull << config->counter_bits) - 1) : value;
}

u64
pmu_read_register(struct machine_map *map, unsigned n)
{
	return pmu_register(&map->m->config, pmu_read(map, n));
}

void
pmu_stop(struct machine_map *map)
{
	struct machine *m = map->m;
	const struct machine_totals *t;

	machine_lock(map);
	if (!m->stopped) {
		t = machine_totals(map);
		for (u32 n = 0; n < m->n_counters; n++)
			m->counter[n].base =
				counter_value(m, t, &m->counter[n]);
		m->stopped = true;
		requests_changed(m);
	}
	machine_unlock(map);
}

void
pmu_resume(struct machine_map *map)
{
	struct machine *m = map->m;
	const struct machine_totals *t;

	machine_lock(map);
	if (m->stopped) {
		t = machine_totals(map);
		for (u32 n = 0; n < m->n_counters; n++)
			counter_start(m, t, &m->counter[n]);
		m->stopped = false;
		requests_changed(m);
	}
	machine_unlock(map);
}
