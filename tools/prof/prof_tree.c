/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "prof_tree.h"

#include <stdlib.h>
#include <string.h>

#define FIRST 1024u

/* A tree that is being made. */
struct builder {
	const struct prof *p;
	struct prof_tree *t;
	bool by_site;
	unsigned *caller;	/* node of each path's call, from 1 */
	unsigned *site;		/* of each path's call */
	unsigned *index;	/* of nodes, a hash table; 0: empty */
	size_t mask;
	unsigned *site_index;	/* of sites */
	size_t site_mask;
};

/* The list with room for one more. */
static void *
grow(const struct builder *b, void *list, size_t n, size_t *room, size_t bytes)
{
	if (n < *room)
		return list;
	*room = *room ? 2 * *room : FIRST;
	list = reallocarray(list, *room, bytes);
	if (!list)
		tool_fail(b->p->tool, TOOL_FAILED, "out of memory");
	return list;
}

/* ---- Sites ----------------------------------------------------------- */

static bool
same_site(const struct prof_site *a, const struct prof_site *b)
{
	if (a->module != b->module || a->inlined != b->inlined)
		return false;
	if (!a->inlined)
		return a->offset == b->offset;
	return a->line == b->line && (a->file && b->file
					      ? !strcmp(a->file, b->file)
					      : a->file == b->file);
}

static size_t
hash_site(const struct prof_site *s)
{
	uint64_t h = (uint64_t)s->module << 40 ^
		     (s->inlined ? s->line : s->offset);

	return (size_t)(h * UINT64_C(0x9e3779b97f4a7c15) >> 24);
}

static void
index_sites(struct builder *b)
{
	const struct prof_tree *t = b->t;

	free(b->site_index);
	b->site_mask = b->site_mask ? 2 * b->site_mask + 1 : FIRST - 1;
	b->site_index = tool_alloc(b->p->tool, b->site_mask + 1,
				   sizeof *b->site_index);
	for (unsigned i = 1; i < t->n_sites; i++) {
		size_t at = hash_site(&t->site[i]) & b->site_mask;

		while (b->site_index[at])
			at = (at + 1) & b->site_mask;
		b->site_index[at] = i;
	}
}

static unsigned
number_site(struct builder *b, const struct prof_site *s)
{
	struct prof_tree *t = b->t;
	size_t at = hash_site(s) & b->site_mask;

	for (; b->site_index[at]; at = (at + 1) & b->site_mask) {
		struct prof_site *known = &t->site[b->site_index[at]];

		if (!same_site(known, s))
			continue;
		if (s->offset < known->offset)
			known->offset = s->offset;
		return b->site_index[at];
	}
	t->site = grow(b, t->site, t->n_sites, &t->sites_room,
		       sizeof *t->site);
	t->site[t->n_sites] = *s;
	b->site_index[at] = (unsigned)t->n_sites++;
	if (t->n_sites > b->site_mask / 2)
		index_sites(b);
	return (unsigned)t->n_sites - 1;
}

/* ---- Nodes ----------------------------------------------------------- */

static size_t
hash_node(const struct prof_node *n)
{
	uint64_t h = ((uint64_t)n->parent << 32 | n->function) *
		     UINT64_C(0x9e3779b97f4a7c15);

	return (size_t)((h ^ n->site) * UINT64_C(0x9e3779b97f4a7c15) >> 24);
}

static void
index_nodes(struct builder *b)
{
	free(b->index);
	b->mask = b->mask ? 2 * b->mask + 1 : FIRST - 1;
	b->index = tool_alloc(b->p->tool, b->mask + 1, sizeof *b->index);
	for (unsigned i = 1; i < b->t->n; i++) {
		size_t at = hash_node(&b->t->node[i]) & b->mask;

		while (b->index[at])
			at = (at + 1) & b->mask;
		b->index[at] = i;
	}
}

