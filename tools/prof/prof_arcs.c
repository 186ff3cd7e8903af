/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "prof_arcs.h"

#include <stdlib.h>
#include <string.h>

/* What one path has below it in one procedure. */
struct part {
	unsigned path;
	struct prof_arc arc;	/* of this path alone */
	unsigned number;	/* of its arc */
};

struct parts {
	const struct prof *p;
	struct prof_arcs *arcs;
	struct part *part;	/* by path */
	size_t n;
	size_t *first;		/* of each path, and behind the last */
	unsigned *open;		/* arcs that the walk is below */
};

static int
by_arc(const struct prof_arc *x, const struct prof_arc *y)
{
	if (x->module != y->module)
		return x->module < y->module ? -1 : 1;
	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	return x->callee < y->callee ? -1 : x->callee > y->callee;
}

static int
by_arc_and_path(const void *a, const void *b)
{
	const struct part *x = a, *y = b;
	int order = by_arc(&x->arc, &y->arc);

	return order ? order : x->path < y->path ? -1 : x->path > y->path;
}

static int
by_path(const void *a, const void *b)
{
	const struct part *x = a, *y = b;

	if (x->path != y->path)
		return x->path < y->path ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

/* ---- Parts ----------------------------------------------------------- */

static void
add_part(struct parts *parts, const struct prof_tree *t, unsigned path,
	 unsigned callee, const uint64_t *cost)
{
	const struct pmcsim_call *call = &parts->p->u->profile->call[path - 1];
	struct part *part = &parts->part[parts->n++];

	*part = (struct part){.path = path, .arc = {
		.module = call->module,
		.offset = call->offset,
		.caller = t->of_call[path - 1],
		.callee = callee,
		.taken = call->taken,
	}};
	memcpy(part->arc.cost, cost, sizeof part->arc.cost);
}

/* Places below a path, and the calls that go on from it: from the last one on,
 * so that what is below them is known. */
static void
find_parts(struct parts *parts, const struct prof_tree *t)
{
	const struct pmcsim_profile *f = parts->p->u->profile;
	uint64_t (*all)[PMCSIM_PROFILE_EVENTS] =
		tool_alloc(parts->p->tool, f->n_calls + 1, sizeof *all);

	for (size_t i = 0; i < f->n_places; i++) {
		const struct pmcsim_place *at = &f->place[i];
		uint64_t cost[PMCSIM_PROFILE_EVENTS] = {0};

		for (unsigned e = 0; e < f->n_events; e++) {
			cost[e] = prof_cost(parts->p, e, at->count[e]);
			all[at->path][e] += cost[e];
		}
		if (at->path)
			add_part(parts, t, (unsigned)at->path, t->of_place[i],
				 cost);
	}
	for (size_t i = f->n_calls; i > 0; i--) {
		unsigned parent = f->call[i - 1].parent;

		for (unsigned e = 0; e < f->n_events; e++)
			all[parent][e] += all[i][e];
		if (parent)
			add_part(parts, t, parent, t->of_call[i - 1], all[i]);
	}
	free(all);
}

/* Of each path, one part for each arc; arcs have their numbers then. */
static void
join_parts(struct parts *parts)
{
	struct part *part = parts->part;
	struct prof_arcs *arcs = parts->arcs;
	size_t n = 0;

	qsort(part, parts->n, sizeof *part, by_arc_and_path);
	for (size_t i = 0; i < parts->n; i++) {
		if (!arcs->n || by_arc(&arcs->arc[arcs->n - 1], &part[i].arc)) {
			struct prof_arc *arc = &arcs->arc[arcs->n++];

			*arc = part[i].arc;
			arc->taken = 0;
			memset(arc->cost, 0, sizeof arc->cost);
		}
		part[i].number = (unsigned)arcs->n - 1;
		if (n && part[n - 1].number == part[i].number &&
		    part[n - 1].path == part[i].path) {
			for (unsigned e = 0; e < PMCSIM_PROFILE_EVENTS; e++)
				part[n - 1].arc.cost[e] += part[i].arc.cost[e];
			continue;
		}
		part[n++] = part[i];
	}
	parts->n = n;
	qsort(part, n, sizeof *part, by_path);
}

/* ---- Arcs ------------------------------------------------------------ */

static void
enter(void *arg, unsigned path)
{
	struct parts *parts = arg;

	for (size_t i = parts->first[path]; i < parts->first[path + 1]; i++) {
		const struct part *part = &parts->part[i];
		struct prof_arc *arc = &parts->arcs->arc[part->number];

		arc->taken += part->arc.taken;
		if (parts->open[part->number]++)
			continue;
		for (unsigned e = 0; e < PMCSIM_PROFILE_EVENTS; e++)
			arc->cost[e] += part->arc.cost[e];
	}
}

static void
leave(void *arg, unsigned path)
{
	struct parts *parts = arg;

	for (size_t i = parts->first[path]; i < parts->first[path + 1]; i++)
		parts->open[parts->part[i].number]--;
}

static void
add_up(struct parts *parts)
{
	const struct pmcsim_profile *f = parts->p->u->profile;
	unsigned *parent = tool_alloc(parts->p->tool, f->n_calls + 1,
				      sizeof *parent);
	size_t at = 0;

	for (size_t i = 0; i < f->n_calls; i++)
		parent[i + 1] = f->call[i].parent;
	for (unsigned path = 0; path <= f->n_calls + 1; path++) {
		while (at < parts->n && parts->part[at].path < path)
			at++;
		parts->first[path] = at;
	}
	prof_walk(parts->p, &(struct prof_walk){parent, f->n_calls + 1, enter,
						leave, parts});
	free(parent);
}

void
prof_arcs_find(const struct prof *p, const struct prof_tree *t,
	       struct prof_arcs *arcs)
{
	const struct pmcsim_profile *f = p->u->profile;
	size_t most = f->n_places + f->n_calls;
	struct parts parts = {.p = p, .arcs = arcs};

	*arcs = (struct prof_arcs){
		.arc = tool_alloc(p->tool, most + 1, sizeof *arcs->arc)};
	parts.part = tool_alloc(p->tool, most + 1, sizeof *parts.part);
	parts.first = tool_alloc(p->tool, f->n_calls + 2, sizeof *parts.first);
	parts.open = tool_alloc(p->tool, most + 1, sizeof *parts.open);
	find_parts(&parts, t);
	join_parts(&parts);
	add_up(&parts);
	free(parts.part);
	free(parts.first);
	free(parts.open);
}

void
prof_arcs_free(struct prof_arcs *arcs)
{
	free(arcs->arc);
}
