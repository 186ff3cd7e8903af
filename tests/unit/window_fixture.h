/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Three pipelines with windows, like R10000, P6 and EV6, and how they run. */
#ifndef TEST_WINDOW_FIXTURE_H
#define TEST_WINDOW_FIXTURE_H

#include "block_text.h"
#include "core_fixture.h"
#include "core/fast.h"
#include "core/memory.h"
#include "core/stores.h"
#include "pipeline/window_internal.h"

enum { P0 = 1, P1 = 2, P2 = 4, P3 = 8, P4 = 16, P5 = 32 };

static inline void
set_class(struct sim_config *c, unsigned cls, unsigned latency,
	  unsigned repeat, unsigned unit, unsigned ports, unsigned busy)
{
	c->pipe.cls[cls] = (struct class_config){
		.latency = (u16)latency, .repeat = (u16)repeat,
		.unit = (u8)unit, .ports = (u8)ports, .busy = (u8)busy};
}

/* What all three have: caches that hold the programs, and memory. */
static inline void
window_common(struct sim_config *c, unsigned alu_ports)
{
	memset(c, 0, sizeof *c);
	c->topo.vpes = c->topo.tcs = 1;
	c->l1i = (struct cache_config){.size = 65536, .ways = 2, .line = 64};
	c->l1d = (struct cache_config){.size = 32768, .ways = 2, .line = 32};
	c->itlb = c->dtlb = (struct tlb_config){
		.entries = 128, .page_bits = 14};
	c->branch = (struct branch_config){
		.kind = PREDICT_NOT_TAKEN, .return_entries = 16};
	c->mem = (struct memory_config){
		.latency = 100, .bus_fill = 10, .bus_writeback = 10,
		.fsb = 4, .ldq = 8, .wbb = 4, .ifb = 2};
	c->pipe.kind = PIPELINE_WINDOW;
	for (unsigned i = 0; i < CLASS_N; i++)
		set_class(c, i, 1, 1, UNIT_NONE, alu_ports, 0);
	set_class(c, CLASS_NOP, 1, 1, UNIT_NONE, 0, 0);
}

static inline void
r10000(struct sim_config *c)
{
	window_common(c, P0 | P1);
	set_class(c, CLASS_SHIFT, 1, 1, UNIT_NONE, P0, 0);
	set_class(c, CLASS_MUL, 6, 6, UNIT_MDU, P1, 1);
	set_class(c, CLASS_DIV, 35, 35, UNIT_MDU, P1, 1);
	set_class(c, CLASS_FADD, 2, 1, UNIT_FPU, P3, 0);
	set_class(c, CLASS_FMUL_D, 2, 1, UNIT_FPU, P4, 0);
	set_class(c, CLASS_FDIV_D, 19, 21, UNIT_FPU, P4, 2);
	c->pipe.load_use = 2;
	c->pipe.mispredict = c->pipe.indirect = 5;
	c->pipe.taken_bubble = 1;
	c->pipe.fetch_bytes = 64;
	c->pipe.fetch_ahead = 3;
	c->pipe.window = (struct window_config){
		.fetch = 4, .dispatch = 4, .retire = 4, .run_ahead = 2,
		.load_ports = P2, .store_ports = P2, .branch_ports = P0,
		.load_use_fp = 3, .queues = 5,
		.queue = {{32, HOLD_ALL, UNTIL_RETIRE},
			  {16, HOLD_INT | HOLD_BRANCH, UNTIL_ISSUE},
			  {16, HOLD_FP, UNTIL_ISSUE},
			  {16, HOLD_LOAD | HOLD_STORE, UNTIL_RETIRE},
			  {4, HOLD_BRANCH, UNTIL_DONE}}};
}

static inline void
p6(struct sim_config *c)
{
	window_common(c, P0 | P1);
	set_class(c, CLASS_MUL, 4, 1, UNIT_MDU, P0, 0);
	set_class(c, CLASS_DIV, 39, 37, UNIT_MDU, P0, 1);
	set_class(c, CLASS_FADD, 3, 1, UNIT_FPU, P0, 0);
	set_class(c, CLASS_FMUL_D, 5, 2, UNIT_FPU, P0, 2);
	set_class(c, CLASS_FDIV_D, 32, 32, UNIT_FPU, P0, 1);
	c->pipe.load_use = 3;
	c->pipe.mispredict = c->pipe.indirect = 10;
	c->pipe.taken_bubble = 1;
	c->pipe.fetch_bytes = 16;
	c->pipe.fetch_ahead = 6;
	c->pipe.window = (struct window_config){
		.fetch = 3, .dispatch = 3, .retire = 3, .run_ahead = 3,
		.split = true, .load_ports = P2, .store_ports = P3,
		.data_ports = P4, .branch_ports = P1, .load_use_fp = 3,
		.decoders = 3, .decode = {4, 1, 1}, .queues = 4,
		.queue = {{40, HOLD_ALL, UNTIL_RETIRE},
			  {20, HOLD_ALL, UNTIL_ISSUE},
			  {16, HOLD_LOAD, UNTIL_RETIRE},
			  {12, HOLD_STORE, UNTIL_RETIRE}}};
}

