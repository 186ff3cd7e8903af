/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A CPU table inside the library: what struct pmcsim_cpu is. */
#ifndef TABLE_H
#define TABLE_H

#include "table_yaml.h"

#define TABLE_MAX_CODE 1023

struct pmcsim_cpu {
	struct sim_config config;    /* for the machine */
	struct table_file file, os;  /* own all strings; os.os may be NULL */
	struct pmcsim_event *event;  /* by code, then even before odd */
	struct pmcsim_group *group;
	struct pmcsim_metric *metric; /* [i] is file.cpu->metrics[i] */
	size_t n_events, n_groups, n_metrics;
};

/* The list that a counter takes its events from: 0 even, 1 odd. */
static inline unsigned
table_list_of(unsigned counter)
{
	return counter & 1;
}

static inline const char *
table_list_name(unsigned list)
{
	return list ? "odd" : "even";
}

/* The event of that code on a list, or NULL; reserved ones too. */
const struct pmcsim_event *table_event(const struct pmcsim_cpu *cpu,
				       unsigned list, unsigned code);

/*
 * The path of events/NAME.yaml, from $PMCSIM_EVENTS (folders, separated by
 * colons) or the installed folder; -ENOENT with a sentence.  A name with a
 * slash or ".yaml" is a path already.  *path is the caller's.
 */
int table_find(const char *name, char **path, struct pmcsim_error *error);

/* Checks that no grammar can make; -EINVAL with file and line. */
int table_check_machine(const struct table_file *file,
			struct pmcsim_error *error);
int table_check_events(const struct table_file *file,
		       struct pmcsim_error *error);
int table_check_groups(const struct table_file *file,
		       struct pmcsim_error *error);
int table_check_os(const struct table_file *file, struct pmcsim_error *error);

/*
 * Adds the signals that a name stands for ("insn", or "stall.alu.*" for all
 * that start so) to a list of n, at most max.  The new n; -ENOENT if there
 * is none such, -EEXIST if one is there already, -E2BIG.
 */
int table_signals(const char *name, u8 *list, unsigned n, unsigned max);

/* Fills the ledger of a configuration from a file of kind TABLE_OS. */
void table_ledger(struct sim_config *config, const struct yaml_os *os);

/* The list (0 even, 1 odd) of a table's events. */
static inline const struct yaml_event *
table_yaml_events(const struct yaml_cpu *cpu, unsigned list, unsigned *n)
{
	*n = list ? cpu->events.odd_count : cpu->events.even_count;
	return list ? cpu->events.odd : cpu->events.even;
}

static inline const struct yaml_range *
table_yaml_reserved(const struct yaml_cpu *cpu, unsigned list, unsigned *n)
{
	*n = list ? cpu->reserved.odd_count : cpu->reserved.even_count;
	return list ? cpu->reserved.odd : cpu->reserved.even;
}

#endif
