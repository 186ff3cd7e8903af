/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What devices of each system show: words, dumps, files.  See pmcsim.h. */
#ifndef PMCSIM_DEVICE_H
#define PMCSIM_DEVICE_H

#include "pmcsim_report.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- OpenBSD's pctr(4) ------------------------------------------------ */

/* What PCIOCRD reads. */
struct pmcsim_pctr {
	uint32_t function[2];
	uint64_t tsc;
	uint64_t counter[2];
	uint64_t idle;
};

/* Which counters a CPU of system openbsd has: 5 those of the Pentium, 6 of
 * the Pentium Pro, 0 another system's. */
PMCSIM_API int pmcsim_pctr_family(const struct pmcsim_cpu *cpu);

/*
 * Whether counter 0 or 1 can be given a function.  -ENODEV when the machine
 * has no such counters, -EINVAL for a function that does not exist or that the
 * model cannot tell; the sentence is in error.
 */
PMCSIM_API int pmcsim_pctr_check(const struct pmcsim_machine *m,
				 unsigned counter, uint32_t function,
				 struct pmcsim_error *error);

/* Selects it, and clears the counter, as PCIOCS0 and PCIOCS1 do; fails as
 * above. */
PMCSIM_API int pmcsim_pctr_select(struct pmcsim_machine *m, unsigned counter,
				  uint32_t function,
				  struct pmcsim_error *error);

/* -ENODEV when the machine is not one of system openbsd. */
PMCSIM_API int pmcsim_pctr_read(struct pmcsim_machine *m,
				struct pmcsim_pctr *state);

/* As "unknown" of struct pmcsim_value: of what counter 0 or 1 has. */
PMCSIM_API const char *pmcsim_pctr_unknown(const struct pmcsim_machine *m,
					   unsigned counter);

/* ---- Itanium's PMC and PMD registers ---------------------------------- */

/*
 * The instructions that reach them, executed at privilege level 0: see
 * itanium_pmu(4).  What is written acts once it is serialized.  -ENODEV when
 * the machine is not one of system ia64, -EINVAL for a register number over
 * 255 or a reserved bit of the PSR.
 */
PMCSIM_API int pmcsim_ia64_set_pmc(struct pmcsim_machine *m, unsigned i,
				   uint64_t value);
PMCSIM_API int pmcsim_ia64_get_pmc(struct pmcsim_machine *m, unsigned i,
				   uint64_t *value);
PMCSIM_API int pmcsim_ia64_set_pmd(struct pmcsim_machine *m, unsigned i,
				   uint64_t value);
PMCSIM_API int pmcsim_ia64_get_pmd(struct pmcsim_machine *m, unsigned i,
				   uint64_t *value);
PMCSIM_API int pmcsim_ia64_ssm(struct pmcsim_machine *m, uint32_t mask);
PMCSIM_API int pmcsim_ia64_rsm(struct pmcsim_machine *m, uint32_t mask);
PMCSIM_API int pmcsim_ia64_serialize(struct pmcsim_machine *m);

/* What PMD i, 4 to 7, has come to since it was written, in 64 bits. */
PMCSIM_API int pmcsim_ia64_count(struct pmcsim_machine *m, unsigned i,
				 uint64_t *count);

/* As "unknown" of struct pmcsim_value: of PMD i, 4 to 7. */
PMCSIM_API const char *pmcsim_ia64_unknown(const struct pmcsim_machine *m,
					   unsigned i);

/* What PMC i is before it is written; a program that writes it keeps these
 * bits.  0 for a CPU of another system. */
PMCSIM_API uint64_t pmcsim_ia64_pmc_reset(const struct pmcsim_cpu *cpu,
					  unsigned i);

/* Bits of a PMD; 0 for a CPU of another system. */
PMCSIM_API unsigned pmcsim_ia64_width(const struct pmcsim_cpu *cpu);

/* Time that the machine's programs have taken, in seconds: in user mode,
 * and in the accounts of the operating system. */
