/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What perf stat --per-thread prints for people. */
#include "stat.h"

#include <stdlib.h>
#include <string.h>

/* A thread, and what it has counted of an event. */
struct row {
	const struct stat_region *thread;
	double count;
	size_t place;
};

static int
most_first(const void *a, const void *b)
{
	const struct row *p = a, *q = b;

	if (p->count != q->count)
		return p->count < q->count ? 1 : -1;
	return p->place < q->place ? -1 : 1;
}

/* A program's name on the right, its number on the left of the dash, as perf has
 * them. */
static void
put_name(const char *name, char *prefix, size_t size)
{
	const char *dash = strrchr(name, '-');
	int width = dash ? (int)(dash - name) : 0;

	snprintf(prefix, size, "%*.*s-%-8s", 16, width, name,
		 dash ? dash + 1 : name);
}

static void
put_rows(const struct stat *s, size_t want, struct row *row, size_t n,
	 FILE *out)
{
	for (size_t i = 0; i < n; i++) {
		struct stat view = stat_view(s, &s->cpu[0].region[i]);

		row[i] = (struct row){
			&s->cpu[0].region[i],
			stat_mean(&view, &view.cpu[0], want, NULL), i};
	}
	qsort(row, n, sizeof(*row), most_first);
	for (size_t i = 0; i < n; i++) {
		struct stat view = stat_view(s, row[i].thread);

		put_name(row[i].thread->name, view.prefix,
			 sizeof(view.prefix));
		stat_put_want(&view, &view.cpu[0], want, out);
	}
}

void
stat_write_threads(const struct stat *s, FILE *out)
{
	size_t n = s->cpu[0].n_regions;
	struct row *row = tool_alloc(&stat_tool, n + 1, sizeof(*row));

	stat_put_title(s, out);
	for (size_t w = 0; w < s->o->n_wants; w++)
		put_rows(s, w, row, n, out);
	stat_put_end(s, &s->cpu[0], out);
	free(row);
}
