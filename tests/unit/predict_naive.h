/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Predictors as one would write them down, to compare with. */
#ifndef PREDICT_NAIVE_H
#define PREDICT_NAIVE_H

#include "oracle.h"
#include "core/tage.h"

#include <string.h>

struct naive_entry {
	bool valid, history[16];
	u64 pc, target, used, filled;
	int counter[256];
};

/* An entry of a tagged table. */
struct naive_tagged {
	bool valid;
	unsigned tag;
	int counter, useful;
	u64 target;
};

struct naive {
	const struct branch_config *b;
	struct naive_tagged tagged[4][64], targets[4][64];
	bool path[TAGE_MAX_HISTORY];
	int first[64], distrust;
	u64 last[64], branches, jumps;
	struct naive_entry entry[256];
	u64 time, hit, miss, taken_or_hit, decode, jump, indirect, unknown;
	u64 wrong_return, outcome[BRANCH_OUTCOMES];
	/* Tournament. */
	bool own[64][16], all[16];
	int local[4096], global[4096], choice[4096];
};

static unsigned
number(const bool *history, unsigned bits)
{
	unsigned n = 0;

	while (bits--)
		n = n * 2 + history[bits];
	return n;
}

/* history[0] is the last one. */
static void
push(bool *history, unsigned bits, bool taken)
{
	for (unsigned i = bits; i-- > 1;)
		history[i] = history[i - 1];
	if (bits)
		history[0] = taken;
}

static void
step(int *counter, bool up, int most)
{
	*counter += up ? 1 : -1;
	if (*counter < 0)
		*counter = 0;
	if (*counter > most)
		*counter = most;
}

static struct naive_entry *
naive_find(struct naive *n, u64 pc, bool taken)
{
	struct naive_entry *found = NULL;

	for (unsigned i = 0; i < n->b->entries; i++)
		if (n->entry[i].valid && n->entry[i].pc == pc)
			found = &n->entry[i];
	n->time++;
	if (found)
		found->used = n->time;
	n->hit += found != NULL;
	n->miss += !found;
	n->taken_or_hit += found || taken;
	return found;
}

static void
naive_enter(struct naive *n, u64 pc, u64 target)
{
	unsigned ways = n->b->ways ? n->b->ways : n->b->entries;
	u64 set = (pc >> n->b->pc_shift) % (n->b->entries / ways);
	struct naive_entry *row = n->entry + set * ways, *e = row;

	for (unsigned w = 0; w < ways && e->valid; w++) {
		u64 a = n->b->policy == POLICY_LRU ? row[w].used
						   : row[w].filled;
		u64 least = n->b->policy == POLICY_LRU ? e->used : e->filled;

		if (!row[w].valid || a < least)
			e = &row[w];
	}
	*e = (struct naive_entry){.valid = true, .pc = pc, .target = target,
				  .used = ++n->time, .filled = n->time};
	for (unsigned i = 0; i < SIM_COUNT(e->counter); i++)
		e->counter[i] = n->b->initial;
	e->history[0] = true;
}

/* Whether a branch that was found is predicted to do this. */
static bool
naive_known(struct naive *n, struct naive_entry *e, bool taken, u64 target)
{
	int *counter = &e->counter[number(e->history, n->b->history_bits)];
	bool said = *counter >= 2, right = said == taken;

	step(counter, taken, 3);
	push(e->history, n->b->history_bits, taken);
	if (!taken)
		return right;
	right = right && e->target == target;
	e->target = target;
	return right;
}

static bool
naive_buffer(struct naive *n, u64 pc, bool taken, bool backward)
{
	struct naive_entry *e = naive_find(n, pc, taken);
	bool said = n->b->static_backward && backward;

	if (e)
		return naive_known(n, e, taken, 0x9000);
	n->decode += said;
	if (taken)
		naive_enter(n, pc, 0x9000);
	return said == taken;
}

