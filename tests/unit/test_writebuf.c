/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The merging write buffer, by hand and against one that goes by cycles. */
#include "core_fixture.h"
#include "make_access.h"
#include "oracle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static u64 sig[SIG_N], alone[ALONE_N];
static struct sim_config config;
static struct core *core;

static void
open_core(unsigned entries, unsigned at, unsigned after, unsigned cycles)
{
	memset(&config, 0, sizeof config);
	config.l1d = (struct cache_config){
		.size = 1024, .ways = 1, .line = 32, .write_through = true,
		.no_write_allocate = true};
	config.l1i = config.l1d;
	config.l2 = (struct cache_config){
		.size = 1u << 20, .ways = 1, .line = 32, .latency = 10};
	config.dtlb = config.itlb =
		(struct tlb_config){.entries = 8, .page_bits = 12};
	config.branch.entries = 16;
	config.mem = (struct memory_config){
		.latency = 50, .fsb = 4, .ldq = 4, .ifb = 2,
		.wbb = (u16)entries, .wbb_bytes = 32,
		.wbb_drain_at = (u16)at, .wbb_drain_after = (u16)after,
		.wbb_cycles = (u16)cycles};
	memset(sig, 0, sizeof sig);
	core = set_up_core(&config);
	core->sig = sig;
	core->alone = alone;
}

static u64
writes(void)
{
	return sig[SIG_L2_WRITE_M] + sig[SIG_L2_WRITE_E] +
	       sig[SIG_L2_WRITE_MISS];
}

/* Four entries, the oldest leaves when there are two. */
static void
test_known(void **state)
{
	(void)state;
	open_core(4, 2, 0, 10);
	assert_int_equal(writebuf_store(core, 0x1000, 100), 0);
	assert_int_equal(writebuf_store(core, 0x1008, 500), 0);
	assert_int_equal(sig[SIG_WBB_MERGED], 1);
	assert_int_equal(writes(), 0);
	assert_int_equal(writebuf_store(core, 0x1020, 600), 0);
	/* 0x1000 is on its way until 610: too late to join. */
	assert_int_equal(writebuf_store(core, 0x1010, 601), 0);
	assert_int_equal(sig[SIG_WBB_MERGED], 1);
	assert_int_equal(writes(), 1);
	assert_int_equal(writebuf_store(core, 0x1040, 602), 0);
	/* Full: the first is out at 610. */
	assert_int_equal(writebuf_store(core, 0x1060, 603), 7);
	assert_int_equal(writebuf_store(core, 0x1048, 611), 0);
	assert_int_equal(sig[SIG_WBB_MERGED], 2);
	/* 0x1020 to 620, 0x1000 to 630; 0x1040 and 0x1060 remain until the
	 * former goes to 640; one stays. */
	assert_int_equal(writebuf_flush(core, 0x5000, 0x5020, 10000), 10000);
	assert_int_equal(writes(), 4);
	assert_int_equal(core->writebuf.n, 1);
	/* It is read. */
	assert_int_equal(writebuf_flush(core, 0x1060, 0x1080, 20000), 20010);
	assert_int_equal(core->writebuf.n, 0);
	assert_int_equal(writes(), 5);
	/* A barrier waits for all, one after the other; the first one of two
	 * is out by 30011, before it. */
	writebuf_store(core, 0x1000, 30000);
	writebuf_store(core, 0x2000, 30001);
	assert_int_equal(writebuf_drain(core, 30005), 30021);
	assert_int_equal(writebuf_drain(core, 30021), 30021);
	assert_int_equal(writes(), 7);
	free(core);
}

/* The oldest leaves when it has waited for 64 cycles, too. */
static void
test_timer(void **state)
{
	(void)state;
	open_core(6, 3, 64, 8);
	writebuf_store(core, 0x1000, 100);
	writebuf_store(core, 0x2000, 150);
	assert_int_equal(writebuf_store(core, 0x1008, 163), 0);
	assert_int_equal(sig[SIG_WBB_MERGED], 1);
	assert_int_equal(writebuf_store(core, 0x1008, 164), 0);
	assert_int_equal(sig[SIG_WBB_MERGED], 1);
	/* That made three; 0x1000 at 164, 0x2000 at 214, then 0x1008. */
	assert_int_equal(writebuf_store(core, 0x2008, 213), 0);
	assert_int_equal(sig[SIG_WBB_MERGED], 2);
	assert_int_equal(writes(), 1);
	assert_int_equal(writebuf_flush(core, 0x1000, 0x1020, 216), 230);
	assert_int_equal(writes(), 3);
	free(core);
}

/* Accesses 8 bytes at that cycle. */
static void
access_at(u64 va, u64 cycle, bool store)
{
	static const struct block_access a = {
		.use = ACCESS_NEVER_USED, .reg = REG_NONE};

	core->now = CYCLES(cycle) + (u32)core->now + 1;
	make_access(core, &a, va, 3, store);
}

/* The cycle that a load at that cycle has its line at. */
static u64
load_at(u64 va, u64 cycle)
{
	int slot;

	access_at(va, cycle, false);
	alone_forget(core);
	slot = array_find(&core->l1d, va / 32);
	assert_true(slot >= 0);
	return core->data_ready[slot];
}

