/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Itanium's monitors: the rules of the manual, each stated a second time. */
#include "device/ia64.h"
#include "counters/machine_api.h"
#include "machine_fixture.h"

#include <errno.h>

#define CYCLES 0x12
#define INSTRUCTIONS 0x08

static struct machine_map
ia64_machine(enum counter_control control, unsigned bits)
{
	struct sim_config *config = fixture_config();

	config->system = SYSTEM_IA64;
	config->counter_control = control;
	config->counter_bits = bits;
	config->n_events = 4;
	config->event[0] = (struct sim_event){
		.code = CYCLES, .counters = 15, .n = 1,
		.term = {{SIG_CYCLE_ISSUE, 1, 0, false}}};
	config->event[1] = (struct sim_event){
		.code = INSTRUCTIONS, .counters = 3, .n = 1, .n_per_cycle = 3,
		.per_cycle = {SIG_ISSUE_1, SIG_ISSUE_2, SIG_ISSUE_3},
		.term = {{SIG_INSN, 1, 0, false}}};
	config->event[2] = (struct sim_event){
		.code = 0x69 | 2 << 8, .counters = 15, .n = 1,
		.term = {{SIG_INSN_STORE, 1, 0, false}}};
	config->event[3] = (struct sim_event){
		.code = 0xb2, .counters = 15, .n = 1,
		.term = {{SIG_INSN_LOAD, 1, 0, false}}};
	config->ledger.cause[LEDGER_SYSCALL].mode = MODE_KERNEL;
	config->ledger.cause[LEDGER_SYSCALL].cost[SIG_CYCLE_ISSUE] = 1000;
	return fixture_machine(config);
}

static struct machine_map
itanium(void)
{
	return ia64_machine(CONTROL_ES7, 32);
}

static u64 *
signals_of(struct machine_map *map)
{
	return map->m->slot[0].sig[0];
}

static void
set_pmc(struct machine_map *map, unsigned i, u64 value)
{
	assert_int_equal(ia64_set_pmc(map, 0, i, value), 0);
}

static u64
pmc(struct machine_map *map, unsigned i)
{
	u64 value;

	assert_int_equal(ia64_get_pmc(map, 0, i, &value), 0);
	return value;
}

static u64
pmd(struct machine_map *map, unsigned i)
{
	u64 value;

	assert_int_equal(ia64_get_pmd(map, 0, i, &value), 0);
	return value;
}

static u64
es(unsigned code)
{
	return (u64)code << 8;
}

/* PSR bits as given, all acting. */
static void
set_psr(struct machine_map *map, u64 bits, unsigned cpl)
{
	assert_int_equal(ia64_system_mask(map, 0, IA64_PSR_UP | IA64_PSR_PP |
					  IA64_PSR_SP, false), 0);
	assert_int_equal(ia64_system_mask(map, 0, bits, true), 0);
	assert_int_equal(ia64_set_cpl(map, cpl), 0);
}

/*
 * Every combination of PMC0.fr, plm, pm, PSR.up, PSR.pp, PSR.cpl, against the
 * manual's formula; what programs execute counts at cpl, the accounts of the
 * operating system at level 0.
 */
static void
enable_rule(void **state)
{
	struct machine_map map = itanium();
	unsigned enabled = 0;

	(void)state;
	for (unsigned c = 0; c < 1u << 10; c++) {
		unsigned fr = c & 1, pm = c >> 1 & 1, up = c >> 2 & 1;
		unsigned pp = c >> 3 & 1, cpl = c >> 4 & 3, plm = c >> 6;
		bool runs = (!pm && up) || (pm && pp);
		bool user = !fr && runs && (plm & 1u << cpl);
		bool kernel = !fr && runs && (plm & 1u);
		u64 before;

		set_pmc(&map, 0, fr);
		set_pmc(&map, 5, plm | (pm ? 1u << 6 : 0) | es(CYCLES));
		set_psr(&map, (up ? 1u << 2 : 0) | (pp ? 1u << 21 : 0), cpl);
		before = pmd(&map, 5);
		signals_of(&map)[SIG_CYCLE_ISSUE] += 7;
		assert_int_equal(pmd(&map, 5) - before, user ? 7 : 0);
		before = pmd(&map, 5);
		signals_of(&map)[SIG_OS_SYSCALL] += 1;
		assert_int_equal(pmd(&map, 5) - before, kernel ? 1000 : 0);
		assert_int_equal(ia64_enabled(&map.m->ia64.now, 5, cpl), user);
		enabled += user;
	}
	assert_int_equal(enabled, 4 * 8 * 4);
	fixture_close(&map);
}

