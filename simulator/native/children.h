/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When the target learns that its child processes have ended.
 *
 * Whether a child ends before its parent comes to wait for it is the host's
 * timing, and nothing that is counted may tell.  So each end is told once, by
 * SIGCHLD, as if it were in the call that waits for the child, or in the first one
 * that cannot go on without a signal; and calls that look for ended children let
 * those end first that are about to.
 */
#ifndef NATIVE_CHILDREN_H
#define NATIVE_CHILDREN_H

#include "native.h"

#include <signal.h>
#include <ucontext.h>

/* What a signal that has come with these registers tells the target now; NULL:
 * nothing yet.  Raw: FS may be the target's. */
const siginfo_t *children_tell(const siginfo_t *info, const greg_t *g);

/* Whether what is not told yet keeps a call from beginning. */
bool children_may_block(void);

/* A system call that is the kernel's. */
s64 children_call(u64 number, const u64 arg[6]);

/* In a child just forked, which has none. */
void children_forked(void);

/* The target limits what it may call: the kernel's signals are told at once. */
void children_leave(void);

/* ---- children_settle.c -------------------------------------------------- */

/* Waits until each child has ended, or sleeps, or has been busy for long: such a
 * one is not waited for again. */
void children_settle(void);

/* Whether there are several, ended ones too. */
bool children_several(void);

#endif
