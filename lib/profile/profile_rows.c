/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A profile by function or by line. */
#include "pmcsim.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int
compare_text(const char *a, const char *b)
{
	if (!a || !b)
		return (a != NULL) - (b != NULL);
	return strcmp(a, b);
}

/* Functions without code of their own are told apart by where they are in the
 * source. */
static int
compare_declared(const struct pmcsim_symbol *a, const struct pmcsim_symbol *b)
{
	int order = compare_text(a->declared, b->declared);

	if (order)
		return order;
	return a->declared_line < b->declared_line
		       ? -1 : a->declared_line > b->declared_line;
}

/* Rows that are about the same are neighbours. */
static int
by_symbol(const void *a, const void *b)
{
	const struct pmcsim_profile_row *x = a, *y = b;
	int order = x->module < y->module ? -1 : x->module > y->module;

	if (!order)
		order = compare_text(x->symbol.name, y->symbol.name);
	if (!order)
		order = x->symbol.start < y->symbol.start
				? -1 : x->symbol.start > y->symbol.start;
	if (!order && !x->symbol.start)
		order = compare_declared(&x->symbol, &y->symbol);
	if (!order)
		order = compare_text(x->symbol.file, y->symbol.file);
	if (!order)
		order = x->symbol.line < y->symbol.line
				? -1 : x->symbol.line > y->symbol.line;
	return order;
}

static int
by_count(const void *a, const void *b)
{
	const struct pmcsim_profile_row *x = a, *y = b;

	for (unsigned e = 0; e < PMCSIM_PROFILE_EVENTS; e++)
		if (x->count[e] != y->count[e])
			return x->count[e] > y->count[e] ? -1 : 1;
	return by_symbol(a, b);
}

static void
sort(struct pmcsim_profile_row *row, size_t n,
     int (*order)(const void *, const void *))
{
	if (n)
		qsort(row, n, sizeof *row, order);
}

/* Whether two places are of one instruction; places are in their order. */
static bool
same_place(const struct pmcsim_place *a, const struct pmcsim_place *b)
{
	return a->module == b->module && a->offset == b->offset;
}

static void
add(struct pmcsim_profile_row *row, const uint64_t *count)
{
	for (unsigned e = 0; e < PMCSIM_PROFILE_EVENTS; e++)
		row->count[e] += count[e];
}

/* What a place is of in rows of that kind. */
static void
find_symbol(const struct pmcsim_profile *profile,
	    struct pmcsim_symbols *symbols, enum pmcsim_rows kind,
	    const struct pmcsim_place *at, struct pmcsim_symbol *symbol)
{
	const char *module = profile->module[at->module];
	struct pmcsim_symbol frame[PMCSIM_FRAMES];

	if (kind == PMCSIM_ROWS_SYMBOLS) {
		pmcsim_symbol_find(symbols, module, at->offset, false, symbol);
		return;
	}
	pmcsim_symbol_frames(symbols, module, at->offset, frame,
			     PMCSIM_FRAMES);
	*symbol = frame[0];
	if (kind == PMCSIM_ROWS_FUNCTIONS) {
		symbol->file = NULL;
		symbol->line = 0;
	}
}

int
pmcsim_profile_rows(const struct pmcsim_profile *profile,
		    struct pmcsim_symbols *symbols, enum pmcsim_rows kind,
		    struct pmcsim_profile_row **rows, size_t *n)
{
	struct pmcsim_profile_row *row =
		calloc(profile->n_places + 1, sizeof *row);
	size_t last = 0, all = 0;

	if (!row)
		return -ENOMEM;
	for (size_t i = 0; i < profile->n_places; i++) {
		const struct pmcsim_place *p = &profile->place[i];

		if (i && same_place(p - 1, p)) {
			add(&row[all - 1], p->count);
			continue;
		}
		row[all].module = p->module;
		find_symbol(profile, symbols, kind, p, &row[all].symbol);
		memcpy(row[all++].count, p->count, sizeof p->count);
	}
	sort(row, all, by_symbol);
	for (size_t i = 1; i < all; i++) {
		if (by_symbol(&row[last], &row[i]))
			row[++last] = row[i];
		else
			add(&row[last], row[i].count);
	}
	*n = all ? last + 1 : 0;
	sort(row, *n, by_count);
	*rows = row;
	return 0;
}
