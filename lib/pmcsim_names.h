/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Events by the names that all CPUs have, and figures made of them.  See pmcsim.h. */
#ifndef PMCSIM_NAMES_H
#define PMCSIM_NAMES_H

#include "pmcsim_run.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Events by name -------------------------------------------------- */

/* What the number of an event is: a count, or nanoseconds, which are written
 * as milliseconds or as such. */
enum pmcsim_unit { PMCSIM_UNIT_NONE, PMCSIM_UNIT_MSEC, PMCSIM_UNIT_NS };

/* An event that can be asked for by name. */
struct pmcsim_named {
	const char *name;	/* "branch-misses" */
	const char *text;	/* a sentence */
	enum pmcsim_unit unit;
	unsigned modes;		/* that it is of, as struct pmcsim_slot has
				 * them; 0: of those that are asked for */
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

/*
 * The event of the CPU's table that one of these counters, a bit each, can
 * count and that has this name or label, in any case of letters; or that
 * counts, with the unit mask that it has by itself, just what the one of all
 * CPUs does which has this name or alias.  NULL: there is none.
 */
PMCSIM_API const struct pmcsim_event *
pmcsim_lexicon_event(const struct pmcsim_lexicon *lexicon, unsigned counters,
		     const char *name);

/*
 * The processor's counters, a bit each, that can count the event of that
 * index: of those that can be programmed, the lowest bits, those of the event
 * of the table that pmcsim_lexicon_event() would find, or all if the table has
 * none that counts just that; above them the fixed counters of the table that
 * are for that event.  0: it takes none, since the operating system counts it.
 */
PMCSIM_API unsigned
pmcsim_lexicon_counters(const struct pmcsim_lexicon *lexicon, size_t named);

/* An event, and the modes that it is counted in, as struct pmcsim_slot has
 * them. */
struct pmcsim_ask {
	size_t named;		/* index */
	unsigned modes;
};

/* Whether it is counted without a model of the processor, many times faster:
 * instructions and branches of user mode are. */
PMCSIM_API bool pmcsim_lexicon_is_untimed(const struct pmcsim_lexicon *lexicon,
					  const struct pmcsim_ask *ask);

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

/* Behind that, of a machine with pmcsim_machine_set_periods(): which of these values
 * are estimates, and how well they are known; -ENOMEM. */
PMCSIM_API int pmcsim_lexicon_estimates(const struct pmcsim_lexicon *lexicon,
					struct pmcsim_machine *m,
					const struct pmcsim_ask *ask, size_t n,
					struct pmcsim_value *value);

/*
 * Lets the machine note what it has counted when all programs together have
 * taken that many cycles of user mode, and each time that they have taken so
 * many more, if that is not 0; it does not run yet, and has been prepared.
 * -E2BIG if it has no room for that.
 */
PMCSIM_API int pmcsim_machine_note_from(struct pmcsim_machine *m,
					uint64_t first, uint64_t every);

/* Lets the machine send SIGTERM to all processes of its next run then; as above. */
PMCSIM_API int pmcsim_machine_end_after(struct pmcsim_machine *m,
					uint64_t cycles);

/* What had been counted at such a time. */
struct pmcsim_note {
	uint64_t cycles;	/* of user mode */
	uint64_t kernel_cycles;	/* of the other modes, as they are accounted */
	const uint64_t *count;	/* of each event that is asked for */
};

/*
 * Calls fn with each of these, in their order, until it returns other than 0,
 * which is returned; -errno.
 */
PMCSIM_API int pmcsim_lexicon_notes(const struct pmcsim_lexicon *lexicon,
				    struct pmcsim_machine *m,
				    const struct pmcsim_ask *ask, size_t n,
				    int (*fn)(void *arg,
					      const struct pmcsim_note *note),
				    void *arg);

#ifdef __cplusplus
}
#endif

#endif
