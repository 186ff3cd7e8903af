/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Segments of a profile: taken, copied for a child, read. */
#include "machine_profile.h"

#include "machine_internal.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

struct profile_segment *
machine_profile_take(struct machine_map *map, u32 image)
{
	struct profile_segment *s;

	machine_lock(map);
	s = (struct profile_segment *)segment_take(
		map, &map->m->profile_segment, NULL);
	if (s)
		s->image = image;
	machine_unlock(map);
	return s;
}

/* The record at *at, moving on to the next; NULL at the end, or where the
 * segment is damaged. */
static struct profile_block *
next_record(const struct profile_segment *s, size_t bytes, size_t *at)
{
	struct profile_block *r = (struct profile_block *)((char *)s + *at);
	size_t left = bytes - *at;

	if (*at >= bytes || left < sizeof *r || r->bytes > left ||
	    r->bytes % 64 || r->n_event > MACHINE_PROFILE || !r->n_insn ||
	    r->branch >= r->n_insn ||
	    r->bytes != profile_bytes(r->n_insn, r->n_event))
		return NULL;
	*at += r->bytes;
	return r;
}

void
machine_profile_clear(struct profile_block *r)
{
	r->execs = r->merged = 0;
	memset(r->outcome, 0, sizeof r->outcome);
	memset(profile_happened(r), 0,
	       r->n_insn * r->n_event * sizeof *profile_happened(r));
}

int
machine_profile_fork(struct machine_map *map, u32 image, void *old)
{
	size_t used = ((struct machine_segment *)old)->used;
	size_t at = MACHINE_FIRST_BLOCK;
	struct profile_segment *to = machine_profile_take(map, image);
	struct profile_block *r;

	if (!to)
		return -ENOSPC;
	if (used > MACHINE_SEGMENT || used < at)
		used = at;
	memcpy((char *)to + at, (const char *)old + at, used - at);
	while ((r = next_record(to, used, &at)))
		machine_profile_clear(r);
	__atomic_store_n(&to->head.used, (u32)used, __ATOMIC_RELEASE);
	if (mremap(to, MACHINE_SEGMENT, MACHINE_SEGMENT,
		   MREMAP_MAYMOVE | MREMAP_FIXED, old) == MAP_FAILED)
		return -errno;
	return 0;
}

int
machine_profile_read(struct machine_map *map,
		     int (*fn)(void *arg, u32 image,
			       const struct profile_block *r), void *arg)
{
	u32 k = map->m->profile_segment, left = map->m->segments;
	int result = 0;

	while (k && left-- && !result) {
		size_t bytes, at = MACHINE_FIRST_BLOCK;
		struct profile_segment *s = (struct profile_segment *)
			segment_map(map, k, PROT_READ, &bytes);
		const struct profile_block *r;

		if (!s)
			return -EINVAL;
		while (!result && (r = next_record(s, bytes, &at)))
			result = fn(arg, s->image, r);
		k = s->head.next;
		munmap(s, bytes);
	}
	return result;
}
