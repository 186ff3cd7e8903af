/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Limits of memory that the target sets, and has from its start. */
#ifndef NATIVE_LIMITS_H
#define NATIVE_LIMITS_H

#include "machine/types.h"

/* Before the target has memory: what is there is the engine's. */
void limits_begin(void);

/* When its stack is mapped, native.stack. */
void limits_begin_stack(void);

/* Whether the target may have so much more memory of its own that it can write. */
bool limits_allow_data(u64 bytes);

s64 limits_prlimit(const u64 arg[6]);
s64 limits_get(const u64 arg[6]);
s64 limits_set(const u64 arg[6]);

#endif
