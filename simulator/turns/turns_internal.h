/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of the turns share.
 *
 *	turns.c		what an engine calls
 *	turns_record.c	recording begins and ends
 *	turns_syscall.c	... of system calls
 *	turns_free.c	threads out of turn
 *	turns_step.c	blocks that are left in the midst of them
 *	turns_token.c	which thread may execute: hand-over, waiting, admission
 *	turns_patience.c what to do when nothing moves
 *	turns_idle.c	no thread can run: sleeps and timed waits
 *	turns_watch.c	what the kernel says about sleeping threads
 *	turns_alarm.c	the engine's alarm
 *	turns_stretch.c	what is modelled for a while, and what is not
 *	turns_calls.c	system calls that matter here, per instruction set
 *	turns_clock.c	the target's clocks, and the machine's cycles
 *	turns_counts.c	what each thread counts
 *	turns_wait.c	waits for some time, which end on the machine's clock
 */
#ifndef TURNS_INTERNAL_H
#define TURNS_INTERNAL_H

#include "device/hwperf.h"
#include "threads/merge.h"
#include "turns.h"
#include "target/turns_patience.h"

#include <pthread.h>
#include <signal.h>
#include <sys/types.h>

enum thread_state {
	THREAD_NEW,	/* created, has not executed anything */
	THREAD_RUNS,	/* executes or waits for its turn */
	THREAD_BLOCKED,	/* in a system call, without the token */
	THREAD_ENDING,	/* in exit, without the token */
	THREAD_GONE	/* has ended */
};

/* What a call that waits for files changes in memory, even if it finds none ready,
 * and which arguments say where. */
enum turn_found {
	FOUND_NONE,
	FOUND_SETS,	/* how many files, and up to three sets of them */
	FOUND_EVENTS	/* a list of struct pollfd, and how many of them */
};

/* How long a system call waits at most. */
struct turn_wait {
	bool timed;
	bool absolute;		/* until, not for */
	bool micro;		/* seconds and microseconds, not nanoseconds */
	bool updated;		/* the call says what is left of it */
	u8 bytes;		/* of each number in memory, 0: in a register */
	u8 arg;			/* of the call, that has it */
	u8 clock;		/* CLOCK_..., of an absolute one */
	u8 found;		/* enum turn_found */
	u64 files[4];		/* ... with these arguments */
	s32 result;		/* once time is over: 0 or -errno */
	u64 address;		/* guest address of the numbers */
	u64 rest;		/* ... where a signal's interruption says what is
				   left, 0: nowhere */
	u64 ns;
};

/* A thread of the target. */
struct thread {
	struct merge_queue q;	/* first: the merge names threads by queues */
	struct thread *next;	/* in order of creation */
	u8 state;		/* enum thread_state */
	bool pinned;		/* the target has chosen its context */
	bool arrived;		/* it has reached its first block */
	bool back;		/* the system call that blocked has returned */
	bool asleep;		/* ... and no thread can have woken it since */
	bool in_call;		/* in a system call, with the token */
	bool quiet;		/* ... that wakes no other */
	bool waits;		/* for its turn, wherever it is */
	bool parked;		/* waits for its turn inside a block */
	bool escape;		/* is to execute one block out of turn */
	bool away;		/* has done so and not come back */
	unsigned tc;
	pid_t tid;
	u64 futex;		/* guest address it waits on, 0: none */
	u64 arg[2];		/* of the system call that it is in */
	struct turn_wait wait;	/* ... and for how long it waits */
	u64 until;		/* cycle that the wait ends, 0: none does */
	u64 wake;		/* the same, 0 also if something has ended it */
	u64 overdue;		/* cycle at which the holder looks at it */
	u64 calls_before;	/* turns.calls when it began */
	u64 host_due;		/* ns, the same on CLOCK_MONOTONIC */
	u8 saved[16];		/* what the target has at wait.address */
	bool lengthened;	/* the host waits for ever */
	bool kept;		/* ... and saved is to be put back */
	bool ended;		/* ... but is to return wait.result now */
	bool interrupted;	/* ... and has been, by a signal of the target */
	bool over;		/* ... and has returned that its time is over */
	const struct block *last; /* entered */
	unsigned accessed;	/* memory: its instructions before that one */
	struct thread *created;	/* by the clone that it is in */
	struct hwperf_thread counts;
	struct calls_thread calls; /* under way, if paths are asked for */
	pthread_cond_t cond;
};

