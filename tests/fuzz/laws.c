/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What holds of the signals of every run. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

/*
 * Which machines obey it.  NO_FORK: and which programs, for a child loses lines
 * that its parent has filled.  KEEPS_CODE: nothing takes lines out of the
 * instruction cache between two blocks that share a fetch group.  NO_BARRIER:
 * nothing waits at one, or for stores in order, which tables without such events
 * leave out.  UNFUSED: a window that makes one micro-op of no two instructions.
 */
enum scope {
	ALL, ONE_CPU, NO_FORK, KEEPS_CODE, NO_BARRIER, WINDOW, UNFUSED, IN_ORDER
};

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
	{NO_FORK, "dcache.writeback <= dcache.fill + prefetch.l1d"},
	{ALL, "jtlb.i.miss <= itlb.miss"},
	{ALL, "jtlb.d.miss <= dtlb.miss"},
#define LEVEL(l, shared, brought)                                           \
	{ALL, l ".ifetch.m + " l ".ifetch.e + " l ".ifetch.miss + "         \
	      l ".load.m + " l ".load.e + " l ".load.miss + "               \
	      l ".store.m + " l ".store.e + " l ".store.miss + " shared     \
	      l ".write.m + " l ".write.e + " l ".write.miss + "            \
	      l ".prefetch.m + " l ".prefetch.e + " l ".prefetch.miss + "   \
	      l ".walk.m + " l ".walk.e + " l ".walk.miss = "               \
	      l ".access"},                                                 \
	{ONE_CPU, l ".writeback <= " l ".out"},                             \
	{NO_FORK, l ".out <= " l ".miss + " brought},                       \
	{ALL, l ".miss.clean <= " l ".miss + " brought}
	LEVEL("l2", "l2.store.s + ", "prefetch.l2"),
	LEVEL("l3", "", "l3.victim"),
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
	{WINDOW, "retire.insn.1 + retire.insn.2 + retire.insn.3 + "
		 "retire.insn.4 <= cycle.issue"},
	{WINDOW, "retire.insn.1 + 2*retire.insn.2 + 3*retire.insn.3 + "
		 "4*retire.insn.4 <= insn"},
	{UNFUSED, "insn <= uop"},
	{IN_ORDER, "issue.1 + issue.2 + issue.3 + issue.4 + issue.5 + issue.6 "
		   "= cycle.issue"},

	/* CPUs ask each other. */
	{ONE_CPU, "ext.intervention + ext.invalidate + upgrade.shared + "
		  "l2.store.s = 0*insn"},
	{ALL, "ext.intervention.e + ext.intervention.m <= ext.intervention"},
	{ALL, "ext.invalidate.hit <= ext.invalidate"},
};

/*
 * The same of events of tables, by the tables' names, and of signals that these
 * do not count: no table whose laws these are has prefetchers, changed ones may.
 */