/* The node of a function behind a parent, made if it is not there. */
static unsigned
child(struct builder *b, unsigned parent, unsigned function, unsigned site)
{
	struct prof_tree *t = b->t;
	struct prof_node node = {.parent = parent, .function = function,
				 .site = site};
	size_t at = hash_node(&node) & b->mask;

	for (; b->index[at]; at = (at + 1) & b->mask) {
		const struct prof_node *n = &t->node[b->index[at]];

		if (n->parent == parent && n->function == function &&
		    n->site == site)
			return b->index[at];
	}
	t->node = grow(b, t->node, t->n, &t->room, sizeof *t->node);
	t->node[t->n] = node;
	b->index[at] = (unsigned)t->n++;
	if (t->n > b->mask / 2)
		index_nodes(b);
	return (unsigned)t->n - 1;
}

/* The node of the innermost function at a place that a path leads to; *site
 * is the place. */
static unsigned
descend(struct builder *b, unsigned path, unsigned module, uint64_t offset,
	unsigned *site)
{
	struct pmcsim_symbol frame[PMCSIM_FRAMES];
	size_t n = prof_frames(b->p, module, offset, frame);
	unsigned node = b->caller[path], at = b->by_site ? b->site[path] : 0;

	while (n--) {
		struct prof_site next = {.module = module, .offset = offset,
					 .file = frame[n].file,
					 .line = frame[n].line,
					 .inlined = n > 0};

		node = child(b, node,
			     prof_function(&b->t->functions, module,
					   &frame[n]), at);
		at = b->by_site && (n || site) ? number_site(b, &next) : 0;
	}
	if (site)
		*site = at;
	return node;
}

static void
add_places(struct builder *b)
{
	const struct pmcsim_profile *f = b->p->u->profile;

	for (size_t i = 0; i < f->n_places; i++) {
		const struct pmcsim_place *at = &f->place[i];
		unsigned node = descend(b, (unsigned)at->path, at->module,
					at->offset, NULL);

		for (unsigned e = 0; e < f->n_events; e++)
			b->t->node[node].self[e] +=
				prof_cost(b->p, e, at->count[e]);
	}
}

/* Children have larger numbers than their parents. */
static void
add_up(struct prof_tree *t, size_t n_events)
{
	for (size_t i = t->n; i--;) {
		struct prof_node *n = &t->node[i];

		for (size_t e = 0; e < n_events; e++) {
			n->all[e] += n->self[e];
			if (i)
				t->node[n->parent].all[e] += n->all[e];
		}
	}
}

/* ---- How often ------------------------------------------------------- */

/* A call, of the node that makes it. */
struct taken {
	unsigned caller, site;
	uint64_t taken;
};

static int
by_caller(const void *a, const void *b)
{
	const struct taken *x = a, *y = b;

	if (x->caller != y->caller)
		return x->caller < y->caller ? -1 : 1;
	return x->site < y->site ? -1 : x->site > y->site;
}

/* Profiles that were added up may have one path twice. */
static void
add_taken(struct builder *b)
{
	const struct pmcsim_profile *f = b->p->u->profile;
	struct taken *list = tool_alloc(b->p->tool, f->n_calls + 1,
					sizeof *list);
	size_t n = 0;

	for (size_t i = 0; i < f->n_calls; i++)
		list[i] = (struct taken){b->caller[i + 1], b->site[i + 1],
					 f->call[i].taken};
	qsort(list, f->n_calls, sizeof *list, by_caller);
	for (size_t i = 0; i < f->n_calls; i++) {
		if (n && !by_caller(&list[n - 1], &list[i]))
			list[n - 1].taken += list[i].taken;
		else
			list[n++] = list[i];
	}
	for (size_t i = 1; i < b->t->n; i++) {
		struct prof_node *node = &b->t->node[i];
		struct taken key = {node->parent, node->site, 0};
		const struct taken *found = bsearch(&key, list, n, sizeof key,
						    by_caller);

		if (found)
			node->taken = found->taken;
	}
	free(list);
}

/* ---- Walks ----------------------------------------------------------- */