struct turns {
	pthread_mutex_t lock;
	pthread_cond_t changed;	/* a thread arrived or is gone */
	struct merge *merge;
	struct thread *vcpu[TURNS_VCPUS];
	struct thread *first;	/* in order of creation */
	unsigned alive;
	struct thread *holder;	/* of the token; NULL: no thread can run */
	const struct block *last; /* entered */
	struct thread *ending;	/* to be waited for by the next holder */
	struct thread *waker;	/* made the last system call, NULL: is gone */
	u64 progress;		/* callbacks; says that a thread moves */
	u64 calls;		/* system calls that are not plain */
	unsigned away;		/* threads that are */
	bool busy;		/* the holder waits for another thread */
	bool unsettled;		/* a system call may have woken a thread */
	u64 returns;		/* of calls that blocked and may have done so */
	u64 returns_seen;	/* ... at the last look */
	bool called;		/* a thread waits for the holder to look */
	bool taken;		/* turns are: there are several threads */
	bool solo;		/* the holder is on the fast path: see
				   turns_record.c */
	u64 alarm;		/* cycle of the engine's, 0: none */
	u64 stretch;		/* turns_busy() when one is over, 0: none is */
	unsigned alone;		/* turns in a row that no other could have */
	bool idling;		/* a thread decides which goes on first */
	u64 idle_since;		/* ns of the host: none can, 0: not known */
	pthread_cond_t idle;	/* no thread can run */
	bool kept;		/* a thread of ours looks then */
	pid_t keeper;		/* which, once it runs */
	bool keeps;		/* it looks from time to time whether the holder's
				   call keeps others from waking */
	bool free;		/* no thread takes turns any more */
	bool exiting;		/* the process ends: nothing counts any more */
	bool merge_always;
};

extern struct turns turns;
extern const struct turns_engine *turns_engine;

/* turns.c */
_Noreturn void turns_no_memory(void);

/* The calling thread, once it has made a system call, or NULL. */
struct thread *turns_self(void);
void turns_set_self(struct thread *th);

/* A thread behind all others; from is the one that creates it, or NULL. */
struct thread *turns_thread_new(const struct thread *from);

/* The signals of each context. */
u64 (*turns_signals(void))[SIG_N];

/* The system call of a blocked thread has returned. */
static inline bool
turns_is_back(const struct thread *th)
{
	return __atomic_load_n(&th->back, __ATOMIC_ACQUIRE);
}

/* The block that th has executed last, where blocks are counted at once. */
static inline struct block *
turns_prev(const struct thread *th)
{
	return th->q.prev ? th->q.prev : &block_none;
}

/* turns_record.c */

/* From here on th, which has the token, records; if there were no turns, it
 * has the first one. */
void record_begin(struct thread *th);

/* The same where th, which was solo, is about to enter a block. */
void record_resume(struct thread *th, const struct block *t);

/* Blocks are recorded one by one from here on, though they have been counted at
 * once so far: th, whose turn it is, comes to a marker. */
void record_fully(const struct thread *th);

/* Whether blocks are modelled from here on, and how what is executed is recorded. */
void record_choose(void);

/* Where blocks are counted at once: the branch of the last one of th, which the merge
 * does not know. */
void record_count_last(struct thread *th);

/* Only th is left: the fast path takes over. */
void record_end(struct thread *th);

/* It has got a further turn because no other thread could have it. */
void record_look_round(const struct thread *th);

/* Whether th, which is about to enter a block, is to do so on the fast path:
 * it is left alone, or has been alone for some time.  record_leave(): if so,
 * recording ends. */
bool record_is_over(const struct thread *th);
bool record_leave(struct thread *th);

/* The cycle when the first of the threads that wait for some time is overdue; 0:
 * there are none. */
u64 record_first_overdue(void);

/* The core counts for the context of th. */
void record_bind(const struct thread *th);

/* turns_alarm.c */

/* Behind what changes when the fast path is to leave its code. */
void alarm_set(void);

/* Whether the engine's alarm has come. */
bool alarm_is_due(void);

/* The fast path has left its code, and there are no turns. */
void alarm_alone(void);

/* It is due, and th has the token. */
void alarm_in_turn(struct thread *th);

