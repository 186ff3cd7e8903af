/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A block that is over: added up, and gone through if a watch overflows. */
#include "sample_internal.h"

#include "pipeline/block_prefix.h"
#include "machine/mix.h"

#include <string.h>

void
place_add(struct place *p, unsigned watch, u32 insn, s64 n)
{
	struct happening *list = p->list[watch];
	u32 i = p->n[watch];

	while (i && list[i - 1].insn > insn)
		i--;
	if (i && (list[i - 1].insn == insn ||
		  p->n[watch] == SAMPLE_HAPPENINGS)) {
		list[i - 1].n += n;
		return;
	}
	if (p->n[watch] == SAMPLE_HAPPENINGS) {
		list[0].n += n;
		return;
	}
	memmove(list + i + 1, list + i, (p->n[watch]++ - i) * sizeof *list);
	list[i] = (struct happening){insn, n};
}

/* ---- Static counts --------------------------------------------------- */

static bool
counts_stalls(const struct sampler *s)
{
	return !s->merged;
}

const struct block_sums *
block_sums_fill(struct sampler *s, const struct block *b)
{
	struct block_sums *sums = &s->sums[BLOCK_SUMS_INDEX(b)];
	unsigned n = b->n_count + (counts_stalls(s) ? b->n_stall : 0u);

	*sums = (struct block_sums){.block = b, .generation = s->generation};
	EACH_WATCH(w, s)
		for (unsigned i = 0; i < n; i++)
			sums->sum[w] +=
				s->watch[w].weight[b->count[i].signal] *
				b->count[i].n;
	return sums;
}

static void
add_share(void *arg, unsigned insn, unsigned signal, s64 n)
{
	struct sampler *s = arg;

	EACH_WATCH(w, s)
		s->share[insn][w] += s->watch[w].weight[signal] * n;
}

/* Works out what each instruction of a block adds to each watch. */
static void
find_shares(struct core *c, const struct block *b)
{
	struct sampler *s = c->sampler;

	if (s->shared == b && s->shared_generation == s->generation)
		return;
	memset(s->share, 0, b->n_insn * sizeof s->share[0]);
	s->shared = b;
	s->shared_generation = s->generation;
	if (!block_shares(b, c->config, counts_stalls(s), add_share, s))
		return;
	/* No memory: all of it at the block's end. */
	memset(s->share, 0, b->n_insn * sizeof s->share[0]);
	memcpy(s->share[b->n_insn - 1], block_sums(s, b)->sum,
	       sizeof s->share[0]);
}

/* ---- Overflows ------------------------------------------------------- */

/* A number that looks random, always the same for overflow k. */
static u64
jitter(const struct sample_watch *want, u64 k)
{
	u64 x = k + 1 + ((u64)want->seed << 32);

	return want->jitter ? mix64(x) % want->jitter : 0;
}

/* Happenings from overflow k to the next one, in tenths. */
static s64
distance(const struct watch *w, u64 k)
{
	if (!w->want.period)
		return INT64_MAX / 2;
	return (s64)(w->want.period + jitter(&w->want, k)) * SAMPLE_TENTHS;
}

/*
 * Takes n off a watch's distance, which others may share; *before is what it
 * was.  The overflows that this makes, up to most of them, are the caller's.
 */
static unsigned
take(struct watch *w, s64 n, s64 *before)
{
	s64 new;
	u64 fired;

	*before = __atomic_load_n(w->left, __ATOMIC_ACQUIRE);
	do {
		fired = w->fired;
		new = *before - n;
		while (new <= 0)
			new += distance(w, fired++);
	} while (!__atomic_compare_exchange_n(w->left, before, new, true,
					      __ATOMIC_ACQ_REL,
					      __ATOMIC_ACQUIRE));
	return (unsigned)(fired - w->fired);
}

#define LOAN ((s64)SAMPLE_TENTHS << 14)

/* Lends a watch some of its distance. */
static void
lend(struct watch *w)
{
	s64 loan = __atomic_load_n(w->left, __ATOMIC_ACQUIRE) - 1;

	if (loan > LOAN && w->left != &w->own)
		loan = LOAN;
	if (loan <= 0)
		return;
	w->lent = w->loan = loan;
}

void
watch_return(struct watch *w)
{
	if (!w->loan)
		return;
	__atomic_sub_fetch(w->left, w->loan - w->lent, __ATOMIC_ACQ_REL);
	w->lent = w->loan = 0;
}

bool
place_finish_quickly(struct core *c, const struct block *next)
{
	struct sampler *s = c->sampler;
	struct place *p = &s->place[s->tc];
	const struct block *b = p->block;
	const struct block_sums *sums = block_sums(s, b);
	bool conditional = b->kind & KIND_COND;
	s64 n[SAMPLE_WATCHES];

	EACH_WATCH(w, s) {
		const struct watch *x = &s->watch[w];

		n[w] = sums->sum[w];
		if (conditional)
			n[w] += x->outcome[b->shares][core_outcome(c)];
		if (n[w] >= x->lent || !(x->contexts >> s->tc & 1))
			return false;
	}
	EACH_WATCH(w, s) {
		struct watch *x = &s->watch[w];

		x->lent -= n[w];
		x->seen += n[w];
		if (conditional)
			p->known[w][0] +=
				x->outcome[b->shares][core_outcome(c)];
	}
	p->block = next;
	return true;
}

