/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an engine calls of the turns. */
#include "turns_internal.h"

#include "core/fast.h"
#include "pipeline/window.h"
#include "target/procedures.h"
#include "target/regioning.h"
#include "watch/profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

struct turns turns = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
};
const struct turns_engine *turns_engine;

static bool start_pinned;

/* The calling thread, once it has made a system call. */
static __thread struct thread *self;

struct thread *
turns_self(void)
{
	return self;
}

void
turns_set_self(struct thread *th)
{
	self = th;
}

void
turns_no_memory(void)
{
	process_die("memory for a thread's records", ENOMEM);
}

u64 (*turns_signals(void))[SIG_N]
{
	return target.map.m->slot[target.slot].sig;
}

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

/* ---- Callbacks: execution -------------------------------------------- */

static void
enter_fast(struct thread *th, struct block *t)
{
	if (th->q.mark)
		regioning_passed(regions_mark(core.regions, th->q.mark));
	th->q.mark = 0;
	if (core.calls)
		calls_arrive(&core.calls[th->tc], t, th->q.path);
	if (core.profiler)
		profiler_enter(&core, t);
	else if (target.timing && core.window)
		window_enter(&core, t);
	else if (target.timing)
		core_enter(&core, t);
	else
		fast_count(&core, t);
	if (core.calls)
		calls_arrived(&core.calls[th->tc]);
}

static void
arrive(struct thread *th)
{
	pthread_mutex_lock(&turns.lock);
	th->tid = (pid_t)syscall(SYS_gettid);
	th->counts.tid = th->tid;
	th->arrived = true;
	th->parked = true;
	pthread_cond_broadcast(&turns.changed);
	pthread_mutex_unlock(&turns.lock);
}

/*
 * The holder has recorded its share.  It does not stop at a block that may
 * need QEMU to stop all others: while it waits there, another one may need
 * it to execute the block.
 */
static bool
turn_over(const struct thread *th, const struct block *t)
{
	u32 share = turns_quantum(), n = th->q.recorded;

	return n >= share && (n >= 2 * share || !t->detail->locked);
}

/* The token goes round when the holder has recorded its share.  A new thread
 * may have been given it before it is here: it settles, too. */
static enum parked
take_turn(struct thread *th, const struct block *t)
{
	enum parked how;

	if (__atomic_load_n(&turns.holder, __ATOMIC_ACQUIRE) != th ||
	    !th->last) {
		how = token_wait(th, true);
		if (how != PARKED_TOKEN)
			return how;
	}
	merge_queue_commit(&th->q);
	if (!turn_over(th, t))
		return PARKED_TOKEN;
	th->q.recorded = 0;
	if (token_pass() != th)
		return token_wait(th, true);
	idle_wake();
	record_look_round(th);
	return PARKED_TOKEN;
}

static void
block_out_of_turn(struct thread *th, struct block *t)
{
	if (!free_block(th, t))
		return;
	record_end(th);
	enter_fast(th, t);
}

void
turns_marked(unsigned vcpu, const struct block *b)
{
	struct thread *th = turns.vcpu[vcpu % TURNS_VCPUS];

	if (!core.recording)
		regioning_entered(b);
	else if (th && th->last == b)
		th->q.mark = block_mark(b)->number;
}

void
turns_followed(unsigned vcpu, const struct block *t)
{
	struct thread *th = turns.vcpu[vcpu % TURNS_VCPUS];
	const struct region_mark *mark;

	if (SIM_UNLIKELY(!th))
		return;
	mark = procedures_follow(th->q.regions, t);
	if (!mark)
		return;
	if (core.told)
		th->q.mark = mark->number;
	else
		regioning_passed(mark);
}

void
turns_called(unsigned vcpu, struct calls *calls, const struct block *t)
{
	struct thread *th = turns.vcpu[vcpu % TURNS_VCPUS];

	if (SIM_UNLIKELY(!th))
		return;
	if (calls_enter(calls, &th->calls, t))
		turns_no_memory();
	th->q.path = th->calls.path;
	if (!core.told)
		calls_arrive(&core.calls[th->tc], t, th->q.path);
}

/* What th executes next is t. */
SIM_INLINE void
record_block(struct thread *th, struct block *t)
{
	th->last = t;
	th->accessed = 0;
	if (merge_queue_block(&th->q, t))
		turns_no_memory();
}

/* The same with the token. */
SIM_INLINE void
block_in_turn(struct thread *th, struct block *t)
{
	if (SIM_UNLIKELY(record_leave(th)))
		enter_fast(th, t);
	else
		record_block(th, t);
}

/* A block that the engine may have to leave in the midst, with all others
 * stopped. */
SIM_INLINE bool
may_step(const struct block *t)
{
	return t->detail->locked && turns_engine->part;
}

/* Whether its turn goes on, and nothing is out of the ordinary. */
SIM_INLINE bool
goes_on(struct thread *th, const struct block *t)
{
	if (__atomic_load_n(&turns.holder, __ATOMIC_ACQUIRE) != th ||
	    !th->last || th->away || turns.away || free_now() ||
	    !core.recording || may_step(t))
		return false;
	merge_queue_commit(&th->q);
	return th->q.recorded < turns_quantum();
}

