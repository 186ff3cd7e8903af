/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "pmcsim stat": what its files share. */
#ifndef STAT_H
#define STAT_H

#include "commands.h"
#include "common/tidy.h"
#include "common/outside.h"
#include "common/regions.h"

#define STAT_CPUS 16

/* Modes, as struct pmcsim_slot has them. */
#define STAT_USER 8u
#define STAT_KERNEL 3u	/* and exception level */

enum stat_format {
	STAT_TEXT, STAT_CSV, STAT_JSON, STAT_TIDY, STAT_MARKDOWN
};

/* An event that was asked for; or one that a metric needs. */
struct stat_want {
	char *name;		/* as it is printed: "cycles:u" */
	char *event;		/* without modifiers */
	unsigned modes;
	bool modified;		/* they were asked for with it */
	bool pinned;		/* with --multiplex, it takes no turns */
	size_t leader;		/* the first of its group, maybe itself */
};

/* A metric that was asked for, of such events. */
struct stat_wish {
	size_t metric;		/* index in the lexicon */
	size_t over, under;	/* indices of wants */
};

struct stat_options {
	char *cpus;		/* as given, cut at its commas */
	char *cpu[STAT_CPUS];
	size_t n_cpus;
	unsigned long repeat, several;
	unsigned long interval;	/* ms; 0: none */
	unsigned long intervals; /* that are printed; 0: all */
	unsigned long delay, timeout; /* ms; 0: none */
	unsigned long multiplex; /* likewise, that events have a counter */
	unsigned detailed;
	bool no_events, metric_only, append, no_big_numbers, keep_input;
	bool no_time;		/* none is modelled, and none printed */
	struct pmcsim_periods sampled; /* one_in is 0: all is modelled */
	bool apart;		/* processors one behind the other */
	bool summary;		/* behind intervals, all of the command */
	bool table;		/* of the times of all runs */
	unsigned modes;		/* of events without any; 0: user mode */
	const char *pre, *post;	/* for the shell, around each run; or NULL */
	FILE *log;		/* of --log-fd; NULL: stderr */
	enum stat_format format;
	unsigned long run;	/* of those in the file */
	const char *separator, *output;
	const char *cpu_out;	/* file for the table of this host; NULL */
	char *events, *metrics;	/* lists, joined; NULL: none */
	struct stat_want *want;
	size_t n_wants;
	struct stat_wish *wish;
	size_t n_wishes;
	struct outside outside;
	struct system_option system;
	struct regions_option regions;
	char **command;
};

/* A region of the command on one CPU: counts as struct stat_cpu has them. */
struct stat_region {
	char *name;
	struct pmcsim_region is; /* in the last run; but for its name */
	uint64_t *count;
	double *user, *kernel;
};

/* With --multiplex: what an event has of its counter. */
struct stat_share {
	double running;		/* percent of the time */
	uint64_t exact;		/* what it would have counted all the time */
};

/* With --sampled: what is known of a count. */
struct stat_estimate {
	bool is;		/* it is one; else it is exact */
	bool missed;		/* it cannot be told */
	double deviation;	/* percent */
};

/* Counts of one CPU, of all runs. */
struct stat_cpu {
	struct pmcsim_cpu *cpu;
	struct pmcsim_lexicon *lexicon;
	struct pmcsim_ask *ask;	/* of each want; then the time of the run */
	bool *supported;	/* of each want */
	uint64_t *count;	/* [run * (n_wants + 1) + want] */
	double *user, *kernel;	/* seconds of each run */
	size_t runs;		/* so many have ended */
	bool begun;		/* counting has, in one of them */
	/* At intervals: counts so far, as above, and cycles. */
	uint64_t *note;
	double *note_seconds;
	size_t n_notes;
	struct stat_share *share; /* of each want; NULL: all have one */
	struct stat_estimate *estimate; /* of each want; NULL: none is one */
	struct pmcsim_measured measured; /* ... of the run */
	struct stat_region *region;
	size_t n_regions;
	struct pmcsim_region asked; /* whose counts these are, if it is not the
				       command: as "is" of a region */
};

struct stat {
	struct stat_options *o;
	struct stat_cpu cpu[STAT_CPUS];
	char prefix[80];	/* of what is printed: the end of an interval, or
				   a thread */
	bool further;		/* it is not the first one */
	bool partial;
	int status;
	const struct stat_region *region; /* whose counts are shown, or NULL */
};

/* A number behind a count: "0.52  insn per cycle". */
struct stat_metric {
	double value;
	unsigned digits;
	const char *sign;	/* "%", "", behind the number */
	char unit[48];
};

#define STAT_METRICS 4

/* The event of a word, and in *shown what it is printed as; both the caller's,
 * NULL without memory.  "cpu/event=0xc4,umask=0x20", up to the second slash, is
 * "r20c4", "cpu/NAME" that name; ends the tool where it is neither. */
char *stat_pmu_event(const char *word, char **shown);