/*
 * No thread can run, and next would be the first that goes on (NULL: none).  True:
 * not before the alarm, for which the host's time in host has to be waited for; in
 * ns of CLOCK_MONOTONIC.  The lock is held, but not all the time.
 */
bool alarm_in_idle(const struct thread *next, u64 *host);

/* turns_stretch.c: whether one is over, and the cycle when it will be, which moves with
 * each wait; 0: there is none. */
bool stretch_is_over(void);
u64 stretch_end(void);

/* turns_token.c; the lock is not held unless it says so */

/* Instructions that a thread executes before the next one's turn. */
u32 turns_quantum(void);

enum parked { PARKED_TOKEN, PARKED_ESCAPED, PARKED_EXITING, PARKED_FREE };

/* Waits for the token; within a block it may come back without. */
enum parked token_wait(struct thread *th, bool in_block);

/* Gives the token to the thread that the merge asks for, which is returned. */
struct thread *token_pass(void);

/* The holder waits until all threads that executed out of turn are back. */
void token_gather(void);

/* Each thread that was woken by what the holder did is admitted again. */
void token_settle(void);

/*
 * The holder waits until one of us arrives, comes back or is gone; false if
 * that will never be, and no thread takes turns any more.  The lock is held,
 * but not all the time; looks counts up from 0.
 */
bool token_wait_change(unsigned *looks);

/*
 * Waits until nothing moves of what the last holder did: a thread that ends is
 * gone (only then has it woken the thread that waits for its end), and each
 * blocked one sleeps or is back.  The lock is held, but not all the time.
 */
void token_see_off(void);

/* The lock is held: th, or no thread, has the token; it is admitted first if it
 * was blocked. */
void token_give(struct thread *th);
void token_admit(struct thread *th);

/* Works off what has been recorded, of all threads. */
void token_work_off(void);

/* turns_idle.c; the lock is held */

/* A wait on a condition, for some time; false if it was too long. */
bool idle_wait(pthread_cond_t *cond, u64 ns);

/* Waits until each blocked thread sleeps or is back.  The lock need not be
 * held. */
void idle_settle(void);

/* A thread may have been woken that waits on that futex; 0: any.  For the
 * thread that has the token, or decides which thread gets it. */
void idle_unsettle(u64 futex);

/*
 * No thread can run: the first that can go on takes the token.  The time of the
 * host, in ns of CLOCK_MONOTONIC, before which no thread can, or 0.
 */
u64 idle_take(void);

/* Whether a blocked thread goes on; called by the holder after settling,
 * without the lock. */
bool idle_goes_on(struct thread *th);

/* The holder goes on.  If a thread is overdue or has called it, those whose
 * time is over and threads that are back are admitted.  Without the lock. */
void idle_wake(void);

/* There are timed waits: a thread has to look when no thread can run, or the holder
 * is in a call.  The lock is held. */
void idle_keep(void);

/* turns_watch.c */

/* Whether a thread without token sleeps in its system call. */
bool watch_asleep(const struct thread *th);

/* Whether a thread that was ending has ended. */
bool watch_gone(const struct thread *th);

/* Whether all threads but the calling one and those that wait for their
 * turn sleep for good, and all child processes, too. */
bool watch_asleep_all(void);

/* Why the holder does not move. */
enum watched watch_holder(const struct thread *holder);

/* turns_step.c */

/* Whether t is a step in the midst of the block in, which was entered last. */
bool step_is(const struct block *in, const struct block *t);

/* Before t is recorded: if it is an exclusive step, the block that the thread
 * is in has not executed as a whole. */
void step_record(struct thread *th, const struct block *t);

/* The same for what the fast path has counted; true if t is a step. */
bool step_take_back(struct core *c, const struct block *t);

/* turns_calls.c */

enum turn_kind {
	TURN_OTHER,	/* returns without help of another thread */
	TURN_BLOCK,	/* may block, once what it needs has been looked at */
	TURN_CLONE,	/* creates a thread */
	TURN_EXIT,
	TURN_EXIT_GROUP,
	TURN_LAST,	/* may end the process: execve, kill */
	TURN_YIELD,	/* lets other threads go on */
};

/* A system call as the turns see it. */
struct turn_call {
	enum turn_kind kind;
	u64 futex;		/* TURN_BLOCK: waits on it */
	struct turn_wait wait;	/* TURN_BLOCK: for how long */
};

