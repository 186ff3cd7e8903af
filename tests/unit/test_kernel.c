/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kernel functions, interrupt levels, callers of utility routines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "system/kernel.h"
#include "qemu/system_callers.h"
#include "qemu/system_levels.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- Lists of functions ---------------------------------------------- */

static const char list[] =
	"80001040 t second\n"
	"80001000 T _stext\n"
	"80001000 T first\n"
	"80001080 T second_end\n"
	"80001080 W third\n"
	"80001090 D data\n"
	"80100000 T far\n"
	"c0000040 t of_module\t[mod]\n"
	"c0000000 t __init_it\t[mod]\n";

static void
expect(const struct pmcsim_kernel *k, uint64_t address, const char *name,
       const char *module)
{
	const struct kernel_function *f = kernel_find(k, address);

	if (!name) {
		assert_null(f);
		return;
	}
	assert_non_null(f);
	assert_string_equal(f->name, name);
	assert_string_equal(f->module, module);
}

static void
functions_are_found_by_address(void **state)
{
	struct pmcsim_kernel *k = calloc(1, sizeof *k);

	(void)state;
	assert_int_equal(kernel_parse(k, strdup(list)), 0);
	assert_int_equal(k->n, 6);
	expect(k, 0x80000fff, NULL, NULL);
	expect(k, 0x80001000, "first", "kernel");
	expect(k, 0x8000103f, "first", "kernel");
	expect(k, 0x80001040, "second", "kernel");
	expect(k, 0x80001080, "third", "kernel");
	/* The next one is far away: to the end of the page. */
	expect(k, 0x80001fff, "third", "kernel");
	expect(k, 0x80002000, NULL, NULL);
	expect(k, 0x80100004, "far", "kernel");
	expect(k, 0xc0000000, "__init_it", "mod");
	expect(k, 0xc0000040, "of_module", "mod");
	expect(k, 0xc0001000, NULL, NULL);
	pmcsim_kernel_free(k);
}

static void
other_texts_are_refused(void **state)
{
	static const char *const bad[] = {
		"", "80001000 D data\n", "x T name\n", "80001000 TT name\n",
		"80001000 T\n", "80001000 T \n", "80001000 T f\t[mod\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct pmcsim_kernel *k = calloc(1, sizeof *k);

		assert_int_equal(kernel_parse(k, strdup(bad[i])), -EINVAL);
		pmcsim_kernel_free(k);
	}
}

/* ---- Interrupts ------------------------------------------------------ */

#define ERET 0x42000018u
#define DI(rt) (0x41606000u | (rt) << 16)
#define EI(rt) (0x41606020u | (rt) << 16)
#define MTC0_STATUS(rt) (0x40806000u | (rt) << 16)
#define MFC0_STATUS(rt) (0x40006000u | (rt) << 16)
#define LUI(rt, imm) (0x3c000000u | (rt) << 16 | (imm))
#define ORI(rt, imm) (0x34000000u | (rt) << 21 | (rt) << 16 | (imm))
#define XORI(rt, imm) (0x38000000u | (rt) << 21 | (rt) << 16 | (imm))
#define OR(rd, rs, rt) ((rs) << 21 | (rt) << 16 | (rd) << 11 | 0x25u)
#define AND(rd, rs, rt) ((rs) << 21 | (rt) << 16 | (rd) << 11 | 0x24u)
#define NOR(rd, rs, rt) ((rs) << 21 | (rt) << 16 | (rd) << 11 | 0x27u)
#define LW(rt, base) (0x8c000000u | (base) << 21 | (rt) << 16)
#define INS0(rt, rs) (0x7c000004u | (rs) << 21 | (rt) << 16)

static void
what_a_block_does_to_interrupts(void **state)
{
	static const struct {
		u32 word[8];
		unsigned n;
		enum levels_effect effect;
	} block[] = {
		{{0}, 0, LEVELS_SAME},
		{{DI(0)}, 1, LEVELS_OFF},
		{{0, DI(2)}, 2, LEVELS_OFF},
		{{EI(0)}, 1, LEVELS_ON},
		{{DI(0), 0}, 2, LEVELS_SAME},
		{{ERET}, 1, LEVELS_RETURN},
		/* set all of a mask, and clear it but for the bit, or not */
		{{MFC0_STATUS(8), LUI(9, 0x1000), ORI(9, 0x1f), OR(8, 8, 9),
		  XORI(8, 0x1f), MTC0_STATUS(8)}, 6, LEVELS_OFF},
		{{MFC0_STATUS(8), LUI(9, 0x1000), ORI(9, 0x1f), OR(8, 8, 9),
		  XORI(8, 0x1e), MTC0_STATUS(8)}, 6, LEVELS_ON},
		{{MFC0_STATUS(8), LUI(9, 0x1000), ORI(9, 0x1e), OR(8, 8, 9),
		  XORI(8, 0x1e), MTC0_STATUS(8)}, 6, LEVELS_SAME},
		/* another task's Status, with the bit of today */
		{{MFC0_STATUS(9), LUI(7, 0), ORI(7, 0xff01), AND(9, 9, 7),
		  LW(6, 5), NOR(7, 0, 7), AND(6, 6, 7), MTC0_STATUS(6)}, 8,
		 LEVELS_OFF},
		{{LW(6, 5), MTC0_STATUS(6)}, 2, LEVELS_SAME},
		{{MFC0_STATUS(1), LUI(2, 0), INS0(1, 2), MTC0_STATUS(1)}, 4,
		 LEVELS_OFF},
		{{MTC0_STATUS(0)}, 1, LEVELS_OFF},
	};

	(void)state;
	for (size_t i = 0; i < SIM_COUNT(block); i++)
		assert_int_equal(levels_effect(block[i].word, block[i].n),
				 block[i].effect);
}

