/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The MIPS 34K's table against the manual; its ledger. */
#include "table/table.h"
#include "cpu_fixture.h"

#include <string.h>

/* MD00548, Table 3: code, even and odd event with their scopes. */
static const struct row {
	unsigned code;
	const char *even;
	char even_scope;
	const char *odd;
	char odd_scope;
} table3[] = {
	{0, "CYCLES", 'P', "CYCLES", 'P'},
	{1, "INSTRUCTIONS", 'T', "INSTRUCTIONS", 'T'},
	{2, "BRANCH_INSNS", 'T', "BRANCH_MISPREDICTS", 'T'},
	{3, "JR_31_INSNS", 'T', "JR_31_MISPREDICTIONS", 'T'},
	{4, "JR_NON_31_INSNS", 'T', "JR_31_NO_PREDICTIONS", 'T'},
	{5, "ITLB_ACCESSES", 'T', "ITLB_MISSES", 'T'},
	{6, "DTLB_ACCESSES", 'T', "DTLB_MISSES", 'T'},
	{7, "JTLB_INSN_ACCESSES", 'T', "JTLB_INSN_MISSES", 'T'},
	{8, "JTLB_DATA_ACCESSES", 'T', "JTLB_DATA_MISSES", 'T'},
	{9, "ICACHE_ACCESSES", 'T', "ICACHE_MISSES", 'T'},
	{10, "DCACHE_ACCESSES", 'T', "DCACHE_WRITEBACKS", 'T'},
	{11, "DCACHE_MISSES", 'T', "DCACHE_MISSES", 'T'},
	{12, "EXT_INTERVENTION_REQS", 'P', "EXT_INTERVENTION_REQS", 'P'},
	{13, "EXT_INTERVENTION_HIT_DIRTY", 'P',
	 "EXT_INTERVENTION_HIT_CLEAN", 'P'},
	{14, "INTEGER_INSNS", 'T', "FPU_INSNS", 'T'},
	{15, "LOAD_INSNS", 'T', "STORE_INSNS", 'T'},
	{16, "J_JAL_INSNS", 'T', "MIPS16_INSNS", 'T'},
	{17, "NO_OPS_INSNS", 'T', "INT_MUL_DIV_INSNS", 'T'},
	{18, "ALL_STALLS", 'P', "REPLAY_TRAPS", 'T'},
	{19, "SC_INSNS", 'T', "SC_INSNS_FAILED", 'T'},
	{20, "PREFETCH_INSNS", 'T', "PREFETCH_CACHE_HITS", 'T'},
	{21, "L2_CACHE_WRITEBACKS", 'P', "L2_CACHE_ACCESSES", 'P'},
	{22, "L2_CACHE_MISSES", 'P', "L2_CACHE_MISSES", 'P'},
	{23, "EXCEPTIONS_TAKEN", 'T', NULL, 0},
	{24, "CACHE_FIXUPS", 'T', "REFETCHES", 'T'},
	{25, "IFU_STALLS", 'P', "ALU_STALLS", 'P'},
	{26, "DSP_INSNS", 'T', "ALU_DSP_SATURATIONS", 'T'},
	{27, NULL, 0, "MDU_DSP_SATURATIONS", 'T'},
	{28, "PM_EVENTS", 'T', "CP2_EVENTS", 'T'},
	{29, "ISPRAM_EVENTS", 'T', "DSPRAM_EVENTS", 'T'},
	{30, "COREXTEND_EVENTS", 'T', "SYSTEM_EVENTS", 'T'},
	{31, "YM_EVENTS", 'T', "ITC_EVENTS", 'T'},
	{32, "ITC_LOADS", 'T', "ITC_STORES", 'T'},
	{33, "UNCACHED_LOADS", 'T', "UNCACHED_STORES", 'T'},
	{34, "FORK_INSNS", 'T', "YIELD_INSNS", 'T'},
	{35, "CP2_ARITH_INSNS", 'T', "CP2_TO_FROM_INSNS", 'T'},
	{37, "ICACHE_MISS_STALLS", 'T', "DCACHE_MISS_STALLS", 'T'},
	{38, "L2_INSN_MISS_STALLS", 'P', "L2_DATA_MISS_STALLS", 'P'},
	{39, "DCACHE_MISS_CYCLES", 'P', "L2_MISS_CYCLES", 'P'},
	{40, "UNCACHED_STALLS", 'T', "ITC_STALLS", 'T'},
	{41, "MDU_STALLS", 'T', "FPU_STALLS", 'T'},
	{42, "CP2_STALLS", 'T', "COREXTEND_STALLS", 'T'},
	{43, "ISPRAM_STALLS", 'T', "DSPRAM_STALLS", 'T'},
	{44, "CACHE_INSN_STALLS", 'P', NULL, 0},
	{45, "LOAD_USE_STALLS", 'T', "ALU_TO_AGEN_STALLS", 'T'},
	{46, "INTERLOCK_STALLS", 'T', "MISPREDICTION_STALLS", 'P'},
	{47, "RELAX_BUBBLES", 'V', NULL, 0},
	{48, "IFU_FB_FULL_REFETCHES", 'T', "FB_ENTRY_ALLOCATED", 'P'},
	{50, "FSB_LESS_25_FULL", 'P', "FSB_25_50_FULL", 'P'},
	{51, "FSB_OVER_50_FULL", 'P', "FSB_FULL_STALLS", 'P'},
	{52, "LDQ_LESS_25_FULL", 'P', "LDQ_25_50_FULL", 'P'},
	{53, "LDQ_OVER_50_FULL", 'P', "LDQ_FULL_STALLS", 'P'},
	{54, "WBB_LESS_25_FULL", 'P', "WBB_25_50_FULL", 'P'},
	{55, "WBB_OVER_50_FULL", 'P', "WBB_FULL_STALLS", 'P'},
};

