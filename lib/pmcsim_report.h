/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Metrics, reports, and files that are written whole or not at all.  See pmcsim.h. */
#ifndef PMCSIM_REPORT_H
#define PMCSIM_REPORT_H

#include "pmcsim_run.h"
#include "pmcsim_region.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Metrics --------------------------------------------------------- */

/* A measured event: what metrics are worked out from and reports print. */
struct pmcsim_count {
	unsigned parity;	/* 0 even list, 1 odd list */
	unsigned code;
	unsigned modes;
	int tc, vpe;
	struct pmcsim_value value;
};

/*
 * The value of a metric for counts of the same modes and context.  -ENODATA
 * when an event that it needs is missing, -EDOM when it divides by zero.
 */
PMCSIM_API int pmcsim_metric_value(const struct pmcsim_cpu *cpu,
				   const struct pmcsim_metric *metric,
				   const struct pmcsim_count *count, size_t n,
				   double *value);

/* Mean, deviation and outliers of repeated counts (MD00548, 4.4, 4.5). */
struct pmcsim_spread {
	double mean;	  /* of those kept */
	double deviation; /* sample standard deviation of those kept */
	uint64_t min, max; /* of those kept */
	size_t kept, outliers;
};
PMCSIM_API int pmcsim_spread(const uint64_t *count, size_t n,
			     struct pmcsim_spread *spread);

/* ---- Reports --------------------------------------------------------- */

/* A line of a report. */
struct pmcsim_row {
	struct pmcsim_count count; /* of repeats: the mean of those kept */
	bool measured;		   /* false: its run has not taken place */
	const uint64_t *repeat;	   /* the counts of all repeats, or NULL */
	size_t n_repeat;
};

/* The lines of a region, as many as the report has. */
struct pmcsim_report_region {
	struct pmcsim_region is;
	const struct pmcsim_row *row;
};

struct pmcsim_report {
	const struct pmcsim_cpu *cpu;
	char *const *command;	   /* NULL-terminated; NULL: not known */
	const unsigned *even, *odd; /* events asked for */
	size_t n_even, n_odd;
	size_t runs;		   /* of the plan, repeats not counted */
	bool partial;		   /* stopped before its end */
	unsigned doubts;	   /* see pmcsim_machine_doubts() */
	const char *system;	   /* board whose kernel code was executed;
				    * NULL: none */
	const char *engine;	   /* that executed it; NULL: not known */
	const char *isa;	   /* level of x86-64 that it saw; NULL: none */
	const char *environment;   /* its hash; NULL: not known */
	const char *unmeasured;	   /* why rows are not; NULL: stopped before */
	bool precision;		   /* text: say how well each is known */
	const struct pmcsim_row *row;
	size_t n;		   /* rows of a mode and context together */
	const struct pmcsim_region *only; /* that all rows are of, or NULL */
	const struct pmcsim_report_region *region;
	size_t n_regions;
};

/*
 * The header of its CSV; region is empty for the whole command.
 */
#define PMCSIM_REPORT_COLUMNS                                                \
	"kind,mode,vpe,tc,list,event,name,label,value,unit,precision,reason," \
	"ledger,wrapped,mean,deviation,outliers,region"

/*
 * Write a report: the table of pc_parse, JSON (schema pmcsim-sweep/1), CSV
 * (RFC 4180).  Numbers are written as in the C locale.  -EIO, -ENOSPC and
 * others when the stream fails, -ENOMEM.
 */
PMCSIM_API int pmcsim_report_text(const struct pmcsim_report *report,
				  FILE *out);
PMCSIM_API int pmcsim_report_json(const struct pmcsim_report *report,
				  FILE *out);
PMCSIM_API int pmcsim_report_csv(const struct pmcsim_report *report,
				 FILE *out);

/* The two lines that list the events asked for, each with prefix before. */
PMCSIM_API void pmcsim_report_lists(const struct pmcsim_report *report,
				    const char *prefix, FILE *out);

/* "exact", "structural", "timing", "zero" or "not-modelled". */
PMCSIM_API const char *pmcsim_precision_name(enum pmcsim_precision precision);

/* Writes a JSON string, quotes included, or null; bytes that are not UTF-8
 * become U+FFFD. */
PMCSIM_API void pmcsim_json_text(const char *text, FILE *out);

/* Writes a list that NULL ends, as an array; NULL itself as null. */
PMCSIM_API void pmcsim_json_texts(char *const *texts, FILE *out);

/* Writes a field of CSV, quoted where it has to be. */
PMCSIM_API void pmcsim_csv_text(const char *text, FILE *out);

/* Lists as JSON, schema pmcsim-list/1: events of a CPU; names of CPUs. */
PMCSIM_API void pmcsim_events_json(const struct pmcsim_cpu *cpu, FILE *out);
PMCSIM_API void pmcsim_names_json(char *const *name, size_t n, FILE *out);

/* ---- Reports that are read ---------------------------------------------- */

/* A count, or a metric of several. */
struct pmcsim_figure {
	char *name;	/* "DCACHE_MISSES", "ipc" */
	char *which;	/* tells it from others of that name, "mode U, tc 1" */
	char *region;	/* that it is of; NULL: of the whole command */
	bool metric;
	bool known;	/* else it has no value */
	uint64_t count;	/* of no metric */
	double value;	/* the same, rounded; of a metric as it was written */
};

struct pmcsim_figures {
	char *schema;	/* "pmcsim-sweep/1" */
	char *cpu;
	char *engine;	/* NULL: the report does not say */
	char *environment;	/* hash, see pmcsim_environment_hash(); NULL */
	char *command;	/* as JSON; NULL: the report does not say */
	bool partial;	/* the run was stopped before its end */
	struct pmcsim_figure *figure;
	size_t n;
};

/*
 * Reads the counts of a report in JSON that a tool has written, and its
 * metrics; those of single processes are left out.  *figures is the caller's.
 * A count is one from 0 to 2^63 - 1.  -EINVAL with the file and where in it,
 * -ENOENT and others, -ENOMEM.
 */
PMCSIM_API int pmcsim_figures_read(const char *path,
				   struct pmcsim_figures **figures,
				   struct pmcsim_error *error);
PMCSIM_API void pmcsim_figures_free(struct pmcsim_figures *figures);

/* ---- Output files ---------------------------------------------------- */

struct pmcsim_output;

/*
 * A file that is complete or as it was before: what is written to *stream
 * appears under path when it is closed, appended to what was there or in its
 * place.  A path that is no regular file (a terminal, a pipe), or the one that
 * standard output or standard error goes to, is written to directly.  Negative
 * errno code on failure.
 */
PMCSIM_API int pmcsim_output_open(const char *path, bool append,
				  struct pmcsim_output **output,
				  FILE **stream);
/* Whether the file could be written: 0, or negative errno code. */
PMCSIM_API int pmcsim_output_check(const char *path);
/* Puts the file in place, or gives it up.  Frees output in any case. */
PMCSIM_API int pmcsim_output_close(struct pmcsim_output *output);
PMCSIM_API void pmcsim_output_abandon(struct pmcsim_output *output);

#ifdef __cplusplus
}
#endif

#endif
