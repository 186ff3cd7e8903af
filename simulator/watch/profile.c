/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What happens while blocks execute, put down at their instructions. */
#include "profile_internal.h"

#include "core/fast.h"
#include "pipeline/window.h"

/* The record of the block that a context was in before. */
static struct profile_block *
record_before(const struct core *c, unsigned tc, const struct block *b)
{
	return profile_record_behind(c, tc, b,
				     c->calls ? c->calls[tc].before : 0);
}

/* Whether a record is one of the block's. */
SIM_INLINE bool
is_record_of(const struct core *c, const struct profile_block *r,
	     const struct block *b)
{
	const struct profile_block *own = block_profile(b);

	return r == own || (c->calls && own && r->vaddr == own->vaddr &&
			    r->n_insn == own->n_insn);
}

/* ---- Cycles ---------------------------------------------------------- */

static void
put_cycles(const struct profiler *p, const struct spot *spot, s64 n)
{
	s64 *at;

	if (!n || !spot->r || spot->insn >= spot->r->n_insn)
		return;
	at = profile_happened(spot->r) + spot->insn * p->n_event;
	for (unsigned e = 0; e < p->n_event; e++)
		at[e] += p->event[e].per_cycle * n;
}

/* Cycles that signals have and that are not put down yet. */
static s64
take_cycles(struct profiler *p, const struct core *c)
{
	u64 now = core_cycle(c) - c->uncounted, before = p->counted;

	p->counted = now;
	return (s64)(now - before);
}

/* The same of those that a branch has cost. */
static s64
take_branch(struct profiler *p)
{
	const u64 *sig = p->sig[p->tc];
	u64 *known = p->known[p->tc];
	u64 n = sig[SIG_CYCLE_KILLED] - known[SIG_CYCLE_KILLED] +
		sig[SIG_IFU_REDIRECT] - known[SIG_IFU_REDIRECT];

	known[SIG_CYCLE_KILLED] = sig[SIG_CYCLE_KILLED];
	known[SIG_IFU_REDIRECT] = sig[SIG_IFU_REDIRECT];
	return (s64)n;
}

/* ---- The fast path --------------------------------------------------- */

static bool
is_conditional(const struct block *b)
{
	return b->branch == BRANCH_DIRECT_COND ||
	       b->branch == BRANCH_COND_CALL;
}

/* Something has happened between two blocks, or before the first one. */
static SIM_NOINLINE void
look_between(struct profiler *p, unsigned tc, struct profile_block *from,
	     struct profile_block *to, struct spot elsewhere)
{
	if (!from) {
		profile_look_at(p, tc, to, 0);
		return;
	}
	struct spots spots = {
		.end = {from, from->n_insn - 1u},
		.branch = {from, from->branch},
		.entry = {to, 0},
		.elsewhere = elsewhere,
	};

	profile_look(p, tc, &spots);
}

/* The same where nothing but cycles is counted. */
static void
look_elapsed(struct profiler *p, const struct core *c,
	     struct profile_block *from, struct profile_block *to)
{
	struct spot branch = {from, from ? from->branch : 0}, entry = {to, 0};
	s64 cycles = take_cycles(p, c), lost = take_branch(p);

	put_cycles(p, &branch, lost);
	put_cycles(p, &entry, cycles - lost);
}

/* A block is over, in a window that knows which of its instructions has what
 * of its cycles. */
static void
look_behind(struct profiler *p, const struct core *c,
	    struct profile_block *from, struct profile_block *to)
{
	const struct window_share *share = window_shared(c->window);

	for (; share->n; share++) {
		struct spot spot = {from, share->insn};

		profile_put_down(p, &spot, share->signal, (u64)(s64)share->n);
		p->known[p->tc][share->signal] += (u64)(s64)share->n;
	}
	look_between(p, p->tc, from, to, (struct spot){from, 0});
}

