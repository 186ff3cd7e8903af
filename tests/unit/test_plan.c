/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plans of the MIPS 34K: runs, counters, control words, refusals. */
#include "table/table.h"
#include "cpu_fixture.h"

#include <errno.h>

#define LIST(...)                                                           \
	(const unsigned[]){__VA_ARGS__},                                    \
		sizeof((unsigned[]){__VA_ARGS__}) / sizeof(unsigned)
#define NUMBERS(...)                                                        \
	(const int[]){__VA_ARGS__}, sizeof((int[]){__VA_ARGS__}) / sizeof(int)

struct list {
	const unsigned *code;
	size_t n;
};

struct numbers {
	const int *number;
	size_t n;
};

#define USER 8u

static struct pmcsim_wish
wish_for(struct list even, struct list odd)
{
	static const unsigned user[] = {USER};

	return (struct pmcsim_wish){
		.even = even.code,
		.n_even = even.n,
		.odd = odd.code,
		.n_odd = odd.n,
		.modes = user,
		.n_modes = 1,
	};
}

static void
set_tcs(struct pmcsim_wish *wish, struct numbers tcs)
{
	wish->tcs = tcs.number;
	wish->n_tcs = tcs.n;
}

static void
set_vpes(struct pmcsim_wish *wish, struct numbers vpes)
{
	wish->vpes = vpes.number;
	wish->n_vpes = vpes.n;
}

/* The plan in words: "0:0@8 1:1@28 | 0:9@128", counter:event@control. */
static void
describe(const struct pmcsim_plan *plan, char *text)
{
	char *end = text;

	*text = '\0';
	for (size_t i = 0; i < plan->n; i++) {
		end += sprintf(end, "%s", i ? " |" : "");
		for (size_t j = 0; j < plan->run[i].n; j++) {
			const struct pmcsim_slot *s = &plan->run[i].slot[j];

			end += sprintf(end, "%s%u:%u@%x", i || j ? " " : "",
				       s->counter, s->code, s->control);
		}
	}
}

static void
expect_plan(const struct pmcsim_cpu *cpu, const struct pmcsim_wish *wish,
	    const char *wanted)
{
	struct pmcsim_error error;
	struct pmcsim_plan plan;
	char text[8192];

	if (pmcsim_plan(cpu, wish, &plan, &error))
		fail_msg("%s", error.text);
	describe(&plan, text);
	assert_string_equal(text, wanted);
	assert_string_equal(error.text, "");
	pmcsim_plan_free(&plan);
	assert_null(plan.run);
}

static void
expect_refusal(const struct pmcsim_cpu *cpu, const struct pmcsim_wish *wish,
	       const char *sentence)
{
	struct pmcsim_error error;
	struct pmcsim_plan plan;

	assert_int_equal(pmcsim_plan(cpu, wish, &plan, &error), -EINVAL);
	assert_string_equal(error.text, sentence);
	assert_int_equal(plan.n, 0);
	assert_null(plan.run);
}

/* Figure 4: one run. */
static void
test_ipc(void **state)
{
	struct pmcsim_wish wish =
		wish_for((struct list){LIST(0)}, (struct list){LIST(1)});

	expect_plan(*state, &wish, "0:0@8 1:1@28");
}

/* Figure 5: five even and five odd events in three runs, ascending. */
static void
test_cache(void **state)
{
	struct pmcsim_wish wish =
		wish_for((struct list){LIST(0, 9, 10, 37, 39)},
			 (struct list){LIST(1, 9, 10, 11, 37)});

	expect_plan(*state, &wish,
		    "0:0@8 1:1@28 2:9@128 3:9@128 | "
		    "0:10@148 1:10@148 2:37@4a8 3:11@168 | "
		    "0:39@4e8 1:37@4a8");
}

/* The longer list says how many runs; the other one is done early. */
static void
test_uneven(void **state)
{
	struct pmcsim_wish wish =
		wish_for((struct list){LIST(2)},
			 (struct list){LIST(1, 2, 3, 4, 55)});

	expect_plan(*state, &wish,
		    "0:2@48 1:1@28 3:2@48 | 1:3@68 3:4@88 | 1:55@6e8");
	wish = wish_for((struct list){NULL, 0}, (struct list){LIST(1)});
	expect_plan(*state, &wish, "1:1@28");
}

