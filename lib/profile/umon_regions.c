/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a profile has of the regions of a program. */
#include "umon.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void
free_list(struct pmcsim_umon_region *region, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free((char *)region[i].is.name);
	free(region);
}

void
umon_free_regions(struct pmcsim_umon *u)
{
	free_list(u->region, u->n_regions);
}

bool
umon_add_region(struct pmcsim_umon *u, const struct pmcsim_umon_region *region)
{
	struct pmcsim_umon_region *more = reallocarray(
		u->region, u->n_regions + 1, sizeof *more);

	if (!more)
		return false;
	u->region = more;
	more += u->n_regions;
	*more = *region;
	more->is.name = strdup(region->is.name);
	u->n_regions += more->is.name != NULL;
	return more->is.name;
}

int
pmcsim_umon_region(struct pmcsim_umon *u, struct pmcsim_machine *m,
		   const struct pmcsim_region *region,
		   const struct pmcsim_run *run)
{
	struct pmcsim_umon_region r = {.is = *region};
	int rc = pmcsim_region_values(m, region, run, r.count);

	for (size_t e = 0; e < run->n; e++)
		if (u->profile->of_samples[e])
			r.count[e] = 0;
	if (rc == 0 && !umon_add_region(u, &r))
		rc = -ENOMEM;
	return rc;
}

/* ---- Adding up ------------------------------------------------------- */

bool
umon_regions_alike(const struct pmcsim_umon *a, const struct pmcsim_umon *b)
{
	return a->only == b->only &&
	       (!a->only || !strcmp(a->region->is.name, b->region->is.name));
}

static struct pmcsim_umon_region *
find(const struct pmcsim_umon *u, const char *name)
{
	for (size_t i = 0; i < u->n_regions; i++)
		if (!strcmp(u->region[i].is.name, name))
			return &u->region[i];
	return NULL;
}

static int
by_name(const void *a, const void *b)
{
	const struct pmcsim_umon_region *p = a, *q = b;

	return strcmp(p->is.name, q->is.name);
}

static void
add(struct pmcsim_umon_region *to, const struct pmcsim_umon_region *r)
{
	to->is.entries += r->is.entries;
	to->is.unended += r->is.unended;
	to->is.unbegun += r->is.unbegun;
	to->is.left_out += r->is.left_out;
	for (unsigned e = 0; e < PMCSIM_PROFILE_EVENTS; e++)
		to->count[e] += r->count[e];
}

int
umon_sum_regions(struct pmcsim_umon *to, const struct pmcsim_umon *other)
{
	struct pmcsim_umon sum = {0};
	bool room = true;

	for (size_t i = 0; i < to->n_regions && room; i++)
		room = umon_add_region(&sum, &to->region[i]);
	for (size_t i = 0; i < other->n_regions && room; i++) {
		const struct pmcsim_umon_region *r = &other->region[i];
		struct pmcsim_umon_region *same = find(&sum, r->is.name);

		if (same)
			add(same, r);
		else
			room = umon_add_region(&sum, r);
	}
	if (!room) {
		umon_free_regions(&sum);
		return -ENOMEM;
	}
	if (sum.n_regions)
		qsort(sum.region, sum.n_regions, sizeof *sum.region, by_name);
	umon_free_regions(to);
	to->region = sum.region;
	to->n_regions = sum.n_regions;
	return 0;
}
