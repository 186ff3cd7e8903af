/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Coasting: while all watches are far from an overflow, it need not be known
 * where in a block something happened.  Static counts are added up block by
 * block; what else has happened is looked at when coasting ends.  Until then
 * a bound of it does: most of it takes time, and the time is known; what does
 * not is read.  With each block, and with each access that is no plain hit,
 * the bound says whether an overflow is possible.
 *
 * The counts of a block are taken for granted when it is entered.  So nothing
 * can overflow before that which happened last when coasting ends, and what
 * happened earlier may all be put there: sums at the instructions behind it
 * are the same.  Only the end of a block has two such places, for which there
 * is a margin.
 *
 * A window's blocks have no static counts of time.  Where nothing else but
 * what is rare is watched, blocks are not attended to at all until the cycle
 * that the bound allows; a rare happening ends that.  Neither are
 * those of a pipeline in order while cycles are all that is watched: the time
 * that has passed is what they have counted, whatever counted it.
 */
#include "sample_internal.h"

#include "pipeline/window.h"

/* Happenings of the end of a block, of each kind; and of a whole one in a
 * window, which knows its cycles only then, and spreads them. */
#define END_HAPPENINGS 64
#define WINDOW_HAPPENINGS 4096
#define LEAST 2048	/* happenings for which coasting is worth while */

/* What takes no time, but rarely happens. */
static bool
is_rare(unsigned g)
{
	return (g >= SIG_OS_SYSCALL && g <= SIG_OS_PAGE) ||
	       g == SIG_JTLB_I_MISS || g == SIG_JTLB_D_MISS;
}

SIM_INLINE u64
count_rare(const struct core *c)
{
	const u64 *sig = c->sig;

	return sig[SIG_OS_SYSCALL] + sig[SIG_OS_PAGE] + sig[SIG_OS_SIGNAL] +
	       sig[SIG_JTLB_I_MISS] + sig[SIG_JTLB_D_MISS];
}

/* Whether a watch has nothing but cycles, all alike. */
static bool
is_elapsed(const struct watch *w, const struct core *c)
{
	bool alike = !c->window && !w->n_sudden && !w->want.leader;

	for (unsigned g = 0; g < SIG_N; g++)
		alike &= !signal_is_time(g) || w->weight[g] == w->per_cycle;
	for (unsigned i = 0; i < 2 * BRANCH_OUTCOMES; i++)
		alike &= w->outcome[i / BRANCH_OUTCOMES][i % BRANCH_OUTCOMES] ==
			 w->per_cycle *
			 (s64)(c->cost[i % BRANCH_OUTCOMES] >> 32);
	return alike;
}

void
coast_weigh(struct watch *w, const struct core *c)
{
	s64 most = 0;

	for (unsigned i = 0; i < w->n; i++)
		if (signal_is_time(w->list[i]) && w->weight[w->list[i]] > most)
			most = w->weight[w->list[i]];
	if (c->window)
		w->margin = most * WINDOW_HAPPENINGS;
	w->per_cycle = most;
	for (unsigned i = 0; i < w->n; i++)
		if (!most || !signal_is_time(w->list[i]))
			w->sudden[w->n_sudden++] = w->list[i];
	for (unsigned i = 0; i < 2 * BRANCH_OUTCOMES; i++) {
		unsigned outcome = i % BRANCH_OUTCOMES;
		s64 n = w->outcome[i / BRANCH_OUTCOMES][outcome];

		if (n > most * (s64)(c->cost[outcome] >> 32))
			w->sudden_outcomes = true;
	}
	w->timed = most && !w->sudden_outcomes;
	for (unsigned i = 0; i < w->n_sudden; i++)
		w->timed &= is_rare(w->sudden[i]);
	for (unsigned i = 0; i < w->n_behind; i++)
		w->margin += w->weight[w->list[i]] * END_HAPPENINGS;
	w->elapsed = most && is_elapsed(w, c);
}

/* Sum of what takes no time. */
SIM_INLINE s64
sum_sudden(const struct watch *w, const struct core *c)
{
	s64 sum = 0;

	for (unsigned i = 0; i < w->n_sudden; i++)
		sum += w->weight[w->sudden[i]] * (s64)c->sig[w->sudden[i]];
	return w->sudden_outcomes ? sum + watch_outcomes(w, c) : sum;
}

/* What a watch has to its limit at least. */
static s64
room(const struct watch *w, const struct core *c, u64 cycles)
{
	s64 used = sum_sudden(w, c) - w->before;

	if (!w->timed)
		used += w->counted;
	return w->limit - used - w->per_cycle * (s64)cycles;
}

/* Whether a watch may have come to its limit; if not, where all are timed,
 * how long nothing else has to be asked. */
static SIM_NOINLINE bool
is_near_now(const struct core *c)
{
	struct sampler *s = c->sampler;
	u64 now = core_cycle(c), until = UINT64_MAX;

	EACH_WATCH(w, s) {
		const struct watch *x = &s->watch[w];
		s64 left = room(x, c, now - s->coasting_from);

		if (left <= 0)
			return true;
		if (!x->timed)
			until = 0;
		else if (now + (u64)(left / x->per_cycle) < until)
			until = now + (u64)(left / x->per_cycle);
	}
	s->until = until;
	s->rare = count_rare(c);
	return false;
}

