/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Programs made of random blocks, and two ways to run them: the fast path,
 * and the merge.  A walk through a program is decided by a generator of its
 * own, so that both ways execute the same.
 */
#ifndef TEST_MERGE_FIXTURE_H
#define TEST_MERGE_FIXTURE_H

#include "core_fixture.h"
#include "enter_block.h"
#include "core/fast.h"
#include "machine_fixture.h"
#include "threads/merge.h"
#include "pipeline/block_build.h"

#define MAX_BLOCKS 512
#define CODE_BASE 0x400000u
#define DATA_BASE 0x10000000u

static inline u32
random_next(u32 *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

/* A 34K in numbers. */
static inline void
merge_config(struct sim_config *c)
{
	static const struct class_config mdu = {
		.latency = 5, .repeat = 1, .unit = UNIT_MDU};
	struct pipeline_config *p = &c->pipe;

	memset(c, 0, sizeof *c);
	c->l1i = c->l1d = (struct cache_config){
		.size = 32768, .ways = 4, .line = 32};
	c->itlb = c->dtlb = (struct tlb_config){.entries = 8, .page_bits = 12};
	c->jtlb = (struct tlb_config){.entries = 64, .page_bits = 13};
	c->branch = (struct branch_config){
		.initial = 1, .pc_shift = 2, .entries = 512,
		.return_entries = 4, .return_one_owner = true};
	for (unsigned i = 0; i < CLASS_N; i++)
		p->cls[i] = (struct class_config){
			.latency = 1, .repeat = 1};
	p->cls[CLASS_MUL] = p->cls[CLASS_MFHILO] = mdu;
	p->cls[CLASS_DIV] = (struct class_config){
		.latency = 36, .repeat = 36, .unit = UNIT_MDU};
	p->load_use = 2;
	p->load_address = 3;
	p->alu_address = 2;
	p->unit_address = 1;
	p->store_data_slack = 1;
	p->mispredict = p->indirect = 5;
	p->taken_bubble = 1;
	p->fetch_bytes = 8;
	p->fetch_ahead = 6;
	p->itlb_bubble = 2;
	p->dtlb_replay = 2;
	p->tlb_refill = 30;
	p->miss_counts_secondary = true;
	c->mem = (struct memory_config){
		.latency = 50, .bus_fill = 16, .bus_writeback = 16, .beat = 4,
		.fsb = 8, .ldq = 8, .wbb = 4, .ifb = 2};
	c->topo = (struct topology_config){
		.vpes = 2, .tcs = 5, .vpe_of_tc = {0, 0, 0, 1, 1},
		.quantum = 2000, .time_slice = 10000};
}

/* Memory of blocks: given back when the last rig is closed. */
static struct {
	void **chunk;
	size_t n;
	unsigned rigs;
} fixture_memory;

static inline void *
fixture_alloc(size_t bytes)
{
	size_t n = fixture_memory.n++;

	fixture_memory.chunk = realloc(fixture_memory.chunk,
				       (n + 1) * sizeof(void *));
	assert_non_null(fixture_memory.chunk);
	fixture_memory.chunk[n] = calloc(1, bytes ? bytes : 1);
	return fixture_memory.chunk[n];
}

static inline void
fixture_free(void)
{
	while (fixture_memory.n)
		free(fixture_memory.chunk[--fixture_memory.n]);
	free(fixture_memory.chunk);
	fixture_memory.chunk = NULL;
}

/* A machine with one process, its core, and blocks in a segment. */
struct rig {
	struct machine_map map;
	struct machine_slot *slot;
	struct machine_segment *segment;
	struct core *core;
	unsigned n;
	struct block *block[MAX_BLOCKS];
};

static inline void
rig_open(struct rig *r, const struct sim_config *config)
{
	unsigned slot;

	memset(r, 0, sizeof *r);
	fixture_memory.rigs++;
	r->map = fixture_machine(config);
	slot = take_slot(&r->map);
	r->slot = &r->map.m->slot[slot];
	r->segment = take_segment(&r->map, slot);
	r->core = set_up_core(&r->map.m->config);
	core_bind(r->core, r->slot, 0);
}

static inline void
rig_close(struct rig *r)
{
	free(r->core->pages);
	free(r->core);
	munmap(r->segment, MACHINE_SEGMENT);
	if (!--fixture_memory.rigs)
		fixture_free();
	fixture_close(&r->map);
}

/* Adds a block of these instructions to the program. */
static inline struct block *
rig_block(struct rig *r, const struct insn *insn, unsigned n)
{
	struct block *b =
		(struct block *)((char *)r->segment + r->segment->used);

	assert_true(r->segment->used + block_bound(n) <= MACHINE_SEGMENT);
	assert_true(r->n < MAX_BLOCKS);
	assert_int_equal(block_build(b, &r->map.m->config, insn, n, true, 0,
				     fixture_alloc), 0);
	block_widen(b, fixture_alloc)->insn =
		memcpy(fixture_alloc(n * sizeof *insn), insn, n * sizeof *insn);
	r->segment->used += b->bytes;
	r->block[r->n++] = b;
	return b;
}

static inline u64
rig_count(struct rig *r, enum sim_signal s)
{
	return user_count(&r->map, s);
}

/* All cycles that count, by their buckets. */
static inline u64
rig_cycles(struct rig *r)
{
	u64 sum[SIG_N], cycles;

	machine_signals(&r->map, MODE_USER, -1, -1, sum);
	cycles = sum[SIG_CYCLE_ISSUE] + sum[SIG_CYCLE_KILLED];
	for (unsigned g = SIG_IFU_ICACHE; g <= SIG_ALU_WBB; g++)
		cycles += sum[g];
	return cycles;
}

/* What a program looks like: out of 256 instructions. */
struct mix {
	u8 loads, stores, muls, divs;
	u16 blocks;
	u8 length;		/* longest block */
	u8 taken;		/* of 256 conditional branches */
	u32 data;		/* bytes that it works on */
	u32 stride;		/* of 0: random addresses */
};

static inline void
random_insn(struct insn *in, u64 pc, const struct mix *mix, u32 *rnd)
{
	unsigned kind = random_next(rnd) & 255, a = 1 + random_next(rnd) % 24;
	unsigned b = 1 + random_next(rnd) % 24, d = 1 + random_next(rnd) % 24;

	insn_init(in, pc, 4);
	in->pair = PAIR_UV;
	if (kind < mix->loads + mix->stores) {
		bool store = kind >= mix->loads;

		in->flags |= INSN_MEM_KNOWN |
			     (store ? INSN_STORES : INSN_LOADS);
		in->n_load = !store;
		in->n_store = store;
		in->size_log2 = 2;
		in->addr[0] = (u8)a;
		if (store) {
			in->data = (u8)b;
			return;
		}
		in->dst_loaded = true;
	} else {
		in->src[0] = (u8)a;
		in->src[1] = (u8)b;
		kind -= mix->loads + mix->stores;
		if (kind < mix->muls)
			in->cls = CLASS_MUL;
		else if (kind < (unsigned)mix->muls + mix->divs)
			in->cls = CLASS_DIV;
	}
	in->dst[0] = (u8)(in->cls == CLASS_DIV ? REG_HILO : d);
}

/* How a block ends: one in three branches conditionally. */
static inline void
random_end(struct insn *in, u64 pc, u32 *rnd)
{
	static const u8 ends[] = {
		BRANCH_DIRECT_COND, BRANCH_DIRECT_COND, BRANCH_DIRECT_COND,
		BRANCH_DIRECT_COND, BRANCH_JUMP, BRANCH_CALL, BRANCH_RETURN,
		BRANCH_IND_JUMP, BRANCH_NONE};

	insn_init(in, pc, 4);
	in->branch = ends[random_next(rnd) % SIM_COUNT(ends)];
	in->src[0] = (u8)(1 + random_next(rnd) % 24);
}

/* Fills the rig with a program that lies in one piece from address base. */
static inline void
rig_program(struct rig *r, const struct mix *mix, u32 seed, u64 base)
{
	struct insn insn[64];
	u32 rnd = seed;

	for (unsigned i = 0; i < mix->blocks; i++) {
		unsigned n = 1 + random_next(&rnd) % mix->length, k;

		for (k = 0; k < n; k++, base += 4)
			random_insn(&insn[k], base, mix, &rnd);
		random_end(&insn[k], base, &rnd);
		base += 4;
		if (random_next(&rnd) & 1) {	/* a delay slot */
			random_insn(&insn[++k], base, mix, &rnd);
			base += 4;
		}
		rig_block(r, insn, k + 1);
	}
}

/* Where a thread is in its program. */
struct walk {
	u32 rnd, data_rnd;
	unsigned first, blocks;	/* its part of the rig's blocks */
	unsigned times;		/* as many blocks as others run; 0 is 1 */
	unsigned at;
	unsigned depth, stack[8];
	u64 data;		/* where its data is, and how far it has come */
	u32 offset;
};

/* A number of its own, as far as the predictor has entries. */
static inline u64
branch_number(const struct rig *r, const struct block *b)
{
	const struct branch_config *br = &r->map.m->config.branch;

	return br->entries ? block_branch_pc(b) >> br->pc_shift & (br->entries - 1)
			   : 0;
}

static inline unsigned
walk_next(struct walk *w, const struct rig *r, const struct mix *mix)
{
	const struct block *b = r->block[w->first + w->at];
	unsigned fall = w->at + 1 == w->blocks ? 0 : w->at + 1;
	unsigned away = random_next(&w->rnd) % w->blocks;

	switch (b->branch) {
	case BRANCH_NONE:
		return fall;
	case BRANCH_DIRECT_COND:
		if ((branch_number(r, b) * 37 & 255) < mix->taken)
			return random_next(&w->rnd) % 16 ? w->at / 2 : fall;
		return random_next(&w->rnd) % 16 ? fall : w->at / 2;
	case BRANCH_CALL:
		if (w->depth < SIM_COUNT(w->stack))
			w->stack[w->depth++] = fall;
		return away;
	case BRANCH_RETURN:
		return w->depth ? w->stack[--w->depth] : away;
	default:
		return away;
	}
}

static inline u64
walk_address(struct walk *w, const struct mix *mix)
{
	if (mix->stride)
		w->offset = (w->offset + mix->stride) % mix->data;
	else
		w->offset = random_next(&w->data_rnd) % mix->data & ~3u;
	return w->data + w->offset;
}

/* An access of 4 bytes, as the plugin makes it. */
static inline void
access_fast(struct core *c, const struct block_access *a, u64 va, bool store)
{
	if (a->flags & ACCESS_BANK)
		core_bank(c, a, va);
	if (store && core_may_order(c, a))
		core_order(c, a, va);
	if ((store && (c->config->l1d.write_through || c->tells)) ||
	    !fast_data(c, a, va, 2, store))
		core_data(c, a, va, 4, store);
}

/* Runs so many blocks on the fast path. */
static inline void
run_fast(struct rig *r, struct walk *w, const struct mix *mix, unsigned n)
{
	struct core *c = r->core;

	while (n--) {
		struct block *b = r->block[w->first + w->at];

		enter_block(c, b);
		for (unsigned i = 0; i < b->detail->n_access; i++) {
			const struct block_access *a = &block_access(b->detail)[i];
			const struct insn *in = &block_insns(b)[a->insn];

			access_fast(c, a, walk_address(w, mix), in->n_store);
		}
		w->at = walk_next(w, r, mix);
	}
	pending_until(c, ~0ull - 1);
}

/* The same with an eye on blocks entered and on accesses that leave the fast
 * path. */
static inline void
run_watched(struct rig *r, struct walk *w, const struct mix *mix, unsigned n,
	    void (*enter)(struct core *c, struct block *b),
	    void (*left)(struct core *c, unsigned insn))
{
	struct core *c = r->core;

	while (n--) {
		struct block *b = r->block[w->first + w->at];

		enter(c, b);
		for (unsigned i = 0; i < b->detail->n_access; i++) {
			const struct block_access *a = &block_access(b->detail)[i];
			const struct insn *in = &block_insns(b)[a->insn];
			u64 va = walk_address(w, mix);

			if (fast_data(c, a, va, 2, in->n_store))
				continue;
			core_data(c, a, va, 4, in->n_store);
			left(c, a->insn);
		}
		w->at = walk_next(w, r, mix);
	}
}

/* Records blocks of a walk until it has a turn's worth, at most n. */
static inline unsigned
record(struct rig *r, struct walk *w, const struct mix *mix,
       struct merge_queue *q, unsigned n)
{
	unsigned done = 0;

	q->recorded = 0;
	while (done < n && q->recorded < r->map.m->config.topo.quantum) {
		struct block *b = r->block[w->first + w->at];

		assert_int_equal(merge_queue_block(q, b), 0);
		for (unsigned i = 0; i < b->detail->n_access; i++) {
			const struct block_access *a = &block_access(b->detail)[i];
			const struct insn *in = &block_insns(b)[a->insn];

			assert_int_equal(merge_queue_access(
				q, a, walk_address(w, mix), 4, in->n_store),
				0);
		}
		w->at = walk_next(w, r, mix);
		done++;
	}
	return done;
}

typedef struct merge_queue *merge_advance_fn(struct merge *m);

/* Runs n walks of so many blocks each, the first on context 0 and so on;
 * advance works off what is recorded. */
static inline void
run_merged_by(struct rig *r, struct walk *w, const struct mix *mix,
	      unsigned threads, unsigned blocks, merge_advance_fn *advance)
{
	struct merge *m = merge_new(r->core);
	struct merge_queue q[SIM_MAX_TC], *dry;
	unsigned left[SIM_MAX_TC];

	assert_non_null(m);
	merge_begin(m, r->slot->sig, 0);
	core_record(r->core, true);
	for (unsigned i = 0; i < threads; i++) {
		assert_int_equal(merge_queue_init(&q[i]), 0);
		left[i] = blocks * (w[i].times ? w[i].times : 1);
		merge_admit(m, &q[i], i % r->map.m->config.topo.tcs);
	}
	while ((dry = advance(m))) {
		unsigned i = (unsigned)(dry - q);

		left[i] -= record(r, &w[i], mix, dry, left[i]);
		if (!left[i])
			merge_leave(m, dry);
	}
	merge_end(m, threads == 1 ? q : NULL, 0);
	core_record(r->core, false);
	core_bind(r->core, r->slot, 0);
	for (unsigned i = 0; i < threads; i++)
		merge_queue_free(&q[i]);
	merge_free(m);
}

static inline void
run_merged(struct rig *r, struct walk *w, const struct mix *mix,
	   unsigned threads, unsigned blocks)
{
	run_merged_by(r, w, mix, threads, blocks, merge_advance);
}

#endif
