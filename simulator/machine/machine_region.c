/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "machine_region.h"

#include "machine_internal.h"

#include <errno.h>
#include <string.h>

/* Names are there before their number is: readers need no lock. */
static int
find(const struct machine *m, const char *name, enum region_kind kind)
{
	for (u32 i = 0; i < m->n_regions; i++) {
		const struct machine_region *r = &m->region[i];

		if (r->kind == kind &&
		    !strncmp(r->name, name, REGION_NAME - 1))
			return (int)i;
	}
	return -1;
}

static int
add(struct machine *m, const char *name, enum region_kind kind)
{
	struct machine_region *r = &m->region[m->n_regions];

	if (m->n_regions == MACHINE_REGIONS) {
		m->regions_lost++;
		return -ENOSPC;
	}
	strncpy(r->name, name, REGION_NAME - 1);
	r->kind = kind;
	return (int)__atomic_fetch_add(&m->n_regions, 1, __ATOMIC_RELEASE);
}

int
machine_region_find(struct machine_map *map, const char *name,
		    enum region_kind kind)
{
	int n;

	machine_lock(map);
	n = find(map->m, name, kind);
	if (n < 0)
		n = add(map->m, name, kind);
	machine_unlock(map);
	return n;
}

void
machine_region_add(struct machine_map *map, unsigned region, unsigned tc,
		   const u64 n[SIG_N])
{
	u64 *sig = map->m->region[region].sig[tc];

	for (unsigned g = 0; g < SIG_N; g++)
		if (n[g])
			__atomic_fetch_add(&sig[g], n[g], __ATOMIC_RELAXED);
}

/* What was taken off for a marker is never more than what was counted for it,
 * but fetches are counted in groups. */
static u64
not_negative(u64 n)
{
	return (s64)n < 0 ? 0 : n;
}

void
machine_region_totals(struct machine_map *map, unsigned region,
		      struct machine_totals *t)
{
	const struct machine_region *r = &map->m->region[region];

	memset(t, 0, sizeof *t);
	for (unsigned tc = 0; tc < SIM_MAX_TC; tc++)
		for (unsigned g = 0; g < SIG_N; g++)
			t->sig[tc][g] = not_negative(r->sig[tc][g]);
}

void
machine_regions_clear(struct machine_map *map)
{
	struct machine *m = map->m;

	machine_lock(map);
	memset(m->region, 0, m->n_regions * sizeof m->region[0]);
	m->n_regions = m->regions_lost = m->function_found = 0;
	m->profile_region = 0;
	machine_unlock(map);
}

bool
machine_regions_are_sound(const struct machine *m)
{
	if (m->n_regions > MACHINE_REGIONS ||
	    m->profile_region > MACHINE_REGIONS ||
	    !memchr(m->function, 0, sizeof m->function))
		return false;
	for (u32 i = 0; i < m->n_regions; i++)
		if (m->region[i].kind > REGION_THREAD ||
		    !memchr(m->region[i].name, 0, REGION_NAME))
			return false;
	return true;
}
