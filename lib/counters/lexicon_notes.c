/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is done at times of a machine that runs: what it has counted by then is
 * noted, or the command is asked to end. */
#include "lexicon_count.h"

#include "machine/machine_log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of counters that programs do not have. */
enum { NOTE_REQUEST = MACHINE_REQUESTS - 1, END_REQUEST = NOTE_REQUEST - 1 };

/* An event of all cycles, which a table need not have. */
static int
add_cycles(struct machine *m)
{
	struct sim_event *e = &m->config.event[m->config.n_events];
	unsigned n = 0;

	if (m->config.n_events == SIM_MAX_EVENTS)
		return -E2BIG;
	*e = (struct sim_event){.scope = SCOPE_PROCESSOR};
	for (unsigned s = SIG_CYCLE_ISSUE; s <= SIG_ALU_WBB; s++)
		e->term[n++] = (struct event_term){.signal = (u16)s,
						   .factor = 1};
	e->n = (u8)n;
	machine_seal(m);
	return (int)m->config.n_events++;
}

_Static_assert(SIG_ALU_WBB - SIG_CYCLE_ISSUE < SIM_EVENT_TERMS,
	       "the kinds of cycles are an event");

static bool
can_wait_for(uint64_t cycles)
{
	return cycles <= INT64_MAX / 32;
}

/* Does that when all programs together have taken so many cycles. */
static int
ask(struct pmcsim_machine *m, unsigned request, enum request_action action,
    uint64_t first, uint64_t every)
{
	struct machine *machine = m->map.m;
	unsigned counter = machine->n_counters;
	struct machine_request asked = {
		.actions = action,
		.counter = counter,
		.period = every,
	};
	int event;

	if (counter >= SIM_WIDE_COUNTERS || !first || !can_wait_for(first) ||
	    !can_wait_for(every))
		return -E2BIG;
	event = add_cycles(machine);
	if (event < 0)
		return event;
	machine->n_counters++;
	pmu_program(&m->map, counter,
		    &(struct pmu_select){.event = event,
					 .modes = 1u << MODE_USER,
					 .scope = SCOPE_PROCESSOR}, 0);
	pmu_request(&m->map, request, &asked, first);
	machine->need |= NEED_TIMING;
	return 0;
}

int
pmcsim_machine_note_from(struct pmcsim_machine *m, uint64_t first,
			 uint64_t every)
{
	return ask(m, NOTE_REQUEST, REQUEST_SUMS, first, every);
}

int
pmcsim_machine_end_after(struct pmcsim_machine *m, uint64_t cycles)
{
	return ask(m, END_REQUEST, REQUEST_END, cycles, 0);
}

struct notes {
	const struct pmcsim_lexicon *l;
	const struct sim_config *config;
	const struct pmcsim_ask *ask;
	size_t n;
	u64 *count;
	int (*fn)(void *arg, const struct pmcsim_note *note);
	void *arg;
};

/* All signals in some modes. */
static void
signals_of(const struct notes *notes, const struct log_sums *sums,
	   unsigned modes, u64 sig[SIG_N])
{
	memset(sig, 0, SIG_N * sizeof *sig);
	if (modes >> MODE_USER & 1)
		memcpy(sig, sums->sig, SIG_N * sizeof *sig);
	machine_ledger_add(&notes->config->ledger, modes, sums->times, sig);
}

static int
on_record(void *arg, const struct log_record *record)
{
	const struct log_sums *sums = (const void *)record;
	struct notes *notes = arg;
	struct pmcsim_note note = {.count = notes->count};
	u64 sig[SIG_N];

	if (record->kind != LOG_SUMS || record->bytes != sizeof *sums)
		return 0;
	for (size_t i = 0; i < notes->n; i++) {
		signals_of(notes, sums, notes->ask[i].modes, sig);
		notes->count[i] = lexicon_count(notes->l, notes->config,
						&notes->ask[i], sig);
	}
	note.cycles = machine_cycles(sums->sig);
	signals_of(notes, sums, MODES_ALL & ~(1u << MODE_USER), sig);
	note.kernel_cycles = machine_cycles(sig);
	return notes->fn(notes->arg, &note);
}

int
pmcsim_lexicon_notes(const struct pmcsim_lexicon *l, struct pmcsim_machine *m,
		     const struct pmcsim_ask *ask, size_t n,
		     int (*fn)(void *arg, const struct pmcsim_note *note),
		     void *arg)
{
	struct notes notes = {l, &m->map.m->config, ask, n,
			      calloc(n + 1, sizeof(u64)), fn, arg};
	int rc = -ENOMEM;

	if (notes.count)
		rc = machine_log_read(&m->map, on_record, &notes);
	free(notes.count);
	return rc;
}
