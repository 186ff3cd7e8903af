/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libpmcsim: classic performance counters, emulated.
 *
 * Load a CPU table, plan which event goes on which counter in which run,
 * run a target under the emulated device, read the counters, work out
 * metrics.  Functions return 0 or a negative errno-style code, never print
 * and never exit; where a struct pmcsim_error is taken, it says in one
 * sentence what was wrong and where.
 */
#ifndef PMCSIM_H
#define PMCSIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PMCSIM_API __attribute__((visibility("default")))

/* One sentence without a final newline; empty when nothing went wrong. */
struct pmcsim_error {
	char text[512];
};

/* Version of the library, "1.2.3". */
PMCSIM_API const char *pmcsim_version(void);

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
 * Loads a CPU table: a name looked up in the events folders ("mips34k"), or
 * a file (anything with a slash or ".yaml").  *cpu belongs to the caller.
 * -ENOENT, -EINVAL with file and line in error.
 */
PMCSIM_API int pmcsim_cpu_load(const char *name, struct pmcsim_cpu **cpu,
			       struct pmcsim_error *error);
PMCSIM_API void pmcsim_cpu_free(struct pmcsim_cpu *cpu);

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

/* ---- Plans ----------------------------------------------------------- */

/* One counter of one run. */
struct pmcsim_slot {
	unsigned counter;	/* hardware counter */
	unsigned code;
	uint32_t control;	/* as programmed */
	unsigned modes;		/* bit 3 user, 2 supervisor, 1 kernel, 0 EXL */
	int tc;			/* -1: all */
	int vpe;		/* -1: all */
};

struct pmcsim_run {
	struct pmcsim_slot *slot;
	size_t n;
};

/* What is wanted: events on even and on odd counters, modes, contexts. */
struct pmcsim_wish {
	const unsigned *even, *odd;	/* sorted, no duplicates */
	size_t n_even, n_odd;
	const unsigned *modes;		/* each is measured for itself */
	size_t n_modes;
	const int *tcs;			/* {-1} for all together */
	size_t n_tcs;
	const int *vpes;		/* {-1} for all together */
	size_t n_vpes;
	bool once;			/* one run on a widened device */
};

struct pmcsim_plan {
	struct pmcsim_run *run;
	size_t n;
};

/* Checks the wish against the table and packs it into the fewest runs. */
PMCSIM_API int pmcsim_plan(const struct pmcsim_cpu *cpu,
			   const struct pmcsim_wish *wish,
			   struct pmcsim_plan *plan,
			   struct pmcsim_error *error);
PMCSIM_API void pmcsim_plan_free(struct pmcsim_plan *plan);

/* ---- Machines and runs ----------------------------------------------- */

struct pmcsim_machine;

/* A machine that lives as long as the caller keeps it (path NULL), or one
 * that lasts, in a new file at path (-EEXIST if there is one). */
PMCSIM_API int pmcsim_machine_new(const struct pmcsim_cpu *cpu,
				  const char *path,
				  struct pmcsim_machine **machine,
				  struct pmcsim_error *error);
PMCSIM_API int pmcsim_machine_open(const char *path,
				   struct pmcsim_machine **machine,
				   struct pmcsim_error *error);
PMCSIM_API void pmcsim_machine_free(struct pmcsim_machine *machine);

/* Settings of a machine; see pmcsim(1). */
PMCSIM_API void pmcsim_machine_set_uid(struct pmcsim_machine *m,
				       unsigned uid);
PMCSIM_API void pmcsim_machine_set_range_extension(struct pmcsim_machine *m,
						   bool on);
PMCSIM_API void pmcsim_machine_set_parallel(struct pmcsim_machine *m,
					    bool on);
PMCSIM_API void pmcsim_machine_set_clock(struct pmcsim_machine *m, bool on);
/* Commands get the random numbers of that seed, the same in each run. */
PMCSIM_API void pmcsim_machine_set_seed(struct pmcsim_machine *m,
					uint64_t seed);

/* The text of /proc/perf, both directions (MD00548, 4.2). */
PMCSIM_API int pmcsim_machine_cat(struct pmcsim_machine *m, char **text);
PMCSIM_API int pmcsim_machine_write(struct pmcsim_machine *m,
				    const char *text, size_t length,
				    struct pmcsim_error *error);

