/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile_calls.h"

#include "symbols/history.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int
call_list_add(struct call_list *l, unsigned n, const struct pmcsim_call *call)
{
	struct call_entry *e;

	while (l->n <= n) {
		void *list = history_grow(l->entry, l->n, &l->room,
					  sizeof *l->entry);

		if (!list)
			return -ENOMEM;
		l->entry = list;
		l->entry[l->n++] = (struct call_entry){.depth = 0};
	}
	if (call->parent >= l->n)
		return 0;
	e = &l->entry[n];
	*e = (struct call_entry){
		.call = *call,
		.depth = l->entry[call->parent].depth + 1,
	};
	return 0;
}

void
call_list_take(struct call_list *l, unsigned n, uint64_t taken)
{
	if (n < l->n)
		l->entry[n].call.taken += taken;
}

void
call_list_use(struct call_list *l, unsigned n)
{
	while (n < l->n && l->entry[n].depth && !l->entry[n].used) {
		l->entry[n].used = true;
		n = l->entry[n].call.parent;
	}
}

unsigned
call_list_path(const struct call_list *l, unsigned n)
{
	return n < l->n ? l->entry[n].path : 0;
}

void
call_list_free(struct call_list *l)
{
	free(l->entry);
	*l = (struct call_list){0};
}

/* ---- Order ----------------------------------------------------------- */

static int
by_depth(const void *a, const void *b)
{
	const struct call_entry *x = *(struct call_entry *const *)a;
	const struct call_entry *y = *(struct call_entry *const *)b;

	return x->depth < y->depth ? -1 : x->depth > y->depth;
}

static int
compare(const struct pmcsim_call *x, const struct pmcsim_call *y)
{
	if (x->parent != y->parent)
		return x->parent < y->parent ? -1 : 1;
	if (x->module != y->module)
		return x->module < y->module ? -1 : 1;
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static int
by_call(const void *a, const void *b)
{
	const struct call_entry *x = *(struct call_entry *const *)a;
	const struct call_entry *y = *(struct call_entry *const *)b;

	return compare(&x->call, &y->call);
}

/* All of one depth, whose parents have their numbers; how many there are
 * then. */
static size_t
number_depth(struct call_list *l, struct call_entry **at, size_t n,
	     struct pmcsim_call *call, size_t done)
{
	size_t first = done;

	for (size_t i = 0; i < n; i++)
		at[i]->call.parent = l->entry[at[i]->call.parent].path;
	qsort(at, n, sizeof *at, by_call);
	for (size_t i = 0; i < n; i++) {
		if (done == first || compare(&call[done - 1], &at[i]->call))
			call[done++] = at[i]->call;
		else
			call[done - 1].taken += at[i]->call.taken;
		at[i]->path = (unsigned)done;
	}
	return done;
}

int
call_list_number(struct call_list *l, struct pmcsim_call **call, size_t *n)
{
	struct call_entry **at = calloc(l->n + 1, sizeof(struct call_entry *));
	size_t used = 0, done = 0, end;

	*call = calloc(l->n + 1, sizeof **call);
	if (!at || !*call) {
		free(at);
		free(*call);
		return -ENOMEM;
	}
	for (size_t i = 1; i < l->n; i++)
		if (l->entry[i].used)
			at[used++] = &l->entry[i];
	if (used)
		qsort(at, used, sizeof *at, by_depth);
	for (size_t i = 0; i < used; i = end) {
		for (end = i + 1; end < used &&
		     at[end]->depth == at[i]->depth; end++)
			;
		done = number_depth(l, at + i, end - i, *call, done);
	}
	free(at);
	*n = done;
	return 0;
}
