/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * totals FILE CPU COMMAND...: runs a command and writes each event that the
 * model tells, "name value", counted in user mode, all in one run; ahead of
 * them the cycles that it took, "machine_cycles value".
 */
#include "pmcsim.h"

#include <inttypes.h>
#include <stdlib.h>

#define MAX_COUNTERS 256	/* of a widened device */

static void
die(const char *what, const struct pmcsim_error *error)
{
	fprintf(stderr, "totals: %s: %s\n", what, error->text);
	exit(125);
}

/* A counter that can count the event, behind those that are taken. */
static unsigned
counter_for(const struct pmcsim_event *event, unsigned n_counters,
	    unsigned *turn)
{
	unsigned n = 0;

	while (!(event->counters >> n & 1))
		n++;
	return n + n_counters * turn[n]++;
}

int
main(int argc, char **argv)
{
	static struct pmcsim_slot slot[MAX_COUNTERS];
	static struct pmcsim_value value[MAX_COUNTERS];
	struct pmcsim_run run = {.slot = slot};
	unsigned turn[8] = {0}, n_counters = 0;
	const struct pmcsim_event *event;
	struct pmcsim_start start = {.argv = argv + 3};
	struct pmcsim_machine *m;
	struct pmcsim_error error;
	struct pmcsim_exit how;
	struct pmcsim_cpu *cpu;
	const char *name[MAX_COUNTERS];
	FILE *out;
	size_t n;

	if (argc < 4)
		return 64;
	if (pmcsim_cpu_load(argv[2], &cpu, &error))
		die("table", &error);
	event = pmcsim_cpu_events(cpu, &n);
	for (size_t i = 0; i < n; i++)
		while (event[i].counters >> n_counters)
			n_counters++;
	for (size_t i = 0; i < n; i++) {
		if (event[i].precision == PMCSIM_NOT_MODELLED)
			continue;
		name[run.n] = event[i].name;
		slot[run.n++] = (struct pmcsim_slot){
			.counter = counter_for(&event[i], n_counters, turn),
			.code = event[i].code,
			.modes = 8, .tc = -1, .vpe = -1};
	}
	if (pmcsim_machine_new(cpu, NULL, &m, &error))
		die("machine", &error);
	if (pmcsim_machine_program(m, &run, &error))
		die("program", &error);
	if (pmcsim_machine_run(m, &start, &how, &error))
		die("run", &error);
	if (pmcsim_machine_values(m, &run, value))
		die("values", &error);
	out = fopen(argv[1], "w");
	if (!out)
		return 125;
	fprintf(out, "machine_cycles %" PRIu64 "\n", pmcsim_machine_cycles(m));
	for (size_t i = 0; i < run.n; i++)
		fprintf(out, "%s %" PRIu64 "\n", name[i], value[i].count);
	fclose(out);
	pmcsim_machine_free(m);
	pmcsim_cpu_free(cpu);
	return how.status;
}