static bool
naive_tournament(struct naive *n, u64 pc, bool taken)
{
	const struct branch_config *b = n->b;
	bool *own = n->own[(pc >> b->pc_shift) % b->entries];
	int *local = &n->local[number(own, b->history_bits)];
	unsigned path = number(n->all, b->global_bits);
	bool by_local = *local >= 1 << (b->counter_bits - 1);
	bool by_global = n->global[path] >= 2;
	bool said = n->choice[path] >= 2 ? by_global : by_local;

	if (by_local != by_global)
		step(&n->choice[path], by_global == taken, 3);
	step(local, taken, (1 << b->counter_bits) - 1);
	step(&n->global[path], taken, 3);
	push(own, b->history_bits, taken);
	push(n->all, b->global_bits, taken);
	return said == taken;
}

/* ---- Tagged tables ---------------------------------------------------- */

/* The hash of an address and of that many of the last bits. */
static u64
naive_hash(const struct naive *n, u64 pc, unsigned bits)
{
	u64 hash = (pc >> n->b->pc_shift) * TAGE_HASH;

	for (unsigned first = 0; first < bits; first += 64) {
		u64 word = 0;

		for (unsigned i = first; i < bits && i < first + 64; i++)
			word += (u64)n->path[i] << (i - first);
		hash = (hash ^ word) * TAGE_HASH_NEXT;
		hash ^= hash >> 29;
	}
	return hash * TAGE_HASH;
}

/* The entry that table i has for it, of this branch or another; the tag that it
 * has if it is of this one. */
static struct naive_tagged *
naive_at(struct naive *n, struct naive_tagged tables[4][64],
	 const struct tage_config *t, unsigned i, u64 pc, unsigned *tag)
{
	u64 hash = naive_hash(n, pc, t->history[i]), range = t->entries;

	*tag = (unsigned)(hash % (1u << t->tag_bits));
	if (!*tag)
		*tag = 1;
	return &tables[i][(u64)((unsigned __int128)hash * range >> 64)];
}

/* The table of the longest history below table end with an entry, or -1. */
static int
naive_longest(struct naive *n, struct naive_tagged tables[4][64],
	      const struct tage_config *t, int end, u64 pc)
{
	unsigned tag;

	while (end-- > 0) {
		struct naive_tagged *e =
			naive_at(n, tables, t, (unsigned)end, pc, &tag);

		if (e->valid && e->tag == tag)
			return end;
	}
	return -1;
}

/* Of a history longer than that of table i, an entry becomes this branch's. */
static struct naive_tagged *
naive_take(struct naive *n, struct naive_tagged tables[4][64],
	   const struct tage_config *t, int i, u64 pc)
{
	unsigned tag;

	for (unsigned at = (unsigned)(i + 1); at < t->tables; at++) {
		struct naive_tagged *e =
			naive_at(n, tables, t, at, pc, &tag);

		if (e->useful)
			continue;
		*e = (struct naive_tagged){.valid = true, .tag = tag};
		return e;
	}
	for (unsigned at = (unsigned)(i + 1); at < t->tables; at++)
		naive_at(n, tables, t, at, pc, &tag)->useful--;
	return NULL;
}

static void
naive_age(struct naive_tagged tables[4][64], const struct tage_config *t,
	  u64 *passed)
{
	if (++*passed % t->age)
		return;
	for (unsigned i = 0; i < 4; i++)
		for (unsigned k = 0; k < 64; k++)
			tables[i][k].useful /= 2;
}

static bool
naive_tage(struct naive *n, u64 pc, bool taken)
{
	const struct tage_config *t = &n->b->tage;
	int half = 1 << (t->counter_bits - 1), most = 2 * half - 1;
	int long_at = naive_longest(n, n->tagged, t, (int)t->tables, pc);
	int next_at = naive_longest(n, n->tagged, t, long_at, pc);
	int *first = &n->first[(pc >> n->b->pc_shift) % n->b->entries];
	bool said = *first >= 2, other = said;
	struct naive_tagged *e;
	unsigned tag;

	if (long_at < 0) {
		step(first, taken, 3);
	} else {
		bool distrust = n->distrust > TAGE_DISTRUST_MOST / 2, provided;

		if (next_at >= 0)
			other = naive_at(n, n->tagged, t, (unsigned)next_at,
					 pc, &tag)->counter >= half;
		e = naive_at(n, n->tagged, t, (unsigned)long_at, pc, &tag);
		provided = said = e->counter >= half;
		if (!e->useful && (e->counter == half ||
				   e->counter == half - 1)) {
			said = distrust ? other : provided;
			if (provided != other)
				step(&n->distrust, other == taken,
				     TAGE_DISTRUST_MOST);
		}
		step(&e->counter, taken, most);
		if (provided != other)
			step(&e->useful, provided == taken,
			     (1 << t->useful_bits) - 1);
	}
	if (said != taken) {
		e = naive_take(n, n->tagged, t, long_at, pc);
		if (e)
			e->counter = taken ? half : half - 1;
	}
	naive_age(n->tagged, t, &n->branches);
	push(n->path, TAGE_MAX_HISTORY, taken);
	return said == taken;
}

