/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts of events by name: of signals, without a counter. */
#include "lexicon_count.h"

#include <errno.h>
#include <stdlib.h>

#define NS 1000000000ull

static const struct sim_event *
event_of(const struct pmcsim_lexicon *l, const struct pmcsim_ask *ask)
{
	return &l->event[ask->named];
}

static struct pmu_select
select_of(const struct pmcsim_lexicon *l, const struct pmcsim_ask *ask)
{
	return (struct pmu_select){
		.modes = (u8)(ask->modes & MODES_ALL),
		.mask = event_of(l, ask)->mask_default,
		.scope = SCOPE_PROCESSOR,
	};
}

bool
pmcsim_lexicon_is_untimed(const struct pmcsim_lexicon *l,
			  const struct pmcsim_ask *ask)
{
	return ask->modes == 1u << MODE_USER &&
	       pmu_event_is_untimed(event_of(l, ask));
}

void
pmcsim_lexicon_prepare(const struct pmcsim_lexicon *l,
		       struct pmcsim_machine *m, const struct pmcsim_ask *ask,
		       size_t n)
{
	struct machine *machine = m->map.m;
	u32 need = NEED_COUNT | (machine->machine_clock ? NEED_TIMING : 0);

	for (size_t i = 0; i < n; i++) {
		need |= pmu_event_need(event_of(l, &ask[i]));
		if (!pmcsim_lexicon_is_untimed(l, &ask[i]))
			need |= NEED_TIMING;
	}
	machine->need = need;
	m->asked = true;
}

/* Nanoseconds of so many cycles, without a product that is too large. */
static u64
nanoseconds(const struct sim_config *config, u64 cycles)
{
	u64 hz = config->clock_hz ? config->clock_hz : 1;

	return cycles / hz * NS +
	       (u64)((double)(cycles % hz) * (double)NS / (double)hz + 0.5);
}

u64
lexicon_count(const struct pmcsim_lexicon *l, const struct sim_config *config,
	      const struct pmcsim_ask *ask, const u64 sig[SIG_N])
{
	struct pmu_select select = select_of(l, ask);
	u64 count = pmu_count(event_of(l, ask), &select, sig);

	return l->named[ask->named].unit == PMCSIM_UNIT_NONE
		       ? count : nanoseconds(config, count);
}

void
lexicon_value(const struct pmcsim_lexicon *l, const struct machine *machine,
	      const struct machine_totals *t, const struct pmcsim_ask *ask,
	      struct pmcsim_value *value)
{
	const struct sim_config *config = &machine->config;
	const struct sim_event *event = event_of(l, ask);
	struct pmu_select select = select_of(l, ask);
	u64 sig[SIG_N];

	*value = (struct pmcsim_value){
		.ledger = !machine->system &&
			  ask->modes & ~(1u << MODE_USER),
		.unknown = unknown_text(pmu_others_of(config, machine->system,
						      event, &select),
					ask->modes),
	};
	machine_totals_modes(config, t, select.modes, -1, -1, sig);
	value->count = lexicon_count(l, config, ask, sig);
	value->shown = value->count;
}

int
pmcsim_lexicon_read(const struct pmcsim_lexicon *l, struct pmcsim_machine *m,
		    const struct pmcsim_ask *ask, size_t n,
		    struct pmcsim_value *value)
{
	struct machine_totals *t = malloc(sizeof *t);

	if (!t)
		return -ENOMEM;
	machine_totals_copy(&m->map, t);
	for (size_t i = 0; i < n; i++)
		lexicon_value(l, m->map.m, t, &ask[i], &value[i]);
	free(t);
	return 0;
}
