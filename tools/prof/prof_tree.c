/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "prof_tree.h"

#include <stdlib.h>
#include <string.h>

/* A tree that is being made. */
struct builder {
	const struct prof *p;
	struct prof_tree *t;
	unsigned *node;		/* of each path, from 1 */
	unsigned *index;	/* of nodes, a hash table; 0: empty */
	size_t mask;
};

/* ---- Procedures ------------------------------------------------------ */

static void
find(const struct prof *p, unsigned module, uint64_t offset,
     struct pmcsim_profile_row *row)
{
	*row = (struct pmcsim_profile_row){.module = module};
	pmcsim_symbol_find(p->symbols, p->u->profile->module[module], offset,
			   false, &row->symbol);
}

static unsigned
number_of(const struct prof_tree *t, unsigned module, uint64_t offset,
	  const struct prof *p)
{
	struct pmcsim_profile_row key;
	const struct pmcsim_profile_row *row;

	find(p, module, offset, &key);
	row = bsearch(&key, t->function, t->n_functions, sizeof key,
		      prof_by_function);
	return (unsigned)(row - t->function);
}

/* All that call or have something, each once. */
static void
collect(struct builder *b)
{
	const struct pmcsim_profile *f = b->p->u->profile;
	struct prof_tree *t = b->t;
	struct pmcsim_profile_row *row = t->function =
		tool_alloc(b->p->tool, f->n_calls + f->n_places + 1,
			   sizeof *row);
	size_t all = 0;

	for (size_t i = 0; i < f->n_calls; i++)
		find(b->p, f->call[i].module, f->call[i].offset, &row[all++]);
	for (size_t i = 0; i < f->n_places; i++)
		find(b->p, f->place[i].module, f->place[i].offset,
		     &row[all++]);
	qsort(row, all, sizeof *row, prof_by_function);
	for (size_t i = 0; i < all; i++)
		if (!i || prof_by_function(&row[t->n_functions - 1], &row[i]))
			row[t->n_functions++] = row[i];
	for (size_t i = 0; i < f->n_calls; i++)
		t->of_call[i] = number_of(t, f->call[i].module,
					  f->call[i].offset, b->p);
	for (size_t i = 0; i < f->n_places; i++)
		t->of_place[i] = number_of(t, f->place[i].module,
					   f->place[i].offset, b->p);
}

/* ---- Nodes ----------------------------------------------------------- */

/* The node of a function behind a parent, made if it is not there. */
static unsigned
child(struct builder *b, unsigned parent, unsigned function)
{
	struct prof_tree *t = b->t;
	uint64_t hash = ((uint64_t)parent << 32 | function) *
			UINT64_C(0x9e3779b97f4a7c15);
	size_t at = (size_t)(hash >> 32) & b->mask;

	for (; b->index[at]; at = (at + 1) & b->mask) {
		const struct prof_node *n = &t->node[b->index[at]];

		if (n->parent == parent && n->function == function)
			return b->index[at];
	}
	t->node[t->n] = (struct prof_node){.parent = parent,
					   .function = function};
	b->index[at] = (unsigned)t->n;
	return (unsigned)t->n++;
}

static void
add_places(struct builder *b)
{
	const struct pmcsim_profile *f = b->p->u->profile;

	for (size_t i = 0; i < f->n_places; i++) {
		const struct pmcsim_place *at = &f->place[i];
		struct prof_node *n = &b->t->node[
			child(b, b->node[at->path], b->t->of_place[i])];

		for (unsigned e = 0; e < f->n_events; e++)
			n->self[e] += prof_cost(b->p, e, at->count[e]);
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
	uint64_t *count = in->t->function[n->function].count;

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
	unsigned *parent = tool_alloc(p->tool, t->n, sizeof *parent);

	in.open = tool_alloc(p->tool, t->n_functions + 1, sizeof *in.open);
	for (size_t i = 0; i < t->n; i++)
		parent[i] = t->node[i].parent;
	prof_walk(p, &(struct prof_walk){parent, t->n, include, leave, &in});
	free(parent);
	free(in.open);
}

struct prof_tree *
prof_tree_new(const struct prof *p)
{
	const struct pmcsim_profile *f = p->u->profile;
	struct prof_tree *t = tool_alloc(p->tool, 1, sizeof *t);
	struct builder b = {.p = p, .t = t};

	t->of_call = tool_alloc(p->tool, f->n_calls + 1, sizeof *t->of_call);
	t->of_place = tool_alloc(p->tool, f->n_places + 1,
				 sizeof *t->of_place);
	b.node = tool_alloc(p->tool, f->n_calls + 1, sizeof *b.node);
	for (b.mask = 1023; b.mask < 2 * (f->n_calls + f->n_places); )
		b.mask = 2 * b.mask + 1;
	b.index = tool_alloc(p->tool, b.mask + 1, sizeof *b.index);
	t->node = tool_alloc(p->tool, f->n_calls + f->n_places + 1,
			     sizeof *t->node);
	t->n = 1;
	collect(&b);
	for (size_t i = 0; i < f->n_calls; i++)
		b.node[i + 1] = child(&b, b.node[f->call[i].parent],
				      t->of_call[i]);
	add_places(&b);
	add_up(t, f->n_events);
	add_inclusive(p, t);
	free(b.node);
	free(b.index);
	return t;
}

void
prof_tree_free(struct prof_tree *t)
{
	free(t->function);
	free(t->of_call);
	free(t->of_place);
	free(t->node);
	free(t);
}
