/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * TLBs of other machines than the 34K, by hand and against a naive model:
 * none behind the first ones, one of each side behind them, entries that are
 * dropped together, page tables in virtual memory.
 */
#include "core_fixture.h"
#include "oracle.h"
#include "core/pages.h"
#include "core/tlb.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define TABLES (1ull << 50)	/* in the naive model: of a page number */

static u64 sig[SIG_N];
static struct sim_config config;
static struct core *core;

static void
open_core(void)
{
	config.l1i = config.l1d =
		(struct cache_config){.size = 1024, .ways = 1, .line = 32};
	config.branch.entries = 16;
	config.mem = (struct memory_config){
		.fsb = 4, .ldq = 4, .wbb = 4, .ifb = 2};
	memset(sig, 0, sizeof sig);
	core = set_up_core(&config);
	core->sig = sig;
}

/* The page of va, for data or for code; true if tables were looked at. */
static bool
page(u64 va, bool data)
{
	struct micro_tlb *m = data ? &core->dtlb : &core->itlb;

	core->now += CYCLES(1) + 1;
	return tlb_access(core, m, va, (u32)core->now) == PAGE_REFILL;
}

/* ---- The naive model --------------------------------------------------- */

struct row {
	u64 page, used;
	bool valid;
};

struct naive_tlb {
	const struct tlb_config *config;
	unsigned ways, sets, next[CORE_MAX_JTLB];
	u32 random;
	struct row row[CORE_MAX_JTLB];
};

struct naive {
	struct naive_tlb i, d, j, jd;
	u64 time, miss[2], refill[2], twice, touched;
	u64 seen[1 << 16];
	unsigned n_seen;
};

static void
naive_tlb(struct naive_tlb *t, const struct tlb_config *c)
{
	memset(t, 0, sizeof *t);
	t->config = c;
	t->ways = c->ways ? c->ways : c->entries;
	t->sets = c->entries ? c->entries / t->ways : 0;
	t->random = 0x2545f491;
}

static struct row *
look(struct naive *o, struct naive_tlb *t, u64 number)
{
	struct row *set = t->row + number % t->sets * t->ways;

	for (unsigned w = 0; w < t->ways; w++) {
		if (!set[w].valid || set[w].page != number)
			continue;
		set[w].used = o->time;
		return &set[w];
	}
	return NULL;
}

static unsigned
extreme(const struct row *set, unsigned ways, bool last)
{
	unsigned best = 0;

	for (unsigned w = 0; w < ways; w++) {
		if (!last && !set[w].valid)
			return w;
		if (last ? set[w].used > set[best].used
			 : set[w].used < set[best].used)
			best = w;
	}
	return best;
}

static unsigned
choose(struct naive_tlb *t, unsigned set)
{
	struct row *row = t->row + set * t->ways;
	unsigned way = t->next[set];

	switch (t->config->policy) {
	case POLICY_LRU:
		return extreme(row, t->ways, false);
	case POLICY_RANDOM:
		for (unsigned w = 0; w < t->ways; w++)
			if (!row[w].valid)
				return w;
		t->random ^= t->random << 13;
		t->random ^= t->random >> 17;
		t->random ^= t->random << 5;
		return t->random % t->ways;
	case POLICY_NOT_LAST_USED:
		if (t->ways > 1 && row[way].used &&
		    extreme(row, t->ways, true) == way)
			way = (way + 1) % t->ways;
		break;
	}
	t->next[set] = (way + 1) % t->ways;
	return way;
}

/* Puts a page in; what was there before, or all ones. */
static u64
put(struct naive *o, struct naive_tlb *t, u64 number)
{
	unsigned set = (unsigned)(number % t->sets);
	struct row *e = t->row + set * t->ways + choose(t, set);
	u64 old = e->valid ? e->page : UINT64_MAX;

	*e = (struct row){.page = number, .used = o->time, .valid = true};
	return old;
}

static void
drop(struct naive_tlb *t, u64 entry, unsigned bits)
{
	unsigned more = bits - t->config->page_bits;

	for (unsigned n = 0; n < t->sets * t->ways; n++)
		if (t->row[n].valid && t->row[n].page >> more == entry)
			t->row[n] = (struct row){.valid = false};
}

static u64
os_page(u64 va)
{
	return va >> (config.itlb.page_bits < config.dtlb.page_bits
			      ? config.itlb.page_bits : config.dtlb.page_bits);
}

