/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Queues of what threads have executed: rings that grow when they must. */
#include "merge.h"

#include <errno.h>
#include <stdlib.h>

#define FIRST_RECORDS 1024u
#define FIRST_ACCESSES 4096u

int
merge_queue_init(struct merge_queue *q)
{
	*q = (struct merge_queue){
		.record = malloc(FIRST_RECORDS * sizeof *q->record),
		.access = malloc(FIRST_ACCESSES * sizeof *q->access),
		.record_mask = FIRST_RECORDS - 1,
		.access_mask = FIRST_ACCESSES - 1,
		.tc = -1,
	};
	if (q->record && q->access)
		return 0;
	merge_queue_free(q);
	return -ENOMEM;
}

void
merge_queue_free(struct merge_queue *q)
{
	free(q->record);
	free(q->access);
	q->record = NULL;
	q->access = NULL;
}

/* Twice as much; indices stay what they are. */
int
merge_queue_grow(struct merge_queue *q)
{
	u32 size = 2 * (q->record_mask + 1);
	struct merge_record *bigger = malloc(size * sizeof *bigger);

	if (!bigger)
		return -ENOMEM;
	for (u32 i = q->head; i != q->tail + q->open; i++)
		bigger[i & (size - 1)] = q->record[i & q->record_mask];
	free(q->record);
	q->record = bigger;
	q->record_mask = size - 1;
	return 0;
}

/* Twice the room for accesses from first on. */
static int
grow_accesses(struct merge_queue *q, u32 first)
{
	u32 size = 2 * (q->access_mask + 1);
	struct merge_access *bigger = malloc(size * sizeof *bigger);

	if (!bigger)
		return -ENOMEM;
	for (u32 i = first; i != q->access_tail; i++)
		bigger[i & (size - 1)] = q->access[i & q->access_mask];
	free(q->access);
	q->access = bigger;
	q->access_mask = size - 1;
	return 0;
}

/* A block is open, so that there is a record: accesses before its first, or
 * that of the oldest one, have been worked off. */
int
merge_queue_grow_accesses(struct merge_queue *q)
{
	u32 first = q->record[q->head & q->record_mask].first;

	if (q->access_tail - first > q->access_mask && grow_accesses(q, first))
		return -ENOMEM;
	q->access_room = first + q->access_mask + 1;
	return 0;
}

int
merge_queue_counted(struct merge_queue *q, s32 insns)
{
	q->ahead = NULL;
	if (q->tail - q->head > q->record_mask && merge_queue_grow(q))
		return -ENOMEM;
	q->record[q->tail++ & q->record_mask] =
		(struct merge_record){.first = (u32)insns};
	q->recorded += (u32)insns;
	if (!q->woken)
		q->end = q->tail;
	return 0;
}

void
merge_queue_stored(struct merge_queue *q, const struct block_access *a)
{
	const struct merge_record *r = &q->record[q->tail & q->record_mask];
	struct merge_access *last =
		&q->access[(q->access_tail - 1) & q->access_mask];

	if (q->open && r->first != q->access_tail && last->access == a)
		last->stored = true;
}

/* The access of that instruction; NULL: it is none of the block's. */
static const struct block_access *
access_of(const struct block *b, unsigned insn)
{
	const struct block_access *a = block_access(b->detail);

	for (unsigned i = 0; i < b->detail->n_access; i++)
		if (a[i].insn == insn)
			return &a[i];
	return NULL;
}

void
merge_queue_cut(struct merge_queue *q, struct block *beginning)
{
	struct merge_record *r = &q->record[q->tail & q->record_mask];
	u32 end;

	if (!q->open)
		return;
	q->mark = 0;	/* at the end that it has not reached */
	if (!beginning) {
		q->mark = r->mark;
		q->access_tail = r->first;
		q->open = false;
		return;
	}
	r->block = beginning;
	for (end = r->first; end != q->access_tail; end++) {
		struct merge_access *a = &q->access[end & q->access_mask];

		a->access = access_of(beginning, a->access->insn);
		if (!a->access)
			break;
	}
	q->access_tail = end;
}

void
merge_queue_clear(struct merge_queue *q)
{
	q->head = q->tail = q->end = 0;
	q->mark = 0;
	q->access_tail = q->access_room = 0;
	q->recorded = 0;
	q->open = false;
	q->leaving = false;
	q->prev = NULL;
	q->ahead = NULL;
	q->next = NULL;
	q->woken = q->waker = NULL;
	q->tc = -1;
}
