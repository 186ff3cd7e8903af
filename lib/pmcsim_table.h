/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CPU tables: what there is to count, by code.  See pmcsim.h. */
#ifndef PMCSIM_TABLE_H
#define PMCSIM_TABLE_H

#include "pmcsim_error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- CPU tables ------------------------------------------------------ */

/* How well an event's count is known. */
enum pmcsim_precision {
	PMCSIM_EXACT,	    /* from the executed instructions and addresses */
	PMCSIM_STRUCTURAL,  /* exact for the modelled structure */
	PMCSIM_TIMING,	    /* an estimate of the timing model */
	PMCSIM_ZERO,	    /* always zero on the modelled board */
	PMCSIM_LEDGER,	    /* from the accounts of operating-system work */
	PMCSIM_NOT_MODELLED /* cannot be produced */
};

/* What an event's unit mask selects. */
enum pmcsim_masked {
	PMCSIM_UNMASKED,
	PMCSIM_MASK_MESI,   /* state of the line: M 8, E 4, S 2, I 1 */
	PMCSIM_MASK_AGENT,  /* 0x20: any agent of the bus, not only this one */
	PMCSIM_MASK_BITS,   /* kinds, a bit each: see mask_limit */
	PMCSIM_MASK_NUMBER  /* one of several kinds, by its number */
};

/* One event on one list of counters. */
struct pmcsim_event {
	unsigned code;
	unsigned counters;	/* mask of counters */
	const char *name;	/* "DCACHE_MISSES" */
	const char *label;	/* as reports print it, "D-cache misses" */
	const char *text;	/* a sentence */
	char scope;		/* 'T', 'V', 'P': narrowest; 0: none */
	enum pmcsim_masked masked;
	unsigned mask_limit;	/* of bits: all of them; of a number: the
				 * largest */
	unsigned mask_default;	/* what profiles and sweeps select: all states
				 * or bits, of numbers the first, this agent */
	bool per_cycle;		/* cycles can be told apart by its number */
	bool reserved;
	bool variant;		/* another register tells it from the event of
				 * that code, which lookups by code find, or
				 * it is that one by another name */
	enum pmcsim_precision precision;
	bool averaged;		/* profiles have it by block */
	bool of_user;		/* ZERO or EXACT in user mode; what other
				 * modes have is not looked at */
	bool of_samples;	/* is no counter's: profiles have it of the
				 * instructions that they sample */
	const char *reason;	/* of ZERO and NOT_MODELLED, or NULL */
	const char *of_several;	/* the reason that it has with another number
				 * of CPUs: ZERO with one, NOT_MODELLED with
				 * several; NULL: that makes no difference */
};

/* A named list of events: the options of pc_sweep. */
struct pmcsim_group {
	const char *name;
	const char *option;	/* letter, or NULL */
	const char *text;
	const unsigned *even, *odd;
	size_t n_even, n_odd;
};

/* A ratio of events. */
struct pmcsim_metric {
	const char *name;	/* "ipc" */
	const char *label;	/* "IPC" */
	const char *text;
	const char *unit;	/* "ratio" or "percent" */
	unsigned digits;	/* behind the point */
};

struct pmcsim_cpu;

/* The interface to the counters that a CPU is shown with. */
enum pmcsim_system {
	PMCSIM_PROCPERF, /* /proc/perf: MIPS 34K Linux */
	PMCSIM_IRIX,	 /* r10k_evcntrs(5): IRIX */
	PMCSIM_OPENBSD,	 /* pctr(4): OpenBSD */
	PMCSIM_TRU64,	 /* pfm(7): Tru64 */
	PMCSIM_IA64,	 /* PMC and PMD registers: Itanium */
	PMCSIM_NONE	 /* none; pmcsim_lexicon_read() has counts */
};

/*
 * Loads a CPU table: a name looked up in the events folders ("mips34k"), "host",
 * or a file (anything with a slash or ".yaml").  *cpu belongs to the caller.
 * -ENOENT, -EINVAL with file and line in error.
 */
