/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions that the compiler has put into others.  One that has code of its
 * own as well is called as that is, and is the same function: its name is a
 * symbol's, at which DWARF describes what is declared in the same place.
 */
#include "symbols.h"

#include <stdlib.h>
#include <string.h>

static int
by_name(const void *a, const void *b)
{
	const struct symbol *x = *(const struct symbol *const *)a;
	const struct symbol *y = *(const struct symbol *const *)b;
	int order = strcmp(x->name, y->name);

	return order ? order : x->start < y->start ? -1 : x->start > y->start;
}

static void
sort_by_name(struct symbol_file *f)
{
	f->by_name = calloc(f->n + 1, sizeof(struct symbol *));
	for (size_t i = 0; f->by_name && i < f->n; i++)
		f->by_name[i] = &f->symbol[i];
	if (f->by_name && f->n)
		qsort(f->by_name, f->n, sizeof(struct symbol *), by_name);
}

/* The first symbol of that name, or where it would be. */
static size_t
first_named(const struct symbol_file *f, const char *name)
{
	size_t low = 0, high = f->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (strcmp(f->by_name[mid]->name, name) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static bool
same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

/* Whether DWARF has that function at an address. */
static bool
is_at(struct symbol_file *f, const struct scope_function *function,
      uint64_t vaddr)
{
	const struct scope *scope = NULL;
	struct scopes *s;
	Dwarf_Die unit;

	if (!symbols_unit(f, vaddr, &unit))
		return false;
	s = symbols_scopes(f, &unit);
	if (s)
		scope = symbols_scope(s, vaddr);
	while (scope && scope->inlined)
		scope = &s->scope[scope->parent];
	return scope && scope->function &&
	       same_text(scope->function->name, function->name) &&
	       same_text(scope->function->file, function->file) &&
	       scope->function->line == function->line;
}

/* The symbol of its own code, or NULL. */
static struct symbol *
symbol_of(struct symbol_file *f, struct scope_function *function)
{
	if (function->sought || !function->name)
		return function->symbol;
	function->sought = true;
	if (!f->by_name)
		sort_by_name(f);
	for (size_t i = f->by_name ? first_named(f, function->name) : f->n;
	     i < f->n && !strcmp(f->by_name[i]->name, function->name); i++)
		if (is_at(f, function, f->by_name[i]->start))
			return function->symbol = f->by_name[i];
	return NULL;
}

static void
describe(struct symbol_file *f, struct scope_function *function,
	 struct pmcsim_symbol *frame)
{
	struct symbol *own = symbol_of(f, function);

	frame->inlined = true;
	frame->declared = function->file;
	frame->declared_line = function->line;
	frame->name = function->plain ? function->plain : function->name;
	if (!own)
		return;
	frame->name = symbol_name(own);
	frame->size = symbols_extent(f, own);
	symbols_offset(f, own->start, &frame->start);
}

size_t
symbols_frames(struct symbol_file *f, uint64_t vaddr,
	       struct pmcsim_symbol *frame, size_t room)
{
	struct pmcsim_symbol outer = frame[0], next = outer;
	const struct scope *scope = NULL;
	struct scopes *s;
	Dwarf_Die unit;
	size_t n = 0;

	if (!symbols_unit(f, vaddr, &unit))
		return 1;
	s = symbols_scopes(f, &unit);
	if (s)
		scope = symbols_scope(s, vaddr);
	for (; scope && scope->inlined && scope->function->name && n + 1 < room;
	     scope = &s->scope[scope->parent]) {
		frame[n] = (struct pmcsim_symbol){.file = next.file,
						  .line = next.line};
		describe(f, scope->function, &frame[n++]);
		next.file = scope->file;
		next.line = scope->line;
	}
	frame[n] = next;
	return n + 1;
}
