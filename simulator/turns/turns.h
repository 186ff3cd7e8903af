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
#ifndef TURNS_H
#define TURNS_H

#include "target/engine.h"
#include "watch/calls.h"

#include <time.h>

struct rusage;
struct sysinfo;
struct tms;

/* The signal by which the turns end a wait: Linux never sends it. */
#define TURNS_END_SIGNAL SIGSTKFLT

/* Numbers that an engine gives to threads are told apart modulo that. */
#define TURNS_VCPUS 65536

/* What threads are under an engine. */
struct turns_engine {
	/* The first n instructions of a block as another one, or NULL: there
	 * is no room. */
	struct block *(*part)(const struct block *b, unsigned n);
	/* It may leave a block at an atomic access: turns_step.c. */
	bool steps;
	/* In the calling thread, the signal that ends waits lets a system
	 * call return what turns_wait_ended() says. */
	void (*listen)(void);
	/* The calling thread's next system call waits for some time, which is
	 * in a register: makes that for ever, if that can be had, and says so
	 * by turns_wait_lengthened().  NULL: the engine asks turns_endless()
	 * what each call is to wait for, and the target's memory stays as it
	 * is. */
	void (*lengthen)(void);
	/* Threads may execute whenever the host lets them. */
	bool free;
	/* The alarm of turns_alarm() has come, in the thread that executes, or,
	 * when no thread can, in one of no target's.  Says when it is next. */
	void (*rung)(void);
	/* The same of turns_stretch(), where all that is executed is recorded. */
	void (*stretch_over)(void);
	/* That thread, which is on the fast path, is to look at core.told, however
	 * long its code goes on without: from any thread.  NULL: it does so at
	 * core.deadline. */
	void (*call)(pid_t tid);
};

/* Once, before the target starts. */
void turns_start(const struct turns_engine *engine);

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

/*
 * Before t, one instruction, is entered or recorded: the block that it is in has
 * been left at it, having changed code, and does it again, so that what is
 * behind it has not been executed there.
 */
void turns_again(unsigned vcpu, const struct block *t);

/* ... and has accessed memory. */
void turns_access(unsigned vcpu, const struct block_access *a, u64 va,
		  unsigned bytes, bool store);

/* The block that it is in while its turns are recorded, or NULL. */
const struct block *turns_in(unsigned vcpu);

/* The last access that was recorded, if it is that one, was a
 * store-conditional's that has stored. */
void turns_stored(unsigned vcpu, const struct block_access *a);

/*
 * For an engine that executes blocks where no thread may wait: enters a block,
 * as turns_block() does, if that goes on with this thread's turn.  False:
 * turns_block() has to be called.
 */
bool turns_block_now(unsigned vcpu, struct block *t);

/* Tells what the thread has written (threads/written.h); before anything else is
 * called of its execution, and where it has ended its code.  It has to call
 * turns_block_now() next. */
void turns_tell(unsigned vcpu);

/* There have been several threads, or what is executed is recorded for another
 * reason; and that one has the token. */
bool turns_taken(void);
bool turns_holds(unsigned vcpu);

/* The system call that the thread is in ends it, and others go on. */
bool turns_ending(unsigned vcpu);

/* The process ends, and what a thread does counts no more. */
bool turns_exiting(void);

/* No thread takes turns: threads execute whenever the host lets them. */
bool turns_none(void);

/* Whether one thread lives, and all of it is worked off. */
bool turns_single(void);

/* What has been recorded is worked off: before counts are read. */
void turns_work_off(void);

/*
 * The context that the calling thread's next program starts on, and whether the
 * target has chosen it (sched_setaffinity).  A program that starts with a chosen
 * context says so before its first thread starts.
 */
unsigned turns_tc(bool *chosen);
void turns_pin(void);

/* What threads count is told, if a tool asks: before the counters
 * go on to other events, and before the process ends or executes. */
void turns_counts_split(void);
void turns_counts_end(void);

/*
 * The thread's system call, which it is about to make, is to wait for ever,
 * and not for the time in that argument: milliseconds, or the address of two
 * numbers.  False: it is to wait as long as it says.
 */
struct turns_endless {
	unsigned arg;
	bool number;
};
bool turns_endless(unsigned vcpu, struct turns_endless *endless);

/* In the calling thread: its wait is over, and its system call, which the
 * signal has interrupted, is to return that.  May be called by a handler of
 * the signal. */
bool turns_wait_ended(s64 *result);

/* ... and it waits for ever, or not. */
void turns_wait_lengthened(bool is);

/* The engine is to be called at that cycle, or soon after it, before a block; 0:
 * not.  From a system call of the thread that executes, or from rung(). */
void turns_alarm(u64 cycle);

/*
 * Stretches of what is executed that are modelled, or are not (native/periods.h).  One
 * ends at that cycle of turns_busy(), or soon after it, before a block; 0: at none.  A
 * thread on the fast path has core.told then.
 */
void turns_stretch(u64 cycle);

/* Cycles of it that are left; and those that a thread on the fast path may execute
 * without a look at core.deadline: until another one's wait is over, too. */
u64 turns_stretch_left(void);
u64 turns_alone_left(void);

/* Cycles of the machine's clock, but for those in which all threads have waited. */
u64 turns_busy(void);

/*
 * While turns are recorded: all that was executed is worked off, and the blocks that
 * threads were in are over.  Then core.skipping may change, and threads go on; there is
 * one context.
 */
void turns_rest(void);
void turns_go_on(void);

/* Where the target reads the machine's clock: what CLOCK_... shows, in ns; the cycle
 * at which it will show that, if no time is waited away; a wait has lasted until a
 * cycle; and the clock that the id of one of this process or its threads is. */
u64 turns_clock_ns(unsigned clock);
u64 turns_clock_cycle(unsigned clock, u64 ns);
void turns_clock_wait(u64 cycle);
unsigned turns_clock_plain(unsigned clock);

/* turns_clock.c: what the target's time(), getrusage(), times() and sysinfo()
 * are to return where it reads the machine's clock. */
time_t turns_time(time_t *seconds);
int turns_rusage(int which, struct rusage *usage);
clock_t turns_times(struct tms *t);
int turns_sysinfo(struct sysinfo *info);

/* In a child just forked: the context that the forking thread is on; and only
 * that thread is left. */
unsigned turns_fork_tc(void);
void turns_fork_child(void);

/* The process is about to end: what is recorded is worked off. */
void turns_exit(void);

#endif
