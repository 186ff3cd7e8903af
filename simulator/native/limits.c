/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Limits of memory that the target sets.  The kernel keeps them for the whole
 * process: to that of the address space comes what the engine has of it, and the
 * stack, which is a mapping of its full size from the start, is cut.
 */
#include "limits.h"

#include "native.h"

#include "target/guest_strings.h"

#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ENGINE_STEP (64ull << 20)	/* its space is a multiple of that, and one
					   more to grow */

/* What RLIMIT_AS counts of the engine. */
static u64 own;

void
limits_begin(void)
{
	FILE *f = fopen("/proc/self/statm", "re");
	unsigned long pages = 0;

	if (f) {
		if (fscanf(f, "%lu", &pages) != 1)
			pages = 0;
		fclose(f);
	}
	own = (pages * NATIVE_PAGE / ENGINE_STEP + 2) * ENGINE_STEP;
}

static u64
with_engine(u64 limit)
{
	return limit > RLIM_INFINITY - own ? RLIM_INFINITY : limit + own;
}

static u64
without_engine(u64 limit)
{
	return limit == RLIM_INFINITY ? limit : limit > own ? limit - own : 0;
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

static s64
own_limit(u64 resource, const struct rlimit *new, struct rlimit *old)
{
	return host_kernel(SYS_prlimit64, 0, resource,
			   (u64)(uintptr_t)new, (u64)(uintptr_t)old);
}

static s64
limit_space(const u64 arg[6])
{
	struct rlimit new, old;
	s64 result;

	if (arg[2]) {
		if (guest_read(&new, arg[2], sizeof new))
			return -EFAULT;
		if (new.rlim_cur > new.rlim_max)
			return -EINVAL;
		new.rlim_cur = with_engine(new.rlim_cur);
		new.rlim_max = with_engine(new.rlim_max);
	}
	result = own_limit(RLIMIT_AS, arg[2] ? &new : NULL, &old);
	if (result || !arg[3])
		return result;
	old.rlim_cur = without_engine(old.rlim_cur);
	old.rlim_max = without_engine(old.rlim_max);
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
			return limit_space(arg);
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
