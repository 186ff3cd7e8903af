/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Several hardware contexts on one pipeline, cycle by cycle.
 *
 * Threads do not run at the same time: each records the blocks that it
 * executes and the addresses that they access into a queue of its own.  The
 * merge works the queues off in the order of the machine's cycles: contexts
 * that can issue do so in turn, one instruction per cycle, over the shared
 * caches, TLBs and predictors of struct core, and a miss of one is filled by
 * instructions of the others.  When a context has nothing left to issue, its
 * thread is the one that has to execute next.
 *
 * A cycle is counted once: as an issue, as a slot lost to a wrong path, as a
 * fetch stall if all contexts wait for fetch, else as the stall that keeps
 * back the context which issues first afterwards.  Stalls count for that
 * context, everything else for the one that causes it.
 *
 * Several threads can share a context: they take turns of
 * topology_config.time_slice instructions.  On a machine of one context, whole
 * blocks go through the core as on the fast path.
 *
 * On a machine of several CPUs each context is one, see merge_cpus.h.
 */
#ifndef SIM_MERGE_H
#define SIM_MERGE_H

#include "core/core.h"

#include <errno.h>

/* An access that an instruction of a recorded block has made. */
struct merge_access {
	u64 va;
	const struct block_access *access;
	u16 bytes;
	u16 insn;		/* of its block: access->insn */
	bool store;
	bool stored;		/* by a store-conditional */
};

/* A block that was executed, and its accesses. */
struct merge_record {
	struct block *block;	/* NULL: so many instructions as first says, of
				   blocks that have been counted */
	u32 first;		/* of its accesses */
	u32 end;
	u32 path;		/* of calls: merge_queue.path */
	u32 mark;		/* it comes behind that one: regions_mark();
				   0: none */
};

/*
 * What one thread has executed and the merge has not worked off: two rings.
 * Indices count up and are used modulo the rings' sizes.
 */
struct merge_queue {
	struct merge_record *record;
	struct merge_access *access;
	u32 record_mask, access_mask;
	u32 head, tail;		/* records worked off, records complete */
	u32 end;		/* records up to which none is to be admitted */
	u32 access_tail;
	u32 access_room;	/* there is room for accesses up to it, or more */
	bool open;		/* record[tail] is being executed */
	u32 path;		/* of calls, that leads to what is entered next,
				   see calls.h */
	u32 mark;		/* number of the marker that what is entered
				   next comes behind, see regions.h; 0: none */
	u32 recorded;		/* instructions since it was cleared */
	struct block *prev;	/* worked off last, NULL: none */
	const struct block *ahead; /* where it goes on, NULL: not known */

	/* Of the merge. */
	struct region_thread *regions; /* that its thread is in, or NULL */
	struct merge_queue *next; /* on the same context */
	s32 tc;			/* -1: not admitted */
	bool leaving;		/* nothing more will be recorded for now */
	bool yields;		/* its time slice ends with what is recorded */
	bool preempts;		/* it goes on before the first of its context does */
	s64 left;		/* of its time slice, when another one preempted it */
	struct merge_queue *woken; /* to be admitted when head is at their at */
	struct merge_queue *waker; /* this one is among those; NULL: no */
	struct merge_queue *also; /* the next of them */
	u32 at;
	unsigned to;		/* context */
};

struct merge;

/* An empty queue: 0 or -ENOMEM. */
int merge_queue_init(struct merge_queue *q);
void merge_queue_free(struct merge_queue *q);

/* Room for one more record, or access; 0 or -ENOMEM. */
int merge_queue_grow(struct merge_queue *q);
int merge_queue_grow_accesses(struct merge_queue *q);

/* What the thread has executed is complete: it enters no block next. */
SIM_INLINE void
merge_queue_commit(struct merge_queue *q)
{
	struct merge_record *r = &q->record[q->tail & q->record_mask];

	if (!q->open)
		return;
	r->end = q->access_tail;
	q->recorded += r->block->n_insn;
	q->open = false;
	q->tail++;
	if (SIM_LIKELY(!q->woken))
		q->end = q->tail;
}

/* The thread enters a block: what it executed before is complete.  0 or
 * -ENOMEM, then it is not recorded. */
SIM_INLINE int
merge_queue_block(struct merge_queue *q, struct block *t)
{
	merge_queue_commit(q);
	q->ahead = NULL;
	if (SIM_UNLIKELY(q->tail - q->head > q->record_mask) &&
	    merge_queue_grow(q))
		return -ENOMEM;
	q->record[q->tail & q->record_mask] =
		(struct merge_record){.block = t, .first = q->access_tail,
				      .path = q->path, .mark = q->mark};
	/* Not each time: the host would wait for it where both are copied. */
	if (SIM_UNLIKELY(q->mark))
		q->mark = 0;
	q->open = true;
	return 0;
}

