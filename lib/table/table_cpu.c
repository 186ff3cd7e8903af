/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A CPU is read and checked, and what it has is told. */
#include "host.h"
#include "table.h"
#include "table_classes.h"
#include "table_lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int
load_os(struct pmcsim_cpu *cpu, struct pmcsim_error *error)
{
	char *name = NULL, *path = NULL;
	int rc;

	if (!cpu->file.cpu->os)
		return 0;
	if (asprintf(&name, "os/%s", cpu->file.cpu->os) < 0)
		return -ENOMEM;
	rc = table_find(name, &path, error);
	if (rc == -ENOENT)
		rc = table_error(error, cpu->file.path,
				 table_lines_find(cpu->file.lines, "os"),
				 "there is no %s.yaml in the events folders",
				 name);
	free(name);
	if (!rc)
		rc = table_file_read(&cpu->os, TABLE_OS, path, error);
	if (!rc)
		rc = table_check_os(&cpu->os, error);
	if (!rc)
		table_ledger(&cpu->config, cpu->os.os);
	free(path);
	return rc;
}

/* Classes that the table does not name cost what the stated one costs. */
static void
inherit_classes(struct pipeline_config *pipe)
{
#define INHERIT(id, name, like)                                             \
	if (!pipe->cls[CLASS_##id].repeat)                                  \
		pipe->cls[CLASS_##id] = pipe->cls[CLASS_##like];
	TABLE_OPTIONAL_CLASSES(INHERIT)
#undef INHERIT
}

static int
fail_listed(const struct pmcsim_cpu *cpu, struct pmcsim_error *error,
	    const char *sentence)
{
	return table_error(error, cpu->file.path,
			   table_lines_find(cpu->file.lines, "events_of"),
			   "events_of: %s: %s", cpu->file.cpu->events_of,
			   sentence);
}

/* Reserved codes, groups and metrics; they stay the other's. */
static void
share_lists(struct yaml_cpu *to, const struct yaml_cpu *from)
{
	to->reserved = from->reserved;
	to->groups = from->groups;
	to->groups_count = from->groups_count;
	to->metrics = from->metrics;
	to->metrics_count = from->metrics_count;
}

/* Whether one of a table's own events has the code of another one, on a
 * counter that can count that. */
static bool
is_replaced(const struct yaml_events *own, const struct yaml_event *event)
{
	for (unsigned i = 0; i < own->all_count; i++)
		if (own->all[i].code == event->code &&
		    table_event_counters(&own->all[i], ~0u) &
			    table_event_counters(event, ~0u))
			return true;
	return false;
}

/* The table's own events, in front, and those of the other one that they do
 * not replace. */
static int
share_events(struct pmcsim_cpu *cpu)
{
	const struct yaml_events *from = &cpu->listed.cpu->events;
	struct yaml_events *to = &cpu->file.cpu->events;
	unsigned n = to->all_count;

	cpu->own = *to;
	if (!n) {
		*to = *from;
		return 0;
	}
	cpu->both = calloc(n + from->all_count, sizeof *cpu->both);
	if (!cpu->both)
		return -ENOMEM;
	memcpy(cpu->both, to->all, n * sizeof *to->all);
	for (unsigned i = 0; i < from->all_count; i++)
		if (!is_replaced(&cpu->own, &from->all[i]))
			cpu->both[n++] = from->all[i];
	to->all = cpu->both;
	to->all_count = n;
	return 0;
}

/* Gives back what is the other table's. */
static void
unshare(struct pmcsim_cpu *cpu)
{
	if (!cpu->shares)
		return;
	share_lists(cpu->file.cpu, &(struct yaml_cpu){0});
	cpu->file.cpu->events = cpu->own;
	free(cpu->both);
}

/* Takes the lists of the table that events_of names. */
static int
load_listed(struct pmcsim_cpu *cpu, struct pmcsim_error *error)
{
	const struct yaml_cpu *own = cpu->file.cpu;
	char *path = NULL;
	int rc;

	if (!own->events_of)
		return 0;
	if (own->events.even_count || own->events.odd_count ||
	    own->reserved.all_count || own->reserved.even_count ||
	    own->reserved.odd_count || own->groups_count ||
	    own->metrics_count)
		return fail_listed(cpu, error,
				   "this table has lists of its own, beside "
				   "that of all events");
	rc = table_find(own->events_of, &path, error);
	if (rc == -ENOENT)
		rc = fail_listed(cpu, error, "there is no such table");
	if (!rc)
		rc = table_file_read(&cpu->listed, TABLE_CPU, path, error);
	free(path);
	if (!rc && (cpu->listed.cpu->events_of ||
		    cpu->listed.cpu->config.n_counters !=
			    own->config.n_counters))
		rc = fail_listed(cpu, error,
				 "it has no events of its own, or not as "
				 "many counters");
	if (!rc && own->events.all_count && !cpu->listed.cpu->events.all_count)
		rc = fail_listed(cpu, error,
				 "its events are on two lists, not on one");
	if (!rc)
		rc = table_check_events(&cpu->listed, error);
	if (rc)
		return rc;
	cpu->shares = true;
	share_lists(cpu->file.cpu, cpu->listed.cpu);
	return share_events(cpu);
}

/* The table of this host, which is in no file. */
static int
read_host(struct table_file *file, struct pmcsim_error *error)
{
	char *text;
	int rc = pmcsim_host_table(&text, error);

	if (!rc)
		rc = table_file_parse(file, TABLE_CPU, HOST_NAME, text,
				      strlen(text), error);
	free(text);
	return rc;
}

/* path NULL: of this host. */
static int
load_file(struct pmcsim_cpu *cpu, const char *path, struct pmcsim_error *error)
{
	int rc = path ? table_file_read(&cpu->file, TABLE_CPU, path, error)
		      : read_host(&cpu->file, error);

	if (!rc)
		rc = table_check_machine(&cpu->file, error);
	if (!rc)
		rc = load_listed(cpu, error);
	if (!rc)
		rc = table_check_events(&cpu->file, error);
	if (!rc)
		rc = table_check_groups(&cpu->file, error);
	if (rc)
		return rc;
	cpu->config = cpu->file.cpu->config;
	inherit_classes(&cpu->config.pipe);
	rc = table_pipeline(cpu, error);
	if (!rc)
		rc = load_os(cpu, error);
	return rc ? rc : table_convert(cpu);
}

int
pmcsim_cpu_load(const char *name, struct pmcsim_cpu **cpu,
		struct pmcsim_error *error)
{
	struct pmcsim_cpu *new;
	char *path = NULL;
	int rc = 0;

	*cpu = NULL;
	error->text[0] = '\0';
	if (strcmp(name, HOST_NAME))
		rc = table_find(name, &path, error);
	if (rc)
		return rc;
	new = calloc(1, sizeof *new);
	rc = new ? load_file(new, path, error) : -ENOMEM;
	free(path);
	if (rc) {
		if (!error->text[0])
			snprintf(error->text, sizeof error->text, "%s: %s",
				 name, strerror(-rc));
		pmcsim_cpu_free(new);
		return rc;
	}
	*cpu = new;
	return 0;
}

void
pmcsim_cpu_free(struct pmcsim_cpu *cpu)
{
	if (!cpu)
		return;
	unshare(cpu);
	table_file_free(&cpu->listed);
	table_file_free(&cpu->file);
	table_file_free(&cpu->os);
	free(cpu->event);
	free(cpu->group);
	free(cpu->metric);
	free(cpu);
}

const char *
pmcsim_cpu_name(const struct pmcsim_cpu *cpu)
{
	return cpu->file.cpu->name;
}

const char *
pmcsim_cpu_text(const struct pmcsim_cpu *cpu)
{
	return cpu->file.cpu->description;
}

enum pmcsim_system
pmcsim_cpu_system(const struct pmcsim_cpu *cpu)
{
	return (enum pmcsim_system)cpu->config.system;
}

unsigned
pmcsim_cpu_contexts(const struct pmcsim_cpu *cpu)
{
	return cpu->config.topo.tcs;
}

/* What its machine lets an event be: the reasons change places. */
static void
set_several(struct pmcsim_event *event, bool several)
{
	const char *reason = event->reason;

	if (!event->of_several ||
	    several == (event->precision == PMCSIM_NOT_MODELLED))
		return;
	event->precision = several ? PMCSIM_NOT_MODELLED : PMCSIM_ZERO;
	event->reason = event->of_several;
	event->of_several = reason;
}

int
pmcsim_cpu_set_cpus(struct pmcsim_cpu *cpu, unsigned n,
		    struct pmcsim_error *error)
{
	struct topology_config *topo = &cpu->config.topo;
	const char *what = "a machine has 1 to %u CPUs, not %u";

	_Static_assert(PMCSIM_MAX_CPUS == SIM_MAX_TC, "a CPU is a context");
	if (n && n <= PMCSIM_MAX_CPUS && topo->cpus <= 1 && topo->tcs != 1 &&
	    n != 1)
		what = "a CPU of several hardware contexts is the only one "
		       "(of at most %u), not one of %u";
	else if (n && n <= PMCSIM_MAX_CPUS)
		what = NULL;
	if (what) {
		snprintf(error->text, sizeof error->text, what,
			 PMCSIM_MAX_CPUS, n);
		return -EINVAL;
	}
	if (n == 1 && topo->cpus <= 1)
		return 0;
	topo->cpus = n;
	topo->tcs = n;
	memset(topo->vpe_of_tc, 0, sizeof topo->vpe_of_tc);
	for (size_t i = 0; i < cpu->n_events; i++)
		set_several(&cpu->event[i], n > 1);
	return 0;
}

unsigned
pmcsim_cpu_vpes(const struct pmcsim_cpu *cpu)
{
	return cpu->config.topo.vpes;
}

const struct pmcsim_event *
pmcsim_cpu_events(const struct pmcsim_cpu *cpu, size_t *n)
{
	*n = cpu->n_events;
	return cpu->event;
}

const struct pmcsim_group *
pmcsim_cpu_groups(const struct pmcsim_cpu *cpu, size_t *n)
{
	*n = cpu->n_groups;
	return cpu->group;
}

const struct pmcsim_metric *
pmcsim_cpu_metrics(const struct pmcsim_cpu *cpu, size_t *n)
{
	*n = cpu->n_metrics;
	return cpu->metric;
}


const struct pmcsim_event *
pmcsim_cpu_event(const struct pmcsim_cpu *cpu, unsigned counter, unsigned code)
{
	if (!cpu->config.n_counters)
		return NULL;
	counter %= cpu->config.n_counters;
	for (size_t i = 0; i < cpu->n_events; i++)
		if (cpu->event[i].code == code &&
		    cpu->event[i].counters & 1u << counter)
			return &cpu->event[i];
	return NULL;
}