/* A walk through a block, instruction by instruction. */
struct walk {
	struct core *c;
	const struct block *block; /* NULL: nothing is known of it */
	const struct happening *list;
	u32 n;
	const struct place *place; /* of its followers' lists */
	const u32 *lists;	/* how long they are */
	u32 fresh_watches;
	bool fresh;		/* only what is in the list counts */
	unsigned tc, watch;
	u64 next;		/* where the following block begins */
	s64 left;		/* to the next overflow */
	unsigned overflows;	/* still to be found */
};

static u64
pc_of(const struct walk *k, u32 insn)
{
	const struct block *b = k->block;

	if (!b || (insn >= b->n_insn && k->next))
		return k->next;
	return block_insns(b)[insn < b->n_insn ? insn : b->n_insn - 1u].pc;
}

/* What another watch has of an instruction of the block. */
static s64
amount_of(const struct walk *k, unsigned watch, u32 insn)
{
	const struct sampler *s = k->c->sampler;
	bool known = k->block && !k->fresh && insn < k->block->n_insn;
	s64 n = known ? s->share[insn][watch] : 0;

	if (k->fresh_watches >> watch & 1)
		return 0;
	if (!insn)
		n += s->watch[watch].carry;
	for (u32 i = 0; k->lists && i < k->lists[watch]; i++)
		if (k->place->list[watch][i].insn == insn)
			n += k->place->list[watch][i].n;
	return n;
}

static void
ask_followers(const struct walk *k, u32 insn, const struct sample *at)
{
	const struct sampler *s = k->c->sampler;

	for (u32 left = s->followers[k->watch]; left; left &= left - 1) {
		unsigned f = (unsigned)__builtin_ctz(left);
		struct sample sample = *at;

		sample.watch = f;
		sample.n = amount_of(k, f, insn);
		if (sample.n)
			s->watch[f].want.fn(s->watch[f].want.arg, &sample);
	}
}

/* n more at an instruction; false if the watch is not the same any more. */
static bool
step(struct walk *k, u32 insn, s64 n)
{
	struct watch *w = &k->c->sampler->watch[k->watch];
	u32 serial = w->serial;
	bool begun;

	k->left -= n;
	while (k->left <= 0 && k->overflows) {
		struct sample sample = {
			.pc = pc_of(k, insn),
			.cycle = core_cycle(k->c),
			.watch = k->watch,
			.tc = k->tc,
			.block = k->block,
		};

		k->left += distance(w, w->fired++);
		k->overflows--;
		core_take_back(k->c);
		begun = sampler_calls();
		ask_followers(k, insn, &sample);
		w->want.fn(w->want.arg, &sample);
		sampler_called(begun);
		if (!w->on || w->serial != serial)
			return false;
	}
	return true;
}

static void
find_overflows(struct walk *k)
{
	struct sampler *s = k->c->sampler;
	u32 i = 0, insns = k->block && !k->fresh ? k->block->n_insn : 0;

	if (insns)
		find_shares(k->c, k->block);
	for (u32 at = 0; at < insns; at++) {
		s64 sum = s->share[at][k->watch];

		for (; i < k->n && k->list[i].insn <= at; i++)
			sum += k->list[i].n;
		if (!step(k, at, sum))
			return;
	}
	for (; i < k->n; i++)
		if (!step(k, k->list[i].insn, k->list[i].n))
			return;
}

void
watch_make_up(struct core *c, unsigned watch, const struct block *b)
{
	struct sampler *s = c->sampler;
	struct walk k = {.c = c, .block = b, .tc = s->tc, .watch = watch};

	k.overflows = take(&s->watch[watch], 0, &k.left);
	step(&k, b ? b->n_insn - 1u : 0, 0);
}

static void
finish_watch(struct walk *k, s64 n)
{
	struct watch *w = &k->c->sampler->watch[k->watch];

	for (u32 i = 0; i < k->n; i++)
		n += k->list[i].n;
	w->seen += n;
	if (!n)
		return;
	watch_return(w);
	k->overflows = take(w, n, &k->left);
	if (k->overflows)
		find_overflows(k);
	else
		lend(w);
}

/* What the next block's first instruction has already. */
static void
carry_over(struct watch *w, const struct happening *list, u32 n, u32 insns)
{
	w->carry = 0;
	while (n-- && list[n].insn >= insns)
		w->carry += list[n].n;
}

void
place_finish(struct core *c, unsigned tc, const struct block *next)
{
	struct sampler *s = c->sampler;
	struct place *p = &s->place[tc], was;
	const struct block *b = p->block;
	struct block_sums sums = {0};
	u32 generation = s->generation;

	if (b)
		sums = *block_sums(s, b);
	was.fresh = p->fresh;
	memcpy(was.n, p->n, sizeof was.n);
	memset(p->n, 0, sizeof p->n);
	p->block = next;
	p->fresh = 0;
	p->any = false;
	EACH_WATCH(w, s) {
		struct walk k = {
			.c = c, .block = b, .list = p->list[w], .n = was.n[w],
			.place = p, .lists = was.n,
			.fresh_watches = was.fresh,
			.fresh = was.fresh >> w & 1,
			.tc = tc, .watch = w, .next = next ? next->vaddr : 0,
		};

		if (s->watch[w].on && s->watch[w].serial <= generation &&
		    s->watch[w].contexts >> tc & 1)
			finish_watch(&k, k.fresh ? 0 : sums.sum[w]);
	}
	EACH_WATCH(w, s)
		carry_over(&s->watch[w], p->list[w], was.n[w],
			   b ? b->n_insn : 0);
}