static void
exceptions_give_back_what_was(void **state)
{
	struct levels l = {0};

	(void)state;
	levels_enter(&l, true, false, LEVELS_SAME);
	assert_false(l.off);
	levels_enter(&l, false, true, LEVELS_OFF);	/* a system call */
	assert_false(l.off);
	levels_enter(&l, false, false, LEVELS_SAME);
	assert_true(l.off);
	levels_enter(&l, false, true, LEVELS_RETURN);	/* TLB refill */
	assert_true(l.off);
	levels_enter(&l, false, false, LEVELS_ON);	/* comes back */
	assert_true(l.off);
	levels_enter(&l, false, true, LEVELS_OFF);	/* an interrupt */
	assert_false(l.off);
	levels_enter(&l, false, false, LEVELS_RETURN);
	assert_true(l.off);
	levels_enter(&l, false, false, LEVELS_OFF);
	assert_false(l.off);
	levels_enter(&l, true, false, LEVELS_SAME);
	assert_false(l.off);
}

/* ---- Callers --------------------------------------------------------- */

enum { MAIN, OTHER, BZERO, MEMSET, HANDLER, BACK };

static const struct callers_block block[] = {
	[MAIN] = {.pc = 0x1000, .end = 0x1020, .branch_pc = 0x1018},
	[OTHER] = {.pc = 0x2000, .end = 0x2020, .branch_pc = 0x2018},
	[BZERO] = {.pc = 0x5000, .end = 0x5040, .branch_pc = 0x503c,
		   .routine = 0x5000},
	[MEMSET] = {.pc = 0x6000, .end = 0x6040, .branch_pc = 0x603c,
		    .routine = 0x6000},
	[HANDLER] = {.pc = 0x8000, .end = 0x8010, .branch_pc = 0x800c},
	[BACK] = {.pc = 0x9000, .end = 0x9010, .branch_pc = 0x900c,
		  .returns = true},
};

static void
go(struct callers *c, unsigned b, bool exception, u64 expected)
{
	u64 caller = callers_find(c, &block[b], exception);

	assert_int_equal(caller, expected);
	callers_entered(c, &block[b], caller);
}

static void
utilities_work_for_those_outside(void **state)
{
	struct callers c = {0};

	(void)state;
	go(&c, BZERO, false, 0);	/* not known */
	go(&c, MAIN, false, 0);
	go(&c, BZERO, false, 0x1018);
	go(&c, BZERO, false, 0x1018);
	go(&c, MEMSET, false, 0x1018);
	go(&c, OTHER, false, 0);
	go(&c, MEMSET, false, 0x2018);
}

static void
interrupted_utilities_find_their_callers(void **state)
{
	static const struct callers_block rest = {
		.pc = 0x5010, .end = 0x5040, .routine = 0x5000};
	static const struct callers_block behind = {
		.pc = 0x5040, .end = 0x5060, .routine = 0x5000};
	struct callers c = {0};

	(void)state;
	go(&c, MAIN, false, 0);
	go(&c, BZERO, false, 0x1018);
	go(&c, HANDLER, true, 0);
	go(&c, MEMSET, false, 0x800c);
	go(&c, HANDLER, true, 0);
	go(&c, BACK, false, 0);
	/* In the order in which tasks come back, not they were left. */
	assert_int_equal(callers_find(&c, &rest, false), 0x1018);
	callers_entered(&c, &rest, 0x1018);
	go(&c, BACK, false, 0);
	go(&c, MEMSET, false, 0x800c);
	/* The block had been over. */
	go(&c, BACK, false, 0);
	assert_int_equal(callers_find(&c, &behind, false), 0x1018);
}

static void
interrupted_callers_call_utilities(void **state)
{
	struct callers c = {0};

	(void)state;
	go(&c, MAIN, false, 0);
	go(&c, BACK, false, 0);
	go(&c, BZERO, false, 0);	/* nothing was interrupted */
	go(&c, OTHER, false, 0);
	go(&c, HANDLER, true, 0);
	go(&c, BACK, false, 0);
	go(&c, BZERO, false, 0x2018);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_are_found_by_address),
		cmocka_unit_test(other_texts_are_refused),
		cmocka_unit_test(what_a_block_does_to_interrupts),
		cmocka_unit_test(exceptions_give_back_what_was),
		cmocka_unit_test(utilities_work_for_those_outside),
		cmocka_unit_test(interrupted_utilities_find_their_callers),
		cmocka_unit_test(interrupted_callers_call_utilities),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
