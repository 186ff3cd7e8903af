/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A thread that another one wakes starts where that one stands, however much
 * that has recorded since. */
#include "merge_fixture.h"

#define THREADS 3u
#define BLOCKS 4000u

static const struct mix mix = {
	.loads = 60, .stores = 30, .muls = 4, .blocks = 40, .length = 12,
	.taken = 200, .data = 1u << 20, .stride = 4};

/* Thread 0 wakes thread 2 behind so many of its blocks; thread 1 has been
 * there from the beginning. */
struct scene {
	struct rig rig;
	struct walk walk[THREADS];
	struct merge_queue q[THREADS];
	unsigned left[THREADS];
	struct merge *merge;
	bool woken;
};

static void
open_scene(struct scene *s, const struct sim_config *config)
{
	rig_open(&s->rig, config);
	for (unsigned i = 0; i < THREADS; i++) {
		s->walk[i] = (struct walk){
			.rnd = 5 + i, .data_rnd = 7 * i + 36,
			.first = s->rig.n, .blocks = mix.blocks,
			.data = DATA_BASE + i * 0x1000000ull};
		rig_program(&s->rig, &mix, 99 + i, CODE_BASE + i * 0x3040u);
		s->left[i] = BLOCKS;
		assert_int_equal(merge_queue_init(&s->q[i]), 0);
	}
	s->merge = merge_new(s->rig.core);
	assert_non_null(s->merge);
	s->woken = false;
	merge_begin(s->merge, s->rig.slot->sig, 0);
	core_record(s->rig.core, true);
}

static void
close_scene(struct scene *s)
{
	merge_end(s->merge, NULL, 0);
	merge_settle(s->merge);
	for (unsigned i = 0; i < THREADS; i++)
		merge_queue_free(&s->q[i]);
	merge_free(s->merge);
	core_record(s->rig.core, false);
	core_bind(s->rig.core, s->rig.slot, 0);
}

static unsigned
context_of(const struct scene *s, unsigned thread)
{
	return thread % s->rig.map.m->config.topo.tcs;
}

static void
deliver(struct scene *s, unsigned thread, unsigned most)
{
	struct merge_queue *q = &s->q[thread];

	s->left[thread] -= record(&s->rig, &s->walk[thread], &mix, q,
				  most < s->left[thread] ? most
							 : s->left[thread]);
	merge_queue_commit(q);
	if (!s->left[thread])
		merge_leave(s->merge, q);
}

/* Records up to the waking call; at once: all of that is worked off before
 * thread 2 is admitted. */
static void
deliver_waker(struct scene *s, unsigned wakes, bool at_once)
{
	unsigned done = BLOCKS - s->left[0];

	if (done == wakes && !s->woken) {
		merge_admit_behind(s->merge, &s->q[2], context_of(s, 2),
				   &s->q[0]);
		s->woken = true;
		return;
	}
	deliver(s, 0, done < wakes ? wakes - done : BLOCKS);
	if (!at_once && BLOCKS - s->left[0] == wakes) {
		deliver_waker(s, wakes, at_once);
		deliver(s, 0, BLOCKS);
	}
}

/* What all contexts count, and the time. */
struct outcome {
	u64 sig[SIM_MAX_TC][SIG_N], cycle;
};

static void
run(const struct sim_config *config, unsigned wakes, bool at_once,
    struct outcome *o)
{
	struct merge_queue *dry;
	struct scene s;

	open_scene(&s, config);
	merge_admit(s.merge, &s.q[0], context_of(&s, 0));
	merge_admit(s.merge, &s.q[1], context_of(&s, 1));
	while ((dry = merge_advance(s.merge))) {
		if (dry == &s.q[0])
			deliver_waker(&s, wakes, at_once);
		else
			deliver(&s, (unsigned)(dry - s.q), BLOCKS);
	}
	for (unsigned i = 0; i < THREADS; i++)
		assert_int_equal(s.left[i], 0);
	close_scene(&s);
	memcpy(o->sig, s.rig.slot->sig, sizeof o->sig);
	o->cycle = core_cycle(s.rig.core);
	rig_close(&s.rig);
}

/* Which goes first, waker or woken, need not be the same where the merge is up
 * with them. */
static void
quanta_do_not_matter(struct sim_config *config)
{
	static struct outcome first, other;

	for (unsigned wakes = 1; wakes <= BLOCKS; wakes = wakes * 5 + 3) {
		config->topo.quantum = 2000;
		run(config, wakes, false, &first);
		for (u32 quantum = 150; quantum < 200000; quantum *= 20) {
			config->topo.quantum = quantum;
			run(config, wakes, false, &other);
			assert_int_equal(other.cycle, first.cycle);
			assert_memory_equal(other.sig, first.sig,
					    sizeof first.sig);
		}
		run(config, wakes, true, &other);
		assert_in_range(other.cycle, first.cycle - first.cycle / 250,
				first.cycle + first.cycle / 250);
	}
}

static void
on_contexts_of_their_own(void **state)
{
	struct sim_config config;

	(void)state;
	merge_config(&config);
	quanta_do_not_matter(&config);
}

static void
on_contexts_that_are_shared(void **state)
{
	struct sim_config config;

	(void)state;
	merge_config(&config);
	config.topo.time_slice = 700;
	for (u32 n = 1; n <= 2; n++) {
		config.topo.tcs = n;
		quanta_do_not_matter(&config);
	}
}

static void
on_several_cpus(void **state)
{
	struct sim_config config;

	(void)state;
	merge_config(&config);
	for (u32 n = 2; n <= 4; n++) {
		config.topo.cpus = config.topo.tcs = n;
		quanta_do_not_matter(&config);
	}
}

/* No thread waits for one that was admitted otherwise, or has left. */
static void
who_is_there_already_is_not_admitted_again(void **state)
{
	struct sim_config config;
	struct scene s;

	(void)state;
	merge_config(&config);
	open_scene(&s, &config);
	merge_admit(s.merge, &s.q[0], 0);
	deliver(&s, 0, 10);
	merge_admit_behind(s.merge, &s.q[1], 1, &s.q[0]);
	merge_admit_behind(s.merge, &s.q[2], 2, &s.q[0]);
	merge_admit(s.merge, &s.q[2], 2);
	deliver(&s, 2, 1);
	merge_leave(s.merge, &s.q[2]);
	merge_leave(s.merge, &s.q[1]);
	assert_ptr_equal(merge_advance(s.merge), &s.q[0]);
	assert_int_equal(s.q[1].tc, -1);
	assert_int_equal(s.q[2].tc, -1);
	merge_leave(s.merge, &s.q[0]);
	assert_null(merge_advance(s.merge));
	close_scene(&s);
	rig_close(&s.rig);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(on_contexts_of_their_own),
		cmocka_unit_test(on_contexts_that_are_shared),
		cmocka_unit_test(on_several_cpus),
		cmocka_unit_test(who_is_there_already_is_not_admitted_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
