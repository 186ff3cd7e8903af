/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shows what becomes of one block: the target's code, what was emitted for it,
 * and what each part of that is for.
 */
#ifndef NATIVE_EXPLAIN_H
#define NATIVE_EXPLAIN_H

#include "code.h"

/* The first block made with the instruction at pc, and the first edge behind
 * that which leads to such a block, are written to the file at path. */
void explain_begin(u64 pc, const char *path);
bool explain_is_asked(void);

/* What is emitted from here on is for that; words stay. */
void explain_part(const struct emitter *e, const char *words);

/* Likewise, but it is no code: 64 bits. */
void explain_data(const struct emitter *e, const char *words);

/* Where code for a block begins, which may be an edge that leads there, and ends; and
 * where more that is executed but once begins. */
struct explain_code {
	const u8 *begin, *end, *cold;
};

/* Block b was made of s. */
void explain_block(const struct code_block *b, const struct code_source *s,
		   const struct explain_code *code);

/* The edge from p to t begins there; the same of one in front of t, which is not made
 * yet. */
void explain_edge(const struct code_block *p, const struct code_block *t,
		  const u8 *from, const u8 *end);
void explain_front(const struct code_block *p, const struct code_block *t,
		   const u8 *from, const u8 *end);

#endif