static void
touch(struct naive *o, u64 va)
{
	u64 number = os_page(va);

	for (unsigned i = 0; i < o->n_seen; i++)
		if (o->seen[i] == number)
			return;
	o->seen[o->n_seen++] = number;
	o->touched++;
}

/* Pages with addresses first to last are mapped no more. */
static void
unmap_naive(struct naive *o, struct naive_tlb *t, u64 first, u64 last)
{
	u32 bits = t->config->page_bits;
	unsigned left = 0;

	for (unsigned n = 0; n < t->sets * t->ways; n++)
		if (t->row[n].valid && t->row[n].page >= first >> bits &&
		    t->row[n].page <= last >> bits)
			t->row[n] = (struct row){.valid = false};
	for (unsigned i = 0; i < o->n_seen; i++)
		if (o->seen[i] < os_page(first) || o->seen[i] > os_page(last))
			o->seen[left++] = o->seen[i];
	o->n_seen = left;
}

static void
unmap(struct naive *o, u64 va, u64 n)
{
	u64 first = os_page(va), end = first + n;
	u64 bytes = 1ull << tlb_page_bits(core);

	if (!pages_forget(core->pages, first, end))
		return;
	tlb_unmap(core, first, end);
	unmap_naive(o, &o->i, first * bytes, end * bytes - 1);
	unmap_naive(o, &o->d, first * bytes, end * bytes - 1);
}

/* True if what is behind the first TLB of that side has it. */
static bool
behind(struct naive *o, u64 va, bool data)
{
	struct naive_tlb *t = data && o->jd.sets ? &o->jd : &o->j;
	u64 number, old;

	touch(o, va);
	if (!t->sets) {
		number = va >> config.dtlb.page_bits;
		if (!config.dtlb.maps_tables)
			return false;
		/* Eight bytes for each page. */
		number = TABLES | number * 8 >> config.dtlb.page_bits;
		if (look(o, &o->d, number))
			return false;
		o->twice++;
		put(o, &o->d, number);
		return false;
	}
	number = va >> t->config->page_bits;
	if (look(o, t, number))
		return true;
	old = put(o, t, number);
	if (!t->config->inclusive || old == UINT64_MAX)
		return false;
	if (t == &o->jd || !o->jd.sets)
		drop(&o->d, old, t->config->page_bits);
	if (t == &o->j)
		drop(&o->i, old, t->config->page_bits);
	return false;
}

static bool
naive_page(struct naive *o, u64 va, bool data)
{
	struct naive_tlb *t = data ? &o->d : &o->i;
	u64 number = va >> t->config->page_bits;
	bool there;

	o->time++;
	if (look(o, t, number))
		return false;
	there = behind(o, va, data);
	o->miss[data]++;
	o->refill[data] += !there;
	put(o, t, number);
	return !there;
}

/* ---- Both side by side ------------------------------------------------- */

static void
random_config(struct dice *d)
{
	u32 bits = DICE_PICK(d, 12, 13, 14);

	memset(&config, 0, sizeof config);
	dice_tlb(d, &config.itlb, bits, 5);
	dice_tlb(d, &config.dtlb, bits, 5);
	if (dice_percent(d, 50)) {
		config.dtlb.maps_tables = dice_percent(d, 50);
		return;
	}
	dice_tlb(d, &config.jtlb, bits + dice_below(d, 2), 5);
	config.jtlb.entries <<= dice_below(d, 6); /* up to CORE_MAX_JTLB */
	config.jtlb.inclusive = dice_percent(d, 50);
	if (dice_percent(d, 50)) {
		dice_tlb(d, &config.jtlb_data, bits + dice_below(d, 2), 5);
		config.jtlb_data.inclusive = dice_percent(d, 50);
	}
}

static void
naive_init(struct naive *o)
{
	memset(o, 0, sizeof *o);
	naive_tlb(&o->i, &config.itlb);
	naive_tlb(&o->d, &config.dtlb);
	naive_tlb(&o->j, &config.jtlb);
	naive_tlb(&o->jd, &config.jtlb_data);
}

static void
compare(const struct naive *o)
{
	assert_int_equal(sig[SIG_ITLB_MISS], o->miss[0]);
	assert_int_equal(sig[SIG_DTLB_MISS], o->miss[1]);
	assert_int_equal(sig[SIG_JTLB_I_MISS], o->refill[0]);
	assert_int_equal(sig[SIG_JTLB_D_MISS], o->refill[1]);
	assert_int_equal(sig[SIG_TLB_DOUBLE], o->twice);
	assert_int_equal(sig[SIG_OS_PAGE], o->touched);
}

