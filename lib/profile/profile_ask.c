/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A profile is asked for. */
#include "machine/pmu.h"
#include "engine/engine.h"
#include "counters/machine_api.h"

#include <errno.h>
#include <string.h>

#define LEADER (MACHINE_REQUESTS - 1)	/* of requests: samples instructions */

static void
request_samples(struct pmcsim_machine *m, const struct pmcsim_run *run,
		const struct pmcsim_sampling *s)
{
	struct machine_request lead = {.actions = REQUEST_LEAD,
				       .seed = s->seed};
	u64 off;

	for (size_t i = 0; i < run->n; i++) {
		struct machine_request r = {
			.actions = REQUEST_RECORD |
				   (s->average[i] ? REQUEST_BLOCK : 0u),
			.counter = run->slot[i].counter,
			.period = s->each[i] ? s->each[i] : s->period,
			.leader = s->of_samples[i] ? LEADER + 1 : 0,
			.jitter = s->jitter,
			.seed = s->seed + (uint32_t)i,
		};

		if (r.leader && !lead.period)
			lead.period = r.period;
		pmu_request(&m->map, (unsigned)i, &r, r.period);
	}
	if (!lead.period)
		return;
	/* Up to a quarter off either way, so that loops do not keep step. */
	off = lead.period / 4;
	lead.period -= off;
	lead.jitter = 2 * off + 1;
	lead.counter = run->slot[run->n].counter;
	pmu_request(&m->map, LEADER, &lead, lead.period);
}

/* The event that is nothing but instructions; -1: there is none. */
static int
find_instructions(const struct sim_config *config)
{
	for (unsigned i = 0; i < config->n_events; i++) {
		const struct sim_event *e = &config->event[i];

		if (e->n == 1 && e->term[0].signal == SIG_INSN &&
		    e->term[0].factor == 1 && !e->term[0].mask &&
		    !e->term[0].less && e->divide <= 1)
			return (int)i;
	}
	return -1;
}

/* A slot for it behind those of the run, which has room, on a counter that
 * can count it and is free. */
static int
add_leader(const struct pmcsim_machine *m, const struct pmcsim_run *run,
	   struct pmcsim_slot *slot)
{
	const struct sim_config *config = &m->map.m->config;
	int event = find_instructions(config);
	unsigned counter = 0;
	bool taken = true;

	if (event < 0)
		return -ENODATA;
	while (taken) {
		taken = !(config->event[event].counters >>
				  counter % config->n_counters & 1);
		for (size_t i = 0; i < run->n; i++)
			taken |= run->slot[i].counter == counter;
		counter += taken;
	}
	slot[run->n] = run->slot[0];
	slot[run->n].counter = counter;
	slot[run->n].code = config->event[event].code;
	return 0;
}

static bool
samples_instructions(const struct pmcsim_run *run,
		     const struct pmcsim_sampling *s)
{
	for (size_t i = 0; s->period && i < run->n; i++)
		if (s->of_samples[i])
			return true;
	return false;
}

/* Whether each slot has a counter of its own; else *twice is one. */
static bool
are_different(const struct pmcsim_run *run, unsigned *twice)
{
	for (size_t i = 0; i < run->n; i++)
		for (size_t k = 0; k < i; k++)
			if (run->slot[k].counter == run->slot[i].counter) {
				*twice = run->slot[i].counter;
				return false;
			}
	return true;
}

int
pmcsim_machine_profile(struct pmcsim_machine *m, const struct pmcsim_run *run,
		       const struct pmcsim_sampling *sampling,
		       struct pmcsim_error *error)
{
	struct machine *machine = m->map.m;
	struct pmcsim_slot slot[PMCSIM_PROFILE_EVENTS + 1];
	struct pmcsim_run all = {slot, run->n};
	unsigned twice;
	int rc;

	if (!run->n || run->n > PMCSIM_PROFILE_EVENTS)
		return engine_fail(error, -E2BIG,
				   "a profile has 1 to %d events",
				   PMCSIM_PROFILE_EVENTS);
	if (!are_different(run, &twice))
		return engine_fail(error, -EINVAL, "counter %u twice", twice);
	memcpy(slot, run->slot, run->n * sizeof *slot);
	if (samples_instructions(run, sampling)) {
		if (add_leader(m, run, slot))
			return engine_fail(error, -ENODATA,
					   "no counter counts instructions");
		all.n++;
	}
	rc = pmcsim_machine_program(m, &all, error);
	if (rc)
		return rc;
	for (size_t i = 0; i < run->n; i++) {
		const struct pmu_counter *c =
			&machine->counter[run->slot[i].counter];

		if (c->event < 0)
			return engine_fail(error, -EINVAL,
					   "event %u is not counted by "
					   "counter %u", run->slot[i].code,
					   run->slot[i].counter);
		machine->profile_counter[i] = run->slot[i].counter;
	}
	machine->n_profile = (u32)run->n;
	machine->need |= NEED_TIMING | NEED_PLACES;
	if (sampling->calls)
		machine->need |= NEED_CALLS;
	if (sampling->period)
		request_samples(m, &(struct pmcsim_run){slot, run->n},
				sampling);
	else
		machine->need |= NEED_PROFILE;
	return 0;
}
