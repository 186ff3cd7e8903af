/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Procedures and lines of a profile: order, names, what is listed. */
#include "prof.h"

#include <stdlib.h>
#include <string.h>

uint64_t
prof_cost(const struct prof *p, unsigned event, uint64_t count)
{
	return pmcsim_profile_cost(p->u->profile, event, count);
}

double
prof_percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

const char *
prof_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

const char *
prof_name(const struct pmcsim_symbol *symbol)
{
	return symbol->name ? symbol->name : "(no symbol)";
}

const char *
prof_name_build(const struct prof *p, const struct pmcsim_profile_row *row)
{
	const struct pmcsim_profile *f = p->u->profile;
	const char *build = f->build ? f->build[row->module] : NULL;

	return build && row->symbol.unnamed ? build : "";
}

/* ---- Order ----------------------------------------------------------- */

static unsigned sort_event;

static int
compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int
compare_text(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

/* Functions without code of their own are told apart by where they are in the
 * source. */
int
prof_by_function(const void *a, const void *b)
{
	const struct pmcsim_profile_row *x = a, *y = b;
	int order = compare(x->module, y->module);

	if (!order)
		order = compare(x->symbol.start, y->symbol.start);
	if (!order)
		order = strcmp(prof_name(&x->symbol), prof_name(&y->symbol));
	if (order || x->symbol.start)
		return order;
	order = compare_text(x->symbol.declared, y->symbol.declared);
	return order ? order : compare(x->symbol.declared_line,
				       y->symbol.declared_line);
}

bool
prof_same_function(const struct pmcsim_profile_row *a,
		   const struct pmcsim_profile_row *b)
{
	return !prof_by_function(a, b);
}

static int
by_line(const void *a, const void *b)
{
	const struct pmcsim_profile_row *x = a, *y = b;
	int order = prof_by_function(a, b);

	if (!order)
		order = compare_text(x->symbol.file, y->symbol.file);
	return order ? order : compare(x->symbol.line, y->symbol.line);
}

static int
by_cost(const void *a, const void *b)
{
	const struct pmcsim_profile_row *x = a, *y = b;
	int order = compare(y->count[sort_event], x->count[sort_event]);

	return order ? order : by_line(a, b);
}

void
prof_sort(struct pmcsim_profile_row *row, size_t n, unsigned event)
{
	sort_event = event;
	qsort(row, n, sizeof *row, by_cost);
}

/* A procedure's lines, which are neighbours, and what they have together. */
struct run {
	struct pmcsim_profile_row *row;
	size_t n;
	uint64_t count;
};

static int
by_run(const void *a, const void *b)
{
	const struct run *x = a, *y = b;
	int order = compare(y->count, x->count);

	return order ? order : by_line(x->row, y->row);
}

void
prof_sort_lines(struct pmcsim_profile_row *row, size_t n, unsigned event)
{
	struct run *run = calloc(n + 1, sizeof *run);
	struct pmcsim_profile_row *copy = malloc((n + 1) * sizeof *copy);
	size_t n_runs = 0;

	if (!run || !copy)
		abort();
	qsort(row, n, sizeof *row, by_line);
	memcpy(copy, row, n * sizeof *row);
	for (size_t i = 0; i < n; i++) {
		if (!i || !prof_same_function(&copy[i - 1], &copy[i]))
			run[n_runs++].row = &copy[i];
		run[n_runs - 1].n++;
		run[n_runs - 1].count += copy[i].count[event];
	}
	qsort(run, n_runs, sizeof *run, by_run);
	for (size_t i = 0; i < n_runs; i++) {
		memcpy(row, run[i].row, run[i].n * sizeof *row);
		row += run[i].n;
	}
	free(run);
	free(copy);
}

/* ---- Rows ------------------------------------------------------------ */

/* Adds the functions of a module that have no row. */
static void
add_module(const struct prof *p, unsigned module,
	   struct pmcsim_profile_row **rows, size_t *n, size_t known)
{
	const char *path = p->u->profile->module[module];
	struct pmcsim_profile_row row = {.module = module};

	for (size_t i = 0;
	     pmcsim_symbols_function(p->symbols, path, i, &row.symbol); i++) {
		if (!row.symbol.name ||
		    bsearch(&row, *rows, known, sizeof row,
			    prof_by_function))
			continue;
		*rows = reallocarray(*rows, *n + 2, sizeof row);
		if (!*rows)
			tool_fail(p->tool, TOOL_FAILED, "out of memory");
		(*rows)[(*n)++] = row;
	}
}

struct pmcsim_profile_row *
prof_rows(const struct prof *p, unsigned event, enum pmcsim_rows kind,
	  size_t *n)
{
	struct pmcsim_profile_row *row;
	size_t known;

	if (pmcsim_profile_rows(p->u->profile, p->symbols, kind, &row, n))
		tool_fail(p->tool, TOOL_FAILED, "out of memory");
	known = *n;
	if (p->o->zero && kind != PMCSIM_ROWS_LINES) {
		qsort(row, known, sizeof *row, prof_by_function);
		for (unsigned m = 1; m < p->u->profile->n_modules; m++)
			add_module(p, m, &row, n, known);
	}
	prof_sort(row, *n, event);
	return row;
}

void
prof_source(const struct prof *p, const struct pmcsim_profile_row *row,
	    struct pmcsim_symbol *symbol)
{
	*symbol = (struct pmcsim_symbol){.file = row->symbol.declared,
					 .line = row->symbol.declared_line};
	if (row->symbol.name && (row->symbol.start || !row->symbol.inlined))
		pmcsim_symbol_find(p->symbols,
				   p->u->profile->module[row->module],
				   row->symbol.start, true, symbol);
}

size_t
prof_frames(const struct prof *p, unsigned module, uint64_t offset,
	    struct pmcsim_symbol frame[PMCSIM_FRAMES])
{
	return pmcsim_symbol_frames(p->symbols, p->u->profile->module[module],
				    offset, frame, PMCSIM_FRAMES);
}

/* ---- What is listed -------------------------------------------------- */

static bool
is_in(const struct prof_names *names, const char *name)
{
	for (size_t i = 0; i < names->n; i++)
		if (!strcmp(names->name[i], name))
			return true;
	return false;
}

bool
prof_wanted(const struct prof_options *o, const char *name)
{
	if (o->only.n)
		return is_in(&o->only, name);
	return !is_in(&o->exclude, name);
}

/* Whether a file is among those names, which may be paths. */
static bool
is_file(const struct prof_names *names, const char *path)
{
	for (size_t i = 0; i < names->n; i++)
		if (!strcmp(prof_base(names->name[i]), prof_base(path)))
			return true;
	return false;
}

/* Whether a file is the program that was profiled. */
static bool
is_program(const struct prof *p, const char *path)
{
	const char *program = p->program ? p->program :
					   p->u->command[0];

	return program && !strcmp(prof_base(program), prof_base(path));
}

bool
prof_listed(const struct prof *p, const struct pmcsim_profile_row *row)
{
	const char *path = p->u->profile->module[row->module];

	if (!path)
		path = "";
	if (is_file(&p->o->without, path) ||
	    (p->o->with.n && !is_program(p, path) &&
	     !is_file(&p->o->with, path)))
		return false;
	return prof_wanted(p->o, prof_name(&row->symbol));
}

/* Whether a procedure of that name has something, or is of the same files. */
static bool
knows(const struct prof *p, const char *name)
{
	struct pmcsim_symbol symbol;
	struct pmcsim_profile_row *row;
	bool known = false;
	size_t n;

	row = prof_rows(p, 0, PMCSIM_ROWS_FUNCTIONS, &n);
	for (size_t i = 0; i < n && !known; i++)
		known = !strcmp(prof_name(&row[i].symbol), name);
	free(row);
	for (unsigned m = 1; m < p->u->profile->n_modules && !known; m++)
		for (size_t i = 0; !known &&
		     pmcsim_symbols_function(p->symbols,
					     p->u->profile->module[m], i,
					     &symbol); i++)
			known = symbol.name && !strcmp(symbol.name, name);
	return known;
}

static void
check_names(const struct prof *p, const struct prof *other,
	    const struct prof_names *names)
{
	for (size_t i = 0; i < names->n; i++) {
		const char *name = names->name[i];

		if (knows(p, name) || (other && knows(other, name)))
			continue;
		if (other)
			tool_note(p->tool, "neither %s nor %s has a "
				  "procedure %s", p->data, other->data, name);
		else
			tool_note(p->tool, "%s has no procedure %s", p->data,
				  name);
	}
}

static void
check_files(const struct prof *p, const struct prof_names *names)
{
	for (size_t i = 0; i < names->n; i++) {
		struct prof_names one = {.name = &names->name[i], .n = 1};
		bool found = false;

		for (unsigned m = 1; m < p->u->profile->n_modules; m++)
			found |= is_file(&one, p->u->profile->module[m]);
		if (!found)
			tool_note(p->tool, "%s has no file %s", p->data,
				  names->name[i]);
	}
}

void
prof_check_names(const struct prof *p, const struct prof *other)
{
	check_names(p, other, &p->o->only);
	check_names(p, other, &p->o->exclude);
	check_files(p, &p->o->with);
	check_files(p, &p->o->without);
}

struct prof_share
prof_begin(const struct prof *p, unsigned event,
	   const struct pmcsim_profile_row *row, size_t n)
{
	uint64_t total = p->u->profile->total[event], wanted = 0, other = 0;
	struct prof_share share = {.base = total};

	for (size_t i = 0; i < n; i++) {
		uint64_t cost = prof_cost(p, event, row[i].count[event]);

		if (prof_listed(p, &row[i]))
			wanted += cost;
		else
			other += cost;
	}
	if (p->o->renormalise)
		share.base = p->o->only.n ? wanted : total - other;
	return share;
}

struct prof_share
prof_begin_functions(const struct prof *p, unsigned event)
{
	size_t n;
	struct pmcsim_profile_row *row = prof_rows(p, event,
						   PMCSIM_ROWS_FUNCTIONS, &n);
	struct prof_share share = prof_begin(p, event, row, n);

	free(row);
	return share;
}

bool
prof_enter(const struct prof *p, struct prof_share *share, uint64_t cost)
{
	const struct prof_options *o = p->o;

	if (o->quit == QUIT_ENTRIES && share->entries >= o->quit_value)
		return false;
	if (o->quit == QUIT_PERCENT &&
	    prof_percent(cost, share->base) < o->quit_value)
		return false;
	if (o->quit == QUIT_CUMULATIVE &&
	    prof_percent(share->sum, share->base) >= o->quit_value)
		return false;
	share->entries++;
	share->sum += cost;
	return true;
}
