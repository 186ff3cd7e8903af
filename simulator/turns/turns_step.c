/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Exclusive steps.  An atomic access that the host cannot do, such as one of
 * x86 that is not aligned, makes QEMU leave a block in the midst once there
 * are threads.  With all others stopped it executes the instruction, as a
 * block of its own, and goes on behind it with one more block.  The block
 * that was left has executed up to the access only.  If another thread wants
 * to have all stopped at that time, QEMU goes on with a block that begins with
 * the instruction, and leaves that one, too.
 */
#include "turns_internal.h"

#include <stdlib.h>

/* The first instructions of a block, as a block. */
struct beginning {
	struct beginning *next;
	const struct block *of;
	unsigned n;
	struct block *block;
};

static struct beginning *beginnings;

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
	struct beginning *b = beginnings;

	while (b && (b->of != of || b->n != n))
		b = b->next;
	if (b)
		return b->block;
	b = malloc(sizeof *b);
	if (!b)
		turns_no_memory();
	*b = (struct beginning){beginnings, of, n, turns_engine->part(of, n)};
	beginnings = b;
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

void
step_record(struct thread *th, const struct block *t)
{
	const struct block *in = th->last;
	struct block *part;
	unsigned n;

	if (SIM_LIKELY(!t->detail->locked) || !turns_engine->part ||
	    !th->q.open || !in ||
	    t->vaddr < in->vaddr || t->vaddr >= in->fall)
		return;
	n = number_of(in, t->vaddr);
	if (!was_stopped(th, t, n))
		return;
	pthread_mutex_lock(&turns.lock);
	part = n ? beginning_of(in, n) : NULL;
	if (!n || part) {
		turns.merge_always = true;
		merge_queue_cut(&th->q, part);
	}
	pthread_mutex_unlock(&turns.lock);
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
	n = number_of(in, t->vaddr);
	part = n ? beginning_of(in, n) : block_none_at(t->vaddr);
	if (!part)
		return true;
	c->passed = NULL;	/* at the end that it has not reached */
	in->execs--;
	part->execs++;
	if (target.timing)
		c->now += part->advance - in->advance;
	c->prev = part;
	return true;
}
