/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "affinity.h"

#include "call.h"
#include "target.h"

#include <sched.h>
#include <string.h>

/* What has been overwritten, to be put back. */
static __thread struct {
	u64 addr;
	size_t bytes;
	u8 mask[sizeof(cpu_set_t)];
} kept;

/* True if the target's mask names one of the machine's contexts. */
static bool
names_context(void)
{
	u32 tcs = target.config->topo.tcs;

	for (u32 tc = 0; tc < tcs && tc / 8 < kept.bytes; tc++)
		if (kept.mask[tc / 8] & 1u << tc % 8)
			return true;
	return false;
}

/* True if the host has one of them, too: it is told the same, as the target asks
 * it which it may use. */
static bool
host_has(u64 thread)
{
	cpu_set_t mask;

	CPU_ZERO(&mask);
	memcpy(&mask, kept.mask, kept.bytes);
	return !sched_setaffinity((pid_t)thread, sizeof mask, &mask);
}

void
affinity_syscall(s64 number, const u64 arg[8])
{
	cpu_set_t host;
	size_t bytes = arg[1] < sizeof kept.mask ? arg[1] : sizeof kept.mask;

	kept.bytes = 0;
	if (call_of(number) != CALL_SETAFFINITY ||
	    sched_getaffinity(0, sizeof host, &host))
		return;
	if (guest_read(kept.mask, arg[2], bytes))
		return;
	kept.bytes = bytes;
	kept.addr = arg[2];
	if (!names_context() || host_has(arg[0]) ||
	    guest_write(arg[2], &host, bytes))
		kept.bytes = 0;
}

void
affinity_syscall_return(void)
{
	if (kept.bytes)
		guest_write(kept.addr, kept.mask, kept.bytes);
	kept.bytes = 0;
}
