/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Profiles: samples of a target, and their files.  See pmcsim.h. */
#ifndef PMCSIM_PROFILE_H
#define PMCSIM_PROFILE_H

#include "pmcsim_run.h"

#ifdef __cplusplus
extern "C" {
#endif

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
	bool inlined;		/* it has been put into another one: start and
				 * size are those of its own code, or 0 */
	const char *declared;	/* where, of one that is; or NULL */
	unsigned declared_line;
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

/*
 * The functions that an instruction is of, at most room from 1: what compilers
 * have put into other functions, innermost first, and then the function that
 * pmcsim_symbol_find() finds.  Lines are those of the calls that are replaced
 * so, but for the innermost one's.
 */
#define PMCSIM_FRAMES 64	/* as many as compilers make */
PMCSIM_API size_t pmcsim_symbol_frames(struct pmcsim_symbols *symbols,
				       const char *path, uint64_t offset,
				       struct pmcsim_symbol *frame,
				       size_t room);

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

/* What places are added up by: the innermost function, as in
 * pmcsim_symbol_frames(), that and the line, or the outermost function. */
enum pmcsim_rows {
	PMCSIM_ROWS_FUNCTIONS,
	PMCSIM_ROWS_LINES,
	PMCSIM_ROWS_SYMBOLS
};

/* Adds places up: rows with most of the first event first.  free() *row.
 * -ENOMEM. */
PMCSIM_API int pmcsim_profile_rows(const struct pmcsim_profile *profile,
				   struct pmcsim_symbols *symbols,
				   enum pmcsim_rows kind,
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

/* What a profile's events have in a region of the program, with those that are
 * nested in it. */
struct pmcsim_umon_region {
	struct pmcsim_region is; /* but for its kind and number; the name is
				  * the profile's */
	uint64_t count[PMCSIM_PROFILE_EVENTS]; /* happenings, all of them; 0 if
						* of_samples */
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
	struct pmcsim_umon_region *region; /* by name */
	size_t n_regions;
	bool only;		/* there is one, and the profile is of that */
};

/* Notes the build ids of a new profile's files, as they are now: 0 or
 * -ENOMEM. */
PMCSIM_API int pmcsim_umon_identify(struct pmcsim_umon *umon);

/*
 * Adds a region that the machine has counted to a profile of the events of that
 * run, behind the others: 0 or -ENOMEM.  The name is copied.
 */
PMCSIM_API int pmcsim_umon_region(struct pmcsim_umon *umon,
				  struct pmcsim_machine *m,
				  const struct pmcsim_region *region,
				  const struct pmcsim_run *run);

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

#ifdef __cplusplus
}
#endif

#endif
