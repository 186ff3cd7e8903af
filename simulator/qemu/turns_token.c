/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The token.  Its holder executes; the others wait inside a block that they
 * have entered, or on their way out of a system call, or are blocked in one.
 *
 * What a blocked thread does when it is woken must not depend on how quickly
 * it wakes.  So whoever takes the token, and whoever has made a system call
 * with it, first waits until each blocked thread sleeps or is back; those
 * that are back are admitted together, in order of creation.  A wake-up
 * makes a thread runnable before the call that wakes it returns, so that
 * none is missed.  Sleeps end when the machine's clock says so, and not
 * before the thread is back.
 *
 * QEMU stops all threads for exclusive work (an atomic access that it must
 * emulate, the first clone, fork): it waits until none is inside a block.
 * Threads that wait here for a turn would never leave theirs.  They look
 * from time to time whether the holder is caught in such a wait, and then
 * execute the one block that they are in, out of turn.  Which threads these
 * are, and which blocks, is the same in every run.
 */
#include "turns_internal.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define WATCH_FIRST_NS 1000000u	/* patience before looking at the holder */
#define WATCH_LAST_NS 8000000u
#define STUCK_NS 2000000000u	/* nothing has moved for too long */
#define STUCK_LOOKS 16		/* before all are taken for stuck */
#define CALL_LOOKS 32		/* before a call is taken for one that blocks */

/* Only the clock of waiting: nothing that counts depends on it. */
static bool
wait_for(pthread_cond_t *cond, u64 ns)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	ns += (u64)ts.tv_nsec;
	ts.tv_sec += (time_t)(ns / 1000000000u);
	ts.tv_nsec = (long)(ns % 1000000000u);
	return pthread_cond_timedwait(cond, &turns.lock, &ts) != ETIMEDOUT;
}

/* The lock is held.  Signals that QEMU's threads count are the holder's. */
static void
give(struct thread *th)
{
	__atomic_store_n(&turns.holder, th, __ATOMIC_RELEASE);
	if (!th)
		return;
	core.sig = plugin.map.m->slot[plugin.slot].sig[th->tc];
	pthread_cond_signal(&th->cond);
}

struct thread *
token_pass(void)
{
	struct merge_queue *q;

	pthread_mutex_lock(&turns.lock);
	q = merge_advance(turns.merge);
	give((struct thread *)q);
	for (struct thread *th = turns.first; th && !q; th = th->next)
		if (th->back)
			pthread_cond_signal(&th->cond);
	pthread_mutex_unlock(&turns.lock);
	return (struct thread *)q;
}

bool
token_wait_change(u64 *waited)
{
	if (!wait_for(&turns.changed, WATCH_FIRST_NS))
		*waited += WATCH_FIRST_NS;
	if (*waited >= STUCK_NS)
		free_begin();
	return !turns.free;
}

/* All that time does while nobody can run. */
static void
idle_until(u64 cycle)
{
	u64 now = core_cycle(&core);

	if (cycle <= now)
		return;
	core.epoch += cycle - now;
	core.deadline = 0;
}

static void
admit(struct thread *th)
{
	th->state = THREAD_RUNS;
	th->back = false;
	th->futex = 0;
	th->wake = 0;
	merge_admit(turns.merge, &th->q, th->tc);
}

/* The thread that can go on first, of those that are blocked; NULL if it is
 * not back yet, or if there is none. */
static struct thread *
first_back(void)
{
	struct thread *sleeper = NULL;

	for (struct thread *th = turns.first; th; th = th->next) {
		if (th->state != THREAD_BLOCKED)
			continue;
		if (!th->wake && th->back)
			return th;
		if (th->wake && (!sleeper || th->wake < sleeper->wake))
			sleeper = th;
	}
	return sleeper && sleeper->back ? sleeper : NULL;
}

static bool
is_back(const struct thread *th)
{
	return __atomic_load_n(&th->back, __ATOMIC_ACQUIRE);
}

/*
 * Waits until each blocked thread sleeps or is back.  One that comes back
 * may have woken others that slept before: until nothing moves any more.
 */
