/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an engine calls of the turns. */
#include "turns_internal.h"

#include "core/fast.h"
#include "pipeline/window.h"
#include "target/procedures.h"
#include "target/regioning.h"
#include "threads/written.h"
#include "watch/profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

struct turns turns = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
};
const struct turns_engine *turns_engine;

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
	return target_slot()->sig;
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
	else if (core.skipping)
		fast_count(&core, t);
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

/* The same where it is counted at once: behind the block that th, not another
 * thread, has executed. */
static void
count_block(struct thread *th, struct block *t)
{
	core.prev = turns_prev(th);
	fast_count(&core, t);
	th->q.prev = t;
	if (merge_queue_counted(&th->q, t->n_insn))
		turns_no_memory();
}

/* Whether blocks are counted, and that one has to be recorded. */
SIM_INLINE bool
is_marked(const struct block *t)
{
	return core.counting && t->marked && !core.skipping;
}

/* What th executes next is t. */
SIM_INLINE void
record_block(struct thread *th, struct block *t)
{
	th->last = t;
	th->accessed = 0;
	if (core.counting)
		count_block(th, t);
	else if (merge_queue_block(&th->q, t))
		turns_no_memory();
}

/* The same with the token. */
SIM_INLINE void
block_in_turn(struct thread *th, struct block *t)
{
	if (SIM_UNLIKELY(is_marked(t)))
		record_fully(th);
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
	return turns_engine->steps && t->detail->locked;
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
	if (SIM_UNLIKELY(!core.recording && !turns.taken)) {
		alarm_alone();
		enter_fast(th, t);
		return;
	}
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
	if (how == PARKED_TOKEN && alarm_is_due())
		alarm_in_turn(th);
	if (how == PARKED_TOKEN && stretch_is_over())
		turns_engine->stretch_over();
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

/* So many instructions more can be written behind t before turns_quantum() is
 * reached, or there is no more room. */
static s64
left_of_turn(const struct thread *th, const struct block *t)
{
	s64 left = (s64)turns_quantum() - th->q.recorded;

	if (left > WRITTEN_INSNS)
		left = WRITTEN_INSNS;
	/* Those of a block that is recorded count when it is over. */
	return core.counting ? left : left - t->n_insn;
}

bool
turns_block_now(unsigned vcpu, struct block *t)
{
	struct thread *th = turns.vcpu[vcpu % TURNS_VCPUS];

	turns_tell(vcpu);
	if (SIM_UNLIKELY(!goes_on(th, t) || record_is_over(th) ||
			 is_marked(t)))
		return false;
	turns.progress++;
	th->q.ahead = t;
	record_block(th, t);
	written_give(left_of_turn(th, t));
	return true;
}

/* The engine's code has counted blocks of th. */
static void
tell_counted(struct thread *th)
{
	s64 n = written_take_back();

	if (!n)
		return;
	turns.progress++;
	th->last = th->q.prev = core.prev;
	if (merge_queue_counted(&th->q, (s32)n))
		turns_no_memory();
}

void
turns_tell(unsigned vcpu)
{
	struct thread *th = turns.vcpu[vcpu % TURNS_VCPUS];
	struct block *last = NULL;
	int n;

	if (SIM_UNLIKELY(!th) || (core.skipping && !core.recording))
		return;
	if (core.counting) {
		tell_counted(th);
		return;
	}
	n = written_take(&th->q, &last);
	if (n < 0)
		turns_no_memory();
	if (!n)
		return;
	turns.progress += (unsigned)n;
	th->last = last;
	th->accessed = 0;
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