static void
test_modes(void **state)
{
	static const unsigned modes[] = {8, 4, 2, 1, 0xf};
	struct pmcsim_wish wish =
		wish_for((struct list){LIST(0)}, (struct list){LIST(1)});

	wish.modes = modes;
	wish.n_modes = SIM_COUNT(modes);
	expect_plan(*state, &wish,
		    "0:0@8 1:1@28 | 0:0@4 1:1@24 | 0:0@2 1:1@22 | "
		    "0:0@1 1:1@21 | 0:0@f 1:1@2f");
}

/* Table 2: TCID in 29:22, MT_EN in 21:20, VPEID in 19:16. */
static void
test_contexts(void **state)
{
	struct pmcsim_wish wish =
		wish_for((struct list){LIST(1)}, (struct list){NULL, 0});

	set_tcs(&wish, (struct numbers){NUMBERS(-1, 0, 3)});
	expect_plan(*state, &wish, "0:1@28 | 0:1@200028 | 0:1@e00028");
	set_tcs(&wish, (struct numbers){NUMBERS(-1)});
	set_vpes(&wish, (struct numbers){NUMBERS(-1, 0, 1)});
	expect_plan(*state, &wish, "0:1@28 | 0:1@100028 | 0:1@110028");
}

/* A TC on one VPE is not measured on the other. */
static void
test_balance(void **state)
{
	struct pmcsim_wish wish =
		wish_for((struct list){LIST(1)}, (struct list){NULL, 0});

	set_tcs(&wish, (struct numbers){NUMBERS(0, 1, 2, 3, 4)});
	set_vpes(&wish, (struct numbers){NUMBERS(0, 1)});
	expect_plan(*state, &wish,
		    "0:1@200028 | 0:1@600028 | 0:1@a00028 | 0:1@e10028 | "
		    "0:1@1210028");
	set_tcs(&wish, (struct numbers){NUMBERS(3)});
	set_vpes(&wish, (struct numbers){NUMBERS(0)});
	expect_refusal(*state, &wish, "TC 3 is not on VPE 0");
}

static void
test_slots(void **state)
{
	struct pmcsim_wish wish =
		wish_for((struct list){LIST(1)}, (struct list){NULL, 0});
	struct pmcsim_error error;
	struct pmcsim_plan plan;

	set_tcs(&wish, (struct numbers){NUMBERS(4)});
	assert_int_equal(pmcsim_plan(*state, &wish, &plan, &error), 0);
	assert_int_equal(plan.run[0].slot[0].tc, 4);
	assert_int_equal(plan.run[0].slot[0].vpe, -1);
	assert_int_equal(plan.run[0].slot[0].modes, USER);
	pmcsim_plan_free(&plan);
}

static void
test_once(void **state)
{
	static const unsigned modes[] = {8, 2};
	struct pmcsim_wish wish =
		wish_for((struct list){LIST(0, 9, 10)},
			 (struct list){LIST(1, 11)});

	wish.once = true;
	expect_plan(*state, &wish,
		    "0:0@8 1:1@28 2:9@128 3:11@168 4:10@148");
	wish.modes = modes;
	wish.n_modes = 2;
	expect_plan(*state, &wish,
		    "0:0@8 1:1@28 2:9@128 3:11@168 4:10@148 5:1@22 6:0@2 "
		    "7:11@162 8:9@122 10:10@142");
}