/* Programs the counters of a run, values zero. */
PMCSIM_API int pmcsim_machine_program(struct pmcsim_machine *m,
				      const struct pmcsim_run *run,
				      struct pmcsim_error *error);

/* A counter's value. */
struct pmcsim_value {
	uint64_t count;	   /* exact, 64 bits */
	uint64_t shown;	   /* what the register or its extension shows */
	bool wrapped;	   /* shown lost a carry */
	bool ledger;	   /* part of it is accounted, not counted */
	const char *unknown; /* why it has nothing of those of its modes that
			      * are not user mode; NULL: it has what they had,
			      * or there are none */
};

/* Reads the values of a run's slots, in their order, into value[run->n]. */
PMCSIM_API int pmcsim_machine_values(struct pmcsim_machine *m,
				     const struct pmcsim_run *run,
				     struct pmcsim_value *value);

/* As "unknown" of struct pmcsim_value: of an event of a counter, if it is
 * counted in these modes. */
PMCSIM_API const char *pmcsim_machine_unknown(const struct pmcsim_machine *m,
					      unsigned counter, unsigned code,
					      unsigned modes);

/* Instructions that the target has completed in user mode so far. */
PMCSIM_API uint64_t pmcsim_machine_instructions(struct pmcsim_machine *m);

/* Cycles that it has taken in user mode, as far as counters needed them. */
PMCSIM_API uint64_t pmcsim_machine_cycles(struct pmcsim_machine *m);

/*
 * Narrows a plan made for all contexts to one TC, or one VPE (the other is
 * -1).  An event of a wider scope, such as cycles, goes on counting in that
 * scope, as the device has it (MD00548, Figure 8).
 */
PMCSIM_API void pmcsim_plan_narrow(struct pmcsim_plan *plan, int tc, int vpe);

/* Programs that the target executed without engine: they are not counted. */
PMCSIM_API unsigned pmcsim_machine_uncounted(struct pmcsim_machine *m);

/* Whether threads of the target did not take turns since a counter was
 * programmed, so that another run need not count the same. */
PMCSIM_API bool pmcsim_machine_unrepeatable(struct pmcsim_machine *m);

/*
 * Reasons to doubt what the last target has counted, a bit for each.  Each has
 * a name and a sentence, NULL from the first number on that is none;
 * pmcsim_doubt_find() is the number of a name, or -1.  In JSON they are an
 * array of objects with both.
 */
PMCSIM_API unsigned pmcsim_machine_doubts(const struct pmcsim_machine *m);
PMCSIM_API const char *pmcsim_doubt_name(unsigned n);
PMCSIM_API const char *pmcsim_doubt_text(unsigned n);
PMCSIM_API int pmcsim_doubt_find(const char *name);
PMCSIM_API void pmcsim_json_doubts(unsigned doubts, FILE *out);

/*
 * Tells the machine which events the runs of a whole plan count, so that a
 * run which needs no caches and no cycles does not model them, and all runs
 * of a plan agree.  Without it a machine models everything.
 */
PMCSIM_API void pmcsim_machine_prepare(struct pmcsim_machine *m,
				       const struct pmcsim_plan *plan);

/* The name of the table that the machine was made of. */
PMCSIM_API const char *
pmcsim_machine_cpu_name(const struct pmcsim_machine *m);

/* How many CPUs it has, see pmcsim_cpu_set_cpus(). */
PMCSIM_API unsigned pmcsim_machine_cpus(const struct pmcsim_machine *m);

/* How a target ended. */
struct pmcsim_exit {
	int status;	 /* exit status; 128 + n if a signal ended it */
	int signal;	 /* that ended it, 0 if none */
	bool interrupted; /* the caller's SIGINT or SIGTERM stopped it */
	bool partial;	 /* that, a system's limit, or its parent was killed:
			    not all was counted */
	bool left;	 /* processes of it still run */
};

struct pmcsim_start {
	char *const *argv;	/* NULL-terminated, argv[0] is looked up */
	bool quiet;		/* its stdin, stdout, stderr are /dev/null */
	const int *fd;		/* its stdin, stdout, stderr; NULL: ours */
	const volatile int *stop; /* counts signals that stop the target */
	const char *system;	/* board with a kernel, that it runs in: see
				   pmcsim-system(1); NULL: user mode only */
};

