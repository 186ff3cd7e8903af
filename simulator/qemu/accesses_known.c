/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Callbacks of accesses whose size and direction are known: most. */
#include "accesses_internal.h"

/* Not all that come as ACCESS_ORDERED have to be. */
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

	if (extra == ACCESS_PLAIN || extra == ACCESS_FORWARD)
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
	if (store && target.config->mem.ordered && core_may_order(&core, a))
		ordered_store(a, va);
	if (core.stores)
		on_forward(vcpu, data, va, size_log2, store);
	else
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
		else if ((extra) >= ACCESS_FORWARD)                          \
			on_forward(vcpu, data, va, size_log2, store);        \
		else                                                         \
			on_access(vcpu, data, va, size_log2, store);         \
	}                                                                    \
	CALLBACK_LAST(name)

/* Stores to a write-through cache. */
#define ON_THROUGH(name, size_log2, align)                                   \
	static void name(unsigned vcpu, u32 info, u64 va, void *data)        \
	{                                                                    \
		if (align && SIM_UNLIKELY(va & ((1u << (size_log2)) - 1)))   \
			on_watched(vcpu, info, va, data);                    \
		else                                                         \
			on_through(vcpu, data, va, size_log2);               \
	}                                                                    \
	CALLBACK_LAST(name)

#define ALL_SIZES(ON, name, ...)                                             \
	ON(name##_1, 0, __VA_ARGS__)                                         \
	ON(name##_2, 1, __VA_ARGS__)                                         \
	ON(name##_4, 2, __VA_ARGS__)                                         \
	ON(name##_8, 3, __VA_ARGS__)

ALL_SIZES(ON_ACCESS, on_plain_load, false, ACCESS_PLAIN)
ALL_SIZES(ON_ACCESS, on_plain_store, true, ACCESS_PLAIN)
ALL_SIZES(ON_ACCESS, on_align_load, false, ACCESS_ALIGN)
ALL_SIZES(ON_ACCESS, on_align_store, true, ACCESS_ALIGN)
ALL_SIZES(ON_ACCESS, on_bank_load, false, ACCESS_BANKED)
ALL_SIZES(ON_ACCESS, on_bank_store, true, ACCESS_BANKED)
ALL_SIZES(ON_ACCESS, on_order_store, true, ACCESS_ORDERED)
ALL_SIZES(ON_ACCESS, on_forward_load, false, ACCESS_FORWARD)
ALL_SIZES(ON_ACCESS, on_forward_store, true, ACCESS_FORWARD)
ALL_SIZES(ON_ACCESS, on_forward_align_load, false, ACCESS_FORWARD_ALIGN)
ALL_SIZES(ON_ACCESS, on_forward_align_store, true, ACCESS_FORWARD_ALIGN)
/* Which of them it is, the information word says. */
ALL_SIZES(ON_ACCESS, on_both, api_mem_is_store(info), ACCESS_PLAIN)
ALL_SIZES(ON_THROUGH, on_through_any, false)
ALL_SIZES(ON_THROUGH, on_through_align, true)

#define CALLBACKS(name)                                                      \
	{{name##_1, name##_1_last}, {name##_2, name##_2_last},               \
	 {name##_4, name##_4_last}, {name##_8, name##_8_last}}

const struct access_callback callback_known[ACCESS_EXTRAS][2][4] = {
	{CALLBACKS(on_plain_load), CALLBACKS(on_plain_store)},
	{CALLBACKS(on_align_load), CALLBACKS(on_align_store)},
	{CALLBACKS(on_bank_load), CALLBACKS(on_bank_store)},
	{{{NULL, NULL}}, CALLBACKS(on_order_store)},
	{CALLBACKS(on_forward_load), CALLBACKS(on_forward_store)},
	{CALLBACKS(on_forward_align_load), CALLBACKS(on_forward_align_store)},
};

const struct access_callback callback_both[4] = CALLBACKS(on_both);

const struct access_callback callback_through[2][4] = {
	CALLBACKS(on_through_any), CALLBACKS(on_through_align),
};