struct turn_call turn_call_look(s64 number, const u64 arg[8]);

/* Whether the call is of TURN_OTHER, no thread that sleeps is woken by it, and
 * none makes it to wait for others. */
bool turn_call_is_plain(s64 number);

/* Whether it is plain, or at least wakes none, and waits for none: others may come
 * to be woken by its being made often. */
bool turn_call_is_quiet(s64 number, const u64 arg[2]);

/*
 * Whether a call that is not quiet can have woken others: threads that wait on
 * the futex, if there is one, else any.
 */
bool turn_call_wakes(s64 number, const u64 arg[2], u64 *futex);

/*
 * If the call chooses a context for a thread: true, its thread id (0: the
 * calling one) and the context.
 */
bool turn_call_affinity(s64 number, const u64 arg[8], pid_t *tid, unsigned *tc);

/* A number of 4 or 8 bytes in guest memory; 0 if it is not there. */
u64 turn_number(u64 address, unsigned bytes);

/* The same where the kernel has just written it. */
u64 turn_number_there(u64 address, unsigned bytes);

int turn_number_set(u64 address, unsigned bytes, u64 value);

/* Where a call puts the time of which clock: two numbers. */
struct turn_clock_call {
	unsigned clock;
	u64 address;
	u8 bytes;		/* of each number */
	bool micro;		/* the second one is microseconds */
};

/* True if the system call reads a clock. */
bool turn_call_clock(s64 number, const u64 arg[2],
		     struct turn_clock_call *call);

/* turns_clock.c */

/* The machine's cycles in that time, rounded up; the time of cycles, down. */
u64 clock_cycles(u64 ns);
u64 clock_ns(u64 cycles);

/*
 * The cycle in which a clock of the target shows that time: the clock is
 * what the target has last read from it.
 */
u64 clock_cycle_at(unsigned clock, u64 ns);

/* A clock of the host, in ns; what it shows when the machine's shows that. */
u64 clock_host(unsigned clock);
u64 clock_on_host(unsigned clock, u64 ns);


/* In a child just forked: it has not executed anything. */
void clock_fork_child(void);

/* The target has read a clock: a successful system call returns. */
void clock_read(s64 number, const u64 arg[2]);

/* turns_counts.c: there are several threads from here on. */
void counts_begin(struct thread *alone);

/* Whether a tool asks for them. */
bool counts_are_wanted(void);

/* turns_wait.c */

/* Thread th is about to block: when that ends.  Nothing but us will end it
 * on the host, if that can be had. */
void wait_begin(struct thread *th, const struct turn_wait *w);

/* Whether we can end a wait at all: the kernel lets us send a signal. */
bool wait_may_end(void);

/*
 * The only thread is about to wait: on the host, for as long as on the
 * machine, whose clock moves on if the call returns because time is over.
 */
void wait_alone(struct thread *th, const struct turn_wait *w);
void wait_alone_over(struct thread *th, s64 result);

/* It sleeps: the target's memory is what it was.  The lock is held. */
void wait_restore(struct thread *th);

/* It has come back with that result; the lock is held. */
void wait_back(struct thread *th, s64 result);

/* ... and has the token. */
void wait_over(struct thread *th);

/* Whether the target would find that enough time has passed. */
bool wait_due_on_host(const struct thread *th);

/*
 * The machine's clock says that the wait of a sleeping thread is over: waits
 * for the host's, lets the call return, and waits until it has.
 */
void wait_end(struct thread *th);

/* Ends waits of threads out of turn that are over for the host; when the
 * next one will be, in ns of CLOCK_MONOTONIC, or 0.  The lock is held. */
u64 wait_end_overdue(void);

/* turns_free.c; the lock is not held unless it says so */

/* From here on no thread takes turns.  The lock is held. */
void free_begin(void);
bool free_now(void);

/* Enters a block; true if th is alone and the fast path can take over. */
bool free_block(struct thread *th, struct block *t);
void free_access(struct thread *th, const struct block_access *a, u64 va,
		 unsigned bytes, bool store);
void free_stored(struct thread *th, const struct block_access *a);

/* A system call but for clone, exit_group and the choice of a context. */
void free_call(struct thread *th, const struct turn_call *call);
void free_call_return(struct thread *th, s64 result);

#endif