static const struct event_law {
	const char *cpus;
	struct law law;
} event_laws[] = {
#define EV5 "ev5 ev56 pca56"
	{"ev4", {ALL, "pipedry + pipefrozen + dualissues <= cycles"}},
	{"ev4", {ALL, "issues + nonissues <= cycles"}},
	{"ev4", {ALL, "dualissues <= issues"}},
	{EV5, {ALL, "nonissues + pipedry + singleissues + dualissues + "
	      "tripleissues + quadissues = cycles0"}},
	{EV5, {ALL, "singleissues + 2*dualissues + 3*tripleissues + 4*quadissues "
	      "= issues"}},
	{EV5, {ALL, "cycles0 = cycles2"}},
	{EV5, {ALL, "intops + floatops + loads + stores <= issues"}},
	{EV5, {ALL, "branchmispredicts + pcmispredicts <= flowchanges"}},
	{EV5, {ALL, "dcacheldmisses <= dcache.access.load"}},
	{"ev6 ev67", {ALL, "cycles0 = cycles1"}},
	{"ev67", {ALL, "delay <= cycles0"}},
	{"ev67", {ALL, "ldst_order <= replay"}},
	{"ev67", {ALL, "dtb_miss3 <= dtb_miss + itb_miss"}},
#define P5 "p5 p55c"
	{P5, {ALL, "DATA_READ + DATA_WRITE = DATA_READ_OR_DATA_WRITE"}},
	{P5, {ALL, "DATA_READ_MISS + DATA_WRITE_MISS = "
	      "DATA_READ_MISS_OR_DATA_WRITE_MISS"}},
	{P5, {ALL, "2*INSTRUCTIONS_EXECUTED_IN_THE_V_PIPE <= "
	      "INSTRUCTIONS_EXECUTED"}},
	{P5, {ALL, "BTB_HITS <= TAKEN_BRANCH_OR_BTB_HIT"}},
	{P5, {ALL, "TAKEN_BRANCH_OR_BTB_HIT <= BRANCHES"}},
	{P5, {ALL, "PIPELINE_FLUSHES <= BRANCHES"}},
#define P6 "p6 pii piii"
	{P6, {ALL, "BR_MISS_PRED_RETIRED <= BR_INST_RETIRED"}},
	{P6, {ALL, "BR_MISS_PRED_TAKEN_RET <= BR_TAKEN_RETIRED"}},
	{P6, {ALL, "BR_TAKEN_RETIRED <= BR_INST_RETIRED"}},
	{P6, {ALL, "BR_INST_RETIRED <= BR_INST_DECODED"}},
	{P6, {ALL, "INST_RETIRED <= INST_DECODER"}},
	{P6, {ALL, "INST_RETIRED <= UOPS_RETIRED"}},
	{P6, {ALL, "L2_IFETCH + L2_LD + L2_ST <= L2_RQSTS"}},
	{P6, {ALL, "BUS_TRAN_BRD + BUS_TRAN_RFO + BUS_TRAN_IFETCH <= "
	      "L2_LINES_IN"}},
	{P6, {ALL, "BUS_TRAN_BURST + BUS_TRANS_P = BUS_TRAN_MEM"}},
	{P6, {ALL, "2*BUS_TRAN_PWR = BUS_TRANS_P"}},
	{P6, {ALL, "DCU_M_LINES_IN <= DCU_LINES_IN"}},
	{P6, {NO_FORK, "DCU_M_LINES_OUT <= DCU_LINES_IN + prefetch.l1d"}},
	{P6, {NO_FORK, "L2_LINES_OUT <= L2_LINES_IN + prefetch.l2"}},
	{P6, {ONE_CPU, "L2_M_LINES_OUTM <= L2_LINES_OUT"}},
#define R1X "r10000 r12000"
	{"r10000", {ALL, "INSTR_GRAD0 = INSTR_GRAD1"}},
	{"r10000", {ALL, "CYCLES0 = CYCLES1"}},
	{"r10000", {ALL, "LOAD_GRAD <= LOAD_ISSUED"}},
	{"r10000", {ALL, "STORE_GRAD <= STORE_ISSUED"}},
	{R1X, {ALL, "SC_FAILED <= SC_GRAD"}},
	{R1X, {ALL, "BRANCH_MISP <= BRANCH_RESOLVED"}},
	{R1X, {ALL, "SCACHE_IMISS <= ICACHE_MISS"}},
	{"r10000", {ALL, "SCACHE_DMISS <= DCACHE_MISS"}},
	{"r10000", {ALL, "EXT_INTERV_HIT <= EXT_INTERV"}},
	{"mips34k", {ALL, "INTEGER_INSNS + FPU_INSNS = INSTRUCTIONS"}},
	{"mips34k", {ALL, "IFU_STALLS + ALU_STALLS = ALL_STALLS"}},
	{"mips34k", {ALL, "ALL_STALLS + MISPREDICTION_STALLS <= CYCLES"}},
	{"mips34k", {ALL, "ICACHE_MISS_STALLS <= ALL_STALLS"}},
	{"mips34k", {ALL, "DCACHE_MISS_STALLS <= ALL_STALLS"}},
	{"mips34k", {ALL, "DCACHE_MISS_STALLS <= DCACHE_MISS_CYCLES"}},
	{"mips34k", {ALL, "L2_MISS_CYCLES <= CYCLES"}},
	{"mips34k", {ALL, "JTLB_INSN_MISSES <= JTLB_INSN_ACCESSES"}},
	{"mips34k", {ALL, "JTLB_DATA_MISSES <= JTLB_DATA_ACCESSES"}},
	{"mips34k", {ALL, "MDU_STALLS + FPU_STALLS + LOAD_USE_STALLS + "
	      "ALU_TO_AGEN_STALLS + INTERLOCK_STALLS + FSB_FULL_STALLS + "
	      "LDQ_FULL_STALLS + WBB_FULL_STALLS <= ALU_STALLS"}},
	{"itanium", {NO_BARRIER, "UNSTALLED_BACKEND_CYCLE + "
	      "PIPELINE_ALL_FLUSH_CYCLE + INST_ACCESS_CYCLE + "
	      "DEPENDENCY_ALL_CYCLE + MEMORY_CYCLE = CPU_CYCLES"}},
	{"itanium2", {NO_BARRIER, "BE_FLUSH_BUBBLE_ALL + BACK_END_BUBBLE_FE + "
	      "BE_EXE_BUBBLE_ALL + BE_L1D_FPU_BUBBLE_ALL = "
	      "BACK_END_BUBBLE_ALL"}},
	{"itanium2", {ALL, "FE_BUBBLE_IMISS + FE_BUBBLE_TLBMISS + "
	      "FE_BUBBLE_BRANCH <= FE_BUBBLE_ALL"}},
	{"itanium2", {ALL, "BE_EXE_BUBBLE_GRALL + BE_EXE_BUBBLE_FRALL <= "
	      "BE_EXE_BUBBLE_ALL"}},
	{"itanium2", {ALL, "BE_L1D_FPU_BUBBLE_L1D_FULLSTBUF + "
	      "BE_L1D_FPU_BUBBLE_L1D_L2BPRESS + BE_L1D_FPU_BUBBLE_L1D_TLB + "
	      "BE_L1D_FPU_BUBBLE_L1D_HPW = BE_L1D_FPU_BUBBLE_ALL"}},
	{"itanium2", {ALL, "BACK_END_BUBBLE_ALL <= CPU_CYCLES"}},
};

