/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pctr: the counters of the Pentiums, as OpenBSD's command shows them. */
#include "pctr.h"

#include "common/machine_name.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MACHINE_VARIABLE "PMCSIM_MACHINE"

/* The machine that is meant if none is new. */
static const char *
machine_name(const struct pctr_options *o)
{
	const char *name = getenv(MACHINE_VARIABLE);

	if (o->machine || o->cpu || !name)
		return o->machine;
	if (!*name)
		tool_fail(&pctr_tool, TOOL_USAGE, MACHINE_VARIABLE
			  " is empty: it names a machine, or is not set");
	return name;
}

static bool
is_there(const char *machine)
{
	char *path = machine_path(&pctr_tool, machine, false);
	bool there = access(path, F_OK) == 0;

	free(path);
	return there;
}

/* The CPU of a machine that lasts, with as many of them as it has. */
static struct pmcsim_cpu *
cpu_as_made(const struct pmcsim_machine *m)
{
	struct pmcsim_cpu *cpu =
		tool_cpu(&pctr_tool, pmcsim_machine_cpu_name(m));
	struct pmcsim_error error;

	if (pmcsim_cpu_set_cpus(cpu, pmcsim_machine_cpus(m), &error) != 0)
		tool_fail(&pctr_tool, TOOL_FAILED, "%s", error.text);
	return cpu;
}

static struct pmcsim_cpu *
cpu_of_machine(const char *name)
{
	struct pmcsim_machine *m =
		machine_open(&pctr_tool, name, "--cpu p6 ");
	struct pmcsim_cpu *cpu = cpu_as_made(m);

	pmcsim_machine_free(m);
	return cpu;
}

/* Whose functions are listed: of a family, else of a CPU, else of the machine
 * that a read would be of. */
static struct pmcsim_cpu *
listed_cpu(const struct pctr_options *o)
{
	const char *name;

	if (o->family && strcmp(o->family, "5") != 0 &&
	    strcmp(o->family, "6") != 0)
		tool_fail(&pctr_tool, 1, "Unknown CPU family %s", o->family);
	if (o->family)
		return tool_cpu(&pctr_tool, *o->family == '5' ? "p5" : "p6");
	if (o->cpu)
		return tool_cpu(&pctr_tool, o->cpu);
	name = machine_name(o);
	if (!name && is_there("pctr"))
		name = "pctr";
	return name ? cpu_of_machine(name) : tool_cpu(&pctr_tool, "p6");
}

static void
need_counters(const struct pmcsim_cpu *cpu)
{
	if (!pmcsim_pctr_family(cpu))
		tool_fail(&pctr_tool, TOOL_USAGE,
			  "%s is not a CPU with the counters of pctr(4)",
			  pmcsim_cpu_name(cpu));
}

static void
list_functions(const struct pctr_options *o)
{
	struct pmcsim_cpu *cpu = listed_cpu(o);

	need_counters(cpu);
	pctr_print_list(cpu, stdout);
	pmcsim_cpu_free(cpu);
	tool_flush(&pctr_tool);
}

/* A machine for the command only, or one that lasts. */
static struct pmcsim_machine *
open_machine(const struct pctr_options *o, struct pmcsim_cpu **cpu)
{
	const char *name = machine_name(o);
	const char *given = outside_given(&o->outside);
	struct pmcsim_machine *m;
	struct pmcsim_error error;

	if (o->cpu || (o->command && !name)) {
		*cpu = tool_cpu(&pctr_tool, o->cpu ? o->cpu : "p6");
		if (!o->command)
			tool_fail(&pctr_tool, TOOL_USAGE,
				  "--cpu is for a command; a machine that "
				  "lasts has its CPU");
		if (pmcsim_machine_new(*cpu, NULL, &m, &error) != 0)
			tool_fail(&pctr_tool, TOOL_FAILED, "%s", error.text);
		outside_set(&o->outside, m);
	} else {
		if (given)
			tool_fail(&pctr_tool, TOOL_USAGE,
				  "--%s is for a command; a machine that lasts "
				  "has its own", given);
		m = machine_open(&pctr_tool, name ? name : "pctr",
				 "--cpu p6 ");
		*cpu = cpu_as_made(m);
	}
	need_counters(*cpu);
	return m;
}

