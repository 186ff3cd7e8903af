/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Clocks that are read otherwise than by clock_gettime(), where the target reads
 * the machine's. */
#include "clocks.h"

#include "threads.h"

#include "turns/turns.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/times.h>

static bool
is_machine(void)
{
	return target.map.m->machine_clock;
}

/* Results are where the target wants them, or, if it may be nowhere, not. */
static s64
put(u64 at, const void *what, size_t bytes, s64 result)
{
	return guest_write(at, what, bytes) ? -EFAULT : result;
}

s64
clocks_time(const u64 arg[6])
{
	time_t now;

	if (!is_machine())
		return threads_kernel(SYS_time, arg);
	now = turns_time(NULL);
	return arg[0] ? put(arg[0], &now, sizeof now, now) : now;
}

s64
clocks_rusage(const u64 arg[6])
{
	struct rusage usage;

	if (!is_machine())
		return threads_kernel(SYS_getrusage, arg);
	if (turns_rusage((int)arg[0], &usage))
		return -errno;
	return put(arg[1], &usage, sizeof usage, 0);
}

s64
clocks_times(const u64 arg[6])
{
	struct tms times;
	clock_t now;

	if (!is_machine())
		return threads_kernel(SYS_times, arg);
	now = turns_times(&times);
	return arg[0] ? put(arg[0], &times, sizeof times, now) : now;
}

s64
clocks_sysinfo(const u64 arg[6])
{
	struct sysinfo info;

	if (!is_machine())
		return threads_kernel(SYS_sysinfo, arg);
	if (turns_sysinfo(&info))
		return -errno;
	return put(arg[0], &info, sizeof info, 0);
}
