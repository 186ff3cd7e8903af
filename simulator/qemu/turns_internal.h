/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of the turns share.
 *
 *	turns.c		the plugin's callbacks; recording begins and ends
 *	turns_free.c	threads out of turn
 *	turns_token.c	who may execute: hand-over, waiting, admission
 *	turns_watch.c	what the kernel says about sleeping threads
 *	turns_calls.c	system calls that matter here, per instruction set
 */
#ifndef QEMU_TURNS_INTERNAL_H
#define QEMU_TURNS_INTERNAL_H

#include "../merge.h"
#include "turns.h"

#include <pthread.h>
#include <sys/types.h>

#define TURNS_VCPUS 65536

enum thread_state {
	THREAD_NEW,	/* created, has not executed anything */
	THREAD_RUNS,	/* executes or waits for its turn */
	THREAD_BLOCKED,	/* in a system call, without the token */
	THREAD_ENDING,	/* in exit, without the token */
	THREAD_GONE	/* has ended */
};

/* A thread of the target. */
struct thread {
	struct merge_queue q;	/* first: the merge names threads by queues */
	struct thread *next;	/* in order of creation */
	u8 state;		/* enum thread_state */
	bool pinned;		/* the target has chosen its context */
	bool arrived;		/* it has reached its first block */
	bool back;		/* the system call that blocked has returned */
	bool in_call;		/* in a system call, with the token */
	bool waits;		/* for its turn, wherever it is */
	bool parked;		/* waits for its turn inside a block */
	bool escape;		/* is to execute one block out of turn */
	bool away;		/* has done so and not come back */
	unsigned tc;
	pid_t tid;
	u64 futex;		/* guest address it waits on, 0: none */
	u64 wake;		/* cycle that its sleep ends, 0: no sleep */
	const struct block *last; /* entered */
	struct thread *created;	/* by the clone that it is in */
	pthread_cond_t cond;
};

struct turns {
	pthread_mutex_t lock;
	pthread_cond_t changed;	/* somebody arrived or is gone */
	struct merge *merge;
	struct thread *vcpu[TURNS_VCPUS];
	struct thread *first;	/* in order of creation */
	unsigned alive;
	struct thread *holder;	/* of the token; NULL: nobody can run */
	const struct block *last; /* entered */
	struct thread *ending;	/* to be waited for by the next holder */
	u64 progress;		/* callbacks; says that somebody moves */
	unsigned away;		/* threads that are */
	bool busy;		/* the holder waits for somebody of us */
	bool dozing;		/* ... whose sleep is not over */
	bool free;		/* nobody takes turns any more */
	bool exiting;		/* the process ends: nothing counts any more */
	bool merge_always;
};

extern struct turns turns;

/* turns.c */
void turns_no_memory(void);

/* Instructions that a thread executes before the next one's turn. */
u32 turns_quantum(void);

/* turns_token.c; the lock is not held unless it says so */

enum parked { PARKED_TOKEN, PARKED_ESCAPED, PARKED_EXITING, PARKED_FREE };

/* Waits for the token; within a block it may come back without. */
enum parked token_wait(struct thread *th, bool in_block);

/* Gives the token to whoever the merge asks for, which is returned. */
struct thread *token_pass(void);

/* The holder waits until all who executed out of turn are back. */
void token_gather(void);

/* Everybody who was woken by what the holder did is admitted again. */
void token_settle(void);

/*
 * The holder waits until something changes; false if that was too long, and
 * nobody takes turns any more.  The lock is held; waited counts up from 0.
 */
bool token_wait_change(u64 *waited);

/* Works off what has been recorded, of all threads. */
void token_work_off(void);

/* turns_watch.c */

/* Whether a thread without token sleeps in its system call. */
bool watch_asleep(const struct thread *th);

/* Whether a thread that was ending has ended. */
bool watch_gone(const struct thread *th);

/* Whether all threads but the calling one and those that wait for their
 * turn sleep for good, and all child processes, too. */
bool watch_asleep_all(void);

enum watched { WATCH_NOTHING, WATCH_EXCLUSIVE, WATCH_CALL };

/*
 * Why nothing moves: the holder waits inside QEMU for all others to leave
 * the block they are in, or it sleeps in a system call; WATCH_NOTHING if
 * somebody of this process still runs.
 */
enum watched watch_holder(const struct thread *holder);

/* Whether a thread sleeps, in whatever. */
bool watch_sleeps(const struct thread *th);

/* turns_calls.c */

enum turn_kind {
	TURN_OTHER,	/* returns without help of another thread */
	TURN_BLOCK,	/* may block, once what it needs has been looked at */
	TURN_CLONE,	/* creates a thread */
	TURN_EXIT,
	TURN_EXIT_GROUP,
	TURN_LAST,	/* may end the process: execve, kill */
};

/* A system call as the turns see it. */
struct turn_call {
	enum turn_kind kind;
	u64 futex;		/* TURN_BLOCK: waits on it */
	u64 sleep_ns;		/* TURN_BLOCK: only sleeps */
};

struct turn_call turn_call_look(s64 number, const u64 arg[8]);

/*
 * If the call chooses a context for a thread: true, its thread id (0: the
 * calling one) and the context.
 */
bool turn_call_affinity(s64 number, const u64 arg[8], pid_t *tid, unsigned *tc);

/* turns_free.c; the lock is not held unless it says so */

/* From here on nobody takes turns.  The lock is held. */
void free_begin(void);
bool free_now(void);

/* Enters a block; true if th is alone and the fast path can take over. */
bool free_block(struct thread *th, struct block *t);
void free_access(struct thread *th, const struct block_access *a, u64 va,
		 unsigned bytes, bool store);

/* A system call but for clone, exit_group and the choice of a context. */
void free_call(struct thread *th, const struct turn_call *call);
void free_call_return(struct thread *th, s64 result);

#endif
