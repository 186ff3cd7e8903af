/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "predict.h"
#include "core.h"
#include "fast.h"
#include "tage.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- Setting up ------------------------------------------------------- */

static int
init_buffer(struct predict *x, const struct branch_config *b)
{
	u64 *key = calloc(b->entries, sizeof *key);
	u32 *stamp = calloc(b->entries, sizeof *stamp);
	u16 *next = calloc(b->entries, sizeof *next);

	x->history_bits = b->history_bits;
	x->history_mask = (1u << b->history_bits) - 1;
	x->known = calloc(b->entries, sizeof *x->known);
	x->history = calloc(b->entries, sizeof *x->history);
	x->counter = calloc((size_t)b->entries << b->history_bits, 1);
	if (!key || !stamp || !next || !x->known || !x->history ||
	    !x->counter) {
		free(key);
		free(stamp);
		free(next);
		return -ENOMEM;
	}
	array_init(&x->branches, b->entries, b->ways ? b->ways : b->entries,
		   b->policy, key, stamp, next);
	return 0;
}

/* What a counter, or where there is none the branch's direction, says, and
 * what is left there. */
static void
init_learn(struct predict *x, unsigned bits)
{
	unsigned most = (1u << bits) - 1, half = 1u << (bits - 1);

	for (unsigned i = 0; i < SIM_COUNT(x->learn); i++) {
		unsigned state = i >> 1, taken = i & 1;
		unsigned was = state < PREDICT_NO_COUNTER ? state
			       : state == PREDICT_NO_COUNTER ? half - 1
							     : half;
		unsigned wrong = (was >= half) != taken;
		unsigned next = taken ? was + (was < most) : was - (was > 0);

		x->learn[i] = (u16)((wrong << 1 | taken) << 8 | next);
	}
}

static int
init_icache(struct predict *x, const struct sim_config *config)
{
	u32 lines = config->l1i.size / config->l1i.line;

	x->per_line = config->l1i.line >> config->branch.pc_shift;
	init_learn(x, config->branch.counter_bits);
	x->counter = malloc((size_t)lines * x->per_line);
	if (!x->counter)
		return -ENOMEM;
	memset(x->counter, PREDICT_NO_COUNTER, (size_t)lines * x->per_line);
	return 0;
}

static int
init_tournament(struct predict *x, const struct branch_config *b)
{
	size_t locals = (size_t)1 << b->history_bits;
	size_t globals = (size_t)1 << b->global_bits;
	u8 half = (u8)(1u << (b->counter_bits - 1));

	init_learn(x, b->counter_bits);
	x->own_mask = (1u << b->history_bits) - 1;
	x->path_mask = (1u << b->global_bits) - 1;
	x->local = calloc(b->entries, sizeof *x->local);
	x->counter = malloc(locals);
	x->global = malloc(globals);
	x->choice = malloc(globals);
	if (!x->local || !x->counter || !x->global || !x->choice)
		return -ENOMEM;
	memset(x->counter, b->initial > 1 ? half : half - 1, locals);
	memset(x->global, b->initial, globals);
	memset(x->choice, b->initial, globals);
	return 0;
}

static int
init_tage(struct core *c)
{
	const struct branch_config *b = &c->config->branch;
	struct predict *x = c->predict;

	init_learn(x, 2);
	x->counter = malloc(b->entries);
	x->tage = tage_new(b);
	if (!x->counter || !x->tage)
		return -ENOMEM;
	memset(x->counter, b->initial, b->entries);
	c->targets_alone = false;
	return 0;
}

int
predict_init(struct core *c)
{
	const struct branch_config *b = &c->config->branch;

	if (!predict_is_own(b))
		return 0;
	c->predict = calloc(1, sizeof *c->predict);
	if (!c->predict)
		return -ENOMEM;
	c->predict->pc_shift = b->pc_shift;
	if (b->kind == PREDICT_BTB)
		return init_buffer(c->predict, b);
	if (b->kind == PREDICT_ICACHE)
		return init_icache(c->predict, c->config);
	if (b->kind == PREDICT_TAGE)
		return init_tage(c);
	return init_tournament(c->predict, b);
}

/* ---- A buffer of branches and targets --------------------------------- */

/* The slot of the branch at pc, or -1. */
static int
buffer_find(struct core *c, u64 pc, bool taken)
{
	struct array *a = &c->predict->branches;
	int slot = array_find(a, pc >> c->config->branch.pc_shift);

	c->sig[slot < 0 ? SIG_BTB_MISS : SIG_BTB_HIT]++;
	c->sig[SIG_BTB_TAKEN_OR_HIT] += slot >= 0 || taken;
	if (slot < 0)
		return slot;
	a->stamp[slot] = array_tick(a, &c->predict->clock);
	c->predict->last = (u16)slot;
	c->predict->known[slot].pc = pc;
	return slot;
}