/* Whether a jump is predicted to go where it goes. */
static bool
naive_target(struct naive *n, u64 pc, u64 target)
{
	const struct tage_config *t = &n->b->targets;
	u64 *last = &n->last[(pc >> n->b->pc_shift) % n->b->target_entries];
	u64 said = *last, other = said;
	u64 hash = (target >> n->b->pc_shift) * TAGE_HASH;
	int long_at = naive_longest(n, n->targets, t, (int)t->tables, pc);
	int next_at = naive_longest(n, n->targets, t, long_at, pc);
	struct naive_tagged *e;
	unsigned tag;

	if (long_at >= 0) {
		u64 provided;

		if (next_at >= 0)
			other = naive_at(n, n->targets, t, (unsigned)next_at,
					 pc, &tag)->target;
		e = naive_at(n, n->targets, t, (unsigned)long_at, pc, &tag);
		provided = e->target;
		said = e->counter || !other ? provided : other;
		if (provided != other)
			step(&e->useful, provided == target,
			     (1 << t->useful_bits) - 1);
		if (provided == target || e->counter)
			step(&e->counter, provided == target,
			     (1 << t->counter_bits) - 1);
		else
			e->target = target;
	}
	if (t->tables && said != target) {
		e = naive_take(n, n->targets, t, long_at, pc);
		if (e)
			e->target = target;
	}
	*last = target;
	if (t->tables)
		naive_age(n->targets, t, &n->jumps);
	for (unsigned i = 0; i < TAGE_TARGET_BITS; i++)
		push(n->path, TAGE_MAX_HISTORY, hash >> (63 - i) & 1);
	return said == target;
}

static void
naive_cond(struct naive *n, u64 pc, bool taken, bool backward)
{
	bool right = n->b->kind == PREDICT_BTB
			     ? naive_buffer(n, pc, taken, backward)
		     : n->b->kind == PREDICT_TAGE
			     ? naive_tage(n, pc, taken)
			     : naive_tournament(n, pc, taken);

	n->outcome[!right * 2 + taken]++;
}

static void
naive_jump(struct naive *n, u8 kind, u64 pc, u64 target)
{
	struct naive_entry *e;
	bool right = false;

	if (n->b->kind == PREDICT_TAGE && kind == BRANCH_IND_JUMP)
		n->indirect += !n->b->target_entries ||
			       !naive_target(n, pc, target);
	if (n->b->kind != PREDICT_BTB)
		return;
	e = naive_find(n, pc, true);
	if (e)
		right = naive_known(n, e, true, target);
	else
		naive_enter(n, pc, target);
	switch (kind) {
	case BRANCH_RETURN:
		n->wrong_return += e && !right;
		n->unknown += !e;
		break;
	case BRANCH_IND_JUMP:
		n->indirect += !right;
		break;
	default:
		n->decode += !e && n->b->static_backward;
		n->jump += e ? !right : !n->b->static_backward;
		break;
	}
}

static void
naive_init(struct naive *n, const struct branch_config *b)
{
	int half = b->counter_bits ? 1 << (b->counter_bits - 1) : 0;

	memset(n, 0, sizeof *n);
	n->b = b;
	for (unsigned i = 0; i < 4096; i++) {
		n->local[i] = b->initial > 1 ? half : half - 1;
		n->global[i] = n->choice[i] = b->initial;
	}
	n->distrust = (TAGE_DISTRUST_MOST + 1) / 2;
	for (unsigned i = 0; i < SIM_COUNT(n->first); i++)
		n->first[i] = b->initial;
}

#endif
