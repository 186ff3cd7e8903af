/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * signals CPU ENGINE COMMAND...: runs a command under that engine and writes
 * all that the models count of it, "signal value", to standard output; of the
 * command nothing is written.  It has the variables of --env clean, so that its
 * stack is the same in each place.
 */
#include "counters/machine_api.h"

#include <inttypes.h>
#include <stdio.h>

static int
die(const char *what, const struct pmcsim_error *error)
{
	fprintf(stderr, "signals: %s: %s\n", what, error->text);
	return 125;
}

int
main(int argc, char **argv)
{
	struct pmcsim_start start = {.argv = argv + 3, .quiet = true};
	struct pmcsim_machine *m;
	struct pmcsim_error error;
	struct pmcsim_exit how;
	struct pmcsim_cpu *cpu;

	if (argc < 4)
		return 64;
	if (pmcsim_environment_choose("clean", &error))
		return die("environment", &error);
	if (pmcsim_engine_choose(argv[2], &error))
		return die("engine", &error);
	if (pmcsim_cpu_load(argv[1], &cpu, &error))
		return die("table", &error);
	if (pmcsim_machine_new(cpu, NULL, &m, &error))
		return die("machine", &error);
	m->map.m->need = NEED_COUNT | NEED_TIMING;
	if (pmcsim_machine_run(m, &start, &how, &error))
		return die("run", &error);
	for (unsigned s = 0; s < SIG_N; s++)
		printf("%s %" PRIu64 "\n", signal_name(s),
		       machine_signal(&m->map, s, MODE_USER, -1, -1));
	printf("status %d\n", how.status);
	pmcsim_machine_free(m);
	pmcsim_cpu_free(cpu);
	return 0;
}