/* Table 7-5, row by row; cpl 1 to 3 are the rows for more than 0. */
static void
read_table(void **state)
{
	static const struct {
		unsigned sp, pm;
		bool privileged, value;
	} row[] = {
		{0, 0, true, true}, {0, 1, true, true}, {1, 0, true, true},
		{1, 1, true, true}, {0, 0, false, true},
		{0, 1, false, false}, {1, 0, false, false},
		{1, 1, false, false},
	};
	struct machine_map map = itanium();
	u64 value;

	(void)state;
	for (size_t r = 0; r < SIM_COUNT(row); r++)
		for (unsigned cpl = 0; cpl < 4; cpl++)
			for (unsigned i = 4; i < 8; i++) {
				if (row[r].privileged != (cpl == 0))
					continue;
				set_pmc(&map, i, (u64)row[r].pm << 6);
				assert_int_equal(ia64_set_pmd(&map, 0, i,
							      1234), 0);
				set_psr(&map, (u64)row[r].sp << 20, cpl);
				assert_int_equal(ia64_get_pmd(&map, cpl, i,
							      &value), 0);
				assert_int_equal(value,
						 row[r].value ? 1234 : 0);
			}
	fixture_close(&map);
}

static void
privileged_operations(void **state)
{
	struct machine_map map = itanium();
	u64 value;

	(void)state;
	for (unsigned cpl = 0; cpl < 4; cpl++) {
		int rc = cpl ? -EPERM : 0;

		assert_int_equal(ia64_set_pmc(&map, cpl, 4, 0), rc);
		assert_int_equal(ia64_get_pmc(&map, cpl, 4, &value), rc);
		assert_int_equal(ia64_set_pmd(&map, cpl, 4, 0), rc);
		assert_int_equal(ia64_get_pmd(&map, cpl, 4, &value), 0);
		assert_int_equal(ia64_system_mask(&map, cpl, IA64_PSR_PP,
						  true), rc);
		assert_int_equal(ia64_system_mask(&map, cpl, 0, false), rc);
		/* A register that cannot be named, or is not there. */
		assert_int_equal(ia64_set_pmc(&map, cpl, 256, 0),
				 cpl ? -EPERM : -EINVAL);
		assert_int_equal(ia64_get_pmd(&map, cpl, 256, &value),
				 -EINVAL);
		assert_int_equal(ia64_set_pmc(&map, cpl, 200, ~0ull), rc);
		assert_int_equal(ia64_get_pmc(&map, cpl, 200, &value), rc);
		assert_int_equal(value, 0);
		assert_int_equal(ia64_get_pmd(&map, cpl, 0, &value), 0);
		assert_int_equal(value, 0);
	}
	assert_int_equal(ia64_set_cpl(&map, 4), -EINVAL);
	fixture_close(&map);
}

/* Bits that are there, of each register on both machines. */
static void
implemented_bits(void **state)
{
	struct machine_map one = itanium();
	struct machine_map two = ia64_machine(CONTROL_ES8, 47);
	/* plm, ev, oi, pm; not ig; es; not 15; umask, threshold; not 23,
	 * but in the second machine's PMC4; instruction set mask. */
	u64 es7 = 0x7f | 0x7f << 8 | 0xf << 16 | 7 << 20 | 3 << 24;
	u64 es8 = es7 | 1 << 15;

	(void)state;
	for (unsigned i = 0; i < 16; i++) {
		bool generic = i >= 4 && i <= 7;

		set_pmc(&one, i, ~0ull);
		set_pmc(&two, i, ~0ull);
		assert_int_equal(pmc(&one, i), i == 0 ? 0xf1 :
				 generic ? es7 : 0);
		assert_int_equal(pmc(&two, i), i == 0 ? 0xf1 :
				 generic ? es8 | (i == 4) << 23 : 0);
		assert_int_equal(ia64_set_pmd(&one, 0, i, ~0ull), 0);
		assert_int_equal(ia64_set_pmd(&two, 0, i, ~0ull), 0);
		ia64_serialize(&one);
		ia64_serialize(&two);
		assert_int_equal(pmd(&one, i), generic ? 0xffffffff : 0);
		assert_int_equal(pmd(&two, i), generic ? 0x7fffffffffff : 0);
	}
	fixture_close(&one);
	fixture_close(&two);
}