SIM_INLINE bool
is_near(const struct core *c)
{
	const struct sampler *s = c->sampler;

	if (SIM_LIKELY(core_cycle(c) < s->until && count_rare(c) == s->rare))
		return false;
	return is_near_now(c);
}

void
coast_begin(struct core *c, const struct block *t)
{
	struct sampler *s = c->sampler;
	const struct place *p = &s->place[s->tc];
	const struct block_sums *sums;

	if (p->fresh || p->any || s->merged)
		return;
	EACH_WATCH(w, s) {
		const struct watch *x = &s->watch[w];

		if (x->lent < x->margin + LEAST * SAMPLE_TENTHS || p->n[w] ||
		    !(x->contexts >> s->tc & 1))
			return;
	}
	sums = block_sums(s, t);
	s->coasting = true;
	s->skips = c->window || !s->taken_back;
	s->coasting_from = core_cycle(c) - t->cycles;
	s->uncounted = c->uncounted;
	s->until = 0;
	EACH_WATCH(w, s) {
		struct watch *x = &s->watch[w];

		x->limit = x->lent - x->margin;
		x->before = sum_sudden(x, c);
		x->counted = sums->sum[w];
		s->skips &= c->window ? x->timed
				      : x->elapsed && !s->followers[w];
	}
}

u64
coast_deadline(const struct core *c)
{
	const struct sampler *s = c->sampler;

	return s->skips && s->until > c->epoch ? CYCLES(s->until - c->epoch)
					       : 0;
}

/* The block that a pipeline in order is in; NULL: none yet. */
static const struct block *
entered(const struct core *c)
{
	return c->prev->n_insn ? c->prev : NULL;
}

void
coast_catch_up(struct core *c)
{
	struct sampler *s = c->sampler;

	if (!s->coasting || !s->skips)
		return;
	s->place[s->tc].block = c->window ? window_entered(c->window)
					  : entered(c);
	c->deadline = 0;
}

/*
 * Where blocks of a pipeline in order were skipped: all that has been counted
 * but for the block's static counts, less what the signals tell.
 */
static s64
elapsed_before(const struct core *c, unsigned watch, const struct block *b)
{
	const struct sampler *s = c->sampler;
	const struct watch *w = &s->watch[watch];
	const s64 *known = s->place[s->tc].known[watch];
	u64 cycles = core_cycle(c) - s->coasting_from -
		     (c->uncounted - s->uncounted) - b->cycles;
	s64 sum[2];

	watch_look(c, w, c->sig, sum);
	return w->per_cycle * (s64)cycles -
	       (sum[0] - known[0] + sum[1] - known[1]);
}

/* Static counts since coasting began, those of the current block apart. */
static s64
counted_before(struct core *c, unsigned watch)
{
	struct sampler *s = c->sampler;
	const struct block *b = s->place[s->tc].block;

	if (s->skips && !c->window)
		return elapsed_before(c, watch, c->prev);
	return s->watch[watch].counted - block_sums(s, b)->sum[watch];
}

/* A watch is near its limit: from here on, all is put down where it happens.
 * The caller looks at what has happened so far. */
static void
leave(struct core *c)
{
	struct sampler *s = c->sampler;
	struct place *p = &s->place[s->tc];

	s->coasting = false;
	p->any = true;
	EACH_WATCH(w, s) {
		struct watch *x = &s->watch[w];
		s64 *known = p->known[w], n = counted_before(c, w);

		if (!x->want.leader) {
			place_add(p, w, 0, n);
			continue;
		}
		/* A follower is not asked about what is past. */
		n -= known[0] + known[1];
		watch_look(c, x, c->sig, known);
		x->seen += n + known[0] + known[1];
	}
}

/* The same where blocks of a pipeline in order are skipped.  The one before t
 * is not known: no overflow is in it, see the margin. */
static bool
coast_skipped(struct core *c)
{
	struct sampler *s = c->sampler;

	if (SIM_LIKELY(!is_near(c)))
		return true;
	s->place[s->tc].block = NULL;
	leave(c);
	return false;
}

bool
coast_block(struct core *c, const struct block *t)
{
	struct sampler *s = c->sampler;
	const struct block_sums *sums;

	if (s->skips && !c->window)
		return coast_skipped(c);
	sums = block_sums(s, t);
	if (s->skips)
		s->place[s->tc].block = window_before(c->window);
	EACH_WATCH(w, s)
		s->watch[w].counted += sums->sum[w];
	if (SIM_UNLIKELY(is_near(c))) {
		EACH_WATCH(w, s)
			s->watch[w].counted -= sums->sum[w];
		leave(c);
		return false;
	}
	s->place[s->tc].block = t;
	return true;
}

bool
coast_access(struct core *c)
{
	if (SIM_LIKELY(!is_near(c)))
		return true;
	coast_catch_up(c);
	leave(c);
	return false;
}

void
coast_end(struct core *c)
{
	struct sampler *s = c->sampler;
	struct place *p = &s->place[s->tc];

	if (!s->coasting)
		return;
	coast_catch_up(c);
	s->coasting = false;
	p->any = true;
	EACH_WATCH(w, s) {
		struct watch *x = &s->watch[w];
		s64 *known = p->known[w], n = counted_before(c, w);

		n -= known[0] + known[1];
		watch_look(c, x, c->sig, known);
		n += known[0] + known[1];
		if (n >= x->lent) {
			place_add(p, w, 0, n);
			continue;
		}
		x->lent -= n;
		x->seen += n;
	}
}