/* Options, and what is wanted, which is the same for all CPUs. */
void stat_parse(struct stat_options *o, int argc, char **argv);
/* Ends the tool if they exclude each other. */
void stat_check(const struct stat_options *o);
void stat_parse_events(struct stat_options *o);
/* The option that lets events count in user mode only; NULL: there is none. */
const char *stat_user_only(const struct stat_options *o);
/* Adds what metrics divide; a lexicon knows them. */
void stat_parse_metrics(struct stat_options *o,
			const struct pmcsim_lexicon *lexicon);
void stat_free_options(struct stat_options *o);

/* Mean of the runs, and its deviation in percent of it. */
double stat_mean(const struct stat *s, const struct stat_cpu *c, size_t want,
		 double *deviation);
double stat_seconds(const struct stat_cpu *c, double *deviation);
/* How many counts machines are asked for: all wants, and behind them the time
 * of the run, if there is one. */
size_t stat_n_asked(const struct stat *s);

/* Nanoseconds that events were counted for. */
double stat_run_time(const struct stat *s, const struct stat_cpu *c);

/* The metrics of a want, at most STAT_METRICS. */
size_t stat_metrics(const struct stat *s, const struct stat_cpu *c,
		    size_t want, struct stat_metric *metric);

/* What a want is on a CPU that knows it. */
const struct pmcsim_named *stat_named(const struct stat_cpu *c, size_t want);

/* "msec", "ns" or "" behind a want's number; in which it is so many
 * times smaller. */
const char *stat_unit(const struct stat_cpu *c, size_t want, double *smaller);

/* Before a run, and behind it: when counting begins, what is counted at intervals,
 * when the command is asked to end. */
void stat_note(const struct stat *s, const struct stat_cpu *c,
	       struct pmcsim_machine *m);
void stat_keep_notes(const struct stat *s, struct stat_cpu *c,
		     struct pmcsim_machine *m);

/* Behind these: lets events take turns on the processor's counters, if that is
 * asked for, and counts be what these would say. */
void stat_multiplex(const struct stat *s, struct stat_cpu *c);

/* With --sampled, behind a run: what is an estimate.  And what is printed of that. */
void stat_keep_estimates(const struct stat *s, struct stat_cpu *c,
			 struct pmcsim_machine *m, struct pmcsim_value *value);
void stat_put_measured(const struct stat *s, const struct stat_cpu *c,
		       FILE *out);
void stat_json_measured(const struct stat *s, const struct stat_cpu *c,
			FILE *out);

/* ONE_IN[,WARM,MEASURED]; ends the tool if it is not. */
struct pmcsim_periods stat_periods(const char *text);
/* Ends the tool if the command is not executed by the engine that can do that. */
void stat_check_sampled(const struct stat *s);

/* Whether deviations are printed: of several runs, or estimates. */
bool stat_deviates(const struct stat *s);

/* Whether a want has been counted at any time; and in how many percent of it,
 * with the error of its count in percent: false, all of it. */
bool stat_counted(const struct stat_cpu *c, size_t want);
bool stat_shared(const struct stat *s, const struct stat_cpu *c, size_t want,
		 double *running, double *error);

/* Whether any are counted. */
bool stat_has_regions(const struct stat_options *o);

/* Behind a run: what it has counted in regions.  Lets each be written as if it
 * were the command. */
void stat_keep_regions(const struct stat *s, struct stat_cpu *c,
		       struct pmcsim_machine *m);
void stat_free_regions(struct stat_cpu *c);
void stat_write_regions(const struct stat *s, FILE *out,
			void (*write)(const struct stat *view, FILE *out));

/* The counts of a region, or thread, in place of those of the command. */
struct stat stat_view(const struct stat *s, const struct stat_region *like);

/* The name of the region, or thread, whose counts are shown; NULL: the command's are. */
const char *stat_region_name(const struct stat *s);

void stat_write_intervals(struct stat *s, FILE *out);

/* A want of one CPU, with its metrics. */
void stat_put_want(const struct stat *s, const struct stat_cpu *c,
		   size_t want, FILE *out);

/* What was wanted of one CPU, a line each, or metrics alone. */
void stat_put_text(const struct stat *s, const struct stat_cpu *c, FILE *out);
void stat_put_csv(const struct stat *s, const struct stat_cpu *c, FILE *out);
void stat_put_json(const struct stat *s, const struct stat_cpu *c, FILE *out);

/* What stands above counts of one CPU, and below. */
void stat_put_title(const struct stat *s, FILE *out);
void stat_put_end(const struct stat *s, const struct stat_cpu *c, FILE *out);

void stat_write_text(const struct stat *s, FILE *out);
void stat_write_region(const struct stat *view, FILE *out);
/* Threads side by side: of each event those that have counted most first. */
void stat_write_threads(const struct stat *s, FILE *out);
void stat_write_table(const struct stat *s, FILE *out);
void stat_write_csv(const struct stat *s, FILE *out);
void stat_write_json(const struct stat *s, FILE *out);

/* A record for each count and metric, and their columns; a table. */
#define STAT_COLUMNS "kind,region,name,value,unit,deviation_percent,reason"
void stat_write_tidy(const struct stat *s, FILE *out);
void stat_write_markdown(const struct stat *s, FILE *out);

#endif
