/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pc_sweep: options -> sweep -> runs -> report. */
#ifndef PC_SWEEP_H
#define PC_SWEEP_H

#include "common/tidy.h"
#include "common/regions.h"

enum sweep_format { FORMAT_DUMP, FORMAT_TEXT, FORMAT_JSON, FORMAT_CSV,
		    FORMAT_MARKDOWN };

/* Arguments of an option that can be given more than once. */
struct sweep_words {
	const char *word[64];
	size_t n;
};

struct sweep_options {
	const char *cpu;
	const char *cpus;	/* several, side by side; NULL: one */
	enum sweep_format format;
	const char *output;	/* NULL: standard output */
	unsigned long run;	/* of those in it */
	bool append;
	unsigned modes;		/* measured together */
	bool sweep_modes;	/* each mode for itself */
	bool balance;		/* each TC and each VPE for itself */
	int tc, vpe;		/* -1: all */
	struct sweep_words groups, evens, odds, names;
	bool once, list, precision, no_range_extension;
	bool keep_input;
	unsigned long repeat, jobs, uid;
	struct system_option system;
	struct outside outside;
	struct regions_option regions;
	char **command;
};

/* One run of the plan. */
struct sweep_run {
	struct pmcsim_run run;
	size_t *row;		/* of each slot */
};

/* A region of the command. */
struct sweep_region {
	char *name;
	struct pmcsim_region is; /* in the last run */
	struct pmcsim_value **value; /* as the sweep's */
	struct pmcsim_row *row;
};

struct sweep {
	const struct sweep_options *o;
	struct pmcsim_cpu *cpu;
	unsigned *even, *odd;	/* asked for, ascending */
	size_t n_even, n_odd;
	struct pmcsim_row *row;
	size_t n_rows;
	struct sweep_run *run;
	size_t n_runs;
	struct pmcsim_value **value; /* [repeat * n_runs + run][slot], or NULL:
				      * has not taken place */
	struct sweep_region *region;
	size_t n_regions;
	char *only_name;	/* of the region that was asked for, ... */
	struct pmcsim_region only; /* ... in the last run */
	bool partial;
	unsigned doubts;	/* of any run */
	int failure;		/* exit status, if a run failed; else 0 */
	int status;		/* exit status of the target */
};

extern const struct tool pc_sweep;

/* Runs on several processors and prints a table; the exit status. */
int sweep_cpus(const struct sweep_options *o);

/* Fills the options, or ends the tool. */
void sweep_parse(struct sweep_options *o, int argc, char **argv);

/* Works out rows and runs for the options, or ends the tool. */
void sweep_plan(struct sweep *s);

/* Takes from the runs what a board that is not set up does not measure. */
void sweep_leave_out(struct sweep *s);

/* Executes the runs, filling value, partial, failure and status. */
void sweep_execute(struct sweep *s);

/* Run number has ended with these values: those of its regions are kept, or
 * replace them, if one was asked for. */
void sweep_keep_regions(struct sweep *s, size_t number,
			struct pmcsim_machine *m, struct pmcsim_value *value);
void sweep_free_regions(struct sweep *s);

/* From values per run to values per row. */
void sweep_fill(const struct sweep *s, struct pmcsim_value *const *value,
		struct pmcsim_row *row);

/* Prints what precedes the target's output. */
void sweep_announce(const struct sweep *s);

/* Writes the report where it is to go. */
void sweep_report(struct sweep *s);

#endif