static void
enter(struct core *c, struct block *t, enum fast_predictor predictor)
{
	switch (predictor) {
	case FAST_HISTORY:
		fast_enter(c, t, FAST_ANY, FAST_HISTORY);
		break;
	case FAST_OWN:
		fast_enter(c, t, FAST_ANY, FAST_OWN);
		break;
	case FAST_ICACHE:
		fast_enter(c, t, FAST_ANY, FAST_ICACHE);
		break;
	case FAST_BUFFER:
		fast_enter(c, t, FAST_ANY, FAST_BUFFER);
		break;
	case FAST_HELD:
		fast_enter(c, t, FAST_ANY, FAST_HELD);
		break;
	default:
		fast_enter(c, t, FAST_ANY, FAST_TABLE);
		break;
	}
}

/* Whether something that matters may happen between p and t without time
 * passing that is neither's own.  A string instruction that repeats itself
 * changes what a cycle is counted as. */
SIM_INLINE bool
may_happen(const struct core *c, const struct block *p,
	   const struct block *t)
{
	if (c->profiler->timed)
		return p->kind & KIND_SLOW;
	return p->kind & c->profiler->kinds || !fast_fetch_known(c, t, FAST_ANY);
}

/* The branch of p, whose record is from, has had its outcome; its cost. */
SIM_INLINE u64
count_outcome(struct profiler *pr, const struct core *c,
	      const struct block *p, struct profile_block *from)
{
	u64 cost = c->cost[core_outcome(c)];

	pr->counted += cost >> 32;
	if (from && is_record_of(c, from, p))
		from->outcome[core_outcome(c)]++;
	return cost;
}

/* Signals are looked at when time has passed that is not t's own, or where
 * something may have happened without. */
void
profiler_enter(struct core *c, struct block *t)
{
	struct profiler *pr = c->profiler;
	const struct block *p = c->prev;
	struct profile_block *from = pr->last[pr->tc], *to, *entry;
	u32 closed = pr->closed;
	bool happened = may_happen(c, p, t);
	u64 now = c->now + t->advance;

	if (c->window)
		window_enter(c, t);
	else
		enter(c, t, pr->predictor);
	to = profile_record_of(c, pr->tc, t);
	if (to)
		to->execs++;
	pr->last[pr->tc] = to;
	/* What it takes to get from a region to the next block is the region's;
	 * to get there, it is of no record. */
	entry = SIM_UNLIKELY(closed != pr->closed) ? from : to;
	happened |= closed != pr->closed;
	pr->counted += t->cycles;
	if (is_conditional(p))
		now += count_outcome(pr, c, p, from);
	happened |= now != c->now;
	if (c->window)	/* cycles are those of the block before */
		look_behind(pr, c, from, entry);
	else if (happened && pr->elapsed)
		look_elapsed(pr, c, from, entry);
	else if (happened)
		look_between(pr, pr->tc, from, entry, (struct spot){entry, 0});
	pr->now = c->now;
}

void
profiler_left(struct core *c, const struct block *in, const struct block *part)
{
	struct profiler *pr = c->profiler;
	struct profile_block *from = pr->last[pr->tc];
	struct profile_block *to = profile_record_of(c, pr->tc, part);

	profiler_look(c);
	if (from)
		from->execs--;
	if (to)
		to->execs++;
	pr->last[pr->tc] = to;
	pr->counted += part->cycles - in->cycles;
	pr->now = c->now;
}

void
profiler_gate(struct core *c, unsigned tc, bool closed)
{
	struct profiler *p = c->profiler;

	if ((p->closed >> tc & 1) == closed)
		return;
	if (p->merged)
		profile_look_last(p, tc);
	p->closed ^= 1u << tc;
	if (p->merged)
		p->last[tc] = NULL;
}

void
profiler_take_off(struct core *c, unsigned tc, const u64 sig[SIG_N])
{
	const struct profiler *p = c->profiler;
	struct profile_block *r = p->last[tc];
	struct spot spot = {r, r ? r->n_insn - 1u : 0};

	for (unsigned g = 0; g < SIG_N; g++)
		if (sig[g])
			profile_put_down(p, &spot, g, sig[g]);
}

