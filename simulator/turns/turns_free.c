/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads out of turn: they execute whenever the host lets them, and what
 * they record is worked off under the lock.  The machine is the same, but
 * no two runs are.  This is so on request, and from the moment on that
 * taking turns got stuck, which must not stop the target; an engine under which
 * that cannot be says so, and ends it.
 */
#include "machine/pmu.h"
#include "turns_internal.h"

#include <errno.h>

void
free_begin(void)
{
	if (turns.free)
		return;
	if (!turns_engine->free)
		process_die("threads that cannot take turns", EDEADLK);
	pmu_mark_unrepeatable(target.map.m);
	__atomic_store_n(&turns.free, true, __ATOMIC_RELEASE);
	for (struct thread *th = turns.first; th; th = th->next)
		pthread_cond_signal(&th->cond);
	pthread_cond_broadcast(&turns.changed);
	pthread_cond_signal(&turns.idle);
}

bool
free_now(void)
{
	return __atomic_load_n(&turns.free, __ATOMIC_ACQUIRE);
}

/* The lock is held. */
static void
record(struct thread *th, struct block *t)
{
	struct merge_queue *q = &th->q;

	if (q->leaving || q->tc < 0)
		merge_admit(turns.merge, q, th->tc);
	if (merge_queue_block(q, t))
		turns_no_memory();
	if (q->recorded < turns_quantum())
		return;
	q->recorded = 0;
	pmu_mark_unrepeatable(target.map.m);
	merge_drain(turns.merge);
}

bool
free_block(struct thread *th, struct block *t)
{
	bool alone;

	pthread_mutex_lock(&turns.lock);
	th->state = THREAD_RUNS;
	th->last = t;
	th->accessed = 0;
	alone = turns.alive == 1 && !turns.merge_always;
	if (!turns.exiting && !alone)
		record(th, t);
	pthread_mutex_unlock(&turns.lock);
	return alone;
}

void
free_access(struct thread *th, const struct block_access *a, u64 va,
	    unsigned bytes, bool store)
{
	pthread_mutex_lock(&turns.lock);
	if (merge_queue_access(&th->q, a, va, bytes, store))
		turns_no_memory();
	pthread_mutex_unlock(&turns.lock);
}

void
free_stored(struct thread *th, const struct block_access *a)
{
	pthread_mutex_lock(&turns.lock);
	merge_queue_stored(&th->q, a);
	pthread_mutex_unlock(&turns.lock);
}

/* The thread's last records are worked off; no more will come. */
static void
end_thread(struct thread *th)
{
	if (turns.alive == 1)
		return;
	th->state = THREAD_ENDING;
	turns.alive--;
	pmu_mark_unrepeatable(target.map.m);
	merge_leave(turns.merge, &th->q);
	merge_drain(turns.merge);
	if (th->q.tc < 0)
		merge_forget(turns.merge, &th->q);
}

void
free_call(struct thread *th, const struct turn_call *call)
{
	pthread_mutex_lock(&turns.lock);
	merge_queue_commit(&th->q);
	switch (call->kind) {
	case TURN_BLOCK:
		merge_leave(turns.merge, &th->q);
		break;
	case TURN_EXIT:
		end_thread(th);
		break;
	case TURN_LAST:
		merge_drain(turns.merge);
		break;
	default:
		break;
	}
	pthread_mutex_unlock(&turns.lock);
}

void
free_call_return(struct thread *th, s64 result)
{
	struct thread *child = th->created;

	pthread_mutex_lock(&turns.lock);
	th->created = NULL;
	th->in_call = th->back = false;
	if (th->state == THREAD_BLOCKED) {
		wait_back(th, result);
		th->state = THREAD_RUNS;
	}
	if (child && result < 0) {
		turns.alive--;
		child->state = THREAD_GONE;
	}
	pthread_mutex_unlock(&turns.lock);
}