/* All that is asked for, or nothing. */
static void
program(struct pmcsim_machine *m, const struct pmcsim_cpu *cpu,
	const struct pctr_options *o)
{
	uint32_t function[2];
	struct pmcsim_error error;

	for (unsigned n = 0; n < 2; n++) {
		if (!o->wish[n].given)
			continue;
		function[n] = pctr_function(cpu, n, &o->wish[n]);
		if (pmcsim_pctr_check(m, n, function[n], &error) != 0)
			tool_fail(&pctr_tool, TOOL_USAGE, "%s", error.text);
	}
	for (unsigned n = 0; n < 2; n++)
		if (o->wish[n].given)
			pmcsim_pctr_select(m, n, function[n], &error);
}

/* Writes to --output, or to where the counts of a command do not mix with its
 * output. */
static void
report(const struct pctr_options *o, const struct pctr_report *r)
{
	struct tool_output out;

	tool_output_open(&out, &pctr_tool, o->output, o->append,
			 r->command ? stderr : stdout);
	pctr_print(r, o, out.stream);
	tool_output_close(&out, 0);
}

/* Whether it has been said that kernel mode is to be counted. */
static bool
asks_for_kernel(const struct pctr_options *o)
{
	return strchr(o->wish[0].flags, 'k') || strchr(o->wish[1].flags, 'k');
}

/* JSON and CSV on standard error stay alone there. */
static bool
may_tell(const struct pctr_options *o)
{
	return o->format == PCTR_TEXT || o->output || !o->command;
}

static int
run(struct pmcsim_machine *m, const struct pmcsim_cpu *cpu,
    const struct pctr_options *o, bool *partial)
{
	struct pmcsim_start start = {.argv = o->command,
				     .system = system_where(&o->system)};
	struct pmcsim_exit how;

	tool_run(&pctr_tool, m, &start, &how);
	*partial = how.partial;
	if (may_tell(o))
		system_tell_machine(&pctr_tool, &o->system,
				    asks_for_kernel(o) ? PCTR_KERNEL_MODES :
							 0, cpu, m);
	return how.interrupted ? 128 + tool_signal :
				 system_status(&o->system, how.status);
}

int
main(int argc, char **argv)
{
	struct pctr_report r = {0};
	struct pmcsim_machine *m;
	struct pctr_options o;
	struct pmcsim_cpu *cpu;
	int status = 0;

	pctr_parse(&o, argc, argv);
	if (o.list) {
		list_functions(&o);
		return 0;
	}
	tool_output_check(&pctr_tool, o.output);
	if (o.format == PCTR_CSV)
		o.run = tidy_run(&pctr_tool, o.output, o.append, PCTR_COLUMNS);
	m = open_machine(&o, &cpu);
	if (o.system.board)
		system_check(&pctr_tool, &o.system, o.command);
	program(m, cpu, &o);
	if (o.command)
		status = run(m, cpu, &o, &r.partial);
	if (o.command || !(o.wish[0].given || o.wish[1].given)) {
		pmcsim_pctr_read(m, &r.state);
		for (unsigned n = 0; n < 2; n++)
			r.unknown[n] = pmcsim_pctr_unknown(m, n);
		r.doubts = pmcsim_machine_doubts(m);
		r.cpu = cpu;
		r.command = o.command;
		r.system = &o.system;
		if (may_tell(&o))
			pctr_tell(&r);
		report(&o, &r);
	}
	pmcsim_machine_free(m);
	pmcsim_cpu_free(cpu);
	return status;
}
