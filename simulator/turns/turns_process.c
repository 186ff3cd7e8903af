/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads and processes of a target come and go. */
#include "turns_internal.h"

#include "target/at_fork.h"
#include "target/regioning.h"

#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool start_pinned;

/* ---- Threads --------------------------------------------------------- */

static void
init_cond(pthread_cond_t *cond)
{
	pthread_condattr_t attr;

	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(cond, &attr);
	pthread_condattr_destroy(&attr);
}

/* The context with the fewest threads, the first of them. */
static unsigned
pick_context(void)
{
	unsigned load[SIM_MAX_TC] = {0}, best = 0;

	for (struct thread *th = turns.first; th; th = th->next)
		if (th->state < THREAD_ENDING)
			load[th->tc]++;
	for (unsigned i = 1; i < target.config->topo.tcs; i++)
		if (load[i] < load[best])
			best = i;
	return best;
}

struct thread *
turns_thread_new(const struct thread *from)
{
	struct thread *th = calloc(1, sizeof *th), **last = &turns.first;

	if (!th || merge_queue_init(&th->q))
		turns_no_memory();
	th->state = THREAD_NEW;
	th->q.regions = turns.first ? regioning_thread() : regioning_first();
	th->pinned = from && from->pinned;
	th->tc = th->pinned ? from->tc : pick_context();
	init_cond(&th->cond);
	pthread_mutex_lock(&turns.lock);
	while (*last)
		last = &(*last)->next;
	*last = th;
	turns.alive++;
	pthread_mutex_unlock(&turns.lock);
	return th;
}

/* ---- Callbacks: threads start and end -------------------------------- */

/* No child begins with the merge in the midst of something. */
static void
before_fork(void)
{
	if (free_now())
		pthread_mutex_lock(&turns.lock);
	else if (core.regions)	/* The child is in those that it has begun. */
		turns_work_off();
}

static void
after_fork_parent(void)
{
	if (free_now())
		pthread_mutex_unlock(&turns.lock);
}

static void
first_vcpu(unsigned vcpu)
{
	struct thread *th;

	turns.merge_always = target.map.m->merge_always;
	turns.free = target.map.m->parallel;
	init_cond(&turns.changed);
	init_cond(&turns.idle);
	at_fork(before_fork, after_fork_parent, NULL);
	th = turns_thread_new(NULL);
	turns.vcpu[vcpu % TURNS_VCPUS] = th;
	th->tc = target_slot()->tc;
	th->pinned = start_pinned;
	th->arrived = true;
	th->tid = (pid_t)syscall(SYS_gettid);
	if (turns.merge_always)
		record_begin(th);
}

void
turns_vcpu_start(unsigned vcpu)
{
	const struct thread *self = turns_self();

	if (!turns.first) {
		first_vcpu(vcpu);
		return;
	}
	/* QEMU does this in the thread that creates the new one. */
	turns.vcpu[vcpu % TURNS_VCPUS] = self ? self->created : NULL;
}

void
turns_vcpu_exit(unsigned vcpu)
{
	struct thread *th = turns.vcpu[vcpu % TURNS_VCPUS];

	if (!th || th->state != THREAD_ENDING)
		return;
	pthread_mutex_lock(&turns.lock);
	turns.vcpu[vcpu % TURNS_VCPUS] = NULL;
	th->state = THREAD_GONE;
	pthread_cond_broadcast(&turns.changed);
	pthread_mutex_unlock(&turns.lock);
}

/* ---- The process ----------------------------------------------------- */

void
turns_work_off(void)
{
	if (!core.recording || turns.exiting)
		return;
	pthread_mutex_lock(&turns.lock);
	token_work_off();
	pthread_mutex_unlock(&turns.lock);
}

unsigned
turns_tc(bool *chosen)
{
	pid_t self = (pid_t)syscall(SYS_gettid);

	*chosen = true;
	for (struct thread *th = turns.first; th; th = th->next)
		if (th->tid == self && th->pinned)
			return th->tc;
	*chosen = false;
	return target_slot()->tc;
}

void
turns_pin(void)
{
	start_pinned = true;
}

static struct thread *
forking_thread(void)
{
	struct thread *self = turns_self();

	return self ? self : turns.first;
}

unsigned
turns_fork_tc(void)
{
	return forking_thread()->tc;
}

void
turns_fork_child(void)
{
	struct thread *th = forking_thread();
	bool recording = core.recording;

	pthread_mutex_init(&turns.lock, NULL);
	init_cond(&turns.changed);
	init_cond(&turns.idle);
	init_cond(&th->cond);
	for (unsigned i = 0; i < TURNS_VCPUS && recording; i++)
		if (turns.vcpu[i] && turns.vcpu[i] != th)
			turns.vcpu[i] = NULL;
	turns.first = th;
	turns.alive = 1;
	turns.ending = turns.waker = NULL;
	turns.busy = turns.called = turns.idling = false;
	turns.kept = turns.keeps = false;
	turns.keeper = 0;
	turns.away = 0;
	th->away = false;
	th->next = NULL;
	th->tid = (pid_t)syscall(SYS_gettid);
	th->counts.log = 0;
	clock_fork_child();
	if (core.regions)
		regions_child(&core, th->tc, th->q.regions);
	if (!recording)
		return;
	merge_child(turns.merge);
	merge_end(turns.merge, NULL, th->tc);
	merge_queue_clear(&th->q);
	core_record(&core, false);
	turns.taken = false;
	turns.holder = NULL;
	record_bind(th);
	if (turns.merge_always)
		record_begin(th);
}

void
turns_exit(void)
{
	if (!core.recording || turns.exiting)
		return;
	pthread_mutex_lock(&turns.lock);
	token_work_off();
	merge_settle(turns.merge);
	turns.exiting = true;
	for (struct thread *th = turns.first; th; th = th->next)
		pthread_cond_signal(&th->cond);
	pthread_mutex_unlock(&turns.lock);
}