/*
 * Whether a command could be run: 0, or what pmcsim_machine_run would return
 * before it starts anything.
 */
PMCSIM_API int pmcsim_command_check(char *const *argv,
				    struct pmcsim_error *error);

/* The same for a command in a system, see struct pmcsim_start.  alone: set to
 * whether the folder that it starts in is too large to go along. */
PMCSIM_API int pmcsim_system_check(const char *system, char *const *argv,
				   bool *alone, struct pmcsim_error *error);

/* Whether a command for a system is a program of the host's that can be run
 * without one, in user mode alone: 0, or as above; -ENOEXEC if it is for
 * another instruction set than the board's. */
PMCSIM_API int pmcsim_system_without(const char *system, char *const *argv,
				     struct pmcsim_error *error);

/*
 * Runs the target on the machine and waits for it and for nothing else; its
 * stdin, stdout, stderr, exit status are its own.  -ENOENT (not found),
 * -EACCES or -ENOEXEC (not executable), -ENOTSUP (no engine for its
 * instruction set), -ENXIO (no engine); the sentence is in error.
 *
 * When a handler of SIGINT, SIGTERM or SIGHUP has counted *stop up, the target
 * and its descendants are asked to end (SIGTERM; two seconds later if the
 * terminal sent them the signal too), and killed if they have not done so
 * another two seconds later, or when *stop is counted up again.  The same
 * happens when the caller dies.
 */
PMCSIM_API int pmcsim_machine_run(struct pmcsim_machine *m,
				  const struct pmcsim_start *start,
				  struct pmcsim_exit *how,
				  struct pmcsim_error *error);

/* The same in two steps, for several targets side by side. */
struct pmcsim_process;
PMCSIM_API int pmcsim_machine_start(struct pmcsim_machine *m,
				    const struct pmcsim_start *start,
				    struct pmcsim_process **process,
				    struct pmcsim_error *error);

/* Waits for the end and frees the process, whatever it returns. */
PMCSIM_API int pmcsim_process_wait(struct pmcsim_process *process,
				   struct pmcsim_exit *how,
				   struct pmcsim_error *error);

/* What the kernel of a system did while the command ran in it. */
struct pmcsim_system_facts {
	uint64_t syscalls;
	uint64_t interrupts;
	uint64_t faults;	/* exceptions that are neither, nor refills */
	uint64_t refills;	/* of the TLB, by the kernel */
	uint64_t pages;		/* those of the faults that are page faults,
				 * on a board that tells them apart */
	uint64_t waits;		/* times that there was nothing to do */
};

/* False if no command has run in a system on this machine. */
PMCSIM_API bool pmcsim_machine_system(const struct pmcsim_machine *m,
				      struct pmcsim_system_facts *facts);

/* ---- Profiles -------------------------------------------------------- */

#define PMCSIM_PROFILE_EVENTS 8

/*
 * How events are attributed to instructions: each happening of each event
 * (period 0), or one in so many.  each: of a run's slot, in place of period,
 * unless 0; all or none of the events are sampled.  jitter: at most so much
 * more, at random but always alike for a seed, so that loops do not keep step.
 *
 * of_samples: one instruction in so many is sampled, and what of the event it
 * has caused is recorded; what all instructions have is estimated from that.
 * average: each sample is shared by the instructions of its block.
 *
 * calls: the calls that led to each sample are recorded.
 */
struct pmcsim_sampling {
	uint64_t period;
	uint64_t each[PMCSIM_PROFILE_EVENTS];
	uint64_t jitter;
	uint32_t seed;
	bool of_samples[PMCSIM_PROFILE_EVENTS];
	bool average[PMCSIM_PROFILE_EVENTS];
	bool calls;
};

/*
 * Programs the counters of a run, values zero, of at most
 * PMCSIM_PROFILE_EVENTS slots, and has targets that are started from now on
 * profiled by them.  -E2BIG, -EINVAL (an event that is not counted).
 */
PMCSIM_API int
pmcsim_machine_profile(struct pmcsim_machine *m, const struct pmcsim_run *run,
		       const struct pmcsim_sampling *sampling,
		       struct pmcsim_error *error);

/* A program that ran: an execution, or what a fork made of it. */
struct pmcsim_image {
	unsigned number;	/* from 1 */
	unsigned parent;	/* image before it or that forked it; 0: none */
	bool forked;
	int pid;
};

