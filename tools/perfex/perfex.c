/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perfex: what a command does to the event counters of an R10000. */
#include "perfex.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SITE_COSTS "/etc/perfex.costs"

/* ---- Counting from a signal to another ------------------------------- */

static int signal_pipe[2] = {-1, -1};

static void
on_signal(int signal)
{
	char start = signal == SIGUSR1;
	int before = errno;

	if (write(signal_pipe[1], &start, 1) < 0)
		errno = before;
}

/* A thread: waiting for the machine's lock is nothing for a handler. */
static void *
follow_signals(void *machine)
{
	char start;

	while (read(signal_pipe[0], &start, 1) == 1)
		pmcsim_irix_pause(machine, !start);
	return NULL;
}

static void
begin_signals(struct perfex *p)
{
	struct sigaction action = {.sa_handler = on_signal,
				   .sa_flags = SA_RESTART};
	pthread_t thread;

	pmcsim_irix_pause(p->machine, true);
	if (pipe(signal_pipe) != 0 ||
	    pthread_create(&thread, NULL, follow_signals, p->machine) != 0)
		tool_fail(&perfex_tool, TOOL_FAILED, "-s: %s",
			  strerror(errno));
	pthread_detach(thread);
	sigaction(SIGUSR1, &action, NULL);
	sigaction(SIGUSR2, &action, NULL);
}

/* ---- The run --------------------------------------------------------- */

/* The events on a device with as many counters (--exact, --system). */
static void
make_exact(const struct perfex *p, struct pmcsim_run *run)
{
	unsigned event[PMCSIM_IRIX_EVENTS];

	run->n = perfex_events(p->o, event);
	run->slot = tool_alloc(&perfex_tool, run->n, sizeof(*run->slot));
	for (size_t i = 0; i < run->n; i++)
		run->slot[i] = (struct pmcsim_slot){
			.counter = event[i] % 16 * 2 + event[i] / 16,
			.code = event[i],
			.modes = perfex_modes(p->o),
			.tc = -1,
			.vpe = -1,
		};
}

/* What two events do not need is not modelled; turns need the time. */
static void
tell_needs(struct perfex *p, struct pmcsim_run *run)
{
	const struct pmcsim_plan plan = {.run = run, .n = 1};

	if (!p->o->all && p->o->period == 0)
		pmcsim_machine_prepare(p->machine, &plan);
}

static void
run_target(struct perfex *p)
{
	struct pmcsim_start start = {
		.argv = p->o->command,
		.system = system_where(&p->o->system),
	};
	struct pmcsim_exit how;

	tool_run(&perfex_tool, p->machine, &start, &how);
	p->status = tool_stop ? 128 + tool_signal :
				system_status(&p->o->system, how.status);
	p->partial = how.partial;
	/* JSON and CSV on standard error stay alone there. */
	if (p->o->format == PERFEX_TEXT || p->o->output)
		system_tell_machine(&perfex_tool, &p->o->system,
				    perfex_modes(p->o), p->cpu, p->machine);
}

/* What IRIX counts for the processes of the command. */
static int
count_processes(struct perfex *p, struct pmcsim_error *error)
{
	unsigned event[PMCSIM_IRIX_EVENTS];
	size_t n = perfex_events(p->o, event);
	uint64_t sample = (uint64_t)(p->o->period * p->clock_hz / 1000);

	return pmcsim_irix_count(p->machine, event, n, perfex_modes(p->o),
				 sample, error);
}

/* Whether each event has a counter of its own, beside or instead of IRIX's. */
static bool
counts_exactly(const struct perfex_options *o)
{
	return o->exact || system_where(&o->system);
}

static void
measure(struct perfex *p, struct pmcsim_run *exact,
	struct pmcsim_value *exact_value)
{
	struct pmcsim_error error;
	int err = pmcsim_machine_new(p->cpu, NULL, &p->machine, &error);

	if (err == 0)
		err = count_processes(p, &error);
	if (err == 0 && counts_exactly(p->o))
		err = pmcsim_machine_program(p->machine, exact, &error);
	if (err != 0)
		tool_fail(&perfex_tool, TOOL_FAILED, "%s", error.text);
	if (p->o->processes)
		pmcsim_irix_tell_threads(p->machine);
	outside_set(&p->o->outside, p->machine);
	pmcsim_machine_set_uid(p->machine, (unsigned)p->o->uid);
	tell_needs(p, exact);
	if (!system_where(&p->o->system))
		regions_set(&perfex_tool, &p->o->regions, p->machine);
	if (p->o->by_signal)
		begin_signals(p);
	run_target(p);
	if (counts_exactly(p->o))
		pmcsim_machine_values(p->machine, exact, exact_value);
}