/* Which bits sum, rum, ssm and rsm change, and which of them fault. */
static void
masks(void **state)
{
	struct machine_map map = itanium();

	(void)state;
	for (unsigned bit = 0; bit < 32; bit++) {
		bool user = bit >= 1 && bit <= 5;
		bool system = user || (bit >= 13 && bit <= 15) ||
			      (bit >= 17 && bit <= 23);
		u64 mask = 1ull << bit, least = 3ull << 32;

		assert_int_equal(ia64_user_mask(&map, mask, true),
				 user ? 0 : -EINVAL);
		assert_int_equal(ia64_psr(&map), least | (user ? mask : 0));
		assert_int_equal(ia64_user_mask(&map, mask, false),
				 user ? 0 : -EINVAL);
		assert_int_equal(ia64_psr(&map), least);
		assert_int_equal(ia64_system_mask(&map, 0, mask, true),
				 system ? 0 : -EINVAL);
		assert_int_equal(ia64_psr(&map), least | (system ? mask : 0));
		assert_int_equal(ia64_system_mask(&map, 0, mask, false),
				 system ? 0 : -EINVAL);
		assert_int_equal(ia64_psr(&map), least);
	}
	fixture_close(&map);
}

/* While they are secured, users neither start nor stop their monitors; the
 * other bits of the user mask change. */
static void
secured_monitors_keep_running(void **state)
{
	struct machine_map map = itanium();
	u64 value;

	(void)state;
	set_pmc(&map, 4, 8 | es(CYCLES));
	set_psr(&map, IA64_PSR_UP, 3);
	signals_of(&map)[SIG_CYCLE_ISSUE] += 10;
	set_psr(&map, IA64_PSR_UP | IA64_PSR_SP, 3);
	assert_int_equal(ia64_user_mask(&map, IA64_PSR_UP | 8, false), 0);
	assert_int_equal(ia64_user_mask(&map, 16, true), 0);
	ia64_serialize(&map);
	assert_int_equal(ia64_psr(&map) & 0x3c, IA64_PSR_UP | 16);
	signals_of(&map)[SIG_CYCLE_ISSUE] += 5;
	assert_int_equal(ia64_get_pmd(&map, 3, 4, &value), 0);
	assert_int_equal(value, 0);
	assert_int_equal(pmd(&map, 4), 15);
	assert_int_equal(ia64_system_mask(&map, 0, IA64_PSR_SP, false), 0);
	ia64_serialize(&map);
	assert_int_equal(ia64_get_pmd(&map, 3, 4, &value), 0);
	assert_int_equal(value, 15);
	fixture_close(&map);
}

/* Each kind of update acts at serialization and not before. */
static void
serialization(void **state)
{
	struct machine_map map = itanium();
	u64 *cycles = &signals_of(&map)[SIG_CYCLE_ISSUE], value;

	(void)state;
	set_psr(&map, IA64_PSR_UP, 3);
	set_pmc(&map, 4, 8 | es(CYCLES));
	*cycles += 1;
	assert_int_equal(pmc(&map, 4), 8 | es(CYCLES));
	assert_int_equal(pmd(&map, 4), 0);
	ia64_serialize(&map);
	*cycles += 10;
	assert_int_equal(pmd(&map, 4), 10);
	assert_int_equal(ia64_user_mask(&map, IA64_PSR_UP, false), 0);
	*cycles += 100;
	assert_int_equal(pmd(&map, 4), 110);
	ia64_serialize(&map);
	*cycles += 1000;
	assert_int_equal(pmd(&map, 4), 110);
	assert_int_equal(ia64_set_pmd(&map, 0, 4, 7), 0);
	assert_int_equal(pmd(&map, 4), 110);
	ia64_serialize(&map);
	assert_int_equal(pmd(&map, 4), 7);
	assert_int_equal(ia64_system_mask(&map, 0, IA64_PSR_SP, true), 0);
	assert_int_equal(ia64_get_pmd(&map, 3, 4, &value), 0);
	assert_int_equal(value, 7);
	ia64_serialize(&map);
	assert_int_equal(ia64_get_pmd(&map, 3, 4, &value), 0);
	assert_int_equal(value, 0);
	set_pmc(&map, 0, IA64_PMC0_FR);
	assert_int_equal(ia64_user_mask(&map, IA64_PSR_UP, true), 0);
	*cycles += 1;
	assert_int_equal(pmd(&map, 4), 7);
	fixture_close(&map);
}