/* MD00548, Table 5, sorted; names of Tables 4 and 5 alike. */
static const struct mapping {
	const char *name, *option;
	const char *even, *odd;
} table5[] = {
	{"ipc", "i", "0", "1"},
	{"stalls", "s", "18 24 25 41 45", "18 25 41 45 46"},
	{"stalls_all", NULL, "18 24 25 37 38 40 41 42 43 44 45 46 47 48",
	 "18 24 25 37 38 40 41 42 43 45 46 51 53 55"},
	{"all_stalls", NULL, "18 24 25 37 38 40 41 42 43 44 45 46 47 48",
	 "18 24 25 37 38 40 41 42 43 45 46 51 53 55"},
	{"queues", "q", "50 51 52 53 54 55", "50 51 52 53 54 55"},
	{"misses", NULL, "5 6 7 8 9 10 11 21 22 39",
	 "5 6 7 8 9 10 11 21 22 39"},
	{"instructions", NULL, "1 2 3 4 14 15 16 17 19 20 26 32 34 35",
	 "2 3 4 14 15 16 17 19 20 26 27 32 34 35"},
	{"cache", "c", "9 10 37 39", "9 10 11 37"},
	{"branch", NULL, "2 3 4 16", "2 3 4 16"},
	{"branches", "b", "2 3 4 16", "2 3 4 16"},
	{"tlb", NULL, "5 6 7 8", "5 6 7 8"},
	{"l2", NULL, "21 22 38", "21 38 39"},
	{"itc", NULL, "32", "31 32 40"},
};

static const struct pmcsim_group *
group_named(const struct pmcsim_cpu *cpu, const char *name)
{
	size_t n;
	const struct pmcsim_group *group = pmcsim_cpu_groups(cpu, &n);

	for (; n--; group++)
		if (!strcmp(group->name, name))
			return group;
	return NULL;
}

static void
check_event(const struct pmcsim_cpu *cpu, unsigned list, unsigned code,
	    const char *name, char scope)
{
	const struct pmcsim_event *event = pmcsim_cpu_event(cpu, list, code);

	assert_non_null(event);
	assert_int_equal(event->code, code);
	assert_int_equal(event->counters, list ? 0xa : 0x5);
	assert_int_equal(event->reserved, !name);
	assert_string_equal(event->name, name ? name : "RESERVED");
	assert_int_equal(event->scope, scope);
	assert_ptr_equal(pmcsim_cpu_event(cpu, list + 2, code), event);
}

