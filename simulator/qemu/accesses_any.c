/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Callbacks of accesses that are of any size or direction. */
#include "accesses_internal.h"

/* A store on a machine that tells the level behind of it. */
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

SIM_INLINE void
on_some(unsigned vcpu, const void *data, u64 va, unsigned size_log2,
	bool store)
{
	if (core.stores && looked_forward(vcpu, data, va, size_log2, store))
		return;
	if (store && core.tells)
		on_changing(vcpu, data, va, size_log2);
	else
		on_access(vcpu, data, va, size_log2, store);
}

static void
on_either(unsigned vcpu, u32 info, u64 va, void *data)
{
	on_some(vcpu, data, va, api_mem_size_log2(info),
		api_mem_is_store(info));
}

CALLBACK_LAST(on_either)
const struct access_callback callback_either = {on_either, on_either_last};

static void
on_write_through(unsigned vcpu, u32 info, u64 va, void *data)
{
	unsigned size_log2 = api_mem_size_log2(info);
	bool store = api_mem_is_store(info);

	if (core.stores && looked_forward(vcpu, data, va, size_log2, store))
		return;
	if (store)
		on_through(vcpu, data, va, size_log2);
	else
		on_access(vcpu, data, va, size_log2, false);
}

CALLBACK_LAST(on_write_through)
const struct access_callback callback_write_through = {
	on_write_through, on_write_through_last};

void
on_watched(unsigned vcpu, u32 info, u64 va, void *data)
{
	unsigned size_log2 = api_mem_size_log2(info);
	bool store = api_mem_is_store(info);

	if (va & ((1ull << size_log2) - 1))
		misaligned_access(access_of(data), store);
	if (store && core_may_order(&core, access_of(data)))
		ordered_store(access_of(data), va);
	if (store && target.config->l1d.write_through)
		on_write_through(vcpu, info, va, data);
	else
		on_some(vcpu, data, va, size_log2, store);
}

CALLBACK_LAST(on_watched)
const struct access_callback callback_watched = {on_watched, on_watched_last};

void
on_any(unsigned vcpu, u32 info, u64 va, void *data)
{
	if (target.config->pipe.watch_alignment)
		on_watched(vcpu, info, va, data);
	else if (target.config->l1d.write_through)
		on_write_through(vcpu, info, va, data);
	else
		on_either(vcpu, info, va, data);
}
