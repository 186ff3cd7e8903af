/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tage.h"
#include "core.h"
#include "fast.h"

#include <stdlib.h>

#define NO_TABLE (-1)

struct entry {
	u16 tag;	/* 0: the entry has never been taken */
	u8 counter;	/* taken from half on; of a target: how sure it is */
	u8 useful;
};

/* All tables for one question. */
struct bank {
	const struct tage_config *config;
	u32 tables;
	u32 shift;	/* of a hash: what is left is the index */
	u32 mask;	/* of a tag */
	u8 counter_most, useful_most;
	u32 left;	/* branches until usefulness is halved */
	struct {
		u64 mask[TAGE_WORDS];	/* of its history */
		u32 words;		/* of those that are not 0 */
		u32 first;		/* its first entry */
	} table[TAGE_MAX_TABLES];
	struct entry *entry;	/* table by table */
	u64 *target;	/* the same; NULL: the question is whether it is taken */
	/* Of the branch at hand; places and tags from the longest history to
	 * the alternate's. */
	u32 at[TAGE_MAX_TABLES];
	u16 tag[TAGE_MAX_TABLES];
	int provider, alternate; /* tables, or NO_TABLE */
};

struct tage {
	u64 history[TAGE_WORDS]; /* bit 0 of the first word is the last one */
	u32 words;	/* of it that any table looks at, at least 1 */
	u32 pc_shift;
	u8 distrust;	/* of new entries */
	struct bank outcome, target;
};

/* ---- Setting up ------------------------------------------------------- */

static void
init_histories(struct tage *x, struct bank *b, const struct tage_config *config)
{
	for (u32 i = 0; i < config->tables; i++) {
		u32 bits = config->history[i], words = (bits + 63) / 64;

		for (u32 w = 0; w < words; w++, bits -= 64)
			b->table[i].mask[w] =
				bits < 64 ? (1ull << bits) - 1 : ~0ull;
		b->table[i].words = words;
		b->table[i].first = i * config->entries;
		if (words > x->words)
			x->words = words;
	}
}

static bool
init_bank(struct tage *x, struct bank *b, const struct tage_config *config,
	  bool targets)
{
	size_t n = (size_t)config->tables * config->entries;

	b->config = config;
	b->tables = config->tables;
	if (!n)
		return true;
	b->shift = (u32)__builtin_clz(config->entries) + 33;
	b->mask = (1u << config->tag_bits) - 1;
	b->counter_most = (u8)((1u << config->counter_bits) - 1);
	b->useful_most = (u8)((1u << config->useful_bits) - 1);
	b->left = config->age;
	init_histories(x, b, config);
	b->entry = calloc(n, sizeof *b->entry);
	b->target = targets ? calloc(n, sizeof *b->target) : NULL;
	return b->entry && (b->target || !targets);
}

struct tage *
tage_new(const struct branch_config *config)
{
	struct tage *x = calloc(1, sizeof *x);

	if (!x)
		return NULL;
	x->pc_shift = config->pc_shift;
	x->distrust = (TAGE_DISTRUST_MOST + 1) / 2;
	x->words = 1;
	if (!init_bank(x, &x->outcome, &config->tage, false) ||
	    !init_bank(x, &x->target, &config->targets, true))
		return NULL;
	return x;
}

/* ---- What both questions share ---------------------------------------- */

SIM_INLINE void
step(u8 *counter, bool up, u8 most)
{
	if (up)
		*counter = (u8)(*counter + (*counter < most));
	else
		*counter = (u8)(*counter - (*counter > 0));
}

SIM_INLINE void
push(struct tage *x, u64 bit)
{
	for (u32 w = x->words - 1; w; w--)
		x->history[w] = x->history[w] << 1 | x->history[w - 1] >> 63;
	x->history[0] = x->history[0] << 1 | bit;
}

SIM_INLINE u64
mix(u64 hash, u64 history)
{
	hash = (hash ^ history) * TAGE_HASH_NEXT;
	return hash ^ hash >> 29;
}

/* Of table i: whether it has an entry for a branch whose address has that
 * hash; notes its place and its tag. */
SIM_INLINE bool
look_at(const struct tage *x, struct bank *b, u32 i, u64 hash)
{
	u32 tag, at;

	hash = mix(hash, x->history[0] & b->table[i].mask[0]);
	for (u32 w = 1; w < b->table[i].words; w++)
		hash = mix(hash, x->history[w] & b->table[i].mask[w]);
	hash *= TAGE_HASH;
	tag = (u32)hash & b->mask;
	tag += !tag;
	at = b->table[i].first + (u32)(hash >> b->shift);
	b->tag[i] = (u16)tag;
	b->at[i] = at;
	return b->entry[at].tag == tag;
}