static void
test_random(void **state)
{
	static struct naive o;

	(void)state;
	for (unsigned seed = 0; seed < 200; seed++) {
		struct dice d = {.state = seed * 7919 + 3};
		u64 base = 0x10000000, near = 0;

		random_config(&d);
		open_core();
		naive_init(&o);
		for (unsigned n = 0; n < 4000; n++) {
			bool data = dice_percent(&d, 60);
			u64 va;

			if (dice_percent(&d, 20))
				near = dice_below(&d, 1u << 20);
			va = base + (near + dice_below(&d, 1u << 17) +
				     (u64)dice_percent(&d, 10) *
				     dice_below(&d, 1u << 24)) % (1u << 22);
			if (dice_percent(&d, 2))
				va += (u64)dice_below(&d, 6) << 30;
			assert_int_equal(page(va, data),
					 naive_page(&o, va, data));
			compare(&o);
			if (dice_percent(&d, 2))
				unmap(&o, va, 1 + dice_below(&d, 20));
		}
		free(core);
	}
}

/* ---- By hand ----------------------------------------------------------- */

/* Four entries: the pointer goes round, but not to the last used. */
static void
test_not_last_used(void **state)
{
	(void)state;
	memset(&config, 0, sizeof config);
	config.itlb = config.dtlb = (struct tlb_config){
		.entries = 4, .page_bits = 13,
		.policy = POLICY_NOT_LAST_USED};
	open_core();
	for (u64 p = 0; p < 4; p++)
		assert_true(page(p << 13, true));
	page(0, true);			/* the pointer is at 0 */
	assert_true(page(4 << 13, true)); /* so this replaces 1 */
	assert_false(page(0, true));
	assert_true(page(1 << 13, true)); /* replaces 2 */
	assert_false(page(3 << 13, true));
	assert_true(page(2 << 13, true)); /* not 3: 0 */
	assert_false(page(3 << 13, true));
	assert_true(page(0, true));
	free(core);
}

/* Pairs of 16 kB behind 8 entries, as the R10000 has it: a page whose pair
 * is gone is gone. */
static void
test_pairs(void **state)
{
	(void)state;
	memset(&config, 0, sizeof config);
	config.itlb = config.dtlb =
		(struct tlb_config){.entries = 8, .page_bits = 14};
	config.jtlb = (struct tlb_config){.entries = 2, .page_bits = 15,
		.policy = POLICY_FIFO, .inclusive = true};
	open_core();
	assert_true(page(0x00000, true));
	assert_false(page(0x04000, true));	/* the other one of the pair */
	assert_true(page(0x08000, false));
	assert_false(page(0x00000, true));
	assert_true(page(0x10000, true));	/* the first pair leaves */
	assert_true(page(0x04000, true));	/* and the second */
	assert_true(page(0x08000, false));
	assert_int_equal(sig[SIG_JTLB_D_MISS], 3);
	assert_int_equal(sig[SIG_JTLB_I_MISS], 2);
	assert_int_equal(sig[SIG_DTLB_MISS], 4);
	assert_int_equal(sig[SIG_OS_PAGE], 4);
	free(core);
}

/* Pages of 8 kB hold 1024 entries of page tables: 8 MB.  Each miss finds its
 * table mapped, or has to map it first. */
static void
test_tables(void **state)
{
	(void)state;
	memset(&config, 0, sizeof config);
	config.itlb = config.dtlb = (struct tlb_config){
		.entries = 128, .page_bits = 13,
		.policy = POLICY_ROUND_ROBIN};
	config.dtlb.maps_tables = true;
	open_core();
	for (u64 va = 0; va < 64u << 20; va += 1u << 20)
		assert_true(page(va, true));
	assert_int_equal(sig[SIG_JTLB_D_MISS], 64);
	assert_int_equal(sig[SIG_TLB_DOUBLE], 8);
	assert_true(page(0x2000, false));
	assert_int_equal(sig[SIG_TLB_DOUBLE], 8);
	assert_true(page(65u << 20, false));
	assert_int_equal(sig[SIG_TLB_DOUBLE], 9);
	free(core);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_not_last_used),
		cmocka_unit_test(test_pairs),
		cmocka_unit_test(test_tables),
		cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