/* Loads find their lines 10 cycles away, behind entries of 20. */
static void
test_load_between(void **state)
{
	(void)state;
	open_core(4, 2, 0, 20);
	assert_non_null(core->near);
	/* Of one set: the last one stays in the first level. */
	for (u64 i = 1; i <= 5; i++)
		load_at(i << 12, 1000 * i);
	access_at(0x1000, 10000, true);
	access_at(0x2000, 10001, true);
	/* 0x1000 is on its way from 10001 to 10021. */
	assert_int_equal(load_at(0x3000, 10004), 10014);
	assert_int_equal(load_at(0x1000, 10006), 10021 + 10);
	assert_int_equal(core->writebuf.n, 1);
	assert_int_equal(writes(), 1);
	/* 0x2000 waits, and is written for the load. */
	assert_int_equal(load_at(0x4000, 10050), 10060);
	assert_int_equal(writes(), 1);
	assert_int_equal(load_at(0x2008, 10070), 10090 + 10);
	assert_int_equal(core->writebuf.n, 0);
	assert_int_equal(writes(), 2);
	assert_int_equal(sig[SIG_WBB_MERGED], 0);
	free(core);
}

/* ---- Cycle by cycle ---------------------------------------------------- */

struct entry {
	u64 block, since, done;
	bool begun;
};

struct naive {
	unsigned n;
	struct entry entry[64];
	u64 now, free, written, merged;
};

static void
begin(struct naive *o)
{
	o->entry[0].begun = true;
	o->entry[0].done = o->now + config.mem.wbb_cycles;
	o->free = o->entry[0].done;
	o->written++;
}

/* What happens in cycle now. */
static void
tick(struct naive *o, bool force)
{
	struct entry *e = o->entry;
	const struct memory_config *mem = &config.mem;

	if (o->n && e->begun && e->done <= o->now) {
		o->n--;
		memmove(e, e + 1, o->n * sizeof *e);
	}
	if (o->n && !e->begun && o->now >= o->free &&
	    (force || o->n >= mem->wbb_drain_at ||
	     (mem->wbb_drain_after &&
	      o->now >= e->since + mem->wbb_drain_after)))
		begin(o);
}

static void
until(struct naive *o, u64 t)
{
	while (o->now < t) {
		o->now++;
		tick(o, false);
	}
}

static u64
naive_store(struct naive *o, u64 va, u64 t)
{
	u64 block = va / 32;

	until(o, t);
	for (unsigned i = 0; i < o->n; i++) {
		if (o->entry[i].block != block || o->entry[i].begun)
			continue;
		o->merged++;
		return 0;
	}
	while (o->n == config.mem.wbb) {
		o->now++;
		tick(o, false);
	}
	o->entry[o->n++] = (struct entry){.block = block, .since = o->now};
	tick(o, false);
	return o->now - t;
}

static bool
holds(const struct naive *o, u64 addr)
{
	for (unsigned i = 0; i < o->n; i++)
		if (o->entry[i].block == addr / 32)
			return true;
	return false;
}

static u64
naive_flush(struct naive *o, u64 addr, u64 t)
{
	until(o, t);
	if (holds(o, addr))
		tick(o, true);
	while (holds(o, addr)) {
		o->now++;
		if (o->entry[0].begun && o->entry[0].done <= o->now) {
			o->n--;
			memmove(o->entry, o->entry + 1,
				o->n * sizeof *o->entry);
			if (!holds(o, addr))
				break;
		}
		if (!o->entry[0].begun && o->now >= o->free)
			begin(o);
	}
	tick(o, false);
	return o->now;
}

static void
test_random(void **state)
{
	struct naive o;

	(void)state;
	for (unsigned seed = 0; seed < 200; seed++) {
		struct dice d = {.state = seed * 7919 + 3};
		unsigned n = 1 + dice_below(&d, 8), gap = 1 + dice_below(&d, 30);
		u64 t = 1, wait;

		open_core(n, 1 + dice_below(&d, n),
			  dice_percent(&d, 50) ? 0 : 1 + dice_below(&d, 100),
			  1 + dice_below(&d, 20));
		memset(&o, 0, sizeof o);
		for (unsigned i = 0; i < 1500; i++) {
			u64 va = 0x1000 + dice_below(&d, 400);

			t += dice_below(&d, gap);
			if (t < o.now)
				t = o.now;
			if (dice_percent(&d, 15)) {
				wait = naive_flush(&o, va, t);
				assert_int_equal(
					writebuf_flush(core, va / 32 * 32,
						       va / 32 * 32 + 32, t),
					wait);
			} else {
				wait = naive_store(&o, va, t);
				assert_int_equal(writebuf_store(core, va, t),
						 wait);
			}
			assert_int_equal(sig[SIG_WBB_MERGED], o.merged);
		}
		writebuf_flush(core, 0x9000, 0x9020, t += 100000);
		until(&o, t);
		assert_int_equal(core->writebuf.n, o.n);
		assert_int_equal(writes(), o.written);
		free(core);
	}
}

/* Stores of a program: each is written, or joins one that is. */
static void
test_program(void **state)
{
	static const struct block_access a = {
		.cycles_back = 1, .use = ACCESS_NEVER_USED, .reg = REG_NONE};
	struct dice d = {.state = 77};
	u64 stores = 0;

	(void)state;
	open_core(4, 2, 256, 12);
	for (unsigned i = 0; i < 20000; i++) {
		bool store = dice_percent(&d, 40);

		core->now += CYCLES(1 + dice_below(&d, 4)) + 1;
		core_data(core, &a, 0x10000 + dice_below(&d, 4096) / 8 * 8, 8,
			  store);
		stores += store;
	}
	assert_int_equal(stores, sig[SIG_WBB_MERGED] + writes() +
					 core->writebuf.n -
					 (core->writebuf.done != 0));
	assert_true(sig[SIG_WBB_MERGED] > 100);
	assert_true(sig[SIG_ALU_WBB] > 0);
	assert_int_equal(sig[SIG_DCACHE_WB], 0);
	free(core);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_known),
		cmocka_unit_test(test_timer),
		cmocka_unit_test(test_load_between),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_program),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
