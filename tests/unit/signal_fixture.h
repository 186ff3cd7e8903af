/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A machine with an event for each signal. */
#ifndef TEST_SIGNAL_FIXTURE_H
#define TEST_SIGNAL_FIXTURE_H

#include "merge_fixture.h"
#include "machine/pmu.h"

static u32 signal_contexts = 5;

/* Event i counts signal i. */
static inline struct sim_config *
signal_config(void)
{
	static struct sim_config config;

	merge_config(&config);
	config.topo.tcs = signal_contexts;
	config.n_counters = 1;
	config.counter_bits = 64;
	config.pipe.discarded_tenths = 17;
	config.n_events = SIG_N;
	for (unsigned i = 0; i < SIG_N; i++)
		config.event[i] = (struct sim_event){
			.code = (u16)i, .counters = 1, .n = 1,
			.term = {{(u16)i, 1, 0, false}}};
	return &config;
}

static inline struct pmu_select
select_signal(unsigned signal)
{
	return (struct pmu_select){.event = (s32)signal,
				   .modes = 1 << MODE_USER,
				   .scope = SCOPE_PROCESSOR};
}

#endif
