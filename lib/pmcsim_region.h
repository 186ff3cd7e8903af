/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Regions of a target: what is counted between markers.  See pmcsim.h. */
#ifndef PMCSIM_REGION_H
#define PMCSIM_REGION_H

#include "pmcsim_names.h"

#ifdef __cplusplus
extern "C" {
#endif

enum pmcsim_region_kind {
	PMCSIM_REGION_MARKED,	/* between two markers: pmcsim-region(3) */
	PMCSIM_REGION_FUNCTION,	/* the calls of a procedure */
	PMCSIM_REGION_THREAD	/* all that a thread does */
};

/*
 * A part of what the target does that has a name.  That is the machine's, and is
 * there until the next run.  A thread's is that of the program's file and a
 * number: of the processes of the run, one that a process executes counting as
 * one more, and, but for the first of a process, of its threads: "xz-1.2".
 */
struct pmcsim_region {
	const char *name;
	enum pmcsim_region_kind kind;
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

/* The same, and each thread is a region as well; threads that find no room are
 * among pmcsim_machine_regions_lost(). */
PMCSIM_API void pmcsim_machine_count_threads(struct pmcsim_machine *m);

/* The same, and the first thread of the first process, whatever it executes, is one
 * as well, in place of all. */
PMCSIM_API void pmcsim_machine_count_first(struct pmcsim_machine *m);

/*
 * The same, and a profile of the next run (pmcsim_machine_profile() has been said)
 * is of the region of that name alone, or, if procedure is, of calls of the
 * procedure of that name.  -E2BIG.
 */
PMCSIM_API int pmcsim_machine_profile_region(struct pmcsim_machine *m,
					     const char *name, bool procedure);

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

/* What the slots of a run would have counted in a region, exact in 64 bits,
 * into count[run->n]; region NULL: nothing.  -ENOMEM. */
PMCSIM_API int pmcsim_region_values(struct pmcsim_machine *m,
				    const struct pmcsim_region *region,
				    const struct pmcsim_run *run,
				    uint64_t *count);

/* As pmcsim_machine_time(), of a region; -ENOMEM. */
PMCSIM_API int pmcsim_region_time(struct pmcsim_machine *m,
				  const struct pmcsim_region *region,
				  double *user, double *system);

#ifdef __cplusplus
}
#endif

#endif
