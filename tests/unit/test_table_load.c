/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What loading a CPU table fills in, and where tables are looked for. */
#include "table/table.h"
#include "table/table_classes.h"
#include "cpu_fixture.h"

#include <errno.h>
#include <string.h>

static bool
same_cost(const struct class_config *a, const struct class_config *b)
{
	return a->latency == b->latency && a->repeat == b->repeat &&
	       a->unit == b->unit;
}

/* A class that a table does not name costs what another one costs. */
static void
test_optional_classes(void **state)
{
	const char *path = TEST_DATA_DIR "/tables/small.yaml";
	struct pmcsim_error error;
	struct pmcsim_cpu *cpu;
	const struct class_config *cls;

	(void)state;
	assert_int_equal(pmcsim_cpu_load(path, &cpu, &error), 0);
	cls = cpu->config.pipe.cls;
	assert_true(same_cost(&cls[CLASS_SHIFT], &cls[CLASS_ALU]));
	assert_true(same_cost(&cls[CLASS_LOGIC], &cls[CLASS_ALU]));
	assert_true(same_cost(&cls[CLASS_LEA], &cls[CLASS_ALU]));
	assert_true(same_cost(&cls[CLASS_MUL64], &cls[CLASS_MUL]));
	assert_true(same_cost(&cls[CLASS_MULH], &cls[CLASS_MUL]));
	assert_int_equal(cls[CLASS_MULH].latency, 3);
	assert_int_equal(cls[CLASS_FXCH].latency, cls[CLASS_FMOVE].latency);
	pmcsim_cpu_free(cpu);
}

/* Every number of small.yaml, in its field. */
static void
test_fields(void **state)
{
	const char *path = TEST_DATA_DIR "/tables/small.yaml";
	struct pmcsim_error error;
	struct pmcsim_cpu *cpu;
	const struct sim_config *c;
	static const struct branch_config branch = {
		.kind = PREDICT_GSHARE, .initial = 2, .history_bits = 6,
		.pc_shift = 1, .entries = 256, .return_entries = 3,
		.return_one_owner = true, .target_entries = 16};
	static const struct cache_config l1d = {.size = 2048, .ways = 4,
		.line = 16, .policy = POLICY_ROUND_ROBIN,
		.write_through = true, .no_write_allocate = true};
	static const struct cache_config l2 = {.size = 65536, .ways = 8,
		.line = 64, .policy = POLICY_RANDOM, .latency = 40};
	static const struct tlb_config jtlb = {.entries = 64, .ways = 4,
		.page_bits = 14, .policy = POLICY_RANDOM};
	static const struct memory_config mem = {.latency = 51,
		.bus_fill = 52, .bus_writeback = 53, .beat = 54, .fsb = 55,
		.ldq = 56, .wbb = 57, .ifb = 8};
#define ID(id, name) CLASS_##id,
	static const u8 order[] = {TABLE_CLASSES(ID)};
#undef ID

	(void)state;
	assert_int_equal(pmcsim_cpu_load(path, &cpu, &error), 0);
	c = &cpu->config;
	assert_memory_equal(&c->branch, &branch, sizeof branch);
	assert_memory_equal(&c->l1d, &l1d, sizeof l1d);
	assert_memory_equal(&c->l2, &l2, sizeof l2);
	assert_int_equal(c->l1i.policy, POLICY_FIFO);
	assert_false(c->l1i.write_through || c->l1i.no_write_allocate);
	assert_memory_equal(&c->jtlb, &jtlb, sizeof jtlb);
	assert_int_equal(c->dtlb.entries, 3);
	assert_memory_equal(&c->mem, &mem, sizeof mem);
	assert_int_equal(c->topo.tcs, 4);
	assert_int_equal(c->topo.vpes, 3);
	assert_int_equal(c->topo.vpe_of_tc[0], 2);
	assert_int_equal(c->topo.quantum, 500);
	assert_int_equal(c->topo.time_slice, 600);
	assert_int_equal(c->n_counters, 2);
	assert_int_equal(c->counter_bits, 40);
	for (unsigned i = 2; i < SIM_COUNT(order); i++)
		assert_int_equal(c->pipe.cls[order[i]].latency, i + 1);
	assert_int_equal(c->pipe.cls[CLASS_NOP].latency, 0);
	assert_int_equal(c->pipe.cls[CLASS_MUL].repeat, 2);
	assert_int_equal(c->pipe.cls[CLASS_FSQRT_D].unit, UNIT_FPU);
	assert_int_equal(c->pipe.cls[CLASS_SIMD].unit, UNIT_NONE);
	assert_int_equal(c->ledger.tick_cycles, 0);
	assert_int_equal(pmcsim_cpu_event(cpu, 0, 300)->scope, 'V');
	assert_true(pmcsim_cpu_event(cpu, 1, 9)->reserved);
	assert_null(pmcsim_cpu_event(cpu, 0, 9));
	pmcsim_cpu_free(cpu);
}

