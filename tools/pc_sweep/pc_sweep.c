/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pc_sweep: counts more events than there are counters, by running again. */
#include "pc_sweep.h"

#include <stdlib.h>

static void
print_codes(const char *name, const unsigned *code, size_t n)
{
	printf("  %-5s", name);
	for (size_t i = 0; i < n; i++)
		printf(" %u", code[i]);
	putchar('\n');
}

static void
list_groups(const struct pmcsim_cpu *cpu)
{
	size_t n;
	const struct pmcsim_group *g = pmcsim_cpu_groups(cpu, &n);

	if (pmcsim_cpu_system(cpu) != PMCSIM_PROCPERF)
		n = 0;	/* they are not of even and odd events */
	if (!n)
		printf("%s has no groups; \"pmcsim list %s\" lists its "
		       "events\n", pmcsim_cpu_name(cpu), pmcsim_cpu_name(cpu));
	for (size_t i = 0; i < n; i++) {
		printf("--%s", g[i].name);
		if (g[i].option)
			printf(", -%s", g[i].option);
		printf(": %s\n", g[i].text);
		print_codes("even", g[i].even, g[i].n_even);
		print_codes("odd", g[i].odd, g[i].n_odd);
	}
	tool_flush(&pc_sweep);
}

static void
free_sweep(struct sweep *s)
{
	sweep_free_regions(s);
	for (size_t i = 0; i < s->n_runs * s->o->repeat; i++)
		free(s->value[i]);
	for (size_t i = 0; i < s->n_runs; i++) {
		free(s->run[i].run.slot);
		free(s->run[i].row);
	}
	for (size_t i = 0; i < s->n_rows; i++)
		free((void *)s->row[i].repeat);
	free(s->value);
	free(s->run);
	free(s->row);
	free(s->even);
	free(s->odd);
	pmcsim_cpu_free(s->cpu);
}

int
main(int argc, char **argv)
{
	struct sweep_options options;
	struct sweep sweep = {.o = &options};
	int status;

	sweep_parse(&options, argc, argv);
	if (options.cpus)
		return sweep_cpus(&options);
	sweep.cpu = tool_cpu(&pc_sweep, options.cpu);
	if (options.list) {
		list_groups(sweep.cpu);
		pmcsim_cpu_free(sweep.cpu);
		return 0;
	}
	sweep_plan(&sweep);
	tool_output_check(&pc_sweep, options.output);
	if (options.format == FORMAT_CSV)
		options.run = tidy_run(&pc_sweep, options.output,
				       options.append, PMCSIM_REPORT_COLUMNS);
	/* Nothing is printed before a command that cannot be run. */
	system_check(&pc_sweep, &options.system, options.command);
	sweep_leave_out(&sweep);
	sweep_announce(&sweep);
	sweep_execute(&sweep);
	sweep_report(&sweep);
	status = sweep.failure ? sweep.failure :
		 tool_stop ? 128 + tool_signal :
				 system_status(&options.system, sweep.status);
	free_sweep(&sweep);
	return status;
}