static void
wait_settled(void)
{
	unsigned before = ~0u, backs = 0;
	bool moves = true;

	while (!free_now() && (moves || backs != before)) {
		before = backs;
		backs = 0;
		moves = false;
		for (struct thread *th = turns.first; th; th = th->next) {
			if (th->state != THREAD_BLOCKED)
				continue;
			if (is_back(th))
				backs++;
			else if (!watch_asleep(th))
				moves = true;
		}
		if (moves)
			sched_yield();
	}
}

/* Nobody can run: the first that is back takes the token.  The lock is
 * held. */
static void
take_idle(void)
{
	struct thread *th;

	wait_settled();
	th = first_back();
	if (!th)
		return;
	idle_until(th->wake);
	admit(th);
	give(th);
}

/* Whether the blocked thread can go on.  A sleep that is over on the
 * machine's clock is waited for. */
static bool
can_go_on(const struct thread *th)
{
	bool due = !th->wake || th->wake <= core_cycle(&core);

	turns.dozing = true;
	while (th->wake && due && !free_now() && !is_back(th))
		usleep(100);
	turns.dozing = false;
	return due && is_back(th);
}

/* A thread that has ended and been worked off. */
static void
bury(struct thread **link)
{
	struct thread *th = *link;

	*link = th->next;
	merge_queue_free(&th->q);
	pthread_cond_destroy(&th->cond);
	free(th);
}

/* The thread that is ending has woken who waits for its end when the kernel
 * knows it no more.  The lock is held, but not all the time. */
static void
see_off(void)
{
	struct thread *th;
	u64 waited = 0;

	while (turns.ending && turns.ending->state == THREAD_ENDING &&
	       token_wait_change(&waited))
		;
	th = turns.ending;
	turns.ending = NULL;
	pthread_mutex_unlock(&turns.lock);
	while (th && !free_now() && !watch_gone(th))
		sched_yield();
	wait_settled();
	pthread_mutex_lock(&turns.lock);
}

void
token_settle(void)
{
	struct thread **link = &turns.first;
	bool goes_on;

	pthread_mutex_lock(&turns.lock);
	turns.busy = true;
	see_off();
	while (*link && !turns.free) {
		struct thread *th = *link;

		if (th->state == THREAD_GONE && th->q.tc < 0) {
			bury(link);
			continue;
		}
		if (th->state == THREAD_BLOCKED) {
			pthread_mutex_unlock(&turns.lock);
			goes_on = can_go_on(th);
			pthread_mutex_lock(&turns.lock);
			if (goes_on)
				admit(th);
		}
		link = &th->next;
	}
	turns.busy = false;
	pthread_mutex_unlock(&turns.lock);
}

/* Everybody inside a block executes it.  The lock is held. */
static void
escape_all(void)
{
	for (struct thread *th = turns.first; th; th = th->next) {
		if (!th->parked)
			continue;
		th->escape = true;
		pthread_cond_signal(&th->cond);
	}
}

/* The holder blocks in a call that is not known to: th takes the token.  When
 * the holder comes back is up to others, such as a child process. */
static void
take_over(struct thread *holder, struct thread *th)
{
	plugin.map.m->unrepeatable = true;
	holder->state = THREAD_BLOCKED;
	holder->in_call = false;
	merge_leave(turns.merge, &holder->q);
	if (th->state == THREAD_BLOCKED)
		admit(th);
	give(th);
}

/* What th sees of the holder while it waits. */
struct patience {
	struct thread *holder;
	u64 progress;
	u64 stuck;		/* ns without any progress */
	u64 ns;
	unsigned calls;
};

/* Time has passed: whether nothing at all has moved for too long, though
 * the holder does not execute. */
static bool
is_stuck(struct patience *p)
{
	struct thread *holder = turns.holder;

	if (holder != p->holder || turns.progress != p->progress || !holder ||
	    turns.dozing || !watch_sleeps(holder))
		p->stuck = 0;
	else
		p->stuck += p->ns;
	return p->stuck >= STUCK_NS;
}

/*
 * The last resort.  A holder that is in a system call loses the token, which
 * rests on time only: no other run needs to do the same.  Everything else
 * ends the turns.  True if th has the token.
 */
static bool
escape_stuck(struct thread *th)
{
	if (!turns.holder->in_call || turns.busy ||
	    th->state == THREAD_ENDING) {
		free_begin();
		return false;
	}
	take_over(turns.holder, th);
	return true;
}

