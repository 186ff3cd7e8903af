/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The event counters of IRIX for tools. */
#include "device/hwperf.h"
#include "engine/engine.h"
#include "machine_api.h"
#include "table/table.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(PMCSIM_IRIX_EVENTS == HWPERF_EVENTS, "the same events");

int
pmcsim_irix_count(struct pmcsim_machine *m, const unsigned *event, size_t n,
		  unsigned modes, uint64_t sample_cycles,
		  struct pmcsim_error *error)
{
	const struct sim_config *config = &m->map.m->config;
	struct hwperf_control control = {0};
	int err;

	if (config->system != SYSTEM_IRIX)
		return engine_fail(error, -EINVAL,
				   "%s has no event counters of IRIX",
				   m->map.m->cpu_name);
	for (size_t i = 0; i < n; i++) {
		unsigned e = event[i];

		if (e >= HWPERF_EVENTS ||
		    pmu_find_event(config, e / HWPERF_COUNTER_EVENTS, e) < 0)
			return engine_fail(error, -EINVAL,
					   "event %u: there is none such", e);
		control.spec[e] = (u16)(e % HWPERF_COUNTER_EVENTS
						<< HWPERF_EVENT_SHIFT |
					HWPERF_IE | (modes & HWPERF_MODES));
	}
	err = hwperf_arm(&m->map, &control);
	if (err)
		return engine_fail(error, err, "nothing is to be counted");
	m->map.m->hwperf.sample_cycles = sample_cycles;
	return 0;
}

void
pmcsim_irix_tell_threads(struct pmcsim_machine *m)
{
	m->map.m->hwperf.threads = true;
}

void
pmcsim_irix_pause(struct pmcsim_machine *m, bool pause)
{
	hwperf_pause(&m->map, pause);
}

void
pmcsim_irix_counts(struct pmcsim_machine *m, struct pmcsim_irix_counts *counts)
{
	struct hwperf_values sum;

	hwperf_total(&m->map, &sum);
	memcpy(counts->value, sum.value, sizeof counts->value);
	memcpy(counts->cycles, sum.cycles, sizeof counts->cycles);
	memcpy(counts->turns, sum.turns, sizeof counts->turns);
	memcpy(counts->squares, sum.squares, sizeof counts->squares);
	counts->all_cycles = sum.all_cycles;
}

size_t
pmcsim_irix_processes(struct pmcsim_machine *m,
		      struct pmcsim_irix_process *process, size_t max)
{
	const struct hwperf_machine *h = &m->map.m->hwperf;

	for (size_t i = 0; i < max && i < h->n_log && i < HWPERF_LOG; i++) {
		process[i].pid = h->log[i].pid;
		process[i].tid = h->log[i].tid;
		memcpy(process[i].value, h->log[i].value,
		       sizeof process[i].value);
	}
	return h->n_log < HWPERF_LOG ? h->n_log : HWPERF_LOG;
}

size_t
pmcsim_irix_samples(struct pmcsim_machine *m,
		    struct pmcsim_irix_sample *sample, size_t max)
{
	const struct hwperf_machine *h = &m->map.m->hwperf;

	for (size_t i = 0; i < max && i < h->n_samples && i < HWPERF_SAMPLES;
	     i++)
		sample[i] = (struct pmcsim_irix_sample){
			.pid = h->sample[i].pid,
			.cycles = h->sample[i].cycles,
			.value = {h->sample[i].value[0],
				  h->sample[i].value[1]},
		};
	return h->n_samples < HWPERF_SAMPLES ? h->n_samples : HWPERF_SAMPLES;
}

static unsigned
beyond(uint32_t n, unsigned room)
{
	return n > room ? n - room : 0;
}

void
pmcsim_irix_lost(struct pmcsim_machine *m, struct pmcsim_irix_lost *lost)
{
	const struct hwperf_machine *h = &m->map.m->hwperf;

	lost->children = h->n_lost;
	lost->processes = beyond(h->n_log, HWPERF_LOG);
	lost->samples = beyond(h->n_samples, HWPERF_SAMPLES);
}

/*
 * How many standard errors make a bound that holds 997 times out of 1000, by
 * Student's distribution: few turns say little about how turns differ.
 */
static double
errors_of(double turns)
{
	static const double errors[] = {
		235.8, 19.21, 9.22, 6.62, 5.51, 4.90, 4.53, 4.28, 4.09, 3.96,
		3.85, 3.76, 3.69, 3.64, 3.59, 3.54, 3.51, 3.48, 3.45, 3.42,
	};
	size_t n = turns < 2 ? 0 : (size_t)turns - 2;

	return n < sizeof errors / sizeof *errors ? errors[n] : 3.4;
}

double
pmcsim_irix_project(const struct pmcsim_irix_counts *counts, unsigned event,
		    double *bound)
{
	double value = (double)counts->value[event];
	double cycles = (double)counts->cycles[event];
	double all = (double)counts->all_cycles;
	double turns = (double)counts->turns[event];
	double projected, every, mean, variance;

	*bound = 0;
	if (cycles >= all)	/* all the time */
		return value;
	*bound = -1;
	if (cycles == 0)
		return 0;
	projected = value * (all / cycles);
	if (turns < 2 || value == 0)
		return projected;
	every = turns * all / cycles;	/* turns of all events */
	mean = value / turns;
	variance = ((double)counts->squares[event] - turns * mean * mean) /
		   (turns - 1);
	if (variance < 0)
		variance = 0;
	*bound = errors_of(turns) * every *
			 sqrt(variance / turns * (1 - cycles / all)) +
		 2 * mean * all / cycles; /* rounds at the ends, seen in part */
	return projected;
}

bool
pmcsim_irix_is_r12000(const struct pmcsim_cpu *cpu)
{
	return hwperf_is_r12000(&cpu->config);
}

uint64_t
pmcsim_cpu_clock(const struct pmcsim_cpu *cpu)
{
	return cpu->config.clock_hz;
}
