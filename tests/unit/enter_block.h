/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a block is entered, as the engine's callbacks do it. */
#ifndef TEST_ENTER_BLOCK_H
#define TEST_ENTER_BLOCK_H

#include "core/fast.h"

static inline void
enter_block(struct core *c, struct block *b)
{
	bool history = c->config->branch.kind == PREDICT_GSHARE;

	fast_enter(c, b, b->n_line > FAST_THREE ? FAST_ANY : b->n_line,
		   history ? FAST_HISTORY : FAST_TABLE);
}

#endif
