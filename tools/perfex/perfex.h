/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perfex: options -> machine -> run -> report. */
#ifndef PERFEX_H
#define PERFEX_H

#include "common/regions.h"
#include "common/tidy.h"

enum perfex_format { PERFEX_TEXT, PERFEX_JSON, PERFEX_CSV,
		     PERFEX_MARKDOWN };

struct perfex_options {
	const char *cpu;
	unsigned cpus;		/* 0: as the table says */
	unsigned event[3];	/* -e; a third one is one too many */
	const char *event_name[3], *event_option[3]; /* NULL: by number */
	size_t n_events;
	bool all;		/* -a */
	bool exact;
	bool processes;		/* -mp */
	bool by_signal;		/* -s */
	struct outside outside;
	struct regions_option regions;
	double period;		/* -p, milliseconds; 0: not given */
	bool exl, kernel;	/* -x, -k */
	bool times;		/* -y */
	bool print_costs;	/* -t */
	bool trust;		/* -T */
	const char *output, *costs; /* -o, -c; NULL: not given */
	enum perfex_format format;
	bool append;
	unsigned long run;	/* of those in the file */
	unsigned long uid;
	struct system_option system;
	char **command;
};

/* A count as it is reported. */
struct perfex_count {
	unsigned event;
	const char *label;
	const struct pmcsim_event *table; /* NULL: it has none of that number */
	const char *missing;	/* why there is no count; NULL: there is */
	bool told;		/* by the model, if counted */
	const char *unknown;	/* see struct pmcsim_value */
	uint64_t raw;		/* what was counted */
	double count, bound;	/* projected; bound: -1 not known */
	bool projected;		/* not the raw count */
	uint64_t exact;		/* --exact */
	double seconds[3];	/* -y: PMCSIM_COST_* */
};

/* What was counted in a region, in the order of the events. */
struct perfex_region {
	struct pmcsim_region is;
	uint64_t count[PMCSIM_IRIX_EVENTS];
};

struct perfex {
	const struct perfex_options *o;
	struct pmcsim_cpu *cpu;
	double clock_hz;
	bool r12000;
	struct pmcsim_costs costs;
	struct pmcsim_machine *machine;
	struct perfex_count count[PMCSIM_IRIX_EVENTS];
	size_t n;
	struct pmcsim_irix_process *process; /* -mp */
	size_t n_process;
	struct pmcsim_irix_sample *sample; /* -p */
	size_t n_sample;
	int status;		/* exit status of the target */
	bool partial;		/* it was stopped */
	struct perfex_region *region;
	size_t n_region;
	const struct pmcsim_region *only; /* that counts are of, or NULL */
};

extern const struct tool perfex_tool;

/* Fills the options, from the environment too, or ends the tool. */
void perfex_parse(struct perfex_options *o, int argc, char **argv);

/* Finds events that were named; ends the tool if counters cannot count all. */
void perfex_find_events(struct perfex_options *o,
			const struct pmcsim_cpu *cpu);

/* The events that counters count: what was asked for, or all. */
size_t perfex_events(const struct perfex_options *o,
		     unsigned event[PMCSIM_IRIX_EVENTS]);

/* The modes that are counted, as in struct pmcsim_slot. */
unsigned perfex_modes(const struct perfex_options *o);

/* What the run has counted in regions; if one was asked for, counts are its
 * from here on.  events: those of p->count. */
void perfex_collect_regions(struct perfex *p,
			    const struct pmcsim_run *events);

/* The counts of a region in place of those of the command. */
struct perfex perfex_view(const struct perfex *p,
			  const struct perfex_region *region);

/* Writes the report; -EIO. */
int perfex_report(const struct perfex *p, FILE *out);

/* The lines of one process (-mp). */
void perfex_report_process(const struct perfex *p,
			   const struct pmcsim_irix_process *process,
			   FILE *out);

/* JSON and CSV. */
void perfex_report_json(const struct perfex *p, FILE *out);
int perfex_report_tidy(const struct perfex *p, FILE *out);

/* Of its CSV. */
#define PERFEX_COLUMNS                                                    \
	"event,label,count,counted,bound,exact,typical_seconds,"          \
	"least_seconds,most_seconds,precision,reason,region"

/* Counts in an array by event, NaN where there is none. */
void perfex_by_event(const struct perfex *p,
		     double count[PMCSIM_IRIX_EVENTS]);

#endif
