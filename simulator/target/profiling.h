/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts per instruction of this process, if the machine asks for them. */
#ifndef QEMU_PROFILING_H
#define QEMU_PROFILING_H

#include "watch/profile.h"
#include "target.h"

/* When the process starts: 0, or -errno. */
int profiling_start(void);

/* A block has been built: it gets a record, as long as there is room. */
void profiling_block(struct block *b);

/* Makes r, or NULL, the block's record. */
void profiling_put(struct block *b, struct profile_block *r);

/* A record of a block for that program; NULL if there is no room. */
struct profile_block *profiling_record(const struct block *b, u32 program);

/* In a child just forked, whose slot has been taken: 0, or -errno. */
int profiling_fork_child(void);

#endif
