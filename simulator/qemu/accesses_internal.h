/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Callbacks of accesses: what their files have in common. */
#ifndef SIM_ACCESSES_INTERNAL_H
#define SIM_ACCESSES_INTERNAL_H

#include "plugin.h"

#include "core/fast.h"
#include "core/near.h"
#include "core/stores.h"
#include "watch/profile.h"

/*
 * A callback is given its access with clock_back above the address, so that a
 * hit looks nothing up: accesses of large programs are in no cache of the
 * host's that is near.
 */
#define CLOCK_BACK_SHIFT 48

SIM_INLINE const struct block_access *
access_of(const void *data)
{
	unsigned unused = 64 - CLOCK_BACK_SHIFT;

	return (const void *)((uintptr_t)data << unused >> unused);
}

/* The time of an access. */
SIM_INLINE u32
clock_of(const void *data)
{
	return (u32)core.now -
	       (u32)((uintptr_t)data >> CLOCK_BACK_SHIFT);
}

SIM_INLINE void
look(const struct block_access *a)
{
	core_look(&core, a);
}

/*
 * A callback, and the one for an x86's instruction that may be the last one of
 * a block.  Behind that, QEMU 7.2 goes on to report what its own code does with
 * the target's memory as accesses of that instruction: it saves x86's
 * floating-point registers when a signal calls a handler.  So of an instruction
 * whose accesses translated code makes, those that QEMU makes are dropped; of
 * one whose accesses QEMU makes, those in another block.
 */
struct access_callback {
	api_access_fn *fn;
	api_access_fn *last;	/* NULL: fn is for these, too */
};

/* The last one where translated code makes the accesses. */
#define CALLBACK_LAST(fn)                                                   \
	static void fn##_last(unsigned vcpu, u32 info, u64 va, void *data)  \
	{                                                                   \
		if (SIM_LIKELY(!api_by_qemu(__builtin_return_address(0))))  \
			fn(vcpu, info, va, data);                           \
	}

/* accesses_slow.c: the tables show its line, but not its page; */
void page_access(unsigned vcpu, u32 what, u64 va, const void *data, u32 slot);
/* its page, but not its line; */
void line_access(unsigned vcpu, u32 what, u64 va, const void *data, u32 page);
/* neither; */
void unknown_access(unsigned vcpu, u32 what, u64 va, const void *data);
/* the tables have not been asked, or it is watched or recorded. */
void slow_access(unsigned vcpu, u32 what, u64 va, const void *data);

/* A store to a write-through cache, which is watched. */
void indirect_put(u64 va, u64 t, const struct block_access *a);

/* An access that is not on a multiple of its size. */
void misaligned_access(const struct block_access *a, bool store);

/* A store that may hit behind some that have not. */
void ordered_store(const struct block_access *a, u64 va);

/*
 * accesses_known.c: size and direction are known.  What a machine looks at
 * besides; the last two may be all of it.
 */
enum access_extra { ACCESS_PLAIN, ACCESS_ALIGN, ACCESS_BANKED,
		    ACCESS_ORDERED,
		    /* On machines that forward (core.stores): */
		    ACCESS_FORWARD, ACCESS_FORWARD_ALIGN,
		    ACCESS_EXTRAS };

/* [enum access_extra][stores][size_log2]; loads are never ACCESS_ORDERED */
extern const struct access_callback callback_known[ACCESS_EXTRAS][2][4];

/* A load and a store of one instruction; [size_log2] */
extern const struct access_callback callback_both[4];

/* Stores to a write-through cache; [watch_alignment][size_log2] */
extern const struct access_callback callback_through[2][4];

/* accesses_any.c: the information word says which way and how many bytes; on a
 * machine that writes through, or cares about alignment, or on whatever. */
extern const struct access_callback callback_either, callback_write_through,
	callback_watched;
void on_watched(unsigned vcpu, u32 info, u64 va, void *data);
void on_any(unsigned vcpu, u32 info, u64 va, void *data);

/* accesses_rare.c */
extern const struct access_callback callback_conditional, callback_part,
	callback_banked, callback_locked, callback_mmx, callback_dynamic,
	callback_system, callback_system_dynamic;

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

/* On a machine that forwards: whether a load may have to wait for a store, and
 * has been looked at.  What is recorded is asked when it is executed. */
SIM_INLINE bool
looked_forward(unsigned vcpu, const void *data, u64 va, unsigned size_log2,
	       bool store)
{
	if (core.recording ||
	    !stores_pass(&core, access_of(data), va, 1u << size_log2, store))
		return false;
	slow_access(vcpu, ACCESS_WHAT(1u << size_log2, store), va, data);
	return true;
}

SIM_INLINE void
on_forward(unsigned vcpu, const void *data, u64 va, unsigned size_log2,
	   bool store)
{
	if (!looked_forward(vcpu, data, va, size_log2, store))
		on_access(vcpu, data, va, size_log2, store);
}

/* A store to a write-through cache is never done with the cache alone. */
SIM_INLINE void
on_through(unsigned vcpu, const void *data, u64 va, unsigned size_log2)
{
	const struct block_access *a = access_of(data);
	u32 what = ACCESS_WHAT(1u << size_log2, true);
	u64 t = core_cycle(&core) - a->cycles_back;
	struct fast_place at;
	bool shown = fast_data_shown(&core, va, size_log2, &at);

	if (!shown && at.way > SHADOW_LAST(1u << size_log2) &&
	    at.slot <= SHADOW_PAGE_SLOTS)
		line_access(vcpu, what, va, data, (u32)at.slot);
	else if (!shown || !fast_through(&core, &at, clock_of(data), t))
		slow_access(vcpu, what, va, data);
	else if (SIM_UNLIKELY(core.indirect) &&
		 (core.profiler || core.now >= core.deadline))
		indirect_put(va, t, a);
	else
		near_put(&core, va, t, a);
}

#endif