/* Finds the two longest histories that have an entry. */
SIM_INLINE void
look(const struct tage *x, struct bank *b, u64 pc)
{
	u64 hash = (pc >> x->pc_shift) * TAGE_HASH;
	u32 i = b->tables;

	b->provider = b->alternate = NO_TABLE;
	while (i--)
		if (look_at(x, b, i, hash)) {
			b->provider = (int)i;
			break;
		}
	while (b->provider > 0 && i--)
		if (look_at(x, b, i, hash)) {
			b->alternate = (int)i;
			break;
		}
}

/* The prediction was wrong: an entry for a longer history, with nothing in it
 * but its tag; NULL: all are useful. */
static struct entry *
allocate(struct bank *b)
{
	u32 first = (u32)(b->provider + 1);

	for (u32 i = first; i < b->tables; i++) {
		struct entry *e = &b->entry[b->at[i]];

		if (!e->useful) {
			*e = (struct entry){.tag = b->tag[i]};
			return e;
		}
	}
	for (u32 i = first; i < b->tables; i++)
		b->entry[b->at[i]].useful--;
	return NULL;
}

/* One branch more. */
SIM_INLINE void
grow_old(struct bank *b)
{
	size_t n = (size_t)b->config->tables * b->config->entries;

	if (SIM_LIKELY(--b->left))
		return;
	b->left = b->config->age;
	for (size_t i = 0; i < n; i++)
		b->entry[i].useful >>= 1;
}

/* ---- Whether a branch is taken ---------------------------------------- */

/* What table i says, or the counter before them. */
SIM_INLINE bool
says(const struct bank *b, int i, bool first)
{
	return i == NO_TABLE
		       ? first
		       : b->entry[b->at[i]].counter > b->counter_most / 2;
}

/* An entry that has learned nothing since it was taken. */
SIM_INLINE bool
is_new(const struct bank *b, const struct entry *e)
{
	u8 half = b->counter_most / 2;

	return !e->useful && (e->counter == half || e->counter == half + 1);
}

/* The provider learns; whether it is believed. */
static bool
train_provider(struct tage *x, struct bank *b, bool taken, bool provided,
	       bool other)
{
	struct entry *e = &b->entry[b->at[b->provider]];
	bool believed = true;

	if (is_new(b, e)) {
		believed = x->distrust <= TAGE_DISTRUST_MOST / 2;
		if (provided != other)
			step(&x->distrust, other == taken, TAGE_DISTRUST_MOST);
	}
	step(&e->counter, taken, b->counter_most);
	if (provided != other)
		step(&e->useful, provided == taken, b->useful_most);
	return believed;
}

bool
tage_cond(struct core *c, const struct block *p, bool taken)
{
	struct tage *x = c->predict->tage;
	struct bank *b = &x->outcome;
	u8 *counter = &c->predict->counter[p->bht_index];
	bool first = *counter > 1, provided, other, said;
	struct entry *e;

	look(x, b, block_branch_pc(p));
	provided = says(b, b->provider, first);
	other = says(b, b->alternate, first);
	if (b->provider == NO_TABLE) {
		said = first;
		fast_train(counter, taken);
	} else {
		said = train_provider(x, b, taken, provided, other) ? provided
								    : other;
	}
	if (said != taken && (e = allocate(b)))
		e->counter = (u8)(b->counter_most / 2 + taken);
	grow_old(b);
	push(x, taken);
	return said;
}

/* ---- Where an indirect jump goes -------------------------------------- */

SIM_INLINE u64
target_of(const struct bank *b, int i, u64 first)
{
	return i == NO_TABLE ? first : b->target[b->at[i]];
}

/* The provider, which said that, learns where the jump goes; whether it is
 * believed, and not the other one. */
static bool
train_target(struct bank *b, u64 target, u64 provided, u64 other)
{
	struct entry *e = &b->entry[b->at[b->provider]];
	bool right = provided == target, believed = e->counter || !other;

	if (provided != other)
		step(&e->useful, right, b->useful_most);
	if (!right && !e->counter)
		b->target[b->at[b->provider]] = target;
	else
		step(&e->counter, right, b->counter_most);
	return believed;
}

static void
push_target(struct tage *x, u64 target)
{
	u64 hash = (target >> x->pc_shift) * TAGE_HASH;

	for (unsigned i = 0; i < TAGE_TARGET_BITS; i++)
		push(x, hash >> (63 - i) & 1);
}

bool
tage_target(struct tage *x, u64 pc, u64 target, u64 *first)
{
	struct bank *b = &x->target;
	u64 said = *first, provided, other;
	struct entry *e;

	if (!b->tables) {
		*first = target;
		push_target(x, target);
		return said == target;
	}
	look(x, b, pc);
	if (b->provider != NO_TABLE) {
		provided = target_of(b, b->provider, *first);
		other = target_of(b, b->alternate, *first);
		said = train_target(b, target, provided, other) ? provided
								: other;
	}
	if (said != target && (e = allocate(b)))
		b->target[e - b->entry] = target;
	*first = target;
	grow_old(b);
	push_target(x, target);
	return said == target;
}
