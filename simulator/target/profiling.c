/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profiling.h"

#include "machine/machine_profile.h"
#include "pipeline/window.h"
#include "machine/pmu.h"
#include "places.h"

#include <errno.h>

#define MAX_SEGMENTS 4096

static struct {
	struct profiler profiler;
	struct profile_segment *segment[MAX_SEGMENTS];
	unsigned n;
} profiling;

static u32
image(void)
{
	return target.map.m->slot[target.slot].image;
}

int
profiling_start(void)
{
	struct machine *m = target.map.m;
	struct machine_slot *slot = &m->slot[target.slot];
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
	if (!target.system)
		profiler_use_time(&profiling.profiler, &core);
	profiler_attach(&core, &profiling.profiler);
	profiler_resync(&core, slot->sig, slot->tc);
	return 0;
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

struct profile_block *
profiling_record(const struct block *b, u32 program)
{
	size_t bytes = profile_bytes(b->n_insn, profiling.profiler.n_event);
	struct profile_segment *s = segment_of(program, bytes);
	struct profile_block *r;

	if (!s)
		return NULL;
	r = (struct profile_block *)((char *)s + s->head.used);
	if (profile_fill(&profiling.profiler, r, b, target.config))
		return NULL;
	r->maps = places_maps();
	__atomic_store_n(&s->head.used, s->head.used + r->bytes,
			 __ATOMIC_RELEASE);
	return r;
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
