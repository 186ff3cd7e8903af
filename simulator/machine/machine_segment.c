/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Segments: taken from the end of what is in use or from the list of returned
 * ones, chained by index, walked block by block.  Lists change so that a
 * process killed in between loses at most the segment in its hands.
 */
#include "machine_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_STEP ((off_t)256 << 20)

/* So many free segments keep their pages: new ones cost a forking shell
 * more than all else.  The headers of those say WARM. */
#define WARM_SEGMENTS 8
#define WARM 1

static size_t
segment_offset(u32 k)
{
	return machine_head_bytes() + (size_t)(k - 1) * MACHINE_SEGMENT;
}

int
segment_header_read(struct machine_map *map, u32 k,
		    struct machine_segment *header)
{
	ssize_t n;

	if (!k || k > map->m->segments)
		return -EINVAL;
	if (map->live) {
		*header = map->header[k];
		return 0;
	}
	do
		n = pread(map->fd, header, sizeof *header,
			  (off_t)segment_offset(k));
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	return n == sizeof *header ? 0 : -EINVAL;
}

/* Not by pwrite(), which the target's limit of file sizes would refuse. */
int
segment_header_write(struct machine_map *map, u32 k,
		     const struct machine_segment *header)
{
	struct machine_segment *segment;

	segment = mmap(NULL, sizeof *segment, PROT_WRITE, MAP_SHARED, map->fd,
		       (off_t)segment_offset(k));
	if (segment == MAP_FAILED)
		return -errno;
	*segment = *header;
	munmap(segment, sizeof *segment);
	return 0;
}

/* Gives back the pages of segment k, but for the first, which links it.  A
 * file system that cannot do that keeps them. */
static void
segment_discard(struct machine_map *map, u32 k)
{
	off_t page = sysconf(_SC_PAGESIZE);

	fallocate(map->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
		  (off_t)segment_offset(k) + page,
		  (off_t)MACHINE_SEGMENT - page);
}

void
segments_free(struct machine_map *map, u32 *list)
{
	struct machine *m = map->m;
	u32 left = m->segments;

	for (; *list && left; left--) {
		struct machine_segment header;
		u32 k = *list;

		if (segment_header_read(map, k, &header)) {
			*list = 0;
			return;
		}
		*list = header.next;
		header.next = m->free_segment;
		header.used = m->warm_segments < WARM_SEGMENTS ? WARM : 0;
		if (!header.used)
			segment_discard(map, k);
		if (segment_header_write(map, k, &header))
			return;
		m->free_segment = k;
		m->warm_segments += header.used;
	}
	*list = 0;
}

/*
 * Makes the file long enough for segment k, and then some: where the target
 * lowers its limit of file sizes, later ones are still to be had.
 */
static int
extend_file(struct machine_map *map, u32 k)
{
	off_t size = (off_t)segment_offset(k + 1);
	struct stat st;

	if (fstat(map->fd, &st))
		return -errno;
	if (st.st_size >= size)
		return 0;
	return machine_file_extend(map->fd, size,
				   (size / FILE_STEP + 1) * FILE_STEP);
}

/* Takes a segment off the free list, or makes the file longer; 0: cannot. */
static u32
segment_get(struct machine_map *map)
{
	struct machine *m = map->m;
	struct machine_segment header;
	u32 k = m->free_segment;

	if (k) {
		if (machine_reserve(map, segment_offset(k), MACHINE_SEGMENT) ||
		    segment_header_read(map, k, &header))
			return 0;
		m->free_segment = header.next;
		if (header.used == WARM && m->warm_segments)
			m->warm_segments--;
		return k;
	}
	k = m->segments + 1;
	if (!k || extend_file(map, k) ||
	    machine_reserve(map, segment_offset(k), MACHINE_SEGMENT))
		return 0;
	m->segments = k;
	return k;
}

/* Gives back a segment that could not be mapped. */
static void
segment_put(struct machine_map *map, u32 k)
{
	struct machine_segment header = {.next = map->m->free_segment};

	if (!segment_header_write(map, k, &header))
		map->m->free_segment = k;
}

struct machine_segment *
segment_take(struct machine_map *map, u32 *list, void *addr)
{
	struct machine_segment *segment;
	u32 k = segment_get(map);

	if (!k)
		return NULL;
	segment = mmap(addr, MACHINE_SEGMENT, PROT_READ | PROT_WRITE,
		       MAP_SHARED | (addr ? MAP_FIXED : 0), map->fd,
		       (off_t)segment_offset(k));
	if (segment == MAP_FAILED) {
		segment_put(map, k);
		return NULL;
	}
	segment->used = MACHINE_FIRST_BLOCK;
	segment->next = *list;
	__atomic_store_n(list, k, __ATOMIC_RELEASE);
	return segment;
}

void *
machine_segment_take(struct machine_map *map, unsigned slot, void *addr)
{
	struct machine_segment *segment;

	machine_lock(map);
	segment = segment_take(map, &map->m->slot[slot].segment, addr);
	machine_unlock(map);
	return segment;
}

/* Whether the file has the first bytes of a segment: what is mapped behind its
 * end cannot be touched. */
static bool
has_bytes(const struct machine_map *map, u32 k, size_t bytes)
{
	struct stat st;

	return !fstat(map->fd, &st) &&
	       (u64)st.st_size >= segment_offset(k) + bytes;
}

struct machine_segment *
segment_map_all(struct machine_map *map, u32 k)
{
	void *p;

	if (!k || k > map->m->segments ||
	    !has_bytes(map, k, MACHINE_SEGMENT))
		return NULL;
	p = mmap(NULL, MACHINE_SEGMENT, PROT_READ | PROT_WRITE, MAP_SHARED,
		 map->fd, (off_t)segment_offset(k));
	return p == MAP_FAILED ? NULL : p;
}

/* A copy that others cannot change, in a mapping like that of the segment. */
static struct machine_segment *
segment_copy(struct machine_map *map, u32 k, size_t bytes)
{
	struct machine_segment *s;

	s = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (s == MAP_FAILED)
		return NULL;
	if (pread(map->fd, s, bytes, (off_t)segment_offset(k)) !=
	    (ssize_t)bytes) {
		munmap(s, bytes);
		return NULL;
	}
	*s = map->header[k];
	return s;
}

struct machine_segment *
segment_map(struct machine_map *map, u32 k, int prot, size_t *bytes)
{
	struct machine_segment header;
	void *p;

	if (segment_header_read(map, k, &header) ||
	    header.used < sizeof header || header.used > MACHINE_SEGMENT)
		return NULL;
	*bytes = header.used;
	if (map->live)
		return segment_copy(map, k, *bytes);
	if (!has_bytes(map, k, *bytes))
		return NULL;
	p = mmap(NULL, *bytes, prot, MAP_SHARED | MAP_POPULATE, map->fd,
		 (off_t)segment_offset(k));
	return p == MAP_FAILED ? NULL : p;
}

struct block *
segment_block(struct machine_segment *segment, size_t bytes, size_t *offset)
{
	struct block *b = (struct block *)((char *)segment + *offset);
	size_t left = bytes - *offset;

	if (*offset >= bytes || left < sizeof *b || b->bytes > left ||
	    b->bytes % _Alignof(struct block) || b->bytes < sizeof *b)
		return NULL;
	if (((size_t)b->n_count + b->n_stall) * sizeof b->count[0] >
	    b->bytes - offsetof(struct block, count))
		return NULL;
	*offset += b->bytes;
	return b;
}