PMCSIM_API void pmcsim_machine_time(struct pmcsim_machine *m, double *user,
				    double *system);

/* ---- Dumps of /proc/perf --------------------------------------------- */

/*
 * Writes the comment lines that begin the dumps of a sweep, and the dump of
 * run number k of repeat number r (both from 0; repeats: of how many).
 */
PMCSIM_API void pmcsim_dump_begin(const struct pmcsim_report *report,
				  FILE *out);
PMCSIM_API void pmcsim_dump_run(const struct pmcsim_run *run, size_t k,
				size_t runs, size_t r, size_t repeats,
				const struct pmcsim_value *value, FILE *out);
PMCSIM_API void pmcsim_dump_partial(FILE *out);

/* What the dumps of one sweep say. */
struct pmcsim_dump {
	char *other;		/* lines that belong to no dump, or NULL */
	char *cpu;		/* name or file of the table, NULL: not said */
	char **command;		/* NULL-terminated, NULL: not said */
	char *system;		/* board that it ran on, or NULL */
	unsigned *even, *odd;	/* events asked for, if has_lists */
	size_t n_even, n_odd;
	bool has_lists;
	bool partial;
	unsigned doubts;	/* see pmcsim_machine_doubts() */
	size_t runs;
	struct pmcsim_dump_count {
		struct pmcsim_count count;
		size_t repeat;
	} *count;		/* in the order of the dumps */
	size_t n;
};

/*
 * Reads the dumps of the next sweep, or a plain sequence of dumps, from a
 * stream.  line counts lines, from 0 at the first call.  1 when there was
 * one, 0 at the end of the stream, -EINVAL with the line in error, -EIO,
 * -ENOMEM.  Lines that do not look like dumps, such as what the target
 * printed before, are kept apart.  Free it after 1.
 */
PMCSIM_API int pmcsim_dump_read(FILE *in, unsigned long *line,
				struct pmcsim_dump *dump,
				struct pmcsim_error *error);
PMCSIM_API void pmcsim_dump_free(struct pmcsim_dump *dump);

/*
 * The report of a dump, which it borrows from; counts that appear more than
 * once are repeats.  -EINVAL for events that the CPU does not have, -ENOMEM.
 * Release its rows with pmcsim_dump_report_free.
 */
PMCSIM_API int pmcsim_dump_report(const struct pmcsim_cpu *cpu,
				  const struct pmcsim_dump *dump,
				  struct pmcsim_report *report,
				  struct pmcsim_error *error);
PMCSIM_API void pmcsim_dump_report_free(struct pmcsim_report *report);

/*
 * Sets a row's count to the mean of its repeats, set aside those that lie
 * apart; -ENOMEM.
 */
PMCSIM_API int pmcsim_row_average(struct pmcsim_row *row);

/* ---- The event counters of IRIX -------------------------------------- */

#define PMCSIM_IRIX_EVENTS 32

/*
 * Counts of a target's first process and of all children that were waited
 * for.  Where a counter had several events to count they took turns, and the
 * count is what was counted in an event's own turns.
 */
struct pmcsim_irix_counts {
	uint64_t value[PMCSIM_IRIX_EVENTS];
	uint64_t cycles[PMCSIM_IRIX_EVENTS]; /* for which it was counted */
	uint64_t turns[PMCSIM_IRIX_EVENTS];  /* clock tick to clock tick */
	uint64_t squares[PMCSIM_IRIX_EVENTS]; /* of the counts of turns */
	uint64_t all_cycles;
};

/* Counts of one process, without its children; or of one of its threads. */
struct pmcsim_irix_process {
	int pid;
	int tid;		/* 0: of all threads */
	uint64_t value[PMCSIM_IRIX_EVENTS];
};

/* What a process had counted of up to two events at a time. */
struct pmcsim_irix_sample {
	int pid;
	uint64_t cycles;	/* of the process until then */
	uint64_t value[2];	/* of the event of each counter */
};

