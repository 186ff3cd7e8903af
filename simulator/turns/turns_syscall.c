/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an engine calls of system calls: threads come, go, wait and move. */
#include "turns_internal.h"

static void
choose_context(struct thread *caller, pid_t tid, unsigned tc)
{
	struct thread *th = caller;

	if (tid) {
		th = turns.first;
		while (th && th->tid != tid)
			th = th->next;
	}
	if (!th || th->state >= THREAD_ENDING)
		return;
	th->pinned = true;
	if (th->tc == tc)
		return;
	if (!core.recording && target.config->topo.cpus > 1)
		record_begin(th);
	th->tc = tc;
	if (!core.recording) {
		process_bind(tc);
		return;
	}
	token_work_off();
	merge_move(turns.merge, &th->q, tc);
	core.sig = turns_signals()[caller->tc];
}

/* A thread will be created: it exists from here on. */
static void
before_clone(struct thread *th)
{
	if (!core.recording)
		record_begin(th);
	th->created = turns_thread_new(th);
}

static void
after_clone(struct thread *th, s64 result)
{
	struct thread *child = th->created;
	unsigned looks = 0;

	th->created = NULL;
	pthread_mutex_lock(&turns.lock);
	if (result < 0) {
		turns.alive--;
		child->state = THREAD_GONE;
	} else {
		turns.busy = true;
		while (!child->arrived && token_wait_change(&looks))
			;
		turns.busy = false;
		child->state = THREAD_RUNS;
		merge_admit_behind(turns.merge, &child->q, child->tc, &th->q);
	}
	pthread_mutex_unlock(&turns.lock);
}

static void
before_exit(struct thread *th)
{
	if (turns.alive == 1)
		return;
	pthread_mutex_lock(&turns.lock);
	th->state = THREAD_ENDING;
	turns.ending = th;
	turns.alive--;
	pthread_mutex_unlock(&turns.lock);
	merge_leave(turns.merge, &th->q);
	token_pass();
}

/* The exit was interrupted by a signal, and will be tried again. */
static void
revive(struct thread *th)
{
	pthread_mutex_lock(&turns.lock);
	th->state = THREAD_BLOCKED;
	turns.alive++;
	if (turns.ending == th)
		turns.ending = NULL;
	pthread_cond_broadcast(&turns.changed);
	pthread_mutex_unlock(&turns.lock);
}

static void
before_block(struct thread *th, const struct turn_call *call)
{
	merge_leave(turns.merge, &th->q);
	th->futex = call->futex;
	wait_begin(th, &call->wait);
	if (th->wake) {
		pthread_mutex_lock(&turns.lock);
		idle_keep();
		pthread_mutex_unlock(&turns.lock);
	}
	th->back = false;
	__atomic_store_n(&th->state, THREAD_BLOCKED, __ATOMIC_RELEASE);
	token_pass();
	if (th->wait.timed && !th->wait.bytes && turns_engine->lengthen &&
	    wait_may_end())
		turns_engine->lengthen();
}

/*
 * The process is to be another program's, or signals are sent.  A thread that is
 * on its way into a call that it blocks in is asleep before: one that comes on
 * the way lets the call begin behind the handler, and does not interrupt it.
 */
static void
before_last(struct thread *th)
{
	token_work_off();
	if (core.recording && turns.holder == th)
		idle_settle();
}

static void
call_out_of_turn(struct thread *th, s64 number, const u64 arg[8])
{
	struct turn_call call = turn_call_look(number, arg);
	unsigned tc;
	pid_t tid;

	free_call(th, &call);
	if (call.kind == TURN_CLONE)
		before_clone(th);
	else if (call.kind == TURN_EXIT_GROUP)
		turns_exit();
	if (!turn_call_affinity(number, arg, &tid, &tc))
		return;
	pthread_mutex_lock(&turns.lock);
	choose_context(th, tid, tc);
	pthread_mutex_unlock(&turns.lock);
}

/* Which threads a system call may have woken has to be looked at. */
static void
unsettle(const struct thread *th, s64 number)
{
	u64 futex;

	if (th->quiet)
		return;
	turns.unsettled = true;
	if (turn_call_wakes(number, th->arg, &futex))
		idle_unsettle(futex);
}

/* Whether a thread that waits has been woken from outside. */
static bool
somebody_is_back(void)
{
	for (const struct thread *th = turns.first; th; th = th->next)
		if (th->state == THREAD_BLOCKED && turns_is_back(th))
			return true;
	return false;
}

/* Its turn ends with the next block, and its time slice before that. */
static void
give_way(struct thread *th)
{
	if (merge_yield(turns.merge, &th->q))
		th->q.recorded = 2 * turns_quantum();
}

void
turns_syscall(unsigned vcpu, s64 number, const u64 arg[8])
{
	struct thread *th = turns.vcpu[vcpu % TURNS_VCPUS];
	struct turn_call call;
	unsigned tc;
	pid_t tid;

	if (!th)
		return;
	turns_set_self(th);
	th->arg[0] = arg[0];
	th->arg[1] = arg[1];
	turns.progress++;
	th->quiet = turns.solo && turn_call_is_quiet(number, arg);
	if (th->quiet && !somebody_is_back()) {
		turns.calls += !turn_call_is_plain(number);
		return;
	}
	if (turns.solo)
		record_begin(th);
	if (core.recording && turns.holder != th && !free_now())
		token_wait(th, false);
	if (core.recording && free_now()) {
		call_out_of_turn(th, number, arg);
		return;
	}
	if (core.recording)
		merge_queue_commit(&th->q);
	if (turn_call_affinity(number, arg, &tid, &tc))
		choose_context(th, tid, tc);
	call = turn_call_look(number, arg);
	if (call.kind == TURN_CLONE)
		before_clone(th);
	if (!core.recording) {
		wait_alone(th, &call.wait);
		return;
	}
	th->quiet = turn_call_is_quiet(number, arg);
	turns.calls += !turn_call_is_plain(number);
	unsettle(th, number);
	turns.waker = th;
	if (call.kind == TURN_BLOCK)
		before_block(th, &call);
	else if (call.kind == TURN_EXIT)
		before_exit(th);
	else if (call.kind == TURN_EXIT_GROUP)
		turns_exit();
	else if (call.kind == TURN_LAST)
		before_last(th);
	else if (call.kind == TURN_YIELD)
		give_way(th);
	th->in_call = th->state == THREAD_RUNS;
}

/* A thread that has waited for a futex has woken none by that; others may
 * have. */
static void
come_back(struct thread *th, s64 result)
{
	wait_back(th, result);
	if (!th->futex)
		__atomic_fetch_add(&turns.returns, 1, __ATOMIC_RELEASE);
	__atomic_store_n(&th->back, true, __ATOMIC_RELEASE);
}

void
turns_syscall_return(unsigned vcpu, s64 number, s64 result)
{
	struct thread *th = turns.vcpu[vcpu % TURNS_VCPUS];

	if (!th)
		return;
	if (!core.recording)
		wait_alone_over(th, result);
	if (!result)
		clock_read(number, th->arg);
	if (!turns.taken)
		return;
	turns.progress++;
	if (turns.solo && turns.holder == th)
		return;
	if (free_now()) {
		free_call_return(th, result);
		return;
	}
	th->in_call = false;
	if (th->created)
		after_clone(th, result);
	if (th->state == THREAD_ENDING)
		revive(th);
	if (th->state == THREAD_BLOCKED)
		come_back(th, result);
	if (turns.holder == th) {
		unsettle(th, number);
		token_settle();
	} else {
		turns.unsettled = true;
		token_wait(th, false);
	}
	wait_over(th);
}
