/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Listing of what happened in procedures and in all that they called. */
#include "prof_tree.h"

#include <inttypes.h>
#include <stdlib.h>

/* A procedure, with all that it called and alone. */
struct line {
	const struct pmcsim_profile_row *row;
	uint64_t all, alone;
	size_t first;		/* of its nodes: callers have smaller ones */
};

static int
by_inclusive(const void *a, const void *b)
{
	const struct line *x = a, *y = b;

	if (x->all != y->all)
		return x->all > y->all ? -1 : 1;
	return x->first < y->first ? -1 : x->first > y->first;
}

/* The caller's, one of each function. */
static struct line *
find_lines(const struct prof *p, const struct prof_tree *t, unsigned event)
{
	struct line *line = tool_alloc(p->tool, t->functions.n + 1,
				       sizeof *line);

	for (size_t i = 0; i < t->functions.n; i++) {
		line[i].row = &t->functions.row[i];
		line[i].all = t->functions.row[i].count[event];
	}
	for (size_t i = t->n; --i > 0;) {
		struct line *l = &line[t->node[i].function];

		l->alone += t->node[i].self[event];
		l->first = i;
	}
	qsort(line, t->functions.n, sizeof *line, by_inclusive);
	return line;
}

void
prof_list_inclusive(const struct prof *p, unsigned event, FILE *out)
{
	struct prof_share share = {.base = p->u->profile->total[event]};
	struct prof_tree *t = prof_tree_new(p, false);
	struct line *line = find_lines(p, t, event);

	prof_heading(p, event, "-inclusive using performance counters:",
		     "descending order by procedures with what they called",
		     out);
	fprintf(out, "%6s %15s %6s %15s  procedure (file)\n\n", "%",
		"with calls", "%", "alone");
	for (size_t i = 0; i < t->functions.n && line[i].all; i++) {
		const struct line *l = &line[i];

		if (!prof_listed(p, l->row))
			continue;
		if (!prof_enter(p, &share, l->all))
			break;
		fprintf(out, "%6.1f %15" PRIu64 " %6.1f %15" PRIu64 "  ",
			prof_percent(l->all, share.base), l->all,
			prof_percent(l->alone, share.base), l->alone);
		prof_put_place(p, l->row, p->o->numbers, out);
		fputc('\n', out);
	}
	fprintf(out, "\n%15" PRIu64 "  total\n\n", share.base);
	free(line);
	prof_tree_free(t);
}
