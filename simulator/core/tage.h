/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PREDICT_TAGE: tagged tables looked up by geometrically growing histories, as
 * Seznec and Michaud have published it (2006), and the same for the targets of
 * indirect jumps (Seznec 2011).
 *
 * A history of outcomes of conditional branches, and bits of where indirect
 * jumps went, is shared by all tables.  Address and history together, as a hash,
 * say which entry of a table to look at, and its tag.  The longest history
 * that has an entry predicts, unless that is new and new ones have been worse
 * than the next shorter one.  A wrong prediction takes an entry that is not
 * useful, of a longer history; if there is none, those become less useful.  An
 * entry is useful if it is right where the shorter history was wrong.
 *
 * The hash is chosen: no processor's is public.
 */
#ifndef SIM_TAGE_H
#define SIM_TAGE_H

#include "machine/config.h"

struct block;
struct core;
struct tage;

#define TAGE_WORDS (TAGE_MAX_HISTORY / 64)
/* Bits of an indirect jump's target in the history. */
#define TAGE_TARGET_BITS 6
/* Odd numbers without a pattern, that a hash multiplies by. */
#define TAGE_HASH 0x9e3779b97f4a7c15ull
#define TAGE_HASH_NEXT 0xd6e8feb86659fd93ull
/* One counter for all: from half on, a new entry is not believed. */
#define TAGE_DISTRUST_MOST 15

/* Empty tables; NULL without memory.  They live as long as the core. */
struct tage *tage_new(const struct branch_config *config);

/* Whether p's conditional branch is predicted taken; it learns what it does. */
bool tage_cond(struct core *c, const struct block *p, bool taken);

/*
 * Whether the indirect jump at pc is predicted to go to target, where it goes,
 * which it learns.  first is where it went the last time, 0: never; for jumps
 * that no table knows.
 */
bool tage_target(struct tage *x, u64 pc, u64 target, u64 *first);

#endif
