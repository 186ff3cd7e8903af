/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Signals of the target.
 *
 * The kernel calls a handler of the engine's for those that the target has
 * one for.  It notes what came and lets the code leave at the end of its
 * block; there the target's handler is entered, on a frame as the kernel's.
 */
#ifndef NATIVE_SIGNALS_H
#define NATIVE_SIGNALS_H

#include "native.h"

/* A stack for the engine's handler; 0 or -errno. */
int signals_begin(void);

/* Whether some wait for their handlers. */
bool signals_wait(void);

/* The target is at pc, between blocks: enters handlers; where it goes on. */
u64 signals_deliver(u64 pc);

/* There is no instruction at pc: what the processor would say. */
void signals_no_code(u64 pc);

/* A system call, by the number, that ends early if a signal comes before it
 * has begun. */
s64 signals_call(u64 number, const u64 arg[6]);

/* Whether the call that ended with that result, by a signal, is to be made
 * again behind the handler; the result may be SIGNALS_NOT_BEGUN. */
#define SIGNALS_NOT_BEGUN (-512)
bool signals_restart(u64 number, s64 result);

/* Faults are the engine's to look at from now on, whatever the target asks. */
void signals_catch_faults(void);

/* System calls. */
s64 signals_action(const u64 arg[6]);
s64 signals_stack(const u64 arg[6]);
s64 signals_return(const u64 arg[6]);

#endif