/* What has happened at an instruction. */
struct pmcsim_place {
	unsigned image;		/* number */
	unsigned module;	/* index; the first one is for no file */
	uint64_t offset;	/* in the module's file, else as pc */
	uint64_t pc;
	uint64_t path;		/* of calls that led there, from 1; 0: none */
	uint64_t count[PMCSIM_PROFILE_EVENTS]; /* happenings, or samples */
};

/* A path of calls: one call behind another path. */
struct pmcsim_call {
	unsigned parent;	/* that path, a smaller number; 0: none */
	unsigned module;	/* where the call is, as for places */
	uint64_t offset;
	uint64_t taken;		/* so often; 0 if the program was killed */
};

/*
 * A profile: places by module, offset, image and path, in this order.  What could
 * not be attributed to any of them is the rest: all together are the total.
 */
struct pmcsim_profile {
	size_t n_events;
	uint64_t period;	/* 0: happenings are counted, else samples */
	uint64_t each[PMCSIM_PROFILE_EVENTS];	/* periods of events */
	uint64_t total[PMCSIM_PROFILE_EVENTS];	/* as the counters have it */
	uint64_t rest[PMCSIM_PROFILE_EVENTS];	/* of total, no happening */
	bool estimate[PMCSIM_PROFILE_EVENTS];	/* counts are happenings, as
						 * estimated from samples */
	bool of_samples[PMCSIM_PROFILE_EVENTS];	/* of instructions */
	const char *const *module; /* paths; module[0] is "" */
	const char *const *build; /* build id of each, in hexadecimal; NULL, or
				   * NULL for all: not known */
	size_t n_modules;
	const struct pmcsim_image *image;
	size_t n_images;
	const struct pmcsim_place *place;
	size_t n_places;
	bool calls;		/* paths were asked for */
	const struct pmcsim_call *call; /* path n is number n - 1 */
	size_t n_calls;
	unsigned lost;		/* records that found no room */
};

/* Reads what has been profiled so far; the caller's.  -ENODATA if nothing was
 * asked for, -ENOMEM, -EINVAL for a machine that is damaged. */
PMCSIM_API int pmcsim_profile_read(struct pmcsim_machine *m,
				   struct pmcsim_profile **profile);
PMCSIM_API void pmcsim_profile_free(struct pmcsim_profile *profile);

/* Puts together what is within so many bytes of code, at the first of them; 0:
 * within each module. */
PMCSIM_API void pmcsim_profile_round(struct pmcsim_profile *profile,
				     uint64_t stride);

/*
 * Names the places of a profile of user code, taken in a system: those of the
 * command's program are in its file, if it is linked to fixed addresses, the
 * others in one module.  1 if the program is such a one, else 0; -ENOMEM.
 */
PMCSIM_API int pmcsim_system_name(char *const *argv,
				  struct pmcsim_profile *profile);

/* What is known about an instruction in a file. */
struct pmcsim_symbol {
	const char *name;	/* of its function; NULL: none known */
	uint64_t start, size;	/* of the function: offset, bytes */
	const char *file;	/* source; NULL: not known */
	unsigned line;		/* 0: not known */
	bool unnamed;		/* the name is the function's address */
};

/*
 * Looks instructions up in ELF files, whatever these hold: of one that is cut
 * off or made up nothing is known; functions of one that is stripped have the
 * names that it exports, or their addresses.  Strings belong to the symbols,
 * which remember files.  NULL without memory.
 */
struct pmcsim_symbols;
PMCSIM_API struct pmcsim_symbols *pmcsim_symbols_new(void);
PMCSIM_API void pmcsim_symbols_free(struct pmcsim_symbols *symbols);
PMCSIM_API void pmcsim_symbol_find(struct pmcsim_symbols *symbols,
				   const char *path, uint64_t offset,
				   bool line, struct pmcsim_symbol *symbol);

/* The build id of an ELF file, in hexadecimal: the caller's; NULL if it has
 * none, or one of more than 64 bytes. */
PMCSIM_API char *pmcsim_build_id(const char *path);

/* Function number n, from 0, of a file; false if it has not so many. */
PMCSIM_API bool pmcsim_symbols_function(struct pmcsim_symbols *symbols,
					const char *path, size_t n,
					struct pmcsim_symbol *symbol);