/* The thread has executed so many instructions, or fewer than was said before, and
 * they have been counted: all that it records then, with merge_counts().  0 or
 * -ENOMEM. */
int merge_queue_counted(struct merge_queue *q, s32 insns);

/* The block that it is in accesses memory.  0 or -ENOMEM. */
SIM_INLINE int
merge_queue_access(struct merge_queue *q, const struct block_access *a,
		   u64 va, unsigned bytes, bool store)
{
	if (!q->open)
		return 0;
	if (SIM_UNLIKELY(q->access_tail == q->access_room) &&
	    merge_queue_grow_accesses(q))
		return -ENOMEM;
	q->access[q->access_tail++ & q->access_mask] =
		(struct merge_access){.va = va, .access = a,
				      .bytes = (u16)bytes, .insn = a->insn,
				      .store = store};
	return 0;
}

/* Its last access, if it is that one, was a store-conditional's that has
 * stored. */
void merge_queue_stored(struct merge_queue *q, const struct block_access *a);

/*
 * Of the block that it is in it executes no more than the beginning, which
 * is a block of its own, or nothing at all (NULL).
 */
void merge_queue_cut(struct merge_queue *q, struct block *beginning);

/* Forgets everything: it was counted elsewhere. */
void merge_queue_clear(struct merge_queue *q);

/* A merge over a core, which stays the caller's; NULL without memory. */
struct merge *merge_new(struct core *c);
void merge_free(struct merge *m);

/* Whether all is modelled, which is so at first; else blocks and branches are
 * counted alone, on a machine of one context, and an instruction takes a cycle.
 * Before merge_begin(). */
void merge_model(struct merge *m, bool all);

/* Whether it counts blocks and branches alone. */
bool merge_counts(const struct merge *m);

/*
 * Takes the core over from the fast path.  Signals count in sig, one row per
 * context; tc is the context that the fast path ran on.
 */
void merge_begin(struct merge *m, u64 (*sig)[SIG_N], unsigned tc);

/* Before it does so where that block would be entered, not in a system
 * call: the fast path ends the one before it. */
void merge_stop(struct merge *m, const struct block *next);

/* On a machine of one context, where all has been worked off: the block that the core
 * is in is over, and so is what it is not known of which thread comes next. */
void merge_rest(struct merge *m);

/* The core is in the block that the thread of q has entered last. */
void merge_goes_on(struct merge *m, const struct merge_queue *q);

/*
 * Gives the core back after everything has been worked off: the fast path
 * goes on with the thread of q, or with one that has not been here (NULL), on
 * context tc.  The caller binds the core.
 */
void merge_end(struct merge *m, const struct merge_queue *q, unsigned tc);

/* The thread of queue q delivers records from now on, on that context. */
void merge_admit(struct merge *m, struct merge_queue *q, unsigned tc);

/* It goes on before the first thread of its context does, once that one has executed
 * for a small part of a time slice in turn.  That one goes on behind it, with what is
 * left of its time slice, so that others have theirs however often it is preempted. */
void merge_preempt(struct merge *m, struct merge_queue *q);

/* As merge_admit() once all that another thread has recorded so far is worked off: q
 * starts where that one stands. */
void merge_admit_behind(struct merge *m, struct merge_queue *q, unsigned tc,
			struct merge_queue *waker);

/* It will not deliver any more until it is admitted again; what it has
 * recorded is worked off first. */
void merge_leave(struct merge *m, struct merge_queue *q);

/* Others on its context go on when what it has recorded is worked off; false: no other
 * thread can go on, there or elsewhere. */
bool merge_yield(struct merge *m, struct merge_queue *q);

/*
 * Works off records until an admitted thread has to deliver more: its queue,
 * or NULL if all have left.  Afterwards signals counted through core.sig are
 * those of that thread's context.
 */
struct merge_queue *merge_advance(struct merge *m);

/* The thread of q goes on on another context; all must have been worked
 * off. */
void merge_move(struct merge *m, struct merge_queue *q, unsigned tc);

/* Works off all that is complete, even where a thread may deliver more
 * later. */
void merge_drain(struct merge *m);

/* The thread of q has ended, and all that it recorded has been worked off:
 * frees q, and the regions that it was in. */
void merge_forget(struct merge *m, struct merge_queue *q);

/* The thread that a context runs, NULL if it runs none; and a function that
 * is called before it is another one. */
struct merge_queue *merge_running(const struct merge *m, unsigned tc);
void merge_watch(struct merge *m, void (*changes)(void));

/* The process ends: what has not been accounted yet but of the merge's own
 * core, which the caller settles. */
void merge_settle(struct merge *m);

/* In a child just forked: what is under way but on the merge's own core is its
 * parent's, and counted there. */
void merge_child(struct merge *m);

#endif