/* PMC4.23 of the second machine: set from the start, it lets all count. */
static void
power(void **state)
{
	struct machine_map map = ia64_machine(CONTROL_ES8, 47);
	u64 *cycles = &signals_of(&map)[SIG_CYCLE_ISSUE];
	u64 first = pmc(&map, 4);

	(void)state;
	assert_int_equal(first, 1 << 23);
	assert_int_equal(pmc(&map, 5), 0);
	set_pmc(&map, 4, first | 8 | es(CYCLES));
	set_pmc(&map, 6, 8 | es(CYCLES));
	set_psr(&map, IA64_PSR_UP, 3);
	*cycles += 10;
	set_pmc(&map, 4, 8 | es(CYCLES));
	ia64_serialize(&map);
	assert_int_equal(pmc(&map, 4), 8 | es(CYCLES));
	*cycles += 100;
	assert_int_equal(pmd(&map, 4), 10);
	assert_int_equal(pmd(&map, 6), 10);
	set_pmc(&map, 4, first | 8 | es(CYCLES));
	ia64_serialize(&map);
	*cycles += 1000;
	assert_int_equal(pmd(&map, 4), 1010);
	assert_int_equal(pmd(&map, 6), 1010);
	fixture_close(&map);
}

/* The last value, the carry, the bit; without oi it goes on counting. */
static void
overflow_at(enum counter_control control, unsigned bits)
{
	struct machine_map map = ia64_machine(control, bits);
	u64 *cycles = &signals_of(&map)[SIG_CYCLE_ISSUE];
	u64 top = (1ull << bits) - 1;

	set_pmc(&map, 6, 8 | es(CYCLES));
	set_pmc(&map, 7, 8 | IA64_PMC_OI | es(CYCLES));
	assert_int_equal(ia64_set_pmd(&map, 0, 6, top - 9), 0);
	assert_int_equal(ia64_set_pmd(&map, 0, 7, top - 99), 0);
	set_psr(&map, IA64_PSR_UP, 3);
	assert_int_equal(ia64_distance(&map, 2), 0);
	assert_int_equal(ia64_distance(&map, 3), 100);
	*cycles += 9;
	assert_int_equal(pmd(&map, 6), top);
	assert_int_equal(pmc(&map, 0), 0);
	*cycles += 1;
	assert_int_equal(pmd(&map, 6), 0);
	assert_int_equal(pmc(&map, 0), 1 << 6);
	assert_int_equal(ia64_settle(&map), 0);
	*cycles += 89;
	assert_int_equal(pmd(&map, 7), top);
	assert_int_equal(ia64_distance(&map, 3), 1);
	*cycles += 1;
	assert_int_equal(ia64_settle(&map), 1);
	assert_int_equal(pmc(&map, 0), 1 << 7 | 1 << 6 | IA64_PMC0_FR);
	assert_int_equal(pmd(&map, 7), 0);
	assert_int_equal(pmd(&map, 6), 90);
	/* Frozen: nothing counts, no bit changes, the bits stay. */
	*cycles += 5;
	assert_int_equal(pmd(&map, 6), 90);
	assert_int_equal(ia64_distance(&map, 3), 0);
	ia64_serialize(&map);
	assert_int_equal(pmc(&map, 0), 1 << 7 | 1 << 6 | IA64_PMC0_FR);
	/* Software clears them, and they count on. */
	set_pmc(&map, 0, 0);
	ia64_serialize(&map);
	*cycles += 3;
	assert_int_equal(pmd(&map, 6), 93);
	assert_int_equal(pmd(&map, 7), 3);
	assert_int_equal(pmc(&map, 0), 0);
	assert_int_equal(ia64_settle(&map), 1);
	assert_int_equal(ia64_count(&map, 2), (1ull << bits) + 93);
	fixture_close(&map);
}