/* A function, or a line of source, of a profile, with all its places. */
struct pmcsim_profile_row {
	unsigned module;
	struct pmcsim_symbol symbol; /* line 0, file NULL: of a function */
	uint64_t count[PMCSIM_PROFILE_EVENTS];
};

/*
 * Adds places up by function, or by line of source: rows with most of the
 * first event first.  free() *row.  -ENOMEM.
 */
PMCSIM_API int pmcsim_profile_rows(const struct pmcsim_profile *profile,
				   struct pmcsim_symbols *symbols, bool lines,
				   struct pmcsim_profile_row **row, size_t *n);

/* Happenings that a count of an event stands for. */
PMCSIM_API uint64_t pmcsim_profile_cost(const struct pmcsim_profile *profile,
					unsigned event, uint64_t count);

/* A ratio of two of a profile's events, by their numbers. */
struct pmcsim_ratio {
	char *name, *label;
	unsigned over, over_factor, under, under_factor;
};

/* A function of code that is in no file: of a system's kernel.  Offsets in
 * its module are addresses. */
struct pmcsim_listed {
	unsigned module;
	uint64_t start, size;
	char *name;
};

/* A profile in a file: umon.out(5). */
struct pmcsim_umon {
	char *cpu;		/* name of the table */
	char **command;		/* NULL-terminated */
	char *event[PMCSIM_PROFILE_EVENTS]; /* names */
	char *label[PMCSIM_PROFILE_EVENTS];
	struct pmcsim_ratio ratio[PMCSIM_PROFILE_EVENTS];
	size_t n_ratios;
	uint64_t clock_hz;
	uint64_t stride;	/* bytes of code per place; 1: each instruction
				 * has its own, 0: there is only one */
	bool partial;		/* stopped before its end */
	unsigned doubts;	/* see pmcsim_machine_doubts() */
	struct pmcsim_profile *profile;
	struct pmcsim_listed *listed; /* by module and address */
	size_t n_listed;
};

/* Notes the build ids of a new profile's files, as they are now: 0 or
 * -ENOMEM. */
PMCSIM_API int pmcsim_umon_identify(struct pmcsim_umon *umon);

/* Symbols that know what the profile lists itself; NULL without memory. */
PMCSIM_API struct pmcsim_symbols *
pmcsim_umon_symbols(const struct pmcsim_umon *umon);

/* Writes it; the stream tells whether that went well. */
PMCSIM_API void pmcsim_umon_write(const struct pmcsim_umon *umon, FILE *out);

/*
 * Reads one.  *umon is the caller's.  -EINVAL with file and line for what is
 * none, cut off, changed, or does not add up; -ENOMEM, -EIO and others for
 * what cannot be read.
 */
PMCSIM_API int pmcsim_umon_read(const char *path, struct pmcsim_umon **umon,
				struct pmcsim_error *error);
PMCSIM_API void pmcsim_umon_free(struct pmcsim_umon *umon);

/* Whether a file begins as one does. */
PMCSIM_API bool pmcsim_umon_is(const char *path);

/*
 * Adds a profile to another one of the same events, periods and stride.
 * -EINVAL if they differ, -E2BIG if together they are too much, -ENOMEM; sum
 * is as it was then.
 */
PMCSIM_API int pmcsim_umon_add(struct pmcsim_umon *sum,
			       const struct pmcsim_umon *other,
			       struct pmcsim_error *error);

/*
 * The functions of a system's kernel, see struct pmcsim_start.  -ENXIO with
 * a sentence if it is not set up, -EINVAL, -ENOMEM.
 */
struct pmcsim_kernel;
PMCSIM_API int pmcsim_kernel_open(const char *system,
				  struct pmcsim_kernel **kernel,
				  struct pmcsim_error *error);
PMCSIM_API void pmcsim_kernel_free(struct pmcsim_kernel *kernel);

/* Lets a function be a utility routine, whose profile is its callers'; how
 * many of that name there are for which there was room. */
PMCSIM_API size_t pmcsim_kernel_utility(const struct pmcsim_kernel *kernel,
					struct pmcsim_machine *m,
					const char *name);

/* Gives a profile that has been read from the machine modules and functions:
 * 0 or -ENOMEM. */
PMCSIM_API int pmcsim_kernel_name(const struct pmcsim_kernel *kernel,
				  const struct pmcsim_machine *m,
				  struct pmcsim_umon *umon);