static SIM_NOINLINE void
block_any(struct thread *th, struct block *t)
{
	enum parked how;

	if (SIM_UNLIKELY(!th->arrived))
		arrive(th);
	if (SIM_UNLIKELY(!core.recording))
		record_resume(th, t);
	turns.progress++;
	step_record(th, t);
	th->q.ahead = t;
	/* During an exclusive step the others cannot come back yet. */
	if (th->away && step_is(th->last, t))
		how = PARKED_ESCAPED;
	else
		how = free_now() ? PARKED_FREE : take_turn(th, t);
	if (SIM_UNLIKELY(turns.away) && how == PARKED_TOKEN &&
	    !step_is(th->last, t))
		token_gather();
	if (SIM_UNLIKELY(free_now())) {
		block_out_of_turn(th, t);
		return;
	}
	if (how == PARKED_TOKEN)
		block_in_turn(th, t);
	else if (how != PARKED_EXITING)
		record_block(th, t);
}

void
turns_block(unsigned vcpu, struct block *t)
{
	struct thread *th = turns.vcpu[vcpu % TURNS_VCPUS];

	if (SIM_UNLIKELY(!th))
		return;
	if (SIM_UNLIKELY(!goes_on(th, t))) {
		block_any(th, t);
		return;
	}
	turns.progress++;
	th->q.ahead = t;
	block_in_turn(th, t);
}

bool
turns_block_now(unsigned vcpu, struct block *t)
{
	struct thread *th = turns.vcpu[vcpu % TURNS_VCPUS];

	if (SIM_UNLIKELY(!goes_on(th, t) || record_is_over(th)))
		return false;
	turns.progress++;
	th->q.ahead = t;
	record_block(th, t);
	return true;
}

bool
turns_taken(void)
{
	return turns.taken;
}

bool
turns_holds(unsigned vcpu)
{
	return turns.vcpu[vcpu % TURNS_VCPUS] == turns.holder;
}

bool
turns_ending(unsigned vcpu)
{
	const struct thread *th = turns.vcpu[vcpu % TURNS_VCPUS];

	return th && th->state == THREAD_ENDING;
}

bool
turns_exiting(void)
{
	return turns.exiting;
}

void
turns_start(const struct turns_engine *engine)
{
	turns_engine = engine;
}

void
turns_step(unsigned vcpu, const struct block *t)
{
	struct thread *th = turns.vcpu[vcpu % TURNS_VCPUS];

	if (core.regions)
		regions_steady(&core, target.map.m->slot[target.slot].tc);
	if (!th || !step_take_back(&core, t))
		return;
	turns.merge_always = true;
	record_begin(th);
}

void
turns_access(unsigned vcpu, const struct block_access *a, u64 va,
	     unsigned bytes, bool store)
{
	struct thread *th = turns.vcpu[vcpu % TURNS_VCPUS];

	if (!th || turns.exiting)
		return;
	th->accessed = a->insn + 1u;
	if (!target.timing)
		return;
	if (SIM_UNLIKELY(free_now())) {
		free_access(th, a, va, bytes, store);
		return;
	}
	if (merge_queue_access(&th->q, a, va, bytes, store))
		turns_no_memory();
}

const struct block *
turns_in(unsigned vcpu)
{
	const struct thread *th = turns.vcpu[vcpu % TURNS_VCPUS];

	return th && !free_now() ? th->last : NULL;
}

void
turns_stored(unsigned vcpu, const struct block_access *a)
{
	struct thread *th = turns.vcpu[vcpu % TURNS_VCPUS];

	if (!th || turns.exiting)
		return;
	if (SIM_UNLIKELY(free_now()))
		free_stored(th, a);
	else
		merge_queue_stored(&th->q, a);
}

bool
turns_none(void)
{
	return free_now();
}

bool
turns_single(void)
{
	return turns.alive == 1 && !core.recording;
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
	pthread_atfork(before_fork, after_fork_parent, NULL);
	th = turns_thread_new(NULL);
	turns.vcpu[vcpu % TURNS_VCPUS] = th;
	th->tc = target.map.m->slot[target.slot].tc;
	th->pinned = start_pinned;
	th->arrived = true;
	th->tid = (pid_t)syscall(SYS_gettid);
	if (turns.merge_always)
		record_begin(th);
}

void
turns_vcpu_start(unsigned vcpu)
{
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

int
turns_tc(void)
{
	pid_t self = (pid_t)syscall(SYS_gettid);

	for (struct thread *th = turns.first; th; th = th->next)
		if (th->tid == self && th->pinned)
			return (int)th->tc;
	return -1;
}

void
turns_pin(void)
{
	start_pinned = true;
}

static struct thread *
forking_thread(void)
{
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
	turns.busy = turns.called = turns.idling = turns.kept = false;
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
