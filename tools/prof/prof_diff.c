/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two profiles side by side, procedure by procedure. */
#include "prof.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Procedures are the same that have the same name in files that are; addresses
 * are names in one build only. */
struct pair {
	const char *name, *object;
	const char *build;	/* "": it does not matter, or is not known */
	const char *file;	/* of a line; "": of all of a procedure */
	int64_t line;		/* counted from where the procedure begins, so
				   that what is above it does not matter */
	unsigned number[2];	/* of the line, as it is called */
	uint64_t cost[2];
};

static int
by_name(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;
	int order = strcmp(x->object, y->object);

	if (!order)
		order = strcmp(x->name, y->name);
	if (!order)
		order = strcmp(x->build, y->build);
	if (!order)
		order = strcmp(x->file, y->file);
	return order ? order : x->line < y->line ? -1 : x->line > y->line;
}

static uint64_t
distance(const struct pair *p)
{
	return p->cost[0] > p->cost[1] ? p->cost[0] - p->cost[1] :
					 p->cost[1] - p->cost[0];
}

static int
by_distance(const void *a, const void *b)
{
	uint64_t x = distance(a), y = distance(b);

	if (x != y)
		return x > y ? -1 : 1;
	return by_name(a, b);
}

static const char *
base_or_none(const char *path)
{
	return path ? prof_base(path) : "";
}

static void
set_line(struct pair *pair, const struct prof *p,
	 const struct pmcsim_profile_row *row, unsigned side)
{
	struct pmcsim_symbol begin;

	prof_source(p, row, &begin);
	pair->file = base_or_none(row->symbol.file);
	pair->line = pair->number[side] = row->symbol.line;
	if (!strcmp(pair->file, base_or_none(begin.file)))
		pair->line -= begin.line;
}

static size_t
add_side(struct pair *pair, const struct prof *p, unsigned event,
	 const struct pmcsim_profile_row *row, size_t n, unsigned side,
	 const struct prof_match *match)
{
	for (size_t i = 0; i < n; i++) {
		const char *path = p->u->profile->module[row[i].module];

		pair[i] = (struct pair){
			.name = prof_name(&row[i].symbol),
			.object = prof_match_name(match, side,
						  prof_base(path)),
			.build = prof_name_build(p, &row[i]),
			.file = "",
		};
		if (p->o->heavy)
			set_line(&pair[i], p, &row[i], side);
		pair[i].cost[side] = prof_cost(p, event,
					       row[i].count[event]);
	}
	return n;
}

static size_t
join(struct pair *pair, size_t n)
{
	size_t last = 0;

	if (!n)
		return 0;
	qsort(pair, n, sizeof *pair, by_name);
	for (size_t i = 1; i < n; i++) {
		if (by_name(&pair[last], &pair[i])) {
			pair[++last] = pair[i];
			continue;
		}
		for (unsigned side = 0; side < 2; side++) {
			pair[last].cost[side] += pair[i].cost[side];
			if (pair[i].number[side])
				pair[last].number[side] = pair[i].number[side];
		}
	}
	return last + 1;
}

/* The numbers of a line, which may have moved. */
static void
put_line(const struct pair *d, FILE *out)
{
	unsigned a = d->number[0], b = d->number[1];

	fputc(' ', out);
	tool_put(*d->file ? d->file : "no file", out);
	if (a && b && a != b)
		fprintf(out, ":%u, now :%u", a, b);
	else if (a || b)
		fprintf(out, ":%u", a ? a : b);
}

static void
put_pair(const struct pair *d, FILE *out)
{
	fprintf(out, "%15" PRIu64 " %15" PRIu64 " %c%-15" PRIu64, d->cost[0],
		d->cost[1], d->cost[1] < d->cost[0] ? '-' : '+',
		distance(d));
	if (d->cost[0])
		fprintf(out, " %+8.1f%%  ",
			100.0 * ((double)d->cost[1] / (double)d->cost[0] - 1));
	else
		fprintf(out, " %9s  ", "new");
	tool_put(d->name, out);
	if (*d->object) {
		fputs(" (", out);
		tool_put(d->object, out);
		fputc(')', out);
	}
	if (*d->file || d->number[0] || d->number[1])
		put_line(d, out);
	fputc('\n', out);
}

static void
put_sum(const char *what, uint64_t a, uint64_t b, FILE *out)
{
	put_pair(&(struct pair){.name = what, .object = "", .file = "",
				.cost = {a, b}},
		 out);
}

