/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profiling.h"

#include "../machine_profile.h"
#include "../pmu.h"
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
	return plugin.map.m->slot[plugin.slot].image;
}

int
profiling_start(void)
{
	struct machine *m = plugin.map.m;
	struct machine_slot *slot = &m->slot[plugin.slot];
	struct pmu_select select[MACHINE_PROFILE];

	if (!(m->need & NEED_PROFILE))
		return 0;
	if (m->n_profile > MACHINE_PROFILE)
		return -EINVAL;
	for (unsigned i = 0; i < m->n_profile; i++)
		select[i] = pmu_selection(
			&m->counter[m->profile_counter[i] % SIM_WIDE_COUNTERS]);
	if (profiler_init(&profiling.profiler, plugin.config, select,
			  m->n_profile))
		return -EINVAL;
	core.profiler = &profiling.profiler;
	profiler_resync(&core, slot->sig, slot->tc);
	return 0;
}

/* Room for a record in the current segment, or in a new one. */
static struct profile_block *
room(size_t bytes)
{
	struct profile_segment *s =
		profiling.n ? profiling.segment[profiling.n - 1] : NULL;

	if (!s || s->head.used + bytes > MACHINE_SEGMENT) {
		if (profiling.n == MAX_SEGMENTS)
			return NULL;
		s = machine_profile_take(&plugin.map, image());
		if (!s)
			return NULL;
		profiling.segment[profiling.n++] = s;
	}
	return (struct profile_block *)((char *)s + s->head.used);
}

void
profiling_block(struct block *b)
{
	struct profile_block *r;
	struct machine_segment *head;

	b->detail->profile = NULL;
	if (!core.profiler)
		return;
	r = room(profile_bytes(b->n_insn, profiling.profiler.n_event));
	if (!r || profile_fill(&profiling.profiler, r, b, plugin.config))
		return;
	r->maps = places_maps();
	head = &profiling.segment[profiling.n - 1]->head;
	__atomic_store_n(&head->used, head->used + r->bytes,
			 __ATOMIC_RELEASE);
	b->detail->profile = r;
}

int
profiling_fork_child(void)
{
	int error = 0;

	if (!core.profiler)
		return 0;
	profiler_child(&core);
	for (unsigned i = 0; i < profiling.n && !error; i++)
		error = machine_profile_fork(&plugin.map, image(),
					     profiling.segment[i]);
	return error;
}
