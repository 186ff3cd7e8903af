/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A CPU table inside the library: what struct pmcsim_cpu is. */
#ifndef TABLE_H
#define TABLE_H

#include "table_yaml.h"

#define TABLE_MAX_CODE 65535

struct pmcsim_cpu {
	struct sim_config config;    /* for the machine */
	struct table_file file, os;  /* own all strings; os.os may be NULL */
	struct table_file listed;    /* whose events these are, or empty */
	struct yaml_events own;	     /* of file, if listed has some, too */
	struct yaml_event *both;     /* own ones and those, one list */
	bool shares;		     /* file has lists of listed */
	struct pmcsim_event *event;  /* by code, then even before odd */
	struct pmcsim_group *group;
	struct pmcsim_metric *metric; /* [i] is file.cpu->metrics[i] */
	size_t n_events, n_groups, n_metrics;
};

/* The list that a counter takes its events from: 0 even or all, 1 odd. */
static inline unsigned
table_list_of(const struct yaml_cpu *cpu, unsigned counter)
{
	return cpu->events.all_count ? 0 : counter & 1;
}

static inline const char *
table_list_name(const struct yaml_cpu *cpu, unsigned list)
{
	if (cpu->events.all_count)
		return "all";
	return list ? "odd" : "even";
}

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
 * Adds the signals of a term of an event to a list of n, at most max: a name
 * ("insn", or "stall.alu.*" for all that start so), "@" and the bits of the
 * unit mask that it belongs to, "*" and how much one happening counts, as in
 * "l2.load.modified@8" or "l2.writeback*8"; "-" before it if that is taken
 * off.  The new n; -ENOENT if there is no such signal, -EEXIST if one is
 * there already, -E2BIG, -EINVAL for a mask or factor above 255, or 0 times.
 */
int table_terms(const char *text, struct event_term *list, unsigned n,
		unsigned max);

/* Lets the machine have the kind of pipeline that has been chosen by
 * pmcsim_pipeline_choose(); -EINVAL if its table is of none such. */
int table_pipeline(struct pmcsim_cpu *cpu, struct pmcsim_error *error);

/* Fills the ledger of a configuration from a file of kind TABLE_OS. */
void table_ledger(struct sim_config *config, const struct yaml_os *os);

/* Events, groups and metrics of a CPU's file, as pmcsim.h has them; 0 or
 * -ENOMEM. */
int table_convert(struct pmcsim_cpu *cpu);

/* The counters that can count an event: those it names, which need not have
 * been checked, or all of its list. */
unsigned table_event_counters(const struct yaml_event *event, unsigned all);

/* The list (0 even or all, 1 odd) of a table's events. */
static inline const struct yaml_event *
table_yaml_events(const struct yaml_cpu *cpu, unsigned list, unsigned *n)
{
	const struct yaml_events *e = &cpu->events;

	if (e->all_count) {
		*n = list ? 0 : e->all_count;
		return e->all;
	}
	*n = list ? e->odd_count : e->even_count;
	return list ? e->odd : e->even;
}

static inline const struct yaml_range *
table_yaml_reserved(const struct yaml_cpu *cpu, unsigned list, unsigned *n)
{
	const struct yaml_reserved *r = &cpu->reserved;

	if (cpu->events.all_count) {
		*n = list ? 0 : r->all_count;
		return r->all;
	}
	*n = list ? r->odd_count : r->even_count;
	return list ? r->odd : r->even;
}

static inline const unsigned *
table_yaml_codes(const struct yaml_cpu *cpu, const struct yaml_group *group,
		 unsigned list, unsigned *n)
{
	if (cpu->events.all_count) {
		*n = list ? 0 : group->all_count;
		return group->all;
	}
	*n = list ? group->odd_count : group->even_count;
	return list ? group->odd : group->even;
}

#endif
