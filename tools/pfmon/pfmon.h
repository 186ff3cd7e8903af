/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pfmon: what its files share. */
#ifndef PFMON_H
#define PFMON_H

#include "common/tidy.h"

#define PFMON_MONITORS 4
#define PFMON_FIRST 4		/* PMC4 is the first monitor */
#define PFMON_SETS 64

#define PFMON_USER 8u		/* bits of plm */
#define PFMON_KERNEL 1u

extern const struct tool pfmon_tool;

/* Of its CSV. */
#define PFMON_COLUMNS "set,name,code,plm,threshold,value,precision,reason"

enum pfmon_format { PFMON_TEXT, PFMON_JSON, PFMON_CSV, PFMON_MARKDOWN };
enum pfmon_numbers { NUMBERS_PLAIN, NUMBERS_US, NUMBERS_EU, NUMBERS_HEX };
enum pfmon_action { PFMON_RUN, PFMON_LIST, PFMON_MASKS, PFMON_EVENT,
		    PFMON_INFO };

struct pfmon_options {
	enum pfmon_action action;
	const char *what;	/* -i NAME, -lREGEX; NULL: no expression */
	const char *cpu;
	const char *set[PFMON_SETS]; /* -e, each */
	size_t n_sets;
	const char *levels, *thresholds; /* per event, of all sets */
	unsigned plm;
	enum pfmon_numbers numbers;
	enum pfmon_format format;
	unsigned long run;	/* of those in the file */
	const char *outfile;
	bool append, header, time, check_only, quiet, verbose, keep_input;
	struct system_option system;
	struct outside outside;
	char **command;		/* or operands of -l and -L */
};

/* An event of a set, and where it counts. */
struct pfmon_event {
	const struct pmcsim_event *event;
	unsigned plm, threshold;
	unsigned monitor;	/* PMC and PMD */
	uint64_t pmc;
	uint64_t count;
	const char *unknown;	/* see struct pmcsim_value */
};

struct pfmon_set {
	struct pfmon_event event[PFMON_MONITORS];
	size_t n;
	bool reached;		/* by a run, if there is no time for all */
	double user, system;	/* seconds */
};

/* Fills the options, or ends the tool. */
void pfmon_parse(struct pfmon_options *o, int argc, char **argv);

/* The modes of the machine that privilege levels are, as in struct
 * pmcsim_slot. */
unsigned pfmon_modes(unsigned plm);

/* The sets that the options ask for; ends the tool if they cannot be. */
size_t pfmon_sets(const struct pmcsim_cpu *cpu, const struct pfmon_options *o,
		  struct pfmon_set *set);

/* -l, -L, -i, --info */
void pfmon_list(const struct pmcsim_cpu *cpu, const struct pfmon_options *o,
		FILE *out);
void pfmon_describe(const struct pmcsim_cpu *cpu, const char *name,
		    FILE *out);
void pfmon_info(const struct pmcsim_cpu *cpu, FILE *out);

struct pfmon_report {
	const struct pmcsim_cpu *cpu;
	const struct pfmon_options *options;
	const struct pfmon_set *set;
	size_t n_sets;
	unsigned doubts;	/* of any run */
	bool partial;
};

/* Says on standard error which counts have less than they are to have. */
void pfmon_tell(const struct pfmon_set *set);

void pfmon_print(const struct pfmon_report *r, FILE *out);

#endif