/* A branch that has been taken enters the buffer. */
static void
buffer_enter(struct core *c, u64 pc, u64 target)
{
	const struct branch_config *b = &c->config->branch;
	struct predict *x = c->predict;
	u64 key = pc >> b->pc_shift;
	u32 slot = array_victim(&x->branches, key);

	x->last = (u16)slot;
	if (x->branches.key[slot] != ARRAY_EMPTY)
		x->here[PREDICT_HERE(x->branches.key[slot])]--;
	x->here[PREDICT_HERE(key)]++;
	x->branches.key[slot] = key;
	x->branches.stamp[slot] = array_tick(&x->branches, &x->clock);
	x->known[slot] = (struct predict_known){pc, target};
	x->history[slot] = b->history_bits != 0;
	memset(x->counter + ((size_t)slot << b->history_bits),
	       counter_of(b->initial), (size_t)1 << b->history_bits);
}

/* Whether the branch in slot is predicted taken; it learns the outcome. */
static bool
buffer_train(struct core *c, u32 slot, bool taken)
{
	u32 bits = c->config->branch.history_bits;
	struct predict *x = c->predict;
	u32 history = x->history[slot];
	u8 *counter = &x->counter[(slot << bits) + history];
	bool said = *counter & COUNTER_TAKEN;

	*counter = c->next_counter[COUNTER_MEETS(*counter, taken)];
	x->history[slot] = (u8)((history << 1 | taken) & ((1u << bits) - 1));
	return said;
}

/* Whether the prediction is wrong. */
static bool
buffer_cond(struct core *c, const struct block *p, u64 target, bool taken,
	    bool *late)
{
	int slot = buffer_find(c, block_branch_pc(p), taken);
	bool wrong;

	if (slot >= 0) {
		wrong = buffer_train(c, (u32)slot, taken) != taken;
		if (taken) {
			wrong |= c->predict->known[slot].target != target;
			c->predict->known[slot].target = target;
		}
		return wrong;
	}
	*late = c->config->branch.static_backward && p->traits & TRAIT_BACKWARD;
	if (taken)
		buffer_enter(c, block_branch_pc(p), target);
	return *late != taken;
}

enum predict_found
predict_jump(struct core *c, const struct block *p, u64 target)
{
	int slot = buffer_find(c, block_branch_pc(p), true);
	bool wrong;

	if (slot < 0) {
		buffer_enter(c, block_branch_pc(p), target);
		return PREDICT_UNKNOWN;
	}
	wrong = !buffer_train(c, (u32)slot, true);
	wrong |= c->predict->known[slot].target != target;
	c->predict->known[slot].target = target;
	return wrong ? PREDICT_WRONG : PREDICT_RIGHT;
}

/* ---- Counters in the instruction cache -------------------------------- */

void
predict_refill(struct core *c, u32 slot)
{
	struct predict *x = c->predict;
	u8 *counter = x->counter + (size_t)slot * x->per_line;

	if (SIM_LIKELY(x->per_line == 8))
		memset(counter, PREDICT_NO_COUNTER, 8);
	else if (x->per_line)
		memset(counter, PREDICT_NO_COUNTER, x->per_line);
}

static bool
icache_cond(struct core *c, const struct block *p, bool taken)
{
	struct predict *x = c->predict;
	int slot = array_find(&c->l1i, block_branch_pc(p) >> c->iline_bits);

	if (slot < 0)
		return (p->traits & TRAIT_BACKWARD) != taken;
	return fast_learn(x, fast_counter(x, p, (u32)slot), p, taken) >> 1;
}

u64
predict_cond(struct core *c, const struct block *p, const struct block *t)
{
	bool taken = t->vaddr != p->fall, late = false, wrong;
	u64 cycles;

	switch (c->config->branch.kind) {
	case PREDICT_BTB:
		wrong = buffer_cond(c, p, t->vaddr, taken, &late);
		break;
	case PREDICT_ICACHE:
		wrong = icache_cond(c, p, taken);
		break;
	case PREDICT_TAGE:
		wrong = tage_cond(c, p, taken) != taken;
		break;
	default:
		wrong = fast_tournament(c, p, taken) != taken;
		break;
	}
	cycles = fast_outcome(c, p, (unsigned)wrong << 1 | taken) >> 32;
	c->sig[SIG_BRANCH_DECODE] += late;
	if (!late || wrong)
		return cycles;
	if (c->window) {
		c->last_outcome |= OUTCOME_LATE;
		return 0;
	}
	c->sig[SIG_IFU_REDIRECT] += c->config->branch.decode_redirect;
	return cycles + c->config->branch.decode_redirect;
}
