/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Once a process has changed its user or group, the kernel gives its files in /proc
 * to root, so that it cannot read what its own threads do (PR_SET_DUMPABLE of
 * prctl()): the turns would wait for ever.  So each process stays as it was, and is
 * told what it would be.
 */
#ifndef TARGET_DUMPABLE_H
#define TARGET_DUMPABLE_H

#include "call.h"

/* Once; and behind each call of the target's. */
void dumpable_begin(void);
void dumpable_called(enum call call);

/* What PR_GET_DUMPABLE is to say; PR_SET_DUMPABLE: 0, or -EINVAL. */
int dumpable_get(void);
int dumpable_set(u64 value);

#endif
