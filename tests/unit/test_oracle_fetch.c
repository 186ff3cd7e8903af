/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The instruction side against the naive one, over many geometries. */
#include "enter_block.h"
#include "oracle_rig.h"
#include "pipeline/block_build.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define GEOMETRIES 240
#define BLOCKS 64
#define ENTRIES 3000		/* blocks entered, per geometry */
#define MAX_LINES 12

struct rig {
	struct oracle_rig m;
	struct block *block[BLOCKS];
	unsigned spans;		/* entries of blocks on two pages */
};

static void *
arena_alloc(size_t bytes)
{
	static _Alignas(64) char arena[16u << 20];
	static size_t used;
	void *p;

	if (!bytes) {		/* from the beginning */
		used = 0;
		return NULL;
	}
	used = (used + 63) & ~(size_t)63;
	assert_true(used + bytes <= sizeof arena);
	p = arena + used;
	used += bytes;
	return p;
}

static void *
detail_alloc(size_t bytes)
{
	return arena_alloc(bytes ? bytes : 1);
}

static void
random_config(struct dice *d, struct sim_config *c)
{
	memset(c, 0, sizeof *c);
	do {
		c->l1i = (struct cache_config){
			.size = 512u << dice_below(d, 7),
			.ways = DICE_PICK(d, 1, 2, 4, 8, 16),
			.line = DICE_PICK(d, 16, 32, 64, 128),
			.policy = (u8)dice_below(d, 4),
		};
	} while (c->l1i.size / c->l1i.line < c->l1i.ways);
	c->l1d = (struct cache_config){.size = 1024, .ways = 1, .line = 32};
	oracle_rig_tlbs(d, c);
	oracle_rig_idle(c);
	c->pipe.fetch_bytes = 8;
	c->pipe.fetch_ahead = 6;
	for (unsigned i = 0; i < CLASS_N; i++)
		c->pipe.cls[i] = (struct class_config){
			.latency = 1, .repeat = 1};
}

/* A block of that many bytes, in instructions of up to 15 bytes. */
static struct block *
new_block(struct rig *r, u64 va, unsigned bytes)
{
	struct insn insn[BLOCK_MAX_INSN];
	struct block *b = arena_alloc(block_bound(BLOCK_MAX_INSN));
	unsigned n = 0;

	while (bytes) {
		unsigned size = 1 + dice_below(&r->m.dice, 15);

		size = size < bytes ? size : bytes;
		insn_init(&insn[n++], va, size);
		va += size;
		bytes -= size;
	}
	assert_int_equal(block_build(b, &r->m.config, insn, n, true, 0,
				     detail_alloc),
			 0);
	return b;
}

/* Some are close to each other, some behind the end of a page. */
static void
new_program(struct rig *r)
{
	static const u64 base[] = {0x400000, 0x7ffff7d00000ull, 0xff000};

	arena_alloc(0);
	for (unsigned i = 0; i < BLOCKS; i++) {
		u64 va = base[dice_below(&r->m.dice, SIM_COUNT(base))];
		unsigned lines = dice_percent(&r->m.dice, 60)
				 ? 1 : 1 + dice_below(&r->m.dice, MAX_LINES);
		unsigned bytes = lines * r->m.config.l1i.line;

		va += dice_below(&r->m.dice, 0x20000);
		if (dice_percent(&r->m.dice, 20))
			va = (va | 0xfff) - dice_below(&r->m.dice, bytes);
		bytes = 1 + dice_below(&r->m.dice, bytes);
		if (bytes > BLOCK_MAX_INSN)
			bytes = BLOCK_MAX_INSN;
		r->block[i] = new_block(r, va, bytes);
	}
}

static void
open_rig(struct rig *r)
{
	oracle_rig_open(&r->m);
	new_program(r);
}

