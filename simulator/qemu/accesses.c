/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Callbacks of accesses, by what is to be done for each. */
#include "plugin.h"

#include "../fast.h"
#include "../mmx.h"
#include "../near.h"
#include "../profile.h"
#include "turns.h"

/*
 * A callback is given its access with clock_back above the address, so that a
 * hit looks nothing up: accesses of large programs are in no cache of the
 * host's that is near.
 */
#define CLOCK_BACK_SHIFT 48

void *
access_data(const struct block_access *a)
{
	return (void *)((uintptr_t)a |
			(uintptr_t)a->clock_back << CLOCK_BACK_SHIFT);
}

SIM_INLINE const struct block_access *
access_of(const void *data)
{
	unsigned unused = 64 - CLOCK_BACK_SHIFT;

	return (const void *)((uintptr_t)data << unused >> unused);
}

static void
look(const struct block_access *a)
{
	core_look(&core, a);
}

void
plugin_count_at(const struct block_access *a, unsigned signal)
{
	core.sig[signal]++;
	look(a);
}

/* An access that somebody else wants to know of, or does. */
static SIM_NOINLINE void
indirect_access(unsigned vcpu, u32 what, u64 va, const void *data)
{
	const struct block_access *a = access_of(data);
	unsigned bytes = what >> 1;
	bool store = what & 1;

	if (core.recording) {
		turns_access(vcpu, a, va, bytes, store);
		return;
	}
	core_data(&core, a, va, bytes, store);
	look(a);
}

/* The same where a sampler is told at its deadline only. */
static SIM_NOINLINE void
sampled_access(u32 what, u64 va, const void *data)
{
	const struct block_access *a = access_of(data);

	core.access(&core, what, va, a);
	if (SIM_UNLIKELY(core.now >= core.deadline))
		look(a);
}

static SIM_NOINLINE void
other_access(unsigned vcpu, u32 what, u64 va, const void *data)
{
	if (core.recording || core.profiler)
		indirect_access(vcpu, what, va, data);
	else
		sampled_access(what, va, data);
}

static SIM_NOINLINE void
slow_access(unsigned vcpu, u32 what, u64 va, const void *data)
{
	if (SIM_LIKELY(!core.indirect))
		core.access(&core, what, va, access_of(data));
	else
		other_access(vcpu, what, va, data);
}

/* The time of an access. */
SIM_INLINE u32
clock_of(const void *data)
{
	return (u32)core.now -
	       (u32)((uintptr_t)data >> CLOCK_BACK_SHIFT);
}

/* The table shows its line, but not its page. */
static SIM_NOINLINE void
page_access(unsigned vcpu, u32 what, u64 va, const void *data, u32 slot)
{
	if (SIM_LIKELY(core.direct))
		access_shown(&core, what, va, access_of(data), slot,
			     clock_of(data));
	else
		slow_access(vcpu, what, va, data);
}

/* It shows its page, but not its line. */
static SIM_NOINLINE void
line_access(unsigned vcpu, u32 what, u64 va, const void *data, u32 page)
{
	if (SIM_LIKELY(core.direct))
		access_unshown(&core, what, va, access_of(data), page,
			       clock_of(data));
	else
		slow_access(vcpu, what, va, data);
}

/* It shows neither. */
static SIM_NOINLINE void
unknown_access(unsigned vcpu, u32 what, u64 va, const void *data)
{
	if (SIM_LIKELY(core.direct))
		access_unknown(&core, what, va, access_of(data),
			       clock_of(data));
	else
		slow_access(vcpu, what, va, data);
}

SIM_INLINE void
on_access(unsigned vcpu, const void *data, u64 va, unsigned size_log2,
	  bool store)
{
	u32 what = ACCESS_WHAT(1u << size_log2, store);
	struct fast_place at;

	if (SIM_LIKELY(fast_data_shown(&core, va, size_log2, &at)))
		fast_data_hit(&core, &at, clock_of(data), store, false);
	else if (at.way <= SHADOW_LAST(1u << size_log2))
		page_access(vcpu, what, va, data, (u16)at.way);
	else if (at.slot <= SHADOW_PAGE_SLOTS)
		line_access(vcpu, what, va, data, (u32)at.slot);
	else
		unknown_access(vcpu, what, va, data);
}