/*
 * Lets the next target of the machine count events in modes (as struct
 * pmcsim_slot has them), in turns if there are several of one counter.
 * sample_cycles: between two samples, 0 for none.  -EINVAL for an event that
 * the CPU does not have, or a machine of another system.
 */
PMCSIM_API int pmcsim_irix_count(struct pmcsim_machine *m,
				 const unsigned *event, size_t n,
				 unsigned modes, uint64_t sample_cycles,
				 struct pmcsim_error *error);

/* The next target's processes with more than one thread tell what each of
 * them counts. */
PMCSIM_API void pmcsim_irix_tell_threads(struct pmcsim_machine *m);

/* Stops counting in all processes, and lets it go on; at any time. */
PMCSIM_API void pmcsim_irix_pause(struct pmcsim_machine *m, bool pause);

/* The counts of all processes together, as they are now. */
PMCSIM_API void pmcsim_irix_counts(struct pmcsim_machine *m,
				   struct pmcsim_irix_counts *counts);

/* Copies what up to max processes that have ended, and threads, or samples,
 * were; how many there are: the first 4096 of those and 8192 samples. */
PMCSIM_API size_t pmcsim_irix_processes(struct pmcsim_machine *m,
					struct pmcsim_irix_process *process,
					size_t max);
PMCSIM_API size_t pmcsim_irix_samples(struct pmcsim_machine *m,
				      struct pmcsim_irix_sample *sample,
				      size_t max);

/* What found no room: counts of processes that had ended, with 4096 others,
 * before their parents waited for them; processes and threads, and samples,
 * behind the last ones that were copied. */
struct pmcsim_irix_lost {
	unsigned children, processes, samples;
};

PMCSIM_API void pmcsim_irix_lost(struct pmcsim_machine *m,
				 struct pmcsim_irix_lost *lost);

/*
 * What an event would have counted without turns: its count, as often as its
 * cycles go into all.  *bound is how far that may be off, 997 times out of
 * 1000, if what happens in one turn says nothing about another, and two
 * rounds of turns, as those at both ends may have been missed; 0 for an
 * event that was counted all the time; negative if nothing is known: it was
 * counted for one turn only, or did not happen while it was.
 */
PMCSIM_API double pmcsim_irix_project(const struct pmcsim_irix_counts *counts,
				      unsigned event, double *bound);

/* Whether the events are those of an R12000, as far as they differ. */
PMCSIM_API bool pmcsim_irix_is_r12000(const struct pmcsim_cpu *cpu);

/* Cycles of a second. */
PMCSIM_API uint64_t pmcsim_cpu_clock(const struct pmcsim_cpu *cpu);

/* Costs of events in clocks. */
enum { PMCSIM_COST_TYPICAL, PMCSIM_COST_LEAST, PMCSIM_COST_MOST };
struct pmcsim_costs {
	double clocks[PMCSIM_IRIX_EVENTS][3];
};

/* Those that are used where none are given. */
PMCSIM_API void pmcsim_costs_default(const struct pmcsim_cpu *cpu,
				     struct pmcsim_costs *costs);

/*
 * Reads costs from a file: lines of an event's number and its typical, least
 * and most clocks; "#" begins a comment.  Events that are not in it keep the
 * costs that they have.  -EINVAL with file and line, -EIO, -ENOENT...
 */
PMCSIM_API int pmcsim_costs_read(const char *path, struct pmcsim_costs *costs,
				 struct pmcsim_error *error);
PMCSIM_API void pmcsim_costs_write(const struct pmcsim_costs *costs,
				   FILE *out);

/*
 * Statistics of perfex -y: number n, from 0, for counts of all events (NaN
 * for one that is not known), costs and the clock in Hz.  False when there is
 * no such number.  *value is NaN if counts are missing or it divides by 0.
 */
PMCSIM_API bool pmcsim_irix_statistic(size_t n, bool r12000,
				      const double *count,
				      const struct pmcsim_costs *costs,
				      double clock_hz, const char **label,
				      double *value);

#ifdef __cplusplus
}
#endif

#endif
