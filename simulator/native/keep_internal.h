/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files that keep code share. */
#ifndef NATIVE_KEEP_INTERNAL_H
#define NATIVE_KEEP_INTERNAL_H

#include "keep.h"

#include "target/target.h"

#define KEEP_REGIONS 64
#define KEEP_SEGMENTS 64

/* Executable code of a file, mapped there. */
struct keep_region {
	u64 from, to;
};

/* What an image is of: of no other program, engine or machine can it be used. */
struct keep_key {
	u64 program[5], engine[5];	/* identity of these files */
	u64 layout, config;		/* sums */
	u64 level, timing, need;
};

/* The beginning of an image.  Places are bytes from there. */
struct keep_image {
	struct code_part part[CODE_PARTS];
	u64 part_at[CODE_PARTS];
	unsigned n_segment;
	size_t slab_bytes;
	u64 slab_at;
	u64 segment_at[KEEP_SEGMENTS];
	u32 segment_used[KEEP_SEGMENTS];
	bool tells_faults;	/* host_tells_faults */
	u32 n_region;
	struct keep_region region[KEEP_REGIONS];
	u64 n_page;
	u64 page_at;		/* addresses of pages, */
	u64 copy_at;		/* and what is in them */
	u64 bytes;		/* of all */
};

/* ---- keep_file.c ---------------------------------------------------------- */

struct keep_file {
	int fd;
	u64 bytes;
	struct list *list;	/* of images, mapped */
};

/* Opens the file, to write to it as well; false: there is none.  And closes it. */
bool keep_file_open(struct keep_file *file, bool writes);
void keep_file_close(struct keep_file *file);

/* The largest image of that key, as it lies in the file, mapped for reading, and
 * where it begins; NULL: there is none. */
const struct keep_image *keep_file_find(const struct keep_file *file,
					const struct keep_key *key,
					u64 *offset);

/* Whether one of so many blocks would be welcome. */
bool keep_file_wants(const struct keep_file *file, const struct keep_key *key,
		     u32 blocks);

/* Only one process at a time writes; false: another one does. */
bool keep_file_lock(const struct keep_file *file);
void keep_file_unlock(const struct keep_file *file);

/* For that one: room for an image of so many bytes, mapped for writing, or NULL;
 * and what is there is an image now. */
struct keep_image *keep_file_room(const struct keep_file *file, u64 bytes);
void keep_file_put(const struct keep_file *file,
		   const struct keep_image *image,
		   const struct keep_key *key, u32 blocks);

/* ---- keep_take.c ---------------------------------------------------------- */

/* Puts an image, which begins at that place of the file, where the cache and the
 * blocks of this process are, which has none; false: something is not at its
 * place, and the process goes on without. */
bool keep_take(const struct keep_image *image, int fd, u64 offset);

/* Lays out an image of what this process has, but for its regions and pages;
 * false: it cannot be kept.  Then writes those parts into it. */
bool keep_lay_out(struct keep_image *image);
void keep_write(const struct keep_image *image);

#endif
