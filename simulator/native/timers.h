/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Timers that send signals, where the target reads the machine's clock.
 *
 * They are due when that clock is there.  While the target executes, the machine's
 * cycles decide, so that a signal comes at the same place in each run.  In a system
 * call that waits, what it waits for is the host's: a timer of the kernel's lets so
 * much of the host's time pass, and only if that is over before the call is, the
 * machine's clock moves on to it.
 *
 * Otherwise timers are the kernel's alone.  Those of descriptors always are.
 */
#ifndef NATIVE_TIMERS_H
#define NATIVE_TIMERS_H

#include "native.h"

#include <signal.h>

/* Interval timers that the program before has left: from its argument. */
void timers_inherit(const char *text);
void timers_begin(void);

/* The turns' alarm has come. */
void timers_rung(void);

/* Around each system call that is the kernel's: the result that it has. */
void timers_wait(u64 number, const u64 arg[6]);
s64 timers_waited(s64 result);

/* A signal is about to be handled: what it tells of its timer. */
void timers_tell(siginfo_t *info);

/* In a child just forked, which has none. */
void timers_forked(void);

/* This process is about to execute another program: arguments for this engine; or
 * it may be left to the kernel, and timers are its; that has failed. */
void timers_give(struct strings *args);
void timers_lend(void);
void timers_take_back(void);

/* The target limits what it may call: all are the kernel's from here on. */
void timers_leave(void);

/* ---- timers_calls.c: system calls ---------------------------------------- */

s64 timers_alarm(const u64 arg[6]);
s64 timers_setitimer(const u64 arg[6]);
s64 timers_getitimer(const u64 arg[6]);
s64 timers_create(const u64 arg[6]);
s64 timers_settime(const u64 arg[6]);
s64 timers_gettime(const u64 arg[6]);
s64 timers_getoverrun(const u64 arg[6]);
s64 timers_delete(const u64 arg[6]);

#endif