/* So many happenings to an interrupt of that counter, as the device of the
 * CPU's system has it when nothing else is chosen. */
PMCSIM_API uint64_t pmcsim_cpu_period(const struct pmcsim_cpu *cpu,
				      unsigned counter);

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

/* ---- Events by name -------------------------------------------------- */

/* What the number of an event is: a count, or nanoseconds, which are written
 * as milliseconds or as such. */
enum pmcsim_unit { PMCSIM_UNIT_NONE, PMCSIM_UNIT_MSEC, PMCSIM_UNIT_NS };

/* An event that can be asked for by name. */
struct pmcsim_named {
	const char *name;	/* "branch-misses" */
	const char *text;	/* a sentence */
	enum pmcsim_unit unit;
	enum pmcsim_precision precision; /* NOT_MODELLED: known by name only */
	bool of_table;		/* of the CPU's own; else the same on all */
	unsigned code;		/* of_table: in the table */
};

/* times x over / under, which are indices of such events. */
struct pmcsim_quotient_of {
	const char *name;	/* "ipc" */
	const char *text, *unit;
	size_t over, under;
	unsigned times;
};

/*
 * The events and metrics that have one name on all CPUs, those of Linux
 * (events/names/linux.yaml), and behind them the events of the CPU's table.
 * They are counted from what the model knows, whatever counters can select.
 * *lexicon is the caller's, and borrows from the CPU; -ENOENT, -EINVAL with
 * file and line, -ENOMEM.
 */
struct pmcsim_lexicon;
PMCSIM_API int pmcsim_lexicon_load(const struct pmcsim_cpu *cpu,
				   struct pmcsim_lexicon **lexicon,
				   struct pmcsim_error *error);
PMCSIM_API void pmcsim_lexicon_free(struct pmcsim_lexicon *lexicon);
PMCSIM_API const struct pmcsim_named *
pmcsim_lexicon_events(const struct pmcsim_lexicon *lexicon, size_t *n);
PMCSIM_API const struct pmcsim_quotient_of *
pmcsim_lexicon_metrics(const struct pmcsim_lexicon *lexicon, size_t *n);

/* The index of the event of that name, or alias, in any case of letters, or of
 * an event of the table by its code, "r" and hexadecimal digits; -ENOENT. */
PMCSIM_API int pmcsim_lexicon_find(const struct pmcsim_lexicon *lexicon,
				   const char *name);

/* An event, and the modes that it is counted in, as struct pmcsim_slot has
 * them. */
struct pmcsim_ask {
	size_t named;		/* index */
	unsigned modes;
};

/* Tells a machine of that CPU what it will be asked, and nothing else: what
 * that does not need is not modelled. */
PMCSIM_API void pmcsim_lexicon_prepare(const struct pmcsim_lexicon *lexicon,
				       struct pmcsim_machine *m,
				       const struct pmcsim_ask *ask, size_t n);

/* All counts since the machine was made, at one time, into value[n]; -ENOMEM.
 * "unknown" of a value is set where modes have something that is not known. */
PMCSIM_API int pmcsim_lexicon_read(const struct pmcsim_lexicon *lexicon,
				   struct pmcsim_machine *m,
				   const struct pmcsim_ask *ask, size_t n,
				   struct pmcsim_value *value);

/*
 * Lets the machine note what it has counted in user mode each time that all
 * programs together have taken so many cycles more; it does not run yet, and
 * has been prepared.  -E2BIG if it has no room for that.
 */
PMCSIM_API int pmcsim_machine_note_every(struct pmcsim_machine *m,
					 uint64_t cycles);

/*
 * Calls fn with what had been counted at each of these times, in their order,
 * and the cycles that it was, until it returns other than 0, which is
 * returned; -errno.  Modes other than user mode are not noted.
 */
PMCSIM_API int pmcsim_lexicon_notes(const struct pmcsim_lexicon *lexicon,
				    struct pmcsim_machine *m,
				    const struct pmcsim_ask *ask, size_t n,
				    int (*fn)(void *arg, uint64_t cycles,
					      const uint64_t *count),
				    void *arg);

/* ---- Regions --------------------------------------------------------- */

/*
 * A part of what the target does that has a name: what its threads do between
 * two markers (pmcsim-region(3)).  The name is the machine's, and is there until
 * the next run.
 */
