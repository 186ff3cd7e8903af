/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What C counts of blocks and accesses: all that is no hit, and where the
 * machine, or what watches it, asks for more. */
#include "periods.h"
#include "threads.h"

#include "core/fast.h"
#include "core/mmx.h"
#include "core/near.h"
#include "core/stores.h"
#include "core/tlb.h"
#include "pipeline/window.h"
#include "target/calling.h"
#include "target/procedures.h"
#include "target/regioning.h"
#include "turns/turns.h"
#include "watch/profile.h"
#include "x86_64/gather.h"

#include <stdlib.h>

/* ---- Blocks ---------------------------------------------------------- */

/* Each predictor's way into blocks of so many lines. */
#define ENTER(name, predictor)                                         \
	static void name##_1(struct core *c, struct block *t)          \
	{                                                              \
		fast_enter(c, t, FAST_ONE, predictor);                 \
	}                                                              \
	static void name##_2(struct core *c, struct block *t)          \
	{                                                              \
		fast_enter(c, t, FAST_TWO, predictor);                 \
	}                                                              \
	static void name##_3(struct core *c, struct block *t)          \
	{                                                              \
		fast_enter(c, t, FAST_THREE, predictor);               \
	}                                                              \
	static void name##_n(struct core *c, struct block *t)          \
	{                                                              \
		fast_enter(c, t, FAST_ANY, predictor);                 \
	}
#define BY_LINES(name) {name##_1, name##_2, name##_3, name##_n}

ENTER(enter_table, FAST_TABLE)
ENTER(enter_history, FAST_HISTORY)
ENTER(enter_own, FAST_OWN)
ENTER(enter_icache, FAST_ICACHE)
ENTER(enter_buffer, FAST_BUFFER)
ENTER(enter_held, FAST_HELD)

static enter_fn *const in_order[][4] = {
	[FAST_TABLE] = BY_LINES(enter_table),
	[FAST_HISTORY] = BY_LINES(enter_history),
	[FAST_OWN] = BY_LINES(enter_own),
	[FAST_ICACHE] = BY_LINES(enter_icache),
	[FAST_BUFFER] = BY_LINES(enter_buffer),
	[FAST_HELD] = BY_LINES(enter_held),
};

static void
enter_counted(struct core *c, struct block *t)
{
	fast_count(c, t);
}

static enter_fn *
enterer(unsigned lines)
{
	if (!target.timing)
		return enter_counted;
	if (core.profiler)
		return profiler_enter;
	if (pipeline_is_window(&target.config->pipe))
		return window_enterer(target.config, lines);
	return in_order[fast_predictor_of(target.config)][lines - 1];
}

static enter_fn *by_lines[4];	/* one, two, three, more */

static void
enter_any(struct core *c, struct block *t)
{
	by_lines[t->n_line > 3 ? 3 : t->n_line - 1](c, t);
}

/* The block of a marker: what begins or ends there is written down. */
static void
note_marker(const struct block *t)
{
	bool begun = host_library_begin();

	regioning_entered(t);
	if (begun)
		host_library_end();
}

static void
enter_marked(struct core *c, struct block *t)
{
	enter_any(c, t);
	note_marker(t);
}

/* Where it is asked which calls led there, or procedures are followed; files and
 * the target's memory may have to be read for that. */
static void
enter_asked(struct core *c, struct block *t)
{
	bool begun = host_library_begin();

	if (core.calls)
		calling_enter(threads_number, t);
	if (procedures_wanted())
		regioning_follow(t);
	if (t->marked)
		enter_marked(c, t);
	else
		enter_any(c, t);
	if (core.calls)
		calling_entered();
	/* A sample may have been told meanwhile: to begin and end costs as much as
	 * to tell it. */
	if (begun)
		host_library_end();
}

void
count_begin(void)
{
	bool asked = core.calls || procedures_wanted();

	for (unsigned n = 0; n < 4; n++) {
		by_lines[n] = enterer(n + 1);
		host_state.on_enter[n] = asked ? enter_asked : by_lines[n];
	}
	host_state.on_enter[HOST_ATTEND] = core_attend;
	host_state.on_enter[HOST_MARKED] = asked ? enter_asked : enter_marked;
	core.alarmed = code_unlink;
}

/* For tests, and to find which of the two is wrong. */
bool
count_calls_only(void)
{
	const char *asked = getenv("PMCSIM_NATIVE_CALLS");

	return asked && *asked == '1';
}

