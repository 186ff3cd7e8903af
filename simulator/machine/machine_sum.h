/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a machine has counted. */
#ifndef SIM_MACHINE_SUM_H
#define SIM_MACHINE_SUM_H

#include "config.h"

struct machine_map;
struct wrong_path;

/*
 * Sum of a signal over all processes, since the machine was created.
 * tc: a context, or -1 for all; vpe: a VPE, or -1 for all; mode user is
 * counted, other modes are accounted from the ledger, unless a system runs.
 */
u64 machine_signal(struct machine_map *map, enum sim_signal s,
		   enum sim_mode mode, int tc, int vpe);

/*
 * The user-mode sums of all contexts at one time: one pass over the blocks,
 * from which any mode and filter is worked out.
 */
struct machine_totals {
	u64 sig[SIM_MAX_TC][SIG_N];
	bool system;			/* the other modes were executed, too: */
	u64 executed[MODE_USER][SIG_N];	/* on context 0 */
};

/* The sums as they are now, for the caller. */
void machine_totals_copy(struct machine_map *map, struct machine_totals *copy);

/* How often what the ledger charges has happened, on context tc or (-1) on
 * all. */
void machine_ledger(const struct sim_config *config,
		    const struct machine_totals *t, int tc,
		    u64 times[LEDGER_N]);

/* Adds what so many of them cost in some modes, 1 << mode each. */
void machine_ledger_add(const struct ledger_config *ledger, u32 modes,
			const u64 times[LEDGER_N], u64 sum[SIG_N]);

/* All signals of some modes, 1 << mode each, or of one, from totals; filters as
 * for machine_signal().  Fetch groups are rounded down to whole ones here. */
void machine_totals_modes(const struct sim_config *config,
			  const struct machine_totals *t, u32 modes, int tc,
			  int vpe, u64 sum[SIG_N]);
void machine_totals_signals(const struct sim_config *config,
			    const struct machine_totals *t,
			    enum sim_mode mode, int tc, int vpe,
			    u64 sum[SIG_N]);

/* The same, but what wrong paths consisted of is what it was since then: since
 * now, and where that was. */
void machine_totals_since(const struct sim_config *config,
			  const struct machine_totals *t, u32 modes, int tc,
			  int vpe, const struct wrong_path *since,
			  u64 sum[SIG_N]);
void machine_totals_begin(const struct sim_config *config,
			  const struct machine_totals *t, u32 modes, int tc,
			  int vpe, struct wrong_path *begin, u64 sum[SIG_N]);

/* Cycles: the buckets that each cycle is in exactly one of. */
u64 machine_cycles(const u64 sig[SIG_N]);

/* Cycles of all modes, on context tc or (-1) on all. */
u64 machine_all_cycles(const struct sim_config *config,
		       const struct machine_totals *t, int tc);

/* The same of all contexts, as they are now. */
u64 machine_cycles_read(struct machine_map *map);

/* Those of each mode. */
void machine_mode_cycles(struct machine_map *map, u64 cycles[MODE_N]);

/* All signals of one mode at once: one pass over the blocks. */
void machine_signals(struct machine_map *map, enum sim_mode mode, int tc,
		     int vpe, u64 sum[SIG_N]);

#endif
