/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "mapping_call.h"

#include "target.h"

#define PAGE 4096u		/* bytes: the least that can be mapped */
#define LAST_ERROR 4095

/* Arguments of mmap() that i386 has in memory. */
static void
fetch_arguments(struct mapping_call *m)
{
	u32 word[SIM_COUNT(m->arg)];

	if (guest_read(word, m->arg[0], sizeof word)) {
		m->call = CALL_OTHER;
		return;
	}
	for (unsigned i = 0; i < SIM_COUNT(word); i++)
		m->arg[i] = word[i];
}

struct mapping_call
mapping_call(enum call call, const u64 arg[8])
{
	struct mapping_call m = {.call = CALL_OTHER};

	switch (call) {
	case CALL_BRK:
	case CALL_IPC:
	case CALL_MADVISE:
	case CALL_MMAP:
	case CALL_MMAP2:
	case CALL_MPROTECT:
	case CALL_MREMAP:
	case CALL_MUNMAP:
	case CALL_SHMAT:
		m.call = call;
		memcpy(m.arg, arg, sizeof m.arg);
		if (call == CALL_MMAP && target.isa == ISA_I386)
			fetch_arguments(&m);
		break;
	default:
		break;
	}
	return m;
}

bool
mapping_call_worked(const struct mapping_call *m, s64 result)
{
	return m->call != CALL_OTHER && (result >= 0 || result < -LAST_ERROR);
}

u64
mapping_bytes(u64 n)
{
	return (n + PAGE - 1) / PAGE * PAGE;
}

u64
mapping_start(u64 address)
{
	return address / PAGE * PAGE;
}