static void
test_pipeline_fields(void **state)
{
	struct pmcsim_error error;
	struct pmcsim_cpu *cpu;
	const struct pipeline_config *p;

	(void)state;
	assert_int_equal(pmcsim_cpu_load(TEST_DATA_DIR "/tables/small.yaml",
					 &cpu, &error),
			 0);
	p = &cpu->config.pipe;
	assert_int_equal(p->load_use, 31);
	assert_int_equal(p->load_address, 32);
	assert_int_equal(p->alu_address, 33);
	assert_int_equal(p->unit_address, 34);
	assert_int_equal(p->store_data_slack, 35);
	assert_int_equal(p->mispredict, 36);
	assert_int_equal(p->indirect, 37);
	assert_int_equal(p->taken_bubble, 38);
	assert_int_equal(p->fetch_bytes, 16);
	assert_int_equal(p->fetch_ahead, 39);
	assert_int_equal(p->discarded_tenths, 40);
	assert_int_equal(p->itlb_bubble, 41);
	assert_int_equal(p->dtlb_replay, 42);
	assert_int_equal(p->tlb_refill, 43);
	assert_true(p->refill_is_hardware);
	assert_false(p->miss_counts_secondary);
	pmcsim_cpu_free(cpu);
}

static void
test_names(void **state)
{
	struct pmcsim_error error;
	struct pmcsim_cpu *cpu;
	bool found_34k = false, found_small = false;
	char **names;
	size_t n;

	(void)state;
	setenv("PMCSIM_EVENTS",
	       "/nonexistent::" TEST_DATA_DIR "/tables:" EVENTS, 1);
	assert_int_equal(pmcsim_cpu_names(&names, &n), 0);
	for (size_t i = 0; i < n; i++) {
		assert_true(!i || strcmp(names[i - 1], names[i]) < 0);
		found_34k |= !strcmp(names[i], "mips34k");
		found_small |= !strcmp(names[i], "small");
	}
	pmcsim_names_free(names, n);
	assert_true(found_34k && found_small);
	assert_int_equal(pmcsim_cpu_load("small", &cpu, &error), 0);
	assert_string_equal(pmcsim_cpu_text(cpu), "A machine for tests");
	pmcsim_cpu_free(cpu);
	setenv("PMCSIM_EVENTS", EVENTS, 1);
	assert_int_equal(pmcsim_cpu_load("small", &cpu, &error), -ENOENT);
	assert_non_null(strstr(error.text, "no CPU table is called 'small'"));
}

static void
test_version(void **state)
{
	unsigned a, b, c;

	(void)state;
	assert_int_equal(sscanf(pmcsim_version(), "%u.%u.%u", &a, &b, &c), 3);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_optional_classes),
		cmocka_unit_test(test_fields),
		cmocka_unit_test(test_pipeline_fields),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_version),
	};

	setenv("PMCSIM_EVENTS", EVENTS, 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
