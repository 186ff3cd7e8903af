/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profiling.h"

#include "machine/machine_profile.h"
#include "pipeline/window.h"
#include "machine/pmu.h"
#include "places.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SEGMENTS 4096

static struct {
	struct profiler profiler;
	struct profile_segment *segment[MAX_SEGMENTS];
	unsigned n;
} profiling;

/* A record behind a path of calls. */
struct behind {
	const struct profile_block *own; /* NULL: the place is empty */
	struct profile_block *record;
	u32 path;
};

#define BEHIND_FIRST 4096u

/* Those of the process, as a hash table. */
static struct {
	struct behind *place;
	u32 mask, n;
} behind;

static u32
image(void)
{
	return target_slot()->image;
}

/* The current segment of a program, or a new one with room for a record. */
static struct profile_segment *
segment_of(u32 program, size_t bytes)
{
	struct profile_segment *s = NULL;

	for (unsigned i = profiling.n; i-- && !s;)
		if (profiling.segment[i]->image == program)
			s = profiling.segment[i];
	if (s && s->head.used + bytes <= MACHINE_SEGMENT)
		return s;
	if (profiling.n == MAX_SEGMENTS)
		return NULL;
	s = machine_profile_take(&target.map, program);
	if (s)
		profiling.segment[profiling.n++] = s;
	return s;
}

/* Room for a record in a segment, not yet there for readers; NULL: none. */
static struct profile_block *
room_for(u32 program, size_t bytes, struct profile_segment **s)
{
	*s = segment_of(program, bytes);
	return *s ? (struct profile_block *)((char *)*s + (*s)->head.used)
		  : NULL;
}

static void
publish(struct profile_segment *s, const struct profile_block *r)
{
	__atomic_store_n(&s->head.used, s->head.used + r->bytes,
			 __ATOMIC_RELEASE);
}

struct profile_block *
profiling_record(const struct block *b, u32 program)
{
	size_t bytes = profile_bytes(b->n_insn, profiling.profiler.n_event);
	struct profile_segment *s;
	struct profile_block *r = room_for(program, bytes, &s);

	if (!r || profile_fill(&profiling.profiler, r, b, target.config))
		return NULL;
	r->maps = places_maps();
	publish(s, r);
	return r;
}

/* ---- Behind calls ---------------------------------------------------- */

static struct behind *
place_of(const struct profile_block *own, u32 path)
{
	u64 hash = ((u64)(uintptr_t)own ^ (u64)path << 32) *
		   0x9e3779b97f4a7c15ull;
	u32 at = (u32)(hash >> 32) & behind.mask;

	while (behind.place[at].own && (behind.place[at].own != own ||
					behind.place[at].path != path))
		at = (at + 1) & behind.mask;
	return &behind.place[at];
}

static bool
grow(void)
{
	struct behind *old = behind.place;
	u32 n = old ? behind.mask + 1 : 0;
	struct behind *more = calloc(n ? 2 * (size_t)n : BEHIND_FIRST,
				     sizeof *more);

	if (!more)
		return false;
	behind.place = more;
	behind.mask = (n ? 2 * n : BEHIND_FIRST) - 1;
	for (u32 i = 0; i < n; i++)
		if (old[i].own)
			*place_of(old[i].own, old[i].path) = old[i];
	free(old);
	return true;
}

/* A record of the same block of which nothing has happened. */
static struct profile_block *
copy_record(const struct profile_block *own, u32 path)
{
	struct profile_segment *s;
	struct profile_block *r = room_for(image(), own->bytes, &s);

	if (!r)
		return NULL;
	memcpy(r, own, own->bytes);
	machine_profile_clear(r);
	r->path = path;
	publish(s, r);
	return r;
}

static struct profile_block *
record_behind(struct profile_block *own, u32 path)
{
	struct behind *place;

	if (behind.n >= behind.mask / 2 && !grow())
		return NULL;
	place = place_of(own, path);
	if (!place->own) {
		*place = (struct behind){own, copy_record(own, path), path};
		behind.n++;
	}
	return place->record;
}

/* ---- The process ----------------------------------------------------- */

int
profiling_start(void)
{
	struct machine *m = target.map.m;
	struct machine_slot *slot = target_slot();
	struct pmu_select select[MACHINE_PROFILE];

	if (!(m->need & NEED_PROFILE))
		return 0;
	if (m->n_profile > MACHINE_PROFILE)
		return -EINVAL;
	for (unsigned i = 0; i < m->n_profile; i++)
		select[i] = pmu_watched(m, m->profile_counter[i] %
					   SIM_WIDE_COUNTERS);
	if (profiler_init(&profiling.profiler, target.config, select,
			  m->n_profile))
		return -EINVAL;
	if (core.window && window_share(core.window, profiling.profiler.list,
					profiling.profiler.n))
		return -ENOMEM;
	profiling.profiler.behind = record_behind;
	if (!target.system)
		profiler_use_time(&profiling.profiler, &core);
	profiler_attach(&core, &profiling.profiler);
	profiler_resync(&core, slot->sig, slot->tc);
	return 0;
}

void
profiling_put(struct block *b, struct profile_block *r)
{
	struct block_wide *w = block_widen(b, process_alloc);

	if (!w)
		process_die("room for a profile", ENOMEM);
	w->profile = r;
}

void
profiling_block(struct block *b)
{
	if (core.profiler && !target.system)
		profiling_put(b, profiling_record(b, image()));
}

int
profiling_fork_child(void)
{
	int error = 0;

	if (!core.profiler)
		return 0;
	profiler_child(&core);
	for (unsigned i = 0; i < profiling.n && !error; i++)
		error = machine_profile_fork(&target.map, image(),
					     profiling.segment[i]);
	return error;
}
