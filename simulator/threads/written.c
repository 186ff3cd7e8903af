/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an engine's code has written goes into the thread's queue. */
#include "written.h"

struct written written = {.next = written.entry};

static int
take_access(struct merge_queue *q, const struct written_entry *e)
{
	u64 address = e->what & ((1ull << WRITTEN_STORE_BIT) - 1);

	return merge_queue_access(
		q, (const struct block_access *)(uintptr_t)address, e->va,
		(unsigned)(e->what >> WRITTEN_BYTES_BIT),
		e->what >> WRITTEN_STORE_BIT & 1);
}

int
written_take(struct merge_queue *q, struct block **last)
{
	struct written_entry *end = written.next;
	int blocks = 0, error = 0;

	written_give(0);
	written.next = written.entry;
	for (struct written_entry *e = written.entry; e != end && !error; e++)
		if (e->what >> WRITTEN_STORE_BIT) {
			error = take_access(q, e);
		} else {
			*last = (struct block *)(uintptr_t)e->what;
			error = merge_queue_block(q, *last);
			blocks++;
		}
	return error ? error : blocks;
}
