/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Blocks of this process, as an engine makes them of decoded instructions. */
#ifndef TARGET_BUILT_H
#define TARGET_BUILT_H

#include "decoded.h"
#include "target.h"

/* Builds a block of n instructions with those bytes, which it keeps, and puts
 * it in place, if there is none of the same yet; NULL if there is no room.  One thread at a time. */
struct block *built_block(struct insn *insn, const u8 (*data)[INSN_BYTES],
			  unsigned n, bool mips16);

/* The first n instructions of a block as another one. */
struct block *built_part(const struct block *b, unsigned n);

/* For block_decoder(): decodes its instructions again. */
const struct insn *built_again(const struct block *b);

#endif
