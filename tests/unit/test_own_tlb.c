/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Micro-TLBs of contexts and of VPEs: by hand, through the merge; and against a
 * naive model, which has one for each owner and moves none.
 */
#include "merge_fixture.h"
#include "core/own_tlb.h"
#include "core/tlb.h"

#define PAGE 4096ull
#define TCS 5

/* A load from each of three pages of a context, one after the other. */
#define LOADS 3

static struct block *
loads_block(struct rig *r, u64 pc)
{
	struct insn insn[LOADS];

	for (unsigned i = 0; i < LOADS; i++) {
		insn_init(&insn[i], pc + 4 * i, 4);
		insn[i].flags = INSN_LOADS | INSN_MEM_KNOWN;
		insn[i].n_load = 1;
		insn[i].dst[0] = (u8)(1 + i);
		insn[i].dst_loaded = true;
	}
	return rig_block(r, insn, LOADS);
}

/* Those two contexts execute their blocks so many times, side by side. */
static void
run_pair(struct rig *r, const unsigned tc[2], unsigned times)
{
	struct merge *m = merge_new(r->core);
	struct merge_queue q[2];

	assert_non_null(m);
	merge_begin(m, r->slot->sig, 0);
	for (unsigned k = 0; k < 2; k++) {
		struct block *b = loads_block(r, CODE_BASE + 16 * k);
		const struct block_access *a = block_access(b->detail);

		assert_int_equal(merge_queue_init(&q[k]), 0);
		merge_admit(m, &q[k], tc[k]);
		for (unsigned t = 0; t < times; t++) {
			merge_queue_block(&q[k], b);
			for (unsigned i = 0; i < LOADS; i++)
				merge_queue_access(
					&q[k], &a[i],
					DATA_BASE + (k * LOADS + i) * PAGE, 4,
					false);
		}
		merge_leave(m, &q[k]);
	}
	assert_null(merge_advance(m));
	merge_end(m, NULL, 0);
	core_bind(r->core, r->slot, 0);
	for (unsigned k = 0; k < 2; k++)
		merge_queue_free(&q[k]);
	merge_free(m);
}

enum { TIMES = 50 };

/* Contexts 0 and 1 are of one VPE, 3 is of the other. */
static const struct pair {
	u8 owner;
	unsigned tc[2];
	bool shared;
} pairs[] = {
	{TLB_OF_ALL, {0, 1}, true},
	{TLB_OF_ALL, {0, 3}, true},
	{TLB_OF_VPE, {0, 1}, true},
	{TLB_OF_VPE, {0, 3}, false},
	{TLB_OF_CONTEXT, {0, 1}, false},
	{TLB_OF_CONTEXT, {1, 3}, false},
};

static void
pair_open(struct rig *r, const struct pair *p)
{
	struct sim_config config;

	merge_config(&config);
	config.dtlb = (struct tlb_config){
		.entries = 4, .page_bits = 12, .policy = POLICY_FIFO,
		.owner = p->owner};
	rig_open(r, &config);
}

static void
pair_close(struct rig *r)
{
	own_tlbs_free(r->core);
	rig_close(r);
}

/* Four entries have room for the three pages of a context, whatever others do;
 * two contexts that share them take them from each other. */
static void
contexts_miss_their_own(void **state)
{
	(void)state;
	for (unsigned i = 0; i < SIM_COUNT(pairs); i++) {
		const struct pair *p = &pairs[i];
		struct rig r;

		pair_open(&r, p);
		run_pair(&r, p->tc, TIMES);
		for (unsigned k = 0; k < 2; k++) {
			u64 misses = r.slot->sig[p->tc[k]][SIG_DTLB_MISS];

			assert_int_equal(misses > LOADS, p->shared);
			assert_true(misses >= LOADS);
		}
		pair_close(&r);
	}
}

/*
 * Two contexts, in turn, and three pages of each: with four entries for both,
 * first in, first out, each of the six has lost its entry when its turn is
 * again.  With four for each they miss the first time only.
 */
static void
turns_miss_what_is_shared(void **state)
{
	(void)state;
	for (unsigned i = 0; i < SIM_COUNT(pairs); i++) {
		const struct pair *p = &pairs[i];
		struct core *c;
		struct rig r;

		pair_open(&r, p);
		c = r.core;
		for (unsigned at = 0; at < 2 * LOADS * TIMES; at++)
			tlb_access(c,
				   own_tlb(&c->dtlb, c->own_dtlbs,
					   p->tc[at % 2]),
				   DATA_BASE + at % (2 * LOADS) * PAGE, at);
		assert_int_equal(r.slot->sig[0][SIG_DTLB_MISS],
				 2 * LOADS * (p->shared ? TIMES : 1));
		pair_close(&r);
	}
}

/* ---- The naive model --------------------------------------------------- */

#define ENTRIES 6
#define JOINT 12

