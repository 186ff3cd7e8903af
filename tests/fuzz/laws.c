/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What holds of the signals of every run. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

/*
 * Which machines obey it.  NO_FORK: and which programs, for a child loses lines
 * that its parent has filled.  KEEPS_CODE: nothing takes lines out of the
 * instruction cache between two blocks that share a fetch group.
 */
enum scope { ALL, ONE_CPU, NO_FORK, KEEPS_CODE, WINDOW, IN_ORDER };

/*
 * Two sums of signals: names with "+" between, "n*" before one that counts n
 * times, "=" or "<=" in the middle.  "cycles" are those of the run.
 */
static const struct law {
	enum scope scope;
	const char *text;
} laws[] = {
	{ALL, "insn.int + insn.fpu = insn"},
	{ALL, "branch.miss.taken + branch.right.taken = branch.taken"},
	{ALL, "branch.miss.taken + branch.miss.not = branch.miss"},
	{ALL, "branch.miss + branch.right.taken + branch.right.not = "
	      "branch.cond"},
	{ALL, "jump.return.pred + jump.return.nopred = jump.return"},
	{ALL, "jump.return.miss <= jump.return.pred"},
	{KEEPS_CODE, "icache.miss <= icache.access"},
	{ALL, "dcache.access.load + dcache.access.store = dcache.access"},
	{ALL, "dcache.miss.load + dcache.miss.store = dcache.miss"},
	{ALL, "dcache.miss.load <= dcache.access.load"},
	{ALL, "dcache.hit.store + dcache.miss.store <= dcache.access.store"},
	{ALL, "dcache.fill.store <= dcache.fill"},
	{NO_FORK, "dcache.writeback <= dcache.fill"},
	{ALL, "jtlb.i.miss <= itlb.miss"},
	{ALL, "jtlb.d.miss <= dtlb.miss"},
#define LEVEL(l, shared)                                                    \
	{ALL, l ".ifetch.m + " l ".ifetch.e + " l ".ifetch.miss + "         \
	      l ".load.m + " l ".load.e + " l ".load.miss + "               \
	      l ".store.m + " l ".store.e + " l ".store.miss + " shared     \
	      l ".write.m + " l ".write.e + " l ".write.miss = " l ".access"}, \
	{ONE_CPU, l ".writeback <= " l ".out"},                             \
	{NO_FORK, l ".out <= " l ".miss"},                                  \
	{ALL, l ".miss.clean <= " l ".miss"}
	LEVEL("l2", "l2.store.s + "),
	LEVEL("l3", ""),
#undef LEVEL
	{ALL, "cycle.issue + cycle.killed + stall.ifu.icache + "
	      "stall.ifu.itlb + stall.ifu.redirect + stall.ifu.decode + "
	      "stall.alu.dmiss + stall.alu.loaduse + stall.alu.agen + "
	      "stall.alu.store + stall.alu.mmx + stall.alu.mdu + "
	      "stall.alu.fpu + stall.alu.other + stall.alu.busy + "
	      "stall.alu.dtlb + stall.alu.barrier + stall.alu.order + "
	      "stall.alu.fsb + stall.alu.ldq + stall.alu.wbb = cycles"},
	{ALL, "fsb.q1 + fsb.q2 + fsb.q3 <= cycles"},
	{ALL, "ldq.q1 + ldq.q2 + ldq.q3 <= cycles"},
	{ALL, "wbb.q1 + wbb.q2 + wbb.q3 <= cycles"},
	{ALL, "dcache.pending <= cycles"},
	{ALL, "dcache.pending <= dcache.occupancy"},
	{ALL, "dcache.pending.edge <= dcache.pending"},
	{ALL, "l2.load.pending <= cycles"},
	{ALL, "l2.load.pending <= l2.load.occupancy"},
	{ALL, "l2.load.pending.edge <= l2.load.pending"},
	{ALL, "bus.busy <= cycles"},
	{ALL, "bus.busy.edge <= bus.busy"},
	{WINDOW, "retire.1 + retire.2 + retire.3 + retire.4 = cycle.issue"},
	{WINDOW, "retire.1 + 2*retire.2 + 3*retire.3 + 4*retire.4 <= uop"},
	{WINDOW, "insn <= uop"},
	{IN_ORDER, "issue.1 + issue.2 + issue.3 + issue.4 + issue.5 + issue.6 "
		   "= cycle.issue"},
};

const char *
fuzz_law(int i)
{
	return laws[i].text;
}

static u64
value_of(const struct fuzz_counts *counts, const char *name)
{
	int s = signal_find(name);

	if (!strcmp(name, "cycles"))
		return counts->cycles;
	if (s < 0) {
		fprintf(stderr, "fuzz: no signal %s\n", name);
		exit(125);
	}
	return counts->n[s];
}

static bool
holds(const char *law, const struct fuzz_counts *counts)
{
	u64 sum[2] = {0};
	unsigned side = 0;
	bool equal = !strstr(law, "<=");
	char text[700], *next;

	snprintf(text, sizeof text, "%s", law);
	for (char *t = strtok_r(text, " ", &next); t;
	     t = strtok_r(NULL, " ", &next)) {
		char *name = strchr(t, '*');

		if (strchr(t, '='))
			side = 1;
		else if (name)
			sum[side] += strtoull(t, NULL, 10) *
				     value_of(counts, name + 1);
		else if (*t != '+')
			sum[side] += value_of(counts, t);
	}
	return equal ? sum[0] == sum[1] : sum[0] <= sum[1];
}

static bool
is_inclusive(const struct cache_config *c)
{
	return c->size && c->inclusive;
}

static bool
obeys(const struct sim_config *config, const struct fuzz_counts *counts,
      enum scope scope)
{
	const struct pipeline_config *pipe = &config->pipe;

	if (scope == ONE_CPU)
		return config->topo.cpus <= 1;
	if (scope == NO_FORK)
		return !counts->n[SIG_OS_FORK];
	if (scope == KEEPS_CODE)
		return !is_inclusive(&config->l2) && !is_inclusive(&config->l3);
	if (scope == WINDOW)
		return pipe->kind == PIPELINE_WINDOW;
	return scope == ALL || (pipe->kind == PIPELINE_INORDER &&
				pipe->issue.width > 1);
}

int
fuzz_broken(const struct sim_config *config, const struct fuzz_counts *counts,
	    int i)
{
	for (; i < (int)SIM_COUNT(laws); i++)
		if (obeys(config, counts, laws[i].scope) &&
		    !holds(laws[i].text, counts))
			return i;
	return -1;
}
