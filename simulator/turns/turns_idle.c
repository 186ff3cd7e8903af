/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * No thread can run, or a thread may go on.
 *
 * What a blocked thread does when it is woken must not depend on how quickly
 * it wakes: the thread that looks first waits until each blocked thread sleeps
 * or is back.  If all sleep and one of them for some time only, the machine's
 * clock moves on to that time at once.  All threads of the target may be
 * asleep then, so a thread of ours looks, the keeper.
 */
#include "machine/pmu.h"
#include "turns_internal.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define KEEPER_STACK (1u << 20)	/* it looks at generations of processes */
#define PATIENT_CALLS 1000u	/* of others, before sleeps end on time */

bool
idle_wait(pthread_cond_t *cond, u64 ns)
{
	struct timespec ts;

	ns += clock_host(CLOCK_MONOTONIC);
	ts.tv_sec = (time_t)(ns / 1000000000u);
	ts.tv_nsec = (long)(ns % 1000000000u);
	return pthread_cond_timedwait(cond, &turns.lock, &ts) != ETIMEDOUT;
}

/* Whether a thread that was not known to sleep does not. */
static bool
somebody_moves(void)
{
	bool moves = false;

	for (struct thread *th = turns.first; th; th = th->next) {
		if (th->state != THREAD_BLOCKED || th->asleep ||
		    turns_is_back(th))
			continue;
		th->asleep = watch_asleep(th);
		moves |= !th->asleep;
	}
	return moves;
}

/* One that comes back may have woken others that slept before: until
 * nothing moves any more. */
void
idle_settle(void)
{
	bool moves = true;

	while (!free_now() && moves) {
		u64 now = __atomic_load_n(&turns.returns, __ATOMIC_ACQUIRE);

		if (now != turns.returns_seen)
			idle_unsettle(0);
		turns.returns_seen = now;
		moves = somebody_moves();
		if (moves)
			sched_yield();
		moves |= now != __atomic_load_n(&turns.returns,
						__ATOMIC_ACQUIRE);
	}
}

void
idle_unsettle(u64 futex)
{
	turns.unsettled = true;
	for (struct thread *th = turns.first; th; th = th->next)
		if (!futex || th->futex == futex)
			th->asleep = false;
}

/* Of the blocked threads: the first that has been woken, else the one whose
 * time is over first. */
static struct thread *
first_to_go(void)
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
	return sleeper;
}

u64
idle_take(void)
{
	struct thread *th;
	u64 host;

	if (turns.idling)
		return 0;
	turns.idling = true;
	idle_unsettle(0);
	token_see_off();
	for (th = turns.first; th; th = th->next)
		wait_restore(th);
	th = first_to_go();
	if (alarm_in_idle(th, &host)) {
		turns.idling = false;
		return host;
	}
	if (th && th->wake && !wait_due_on_host(th)) {
		turns.idling = false;
		return th->host_due;
	}
	if (th && th->wake) {
		turns_clock_wait(th->wake);
		pthread_mutex_unlock(&turns.lock);
		wait_end(th);
		pthread_mutex_lock(&turns.lock);
	}
	turns.idling = false;
	if (!th || turns.free || turns.exiting)
		return 0;
	token_admit(th);
	token_give(th);
	return 0;
}

void
idle_wake(void)
{
	u64 now = core_cycle(&core);
	bool due = __atomic_load_n(&turns.called, __ATOMIC_RELAXED);

	for (const struct thread *th = turns.first; th; th = th->next)
		due |= th->state == THREAD_BLOCKED && th->wake &&
		       th->overdue <= now;
	if (due)
		token_settle();
}

/* Its time is over on the host, too, or others make so many calls that they may
 * be waiting for it. */
static bool
is_due(const struct thread *th)
{
	u64 now = core_cycle(&core);

	return th->wake && th->wake <= now &&
	       (th->overdue <= now ||
		turns.calls - th->calls_before > PATIENT_CALLS);
}

bool
idle_goes_on(struct thread *th)
{
	bool due = is_due(th);

	if (due)
		wait_end(th);
	return turns_is_back(th) && (due || !th->wake);
}

/* ---- The keeper ------------------------------------------------------ */

#define CALL_LOOK_NS 100000000u	/* from one look at the holder's call to the next */
#define CALL_LOOKS 10u		/* that all sleep, before others wake beside it */

/* Whether a thread waits for some time, or is about to. */
static bool
has_waits(void)
{
	for (const struct thread *th = turns.first; th; th = th->next)
		if (th->wake)
			return true;
	return false;
}

/* Whether the holder, and all that it has started, sleeps. */
static bool
holder_sleeps(void)
{
	const struct thread *holder = turns.holder;
	u64 progress = turns.progress;
	enum watched why;

	pthread_mutex_unlock(&turns.lock);
	why = watch_holder(holder);
	pthread_mutex_lock(&turns.lock);
	return (why == WATCH_DOZES || why == WATCH_CALL) &&
	       holder == turns.holder && progress == turns.progress;
}

/*
 * The machine's clock stands while the holder is in a call that others do not go
 * on beside, such as a wait for a child.  If that sleeps, one that sleeps, too, may
 * be there to end it, so that waits that are over by the host's clock end then.
 * When to look again; 0: there is nothing to look for.
 */
static u64
look_beside_call(void)
{
	static unsigned looks;
	static u64 progress;
	bool moved = progress != turns.progress || !turns.holder->in_call;
	u64 next = 0;

	if (!has_waits())
		return 0;
	progress = turns.progress;
	looks = !moved && holder_sleeps() ? looks + 1 : 0;
	if (looks >= CALL_LOOKS) {
		pmu_mark_unrepeatable(target.map.m);
		next = wait_end_overdue();
	}
	return next ? next : clock_host(CLOCK_MONOTONIC) + CALL_LOOK_NS;
}

/* Where threads take turns; when to look again, or 0.  One that is given the token
 * leaves others that wait. */
static u64
look(void)
{
	u64 next = 0;

	if (!core.recording || turns.exiting)
		return 0;
	if (!turns.holder)
		next = idle_take();
	return turns.holder ? look_beside_call() : next;
}

static void *
keep(void *unused)
{
	u64 next, now;

	pthread_mutex_lock(&turns.lock);
	turns.keeper = (pid_t)syscall(SYS_gettid);
	for (;;) {
		next = turns.free ? wait_end_overdue() : look();
		turns.keeps = next;
		now = clock_host(CLOCK_MONOTONIC);
		if (!next)
			pthread_cond_wait(&turns.idle, &turns.lock);
		else if (next > now)
			idle_wait(&turns.idle, next - now);
	}
	return unused;
}

void
idle_keep(void)
{
	pthread_attr_t attr;
	sigset_t all, old;
	pthread_t thread;

	if (turns.kept) {
		if (!turns.keeps)
			pthread_cond_signal(&turns.idle);
		return;
	}
	sigfillset(&all);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, KEEPER_STACK);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	turns.kept = !pthread_create(&thread, &attr, keep, NULL);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	pthread_attr_destroy(&attr);
}
