/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The device core: counters that select an event, filter by mode and
 * context, and have a width.  Interfaces (simulator/device/) translate their
 * registers and rules to these calls; the tool before and after a run and
 * the target during it use the same ones.
 */
#ifndef SIM_PMU_H
#define SIM_PMU_H

#include "machine.h"

/* What a counter is to count. */
struct pmu_select {
	u32 control;	/* raw control word, kept for reading back */
	s32 event;	/* index into config.event, -1: nothing */
	u8 modes;	/* bit per enum sim_mode */
	u8 scope;	/* enum sim_scope */
	u8 scope_id;
	bool interrupt;
	u8 mask;	/* unit mask, for events that have one */
	u8 threshold;	/* 0: happenings; n: cycles with n or more of them */
	bool invert;	/* cycles with fewer than threshold instead */
	bool edge;	/* of cycles with happenings, the first of several */
};

/* The event of that code that counter n can count; index, or -1. */
int pmu_find_event(const struct sim_config *config, unsigned counter,
		   unsigned code);

/* What a machine needs besides to know that event, NEED_FLIGHT or
 * NEED_ORDER. */
u32 pmu_need(const struct sim_config *config, s32 event);
u32 pmu_event_need(const struct sim_event *event);

/* Whether it adds up nothing but instructions and branches by kind, which no
 * model is needed for in user mode. */
bool pmu_event_is_untimed(const struct sim_event *event);

/*
 * Programs counter n, less than map->m->n_counters, with a selection and an
 * initial value.  While counters are stopped it counts from pmu_resume() on.
 */
void pmu_program(struct machine_map *map, unsigned n,
		 const struct pmu_select *select, u64 value);

/* Threads do not take turns: what the counters count from now on, unless
 * they are stopped, another run need not count. */
void pmu_mark_unrepeatable(struct machine *m);

/* Whether that was so since a counter was programmed that counts something. */
bool pmu_unrepeatable(const struct machine *m);

/*
 * The counter's value, exact in 64 bits: its initial value and what the
 * event's signals have added since, without regard to the width.
 */
u64 pmu_read(struct machine_map *map, unsigned n);

/* The value as a register of the configured width holds it. */
u64 pmu_read_register(struct machine_map *map, unsigned n);

/* The values of n counters from the first on, all at one time. */
void pmu_read_all(struct machine_map *map, unsigned first, unsigned n,
		  u64 *value);

/* A value as a register of the configured width holds it. */
u64 pmu_register(const struct sim_config *config, u64 value);

/* What a counter is programmed with. */
struct pmu_select pmu_selection(const struct pmu_counter *c);

/* What a watcher of counter n, in the process that counts, is to
 * look at: in a system, all modes are executed as user mode is. */
struct pmu_select pmu_watched(const struct machine *m, unsigned n);

/*
 * Asks for something to be done when a counter has counted first more, from
 * 1, and request->period each time after; request n less than
 * MACHINE_REQUESTS replaces the one before, actions 0: nothing any more.
 * Processes that run already take notice if the machine has been watching
 * before (NEED_WATCH) or they themselves ask.
 */
void pmu_request(struct machine_map *map, unsigned n,
		 const struct machine_request *request, u64 first);

/* Stops all counters (they keep their values) and lets them go on. */
void pmu_stop(struct machine_map *map);
void pmu_resume(struct machine_map *map);

/* What an event that is none of the configuration's counts of these signals;
 * select->event does not matter. */
u64 pmu_count(const struct sim_event *event, const struct pmu_select *select,
	      const u64 sig[SIG_N]);

/* What an event, which must be one of the configuration's, counts of these
 * signals; modes and scope are the caller's affair. */
u64 pmu_event_count(const struct sim_config *config,
		    const struct pmu_select *select, const u64 sig[SIG_N]);

/* Sum of an event's signals in the modes and the scope given, since the
 * machine was created, from totals that have been read. */
u64 pmu_totals_sum(const struct sim_config *config,
		   const struct machine_totals *totals,
		   const struct pmu_select *select);

/* Begins to count an event, and what it has counted since: 0 if its sum has
 * fallen back.  That may be for an instant: fetches are counted with a block,
 * and corrected at its end. */
void pmu_totals_start(const struct sim_config *config,
		      const struct machine_totals *totals,
		      const struct pmu_select *select,
		      struct pmu_start *start);
u64 pmu_totals_since(const struct sim_config *config,
		     const struct machine_totals *totals,
		     const struct pmu_select *select,
		     const struct pmu_start *start);

/* Whether it counts what wrong paths consisted of, which is no sum of what
 * contexts or times have counted. */
bool pmu_is_estimated(const struct sim_config *config, s32 event);

/* What is known of the modes that are not user mode. */
enum pmu_others {
	OTHERS_KNOWN,		/* executed, accounted, or not to be counted */
	OTHERS_NOT_LOOKED_AT,
	OTHERS_UNACCOUNTED,	/* the ledger has nothing of them */
};

/* ... in what a selection counts, on a board or not. */
enum pmu_others pmu_others(const struct sim_config *config, bool system,
			   const struct pmu_select *select);

/* ... of an event that need not be one of the configuration's. */
enum pmu_others pmu_others_of(const struct sim_config *config, bool system,
			      const struct sim_event *event,
			      const struct pmu_select *select);

#endif