enum code_enter
count_enter(void)
{
	static const enum code_enter ways[] = {
		[FAST_TABLE] = ENTER_TABLE,
		[FAST_HISTORY] = ENTER_HISTORY,
		[FAST_OWN] = ENTER_OWN,
		[FAST_ICACHE] = ENTER_ICACHE,
		[FAST_BUFFER] = ENTER_BUFFER,
		[FAST_TOURNAMENT] = ENTER_CALL,
		[FAST_TAGE] = ENTER_CALL,
		[FAST_HELD] = ENTER_HELD,
	};

	if (count_calls_only() || core.profiler || core.calls ||
	    procedures_wanted())
		return ENTER_CALL;
	if (!target.timing)
		return ENTER_COUNT;
	if (pipeline_is_window(&target.config->pipe))
		return ENTER_CALL;
	return ways[fast_predictor_of(target.config)];
}

/* ---- Accesses -------------------------------------------------------- */

/* As the table of lines or pages does not show it, or for a change. */
static SIM_NOINLINE void
leave_over(u32 what, u64 va, const struct block_access *a)
{
	core.access(&core, what, va, a);
	if (SIM_UNLIKELY(core.indirect))
		core_look(&core, a);
}

SIM_INLINE void
access_plain(u32 what, u64 va, const struct block_access *a)
{
	u64 way = SHADOW_WAY(va, core.shadow[SHADOW_INDEX(va)]);
	u64 slot = shown_slot(&core.dtlb, va >> SHADOW_PAGE_BITS);
	bool line = way <= SHADOW_LAST(what >> 1);
	bool page = slot <= SHADOW_PAGE_SLOTS;
	u32 clock = (u32)core.now - a->clock_back;
	unshown_fn *fn = core.unshown[what & 1];

	if (page && !line && fn)
		fn(&core, what, va, a, (u32)slot, clock);
	else if (page == line && page)
		fast_data_hit(&core, &(struct fast_place){way, slot}, clock,
			      what & 1, false);
	else if (page || !core.direct)
		leave_over(what, va, a);
	else if (line)
		access_shown(&core, what, va, a, (u16)way, clock);
	else
		access_unknown(&core, what, va, a, clock);
}

/* A store on a machine that tells the level behind of it. */
static void
access_changing(u32 what, u64 va, const struct block_access *a)
{
	u64 known = core.sig[SIG_DCACHE_CHANGED];
	struct fast_place at;

	if (!fast_data_shown(&core, va,
			     (unsigned)__builtin_ctz(what >> 1), &at)) {
		leave_over(what, va, a);
		return;
	}
	fast_data_hit(&core, &at, (u32)core.now - a->clock_back, true, true);
	if (core.sig[SIG_DCACHE_CHANGED] != known)
		core_look(&core, a);
}

/* A store to a cache that is written through. */
static void
access_through(u32 what, u64 va, const struct block_access *a)
{
	u64 t = core_cycle(&core) - a->cycles_back;
	u32 clock = (u32)core.now - a->clock_back;
	unshown_fn *fn = core.unshown[1];
	struct fast_place at;
	bool shown = fast_data_shown(&core, va,
				     (unsigned)__builtin_ctz(what >> 1), &at);

	if (!shown && at.way > SHADOW_LAST(what >> 1) &&
	    at.slot <= SHADOW_PAGE_SLOTS && fn) {
		fn(&core, what, va, a, (u32)at.slot, clock);
	} else if (!shown || !fast_through(&core, &at, clock, t)) {
		leave_over(what, va, a);
	} else {
		near_put(&core, va, t, a);
		if (core.indirect &&
		    (core.profiler || core.now >= core.deadline))
			core_look(&core, a);
	}
}

static void
access_aligned(u32 what, u64 va, const struct block_access *a)
{
	bool store = what & 1;

	if (core.stores && stores_pass(&core, a, va, what >> 1, store))
		leave_over(what, va, a);
	else if (store && target.config->l1d.write_through)
		access_through(what, va, a);
	else if (store && core.tells)
		access_changing(what, va, a);
	else
		access_plain(what, va, a);
}

static void
access_any(u32 what, u64 va, const struct block_access *a)
{
	bool store = what & 1;

	if (target.config->pipe.watch_alignment) {
		if (va & ((what >> 1) - 1)) {
			core_misaligned(&core, a, store);
			core_look(&core, a);
		}
		if (store && core_may_order(&core, a)) {
			core_order(&core, a, va);
			core_look(&core, a);
		}
	}
	access_aligned(what, va, a);
}

static void
access_banked(const struct code_access *x, u64 va)
{
	if (x->flags & CODE_BANK)
		core_bank(&core, x->a, va);
	access_any(x->what, va, x->a);
}

static void
access_mmx(const struct code_access *x, u64 va)
{
	struct mmx_look before = mmx_look(&core);

	access_banked(x, va);
	mmx_count(&core, &before);
}

