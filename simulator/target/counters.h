/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Executions of blocks that emitted code counts. */
#ifndef SIM_COUNTERS_H
#define SIM_COUNTERS_H

#include "machine/block_shared.h"

/* Counter i of block b, BLOCK_BEHIND_...: what code increments behind such a branch.  NULL:
 * there is no room for it in the block's segment. */
u64 *counters_of(struct block *b, unsigned i);

#endif
