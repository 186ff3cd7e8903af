/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Predictors as one would write them down, to compare with. */
#ifndef PREDICT_NAIVE_H
#define PREDICT_NAIVE_H

#include "oracle.h"

#include <string.h>

struct naive_entry {
	bool valid, history[16];
	u64 pc, target, used, filled;
	int counter[256];
};

struct naive {
	const struct branch_config *b;
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

static void
naive_cond(struct naive *n, u64 pc, bool taken, bool backward)
{
	bool right = n->b->kind == PREDICT_BTB
			     ? naive_buffer(n, pc, taken, backward)
			     : naive_tournament(n, pc, taken);

	n->outcome[!right * 2 + taken]++;
}

static void
naive_jump(struct naive *n, u8 kind, u64 pc, u64 target)
{
	struct naive_entry *e;
	bool right = false;

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
}

#endif