static void
test_table3(void **state)
{
	const struct row *row = table3, *end = table3 + SIM_COUNT(table3);

	for (unsigned code = 0; code < 128; code++) {
		if (row < end && row->code == code) {
			check_event(*state, 0, code, row->even,
				    row->even_scope);
			check_event(*state, 1, code, row->odd, row->odd_scope);
			row++;
			continue;
		}
		check_event(*state, 0, code, NULL, 0);
		check_event(*state, 1, code, NULL, 0);
	}
	assert_ptr_equal(row, end);
	assert_null(pmcsim_cpu_event(*state, 0, 128));
	assert_null(pmcsim_cpu_event(*state, 1, 128));
}

/* Zero and not modelled have a reason and count nothing; others count. */
static void
test_precision(void **state)
{
	const struct pmcsim_cpu *cpu = *state;
	size_t n, counting = 0;
	const struct pmcsim_event *event = pmcsim_cpu_events(cpu, &n);
	const struct sim_event *sim = cpu->config.event;

	assert_int_equal(n, 256);
	assert_int_equal(cpu->config.n_events, 104);
	for (; n--; event++) {
		assert_true(strlen(event->label) <= 25);
		assert_true(strlen(event->text) > 10);
		if (event->precision >= PMCSIM_ZERO)
			assert_non_null(event->reason);
		else
			counting++;
	}
	for (unsigned i = 0; i < cpu->config.n_events; i++)
		counting -= sim[i].n > 0;
	assert_int_equal(counting, 0);
}

/* By code, even before odd; the machine has the same scopes. */
static void
test_order_and_scopes(void **state)
{
	const struct pmcsim_cpu *cpu = *state;
	size_t n;
	const struct pmcsim_event *event = pmcsim_cpu_events(cpu, &n);

	for (unsigned i = 0; i < n; i++) {
		assert_int_equal(event[i].code, i / 2);
		assert_int_equal(event[i].counters, i & 1 ? 0xa : 0x5);
	}
	for (unsigned i = 0; i < cpu->config.n_events; i++) {
		const struct sim_event *sim = &cpu->config.event[i];
		char scope = event[2 * sim->code + !(sim->counters & 1)].scope;

		assert_int_equal(sim->scope, scope == 'T'   ? SCOPE_TC
					     : scope == 'V' ? SCOPE_VPE
							    : SCOPE_PROCESSOR);
	}
}

static void
test_labels(void **state)
{
	static const struct {
		unsigned list, code;
		const char *label;
	} figures[] = {
		{0, 0, "cycles"},
		{1, 1, "all instructions"},
		{0, 9, "I-cache accesses"},
		{1, 9, "I-cache misses"},
		{0, 10, "D-cache accesses"},
		{1, 10, "D-cache writebacks"},
		{1, 11, "D-cache misses"},
		{0, 37, "L1 I-$ miss stalls"},
		{1, 37, "L1 D-$ miss stalls"},
		{0, 39, "D-$ miss pending"},
	};

	for (size_t i = 0; i < SIM_COUNT(figures); i++)
		assert_string_equal(pmcsim_cpu_event(*state, figures[i].list,
						     figures[i].code)
					    ->label,
				    figures[i].label);
}

static const char *
as_text(const unsigned *code, size_t n, char *text)
{
	char *end = text;

	*text = '\0';
	for (size_t i = 0; i < n; i++)
		end += sprintf(end, "%s%u", i ? " " : "", code[i]);
	return text;
}

static void
test_table5(void **state)
{
	char text[512];
	size_t n;

	for (size_t i = 0; i < SIM_COUNT(table5); i++) {
		const struct mapping *m = &table5[i];
		const struct pmcsim_group *g = group_named(*state, m->name);

		assert_non_null(g);
		assert_string_equal(as_text(g->even, g->n_even, text),
				    m->even);
		assert_string_equal(as_text(g->odd, g->n_odd, text), m->odd);
		if (m->option)
			assert_string_equal(g->option, m->option);
		else
			assert_null(g->option);
	}
	pmcsim_cpu_groups(*state, &n);
	assert_int_equal(n, SIM_COUNT(table5) + 1); /* and all */
}

