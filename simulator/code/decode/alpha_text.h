/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Alpha instructions as text. */
#ifndef DECODE_ALPHA_TEXT_H
#define DECODE_ALPHA_TEXT_H

#include "machine/types.h"

/* More than the longest one. */
#define ALPHA_TEXT 64

/*
 * An instruction in the syntax of the GNU assembler, whose short forms (mov,
 * clr, ret) are used; what no program has, as data: ".long 0x4000000".  Its
 * address pc is what branches are relative to.
 */
void alpha_text(char text[ALPHA_TEXT], u32 word, u64 pc);

#endif
