/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The token.  Its holder executes; the others wait inside a block that they
 * have entered, or on their way out of a system call, or are blocked in one.
 *
 * The thread that takes the token, or has made a system call with it, first
 * waits until each blocked thread sleeps or is back; those that are back are
 * admitted together, in order of creation.  A wake-up makes a thread
 * runnable before the call that wakes it returns, so that none is missed.
 * Timed waits end when the machine's clock says so.
 *
 * QEMU stops all threads for exclusive work (an atomic access that it must
 * emulate, the first clone, fork): it waits until none is inside a block.
 * Threads that wait here for a turn would never leave theirs.  They look
 * from time to time whether the holder is caught in such a wait, and then
 * execute the one block that they are in, out of turn, one after the other.
 * Which threads these are, and which blocks, is the same in every run.
 */
#include "machine/pmu.h"
#include "target/regioning.h"
#include "turns_internal.h"

#include <sched.h>
#include <stdlib.h>
#include <time.h>

#define WATCH_FIRST_NS 1000000u	/* patience before looking at the holder */
#define WATCH_LAST_NS 8000000u
#define STUCK_LOOKS 64		/* before all are taken for stuck */
#define CALLED_NS 1000000000u	/* of the process's time: see call_holder() */
#define DEFAULT_QUANTUM 2000u

u32
turns_quantum(void)
{
	u32 n = target.config->topo.quantum;

	return n ? n : DEFAULT_QUANTUM;
}

/* Signals that QEMU's threads count are the holder's. */
void
token_give(struct thread *th)
{
	if (turns.holder != th)
		turns.alone = 0;
	__atomic_store_n(&turns.holder, th, __ATOMIC_RELEASE);
	if (!th)
		return;
	turns.idle_since = 0;
	core.sig = target_slot()->sig[th->tc];
	pthread_cond_signal(&th->cond);
}

struct thread *
token_pass(void)
{
	struct merge_queue *q;

	pthread_mutex_lock(&turns.lock);
	q = merge_advance(turns.merge);
	token_give((struct thread *)q);
	if (!q && turns.alarm)
		idle_keep();
	if (!q)
		pthread_cond_signal(&turns.idle);
	for (struct thread *th = turns.first; th && !q; th = th->next)
		if (th->back)
			pthread_cond_signal(&th->cond);
	pthread_mutex_unlock(&turns.lock);
	return (struct thread *)q;
}

bool
token_wait_change(unsigned *looks)
{
	bool stuck;

	if (idle_wait(&turns.changed, WATCH_FIRST_NS))
		return !turns.free;
	pthread_mutex_unlock(&turns.lock);
	stuck = watch_asleep_all();
	pthread_mutex_lock(&turns.lock);
	*looks = stuck ? *looks + 1 : 0;
	if (*looks == STUCK_LOOKS)
		free_begin();
	return !turns.free;
}

static void
go_on(struct thread *th)
{
	th->state = THREAD_RUNS;
	th->back = th->asleep = false;
	th->futex = 0;
	th->wake = 0;
}

void
token_admit(struct thread *th)
{
	bool timed = th->wake || th->over;

	go_on(th);
	merge_admit(turns.merge, &th->q, th->tc);
	if (timed)
		merge_preempt(turns.merge, &th->q);
}

/* The same for one that is back: where the one that has woken it stands, or, if
 * time is over, at once. */
static void
admit_back(struct thread *th)
{
	if (th->wake || th->over || !turns.waker) {
		token_admit(th);
		return;
	}
	go_on(th);
	merge_admit_behind(turns.merge, &th->q, th->tc, &turns.waker->q);
}

/* A thread that has ended and been worked off. */
static void
bury(struct thread **link)
{
	struct thread *th = *link;

	*link = th->next;
	if (turns.waker == th)
		turns.waker = NULL;
	merge_forget(turns.merge, &th->q);
	calls_thread_free(&th->calls);
	pthread_cond_destroy(&th->cond);
	free(th);
}

void
token_see_off(void)
{
	struct thread *th;
	unsigned looks = 0;

	while (turns.ending && turns.ending->state == THREAD_ENDING &&
	       token_wait_change(&looks))
		;
	th = turns.ending;
	turns.ending = NULL;
	pthread_mutex_unlock(&turns.lock);
	while (th && !free_now() && !watch_gone(th))
		sched_yield();
	if (turns.unsettled)
		idle_settle();
	turns.unsettled = false;
	pthread_mutex_lock(&turns.lock);
}

void
token_settle(void)
{
	struct thread **link = &turns.first;
	bool goes_on;

	pthread_mutex_lock(&turns.lock);
	turns.busy = true;
	turns.called = false;
	token_see_off();
	while (*link && !turns.free) {
		struct thread *th = *link;

		if (th->state == THREAD_GONE && th->q.tc < 0) {
			bury(link);
			continue;
		}
		wait_restore(th);
		if (th->state == THREAD_BLOCKED) {
			pthread_mutex_unlock(&turns.lock);
			goes_on = idle_goes_on(th);
			pthread_mutex_lock(&turns.lock);
			if (goes_on)
				admit_back(th);
		}
		link = &th->next;
	}
	turns.busy = false;
	pthread_mutex_unlock(&turns.lock);
}