/* The same on a machine that counts stores which find their line
 * unchanged. */
static SIM_NOINLINE void
on_changing(unsigned vcpu, const void *data, u64 va, unsigned size_log2)
{
	u64 known = core.sig[SIG_DCACHE_CHANGED];
	struct fast_place at;

	if (SIM_UNLIKELY(!fast_data_shown(&core, va, size_log2, &at))) {
		slow_access(vcpu, ACCESS_WHAT(1u << size_log2, true), va,
			    data);
		return;
	}
	fast_data_hit(&core, &at, clock_of(data), true, true);
	if (core.sig[SIG_DCACHE_CHANGED] != known)
		look(access_of(data));
}

/* The same of whatever kind. */
SIM_INLINE void
on_some(unsigned vcpu, const void *data, u64 va, unsigned size_log2,
	bool store)
{
	if (store && plugin.changes)
		on_changing(vcpu, data, va, size_log2);
	else
		on_access(vcpu, data, va, size_log2, store);
}

/* Where nothing is modelled: only that it happened matters (turns_step.c). */
static void
on_access_count(unsigned vcpu, u32 info, u64 va, void *data)
{
	if (core.recording)
		turns_access(vcpu, access_of(data), va,
			     1u << api_mem_size_log2(info),
			     api_mem_is_store(info));
}

static SIM_NOINLINE void
misaligned_access(const struct block_access *a, bool store)
{
	if (core.recording)
		return;
	core_misaligned(&core, a, store);
	look(a);
}

/* A store that may hit behind some that have not. */
static SIM_NOINLINE void
ordered_store(const struct block_access *a, u64 va)
{
	if (core.recording)
		return;
	core_order(&core, a, va);
	look(a);
}

/* What a machine looks at besides; the last two may be all of it. */
enum access_extra { ACCESS_PLAIN, ACCESS_ALIGN, ACCESS_BANKED,
		    ACCESS_ORDERED };

/* ACCESS_ORDERED, which not all that come here have to be. */
SIM_INLINE bool
is_banked(const struct block_access *a)
{
	return a->flags & ACCESS_BANK;
}

/* An access of that extra, with something to do besides. */
SIM_INLINE bool
is_odd(const void *data, u64 va, unsigned size_log2, bool store,
       enum access_extra extra)
{
	const struct block_access *a = access_of(data);

	if (extra == ACCESS_PLAIN)
		return false;
	if (va & ((1u << size_log2) - 1))
		return true;
	if (extra == ACCESS_ORDERED && store && core_may_order(&core, a))
		return true;
	return (extra == ACCESS_BANKED ||
		(extra == ACCESS_ORDERED && is_banked(a))) &&
	       !core.recording && !fast_bank(&core, a, va);
}

static SIM_NOINLINE void
odd_access(unsigned vcpu, u32 what, u64 va, const void *data)
{
	const struct block_access *a = access_of(data);
	unsigned size_log2 = (unsigned)__builtin_ctz(what >> 1);
	bool store = what & 1;

	if (is_banked(a) && !core.recording)
		core_bank(&core, a, va);
	if (va & ((1u << size_log2) - 1))
		misaligned_access(a, store);
	if (store && plugin.config->mem.ordered && core_may_order(&core, a))
		ordered_store(a, va);
	on_access(vcpu, data, va, size_log2, store);
}

