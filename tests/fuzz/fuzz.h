/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the fuzzer share. */
#ifndef FUZZ_H
#define FUZZ_H

#include "table/table.h"
#include "machine/pmu.h"
#include "../unit/oracle.h"

#define FUZZ_WORDS 8

/* One of the seeds. */
struct fuzz {
	unsigned long seed;
	const char *name;	/* of its CPU */
	struct pmcsim_cpu *cpu; /* events: each signal, by its number, then
				   those of the table and of none */
	struct {
		u16 code;
		u8 counters;
	} coded[SIM_MAX_EVENTS]; /* events as the table has them */
	struct dice dice;
	const char *command;
	char *argv[FUZZ_WORDS + 1];
	unsigned broken;	/* what has been found */
};

/* Says what is broken; the caller goes on with the line. */
void fuzz_found(struct fuzz *f, const char *what);

/* The index of an event of the table. */
unsigned fuzz_event(const struct fuzz *f, const char *name);

/* ---- Runs -------------------------------------------------------------- */

/* What is counted in a run. */
struct fuzz_run {
	unsigned n;
	struct pmu_select select[SIG_N];
	u64 count[SIG_N];
	u64 cycles;
	int status;		/* that the command has ended with */
};

/* An event of that index, in user mode, on all contexts. */
struct pmu_select fuzz_select(const struct fuzz *f, unsigned event);

/* By the device. */
void fuzz_run(struct fuzz *f, struct fuzz_run *r);
/* By instruction: all that is in the profile, and nothing beside it. */
void fuzz_run_exact(struct fuzz *f, struct fuzz_run *r);
/* One in so many: samples.  The device's counts become *totals. */
void fuzz_run_samples(struct fuzz *f, struct fuzz_run *r, u64 period,
		      u64 *totals);

/* ---- What is compared -------------------------------------------------- */

/* What a run has counted, as far as that was asked for. */
struct fuzz_counts {
	bool asked[SIG_N];
	u64 n[SIG_N];
	u64 cycles;
	int status;
};

/* Another machine, which the checks of tables let pass. */
void fuzz_change(struct pmcsim_cpu *cpu, struct dice *d);

/* Other costs of the system's work.  Half of the time all has its instruction:
 * ticks, processes and programs, which are no instruction's, cost nothing. */
void fuzz_change_ledger(struct ledger_config *ledger, struct dice *d);

/* No instruction has what is estimated, nor ticks, processes and programs. */
bool fuzz_has_place(unsigned signal);

bool fuzz_has_places(const struct fuzz *f, const struct pmu_select *select);

/* Says so if a count is not what is known of it. */
void fuzz_compare(struct fuzz *f, const char *how,
		  const struct pmu_select *select, u64 count, u64 known);

/* Puts events that no table has behind those of the configuration. */
void fuzz_make_events(struct sim_config *config, struct dice *d);

/* Checks events, if these are all signals. */
void fuzz_check_events(struct fuzz *f, const struct fuzz_counts *all);

/* Checks that modes and contexts add up to all of them. */
void fuzz_check_sums(struct fuzz *f, const struct pmu_select *select);

/* A law that these counts of all signals break, from the i-th on; its number,
 * or -1. */
int fuzz_broken(const struct fuzz *f, const struct fuzz_counts *counts, int i);
/* Its text. */
const char *fuzz_law(int i);

#endif
