/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an engine's code has written comes to the same as what is put into a
 * thread's queue one by one. */
#include "core_fixture.h"
#include "threads/written.h"

#define BLOCKS 60u

static struct block block[BLOCKS];
static struct block_access access_of[BLOCKS];
static u64 dice = 3;

static unsigned
below(unsigned n)
{
	dice = dice * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(dice >> 33) % n;
}

static void
write_down(const void *what, u64 bits, u64 va)
{
	*written.next++ = (struct written_entry){
		.what = (u64)(uintptr_t)what | bits, .va = va};
}

static void
same_access(const struct merge_access *a, const struct merge_access *b)
{
	assert_int_equal(a->va, b->va);
	assert_ptr_equal(a->access, b->access);
	assert_int_equal(a->bytes, b->bytes);
	assert_int_equal(a->insn, b->insn);
	assert_int_equal(a->store, b->store);
	assert_false(a->stored);
}

static void
same_queues(const struct merge_queue *a, const struct merge_queue *b)
{
	assert_int_equal(a->tail, b->tail);
	assert_int_equal(a->end, b->end);
	assert_int_equal(a->open, b->open);
	assert_int_equal(a->recorded, b->recorded);
	assert_int_equal(a->access_tail, b->access_tail);
	for (u32 i = a->head; i != a->tail + a->open; i++) {
		const struct merge_record *r = &a->record[i & a->record_mask];
		const struct merge_record *s = &b->record[i & b->record_mask];

		assert_ptr_equal(r->block, s->block);
		assert_int_equal(r->first, s->first);
		if (i != a->tail)
			assert_int_equal(r->end, s->end);
	}
	for (u32 i = 0; i != a->access_tail; i++)
		same_access(&a->access[i & a->access_mask],
			    &b->access[i & b->access_mask]);
}

/* So many blocks, each with some accesses, both ways. */
static struct block *
execute(struct merge_queue *one_by_one, unsigned blocks)
{
	struct block *b = NULL;

	for (unsigned i = 0; i < blocks; i++) {
		b = &block[below(BLOCKS)];
		write_down(b, 0, 0);
		assert_int_equal(merge_queue_block(one_by_one, b), 0);
		for (unsigned n = below(4); n--;) {
			const struct block_access *a =
				&access_of[below(BLOCKS)];
			unsigned bytes = 1u << below(7);
			bool store = below(2);
			u64 va = dice;

			write_down(NULL, WRITTEN_ACCESS(a, bytes, store), va);
			assert_int_equal(merge_queue_access(one_by_one, a, va,
							    bytes, store), 0);
		}
	}
	return b;
}

static void
test_as_one_by_one(void **state)
{
	struct merge_queue taken, expected;

	(void)state;
	for (unsigned i = 0; i < BLOCKS; i++) {
		block[i].n_insn = (u16)(1 + below(30));
		access_of[i].insn = (u16)below(30);
	}
	assert_int_equal(merge_queue_init(&taken), 0);
	assert_int_equal(merge_queue_init(&expected), 0);
	for (unsigned round = 0; round < 40; round++) {
		unsigned n = below(800);
		struct block *last, *is = NULL;

		written.left = 100;
		last = execute(&expected, n);
		assert_int_equal(written_take(&taken, &is), n);
		assert_ptr_equal(is, last);
		assert_int_equal(written.left, 0);
		assert_ptr_equal(written.next, written.entry);
		same_queues(&taken, &expected);
	}
	merge_queue_free(&taken);
	merge_queue_free(&expected);
}

/* Behind a block that the queue has already, accesses may come first. */
static void
test_goes_on_in_a_block(void **state)
{
	struct merge_queue q;
	struct block *last = NULL;

	(void)state;
	assert_int_equal(merge_queue_init(&q), 0);
	assert_int_equal(merge_queue_block(&q, &block[1]), 0);
	write_down(NULL, WRITTEN_ACCESS(&access_of[2], 64, true), 0x1234);
	assert_int_equal(written_take(&q, &last), 0);
	assert_null(last);
	assert_int_equal(q.access_tail, 1);
	same_access(&q.access[0],
		    &(struct merge_access){.va = 0x1234,
					   .access = &access_of[2],
					   .bytes = 64,
					   .insn = access_of[2].insn,
					   .store = true});
	merge_queue_free(&q);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_as_one_by_one),
		cmocka_unit_test(test_goes_on_in_a_block),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
