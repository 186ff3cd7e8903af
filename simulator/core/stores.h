/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The last stores of a program, by the words of 4 bytes that they wrote: what
 * a load could get from a store that is still in the window.  Each word knows
 * its last store only, whatever part of the word that wrote; a load asks for
 * its first word and its last one.
 *
 * Where a machine forwards (core.stores is not NULL), each store is put here
 * when the program makes it, and each load asks: most find nothing, which
 * takes a compare.  window_forward.c has the time that the others wait.
 */
#ifndef SIM_STORES_H
#define SIM_STORES_H

#include "core.h"

#define STORES_WORDS 256
#define STORES_WORD_BITS 2

/* The last store to a word. */
struct last_store {
	u64 word;		/* address / 4, or STORES_NONE */
	u64 va;			/* of the whole store */
	u32 block;		/* stores.block then */
	u16 bytes;
	u16 number;		/* of the block's stores, from 1 */
};

#define STORES_NONE (~0ull)

struct stores {
	u32 block;		/* blocks entered so far */
	struct last_store last[STORES_WORDS];
};

SIM_INLINE u64
stores_word(u64 va)
{
	return va >> STORES_WORD_BITS;
}

/* Where the last store to that word is, if there is one. */
SIM_INLINE struct last_store *
stores_at(struct stores *s, u64 word)
{
	return &s->last[word & (STORES_WORDS - 1)];
}

/* Access a, which is a store, writes those bytes. */
SIM_INLINE void
stores_put(struct stores *s, const struct block_access *a, u64 va,
	   unsigned bytes)
{
	u64 end = stores_word(va + bytes - 1);

	for (u64 word = stores_word(va); word <= end; word++)
		*stores_at(s, word) = (struct last_store){
			.word = word, .va = va, .block = s->block,
			.bytes = (u16)bytes, .number = a->store};
}

/* Whether the first or the last word there has a store. */
SIM_INLINE bool
stores_has(struct stores *s, u64 va, unsigned bytes)
{
	u64 first = stores_word(va), last = stores_word(va + bytes - 1);

	return (stores_at(s, first)->word == first) |
	       (bytes > 1 && stores_at(s, last)->word == last);
}

/*
 * To be asked about each access where core.stores is not NULL, in the order of
 * the program, before it is looked for: notes a store, and says whether a load
 * may have to wait for one, so that core.access has to look at it although it
 * hits.
 */
SIM_INLINE bool
stores_pass(struct core *c, const struct block_access *a, u64 va,
	    unsigned bytes, bool store)
{
	if (store) {
		stores_put(c->stores, a, va, bytes);
		return false;
	}
	return SIM_UNLIKELY(stores_has(c->stores, va, bytes)) &&
	       c->window_fns->forwards(c, va, bytes);
}

#endif
