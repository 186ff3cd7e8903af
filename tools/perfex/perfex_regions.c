/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What perfex counts in regions: each event all the time, without turns. */
#include "perfex.h"

#include <stdlib.h>

static void
put_counts(struct perfex *p, const struct perfex_region *region)
{
	for (size_t i = 0; i < p->n; i++) {
		struct perfex_count *c = &p->count[i];

		if (c->told)	/* also where it never had a turn */
			c->missing = NULL;
		c->raw = region->count[i];
		c->count = (double)c->raw;
		c->bound = 0;
		c->projected = false;
		for (unsigned k = 0; k < 3; k++)
			c->seconds[k] = c->count *
					p->costs.clocks[c->event][k] /
					p->clock_hz;
	}
	p->only = &region->is;
}

struct perfex
perfex_view(const struct perfex *p, const struct perfex_region *region)
{
	struct perfex view = *p;

	put_counts(&view, region);
	view.n_region = 0;
	return view;
}

static void
read_region(struct perfex *p, const struct pmcsim_run *events,
	    const struct pmcsim_region *r, struct perfex_region *region)
{
	*region = (struct perfex_region){0};
	if (r)
		region->is = *r;
	else
		region->is.name = p->o->regions.name;
	if (pmcsim_region_values(p->machine, r, events, region->count) != 0)
		tool_fail(&perfex_tool, TOOL_FAILED, "out of memory");
}

void
perfex_collect_regions(struct perfex *p, const struct pmcsim_run *events)
{
	const struct regions_option *o = &p->o->regions;
	struct pmcsim_region *list;
	size_t n;

	if (system_where(&p->o->system))
		return;
	list = regions_list(&perfex_tool, o, p->machine, &n);
	/* JSON and CSV on standard error stay alone there. */
	if (p->o->format == PERFEX_TEXT || p->o->output)
		regions_note(&perfex_tool, o, p->machine, list, n);
	p->region = tool_alloc(&perfex_tool, n + 1, sizeof(*p->region));
	if (o->name) {
		read_region(p, events, regions_asked(o, list, n), p->region);
		put_counts(p, p->region);
	}
	for (size_t i = 0; i < n && !o->name; i++)
		read_region(p, events, &list[i], &p->region[p->n_region++]);
	free(list);
}