/* Nothing has moved for a while; the lock is held, but not all the time.
 * True if th has the token now. */
static bool
look_at_holder(struct thread *th, struct patience *p)
{
	struct thread *holder = turns.holder;
	enum watched why;

	if (is_stuck(p) && escape_stuck(th))
		return true;
	if (holder != p->holder || turns.progress != p->progress ||
	    !holder || turns.busy) {
		p->holder = holder;
		p->progress = turns.progress;
		p->calls = 0;
		p->ns = p->ns < WATCH_LAST_NS ? 2 * p->ns : p->ns;
		return false;
	}
	p->ns = WATCH_FIRST_NS;
	pthread_mutex_unlock(&turns.lock);
	why = watch_holder(holder);
	pthread_mutex_lock(&turns.lock);
	if (holder != turns.holder || turns.progress != p->progress ||
	    turns.busy)
		return false;
	if (why == WATCH_EXCLUSIVE)
		escape_all();
	if (why != WATCH_CALL || th->state == THREAD_ENDING ||
	    ++p->calls < CALL_LOOKS)
		return false;
	take_over(holder, th);
	return true;
}

/* The process ends: QEMU wants threads out of their blocks, and what they
 * do counts no more.  Those in a system call stay there. */
static enum parked
leave_exiting(struct thread *th, bool in_block)
{
	static const struct timespec pause = {.tv_nsec = WATCH_FIRST_NS};

	th->parked = false;
	while (!in_block)
		pthread_cond_wait(&th->cond, &turns.lock);
	pthread_mutex_unlock(&turns.lock);
	nanosleep(&pause, NULL);
	return PARKED_EXITING;
}

static enum parked
leave_free(struct thread *th)
{
	th->escape = th->parked = th->waits = false;
	pthread_mutex_unlock(&turns.lock);
	return PARKED_FREE;
}

/* The lock is held. */
static void
come_back(struct thread *th)
{
	if (!th->away)
		return;
	th->away = false;
	if (!--turns.away)
		pthread_cond_broadcast(&turns.changed);
}

/*
 * They come back to their next block when QEMU's exclusive work is done.  If
 * one of them cannot, because it needs exclusive work itself, QEMU decides
 * who comes first, and turns are over.
 */
void
token_gather(void)
{
	u64 waited = 0, before;
	unsigned looks = 0;
	bool stuck;

	pthread_mutex_lock(&turns.lock);
	turns.busy = true;
	while (turns.away) {
		before = waited;
		if (!token_wait_change(&waited))
			break;
		if (before == waited)
			continue;
		pthread_mutex_unlock(&turns.lock);
		stuck = watch_asleep_all();
		pthread_mutex_lock(&turns.lock);
		looks = stuck && turns.away ? looks + 1 : 0;
		if (looks == STUCK_LOOKS)
			free_begin();
	}
	turns.busy = false;
	pthread_mutex_unlock(&turns.lock);
}

enum parked
token_wait(struct thread *th, bool in_block)
{
	struct patience p = {.ns = WATCH_FIRST_NS};

	pthread_mutex_lock(&turns.lock);
	th->waits = true;
	th->parked = in_block;
	if (th->state == THREAD_BLOCKED)
		th->back = true;
	come_back(th);
	while (turns.holder != th) {
		if (turns.exiting)
			return leave_exiting(th, in_block);
		if (turns.free)
			return leave_free(th);
		if (!turns.holder && th->back)
			take_idle();
		if (turns.holder == th)
			break;
		if (in_block && th->escape) {
			th->escape = th->parked = th->waits = false;
			th->away = true;
			turns.away++;
			pthread_mutex_unlock(&turns.lock);
			return PARKED_ESCAPED;
		}
		if (!wait_for(&th->cond, p.ns) && !th->escape &&
		    turns.holder != th && look_at_holder(th, &p))
			break;
	}
	if (turns.free)
		return leave_free(th);
	th->escape = th->parked = th->waits = false;
	pthread_mutex_unlock(&turns.lock);
	token_settle();
	return PARKED_TOKEN;
}

void
token_work_off(void)
{
	for (struct thread *th = turns.first; th; th = th->next)
		merge_queue_commit(&th->q);
	merge_drain(turns.merge);
}