PMCSIM_API int pmcsim_cpu_load(const char *name, struct pmcsim_cpu **cpu,
			       struct pmcsim_error *error);
PMCSIM_API void pmcsim_cpu_free(struct pmcsim_cpu *cpu);

/*
 * How the time of machines that issue out of order is worked out, of all tables
 * that are loaded from now on: "window", micro-op by micro-op, or "interval",
 * see doc/accuracy.md; NULL: as each table says.  -EINVAL for
 * other names.  pmcsim_cpu_load() is -EINVAL then for a table in order, and for
 * one with more entries in a queue than that kind can have.
 */
PMCSIM_API int pmcsim_pipeline_choose(const char *name,
				      struct pmcsim_error *error);

/*
 * The table that the name "host" stands for, as YAML: caches and TLBs of the
 * processor that we run on, as far as the kernel and cpuid tell of them, on the
 * core of the nearest one that there is a table of.  The caller frees *text.
 * -ENOENT, -ENOMEM and others, with the sentence in error.
 */
PMCSIM_API int pmcsim_host_table(char **text, struct pmcsim_error *error);

/* Names of the tables in the events folders; free with
 * pmcsim_names_free(). */
PMCSIM_API int pmcsim_cpu_names(char ***names, size_t *n);
PMCSIM_API void pmcsim_names_free(char **names, size_t n);

/* What the table says: its name and description, which last as long as the
 * CPU; whose interface the counters have; hardware contexts, and VPEs that
 * these belong to. */
PMCSIM_API const char *pmcsim_cpu_name(const struct pmcsim_cpu *cpu);
PMCSIM_API const char *pmcsim_cpu_text(const struct pmcsim_cpu *cpu);
PMCSIM_API enum pmcsim_system
pmcsim_cpu_system(const struct pmcsim_cpu *cpu);
PMCSIM_API unsigned pmcsim_cpu_contexts(const struct pmcsim_cpu *cpu);
PMCSIM_API unsigned pmcsim_cpu_vpes(const struct pmcsim_cpu *cpu);

/*
 * Machines made from this table have n CPUs from now on, each with caches of
 * its own, kept coherent by a directory; each is a context.  Events that are
 * zero with one CPU, but not modelled with several, are what they are with n.
 * 1 to PMCSIM_MAX_CPUS; -EINVAL, also if n is not 1 and one CPU has several
 * contexts already.
 */
#define PMCSIM_MAX_CPUS 16
PMCSIM_API int pmcsim_cpu_set_cpus(struct pmcsim_cpu *cpu, unsigned n,
				   struct pmcsim_error *error);

/* All of n, in the table's order; they last as long as the CPU. */
PMCSIM_API const struct pmcsim_event *
pmcsim_cpu_events(const struct pmcsim_cpu *cpu, size_t *n);
PMCSIM_API const struct pmcsim_group *
pmcsim_cpu_groups(const struct pmcsim_cpu *cpu, size_t *n);
PMCSIM_API const struct pmcsim_metric *
pmcsim_cpu_metrics(const struct pmcsim_cpu *cpu, size_t *n);

/*
 * The events that a metric divides, if it does no more than that, and what
 * each is multiplied by.  -ENOTSUP if there are others, -EINVAL.
 */
struct pmcsim_quotient {
	const struct pmcsim_event *over, *under;
	unsigned over_factor, under_factor;
};

PMCSIM_API int pmcsim_metric_quotient(const struct pmcsim_cpu *cpu,
				      const struct pmcsim_metric *metric,
				      struct pmcsim_quotient *quotient);

/* The event of that code on that counter, or NULL. */
PMCSIM_API const struct pmcsim_event *
pmcsim_cpu_event(const struct pmcsim_cpu *cpu, unsigned counter,
		 unsigned code);

#ifdef __cplusplus
}
#endif

#endif
