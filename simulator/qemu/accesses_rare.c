/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Callbacks of what few instructions do. */
#include "accesses_internal.h"

#include "core/mmx.h"
#include "turns/turns.h"

/* A store-conditional is one access, which a compare-and-swap announces as its
 * store or, where there are threads, once as both. */
static void
on_conditional(unsigned vcpu, u32 info, u64 va, void *data)
{
	if (api_mem_is_store(info))
		on_any(vcpu, info, va, data);
}

const struct access_callback callback_conditional = {on_conditional, NULL};

/*
 * A load or a store of a part of a word (lwl, swr) is one access, of which QEMU
 * announces several, a store byte by byte: the first one of each execution stands
 * for all.
 */
static __thread bool parts_begin;

bool
callback_has_parts(const struct insn *in)
{
	return (in->n_store == 1 || (!target_is_x86() && in->n_load == 1)) &&
	       !(in->flags & (INSN_MEM_KNOWN | INSN_IS_SC));
}

void
callback_parts_begin(unsigned vcpu, void *data)
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
	if (begin && (!target.system || plugin_counts(access_of(data))))
		on_any(vcpu, info, va, data);
}

const struct access_callback callback_part = {on_parts, NULL};

/* One of a pair that may want the same bank. */
static void
on_banked(unsigned vcpu, u32 info, u64 va, void *data)
{
	if (!core.recording)
		core_bank(&core, access_of(data), va);
	on_any(vcpu, info, va, data);
}

CALLBACK_LAST(on_banked)
const struct access_callback callback_banked = {on_banked, on_banked_last};

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

const struct access_callback callback_locked = {on_locked, NULL};

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

CALLBACK_LAST(on_mmx)
const struct access_callback callback_mmx = {on_mmx, on_mmx_last};

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

const struct access_callback callback_dynamic = {on_dynamic, on_dynamic_last};

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

const struct access_callback callback_system = {on_system, NULL};

static void
on_system_dynamic(unsigned vcpu, u32 info, u64 va, void *data)
{
	if (plugin_counts(access_of(data)))
		on_dynamic(vcpu, info, va, data);
}

const struct access_callback callback_system_dynamic = {
	on_system_dynamic, NULL};
