/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "prof_arcs.h"

#include <stdlib.h>
#include <string.h>

struct search {
	const struct prof_tree *t;
	struct prof_arcs *arcs;
	size_t n_events;
	unsigned *arc;		/* of each node, and 1; 0: none */
	unsigned *open;		/* arcs that the walk is below */
};

static int
compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int
by_arc(const void *a, const void *b)
{
	const struct prof_arc *x = a, *y = b;
	int order = compare(x->site, y->site);

	if (!order)
		order = compare(x->caller, y->caller);
	return order ? order : compare(x->callee, y->callee);
}

static const struct prof_site *sort_site;

static int
by_place(const void *a, const void *b)
{
	const struct prof_arc *x = a, *y = b;
	const struct prof_site *s = &sort_site[x->site];
	const struct prof_site *r = &sort_site[y->site];
	int order = compare(s->module, r->module);

	if (!order)
		order = compare(s->offset, r->offset);
	return order ? order : by_arc(a, b);
}

static bool
arc_of(const struct prof_tree *t, size_t node, struct prof_arc *arc)
{
	const struct prof_node *n = &t->node[node];

	*arc = (struct prof_arc){
		.site = n->site,
		.caller = t->node[n->parent].function,
		.callee = n->function,
	};
	return n->site && n->parent;
}

/* Each that some node has, by site. */
static void
collect(struct search *s)
{
	struct prof_arcs *arcs = s->arcs;
	size_t n = 0;

	for (size_t i = 1; i < s->t->n; i++)
		arcs->n += arc_of(s->t, i, &arcs->arc[arcs->n]);
	qsort(arcs->arc, arcs->n, sizeof *arcs->arc, by_arc);
	for (size_t i = 0; i < arcs->n; i++)
		if (!n || by_arc(&arcs->arc[n - 1], &arcs->arc[i]))
			arcs->arc[n++] = arcs->arc[i];
	arcs->n = n;
	for (size_t i = 1; i < s->t->n; i++) {
		struct prof_arc key;
		const struct prof_arc *found;

		if (!arc_of(s->t, i, &key))
			continue;
		found = bsearch(&key, arcs->arc, n, sizeof key, by_arc);
		s->arc[i] = (unsigned)(found - arcs->arc) + 1;
	}
}

static void
enter(void *arg, unsigned node)
{
	struct search *s = arg;
	const struct prof_node *n = &s->t->node[node];
	unsigned number = s->arc[node];
	struct prof_arc *arc;

	if (!number--)
		return;
	arc = &s->arcs->arc[number];
	arc->taken += n->taken;
	if (s->open[number]++)
		return;
	for (size_t e = 0; e < s->n_events; e++)
		arc->cost[e] += n->all[e];
}

static void
leave(void *arg, unsigned node)
{
	struct search *s = arg;

	if (s->arc[node])
		s->open[s->arc[node] - 1]--;
}

void
prof_arcs_find(const struct prof *p, const struct prof_tree *t,
	       struct prof_arcs *arcs)
{
	struct search s = {.t = t, .arcs = arcs,
			   .n_events = p->u->profile->n_events};

	*arcs = (struct prof_arcs){
		.arc = tool_alloc(p->tool, t->n, sizeof *arcs->arc)};
	s.arc = tool_alloc(p->tool, t->n, sizeof *s.arc);
	s.open = tool_alloc(p->tool, t->n, sizeof *s.open);
	collect(&s);
	prof_walk_tree(p, t, enter, leave, &s);
	sort_site = t->site;
	qsort(arcs->arc, arcs->n, sizeof *arcs->arc, by_place);
	free(s.arc);
	free(s.open);
}

void
prof_arcs_free(struct prof_arcs *arcs)
{
	free(arcs->arc);
}