/* ---- Results --------------------------------------------------------- */

static const char *
label(const struct perfex *p, unsigned event)
{
	static const unsigned differ[] = {1, 2, 3, 4, 16, 17, 30};
	const struct pmcsim_event *e =
		pmcsim_cpu_event(p->cpu, event / 16, event);

	for (size_t i = 0; p->o->trust &&
			   i < sizeof(differ) / sizeof(*differ); i++)
		if (differ[i] == event)
			return "(not the same on R10000 and R12000)";
	return e && e->label ? e->label : "";
}

static void
project(const struct pmcsim_irix_counts *counts, struct perfex_count *c)
{
	if (!c->missing && counts->all_cycles && !counts->cycles[c->event])
		c->missing = "not counted";
	c->raw = counts->value[c->event];
	c->count = pmcsim_irix_project(counts, c->event, &c->bound);
	c->projected = c->bound != 0;
}

/* exact: of its own counter, NULL without one. */
static void
fill_count(const struct perfex *p, const struct pmcsim_irix_counts *counts,
	   const struct pmcsim_value *exact, unsigned event,
	   struct perfex_count *c)
{
	c->event = event;
	c->label = label(p, event);
	c->table = pmcsim_cpu_event(p->cpu, event / 16, event);
	c->told = c->table && c->table->precision != PMCSIM_NOT_MODELLED;
	if (!c->told)
		c->missing = "not modelled";
	else if (!system_measures(&p->o->system, perfex_modes(p->o)))
		c->missing = "not measured";
	if (!c->missing)
		c->unknown = pmcsim_machine_unknown(p->machine, event / 16,
						    event, perfex_modes(p->o));
	if (exact)
		c->exact = exact->count;
	if (exact && !p->o->exact)
		c->count = (double)(c->raw = exact->count);
	else
		project(counts, c);
	for (unsigned i = 0; i < 3; i++)
		c->seconds[i] = c->count * p->costs.clocks[event][i] /
				p->clock_hz;
}

/* What there was no room for. */
static void
note_lost(const struct perfex *p)
{
	struct pmcsim_irix_lost lost;

	pmcsim_irix_lost(p->machine, &lost);
	if (lost.children)
		tool_note(&perfex_tool, "counts of %u processes are missing: "
			  "too many had ended that had not been waited for",
			  lost.children);
	if (p->o->processes && lost.processes)
		tool_note(&perfex_tool, "-mp: %u more processes and threads "
			  "are not shown", lost.processes);
	if (p->o->period > 0 && lost.samples)
		tool_note(&perfex_tool, "-p: %u more samples are not shown",
			  lost.samples);
}

/* Which counts have less than they are to have; one reason for all. */
static void
note_unknown(const struct perfex *p)
{
	const char *why = NULL;
	char list[PMCSIM_IRIX_EVENTS * 4] = "";
	size_t length = 0;

	for (size_t i = 0; i < p->n; i++) {
		const struct perfex_count *c = &p->count[i];

		if (!c->unknown)
			continue;
		length += (size_t)snprintf(list + length,
					   sizeof(list) - length, "%s%u",
					   length ? ", " : "", c->event);
		why = c->unknown;
	}
	/* JSON and CSV on standard error stay alone there. */
	if (why && (p->o->format == PERFEX_TEXT || p->o->output))
		tool_note(&perfex_tool, "of user mode only: %s; %s", list,
			  why);
}