struct naive {
	u64 page[TCS][ENTRIES];	/* of each owner, the oldest first */
	unsigned n[TCS];
	u64 joint[JOINT];
	unsigned joints;
};

/* Takes number i out of n pages. */
static void
take_out(u64 *page, unsigned *n, unsigned i)
{
	for (--*n; i < *n; i++)
		page[i] = page[i + 1];
}

/* Puts it behind the others, without the first one if there is no room; that
 * one, or 0. */
static u64
append(u64 *page, unsigned *n, unsigned room, u64 number)
{
	u64 gone = 0;

	if (*n == room) {
		gone = page[0];
		take_out(page, n, 0);
	}
	page[(*n)++] = number;
	return gone;
}

static bool
renew(u64 *page, unsigned *n, u64 number)
{
	for (unsigned i = 0; i < *n; i++)
		if (page[i] == number) {
			take_out(page, n, i);
			page[(*n)++] = number;
			return true;
		}
	return false;
}

/* Least recently used, behind it a joint TLB whose entries leave all others. */
static enum page_result
naive_access(struct naive *o, unsigned owner, u64 page)
{
	bool there;
	u64 gone;

	if (renew(o->page[owner], &o->n[owner], page))
		return PAGE_HIT;
	there = renew(o->joint, &o->joints, page);
	gone = there ? 0 : append(o->joint, &o->joints, JOINT, page);
	for (unsigned k = 0; gone && k < TCS; k++)
		for (unsigned i = 0; i < o->n[k]; i++)
			if (o->page[k][i] == gone)
				take_out(o->page[k], &o->n[k], i);
	append(o->page[owner], &o->n[owner], ENTRIES, page);
	return there ? PAGE_MISS : PAGE_REFILL;
}

static u32
owner_of(const struct sim_config *config, unsigned tc)
{
	switch (config->dtlb.owner) {
	case TLB_OF_CONTEXT:
		return tc;
	case TLB_OF_VPE:
		return config->topo.vpe_of_tc[tc];
	default:
		return 0;
	}
}

static void
compare(u8 owner)
{
	struct sim_config config;
	struct naive o = {.n = {0}};
	struct core *c;
	struct rig r;
	u32 rnd = 7;

	merge_config(&config);
	config.dtlb = (struct tlb_config){.entries = ENTRIES, .page_bits = 12,
					  .owner = owner};
	config.jtlb = (struct tlb_config){.entries = JOINT, .page_bits = 12,
					  .inclusive = true};
	rig_open(&r, &config);
	c = r.core;
	for (unsigned i = 0; i < 100000; i++) {
		unsigned tc = random_next(&rnd) % TCS;
		u64 page = 1 + random_next(&rnd) % 9 + tc % 3 * 4;
		struct micro_tlb *m;

		if (random_next(&rnd) % 64 == 0)
			core_bind(c, r.slot, random_next(&rnd) % TCS);
		m = own_tlb(&c->dtlb, c->own_dtlbs, tc);
		c->now += CYCLES(1) + 1;
		assert_int_equal(
			tlb_access(c, m, page << 12, (u32)c->now),
			naive_access(&o, owner_of(&config, tc), page));
	}
	own_tlbs_free(c);
	rig_close(&r);
}

/* Whichever is in the core. */
static void
agrees_with_one_for_each_owner(void **state)
{
	(void)state;
	for (unsigned owner = TLB_OF_ALL; owner <= TLB_OF_CONTEXT; owner++)
		compare((u8)owner);
}

/* Stamps of those that are not in the core become ranks as well. */
static void
ages_are_kept_when_the_epoch_moves(void **state)
{
	struct sim_config config;
	struct micro_tlb *m;
	struct core *c;
	struct rig r;

	(void)state;
	merge_config(&config);
	config.dtlb = (struct tlb_config){.entries = 2, .page_bits = 12,
					  .owner = TLB_OF_CONTEXT};
	rig_open(&r, &config);
	c = r.core;
	core_bind(c, r.slot, 1);
	for (u64 page = 1; page <= 2; page++)
		tlb_access(c, &c->dtlb, page << 12, 0xfffffff0u + (u32)page);
	core_bind(c, r.slot, 0);
	c->now = CYCLES(RENORM_CYCLES);
	core_attend(c, &block_none);
	m = own_tlb(&c->dtlb, c->own_dtlbs, 1);
	assert_ptr_not_equal(m, &c->dtlb);
	assert_int_equal(tlb_access(c, m, 8 << 12, (u32)c->now), PAGE_REFILL);
	assert_int_equal(tlb_access(c, m, 2 << 12, (u32)c->now), PAGE_HIT);
	own_tlbs_free(c);
	rig_close(&r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(contexts_miss_their_own),
		cmocka_unit_test(turns_miss_what_is_shared),
		cmocka_unit_test(agrees_with_one_for_each_owner),
		cmocka_unit_test(ages_are_kept_when_the_epoch_moves),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