static void
compare(const struct rig *r, unsigned seed)
{
	oracle_rig_equal(&r->m, SIG_ICACHE_MISS, r->m.oracle.n.fetch_miss, seed);
	oracle_rig_equal(&r->m, SIG_ITLB_MISS, r->m.oracle.n.itlb, seed);
	oracle_rig_equal(&r->m, SIG_JTLB_I_MISS, r->m.oracle.n.jtlb_i, seed);
	oracle_rig_equal(&r->m, SIG_L2_ACCESS, r->m.oracle.n.l2_access, seed);
	oracle_rig_equal(&r->m, SIG_L2_MISS, r->m.oracle.n.l2_miss, seed);
}

static void
run(struct rig *r, unsigned entries, unsigned jump, unsigned seed)
{
	unsigned at = 0, few = 1;

	for (unsigned n = 0; n < entries; n++) {
		struct block *b;
		unsigned bytes;

		if (n % 250 == 0)	/* of how many blocks a phase is */
			few = 1 + dice_below(&r->m.dice, BLOCKS);
		at = dice_percent(&r->m.dice, 50)
		     ? (at + 1) % few : dice_below(&r->m.dice, few);
		b = r->block[at];
		bytes = (unsigned)(b->fall - b->vaddr);
		r->spans += b->vaddr >> 12 != (b->fall - 1) >> 12;
		if (jump && n % jump == 0)
			r->m.core->now += CYCLES(RENORM_CYCLES);
		enter_block(r->m.core, b);
		oracle_code(&r->m.oracle, b->vaddr, bytes);
		compare(r, seed);
	}
}

static void
test_lines_and_pages(void **state)
{
	static struct rig r;

	(void)state;
	for (unsigned seed = 0; seed < GEOMETRIES; seed++) {
		r.m.dice.state = seed * 7919 + 5;
		random_config(&r.m.dice, &r.m.config);
		open_rig(&r);
		run(&r, ENTRIES, 0, seed);
		oracle_rig_close(&r.m);
	}
	assert_true(r.spans > GEOMETRIES * ENTRIES / 50);
}

static void
test_renormalised(void **state)
{
	static struct rig r;

	(void)state;
	for (unsigned seed = 1000; seed < 1080; seed++) {
		r.m.dice.state = seed * 7919 + 5;
		random_config(&r.m.dice, &r.m.config);
		r.m.config.l1i.policy = r.m.config.itlb.policy = POLICY_LRU;
		open_rig(&r);
		run(&r, 1500, 20, seed);
		assert_true(core_cycle(r.m.core) > 70ull * RENORM_CYCLES);
		assert_true(r.m.core->now < CYCLES(RENORM_CYCLES));
		oracle_rig_close(&r.m);
	}
}

static void
test_second_level(void **state)
{
	static struct rig r;

	(void)state;
	for (unsigned seed = 2000; seed < 2060; seed++) {
		r.m.dice.state = seed * 7919 + 5;
		random_config(&r.m.dice, &r.m.config);
		oracle_rig_second_level(&r.m, 8192);
		open_rig(&r);
		run(&r, 2000, 0, seed);
		assert_true(r.m.sig[SIG_L2_MISS] > 0);
		oracle_rig_close(&r.m);
	}
}

/* The first page of all, seen from an empty table, is one that spans. */
static void
test_first_block_spans(void **state)
{
	static struct rig r;

	(void)state;
	r.m.dice.state = 1;
	random_config(&r.m.dice, &r.m.config);
	r.m.config.jtlb.entries = 0;
	open_rig(&r);
	r.block[0] = new_block(&r, 0x400ff8, 16);
	enter_block(r.m.core, r.block[0]);
	assert_int_equal(r.m.sig[SIG_ITLB_MISS],
			 r.m.config.itlb.page_bits == 12 ? 2 : 1);
	oracle_rig_close(&r.m);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines_and_pages),
		cmocka_unit_test(test_renormalised),
		cmocka_unit_test(test_second_level),
		cmocka_unit_test(test_first_block_spans),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