/* Every event at once: each where its list is, no counter twice. */
static void
test_all_once(void **state)
{
	const struct pmcsim_cpu *cpu = *state;
	size_t n;
	const struct pmcsim_group *all = pmcsim_cpu_groups(cpu, &n);
	struct pmcsim_wish wish = wish_for(
		(struct list){all->even, all->n_even},
		(struct list){all->odd, all->n_odd});
	struct pmcsim_error error;
	struct pmcsim_plan plan;

	assert_string_equal(all->name, "all");
	wish.once = true;
	assert_int_equal(pmcsim_plan(cpu, &wish, &plan, &error), 0);
	assert_int_equal(plan.n, 1);
	assert_int_equal(plan.run[0].n, 104);
	for (size_t i = 0; i < 104; i++) {
		const struct pmcsim_slot *s = &plan.run[0].slot[i];

		assert_true(!i || s[-1].counter < s->counter);
		assert_non_null(pmcsim_cpu_event(cpu, s->counter, s->code));
	}
	pmcsim_plan_free(&plan);
	wish.once = false;
	assert_int_equal(pmcsim_plan(cpu, &wish, &plan, &error), 0);
	assert_int_equal(plan.n, 27); /* 53 even events, two each */
	pmcsim_plan_free(&plan);
}

/* As many sets of modes as there are, and again. */
#define VIEWS 64
static void
fill_modes(unsigned modes[VIEWS])
{
	for (unsigned i = 0; i < VIEWS; i++)
		modes[i] = 1 + i % 15;
}

static void
test_once_too_much(void **state)
{
	unsigned modes[VIEWS];
	size_t n;
	const struct pmcsim_group *all = pmcsim_cpu_groups(*state, &n);
	struct pmcsim_wish wish = wish_for(
		(struct list){all->even, all->n_even},
		(struct list){all->odd, all->n_odd});

	fill_modes(modes);
	wish.once = true;
	wish.modes = modes;
	wish.n_modes = 39;
	expect_refusal(*state, &wish,
		       "53 events in 39 views do not fit the 2048 counters of "
		       "one run");
}

/* 32 events in 64 views: exactly the counters of a widened machine. */
static void
test_once_full(void **state)
{
	unsigned modes[VIEWS];
	size_t n;
	const struct pmcsim_group *all = pmcsim_cpu_groups(*state, &n);
	struct pmcsim_wish wish = wish_for((struct list){all->even, 32},
					   (struct list){all->odd, 32});
	struct pmcsim_error error;
	struct pmcsim_plan plan;

	fill_modes(modes);
	wish.once = true;
	wish.modes = modes;
	wish.n_modes = VIEWS;
	assert_int_equal(pmcsim_plan(*state, &wish, &plan, &error), 0);
	assert_int_equal(plan.run[0].n, 4096);
	for (unsigned i = 0; i < 4096; i++)
		assert_int_equal(plan.run[0].slot[i].counter, i);
	pmcsim_plan_free(&plan);
}

static void
test_bad_events(void **state)
{
	struct list none = {NULL, 0};
	static const struct {
		unsigned list, code;
		const char *sentence;
	} bad[] = {
		{0, 128, "event 128 is unknown to mips34k"},
		{1, 4000, "event 4000 is unknown to mips34k"},
		{0, 36, "event 36 is reserved"},
		{1, 127, "event 127 is reserved"},
		{1, 23, "event 23 is reserved on the odd list; on the even "
			"list it is EXCEPTIONS_TAKEN"},
		{0, 27, "event 27 is reserved on the even list; on the odd "
			"list it is MDU_DSP_SATURATIONS"},
	};

	for (size_t i = 0; i < SIM_COUNT(bad); i++) {
		struct list list = {&bad[i].code, 1};
		struct pmcsim_wish wish = bad[i].list ? wish_for(none, list)
						      : wish_for(list, none);

		expect_refusal(*state, &wish, bad[i].sentence);
	}
}

static void
test_wrong_list(void **state)
{
	struct pmcsim_error error;
	struct pmcsim_cpu *cpu;
	struct pmcsim_wish wish =
		wish_for((struct list){NULL, 0}, (struct list){LIST(300)});

	(void)state;
	assert_int_equal(pmcsim_cpu_load(TEST_DATA_DIR "/tables/small.yaml",
					 &cpu, &error),
			 0);
	expect_refusal(cpu, &wish,
		       "event 300 is not on the odd list; on the even list it "
		       "is WIRE");
	wish = wish_for((struct list){LIST(0)}, (struct list){LIST(1)});
	expect_plan(cpu, &wish, "0:0@8 1:1@28");
	pmcsim_cpu_free(cpu);
}