/* One that its block has not counted. */
static void
access_dynamic(const struct code_access *x, u64 va)
{
	core.now++;
	access_any(x->what, va, x->a);
	count_access(&core, x->what & 1);
	if (core.profiler || core.sampler)
		core_look(&core, x->a);
}

/* Of a thread that takes turns.  Where contexts share a pipeline, a barrier is
 * known from its block. */
static void
access_recorded(const struct code_access *x, u64 va)
{
	turns_tell(threads_number);
	if (!(x->flags & CODE_BARRIER))
		turns_access(threads_number, x->a, va, x->what >> 1,
			     x->what & 1);
	else if (!contexts_share(target.config))
		turns_access(threads_number, x->a, 0, 0, false);
}

static void
access_one(const struct code_access *x, u64 va)
{
	if (SIM_UNLIKELY(core.recording)) {
		access_recorded(x, va);
	} else if (x->flags & CODE_BARRIER) {
		core_barrier(&core, x->a);
		core_look(&core, x->a);
	} else if (x->flags & CODE_DYNAMIC) {
		access_dynamic(x, va);
	} else if (x->flags & CODE_MMX) {
		access_mmx(x, va);
	} else {
		access_banked(x, va);
	}
}

static void
access(u64 number, u64 va, u64 value)
{
	const struct code_access *x = code_access(number);

	if (SIM_UNLIKELY(x->flags & CODE_FURTHER))
		va += gather_further(x->further, value);
	if (SIM_LIKELY(!(x->flags & CODE_GATHER))) {
		access_one(x, va);
		return;
	}
	gather_look();
	for (unsigned i = 0; i < x->gather.n; i++)
		if (gather_loads(&x->gather, i))
			access_one(x, va + gather_place(&x->gather, i));
}

/* One that emitted code has looked for in vain. */
static void
missed(const struct block_access *a, u32 what, u64 va)
{
	access_plain(what, va, a);
}

/* What access_shown() does, if nothing is out of the ordinary: the line is
 * shown. */
static HOST_KEEPS bool
page_known(const struct block_access *a, u32 what, u64 va)
{
	u64 way = SHADOW_WAY(va, core.shadow[SHADOW_INDEX(va)]);
	u32 clock = (u32)core.now - a->clock_back;
	int page;

	if (!core.direct || core.n_pending)
		return false;
	page = tlb_miss_known(&core, &core.dtlb, va, clock);
	if (page == PAGE_UNUSUAL)
		return false;
	if (page == PAGE_MISS) {
		core.sig[SIG_ALU_DTLB] += core.config->pipe.dtlb_replay;
		core.now += CYCLES(core.config->pipe.dtlb_replay);
	}
	core.data_stamp[(u16)way] = clock;
	if (what & 1)
		core.data_dirty[(u16)way] = 1;
	return true;
}

/* The same where more is to be asked of each access. */
static void
missed_any(const struct block_access *a, u32 what, u64 va)
{
	if (a->flags & ACCESS_BANK)
		core_bank(&core, a, va);
	access_any(what, va, a);
}

/* ---- Turns ------------------------------------------------------------- */

static bool
turn_goes_on(struct block *t)
{
	return !core.calls && !procedures_wanted() &&
	       turns_block_now(threads_number, t);
}

/* A block of a thread that takes turns: leaves to the engine if it may have to
 * wait for the next one, or the calls that lead there are asked for.  Or one that is
 * not modelled: if the model goes on with it. */
static void
record(struct code_block *t)
{
	bool skips = core.skipping && !core.recording;

	if (skips ? periods_skip(t->block) : turn_goes_on(t->block)) {
		if (t->block->marked)
			turns_marked(threads_number, t->block);
		host_state.next = t->body;
		return;
	}
	host_state.turn = t;
	host_state.exit = CODE_TURN;
	host_state.next = host_state.leave;
}

/* Enters a block behind a branch that the code has resolved, and that is no
 * conditional one. */
static void
behind(struct core *c, struct block *t, u64 cycles)
{
	if (target.timing) {
		core_enter_behind(c, t, cycles);
	} else {
		t->execs++;
		c->prev = t;
	}
	if (t->marked)
		note_marker(t);
}

/* ---- What the code calls ------------------------------------------------ */

const struct host_calls *
count_calls(void)
{
	static struct host_calls calls = {
		.access = access,
		.missed = missed,
		.page = page_known,
		.ask = calls_ask,
		.record = record,
		.behind = behind,
	};
	const struct sim_config *config = target.config;
	bool asks = config->pipe.watch_alignment ||
		    config->pipe.issue.banks > 1 || core.stores || core.tells;

	if (asks || config->l1d.write_through)
		calls.missed = missed_any;
	if (asks)
		calls.page = NULL;
	return &calls;
}
