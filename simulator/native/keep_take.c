/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An image's parts: where they are in a process, and in the file. */
#include "keep_internal.h"

#include "core/predict.h"
#include "machine/ahead.h"
#include "target/slabs.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

static u8 *
segment(unsigned i)
{
	return (u8 *)(uintptr_t)NATIVE_SEGMENTS + i * (size_t)MACHINE_SEGMENT;
}

static u8 *
slabs(void)
{
	return (u8 *)(uintptr_t)NATIVE_SLABS;
}

void
keep_places(void)
{
	process_place(segment(0));
	slabs_place(slabs());
}

/* A copy of its own of that part of the file. */
static bool
map_over(void *at, size_t bytes, int prot, int flags, int fd, u64 offset)
{
	return !bytes || mmap(at, native_pages(bytes), prot,
			      MAP_PRIVATE | flags, fd, (off_t)offset) == at;
}

bool
keep_take(const struct keep_image *image, int fd, u64 offset)
{
	const int data = PROT_READ | PROT_WRITE;

	if (!process_take_segments(image->n_segment) ||
	    !map_over(slabs(), image->slab_bytes, data, MAP_FIXED_NOREPLACE,
		      fd, offset + image->slab_at))
		return false;
	slabs_taken(image->slab_bytes);
	for (unsigned i = 0; i < CODE_PARTS; i++)
		if (!map_over(image->part[i].at, image->part[i].bytes,
			      data | (i <= CODE_PART_COLD ? PROT_EXEC : 0),
			      MAP_FIXED, fd, offset + image->part_at[i]))
			process_die("code that was kept", ENOMEM);
	/* Of each block that is shown, lists are written there. */
	ahead_of_writes(image->part[CODE_PART_BLOCKS].at,
			image->part[CODE_PART_BLOCKS].bytes);
	for (unsigned i = 0; i < image->n_segment; i++) {
		struct machine_segment *s = (struct machine_segment *)segment(i);

		ahead_of_writes(s, image->segment_used[i]);
		memcpy(segment(i) + MACHINE_FIRST_BLOCK,
		       (const u8 *)image + image->segment_at[i],
		       image->segment_used[i] - MACHINE_FIRST_BLOCK);
		__atomic_store_n(&s->used, image->segment_used[i],
				 __ATOMIC_RELEASE);
	}
	code_parts_taken(image->part);
	return true;
}

bool
keep_lay_out(struct keep_image *image)
{
	u64 at = native_pages(sizeof *image);

	if (!process_segments(&image->n_segment) ||
	    image->n_segment > KEEP_SEGMENTS ||
	    !slabs_used(&image->slab_bytes))
		return false;
	code_parts(image->part);
	for (unsigned i = 0; i < CODE_PARTS; i++) {
		image->part_at[i] = at;
		at += native_pages(image->part[i].bytes);
	}
	image->slab_at = at;
	at += native_pages(image->slab_bytes);
	for (unsigned i = 0; i < image->n_segment; i++) {
		const struct machine_segment *s =
			(const struct machine_segment *)segment(i);

		image->segment_at[i] = at;
		image->segment_used[i] = s->used;
		at += native_pages(s->used - MACHINE_FIRST_BLOCK);
	}
	image->bytes = at;
	return true;
}

/* As it was when it was made: what the process has found out since is its own. */
static void
make_new(const struct keep_image *image, struct block *b)
{
	u8 *own = (u8 *)image + image->slab_at + ((u8 *)b->own - slabs());

	block_clear(b);
	block_forget_slots(b);
	if (b->branch != BRANCH_NONE)
		b->bht_index = predict_place(target.config,
					     block_branch_pc(b));
	if (b->own)
		((struct block_own *)own)->wide = NULL;
}

static void
write_segment(const struct keep_image *image, unsigned i)
{
	u32 bytes = image->segment_used[i] - MACHINE_FIRST_BLOCK;
	u8 *to = (u8 *)image + image->segment_at[i];
	struct block *b;

	memcpy(to, segment(i) + MACHINE_FIRST_BLOCK, bytes);
	for (u32 at = 0; at < bytes; at += b->bytes) {
		b = (struct block *)(to + at);
		make_new(image, b);
	}
}

void
keep_write(const struct keep_image *image)
{
	u8 *to = (u8 *)image;

	for (unsigned i = 0; i < CODE_PARTS; i++)
		memcpy(to + image->part_at[i], image->part[i].at,
		       image->part[i].bytes);
	memcpy(to + image->slab_at, slabs(), image->slab_bytes);
	for (unsigned i = 0; i < image->n_segment; i++)
		write_segment(image, i);
}
