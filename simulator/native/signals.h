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

#include <sys/types.h>

/* Once: what the target's signals do before it says so. */
void signals_begin(void);

/* What a thread has of its own; NULL: no memory.  It begins there; and ends,
 * all signals being blocked. */
struct signals;
struct signals *signals_thread_new(void);
void signals_thread_begin(struct signals *s);
void signals_thread_free(struct signals *s);

/* That thread executes from now on; or it does not. */
void signals_here(struct signals *s);
void signals_away(struct signals *s);

/* Whether some wait for their handlers, in the thread that executes. */
bool signals_wait(void);

/* The target is at pc, between blocks: enters handlers; where it goes on. */
u64 signals_deliver(u64 pc);

/* There is no instruction at pc: what the processor would say. */
void signals_no_code(u64 pc);

/* A system call that the target may not make is told it, as by the kernel: that
 * number, what its filter has to say, and where it goes on. */
void signals_trap_call(u64 number, u16 data, u64 pc);

/* The process ends as by that signal, whatever the target does of it. */
void signals_die(int sig);

/* A system call of the calling thread, by the number, that ends early if a
 * signal comes before it has begun.  The other one waits until the turns end
 * it, by a signal that is not the target's. */
s64 signals_call(u64 number, const u64 arg[6]);
s64 signals_call_endless(u64 number, const u64 arg[6]);

/* That thread of the process leaves the target's code at its next exit. */
void signals_call_out(pid_t tid);

/* The engine's C library has begun a thread, and may have set the signal by which it
 * changes the user of all threads: it is the target's, whose library does. */
void signals_take_back(void);

/* That signal is the engine's to look at from now on. */
void signals_listen(void);

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
