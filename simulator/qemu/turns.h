/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads in turn.  While one thread lives, nothing here costs anything.
 * From the second on, core.recording is set: one thread at a time executes
 * (a token), recording its blocks and accesses; the merge (merge.h) works
 * off the records cycle by cycle over the shared pipeline and says whose
 * records it needs next.  The token is given up around system calls that
 * block.  When one thread is left, or all others are in system calls, the
 * fast path takes over again.
 */
#ifndef QEMU_TURNS_H
#define QEMU_TURNS_H

#include "plugin.h"
#include "watch/calls.h"

/* Once, before the target starts. */
void turns_start(void);

void turns_vcpu_start(unsigned vcpu);
void turns_vcpu_exit(unsigned vcpu);
void turns_syscall(unsigned vcpu, s64 number, const u64 arg[8]);
void turns_syscall_return(unsigned vcpu, s64 number, s64 result);

/* A thread has entered a block that ends with a marker of a region. */
void turns_marked(unsigned vcpu, const struct block *b);

/* A thread is about to enter block t, which may be where the region of a
 * procedure begins or ends. */
void turns_followed(unsigned vcpu, const struct block *t);

/* A thread is about to enter block t: which calls lead there. */
void turns_called(unsigned vcpu, struct calls *calls, const struct block *t);

/* Instead of the fast path while core.recording: a block is entered... */
void turns_block(unsigned vcpu, struct block *t);

/* On the fast path: t may be an exclusive step (turns_step.c), and then what
 * comes from now on is recorded. */
void turns_step(unsigned vcpu, const struct block *t);

/* ... and has accessed memory. */
void turns_access(unsigned vcpu, const struct block_access *a, u64 va,
		  unsigned bytes, bool store);

/* The block that it is in while its turns are recorded, or NULL. */
const struct block *turns_in(unsigned vcpu);

/* The last access that was recorded, if it is that one, was a
 * store-conditional's that has stored. */
void turns_stored(unsigned vcpu, const struct block_access *a);

/* No thread takes turns: threads execute whenever the host lets them. */
bool turns_none(void);

/* Whether one thread lives, and all of it is worked off. */
bool turns_single(void);

/* What has been recorded is worked off: before counts are read. */
void turns_work_off(void);

/*
 * The context that the calling thread's next program starts on: chosen by
 * the target (sched_setaffinity), or -1 if it has not chosen.  A program
 * that starts with a chosen context says so before its first thread starts.
 */
int turns_tc(void);
void turns_pin(void);

/* What threads count is told, if a tool asks: before the counters
 * go on to other events, and before the process ends or executes. */
void turns_counts_split(void);
void turns_counts_end(void);

/* In a child just forked: the context that the forking thread is on; and only
 * that thread is left. */
unsigned turns_fork_tc(void);
void turns_fork_child(void);

/* The process is about to end: what is recorded is worked off. */
void turns_exit(void);

#endif
