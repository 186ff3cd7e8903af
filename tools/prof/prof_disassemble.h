/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Instructions as text. */
#ifndef PROF_DISASSEMBLE_H
#define PROF_DISASSEMBLE_H

#include "common/tool.h"

#include <stddef.h>
#include <stdint.h>

/* A program's file, opened for its instructions. */
struct disassembler;

/*
 * NULL if there is no such file any more, or its instructions are not known:
 * those of x86, MIPS32 and Alpha are known, not MIPS16e's beside them.  Without
 * memory the tool fails, here and below.
 */
struct disassembler *disassembler_new(const struct tool *tool,
				      const char *path);
void disassembler_free(struct disassembler *d);

/*
 * The instruction at an offset in the file, in the syntax of the system's
 * assembler; branches lead to offsets in the file.  NULL if there is none, or
 * no disassembler.  It is the disassembler's until the next call.
 */
const char *disassembler_text(struct disassembler *d, uint64_t offset);

#endif
