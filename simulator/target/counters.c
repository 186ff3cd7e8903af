/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counters in chunks, which lie among the blocks of their segment as if they were one
 * that is never executed.  Next to each other they take an eighth of the lines of the
 * host's cache that they would need in their blocks.
 */
#include "counters.h"

#include "target.h"

#include <string.h>

#define CHUNK_BYTES 4096u

/* What is left of each segment's last chunk, from the segment's beginning. */
static struct chunk {
	u32 next, end;
} chunk[PROCESS_SEGMENTS];

static bool
begin_chunk(struct machine_segment *s, struct chunk *c)
{
	struct block *b = (struct block *)((u8 *)s + s->used);

	if (s->used + CHUNK_BYTES > MACHINE_SEGMENT)
		return false;
	memset(b, 0, CHUNK_BYTES);
	b->counters = true;
	b->bytes = CHUNK_BYTES;
	c->next = s->used + (u32)sizeof *b;
	c->end = s->used + CHUNK_BYTES;
	__atomic_store_n(&s->used, c->end, __ATOMIC_RELEASE);
	return true;
}

u64 *
counters_of(struct block *b, unsigned i)
{
	struct machine_segment *s;
	struct chunk *c;
	unsigned number;

	if (b->counter[i])
		return block_counter(b, i);
	s = process_segment_with(b, &number);
	if (!s)
		return NULL;
	c = &chunk[number];
	if (c->next == c->end && !begin_chunk(s, c))
		return NULL;
	b->counter[i] = (s32)((u8 *)s + c->next - (u8 *)b);
	c->next += (u32)sizeof(u64);
	return block_counter(b, i);
}
