/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts of regions of this process (regions.h), if the machine asks for
 * them: markers are found as blocks are built. */
#ifndef TARGET_REGIONING_H
#define TARGET_REGIONING_H

#include "decoded.h"
#include "target.h"
#include "watch/regions.h"

/* When the process starts; 0 or -ENOMEM. */
int regioning_start(void);

/* The engine knows its program, and has executed nothing of it.  One that does not
 * say so knows it when the first block is built. */
void regioning_program(void);

/* A block of those instructions has been built: it may end with a marker. */
void regioning_block(struct block *b, const struct insn *insn,
		     const u8 (*data)[INSN_BYTES], unsigned n);

/* The first thread, which is in no region; and another one.  NULL: regions are
 * not counted. */
struct region_thread *regioning_first(void);
struct region_thread *regioning_thread(void);

/* The process, as long as it has one thread, has entered a block that is
 * marked. */
void regioning_entered(const struct block *b);

/* It is behind that marker, or about to enter block t, which may be where the
 * region of a procedure begins or ends (procedures_wanted()). */
void regioning_passed(const struct region_mark *mark);
void regioning_follow(const struct block *t);

/* Before its counts go to another context, and behind that. */
void regioning_unbind(void);
void regioning_bind(void);

/* All of what has been counted is in the machine. */
void regioning_settle(void);

/* In a child just forked, whose slot has been taken; and when the engine, too,
 * has but the thread that is left, on context tc. */
void regioning_fork_child(unsigned tc);
void regioning_fork_thread(unsigned tc);

#endif
