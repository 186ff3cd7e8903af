/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Limits of memory that the target sets.  The kernel keeps them for the whole
 * process: to those of the address space and of data comes what the engine has of them,
 * and the stack, which is a mapping of its full size from the start, is cut.  As the
 * engine has room to grow then, the target's data is looked at here as well.
 */
#include "limits.h"

#include "native.h"

#include "target/guest_strings.h"
#include "target/host_maps.h"

#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ENGINE_STEP (64ull << 20)	/* its space is a multiple of that, and one
					   more to grow */

/* What RLIMIT_AS and RLIMIT_DATA count of the engine. */
static u64 own_space, own_data;

static bool data_is_limited;

static u64
with_room(unsigned long pages)
{
	return (pages * NATIVE_PAGE / ENGINE_STEP + 2) * ENGINE_STEP;
}

static s64
own_limit(u64 resource, const struct rlimit *new, struct rlimit *old)
{
	return host_kernel(SYS_prlimit64, 0, resource,
			   (u64)(uintptr_t)new, (u64)(uintptr_t)old);
}

static void
look_at_data(void)
{
	struct rlimit now;

	data_is_limited = !own_limit(RLIMIT_DATA, NULL, &now) &&
			  now.rlim_cur != RLIM_INFINITY;
}

void
limits_begin(void)
{
	FILE *f = fopen("/proc/self/statm", "re");
	unsigned long space = 0, data = 0;

	if (f) {
		if (fscanf(f, "%lu %*u %*u %*u %*u %lu", &space, &data) != 2)
			space = data = 0;
		fclose(f);
	}
	own_space = with_room(space);
	own_data = with_room(data);
	look_at_data();
}

static u64
with_engine(u64 limit, u64 own)
{
	return limit > RLIM_INFINITY - own ? RLIM_INFINITY : limit + own;
}

/* Less than what the engine has was set by no program under it. */
static u64
without_engine(u64 limit, u64 own)
{
	return limit == RLIM_INFINITY || limit < own ? limit : limit - own;
}

/* The target's memory that RLIMIT_DATA counts. */
static u64
data_bytes(void)
{
	struct host_maps all;
	u64 bytes = 0;

	if (host_maps_read(&all))
		for (size_t i = 0; i < all.n; i++) {
			const struct host_map *m = &all.list[i];

			if (m->writable && !m->written &&
			    space_is_target(m->start) &&
			    m->start != native.stack.first)
				bytes += m->end - m->start;
		}
	host_maps_free(&all);
	return bytes;
}

bool
limits_allow_data(u64 bytes)
{
	struct rlimit now;
	u64 limit, has;

	if (!data_is_limited || own_limit(RLIMIT_DATA, NULL, &now) ||
	    now.rlim_cur < own_data)
		return true;
	limit = without_engine(now.rlim_cur, own_data);
	has = data_bytes();
	return bytes <= limit && has <= limit - bytes;
}

/* What is below the limit cannot be accessed, unless the stack is there already. */
static void
cut_stack(u64 limit)
{
	u64 first = native.stack.first, end = native.stack.end, cut;
	u64 lowest = host_state.reg[HOST_RSP] & ~(NATIVE_PAGE - 1);

	cut = limit >= end - first ? first :
	      end - native_pages(limit);
	if (cut > lowest && lowest >= first && lowest < end)
		cut = lowest;
	guest_strings_unmapped();
	if (cut > first)
		mprotect((void *)(uintptr_t)first, cut - first, PROT_NONE);
	mprotect((void *)(uintptr_t)cut, end - cut, native.stack.prot);
}

void
limits_begin_stack(void)
{
	struct rlimit limit;

	if (!getrlimit(RLIMIT_STACK, &limit) &&
	    limit.rlim_cur < native.stack.end - native.stack.first)
		cut_stack(limit.rlim_cur);
}

/* A limit of what the engine has, too: so many bytes. */
static s64
limit_shared(const u64 arg[6], u64 own)
{
	struct rlimit new, old;
	s64 result;

	if (arg[2]) {
		if (guest_read(&new, arg[2], sizeof new))
			return -EFAULT;
		if (new.rlim_cur > new.rlim_max)
			return -EINVAL;
		new.rlim_cur = with_engine(new.rlim_cur, own);
		new.rlim_max = with_engine(new.rlim_max, own);
	}
	result = own_limit(arg[1], arg[2] ? &new : NULL, &old);
	look_at_data();
	if (result || !arg[3])
		return result;
	old.rlim_cur = without_engine(old.rlim_cur, own);
	old.rlim_max = without_engine(old.rlim_max, own);
	return guest_write(arg[3], &old, sizeof old) ? -EFAULT : 0;
}

static s64
limit_stack(const u64 arg[6])
{
	s64 result = host_kernel(SYS_prlimit64, 0, RLIMIT_STACK, arg[2],
				 arg[3]);
	struct rlimit now;

	if (!result && arg[2] && !own_limit(RLIMIT_STACK, NULL, &now))
		cut_stack(now.rlim_cur);
	return result;
}

s64
limits_prlimit(const u64 arg[6])
{
	if (!arg[0] || arg[0] == (u64)getpid()) {
		if (arg[1] == RLIMIT_AS)
			return limit_shared(arg, own_space);
		if (arg[1] == RLIMIT_DATA)
			return limit_shared(arg, own_data);
		if (arg[1] == RLIMIT_STACK)
			return limit_stack(arg);
	}
	return host_kernel(SYS_prlimit64, arg[0], arg[1], arg[2], arg[3]);
}

s64
limits_get(const u64 arg[6])
{
	const u64 all[6] = {0, arg[0], 0, arg[1]};

	return limits_prlimit(all);
}

s64
limits_set(const u64 arg[6])
{
	const u64 all[6] = {0, arg[0], arg[1], 0};

	return limits_prlimit(all);
}
