/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "machine_log.h"

#include "machine_internal.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

/* A new last segment; NULL if there is none to be had. */
static struct machine_segment *
log_extend(struct machine_map *map)
{
	struct machine *m = map->m;
	struct machine_segment header;
	u32 list = 0;
	struct machine_segment *segment = segment_take(map, &list, NULL);

	if (!segment)
		return NULL;
	if (!m->log_first) {
		m->log_first = list;
	} else if (!segment_header_read(map, m->log_last, &header)) {
		header.next = list;
		segment_header_write(map, m->log_last, &header);
	}
	m->log_last = list;
	return segment;
}

/* The last segment, mapped. */
static struct machine_segment *
log_current(struct machine_map *map)
{
	u32 k = map->m->log_last;

	if (!k || map->log_mapped == k)
		return k ? map->log : NULL;
	if (map->log)
		munmap(map->log, MACHINE_SEGMENT);
	map->log = segment_map_all(map, k);
	map->log_mapped = map->log ? k : 0;
	return map->log;
}

static int
append(struct machine_map *map, const struct log_record *record)
{
	struct machine_segment *s = log_current(map);

	if (!s || s->used + record->bytes > MACHINE_SEGMENT) {
		s = log_extend(map);
		if (!s)
			return -ENOSPC;
		if (map->log)
			munmap(map->log, MACHINE_SEGMENT);
		map->log = s;
		map->log_mapped = map->m->log_last;
	}
	memcpy((char *)s + s->used, record, record->bytes);
	__atomic_store_n(&s->used, s->used + record->bytes, __ATOMIC_RELEASE);
	return 0;
}

/* The lock is held. */
static int
append_or_lose(struct machine_map *map, const struct log_record *record)
{
	int error = append(map, record);

	if (error)
		map->m->log_lost++;
	return error;
}

int
machine_log_append(struct machine_map *map, const struct log_record *record)
{
	int error;

	machine_lock(map);
	error = append_or_lose(map, record);
	machine_unlock(map);
	return error;
}

int
machine_log_sums(struct machine_map *map, u32 image)
{
	struct log_sums entry = {.head = {.bytes = sizeof entry,
					  .kind = LOG_SUMS, .image = image}};
	int error;

	machine_lock(map);
	machine_sums_locked(map, entry.sig, entry.times);
	error = append_or_lose(map, &entry.head);
	machine_unlock(map);
	return error;
}

/* Whether a record's size is right for its kind. */
static bool
is_sound(const struct log_record *r, size_t left)
{
	static const size_t least[] = {
		[LOG_IMAGE] = sizeof(struct log_image),
		[LOG_MAP] = sizeof(struct log_map) + 1,
		[LOG_SAMPLE] = sizeof(struct log_sample),
		[LOG_CALL] = sizeof(struct log_call),
		[LOG_CALLED] = sizeof(struct log_called),
		[LOG_SUMS] = sizeof(struct log_sums),
	};

	if (left < sizeof *r || r->bytes > left || r->bytes % 8 ||
	    r->bytes > LOG_MAX || !r->kind || r->kind >= SIM_COUNT(least) ||
	    r->bytes < least[r->kind])
		return false;
	return r->kind != LOG_MAP ||
	       memchr(((const struct log_map *)r)->path, 0,
		      r->bytes - sizeof(struct log_map));
}

int
machine_log_read(struct machine_map *map,
		 int (*fn)(void *arg, const struct log_record *record),
		 void *arg)
{
	u32 k = map->m->log_first, left = map->m->segments;
	int result = 0;

	while (k && left-- && !result) {
		size_t bytes, at = MACHINE_FIRST_BLOCK;
		struct machine_segment *s = segment_map(map, k, PROT_READ,
							&bytes);

		if (!s)
			return -EINVAL;
		while (!result && at < bytes) {
			const struct log_record *r = (const void *)
				((const char *)s + at);

			if (!is_sound(r, bytes - at))
				break;
			result = fn(arg, r);
			at += r->bytes;
		}
		k = s->next;
		munmap(s, bytes);
	}
	return result;
}