/* All calls are the last thing, so that no registers need to be kept. */
#define ON_ACCESS(name, size_log2, store, extra)                             \
	static void name(unsigned vcpu, u32 info, u64 va, void *data)        \
	{                                                                    \
		(void)info;                                                  \
		if (SIM_UNLIKELY(is_odd(data, va, size_log2, store, extra))) \
			odd_access(vcpu, ACCESS_WHAT(1u << (size_log2),      \
						     store), va, data);      \
		else                                                         \
			on_access(vcpu, data, va, size_log2, store);         \
	}
#define ON_ACCESSES(name, extra)                                             \
	ON_ACCESS(name##_load_1, 0, false, extra)                            \
	ON_ACCESS(name##_load_2, 1, false, extra)                            \
	ON_ACCESS(name##_load_4, 2, false, extra)                            \
	ON_ACCESS(name##_load_8, 3, false, extra)                            \
	ON_STORES(name, extra)
#define ON_STORES(name, extra)                                               \
	ON_ACCESS(name##_store_1, 0, true, extra)                            \
	ON_ACCESS(name##_store_2, 1, true, extra)                            \
	ON_ACCESS(name##_store_4, 2, true, extra)                            \
	ON_ACCESS(name##_store_8, 3, true, extra)
#define ACCESSES_OF(name)                                                    \
	{{name##_load_1, name##_load_2, name##_load_4, name##_load_8},       \
	 {name##_store_1, name##_store_2, name##_store_4, name##_store_8}}

ON_ACCESSES(on_plain, ACCESS_PLAIN)
ON_ACCESSES(on_align, ACCESS_ALIGN)
ON_ACCESSES(on_bank, ACCESS_BANKED)
ON_STORES(on_order, ACCESS_ORDERED)

/* [enum access_extra][stores][size_log2] */
static api_access_fn *const on_known[4][2][4] = {
	ACCESSES_OF(on_plain),
	ACCESSES_OF(on_align),
	ACCESSES_OF(on_bank),
	{{NULL}, {on_order_store_1, on_order_store_2, on_order_store_4,
		  on_order_store_8}},
};

/* A load and a store of one instruction: which of them, the information word
 * says. */
#define ON_BOTH(size_log2)                                                   \
	static void on_both_##size_log2(unsigned vcpu, u32 info, u64 va,     \
					void *data)                          \
	{                                                                    \
		on_access(vcpu, data, va, size_log2,                         \
			  api_mem_is_store(info));                           \
	}
ON_BOTH(0)
ON_BOTH(1)
ON_BOTH(2)
ON_BOTH(3)

/* [size_log2] */
static api_access_fn *const on_both[4] = {
	on_both_0, on_both_1, on_both_2, on_both_3,
};

/* The information word says which way and how many bytes. */
static void
on_either(unsigned vcpu, u32 info, u64 va, void *data)
{
	on_some(vcpu, data, va, api_mem_size_log2(info),
		api_mem_is_store(info));
}

/* Where somebody wants to know of it. */
static SIM_NOINLINE void
indirect_put(u64 va, u64 t, const struct block_access *a)
{
	near_put(&core, va, t, a);
	look(a);
}

/* A store to a write-through cache is never done with the cache alone. */
SIM_INLINE void
on_through(unsigned vcpu, const void *data, u64 va, unsigned size_log2)
{
	const struct block_access *a = access_of(data);
	u64 t = core_cycle(&core) - a->cycles_back;

	if (!fast_through(&core, va, size_log2, clock_of(data), t))
		slow_access(vcpu, ACCESS_WHAT(1u << size_log2, true), va,
			    data);
	else if (SIM_UNLIKELY(core.indirect) &&
		 (core.profiler || core.now >= core.deadline))
		indirect_put(va, t, a);
	else
		near_put(&core, va, t, a);
}

static void
on_write_through(unsigned vcpu, u32 info, u64 va, void *data)
{
	if (api_mem_is_store(info))
		on_through(vcpu, data, va, api_mem_size_log2(info));
	else
		on_access(vcpu, data, va, api_mem_size_log2(info), false);
}

/* On a machine that cares about alignment. */
static void
on_watched(unsigned vcpu, u32 info, u64 va, void *data)
{
	unsigned size_log2 = api_mem_size_log2(info);
	bool store = api_mem_is_store(info);

	if (va & ((1ull << size_log2) - 1))
		misaligned_access(access_of(data), store);
	if (store && core_may_order(&core, access_of(data)))
		ordered_store(access_of(data), va);
	if (store && plugin.config->l1d.write_through)
		on_write_through(vcpu, info, va, data);
	else
		on_some(vcpu, data, va, size_log2, store);
}

/* Stores to a write-through cache whose size is known; on a machine that cares
 * about alignment, as well. */
#define ON_THROUGH(name, size_log2, align)                                    \
	static void name(unsigned vcpu, u32 info, u64 va, void *data)         \
	{                                                                     \
		if (align && SIM_UNLIKELY(va & ((1u << (size_log2)) - 1)))    \
			on_watched(vcpu, info, va, data);                     \
		else                                                          \
			on_through(vcpu, data, va, size_log2);                \
	}
#define ON_THROUGHS(name, align)         \
	ON_THROUGH(name##_1, 0, align)   \
	ON_THROUGH(name##_2, 1, align)   \
	ON_THROUGH(name##_4, 2, align)   \
	ON_THROUGH(name##_8, 3, align)
#define THROUGHS_OF(name) {name##_1, name##_2, name##_4, name##_8}

ON_THROUGHS(on_through_any, false)
ON_THROUGHS(on_through_align, true)

/* [align][size_log2] */
static api_access_fn *const on_through_known[2][4] = {
	THROUGHS_OF(on_through_any), THROUGHS_OF(on_through_align),
};

/* Whatever it is, on whatever machine. */
static void
on_any(unsigned vcpu, u32 info, u64 va, void *data)
{
	if (plugin.config->pipe.watch_alignment)
		on_watched(vcpu, info, va, data);
	else if (plugin.config->l1d.write_through)
		on_write_through(vcpu, info, va, data);
	else
		on_either(vcpu, info, va, data);
}

/* A store-conditional is one access, which a compare-and-swap announces as its
 * store or, where there are threads, once as both. */
static void
on_conditional(unsigned vcpu, u32 info, u64 va, void *data)
{
	if (api_mem_is_store(info))
		on_any(vcpu, info, va, data);
}

/*
 * A store of a part of a word (swl, swr) is one access, which QEMU announces
 * byte by byte: the first one of each execution stands for all.
 */
static __thread bool parts_begin;

bool
callback_has_parts(const struct insn *in)
{
	return in->n_store == 1 &&
	       !(in->flags & (INSN_MEM_KNOWN | INSN_IS_SC));
}

void
callback_parts(unsigned vcpu, void *data)
{
	(void)vcpu;
	(void)data;
	parts_begin = true;
}

static void
on_parts(unsigned vcpu, u32 info, u64 va, void *data)
{
	bool begin = parts_begin;

	parts_begin = false;
	if (begin && (!plugin.system || plugin_counts(access_of(data))))
		on_any(vcpu, info, va, data);
}

/* One of a pair that may want the same bank. */
static void
on_banked(unsigned vcpu, u32 info, u64 va, void *data)
{
	if (!core.recording)
		core_bank(&core, access_of(data), va);
	on_any(vcpu, info, va, data);
}

/* The load or the store of a locked instruction. */
static void
locked_half(unsigned vcpu, u32 info, u64 va, void *data)
{
	if (access_of(data)->flags & ACCESS_BANK)
		on_banked(vcpu, info, va, data);
	else
		on_any(vcpu, info, va, data);
}

/*
 * A locked instruction loads once and stores once, which may be announced as
 * one access; for neg, one that only loads comes first then.
 */
static void
on_locked(unsigned vcpu, u32 info, u64 va, void *data)
{
	static __thread const void *loaded; /* and has not stored yet */
	bool stores = api_mem_is_store(info);

	if ((!stores || api_mem_is_both(info)) && loaded != data)
		locked_half(vcpu, api_mem_half(info, false), va, data);
	loaded = stores ? NULL : data;
	if (stores)
		locked_half(vcpu, api_mem_half(info, true), va, data);
}

/* One of an MMX instruction whose misses are told apart. */
static void
on_mmx(unsigned vcpu, u32 info, u64 va, void *data)
{
	const struct block_access *a = access_of(data);
	api_access_fn *fn = a->flags & ACCESS_BANK ? on_banked : on_any;
	struct mmx_look before;

	if (core.recording) {
		fn(vcpu, info, va, data);
		return;
	}
	before = mmx_look(&core);
	fn(vcpu, info, va, data);
	mmx_count(&core, &before);
}

/* An access that the block has not counted: a tick and a count of its own. */
static void
dynamic_access(unsigned vcpu, u32 info, u64 va, void *data)
{
	if (core.recording) {
		on_any(vcpu, info, va, data);
		return;
	}
	core.now++;
	on_any(vcpu, info, va, data);
	/* Not before: a window that comes this far looks at what is new. */
	count_access(&core, api_mem_is_store(info));
	if (SIM_UNLIKELY(core.profiler || core.sampler))
		look(access_of(data));
}

/* One half of an atomic one: sixteen bytes are two accesses, as they are where
 * there are no threads. */
static void
dynamic_half(unsigned vcpu, u32 info, u64 va, void *data)
{
	if (api_mem_size_log2(info) < 4) {
		dynamic_access(vcpu, info, va, data);
		return;
	}
	info = api_mem_of_8(info);
	dynamic_access(vcpu, info, va, data);
	dynamic_access(vcpu, info, va + 8, data);
}

static void
on_dynamic(unsigned vcpu, u32 info, u64 va, void *data)
{
	if (SIM_LIKELY(!api_mem_is_both(info))) {
		dynamic_access(vcpu, info, va, data);
		return;
	}
	dynamic_half(vcpu, api_mem_half(info, false), va, data);
	dynamic_half(vcpu, api_mem_half(info, true), va, data);
}

/*
 * In a system, where not everything is counted.  An instruction that was told
 * to access no memory, but does so in QEMU (a segment register that is loaded
 * from its table), is given the access of one before it, of another block.
 */
bool
plugin_counts(const void *access)
{
	const struct block_access *a = access;

	return a >= plugin.access && a < plugin.access + plugin.n_access;
}

static void
on_system(unsigned vcpu, u32 info, u64 va, void *data)
{
	if (plugin_counts(access_of(data)))
		on_any(vcpu, info, va, data);
}

static void
on_system_dynamic(unsigned vcpu, u32 info, u64 va, void *data)
{
	if (plugin_counts(access_of(data)))
		on_dynamic(vcpu, info, va, data);
}

/*
 * Behind the last instruction of a block QEMU 7.2 goes on to report what its
 * own code does with the target's memory as accesses of that instruction: it
 * saves x86's floating-point registers when a signal calls a handler.  So of
 * an instruction whose accesses translated code makes, those that QEMU makes
 * are dropped; of one whose accesses QEMU makes, those in another block.
 */
#define LAST(fn)                                                            \
	static void fn##_last(unsigned vcpu, u32 info, u64 va, void *data)  \
	{                                                                   \
		if (SIM_LIKELY(!api_by_qemu(__builtin_return_address(0))))  \
			fn(vcpu, info, va, data);                           \
	}
#define LAST_PAIR(fn) {fn, fn##_last},
#define SIZES(X, name) X(name##_1) X(name##_2) X(name##_4) X(name##_8)
#define LASTS(X)                                                  \
	SIZES(X, on_plain_load) SIZES(X, on_plain_store)          \
	SIZES(X, on_align_load) SIZES(X, on_align_store)          \
	SIZES(X, on_bank_load) SIZES(X, on_bank_store)            \
	SIZES(X, on_order_store)                                  \
	SIZES(X, on_through_any) SIZES(X, on_through_align)       \
	X(on_both_0) X(on_both_1) X(on_both_2) X(on_both_3)       \
	X(on_either) X(on_write_through) X(on_watched) X(on_banked) \
	X(on_mmx)

LASTS(LAST)

/* Whether translated code makes the accesses of x86's instruction. */
static bool
is_translated(const struct insn *in)
{
	return in->flags & INSN_MEM_KNOWN &&
	       !(in->flags & (INSN_IS_LOCKED | INSN_IS_X87));
}

static bool
is_here(unsigned vcpu, const struct block_access *a)
{
	const struct block *b = core.recording ? turns_in(vcpu) : core.prev;

	return !b || (a >= block_access(b->detail) &&
		      a < block_access(b->detail) + b->detail->n_access);
}

static void
on_dynamic_last(unsigned vcpu, u32 info, u64 va, void *data)
{
	if (is_here(vcpu, access_of(data)))
		on_dynamic(vcpu, info, va, data);
}

static api_access_fn *
last_of(api_access_fn *fn)
{
	static api_access_fn *const last[][2] = {
		LASTS(LAST_PAIR)
		LAST_PAIR(on_dynamic)
	};

	for (size_t i = 0; i < sizeof last / sizeof *last; i++)
		if (last[i][0] == fn)
			return last[i][1];
	return fn;
}

static api_access_fn *
callback_of(const struct insn *in, const struct block_access *a)
{
	const struct sim_config *config = plugin.config;
	bool align = config->pipe.watch_alignment;
	bool through = in->n_store && config->l1d.write_through;
	bool changes = in->n_store && plugin.changes;
	bool sized = in->flags & INSN_MEM_KNOWN && in->size_log2 <= 3;
	bool both = in->n_load && in->n_store, known = sized && !both;
	enum access_extra extra = !align ? ACCESS_PLAIN
				  : a->flags & ACCESS_BANK ? ACCESS_BANKED
							   : ACCESS_ALIGN;

	if (!plugin.timing)
		return on_access_count;
	if (callback_has_parts(in))
		return on_parts;
	if (plugin.system)
		return in->n_load + in->n_store ? on_system
						: on_system_dynamic;
	if (in->n_load + in->n_store == 0)
		return on_dynamic;
	if (in->flags & INSN_IS_LOCKED)
		return on_locked;
	if (in->flags & INSN_IS_SC)
		return on_conditional;
	if (a->flags & ACCESS_IS_MMX && !core.window)
		return on_mmx;
	if (a->flags & ACCESS_BANK &&
	    (through || changes || !known || !align))
		return on_banked;
	if (through && known && !config->mem.ordered)
		return on_through_known[align][in->size_log2];
	if (sized && both && !align && !through && !changes)
		return on_both[in->size_log2];
	if (through || changes || !known)
		return align ? on_watched : through ? on_write_through
						    : on_either;
	if (align && in->n_store && config->mem.ordered)
		extra = ACCESS_ORDERED;
	return on_known[extra][in->n_store != 0][in->size_log2];
}

api_access_fn *
callback_access(const struct insn *in, const struct block_access *a, bool last)
{
	api_access_fn *fn = callback_of(in, a);
	bool x86 = plugin.isa == ISA_X86_64 || plugin.isa == ISA_I386;

	if (!last || !x86 || (fn != on_dynamic && !is_translated(in)))
		return fn;
	return last_of(fn);
}

/* Where contexts share a pipeline, it is known from its block. */
void
callback_barrier(unsigned vcpu, void *access)
{
	if (core.recording && plugin.config->topo.tcs == 1)
		turns_access(vcpu, access, 0, 0, false);
	if (core.recording)
		return;
	if (plugin.system && !plugin_counts(access))
		return;
	core_barrier(&core, access);
	look(access);
}
