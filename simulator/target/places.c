/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "places.h"

#include "host_maps.h"
#include "machine/machine_log.h"
#include "places_program.h"
#include "procedures.h"

#include <stdlib.h>

#define MAX_RANGES 1024

/* A mapping that is on record. */
struct range {
	u64 start, end, offset;
	u32 path;		/* a sum of its characters */
};

static struct {
	struct range range[MAX_RANGES];
	unsigned n, last;	/* last: the one found last time */
	u32 maps;		/* on record so far */
	bool doubtful;		/* mappings may have changed since */
} places;

/* What the host says is mapped now. */
struct mapping {
	struct range range;
	const char *path;	/* empty: no file */
};

struct mappings {
	struct host_maps host;
	struct mapping *list;
	size_t n;
};

static bool
wanted(void)
{
	return target.map.m->need & NEED_PLACES || procedures_wanted();
}

void
places_image(u32 parent, bool forked)
{
	const struct machine_slot *slot = target_slot();
	struct log_image r = {
		.head = {.bytes = sizeof r, .kind = LOG_IMAGE,
			 .image = slot->image},
		.parent = parent,
		.pid = slot->pid,
		.forked = forked,
	};

	if (wanted())
		machine_log_append(&target.map, &r.head);
}

u32
places_maps(void)
{
	return places.maps;
}

void
places_syscall(enum call call)
{
	if (call == CALL_MMAP || call == CALL_MMAP2 || call == CALL_MREMAP ||
	    call == CALL_SHMAT)
		places.doubtful = true;
}

/* ---- Ranges ---------------------------------------------------------- */

static u32
path_sum(const char *path)
{
	u32 sum = 2166136261u;

	while (*path)
		sum = (sum ^ (u8)*path++) * 16777619u;
	return sum;
}

static bool
covers(const struct range *r, u64 pc)
{
	return pc >= r->start && pc < r->end;
}

static const struct range *
find(u64 pc)
{
	if (places.last < places.n && covers(&places.range[places.last], pc))
		return &places.range[places.last];
	for (unsigned i = 0; i < places.n; i++)
		if (covers(&places.range[i], pc)) {
			places.last = i;
			return &places.range[i];
		}
	return NULL;
}

/* Puts a range on record, and forgets what it covers. */
static void
add(const struct range *r, const char *path)
{
	union {
		struct log_map map;
		char bytes[LOG_MAX];
	} record = {.map = {.head = {
		.kind = LOG_MAP,
		.image = target_slot()->image}}};
	size_t length = strlen(path);

	if (length > sizeof record - sizeof record.map - 8)
		length = 0;
	record.map.start = r->start;
	record.map.end = r->end;
	record.map.offset = r->offset;
	memcpy(record.map.path, path, length);
	record.map.head.bytes =
		(u32)((sizeof record.map + length + 8) & ~(size_t)7);
	if (!machine_log_append(&target.map, &record.map.head))
		places.maps++;
	procedures_mapped(r->start, r->end, r->offset, path);
	for (unsigned i = 0; i < places.n;) {
		const struct range *old = &places.range[i];

		if (old->start < r->end && r->start < old->end)
			places.range[i] = places.range[--places.n];
		else
			i++;
	}
	if (places.n == MAX_RANGES)
		places.n = 0;	/* some will be on record twice */
	places.range[places.n++] = *r;
}

/* ---- Mappings --------------------------------------------------------- */

/* Of a file, pieces that follow each other are one, as before mprotect(). */
static bool
join(struct mapping *last, const struct mapping *m)
{
	struct range *r = &last->range;

	if (!*m->path || r->path != m->range.path || r->end != m->range.start ||
	    r->offset + (r->end - r->start) != m->range.offset)
		return false;
	r->end = m->range.end;
	return true;
}

static bool
read_mappings(struct mappings *all)
{
	*all = (struct mappings){0};
	if (!host_maps_read(&all->host))
		return false;
	all->list = malloc((all->host.n + 1) * sizeof *all->list);
	if (!all->list)
		return false;
	for (size_t i = 0; i < all->host.n; i++) {
		const struct host_map *h = &all->host.list[i];
		struct mapping *m = &all->list[all->n];

		*m = (struct mapping){
			.range = {
				.start = h->start - target.guest_base,
				.end = h->end - target.guest_base,
				.offset = h->offset,
				.path = path_sum(h->path),
			},
			.path = h->path,
		};
		if (!all->n || !join(m - 1, m))
			all->n++;
	}
	return true;
}

static void
free_mappings(struct mappings *all)
{
	free(all->list);
	host_maps_free(&all->host);
}

/* As much of m, which is of no file, as QEMU has copied from the program's. */
static void
find_copy(struct mapping *m, u64 pc)
{
	struct program_part part;

	if (!program_part(pc, &part))
		return;
	if (m->range.start < part.start)
		m->range.start = part.start;
	if (m->range.end > part.end)
		m->range.end = part.end;
	m->path = part.path;
	m->range.path = path_sum(part.path);
	m->range.offset = part.offset + (m->range.start - part.start);
}

static bool
mapping_of(const struct mappings *all, u64 pc, struct mapping *m)
{
	for (size_t i = 0; i < all->n; i++)
		if (covers(&all->list[i].range, pc)) {
			*m = all->list[i];
			if (!*m->path)
				find_copy(m, pc);
			return true;
		}
	return false;
}

/* Whether two ranges show the same places of the same file. */
static bool
is_same(const struct range *a, const struct range *b)
{
	return a->path == b->path &&
	       a->start - a->offset == b->start - b->offset;
}

/* Forgets what is not there any more. */
static void
check_ranges(const struct mappings *all)
{
	for (unsigned i = 0; i < places.n;) {
		struct range *r = &places.range[i];
		struct mapping m;

		if (mapping_of(all, r->start, &m) && is_same(r, &m.range)) {
			*r = m.range;
			i++;
		} else {
			*r = places.range[--places.n];
		}
	}
	places.doubtful = false;
}

void
places_code(u64 pc)
{
	struct mappings all;
	struct mapping m;

	if (!wanted() || (!places.doubtful && find(pc)))
		return;
	program_look_up();
	if (read_mappings(&all)) {
		check_ranges(&all);
		if (mapping_of(&all, pc, &m) && !find(pc))
			add(&m.range, m.path);
	}
	free_mappings(&all);
}

bool
places_file(u64 pc, u64 *first, u64 *start, u64 *end)
{
	struct mappings all;
	struct mapping m;
	bool found = false;

	if (read_mappings(&all) && mapping_of(&all, pc, &m) && *m.path) {
		*start = m.range.start;
		*end = m.range.end;
		for (size_t i = 0; i < all.n; i++) {
			const struct range *r = &all.list[i].range;

			if (r->start > pc)
				break;
			if (r->path == m.range.path && !r->offset) {
				*first = r->start;
				found = true;
			}
		}
	}
	free_mappings(&all);
	return found;
}