/* Procedures that -quit leaves out are added up in one line. */
static void
put_pairs(const struct prof *a, const struct pair *pair, size_t n,
	  uint64_t base, FILE *out)
{
	struct prof_share share = {.base = base};
	uint64_t other[2] = {0, 0};

	for (size_t i = 0; i < n; i++) {
		if (prof_wanted(a->o, pair[i].name) && distance(&pair[i]) &&
		    prof_enter(a, &share, distance(&pair[i]))) {
			put_pair(&pair[i], out);
			continue;
		}
		other[0] += pair[i].cost[0];
		other[1] += pair[i].cost[1];
	}
	if (other[0] || other[1])
		put_sum("not listed, or no difference", other[0], other[1],
			out);
}

/* ---- Limits -------------------------------------------------------------- */

/* All that a procedure of that name has, in whichever files; whether there is
 * one. */
static bool
cost_of(const struct pair *pair, size_t n, const char *name, uint64_t cost[2])
{
	bool any = false;

	cost[0] = cost[1] = 0;
	for (size_t i = 0; i < n; i++) {
		if (strcmp(pair[i].name, name))
			continue;
		cost[0] += pair[i].cost[0];
		cost[1] += pair[i].cost[1];
		any = true;
	}
	return any;
}

/* How many limits are exceeded, of which the total is one. */
static unsigned
check_limits(const struct prof *a, const char *event, const struct pair *pair,
	     size_t n, const uint64_t total[2])
{
	unsigned beyond = 0;

	for (size_t i = 0; i < a->o->n_limits; i++) {
		const struct limit *limit = &a->o->limit[i];
		uint64_t cost[2] = {total[0], total[1]};

		if (limit->name && !cost_of(pair, n, limit->name, cost))
			tool_fail(a->tool, TOOL_FAILED,
				  "-limit %s: the profiles have no such "
				  "procedure", limit->text);
		if (!limit_exceeded(limit, cost[0], cost[1]))
			continue;
		tool_say(a->tool, "%s of %s, from %" PRIu64 " to %" PRIu64
			 ", is beyond the limit %s", event,
			 limit->name ? limit->name : "all procedures", cost[0],
			 cost[1], limit->text);
		beyond++;
	}
	return beyond;
}

/* ---- Events -------------------------------------------------------------- */

static unsigned
diff_event(const struct prof *a, const struct prof *b, unsigned event,
	   unsigned event_b, const struct prof_match *match, FILE *out)
{
	const struct pmcsim_profile *f = a->u->profile, *g = b->u->profile;
	size_t n, m;
	enum pmcsim_rows kind = a->o->heavy ? PMCSIM_ROWS_LINES :
					      PMCSIM_ROWS_FUNCTIONS;
	struct pmcsim_profile_row *row = prof_rows(a, event, kind, &n);
	struct pmcsim_profile_row *other = prof_rows(b, event_b, kind, &m);
	struct pair *pair = tool_alloc(a->tool, n + m, sizeof *pair);
	uint64_t base = 0, total[2] = {f->total[event], g->total[event_b]};
	unsigned beyond;

	n = add_side(pair, a, event, row, n, 0, match);
	n += add_side(pair + n, b, event_b, other, m, 1, match);
	n = join(pair, n);
	for (size_t i = 0; i < n; i++)
		base += distance(&pair[i]);
	qsort(pair, n, sizeof *pair, by_distance);
	fprintf(out, "%s: %s\n%15s %15s  %-15s %9s  procedure (object)%s\n\n",
		a->u->event[event], a->u->label[event], "A", "B", "B - A",
		"change", a->o->heavy ? " line" : "");
	put_pairs(a, pair, n, base, out);
	if (f->rest[event] || g->rest[event_b])
		put_sum("not attributed to any place", f->rest[event],
			g->rest[event_b], out);
	put_sum("total", total[0], total[1], out);
	fputc('\n', out);
	beyond = check_limits(a, a->u->event[event], pair, n, total);
	free(row);
	free(other);
	free(pair);
	return beyond;
}

unsigned
prof_diff(const struct prof *a, const struct prof *b, FILE *out)
{
	struct prof_match *match = prof_match_open(a, b);
	unsigned beyond = 0;
	bool any = false;

	prof_check_names(a, b);
	for (unsigned e = 0; e < a->u->profile->n_events; e++) {
		if (a->o->event && strcasecmp(a->o->event, a->u->event[e]))
			continue;
		for (unsigned k = 0; k < b->u->profile->n_events; k++) {
			if (strcmp(a->u->event[e], b->u->event[k]))
				continue;
			beyond += diff_event(a, b, e, k, match, out);
			any = true;
		}
	}
	prof_match_close(match);
	if (!any && a->o->event)
		tool_fail(a->tool, TOOL_FAILED,
			  "the profiles have no event %s in common",
			  a->o->event);
	if (!any)
		tool_fail(a->tool, TOOL_FAILED,
			  "the profiles have no event in common");
	return beyond;
}