static void
test_bad_wishes(void **state)
{
	static const unsigned no_mode[] = {0}, bad_mode[] = {0x18};
	struct list none = {NULL, 0}, one = {LIST(1)};
	struct pmcsim_wish wish = wish_for(none, none);

	expect_refusal(*state, &wish, "no event is asked for");
	wish = wish_for(one, none);
	wish.n_modes = 0;
	expect_refusal(*state, &wish, "no mode is asked for");
	wish.n_modes = 1;
	wish.modes = no_mode;
	expect_refusal(*state, &wish, "0x0 is not a set of modes");
	wish.modes = bad_mode;
	expect_refusal(*state, &wish, "0x18 is not a set of modes");
	wish = wish_for((struct list){LIST(9, 2)}, none);
	expect_refusal(*state, &wish,
		       "event 2 after 9: the even list is not in ascending "
		       "order");
	wish = wish_for(none, (struct list){LIST(9, 9)});
	expect_refusal(*state, &wish,
		       "event 9 after 9: the odd list is not in ascending "
		       "order");
}

static void
test_bad_contexts(void **state)
{
	struct list none = {NULL, 0}, one = {LIST(1)};
	struct pmcsim_wish wish = wish_for(one, none);

	set_tcs(&wish, (struct numbers){NUMBERS(5)});
	expect_refusal(*state, &wish,
		       "there is no TC 5: mips34k has TCs 0 to 4");
	set_tcs(&wish, (struct numbers){NUMBERS(-2)});
	expect_refusal(*state, &wish,
		       "there is no TC -2: mips34k has TCs 0 to 4");
	wish = wish_for(one, none);
	set_vpes(&wish, (struct numbers){NUMBERS(0, 2)});
	expect_refusal(*state, &wish,
		       "there is no VPE 2: mips34k has VPEs 0 to 1");
}

static void
test_scope(void **state)
{
	struct list none = {NULL, 0};
	struct pmcsim_wish wish = wish_for((struct list){LIST(0)}, none);

	set_tcs(&wish, (struct numbers){NUMBERS(3)});
	expect_refusal(*state, &wish,
		       "event 0 (CYCLES) has scope P: it counts for the whole "
		       "processor, not for one TC");
	set_tcs(&wish, (struct numbers){NUMBERS(0)});
	expect_refusal(*state, &wish,
		       "event 0 (CYCLES) has scope P: it counts for the whole "
		       "processor, not for one TC");
	wish = wish_for(none, (struct list){LIST(1, 25)});
	set_vpes(&wish, (struct numbers){NUMBERS(1)});
	expect_refusal(*state, &wish,
		       "event 25 (ALU_STALLS) has scope P: it counts for the "
		       "whole processor, not for one VPE");
	wish = wish_for((struct list){LIST(47)}, none);
	set_tcs(&wish, (struct numbers){NUMBERS(0)});
	expect_refusal(*state, &wish,
		       "event 47 (RELAX_BUBBLES) has scope V: it counts for a "
		       "VPE, not for one TC");
	wish.n_tcs = 0;
	set_vpes(&wish, (struct numbers){NUMBERS(1)});
	expect_plan(*state, &wish, "0:47@1105e8");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ipc),
		cmocka_unit_test(test_cache),
		cmocka_unit_test(test_uneven),
		cmocka_unit_test(test_modes),
		cmocka_unit_test(test_contexts),
		cmocka_unit_test(test_balance),
		cmocka_unit_test(test_slots),
		cmocka_unit_test(test_once),
		cmocka_unit_test(test_all_once),
		cmocka_unit_test(test_once_too_much),
		cmocka_unit_test(test_once_full),
		cmocka_unit_test(test_bad_events),
		cmocka_unit_test(test_wrong_list),
		cmocka_unit_test(test_bad_wishes),
		cmocka_unit_test(test_bad_contexts),
		cmocka_unit_test(test_scope),
	};

	return cmocka_run_group_tests(tests, load_34k, unload);
}
