/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Listing of instructions. */
#include "prof.h"

#include <inttypes.h>
#include <stdlib.h>

/* An address, as a row of its function. */
struct instruction {
	struct pmcsim_profile_row row;
	uint64_t offset;
};

static int
by_offset(const void *a, const void *b)
{
	const struct instruction *x = a, *y = b;
	int order = prof_by_function(&x->row, &y->row);

	if (order)
		return order;
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* The first of a function's instructions, or where it would be. */
static size_t
find_first(const struct instruction *list, size_t n,
	   const struct pmcsim_profile_row *function)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (prof_by_function(&list[mid].row, function) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* Places of all processes by instruction. */
static struct instruction *
collect(const struct prof *p, size_t *n)
{
	const struct pmcsim_profile *f = p->u->profile;
	struct instruction *list = tool_alloc(p->tool, f->n_places,
					      sizeof *list);

	for (size_t i = 0; i < f->n_places; i++) {
		const struct pmcsim_place *at = &f->place[i];

		list[i].offset = at->offset;
		list[i].row.module = at->module;
		pmcsim_symbol_find(p->symbols, f->module[at->module],
				   at->offset, true, &list[i].row.symbol);
		for (unsigned e = 0; e < PMCSIM_PROFILE_EVENTS; e++)
			list[i].row.count[e] = at->count[e];
	}
	qsort(list, f->n_places, sizeof *list, by_offset);
	*n = 0;
	for (size_t i = 0; i < f->n_places; i++) {
		if (!*n || by_offset(&list[*n - 1], &list[i])) {
			list[(*n)++] = list[i];
			continue;
		}
		for (unsigned e = 0; e < PMCSIM_PROFILE_EVENTS; e++)
			list[*n - 1].row.count[e] += list[i].row.count[e];
	}
	return list;
}

static void
put_instruction(const struct instruction *at, uint64_t cost, uint64_t base,
		FILE *out)
{
	const struct pmcsim_symbol *s = &at->row.symbol;

	fprintf(out, "%6.1f %15" PRIu64 "  %10" PRIx64,
		prof_percent(cost, base), cost, at->offset);
	if (s->name)
		fprintf(out, "  +%-6" PRIx64, at->offset - s->start);
	if (s->file) {
		fputs("  ", out);
		prof_put(prof_base(s->file), out);
		fprintf(out, ":%u", s->line);
	}
	fputc('\n', out);
}

static void
put_function(const struct prof *p, unsigned event,
	     const struct pmcsim_profile_row *function,
	     const struct instruction *list, size_t n, uint64_t base,
	     FILE *out)
{
	const char *module = p->u->profile->module[function->module];

	prof_put(prof_name(&function->symbol), out);
	fputs(" in ", out);
	prof_put(*module ? module : "no file", out);
	fputs(":\n", out);
	for (size_t i = find_first(list, n, function);
	     i < n && prof_same_function(&list[i].row, function); i++) {
		const struct instruction *at = &list[i];
		uint64_t cost = prof_cost(p, event, at->row.count[event]);

		if (cost)
			put_instruction(at, cost, base, out);
	}
	fputc('\n', out);
}

void
prof_list_instructions(const struct prof *p, unsigned event, FILE *out)
{
	struct prof_share share;
	size_t n, n_list;
	struct pmcsim_profile_row *row = prof_rows(p, event, false, &n);
	struct instruction *list = collect(p, &n_list);

	prof_heading(p, event, "-a[sm] using performance counters:",
		     "order of addresses, by procedure", out);
	fprintf(out, "%6s %15s  %10s\n\n", "%", p->u->event[event],
		"offset");
	share = prof_begin(p, event, row, n);
	for (size_t i = 0; i < n; i++)
		if (row[i].count[event] &&
		    prof_wanted(p->o, prof_name(&row[i].symbol)) &&
		    prof_enter(p, &share, prof_cost(p, event,
						    row[i].count[event])))
			put_function(p, event, &row[i], list, n_list,
				     share.base, out);
	prof_remainder(p, event, &share, out);
	free(list);
	free(row);
}
