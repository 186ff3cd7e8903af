/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the instructions of a block have in its static counts.
 *
 * The counts of a block's first k instructions, built as a block of their
 * own, less those of its first k - 1, are instruction k's: whatever the
 * pipeline is, the shares add up to the block's counts exactly.
 */
#ifndef SIM_BLOCK_PREFIX_H
#define SIM_BLOCK_PREFIX_H

#include "code/block.h"

/*
 * Calls share(arg, k, signal, n) for everything that instruction k of a
 * block adds to its counts (n may be negative: a group of fetches that is
 * counted where it ends).  stalls: those, too.  0 or -ENOMEM.
 */
int block_shares(const struct block *b, const struct sim_config *config,
		 bool stalls,
		 void (*share)(void *arg, unsigned k, unsigned signal, s64 n),
		 void *arg);

#endif