static void
test_group_all(void **state)
{
	const struct pmcsim_group *all = group_named(*state, "all");
	const unsigned *even = all->even, *odd = all->odd;
	size_t n;
	const struct pmcsim_event *event = pmcsim_cpu_events(*state, &n);

	assert_string_equal(all->option, "a");
	assert_int_equal(all->n_even + all->n_odd, 104);
	for (; n--; event++) {
		if (event->reserved)
			continue;
		if (event->counters & 1)
			assert_int_equal(event->code, *even++);
		else
			assert_int_equal(event->code, *odd++);
	}
}

/* Section 4.3: --misses and --tlb give even events 5 to 11, 21, 22, 39. */
static void
test_union(void **state)
{
	const struct pmcsim_group *a = group_named(*state, "misses");
	const struct pmcsim_group *b = group_named(*state, "tlb");
	bool want[128] = {false};
	unsigned all[128], n = 0;
	char text[512];

	for (size_t i = 0; i < a->n_even; i++)
		want[a->even[i]] = true;
	for (size_t i = 0; i < b->n_even; i++)
		want[b->even[i]] = true;
	for (unsigned i = 0; i < 128; i++)
		if (want[i])
			all[n++] = i;
	assert_string_equal(as_text(all, n, text), "5 6 7 8 9 10 11 21 22 39");
}

/* The names of the signals that an event adds up. */
static const char *
signals_of(const struct sim_config *config, unsigned counter, unsigned code,
	   char *text)
{
	char *end = text;

	*text = '\0';
	for (unsigned i = 0; i < config->n_events; i++) {
		const struct sim_event *e = &config->event[i];

		if (e->code != code || !(e->counters & 1u << counter))
			continue;
		for (unsigned j = 0; j < e->n; j++)
			end += sprintf(end, "%s%s", j ? " " : "",
				       signal_name(e->term[j].signal));
		return text;
	}
	return NULL;
}

#define IFU                                                                 \
	"stall.ifu.icache stall.ifu.itlb stall.ifu.redirect "               \
	"stall.ifu.decode"
#define ALU                                                                 \
	"stall.alu.dmiss stall.alu.loaduse stall.alu.agen "                 \
	"stall.alu.store stall.alu.mmx stall.alu.mdu "                      \
	"stall.alu.fpu stall.alu.other stall.alu.busy stall.alu.dtlb "      \
	"stall.alu.barrier stall.alu.order stall.alu.fsb stall.alu.ldq "    \
	"stall.alu.wbb"

static void
test_signals(void **state)
{
	static const struct {
		unsigned counter, code;
		const char *signals;
	} sums[] = {
		{0, 0, "cycle.issue cycle.killed " IFU " " ALU},
		{3, 0, "cycle.issue cycle.killed " IFU " " ALU},
		{2, 1, "insn"},
		{0, 2, "branch.cond"},
		{1, 14, "insn.fpu"},
		{0, 14, "insn.int"},
		{0, 16, "jump.direct jump.call"},
		{0, 18, IFU " " ALU},
		{1, 18, "replay"},
		{0, 23, "os.syscall os.signal jtlb.i.miss jtlb.d.miss"},
		{0, 25, IFU},
		{1, 25, ALU},
		{1, 26, ""},
		{0, 39, "dcache.pending"},
		{1, 46, "cycle.killed"},
		{1, 55, "stall.alu.wbb"},
	};
	const struct pmcsim_cpu *cpu = *state;
	char text[1024];

	for (size_t i = 0; i < SIM_COUNT(sums); i++)
		assert_string_equal(signals_of(&cpu->config, sums[i].counter,
					       sums[i].code, text),
				    sums[i].signals);
	assert_null(signals_of(&cpu->config, 1, 23, text));
}

