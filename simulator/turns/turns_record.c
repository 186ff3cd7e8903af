/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recording begins and ends.
 *
 * It begins with the second thread and ends when one is left.  Between, the
 * holder of the token may be the only one that can execute, because all others
 * are in system calls.  None of them can have a turn before the holder makes
 * one that may wake a thread (token_settle()), or is overdue (idle_wake()), so
 * that until then the holder is as well off on the fast path: solo.  That is
 * so when no other thread could have had its last turns; more of them where
 * all blocks have to be gone through, because what they have counted belongs
 * to another context.  Without a model of time, threads that wait for some
 * time do not let it.
 */
#include "turns_internal.h"

#include "core/fast.h"
#include "target/procedures.h"
#include "watch/regions.h"

#define SOLO_TURNS 2u
#define SOLO_TURNS_BIND 20u	/* where blocks count for another context */

static unsigned
slot_context(void)
{
	return target_slot()->tc;
}

/* Whether it matters which thread counts: there are regions, or threads are some. */
static bool
has_regions(void)
{
	const u32 threads = NEED_THREADS | NEED_FIRST;

	return core.regions &&
	       (core.regions->n_mark || target.map.m->need & threads ||
		procedures_wanted());
}

/* Nothing asks which thread counts, or what is on its way.  (QEMU leaves blocks in
 * the midst, to execute an atomic access alone.) */
static bool
counts_alone(void)
{
	return !turns_engine->steps &&
	       !has_regions() && !core.calls && !core.profiler &&
	       !core.sampler && !counts_are_wanted();
}

void
record_choose(void)
{
	merge_model(turns.merge, target.timing && !core.skipping);
	core.counting = merge_counts(turns.merge) &&
			(core.skipping || counts_alone());
}

void
record_count_last(struct thread *th)
{
	const struct block *next = th->q.ahead;

	core.prev = turns_prev(th);
	core_repeat_apart(&core, core.prev, next);
	fast_count(&core, block_none_at(next ? next->vaddr : core.prev->fall));
	th->q.prev = NULL;
}

void
record_fully(const struct thread *th)
{
	merge_drain(turns.merge);
	for (struct thread *o = turns.first; o; o = o->next)
		if (o != th)
			record_count_last(o);
	core.prev = turns_prev(th);
	core.counting = false;
	merge_goes_on(turns.merge, &th->q);
}

void
record_begin(struct thread *th)
{
	u32 mark = core.passed ? core.passed->number : th->q.mark;

	if (!turns.merge)
		turns.merge = merge_new(&core);
	if (!turns.merge)
		turns_no_memory();
	/* The fast path knows nothing of other CPUs' caches. */
	turns.merge_always |= target.config->topo.cpus > 1;
	if (turns.taken)
		turns_counts_split();
	else
		counts_begin(th);
	if (core.regions)
		regions_steady(&core, slot_context());
	record_choose();
	merge_begin(turns.merge, turns_signals(), th->tc);
	merge_queue_clear(&th->q);
	th->q.mark = mark;
	core.passed = NULL;
	th->q.prev = core.prev;
	th->state = THREAD_RUNS;
	merge_admit(turns.merge, &th->q, th->tc);
	pthread_mutex_lock(&turns.lock);
	turns.holder = th;
	turns.taken = true;
	turns.solo = false;
	turns.alone = 0;
	turns.progress++;
	pthread_mutex_unlock(&turns.lock);
	core_record(&core, true);
}

void
record_resume(struct thread *th, const struct block *t)
{
	merge_stop(turns.merge, t);
	record_begin(th);
	idle_wake();
}

void
record_bind(const struct thread *th)
{
	struct machine_slot *slot = target_slot();

	if (slot->tc == th->tc)
		core_bind(&core, slot, th->tc);
	else
		process_bind(th->tc);
}

/* What th has recorded is worked off, and it goes on without. */
static void
leave(struct thread *th)
{
	merge_leave(turns.merge, &th->q);
	merge_advance(turns.merge);
	merge_end(turns.merge, &th->q, th->tc);
	if (core.counting)
		core.prev = turns_prev(th);
	core_record(&core, false);
	record_bind(th);
}

void
record_end(struct thread *th)
{
	leave(th);
	turns.taken = false;
	token_settle();
	turns.holder = NULL;
	alarm_set();
}

u64
record_first_overdue(void)
{
	u64 first = 0;

	for (const struct thread *th = turns.first; th; th = th->next)
		if (th->state == THREAD_BLOCKED && th->wake &&
		    (!first || th->overdue < first))
			first = th->overdue;
	return first;
}

static void
go_solo(struct thread *th)
{
	leave(th);
	alarm_set();
	pthread_mutex_lock(&turns.lock);
	turns.solo = true;
	pthread_mutex_unlock(&turns.lock);
}

/* Whether it can do nothing before the holder's next system call that is not
 * plain, or the alarm, and all that it has done has been worked off. */
static bool
is_out(const struct thread *th)
{
	return th->q.head == th->q.tail &&
	       (th->state == THREAD_GONE ||
		(th->state == THREAD_BLOCKED && (!th->wake || target.timing)));
}

void
record_look_round(const struct thread *th)
{
	for (const struct thread *o = turns.first; o; o = o->next)
		if (o != th && !is_out(o)) {
			turns.alone = 0;
			return;
		}
	turns.alone++;
}

/* So many turns alone cost about what it costs to leave recording. */
static unsigned
solo_after(const struct thread *th)
{
	bool bound = slot_context() == th->tc;

	return bound ? SOLO_TURNS : SOLO_TURNS_BIND;
}

bool
record_is_over(const struct thread *th)
{
	return !turns.merge_always &&
	       (turns.alive == 1 || turns.alone >= solo_after(th));
}

bool
record_leave(struct thread *th)
{
	if (!record_is_over(th))
		return false;
	if (turns.alive == 1)
		record_end(th);
	else
		go_solo(th);
	return true;
}
