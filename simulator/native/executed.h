/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How often the process's blocks have been executed: what is executed in a period, and
 * which blocks are. */
#ifndef NATIVE_EXECUTED_H
#define NATIVE_EXECUTED_H

#include "native.h"

/* The steps of all blocks so far: machine/machine_period.h. */
u64 executed_steps(void);

/* The same; and how often each block has been executed is noted. */
u64 executed_note(void);

/* Calls fn with each block that has been executed since, and notes them again. */
void executed_since(void (*fn)(const struct block *b));

/* The same, but that only those are looked at that were executed before the last
 * executed_since(), since the one before it, or have been made since. */
void executed_lately(void (*fn)(const struct block *b));

/* In a child just forked: nothing has been executed. */
void executed_forget(void);

#endif
