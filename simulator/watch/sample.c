/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Looking at signals; ticks; the functions that execution calls. */
#include "sample_internal.h"

#include "pipeline/window.h"

#include <string.h>

/* ---- Looking at signals ---------------------------------------------- */

static s64
sum_signals(const struct watch *w, const u64 *sig, unsigned from, unsigned to)
{
	s64 sum = 0;

	for (unsigned i = from; i < to; i++)
		sum += w->weight[w->list[i]] * (s64)sig[w->list[i]];
	return sum;
}

s64
watch_outcomes(const struct watch *w, const struct core *c)
{
	s64 sum = 0;

	for (unsigned i = 0; i < 2 * BRANCH_OUTCOMES; i++)
		sum += w->outcome[i / BRANCH_OUTCOMES][i % BRANCH_OUTCOMES] *
		       (s64)c->outcome[i / BRANCH_OUTCOMES]
				      [i % BRANCH_OUTCOMES];
	return sum;
}

void
watch_look(const struct core *c, const struct watch *w, const u64 *sig,
	   s64 sum[2])
{
	const struct sampler *s = c->sampler;

	sum[0] = sum_signals(w, sig, 0, w->n_behind);
	sum[1] = sum_signals(w, sig, w->n_behind, w->n);
	if (w->outcomes && !s->merged)
		sum[0] += watch_outcomes(w, c);
	if (w->elapsed)
		sum[1] += w->per_cycle * (s64)c->waited;
}

#define ALL_INSNS UINT32_MAX
#define SPREAD 16

/* In a window, cycles are known by block: its instructions share them. */
static void
spread(struct place *p, unsigned watch, s64 n)
{
	u32 insns = p->block->n_insn;
	u32 parts = insns < SPREAD ? insns : SPREAD;

	for (u32 i = 0; i < parts; i++)
		place_add(p, watch, i * insns / parts,
			  n / parts + (i + 1 == parts ? n % parts : 0));
}

/* What has happened since the last look, at those two instructions. */
static void
notice(struct core *c, const u64 *sig, unsigned tc, u32 end, u32 elsewhere)
{
	struct sampler *s = c->sampler;
	struct place *p = &s->place[tc];

	EACH_WATCH(w, s) {
		s64 sum[2];

		watch_look(c, &s->watch[w], sig, sum);
		if (sum[0] != p->known[w][0])
			place_add(p, w, end, sum[0] - p->known[w][0]);
		if (elsewhere == ALL_INSNS)
			spread(p, w, sum[1] - p->known[w][1]);
		else if (sum[1] != p->known[w][1])
			place_add(p, w, elsewhere, sum[1] - p->known[w][1]);
		memcpy(p->known[w], sum, sizeof sum);
	}
}

static void
know(struct core *c, const u64 *sig, unsigned tc)
{
	struct sampler *s = c->sampler;

	EACH_WATCH(w, s)
		watch_look(c, &s->watch[w], sig, s->place[tc].known[w]);
}

/* ---- Ticks ----------------------------------------------------------- */

void
sample_tick(struct core *c, unsigned n, u64 cycles, sample_tick_fn *fn,
	    void *arg)
{
	c->sampler->ticker[n] = (struct ticker){
		.cycles = cycles,
		.next = core_cycle(c) + cycles,
		.fn = fn,
		.arg = arg,
	};
	c->deadline = c->sampler->deadline = 0;
}

static const struct sample_apart *calls_apart;

void
sample_calls_apart(const struct sample_apart *apart)
{
	calls_apart = apart;
}

bool
sampler_calls(void)
{
	return calls_apart && calls_apart->begin();
}

void
sampler_called(bool begun)
{
	if (begun)
		calls_apart->end();
}

static void
tick(struct core *c, struct ticker *t)
{
	u64 serial = t->next;
	bool begun;

	t->next += t->cycles;
	core_take_back(c);
	begun = sampler_calls();
	t->fn(t->arg, serial);
	sampler_called(begun);
}