/* The first children of nodes, and the next ones of their parents; 0: none. */
struct family {
	unsigned first, next;
};

void
prof_walk(const struct prof *p, const struct prof_walk *walk)
{
	struct family *family = tool_alloc(p->tool, walk->n + 1,
					   sizeof *family);
	unsigned i;

	for (size_t k = walk->n; k-- > 1;) {
		unsigned parent = walk->parent[k];

		family[k].next = family[parent].first;
		family[parent].first = (unsigned)k;
	}
	for (i = family[0].first; i;) {
		walk->enter(walk->arg, i);
		if (family[i].first) {
			i = family[i].first;
			continue;
		}
		walk->leave(walk->arg, i);
		while (!family[i].next && walk->parent[i]) {
			i = walk->parent[i];
			walk->leave(walk->arg, i);
		}
		i = family[i].next;
	}
	free(family);
}

void
prof_walk_tree(const struct prof *p, const struct prof_tree *t,
	       void (*enter)(void *arg, unsigned node),
	       void (*leave)(void *arg, unsigned node), void *arg)
{
	unsigned *parent = tool_alloc(p->tool, t->n, sizeof *parent);

	for (size_t i = 0; i < t->n; i++)
		parent[i] = t->node[i].parent;
	prof_walk(p, &(struct prof_walk){parent, t->n, enter, leave, arg});
	free(parent);
}

/* ---- Inclusive costs ------------------------------------------------- */

/* A procedure has what is below its nodes, but for those below another one of
 * its own. */
struct inclusion {
	struct prof_tree *t;
	size_t n_events;
	unsigned *open;		/* its nodes that the walk is below */
};

static void
include(void *arg, unsigned node)
{
	struct inclusion *in = arg;
	const struct prof_node *n = &in->t->node[node];
	uint64_t *count = in->t->functions.row[n->function].count;

	if (!in->open[n->function]++)
		for (size_t e = 0; e < in->n_events; e++)
			count[e] += n->all[e];
}

static void
leave(void *arg, unsigned node)
{
	struct inclusion *in = arg;

	in->open[in->t->node[node].function]--;
}

static void
add_inclusive(const struct prof *p, struct prof_tree *t)
{
	struct inclusion in = {.t = t, .n_events = p->u->profile->n_events};

	in.open = tool_alloc(p->tool, t->functions.n + 1, sizeof *in.open);
	prof_walk_tree(p, t, include, leave, &in);
	free(in.open);
}

/* ---- The tree -------------------------------------------------------- */

static void
build(struct builder *b)
{
	const struct pmcsim_profile *f = b->p->u->profile;

	b->caller = tool_alloc(b->p->tool, f->n_calls + 1, sizeof *b->caller);
	b->site = tool_alloc(b->p->tool, f->n_calls + 1, sizeof *b->site);
	index_nodes(b);
	index_sites(b);
	for (size_t i = 0; i < f->n_calls; i++)
		b->caller[i + 1] = descend(b, f->call[i].parent,
					   f->call[i].module,
					   f->call[i].offset, &b->site[i + 1]);
	add_places(b);
	if (b->by_site)
		add_taken(b);
	free(b->caller);
	free(b->site);
	free(b->index);
	free(b->site_index);
}

struct prof_tree *
prof_tree_new(const struct prof *p, bool by_site)
{
	struct prof_tree *t = tool_alloc(p->tool, 1, sizeof *t);
	struct builder b = {.p = p, .t = t, .by_site = by_site};

	prof_functions_init(&t->functions, p->tool);
	t->node = tool_alloc(p->tool, FIRST, sizeof *t->node);
	t->site = tool_alloc(p->tool, FIRST, sizeof *t->site);
	t->room = t->sites_room = FIRST;
	t->n = t->n_sites = 1;
	build(&b);
	add_up(t, p->u->profile->n_events);
	add_inclusive(p, t);
	return t;
}

void
prof_tree_free(struct prof_tree *t)
{
	prof_functions_free(&t->functions);
	free(t->node);
	free(t->site);
	free(t);
}
