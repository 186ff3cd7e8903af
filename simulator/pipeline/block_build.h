/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A block from its instructions: what it costs on the pipeline of a table when
 * nothing misses. */
#ifndef SIM_BLOCK_BUILD_H
#define SIM_BLOCK_BUILD_H

#include "code/block.h"

/*
 * How many bytes a block with these instructions can need in the segment.
 */
size_t block_bound(unsigned n_insn);

/*
 * Builds a block from n decoded instructions, at most BLOCK_MAX_INSN, which
 * are not kept.  dest has block_bound(n) bytes; alloc returns memory aligned
 * to 8 bytes that lives as long as the block.  So many bytes of it are for
 * the caller: block_source().  The last to be allocated is the detail.  Unless
 * it is modelled, the block tells what it executes, and neither what that costs
 * nor how.  0, or -ENOMEM.
 */
int block_build(struct block *dest, const struct sim_config *config,
		const struct insn *insn, unsigned n, bool modelled,
		size_t source, void *(*alloc)(size_t bytes));

#endif
