/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pfm(7): profiles, a count per so many instructions. */
#include "pfm_internal.h"

#include "machine/machine_internal.h"

#include <errno.h>
#include <string.h>

#define INSTRUCTION 4		/* bytes */
#define KERNEL_END 0xfffffe0000000000ull

static bool
is_valid(bool kernel, u64 start, u64 end)
{
	if (start >= end || start % INSTRUCTION || end % INSTRUCTION)
		return false;
	return !kernel || (start >= PFM_KERNEL_TEXT && end <= KERNEL_END);
}

/* Bytes per bucket; 0: the stride is no power of two. */
static u64
stride_bytes(u64 start, u64 end, u64 stride)
{
	if (!stride)
		return end - start;
	return stride & (stride - 1) ? 0 : stride * INSTRUCTION;
}

static unsigned
profiled_cpus(const struct machine *m)
{
	return m->pfm.mode == PFM_EACH ? m->config.topo.tcs : 1;
}

static int
set_range(struct machine_map *map, bool kernel, u64 start, u64 end, s64 stride)
{
	struct machine *m = map->m;
	struct pfm_machine *p = &m->pfm;
	u64 each = stride < 0 ? p->instructions : (u64)stride;
	u64 bytes = stride_bytes(start, end, each), n;

	if (!bytes)
		return -EINVAL;
	n = (end - start + bytes - 1) / bytes << p->pairs;
	if (n > PFM_BUCKETS / profiled_cpus(m))
		return -ENOMEM;
	p->kernel = kernel;
	p->user = !kernel;
	p->range = (struct pfm_range){start, end};
	p->instructions = each;
	p->stride = bytes;
	p->n_buckets = (u32)n;
	memset(p->bucket, 0, sizeof p->bucket);
	if (kernel)
		pfm_kernel_begin(map);
	return 0;
}

static int
add_range(struct pfm_machine *p, u64 start, u64 end)
{
	if (p->n_ranges == PFM_RANGES)
		return -ENOSPC;
	p->more[p->n_ranges++] = (struct pfm_range){start, end};
	return 0;
}

int
pfm_range(struct machine_map *map, bool kernel, u64 start, u64 end,
	  s64 stride)
{
	struct pfm_machine *p = &map->m->pfm;
	int error;

	if (!(p->items & PFM_ITEM_PROFILE) || (kernel && p->sampled))
		return -EINVAL;
	if (!is_valid(kernel, start, end))
		return -EFAULT;
	machine_lock(map);
	pfm_settle(map);
	error = kernel && p->caller ?
			add_range(p, start, end) :
			set_range(map, kernel, start, end, stride);
	pfm_restart(map);
	machine_unlock(map);
	return error;
}

int
pfm_caller(struct machine_map *map)
{
	if (!map->m->pfm.kernel)
		return -EINVAL;
	machine_lock(map);
	pfm_settle(map);
	map->m->pfm.caller = true;
	pfm_restart(map);
	machine_unlock(map);
	return 0;
}

u64
pfm_profile_bytes(const struct machine *m)
{
	return (u64)m->pfm.n_buckets * profiled_cpus(m) *
	       sizeof *m->pfm.bucket;
}

void
pfm_profile_settle(struct machine_map *map)
{
	machine_lock(map);
	pfm_settle(map);
	machine_unlock(map);
}

bool
pfm_is_profiled(const struct machine *m, unsigned slot)
{
	const struct pfm_machine *p = &m->pfm;

	return p->interrupts && p->user && p->n_buckets &&
	       (!p->selected || m->slot[slot].pfm.pme);
}

void
pfm_tick(struct machine *m, u64 pc, unsigned cpu, bool second, u64 n)
{
	struct pfm_machine *p = &m->pfm;
	u32 *bucket = p->bucket;
	u64 at;

	if (pc < p->range.start || pc >= p->range.end || !p->stride ||
	    (p->mode == PFM_ONE && cpu != p->cpu))
		return;
	at = ((pc - p->range.start) / p->stride << p->pairs) + second;
	if (at >= p->n_buckets)
		return;
	if (p->mode == PFM_EACH)
		bucket += (size_t)cpu * p->n_buckets;
	if (n > UINT32_MAX - bucket[at])
		n = UINT32_MAX - bucket[at];
	bucket[at] += (u32)n;
}