static void
test_34k_machine(void **state)
{
	const struct sim_config *c = &((struct pmcsim_cpu *)*state)->config;
	static const u8 vpe_of_tc[] = {0, 0, 0, 1, 1};

	assert_string_equal(pmcsim_cpu_name(*state), "mips34k");
	assert_int_equal(pmcsim_cpu_contexts(*state), 5);
	assert_int_equal(pmcsim_cpu_vpes(*state), 2);
	assert_memory_equal(c->topo.vpe_of_tc, vpe_of_tc, 5);
	assert_int_equal(c->clock_hz, 32000000);
	assert_int_equal(c->n_counters, 4);
	assert_int_equal(c->counter_bits, 32);
	assert_int_equal(c->l1d.size, 32768);
	assert_int_equal(c->l1i.ways, 4);
	assert_int_equal(c->l2.size, 0);
	assert_int_equal(c->dtlb.entries, 8);
	assert_int_equal(c->jtlb.entries, 64);
	assert_int_equal(c->branch.entries, 512);
	assert_int_equal(c->pipe.cls[CLASS_DIV].latency, 36);
	assert_int_equal(c->pipe.cls[CLASS_DIV].unit, UNIT_MDU);
	assert_int_equal(c->pipe.mispredict, 3);
	assert_int_equal(c->pipe.discarded_tenths, 17);
	assert_int_equal(c->mem.latency, 50);
	assert_int_equal(c->mem.wbb, 4);
}

/* What the ledger adds to cycles must be issue cycles and stalls. */
static void
test_ledger(void **state)
{
	const struct sim_config *c = &((struct pmcsim_cpu *)*state)->config;

	assert_int_equal(c->ledger.tick_cycles, 320000);
	for (int i = 0; i < LEDGER_N; i++) {
		const u32 *cost = c->ledger.cause[i].cost;

		assert_true(cost[SIG_INSN] > 0);
		assert_int_equal(cost[SIG_INSN], cost[SIG_CYCLE_ISSUE]);
		assert_int_equal(cost[SIG_INSN],
				 cost[SIG_INSN_INT] + cost[SIG_INSN_FPU]);
		assert_int_equal(cost[SIG_DACCESS],
				 cost[SIG_INSN_LOAD] + cost[SIG_INSN_STORE]);
		assert_true(cost[SIG_DCACHE_MISS] <= cost[SIG_DACCESS]);
		assert_true(cost[SIG_ICACHE_MISS] <= cost[SIG_IFETCH]);
		assert_true(cost[SIG_DCACHE_WAIT] <= cost[SIG_DCACHE_PENDING]);
		assert_true(cost[SIG_BRANCH_TAKEN] <= cost[SIG_BRANCH_COND]);
	}
	assert_int_equal(c->ledger.cause[LEDGER_REFILL].mode, MODE_EXL);
	assert_int_equal(c->ledger.cause[LEDGER_SYSCALL].mode, MODE_KERNEL);
	assert_int_equal(c->ledger.cause[LEDGER_SYSCALL].cost[SIG_INSN], 184);
}

/* A refill costs what the processor's tlb_refill says. */
static void
test_refill_cycles(void **state)
{
	const struct sim_config *c = &((struct pmcsim_cpu *)*state)->config;
	const u32 *cost = c->ledger.cause[LEDGER_REFILL].cost;
	u32 cycles = 0;

	for (int s = SIG_CYCLE_ISSUE; s <= SIG_ALU_WBB; s++)
		cycles += cost[s];
	assert_int_equal(cycles, c->pipe.tlb_refill);
}

/* Where the processor refills its TLBs, the kernel has nothing to do. */
static void
test_hardware_refill(void **state)
{
	struct pmcsim_error error;
	struct pmcsim_cpu *cpu;
	u64 cost = 0, other = 0;

	(void)state;
	assert_int_equal(pmcsim_cpu_load("p5", &cpu, &error), 0);
	assert_true(cpu->config.pipe.refill_is_hardware);
	for (int s = 0; s < SIG_N; s++) {
		cost += cpu->config.ledger.cause[LEDGER_REFILL].cost[s];
		other += cpu->config.ledger.cause[LEDGER_PAGE].cost[s];
	}
	assert_int_equal(cost, 0);
	assert_true(other > 0);
	pmcsim_cpu_free(cpu);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table3),
		cmocka_unit_test(test_precision),
		cmocka_unit_test(test_order_and_scopes),
		cmocka_unit_test(test_labels),
		cmocka_unit_test(test_table5),
		cmocka_unit_test(test_group_all),
		cmocka_unit_test(test_union),
		cmocka_unit_test(test_signals),
		cmocka_unit_test(test_34k_machine),
		cmocka_unit_test(test_ledger),
		cmocka_unit_test(test_refill_cycles),
		cmocka_unit_test(test_hardware_refill),
	};

	return cmocka_run_group_tests(tests, load_34k, unload);
}