struct pmcsim_region {
	const char *name;
	bool function;		/* the calls of a procedure */
	unsigned number;
	uint64_t entries;	/* the outermost of those that nest */
	uint64_t unended;	/* of those: never ended.  Their counts go up
				   to the end of the thread, or, if that was
				   killed, to its last marker. */
	uint64_t unbegun;	/* ends that do not follow an entry */
	uint64_t left_out;	/* entries that are not counted: their thread
				   was in too many other regions */
};

/*
 * Lets regions be counted by the next run, and forgets those of the one
 * before; to be said behind pmcsim_lexicon_prepare().  procedure: the calls of
 * that, by the name that it has in symbol tables, are a region as well; NULL:
 * of none.  -E2BIG: the name is too long.
 */
PMCSIM_API int pmcsim_machine_count_regions(struct pmcsim_machine *m,
					    const char *procedure);

/* Whether a file that the last run has executed has that procedure. */
PMCSIM_API bool
pmcsim_machine_has_procedure(const struct pmcsim_machine *m);

/* The regions whose markers were executed, by name; *list is the caller's.
 * -ENOMEM. */
PMCSIM_API int pmcsim_machine_regions(struct pmcsim_machine *m,
				      struct pmcsim_region **list, size_t *n);

/* Markers, in code that was translated, of regions that found no room. */
PMCSIM_API unsigned
pmcsim_machine_regions_lost(const struct pmcsim_machine *m);

/* As pmcsim_lexicon_read(), but what was counted in a region. */
PMCSIM_API int pmcsim_region_read(struct pmcsim_machine *m,
				  const struct pmcsim_region *region,
				  const struct pmcsim_lexicon *lexicon,
				  const struct pmcsim_ask *ask, size_t n,
				  struct pmcsim_value *value);

/* As pmcsim_machine_time(), of a region; -ENOMEM. */
PMCSIM_API int pmcsim_region_time(struct pmcsim_machine *m,
				  const struct pmcsim_region *region,
				  double *user, double *system);

/* ---- Engine ---------------------------------------------------------- */

/*
 * Finds the QEMU for an instruction set ("x86_64", "i386", "mipsel", "mips",
 * "alpha"): $PMCSIM_QEMU (a folder or program), the private engine in the
 * user's cache, then the system's.  Checked to take plugins.  *path is the
 * caller's.  -ENXIO with a sentence that says what to do.
 */
PMCSIM_API int pmcsim_engine_find(const char *isa, char **path,
				  struct pmcsim_error *error);

/*
 * Which engine executes x86-64 programs that are started from now on: "qemu" or
 * "native"; NULL: what $PMCSIM_ENGINE says, or QEMU.  Others are executed by
 * QEMU.  0 or -EINVAL.  And its name.
 */
PMCSIM_API int pmcsim_engine_choose(const char *engine,
				    struct pmcsim_error *error);
PMCSIM_API const char *pmcsim_engine_chosen(void);

/* Whether the native engine would execute that command. */
PMCSIM_API bool pmcsim_command_is_native(char *const *argv);

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
	const char *engine;	   /* that is not QEMU; NULL: it is */
	const char *unmeasured;	   /* why rows are not; NULL: stopped before */
	bool precision;		   /* text: say how well each is known */
	const struct pmcsim_row *row;
	size_t n;		   /* rows of a mode and context together */
};

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
	bool metric;
	bool known;	/* else it has no value */
	uint64_t count;	/* of no metric */
	double value;	/* the same, rounded; of a metric as it was written */
};

struct pmcsim_figures {
	char *schema;	/* "pmcsim-sweep/1" */
	char *cpu;
	bool partial;	/* the run was stopped before its end */
	struct pmcsim_figure *figure;
	size_t n;
};

/*
 * Reads the counts of a report in JSON that a tool has written, and its
 * metrics; those of single processes are left out.  *figures is the caller's.
 * -EINVAL with file and line, -ENOENT and others, -ENOMEM.
 */
PMCSIM_API int pmcsim_figures_read(const char *path,
				   struct pmcsim_figures **figures,
				   struct pmcsim_error *error);
PMCSIM_API void pmcsim_figures_free(struct pmcsim_figures *figures);

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

/* Those that are used where nobody gives any. */
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
