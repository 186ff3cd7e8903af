/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Blocks that are left in the midst, and have executed up to there only.
 *
 * A store to code that its own block may have is made again by a block of its
 * own, and the one behind that is what is there now.  Where the engine executes
 * an instruction so, it says so: turns_again().
 *
 * Exclusive steps.  An atomic access that the host cannot do, such as one of
 * x86 that is not aligned, makes QEMU leave a block in the midst once there
 * are threads.  With all others stopped it executes the instruction, as a
 * block of its own, and goes on behind it with one more block.  The block
 * that was left has executed up to the access only.  If another thread wants
 * to have all stopped at that time, QEMU goes on with a block that begins with
 * the instruction, and leaves that one, too.
 */
#include "turns_internal.h"

#include "watch/profile.h"
#include "watch/regions.h"
#include "watch/sample.h"

#include <stdlib.h>

/* The first instructions of a block, as a block. */
struct beginning {
	struct beginning *next;
	const struct block *of;
	unsigned n;
	struct block *block;
};

#define LISTS 1024u

static struct beginning *beginnings[LISTS];

bool
step_is(const struct block *in, const struct block *t)
{
	return t->n_insn == 1 && in && in != t && t->vaddr >= in->vaddr &&
	       t->vaddr < in->fall;
}

/* The number of the instruction at pc, which is in the block. */
static unsigned
number_of(const struct block *b, u64 pc)
{
	const struct insn *insn = block_insns(b);
	unsigned i = 0;

	while (i + 1 < b->n_insn && insn[i].pc < pc)
		i++;
	return i;
}

/* The first n instructions of a block; NULL if there is no room for them.  The
 * lock is held, or there are no turns yet. */
static struct block *
beginning_of(const struct block *of, unsigned n)
{
	struct beginning **list = &beginnings[(uintptr_t)of / 64 % LISTS];
	struct beginning *b = *list;

	while (b && (b->of != of || b->n != n))
		b = b->next;
	if (b)
		return b->block;
	b = malloc(sizeof *b);
	if (!b)
		turns_no_memory();
	*b = (struct beginning){*list, of, n, turns_engine->part(of, n)};
	*list = b;
	return b->block;
}

/* Whether a thread that enters t was stopped at instruction n of the block
 * that it was in, which that has not accessed then. */
static bool
was_stopped(const struct thread *th, const struct block *t, unsigned n)
{
	if (!(block_insns(th->last)[n].flags & INSN_IS_LOCKED))
		return false;
	return (t->n_insn == 1 && t != th->last) || th->accessed <= n;
}

/* What the thread records has executed up to instruction n only; false: there is
 * no room for that. */
static bool
cut(struct thread *th, unsigned n)
{
	struct block *part;

	pthread_mutex_lock(&turns.lock);
	part = n ? beginning_of(th->last, n) : NULL;
	if (!n || part)
		merge_queue_cut(&th->q, part);
	pthread_mutex_unlock(&turns.lock);
	return !n || part;
}

void
step_record(struct thread *th, const struct block *t)
{
	const struct block *in = th->last;
	unsigned n;

	if (SIM_LIKELY(!t->detail->locked) || !turns_engine->steps ||
	    !th->q.open || !in ||
	    t->vaddr < in->vaddr || t->vaddr >= in->fall)
		return;
	n = number_of(in, t->vaddr);
	if (was_stopped(th, t, n) && cut(th, n))
		turns.merge_always = true;
}

/*
 * What the fast path has counted is taken back.  Where nothing of the block
 * has executed, it counts as an empty one.
 */
bool
step_take_back(struct core *c, const struct block *t)
{
	struct block *in = c->prev, *part;
	unsigned n;

	if (!step_is(in, t))
		return false;
	if (c->regions)
		regions_steady(c, target_slot()->tc);
	n = number_of(in, t->vaddr);
	part = n ? beginning_of(in, n) : block_none_at(t->vaddr);
	if (!part)
		return true;
	c->passed = NULL;	/* at the end that it has not reached */
	in->execs--;
	part->execs++;
	if (target.timing && !c->skipping)
		c->now += part->advance - in->advance;
	c->prev = part;
	if (c->profiler)
		profiler_left(c, in, part);
	if (c->sampler)
		sample_left(c, part);
	return true;
}

/* The same of what th has counted at once. */
static void
take_back_counted(struct thread *th, const struct block *t)
{
	const struct block *in = turns_prev(th);

	core.prev = turns_prev(th);
	if (!step_take_back(&core, t))
		return;
	th->last = th->q.prev = core.prev;
	if (merge_queue_counted(&th->q, core.prev->n_insn - in->n_insn))
		turns_no_memory();
}

void
turns_again(unsigned vcpu, const struct block *t)
{
	struct thread *th = turns.vcpu[vcpu % TURNS_VCPUS];

	if (!core.recording)
		step_take_back(&core, t);
	else if (th && core.counting)
		take_back_counted(th, t);
	else if (th && th->q.open && step_is(th->last, t))
		cut(th, number_of(th->last, t->vaddr));
}