void
profiler_ended(struct core *c)
{
	struct profiler *pr = c->profiler;
	struct profile_block *last = pr->last[pr->tc];

	look_behind(pr, c, last, last);
}

void
profiler_paused(struct core *c, const struct block *p)
{
	struct profiler *pr = c->profiler;
	struct profile_block *from = pr->last[pr->tc];

	if (is_conditional(p))
		count_outcome(pr, c, p, from);
	if (c->window)
		look_behind(pr, c, from, from);
	else
		profiler_look(c);
	pr->last[pr->tc] = NULL;
}

/* What has happened goes to an instruction of the block that is executed. */
static void
look_here(struct profiler *p, const struct core *c, struct profile_block *r,
	  unsigned insn)
{
	struct spot spot = {r, insn};

	if (!p->elapsed) {
		profile_look_at(p, p->tc, r, insn);
		return;
	}
	take_branch(p);
	put_cycles(p, &spot, take_cycles(p, c));
}

void
profiler_access(struct core *c, unsigned insn)
{
	struct profiler *p = c->profiler;

	if (p->timed && c->now == p->now)
		return;
	look_here(p, c, p->last[p->tc], insn);
	p->now = c->now;
}

/* ---- Changes of context, and the merge -------------------------------- */

void
profiler_look(struct core *c)
{
	struct profiler *p = c->profiler;

	if (!p->merged) {
		struct profile_block *r = p->last[p->tc];

		look_here(p, c, r, r ? r->n_insn - 1u : 0);
	}
	for (unsigned tc = 0; p->merged && tc < SIM_MAX_TC; tc++)
		profile_look_last(p, tc);
}

void
profiler_resync(struct core *c, u64 (*sig)[SIG_N], unsigned tc)
{
	struct profiler *p = c->profiler;

	core_watch(c, p->buffers, p->alone, p->waits);
	p->sig = sig;
	if (!p->merged)
		p->last[tc] = p->last[p->tc];
	p->merged = false;
	p->tc = tc;
	p->counted = core_cycle(c) - c->uncounted;
	profile_know(p, tc);
}

void
profiler_child(struct core *c)
{
	struct profiler *p = c->profiler;

	/* What happens to CPUs without a thread is put down where those were
	 * last. */
	if (!p->merged)
		p->last[p->tc] = NULL;
}

void
profiler_merge(struct core *c, u64 (*sig)[SIG_N])
{
	struct profiler *p = c->profiler;

	profiler_look(c);
	p->sig = sig;
	p->merged = true;
	for (unsigned tc = 0; tc < SIM_MAX_TC; tc++)
		profile_know(p, tc);
}

void
profiler_issue(struct core *c, unsigned tc, const struct block *p,
	       const struct block *b, unsigned insn)
{
	struct profile_block *r = profile_record_of(c, tc, b);

	if (p && !insn)
		look_between(c->profiler, tc, record_before(c, tc, p), r,
			     (struct spot){r, 0});
	else
		profile_look_at(c->profiler, tc, r, insn);
}

void
profiler_finish(struct core *c, unsigned tc, const struct block *b, bool slot)
{
	struct profiler *p = c->profiler;
	const struct block_detail *d = b->detail;
	struct spot last = {profile_record_of(c, tc, b), b->n_insn - 1u};

	p->last[tc] = last.r;
	profile_look_last(p, tc);
	if (last.r)
		last.r->merged++;
	for (unsigned i = 0; slot && i < d->n_slot; i++)
		profile_put_down(p, &last, block_slot(d)[i].signal,
				 block_slot(d)[i].n);
}

void
profiler_finished(struct core *c, unsigned tc)
{
	profile_know(c->profiler, tc);
}

void
profiler_attach(struct core *c, struct profiler *p)
{
	static const struct profiler_fns fns = {
		.access = profiler_access,
		.ended = profiler_ended,
		.resync = profiler_resync,
		.look = profiler_look,
	};

	c->profiles = &fns;
	c->profiler = p;
	core_route(c);
}