/*
 * The first one inside a block executes it; the next one when this one
 * sleeps, too.  The lock is held.
 */
static void
escape_first(void)
{
	for (struct thread *th = turns.first; th; th = th->next) {
		if (!th->parked || th->escape)
			continue;
		th->escape = true;
		turns.progress++;
		pthread_cond_signal(&th->cond);
		return;
	}
}

/* The holder blocks in a call that is not known to: th takes the token.  When
 * the holder comes back is up to others, such as a child process. */
static void
take_over(struct thread *holder, struct thread *th)
{
	pmu_mark_unrepeatable(target.map.m);
	holder->state = THREAD_BLOCKED;
	holder->in_call = false;
	holder->wake = 0;
	merge_leave(turns.merge, &holder->q);
	/* It was ended beside the call, while the machine's clock stood. */
	if (th->over)
		turns_clock_wait(th->until);
	token_admit(th);
	token_give(th);
}

/* What th has seen of the holder. */
struct observed {
	struct thread *holder;
	u64 progress;
	u64 ns;			/* until the next look */
	u64 since;		/* time of the process: th was back; 0: is not */
	struct patience patience;
};

/* A holder that waits has been given the token: it moves as soon as the host lets
 * it wake, which may take a virtual machine many of our looks. */
static bool
has_moved(const struct observed *o)
{
	return !turns.holder || turns.holder != o->holder || turns.solo ||
	       turns.progress != o->progress || turns.busy ||
	       turns.holder->waits;
}

/*
 * The holder does not move.  It loses the token if it is in a system call;
 * otherwise there are no turns any more.  True if th has the token.
 */
static bool
do_without(struct thread *th, enum patience_says what)
{
	if (what == PATIENCE_TAKE_OVER && turns.holder->in_call &&
	    th->state != THREAD_ENDING) {
		take_over(turns.holder, th);
		return true;
	}
	if (what == PATIENCE_FREE || !turns.holder->in_call)
		free_begin();
	return false;
}

/*
 * What has let th go on was no thread that takes turns, such as a signal from
 * outside: the holder does not look for that before it makes a system call,
 * so that it is found at the same place in each run.  If it makes none, it is
 * told to look, however far it has come.
 */
static void
call_holder(const struct thread *th, struct observed *o)
{
	u64 now = clock_host(CLOCK_PROCESS_CPUTIME_ID);

	if (!th->back || th->wake || turns.called) {
		o->since = 0;
	} else if (!o->since) {
		o->since = now;
	} else if (now - o->since > CALLED_NS) {
		turns.called = true;
		pmu_mark_unrepeatable(target.map.m);
		if (turns.solo) {
			__atomic_store_n(&core.told, true, __ATOMIC_RELAXED);
			/* For code that looks at nothing else. */
			__atomic_store_n(&core.deadline, 0, __ATOMIC_RELAXED);
			if (turns_engine->call)
				turns_engine->call(turns.holder->tid);
		}
	}
}

/* Nothing has moved for a while; the lock is held, but not all the time.
 * True if th has the token now. */
static bool
look_at_holder(struct thread *th, struct observed *o)
{
	enum patience_says what;
	enum watched why;

	if (has_moved(o)) {
		o->holder = turns.holder;
		o->progress = turns.progress;
		o->ns = o->ns < WATCH_LAST_NS ? 2 * o->ns : o->ns;
		patience_reset(&o->patience);
		call_holder(th, o);
		return false;
	}
	o->ns = WATCH_FIRST_NS;
	pthread_mutex_unlock(&turns.lock);
	why = watch_holder(o->holder);
	pthread_mutex_lock(&turns.lock);
	if (has_moved(o))
		return false;
	what = patience_look(&o->patience, why, clock_host(CLOCK_MONOTONIC));
	if (what == PATIENCE_ESCAPE)
		escape_first();
	else if (what != PATIENCE_WAIT)
		return do_without(th, what);
	return false;
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
 * which comes first, and turns are over.
 */
void
token_gather(void)
{
	unsigned looks = 0;

	pthread_mutex_lock(&turns.lock);
	turns.busy = true;
	while (turns.away && token_wait_change(&looks))
		;
	turns.busy = false;
	pthread_mutex_unlock(&turns.lock);
}

enum parked
token_wait(struct thread *th, bool in_block)
{
	struct observed o = {.ns = WATCH_FIRST_NS};

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
		if (!turns.holder && th->back && idle_take())
			pthread_cond_signal(&turns.idle);
		if (turns.holder == th)
			break;
		if (in_block && th->escape) {
			th->escape = th->parked = th->waits = false;
			th->away = true;
			turns.away++;
			pthread_mutex_unlock(&turns.lock);
			return PARKED_ESCAPED;
		}
		if (!idle_wait(&th->cond, o.ns) && !th->escape &&
		    turns.holder != th && look_at_holder(th, &o))
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
