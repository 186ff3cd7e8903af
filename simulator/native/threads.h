/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads of the target.
 *
 * Each is a thread of this process.  They take turns (turns/), so that one of
 * them executes at a time: the registers in host_state, the code cache and the
 * core are that one's.  A thread that waits for its turn, or is in a system
 * call, has put its registers aside, and leaves all of that alone.
 */
#ifndef NATIVE_THREADS_H
#define NATIVE_THREADS_H

#include "native.h"

#include <sys/types.h>

/* Once, for the first one. */
void threads_begin(bool pinned);

/* The number of the one that executes, for turns/. */
extern unsigned threads_number;

/* A system call of the one that executes, which may wait for its turn behind
 * it: all others may have executed when that is over. */
void threads_call(u64 number, const u64 arg[8]);
void threads_call_over(u64 number, s64 result);

/* ... between these, the kernel's part of it. */
s64 threads_kernel(u64 number, const u64 arg[6]);

/* The one that executes is about to enter a block; it may wait for its turn
 * before. */
void threads_enter(struct block *t);

/* System calls: clone() for a thread, which is to begin at pc; the end of one,
 * if others go on; and where that is written. */
s64 threads_create(const u64 arg[6], u64 pc);
bool threads_exit(void);
s64 threads_tid_address(const u64 arg[6]);

/* What that was told is written there. */
s64 threads_get_tid_address(u64 at);

/* Filters of the calling thread's calls; others from now on (filters.h); or of all
 * threads, unless one has some that are not among these: which, else 0. */
struct filter;
const struct filter *threads_filters(void);
void threads_filter(const struct filter *filters);
pid_t threads_share_filters(const struct filter *filters);

/* The calling thread is to execute no more. */
bool threads_ended(void);

/* In a child just forked. */
void threads_fork_child(void);

#endif