static inline void
ev6(struct sim_config *c)
{
	window_common(c, P0 | P1 | P2 | P3);
	set_class(c, CLASS_SHIFT, 1, 1, UNIT_NONE, P2 | P3, 0);
	set_class(c, CLASS_MUL, 7, 1, UNIT_MDU, P3, 0);
	set_class(c, CLASS_FADD, 4, 1, UNIT_FPU, P4, 0);
	set_class(c, CLASS_FMUL_D, 4, 1, UNIT_FPU, P5, 0);
	set_class(c, CLASS_FDIV_D, 15, 15, UNIT_FPU, P4, 1);
	c->pipe.load_use = 3;
	c->pipe.mispredict = 7;
	c->pipe.indirect = 8;
	c->pipe.taken_bubble = 0;
	c->pipe.fetch_bytes = 16;
	c->pipe.fetch_ahead = 4;
	c->pipe.window = (struct window_config){
		.fetch = 4, .dispatch = 4, .retire = 8, .run_ahead = 4,
		.load_ports = P0 | P1, .store_ports = P0 | P1,
		.branch_ports = P2 | P3, .load_use_fp = 4, .queues = 5,
		.queue = {{80, HOLD_ALL, UNTIL_RETIRE},
			  {20, HOLD_INT | HOLD_BRANCH | HOLD_LOAD | HOLD_STORE,
			   UNTIL_ISSUE},
			  {15, HOLD_FP, UNTIL_ISSUE},
			  {32, HOLD_LOAD, UNTIL_RETIRE},
			  {32, HOLD_STORE, UNTIL_RETIRE}}};
}

/* ---- Running ---------------------------------------------------------- */

struct window_rig {
	struct sim_config config;
	struct core *core;
	u64 sig[SIG_N];
	u64 outcome[2][BRANCH_OUTCOMES];
};

static inline void
window_open(struct window_rig *r, bool remember)
{
	memset(r->sig, 0, sizeof r->sig);
	memset(r->outcome, 0, sizeof r->outcome);
	r->core = set_up_core(&r->config);
	r->core->sig = r->sig;
	r->core->outcome = r->outcome;
	if (!remember)
		window_forget(r->core);
}

/* Has fetched a block long ago. */
static inline void
window_warm(struct window_rig *r, const struct block *b)
{
	struct core *c = r->core;
	bool refill;
	u16 slot;

	fetch_page(c, &c->itlb, b->vaddr, 1, &refill);
	fetch_page(c, &c->itlb, b->fall - 1, 1, &refill);
	for (u64 line = b->line; line <= (b->fall - 1) >> c->iline_bits; line++)
		fetch_line(c, line, 1, 0, &slot);
	memset(c->line_ready, 0, sizeof c->line_ready);
	memset(r->sig, 0, sizeof r->sig);
	queue_init(&c->ifb, r->config.mem.ifb, SIG_IFB_BUSY, false);
	unordered_clear(c->unordered);
}

static inline void
window_close(struct window_rig *r)
{
	window_free(r->core->window);
	free(r->core);
}

/* Access number k of the block that was entered last. */
static inline void
window_access(struct window_rig *r, const struct block *b, unsigned k, u64 va,
	      unsigned size_log2)
{
	const struct block_access *a = &block_access(b->detail)[k];
	bool store = block_insns(b)[a->insn].n_store;
	bool waits = r->core->stores && stores_pass(r->core, a, va,
						    1u << size_log2, store);

	if (waits || (store && r->core->tells) ||
	    !fast_data(r->core, a, va, size_log2, store))
		core_data(r->core, a, va, 1u << size_log2, store);
}

static inline u64
window_cycles(const struct window_rig *r)
{
	return core_cycle(r->core);
}

/* Each cycle is in exactly one bucket, and retirements make operations. */
static inline void
window_conserved(const struct window_rig *r, u64 ops)
{
	u64 cycles = 0;

	for (unsigned s = SIG_CYCLE_ISSUE; s <= SIG_ALU_WBB; s++)
		cycles += r->sig[s];
	assert_int_equal(cycles, window_cycles(r));
	assert_int_equal(r->sig[SIG_RETIRE_1] + r->sig[SIG_RETIRE_2] +
			 r->sig[SIG_RETIRE_3] + r->sig[SIG_RETIRE_4],
			 r->sig[SIG_CYCLE_ISSUE]);
	if (r->config.pipe.window.retire <= 4)
		assert_int_equal(r->sig[SIG_RETIRE_1] +
				 2 * r->sig[SIG_RETIRE_2] +
				 3 * r->sig[SIG_RETIRE_3] +
				 4 * r->sig[SIG_RETIRE_4], ops);
}

#endif