static void
collect(struct perfex *p, const struct pmcsim_value *exact)
{
	unsigned event[PMCSIM_IRIX_EVENTS];
	struct pmcsim_irix_counts counts;

	note_lost(p);
	pmcsim_irix_counts(p->machine, &counts);
	p->n = perfex_events(p->o, event);
	for (size_t i = 0; i < p->n; i++) {
		const struct pmcsim_value *own =
			counts_exactly(p->o) ? &exact[i] : NULL;

		fill_count(p, &counts, own, event[i], &p->count[i]);
	}
	note_unknown(p);
	if (p->o->processes) {
		p->n_process = pmcsim_irix_processes(p->machine, NULL, 0);
		p->process = tool_alloc(&perfex_tool, p->n_process,
					sizeof(*p->process));
		pmcsim_irix_processes(p->machine, p->process, p->n_process);
	}
	if (p->o->period > 0) {
		p->n_sample = pmcsim_irix_samples(p->machine, NULL, 0);
		p->sample = tool_alloc(&perfex_tool, p->n_sample,
				       sizeof(*p->sample));
		pmcsim_irix_samples(p->machine, p->sample, p->n_sample);
	}
}

void
perfex_by_event(const struct perfex *p, double count[PMCSIM_IRIX_EVENTS])
{
	for (unsigned i = 0; i < PMCSIM_IRIX_EVENTS; i++)
		count[i] = NAN;
	for (size_t i = 0; i < p->n; i++)
		if (!p->count[i].missing)
			count[p->count[i].event] = p->count[i].count;
}

/* ---- Output ---------------------------------------------------------- */

static void
write_all(const struct perfex *p)
{
	struct tool_output out;
	int err = 0;

	tool_output_open(&out, &perfex_tool, p->o->output, p->o->append,
			 stderr);
	if (p->o->print_costs)
		pmcsim_costs_write(&p->costs, out.stream);
	if (p->o->command[0])
		err = perfex_report(p, out.stream);
	tool_output_close(&out, err);
}

static void
write_process(const struct perfex *p, const char *path,
	      const struct pmcsim_irix_process *process)
{
	struct tool_output out;

	tool_output_open(&out, &perfex_tool, path, false, NULL);
	perfex_report_process(p, process, out.stream);
	tool_output_close(&out, 0);
}

static void
write_output(const struct perfex *p)
{
	write_all(p);
	for (size_t i = 0; i < p->n_process && p->o->output &&
			   p->o->format == PERFEX_TEXT; i++) {
		char *path;

		if (p->process[i].tid)
			continue;
		if (asprintf(&path, "%s.%d", p->o->output,
			     p->process[i].pid) < 0)
			tool_fail(&perfex_tool, TOOL_FAILED, "out of memory");
		write_process(p, path, &p->process[i]);
		free(path);
	}
}

static void
load_costs(struct perfex *p)
{
	const char *path = p->o->costs;
	struct pmcsim_error error;

	pmcsim_costs_default(p->cpu, &p->costs);
	if (!path && access(SITE_COSTS, R_OK) == 0)
		path = SITE_COSTS;
	if (path && pmcsim_costs_read(path, &p->costs, &error) != 0)
		tool_fail(&perfex_tool, TOOL_FAILED, "%s", error.text);
}

int
main(int argc, char **argv)
{
	struct pmcsim_value exact_value[PMCSIM_IRIX_EVENTS];
	struct pmcsim_run exact;
	struct perfex_options options;
	struct perfex p = {.o = &options};
	struct pmcsim_error error;

	perfex_parse(&options, argc, argv);
	p.cpu = tool_cpu(&perfex_tool, options.cpu);
	if (options.cpus &&
	    pmcsim_cpu_set_cpus(p.cpu, options.cpus, &error) != 0)
		tool_fail(&perfex_tool, TOOL_USAGE, "%s", error.text);
	perfex_find_events(&options, p.cpu);
	p.clock_hz = (double)pmcsim_cpu_clock(p.cpu);
	p.r12000 = pmcsim_irix_is_r12000(p.cpu);
	load_costs(&p);
	tool_output_check(&perfex_tool, options.output);
	if (options.format == PERFEX_CSV)
		options.run = tidy_run(&perfex_tool, options.output,
				       options.append, PERFEX_COLUMNS);
	make_exact(&p, &exact);
	if (options.command[0]) {
		system_check(&perfex_tool, &options.system, options.command);
		measure(&p, &exact, exact_value);
		collect(&p, exact_value);
		perfex_collect_regions(&p, &exact);
	}
	write_output(&p);
	pmcsim_machine_free(p.machine);
	pmcsim_cpu_free(p.cpu);
	free(exact.slot);
	free(p.process);
	free(p.sample);
	free(p.region);
	return p.status;
}