static void
overflows(void **state)
{
	(void)state;
	overflow_at(CONTROL_ES7, 32);
	overflow_at(CONTROL_ES8, 47);
}

static void
what_is_selected(void **state)
{
	struct machine_map one = itanium();
	struct machine_map two = ia64_machine(CONTROL_ES8, 47);
	u64 *sig = signals_of(&one);

	(void)state;
	/* Instructions on PMC4 and 5 only; a unit mask; a threshold. */
	set_pmc(&one, 4, 8 | es(INSTRUCTIONS) | 1 << 20);
	set_pmc(&one, 5, 8 | es(INSTRUCTIONS));
	set_pmc(&one, 6, 8 | es(INSTRUCTIONS));
	set_pmc(&one, 7, 8 | es(0x69) | 2 << 16);
	set_psr(&one, IA64_PSR_UP, 3);
	sig[SIG_INSN] += 60;
	sig[SIG_ISSUE_1] += 30;
	sig[SIG_ISSUE_2] += 10;
	sig[SIG_ISSUE_3] += 4;
	sig[SIG_INSN_STORE] += 5;
	assert_int_equal(pmd(&one, 4), 14);
	assert_int_equal(pmd(&one, 5), 60);
	assert_int_equal(pmd(&one, 6), 0);
	assert_int_equal(pmd(&one, 7), 5);
	/* Seven bits of es do not reach 0xb2, eight do. */
	assert_int_equal(ia64_code(&one.m->config, es(0xb2)), 0x32);
	assert_int_equal(ia64_code(&two.m->config, es(0xb2)), 0xb2);
	set_pmc(&two, 7, 8 | es(0xb2));
	set_psr(&two, IA64_PSR_UP, 3);
	signals_of(&two)[SIG_INSN_LOAD] += 11;
	assert_int_equal(pmd(&two, 7), 11);
	fixture_close(&one);
	fixture_close(&two);
}

static struct pmcsim_machine *
machine_of(const char *name)
{
	struct pmcsim_machine *m;
	struct pmcsim_error error;
	struct pmcsim_cpu *cpu;

	assert_int_equal(pmcsim_cpu_load(name, &cpu, &error), 0);
	assert_int_equal(pmcsim_machine_new(cpu, NULL, &m, &error), 0);
	pmcsim_cpu_free(cpu);
	return m;
}

/* The registers through the library, and a machine that has none. */
static void
from_outside(void **state)
{
	struct pmcsim_machine *m = machine_of("itanium2");
	uint64_t value = 0;

	(void)state;
	assert_int_equal(pmcsim_ia64_set_pmd(m, 4, 77), 0);
	assert_int_equal(pmcsim_ia64_serialize(m), 0);
	assert_int_equal(pmcsim_ia64_get_pmd(m, 4, &value), 0);
	assert_int_equal(value, 77);
	assert_int_equal(pmcsim_ia64_get_pmd(m, 256, &value), -EINVAL);
	assert_int_equal(pmcsim_ia64_ssm(m, IA64_PSR_UP | IA64_PSR_PP), 0);
	assert_int_equal(pmcsim_ia64_rsm(m, IA64_PSR_UP), 0);
	assert_int_equal(ia64_psr(&m->map) & (IA64_PSR_UP | IA64_PSR_PP),
			 IA64_PSR_PP);
	pmcsim_machine_free(m);
	m = machine_of("mips34k");
	assert_int_equal(pmcsim_ia64_set_pmd(m, 4, 77), -ENODEV);
	assert_int_equal(pmcsim_ia64_get_pmd(m, 4, &value), -ENODEV);
	assert_int_equal(pmcsim_ia64_rsm(m, IA64_PSR_UP), -ENODEV);
	pmcsim_machine_free(m);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(enable_rule),
		cmocka_unit_test(read_table),
		cmocka_unit_test(privileged_operations),
		cmocka_unit_test(implemented_bits),
		cmocka_unit_test(masks),
		cmocka_unit_test(secured_monitors_keep_running),
		cmocka_unit_test(serialization),
		cmocka_unit_test(power),
		cmocka_unit_test(overflows),
		cmocka_unit_test(what_is_selected),
		cmocka_unit_test(from_outside),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
