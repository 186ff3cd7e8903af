/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plans, machines, and runs of a target on one.  See pmcsim.h. */
#ifndef PMCSIM_RUN_H
#define PMCSIM_RUN_H

#include "pmcsim_table.h"

#ifdef __cplusplus
extern "C" {
#endif

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

/*
 * Lets the machine model one instruction in one_in of long programs only: of each
 * period so many cycles to fill caches and predictors, and so many whose counts stand
 * for all of it.  x86-64 programs under the native engine, of one thread where contexts
 * share a pipeline; all else is modelled as ever.  To be called before the machine's
 * first run.
 */
struct pmcsim_periods {
	unsigned one_in, warm, measured;
};
PMCSIM_API void pmcsim_machine_set_periods(struct pmcsim_machine *m,
					   const struct pmcsim_periods *periods);

/* How many such periods there were, and the part of all that was executed of which
 * counts are, in percent. */
struct pmcsim_measured {
	uint64_t periods;
	double percent;
};
PMCSIM_API struct pmcsim_measured
pmcsim_machine_measured(struct pmcsim_machine *m);

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
	/* Behind pmcsim_lexicon_estimates(): */
	bool estimated;	   /* it was not counted as a whole, */
	double deviation;  /* and is known with that standard error, in percent */
	bool missed;	   /* ... or too low: periods do not tell it */
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
	bool partial;	 /* that, a system's limit, its parent was killed, or
			    its engine could not go on: not all was counted */
	bool left;	 /* processes of it still run */
};

struct pmcsim_start {
	char *const *argv;	/* NULL-terminated, argv[0] is looked up */
	bool quiet;		/* its stdin, stdout, stderr are /dev/null */
	const int *fd;		/* its stdin, stdout, stderr; NULL: ours */
	const volatile int *stop; /* counts signals that stop the target */
	void (*watch)(void *arg); /* called about each second while it is waited
				   * for; NULL: nothing */
	void *watch_arg;
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
 * "native"; NULL: what $PMCSIM_ENGINE says.  If that says nothing, the native
 * one, but QEMU where the host lacks what the programs' processor has, and on a
 * machine whose threads run side by side.  Others are executed by QEMU.  0 or
 * -EINVAL.  And its name.
 */
PMCSIM_API int pmcsim_engine_choose(const char *engine,
				    struct pmcsim_error *error);
PMCSIM_API const char *pmcsim_engine_chosen(void);

/*
 * Which processor x86-64 programs that are started from now on see: one of
 * "v1" to "v4", levels of x86-64; NULL: what $PMCSIM_ISA says, or v3.  QEMU
 * executes none of v4, and shows what its processor "max" has up to the level.
 * 0 or -EINVAL.
 */
PMCSIM_API int pmcsim_isa_choose(const char *level,
				 struct pmcsim_error *error);

/*
 * What variables targets that are started from now on get: "clean" (none but a
 * short PATH and LC_ALL, besides those that are named), "NAME" (that of ours,
 * if there is one) or "NAME=VALUE".  -EINVAL, -ENOMEM.
 */
PMCSIM_API int pmcsim_environment_choose(const char *word,
					 struct pmcsim_error *error);

/* The first digits of the SHA-256 of all that they get, in their order. */
#define PMCSIM_ENVIRONMENT_HASH 17
PMCSIM_API void
pmcsim_environment_hash(char text[PMCSIM_ENVIRONMENT_HASH]);

/*
 * The SHA-256, in digits, of what decides what a command counts on a CPU, as
 * far as that is known before it runs: its words and variables, the contents of
 * the program, of a script's interpreter, of the libraries that the host's
 * dynamic linker names (of programs for other instruction sets, that linker
 * alone), of the table and the engine, and of the file that is its standard
 * input (NULL: none).  A file is read once in the caller's life.  Errors of
 * finding the program and of reading files.
 */
#define PMCSIM_IDENTITY 65
PMCSIM_API int pmcsim_target_identity(const struct pmcsim_cpu *cpu,
				      char *const *argv, const char *input,
				      char text[PMCSIM_IDENTITY],
				      struct pmcsim_error *error);

/* Whether the native engine would execute that command. */
PMCSIM_API bool pmcsim_command_is_native(char *const *argv);

/* The level of the processor that it would see; NULL: it is no x86-64 program.
 */
PMCSIM_API const char *pmcsim_command_isa(char *const *argv);

#ifdef __cplusplus
}
#endif

#endif
