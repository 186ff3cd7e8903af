/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pfmon: events of Itanium, counted for a command. */
#include "pfmon.h"

#include "common/progress.h"
#include "common/reruns.h"
#include "common/streams.h"

#include <string.h>

#define PSR_UP (1u << 2)

/* What happened to the command. */
struct outcome {
	int status;
	unsigned doubts;
	bool partial;
};

static struct pmcsim_cpu *
itanium(const char *name)
{
	struct pmcsim_cpu *cpu = tool_cpu(&pfmon_tool, name);

	if (pmcsim_cpu_system(cpu) != PMCSIM_IA64)
		tool_fail(&pfmon_tool, TOOL_USAGE,
			  "%s is not a CPU with the monitors of Itanium",
			  pmcsim_cpu_name(cpu));
	return cpu;
}

static void
program(struct pmcsim_machine *m, const struct pfmon_set *set)
{
	int err = pmcsim_ia64_ssm(m, PSR_UP);

	for (size_t i = 0; err == 0 && i < set->n; i++)
		err = pmcsim_ia64_set_pmc(m, set->event[i].monitor,
					  set->event[i].pmc);
	if (err == 0)
		err = pmcsim_ia64_serialize(m);
	if (err != 0)
		tool_fail(&pfmon_tool, TOOL_FAILED, "cannot program: %s",
			  strerror(-err));
}

static void
read_counts(struct pmcsim_machine *m, struct pfmon_set *set)
{
	for (size_t i = 0; i < set->n; i++) {
		struct pfmon_event *e = &set->event[i];
		uint64_t pmc = 0;

		pmcsim_ia64_count(m, e->monitor, &e->count);
		e->unknown = pmcsim_ia64_unknown(m, e->monitor);
		pmcsim_ia64_get_pmc(m, e->monitor, &pmc);
		if (pmc != e->pmc)
			tool_say(&pfmon_tool, "%s: the command has "
				 "programmed PMC%u for itself",
				 e->event->name, e->monitor);
	}
	pmcsim_machine_time(m, &set->user, &set->system);
	set->reached = true;
}

static struct outcome
run(struct pmcsim_machine *m, const struct pfmon_options *o)
{
	struct pmcsim_start start = {.argv = o->command, .quiet = o->quiet,
				     .system = system_where(&o->system)};
	struct pmcsim_exit how;
	struct streams streams;
	int err = streams_open(&streams, false);

	if (err != 0)
		tool_fail(&pfmon_tool, TOOL_FAILED, "standard input: %s",
			  strerror(-err));
	if (!o->quiet)
		start.fd = streams_fd(&streams);
	tool_run(&pfmon_tool, m, &start, &how);
	streams_close(&streams);
	return (struct outcome){
		.status = how.interrupted ? 128 + tool_signal : how.status,
		.doubts = pmcsim_machine_doubts(m),
		.partial = how.interrupted || how.partial,
	};
}

/* All that the events of a set count. */
static unsigned
modes_of(const struct pfmon_set *set, size_t n)
{
	unsigned modes = 0;

	for (size_t s = 0; s < n; s++)
		for (size_t i = 0; i < set[s].n; i++)
			modes |= pfmon_modes(set[s].event[i].plm);
	return modes;
}

/* Each set on a machine of its own. */
static struct outcome
count(const struct pmcsim_cpu *cpu, const struct pfmon_options *o,
      struct pfmon_set *set, struct reruns *runs)
{
	struct pmcsim_machine *m;
	struct pmcsim_error error;
	struct outcome outcome;

	if (pmcsim_machine_new(cpu, NULL, &m, &error) != 0)
		tool_fail(&pfmon_tool, TOOL_FAILED, "%s", error.text);
	outside_set(&o->outside, m);
	program(m, set);
	outcome = run(m, o);
	system_tell_machine(&pfmon_tool, &o->system, 0, cpu, m);
	read_counts(m, set);
	reruns_add(runs, m);
	pmcsim_machine_free(m);
	return outcome;
}

static void
show_registers(const struct pfmon_set *set, size_t n)
{
	for (size_t s = 0; s < n; s++)
		for (size_t i = 0; i < set[s].n; i++)
			tool_say(&pfmon_tool, "set%zu: PMC%u=0x%llx %s", s,
				 set[s].event[i].monitor,
				 (unsigned long long)set[s].event[i].pmc,
				 set[s].event[i].event->name);
}

static void
report(const struct pfmon_report *r)
{
	const struct pfmon_options *o = r->options;
	struct tool_output out;

	tool_output_open(&out, &pfmon_tool, o->outfile, o->append, stdout);
	pfmon_print(r, out.stream);
	tool_output_close(&out, 0);
}

static int
measure(const struct pmcsim_cpu *cpu, struct pfmon_options *o)
{
	struct pfmon_set set[PFMON_SETS];
	struct pfmon_report r = {.cpu = cpu, .options = o, .set = set,
				 .n_sets = pfmon_sets(cpu, o, set)};
	struct outcome outcome = {0};
	struct reruns runs = {0};

	if (o->verbose)
		show_registers(set, r.n_sets);
	if (o->check_only)
		return 0;
	tool_output_check(&pfmon_tool, o->outfile);
	if (o->format == PFMON_CSV)
		o->run = tidy_run(&pfmon_tool, o->outfile, o->append,
				  PFMON_COLUMNS);
	if (o->system.board)
		system_check(&pfmon_tool, &o->system, o->command);
	tool_catch_signals();
	progress_expect(r.n_sets);
	if (o->keep_input)
		streams_keep_input(&pfmon_tool);
	if (tool_stop)
		outcome = (struct outcome){.status = 128 + tool_signal,
					   .partial = true};
	for (size_t s = 0; s < r.n_sets && !outcome.partial; s++) {
		outcome = count(cpu, o, &set[s], &runs);
		r.doubts |= outcome.doubts;
	}
	system_tell(&pfmon_tool, &o->system, modes_of(set, r.n_sets), cpu,
		    NULL);
	for (size_t s = 0; s < r.n_sets && !o->system.missing; s++)
		pfmon_tell(&set[s]);
	r.partial = outcome.partial;
	if (!r.partial)
		reruns_tell(&runs, &pfmon_tool, o->system.board ?
				RERUNS_ROUGH : RERUNS_INSTRUCTIONS, "",
			    o->system.board ? NULL : &o->outside);
	report(&r);
	return r.partial ? outcome.status :
			   system_status(&o->system, outcome.status);
}

int
main(int argc, char **argv)
{
	struct pfmon_options o;
	struct pmcsim_cpu *cpu;
	int status = 0;

	pfmon_parse(&o, argc, argv);
	cpu = itanium(o.cpu);
	if (o.action == PFMON_LIST || o.action == PFMON_MASKS)
		pfmon_list(cpu, &o, stdout);
	else if (o.action == PFMON_EVENT)
		pfmon_describe(cpu, o.what, stdout);
	else if (o.action == PFMON_INFO)
		pfmon_info(cpu, stdout);
	else
		status = measure(cpu, &o);
	tool_flush(&pfmon_tool);
	pmcsim_cpu_free(cpu);
	return status;
}
