/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "pmcsim stat --sampled": a part of long commands is modelled, and counts that take
 * a model are estimates. */
#include "stat.h"

#include <stdlib.h>
#include <string.h>

/* Cycles that are modelled of each period: caches of the first level are filled by
 * then. */
#define WARM 200000u
#define MEASURED 100000u

#define MAX_ONE_IN 100000u
#define MAX_CYCLES 1000000000u

struct pmcsim_periods
stat_periods(const char *text)
{
	unsigned long number[3] = {0, WARM, MEASURED};
	char *copy = strdup(text), *rest = copy, *word;
	size_t n = 0;

	if (!copy)
		tool_fail(&stat_tool, TOOL_FAILED, "out of memory");
	while ((word = strsep(&rest, ","))) {
		if (n == 3)
			tool_fail(&stat_tool, TOOL_USAGE,
				  "--sampled %s: not ONE_IN or "
				  "ONE_IN,WARM,MEASURED", tool_word(text));
		number[n] = tool_option_number(&stat_tool, "--", "sampled",
					       word, n ? 1000 : 2,
					       n ? MAX_CYCLES : MAX_ONE_IN);
		n++;
	}
	if (n == 2)
		tool_fail(&stat_tool, TOOL_USAGE,
			  "--sampled %s: not ONE_IN or ONE_IN,WARM,MEASURED",
			  tool_word(text));
	free(copy);
	return (struct pmcsim_periods){(unsigned)number[0],
				       (unsigned)number[1],
				       (unsigned)number[2]};
}

void
stat_check_sampled(const struct stat *s)
{
	const char *engine = outside_engine(&s->o->system, s->o->command);

	if (s->o->sampled.one_in && (!engine || strcmp(engine, "native")))
		tool_fail(&stat_tool, TOOL_USAGE,
			  "--sampled: the command is executed by QEMU, under "
			  "which all is modelled");
}

void
stat_keep_estimates(const struct stat *s, struct stat_cpu *c,
		    struct pmcsim_machine *m, struct pmcsim_value *value)
{
	size_t n = s->o->n_wants;

	if (!s->o->sampled.one_in)
		return;
	c->measured = pmcsim_machine_measured(m);
	if (!c->measured.periods)
		return;
	if (pmcsim_lexicon_estimates(c->lexicon, m, c->ask, n + 1, value) != 0)
		tool_fail(&stat_tool, TOOL_FAILED, "out of memory");
	c->estimate = tool_alloc(&stat_tool, n + 1, sizeof(*c->estimate));
	for (size_t i = 0; i <= n; i++)
		c->estimate[i] = (struct stat_estimate){
			.is = value[i].estimated,
			.missed = value[i].missed,
			.deviation = value[i].deviation,
		};
}

bool
stat_deviates(const struct stat *s)
{
	return s->o->repeat > 1 || s->o->sampled.one_in;
}

void
stat_put_measured(const struct stat *s, const struct stat_cpu *c, FILE *out)
{
	if (!s->o->sampled.one_in)
		return;
	if (!c->measured.periods) {
		fputs(" all of it is modelled: it is too short for --sampled, or "
		      "has threads that share\n a pipeline\n", out);
		return;
	}
	fprintf(out, " measured: %.2f%% of what was executed, in %llu period%s; counts with "
		"an error are\n estimates\n",
		c->measured.percent, (unsigned long long)c->measured.periods,
		c->measured.periods > 1 ? "s" : "");
}

void
stat_json_measured(const struct stat *s, const struct stat_cpu *c, FILE *out)
{
	if (s->o->sampled.one_in)
		fprintf(out, ", \"measured-percent\" : %.4f, "
			"\"periods\" : %llu", c->measured.percent,
			(unsigned long long)c->measured.periods);
}