/* Calls what is due; the deadline that the next one asks for. */
static u64
run_tickers(struct core *c, u64 deadline)
{
	struct sampler *s = c->sampler;

	for (unsigned i = 0; i < SAMPLE_TICKERS; i++) {
		struct ticker *t = &s->ticker[i];

		while (t->cycles && t->next <= core_cycle(c))
			tick(c, t);
		if (t->cycles && CYCLES(t->next - c->epoch) < deadline)
			deadline = CYCLES(t->next - c->epoch);
	}
	return deadline;
}

/* ---- Execution ---------------------------------------------------- */

/* Whether nothing can have happened since the last look but the execution
 * of a block, the outcome of its branch, and the entry of t. */
static bool
is_quiet(const struct core *c, const struct place *p, const struct block *t)
{
	const struct block *b = p->block;
	u64 now = p->now + t->advance;

	if (!b || b->kind & KIND_DYNAMIC || p->fresh ||
	    c->window)
		return false;
	if (b->kind & KIND_COND)
		now += c->cost[core_outcome(c)];
	return c->now == now;
}

static SIM_NOINLINE void
finish_block(struct core *c, const struct block *t)
{
	struct sampler *s = c->sampler;
	const struct block *p = s->place[s->tc].block;

	/* Of a watched block, only what the next one is late for is left. */
	notice(c, c->sig, s->tc, p ? block_branch_insn(p) : 0,
	       p && c->window && !s->watched ? ALL_INSNS :
	       p ? p->n_insn : 0);
	place_finish(c, s->tc, t);
}

/* Happenings before an overflow from which on each instruction of a window is
 * looked at. */
#define NEAR ((s64)SAMPLE_TENTHS << 9)

static bool
is_near(const struct sampler *s)
{
	EACH_WATCH(w, s)
		if (s->watch[w].lent < NEAR && !s->watch[w].want.leader)
			return true;
	return false;
}

static u64
least(u64 a, u64 b)
{
	return a < b ? a : b;
}

u64
sample_attend(struct core *c, const struct block *t, u64 deadline)
{
	struct sampler *s = c->sampler;
	struct place *p = &s->place[s->tc];

	if (!s->merged && s->active && !(s->coasting && coast_block(c, t))) {
		if (!is_quiet(c, p, t) || p->any ||
		    !place_finish_quickly(c, t))
			finish_block(c, t);
		p->now = c->now;
		coast_begin(c, t);
	}
	if (c->window && s->active) {
		bool watched = !s->merged && !s->coasting && is_near(s);

		if (watched || s->watched)
			window_watch(c, watched);
		s->watched = watched;
	}
	if (c->now >= s->deadline || c->epoch != s->epoch) {
		s->epoch = c->epoch;
		s->deadline = run_tickers(c, CYCLES(RENORM_CYCLES));
	}
	if (s->deadline < deadline)
		deadline = s->deadline;
	if (s->active && !s->merged)
		return s->coasting ? least(coast_deadline(c), deadline) : 0;
	return deadline;
}

void
sample_rare(struct core *c)
{
	c->deadline = 0;
}

void
sample_happened(struct core *c)
{
	sample_rare(c);
	c->sampler->place[c->sampler->tc].any = true;
}

void
sample_taken_back(struct core *c)
{
	coast_end(c);
	c->sampler->taken_back = true;
}

void
sample_left(struct core *c, const struct block *part)
{
	struct sampler *s = c->sampler;

	coast_end(c);
	s->place[s->tc].block = part;
	sample_happened(c);
}

void
sample_access(struct core *c, unsigned insn)
{
	if (!c->sampler->active)
		return;
	if (c->sampler->coasting && coast_access(c))
		return;
	notice(c, c->sig, c->sampler->tc, insn, insn);
	sample_happened(c);
}

