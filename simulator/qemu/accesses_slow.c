/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Accesses that the tables do not show, or that are watched. */
#include "accesses_internal.h"

#include "turns/turns.h"

static SIM_NOINLINE void
record_access(unsigned vcpu, u32 what, u64 va, const void *data)
{
	turns_access(vcpu, access_of(data), va, what >> 1, what & 1);
}

/* An access that is watched. */
static SIM_NOINLINE void
indirect_access(u32 what, u64 va, const void *data)
{
	const struct block_access *a = access_of(data);

	core_data(&core, a, va, what >> 1, what & 1);
	look(a);
}

/* A sampler, if that is all, is told at its deadline only. */
SIM_INLINE void
look_when_due(const struct block_access *a)
{
	if (SIM_UNLIKELY(core.now >= core.deadline))
		look(a);
}

static SIM_NOINLINE void
sampled_access(u32 what, u64 va, const void *data)
{
	const struct block_access *a = access_of(data);

	core.access(&core, what, va, a);
	look_when_due(a);
}

static SIM_NOINLINE void
other_access(unsigned vcpu, u32 what, u64 va, const void *data)
{
	if (core.recording)
		record_access(vcpu, what, va, data);
	else if (core.profiler)
		indirect_access(what, va, data);
	else
		sampled_access(what, va, data);
}

SIM_NOINLINE void
slow_access(unsigned vcpu, u32 what, u64 va, const void *data)
{
	if (SIM_LIKELY(!core.indirect))
		core.access(&core, what, va, access_of(data));
	else
		other_access(vcpu, what, va, data);
}

SIM_NOINLINE void
page_access(unsigned vcpu, u32 what, u64 va, const void *data, u32 slot)
{
	if (SIM_LIKELY(core.direct))
		access_shown(&core, what, va, access_of(data), slot,
			     clock_of(data));
	else
		slow_access(vcpu, what, va, data);
}

static SIM_NOINLINE void
other_line(unsigned vcpu, u32 what, u64 va, const void *data, u32 page)
{
	unshown_fn *fn = core.sampled[what & 1];

	if (core.recording) {
		record_access(vcpu, what, va, data);
		return;
	}
	if (!fn) {
		slow_access(vcpu, what, va, data);
		return;
	}
	fn(&core, what, va, access_of(data), page, clock_of(data));
	look_when_due(access_of(data));
}

SIM_NOINLINE void
line_access(unsigned vcpu, u32 what, u64 va, const void *data, u32 page)
{
	unshown_fn *fn = core.unshown[what & 1];

	if (SIM_LIKELY(fn != NULL))
		fn(&core, what, va, access_of(data), page, clock_of(data));
	else
		other_line(vcpu, what, va, data, page);
}

SIM_NOINLINE void
unknown_access(unsigned vcpu, u32 what, u64 va, const void *data)
{
	if (SIM_LIKELY(core.direct))
		access_unknown(&core, what, va, access_of(data),
			       clock_of(data));
	else
		slow_access(vcpu, what, va, data);
}

SIM_NOINLINE void
misaligned_access(const struct block_access *a, bool store)
{
	if (core.recording)
		return;
	core_misaligned(&core, a, store);
	look(a);
}

SIM_NOINLINE void
ordered_store(const struct block_access *a, u64 va)
{
	if (core.recording)
		return;
	core_order(&core, a, va);
	look(a);
}

SIM_NOINLINE void
indirect_put(u64 va, u64 t, const struct block_access *a)
{
	near_put(&core, va, t, a);
	look(a);
}