#define SIGNAL_LAWS ((int)SIM_COUNT(laws))

const char *
fuzz_law(int i)
{
	return i < SIGNAL_LAWS ? laws[i].text
			       : event_laws[i - SIGNAL_LAWS].law.text;
}

static u64
signal_value(const struct fuzz_counts *counts, const char *name)
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

static u64
event_value(const struct fuzz *f, const struct fuzz_counts *counts,
	    const char *name)
{
	struct pmu_select s = fuzz_select(f, fuzz_event(f, name));

	return pmu_event_count(&f->cpu->config, &s, counts->n);
}

static bool
holds(const struct fuzz *f, const char *law, const struct fuzz_counts *counts,
      bool of_events)
{
	u64 sum[2] = {0};
	unsigned side = 0;
	bool equal = !strstr(law, "<=");
	char text[700], *next;

	snprintf(text, sizeof text, "%s", law);
	for (char *t = strtok_r(text, " ", &next); t;
	     t = strtok_r(NULL, " ", &next)) {
		char *star = strchr(t, '*'), *name = star ? star + 1 : t;
		u64 times = star ? strtoull(t, NULL, 10) : 1;

		if (strchr(t, '='))
			side = 1;
		else if (*t != '+')
			sum[side] += times *
				     (of_events && !strchr(name, '.')
					      ? event_value(f, counts, name)
					      : signal_value(counts, name));
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
	if (scope == NO_BARRIER)
		return !counts->n[SIG_ALU_BARRIER] &&
		       !counts->n[SIG_ALU_ORDER];
	if (scope == WINDOW)
		return pipeline_is_window(pipe);
	if (scope == UNFUSED)
		return pipeline_is_window(pipe) && !pipe->window.fuses;
	return scope == ALL || (pipe->kind == PIPELINE_INORDER &&
				pipe->issue.width > 1);
}

/* Whether a name is one of several. */
static bool
is_among(const char *name, const char *names)
{
	size_t n = strlen(name);

	for (; *names; names += strspn(names, " ")) {
		size_t length = strcspn(names, " ");

		if (length == n && !strncmp(name, names, n))
			return true;
		names += length;
	}
	return false;
}

static bool
is_broken(const struct fuzz *f, const struct fuzz_counts *counts,
	  const struct law *law, bool of_events)
{
	return obeys(&f->cpu->config, counts, law->scope) &&
	       !holds(f, law->text, counts, of_events);
}

int
fuzz_broken(const struct fuzz *f, const struct fuzz_counts *counts, int i)
{
	const int n = SIGNAL_LAWS + (int)SIM_COUNT(event_laws);

	for (; i < n; i++) {
		const struct event_law *e =
			&event_laws[i < SIGNAL_LAWS ? 0 : i - SIGNAL_LAWS];

		if (i < SIGNAL_LAWS ? is_broken(f, counts, &laws[i], false)
				    : is_among(f->name, e->cpus) &&
				      is_broken(f, counts, &e->law, true))
			return i;
	}
	return -1;
}