void
sample_retired(struct core *c, unsigned insn)
{
	struct sampler *s = c->sampler;
	const struct block *b = s->place[s->tc].block;

	notice(c, c->sig, s->tc, b ? block_branch_insn(b) : insn, insn);
}

void
sample_look(struct core *c)
{
	struct sampler *s = c->sampler;
	const struct place *p = &s->place[s->tc];

	coast_end(c);
	if (!s->merged) {
		u32 at = p->block ? p->block->n_insn - 1u : 0;

		notice(c, c->sig, s->tc, at, at);
		return;
	}
	for (unsigned tc = 0; tc < SIM_MAX_TC; tc++) {
		notice(c, s->sig[tc], tc, 0, 0);
		place_finish(c, tc, NULL);
	}
}

void
sample_leave(struct core *c)
{
	struct sampler *s = c->sampler;

	sample_look(c);
	place_finish(c, s->tc, NULL);
	if (s->watched) {
		s->watched = false;
		window_watch(c, false);
	}
}

void
sample_resync(struct core *c, u64 (*sig)[SIG_N], unsigned tc)
{
	struct sampler *s = c->sampler;
	struct place *from = &s->place[s->tc], *to = &s->place[tc];

	coast_catch_up(c);
	s->sig = sig;
	if (s->merged) {	/* only its branch is still to be looked at */
		to->block = c->prev->n_insn ? c->prev : NULL;
		to->fresh = s->active;
		s->generation++;	/* stalls are static again */
	} else if (from != to) {
		*to = *from;
		from->block = NULL;
	}
	s->merged = s->coasting = false;
	s->tc = tc;
	know(c, sig[tc], tc);
	c->deadline = s->deadline = 0;
}

void
sample_child(struct core *c)
{
	struct sampler *s = c->sampler;

	s->coasting = false;	/* the parent does */
	c->deadline = 0;
	EACH_WATCH(w, s)
		if (s->watch[w].left != &s->watch[w].own)
			/* It is the parent's. */
			s->watch[w].lent = s->watch[w].loan = 0;
	for (unsigned tc = 0; tc < SIM_MAX_TC; tc++) {
		s->place[tc].block = NULL;
		memset(s->place[tc].n, 0, sizeof s->place[tc].n);
	}
}

void
sample_merge(struct core *c, u64 (*sig)[SIG_N])
{
	struct sampler *s = c->sampler;

	sample_leave(c);
	s->sig = sig;
	s->merged = true;
	s->generation++;	/* stalls are not static any more */
	for (unsigned tc = 0; tc < SIM_MAX_TC; tc++)
		know(c, sig[tc], tc);
}

void
sample_issue(struct core *c, unsigned tc, unsigned insn)
{
	notice(c, c->sampler->sig[tc], tc, insn, insn);
}

void
sample_follow(struct core *c, unsigned tc, const struct block *p)
{
	struct sampler *s = c->sampler;
	struct place *place = &s->place[tc];
	bool any = false;
	u32 at;

	if (!p->n_insn)
		return;
	at = block_branch_insn(p);
	notice(c, s->sig[tc], tc, at, at);
	EACH_WATCH(w, s)
		any |= place->n[w] != 0;
	if (!any)
		return;
	place->block = p;
	place->fresh = s->active;
	place_finish(c, tc, NULL);
}

void
sample_finish(struct core *c, unsigned tc, const struct block *b, bool slot)
{
	struct sampler *s = c->sampler;
	const struct block_detail *d = b->detail;
	struct place *p = &s->place[tc];

	p->block = b;
	for (unsigned i = 0; slot && i < d->n_slot; i++)
		EACH_WATCH(w, s)
			place_add(p, w, b->n_insn - 1u,
				  block_slot(d)[i].n * s->watch[w].weight[
				  block_slot(d)[i].signal]);
	place_finish(c, tc, NULL);
}

void
sample_finished(struct core *c, unsigned tc)
{
	know(c, c->sampler->sig[tc], tc);
}
