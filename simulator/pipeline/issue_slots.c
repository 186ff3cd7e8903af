/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slots: each instruction goes to one of the pipes of its class or form, in
 * order, as long as pipes are left in this cycle; operands are waited for
 * one instruction at a time.  Not modelled: cycles in which a long operation
 * takes the slot that its result is written in.
 */
#include "issue.h"

/* What has issued in the cycle that is still open. */
struct slots {
	u64 at;			/* the cycle */
	u64 group;		/* number of the aligned group */
	u8 mask[ISSUE_MAX];	/* pipes that each instruction can have */
	unsigned n;
	unsigned loads, stores;	/* instructions */
	bool branch;
	u64 early[2];		/* bit per register: a compare's result */
};

/* Whether the pipes of mask[0..n) can be given out, each to one. */
static bool
fits(const u8 *mask, unsigned n, unsigned taken)
{
	if (!n)
		return true;
	for (unsigned free = mask[0] & ~taken; free; free &= free - 1)
		if (fits(mask + 1, n - 1, taken | (free & -free)))
			return true;
	return false;
}

/* A no-op that is a floating-point instruction goes where a copy goes. */
static unsigned
pipes_of(const struct pipeline_config *pipe, const struct insn *in)
{
	unsigned form = issue_form(in);

	if (in->cls == CLASS_NOP && in->flags & INSN_IS_FP)
		return pipe->cls[CLASS_FCPYS].ports;
	return form == FORM_CLASS ? pipe->cls[in->cls].ports
				  : pipe->issue.ports[form];
}

/* Whether what has issued in this cycle leaves room for in. */
static bool
has_room(struct slots *o, const struct pipeline_config *pipe,
	 const struct insn *in)
{
	const struct issue_config *rule = &pipe->issue;
	bool loads = in->flags & INSN_LOADS, stores = in->flags & INSN_STORES;

	if (o->n == rule->width || o->branch)
		return false;
	if (rule->accesses && (loads || stores) &&
	    o->loads + o->stores >= rule->accesses)
		return false;
	if (rule->store_alone &&
	    ((stores && o->loads + o->stores) || (loads && o->stores)))
		return false;
	o->mask[o->n] = (u8)pipes_of(pipe, in);
	return fits(o->mask, o->n + 1, 0);
}

/* Closes the cycle; the next one that can issue is the one behind. */
static void
close_cycle(struct issue_run *run, struct slots *o, bool split)
{
	if (!o->n)
		return;
	issue_count(run, o->n, o->loads + o->stores);
	run->count[SIG_ISSUE_SPLIT] += split;
	o->n = o->loads = o->stores = 0;
	o->branch = false;
	o->at++;
	run->s->next = o->at;
}

static bool
is_early(const struct slots *o, unsigned reg)
{
	return reg != REG_NONE && o->early[reg >> 6] >> (reg & 63) & 1;
}

/*
 * When it can issue: in the open cycle, or later.  Branches and conditional
 * moves need no cycle behind a compare, where the rule says so.
 */
static struct issue
earliest(struct issue_run *run, const struct slots *o, const struct insn *in)
{
	struct schedule *s = run->s;
	bool takes = run->pipe->issue.compare_early &&
		     (in->branch != BRANCH_NONE || in->cls == CLASS_CMOV ||
		      in->cls == CLASS_CMOV2);
	u64 saved[INSN_SRC];
	struct issue w;

	for (unsigned i = 0; takes && i < INSN_SRC; i++)
		if (is_early(o, in->src[i])) {
			saved[i] = s->ready[in->src[i]];
			s->ready[in->src[i]] -= saved[i] > 0;
		}
	w = schedule_issue(s, run->pipe, in);
	for (unsigned i = 0; takes && i < INSN_SRC; i++)
		if (is_early(o, in->src[i]))
			s->ready[in->src[i]] = saved[i];
	return w;
}

static void
note_compare(struct slots *o, const struct insn *in)
{
	for (unsigned i = 0; i < INSN_DST && in->dst[i] != REG_NONE; i++) {
		u64 bit = 1ull << (in->dst[i] & 63);

		o->early[in->dst[i] >> 6] &= ~bit;
		if (in->cls == CLASS_LOGIC && !(in->flags & INSN_LOADS))
			o->early[in->dst[i] >> 6] |= bit;
	}
}

/* Issues one instruction, into the open cycle if it can be. */
static void
issue_one(struct issue_run *run, struct slots *o, unsigned i)
{
	const struct insn *in = &run->in[i];
	u32 bytes = run->pipe->issue.group_bytes;
	u64 group = bytes ? in->pc / bytes : 0;
	struct issue w;

	if (o->n && group != o->group)
		close_cycle(run, o, false);
	else if (o->n && !has_room(o, run->pipe, in))
		close_cycle(run, o, bytes != 0);
	w = earliest(run, o, in);
	if (w.at > o->at)
		close_cycle(run, o, bytes != 0);
	run->count[w.cause] += (u32)(w.at - o->at);
	run->count[SIG_LONG_STALL] += w.at - o->at > run->pipe->long_stall;
	o->at = w.at;
	o->group = group;
	o->mask[o->n++] = (u8)pipes_of(run->pipe, in);
	o->loads += (in->flags & INSN_LOADS) != 0;
	o->stores += (in->flags & INSN_STORES) != 0;
	o->branch = in->branch != BRANCH_NONE;
	schedule_book(run->s, run->pipe, in, w.at);
	run->s->next = o->at;
	run->offset[i] = (u16)w.at;
	note_compare(o, in);
}

void
issue_slots(struct issue_run *run)
{
	struct slots o = {0};

	for (unsigned i = 0; i < run->n; i++)
		issue_one(run, &o, i);
	close_cycle(run, &o, false);
}
