/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Listing of what happened at the first instruction of procedures: of
 * instructions, calls.
 */
#include "prof.h"

#include <inttypes.h>
#include <stdlib.h>

/* Finds the rows' own first instructions, and gives each what it had. */
static void
count_calls(const struct prof *p, unsigned event,
	    struct pmcsim_profile_row *row, size_t n)
{
	const struct pmcsim_profile *f = p->u->profile;

	for (size_t i = 0; i < n; i++)
		row[i].count[event] = 0;
	qsort(row, n, sizeof *row, prof_by_function);
	for (size_t i = 0; i < f->n_places; i++) {
		const struct pmcsim_place *at = &f->place[i];
		struct pmcsim_profile_row key = {.module = at->module}, *to;

		if (!at->count[event])
			continue;
		pmcsim_symbol_find(p->symbols, f->module[at->module],
				   at->offset, false, &key.symbol);
		if (!key.symbol.name || key.symbol.start != at->offset)
			continue;
		to = bsearch(&key, row, n, sizeof *row, prof_by_function);
		if (to)
			to->count[event] += at->count[event];
	}
}

static unsigned calls_event;

static int
by_calls(const void *a, const void *b)
{
	const struct pmcsim_profile_row *x = a, *y = b;
	uint64_t m = x->count[calls_event], n = y->count[calls_event];

	if (m != n)
		return m > n ? -1 : 1;
	return prof_by_function(a, b);
}

void
prof_list_calls(const struct prof *p, unsigned event, FILE *out)
{
	struct prof_share share = {0};
	size_t n;
	struct pmcsim_profile_row *row = prof_rows(
		p, event, PMCSIM_ROWS_SYMBOLS, &n);

	count_calls(p, event, row, n);
	calls_event = event;
	qsort(row, n, sizeof *row, by_calls);
	for (size_t i = 0; i < n; i++)
		share.base += prof_cost(p, event, row[i].count[event]);
	prof_heading(p, event, "-i[nvocations] using performance counters:",
		     "descending order by events at first instructions", out);
	fprintf(out, "%6s %15s %6s  procedure (file)\n\n", "%",
		p->u->event[event], "cum %");
	for (size_t i = 0; i < n; i++) {
		uint64_t calls = prof_cost(p, event, row[i].count[event]);

		if (!prof_listed(p, &row[i]) ||
		    (!calls && !p->o->zero))
			continue;
		if (!prof_enter(p, &share, calls))
			break;
		fprintf(out, "%6.1f %15" PRIu64 " %6.1f  ",
			prof_percent(calls, share.base), calls,
			prof_percent(share.sum, share.base));
		prof_put_place(p, &row[i], p->o->numbers, out);
		fputc('\n', out);
	}
	fprintf(out, "\n%15" PRIu64 "  at first instructions\n\n",
		share.base);
	free(row);
}
