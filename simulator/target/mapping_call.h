/* SPDX-License-Identifier: GPL-2.0-or-later */
/* System calls that change what is mapped, in whatever way the target makes them. */
#ifndef TARGET_MAPPING_CALL_H
#define TARGET_MAPPING_CALL_H

#include "call.h"

struct mapping_call {
	enum call call;		/* CALL_OTHER: none of these */
	u64 arg[6];		/* of mmap(): as of mmap2(), but for the offset */
};

/* Before a system call: what it asks for. */
struct mapping_call mapping_call(enum call call, const u64 arg[8]);

/* Behind it: whether it has changed what is mapped. */
bool mapping_call_worked(const struct mapping_call *m, s64 result);

/* How many bytes n become, and where what is at an address begins: whole pages. */
u64 mapping_bytes(u64 n);
u64 mapping_start(u64 address);

#endif
