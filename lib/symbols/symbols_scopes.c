/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What of a unit's code is of which function, by the scopes of its DWARF: its
 * tree is walked once, and what it says about ranges becomes a list of where
 * each scope's code begins.  A file may say anything: what lies across another
 * scope ends with it, and a walk ends that has seen more than there can be.
 */
#include "symbols.h"

#include "history.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DEPTH 256		/* of a tree */

/* Code of a scope, in the order in which the walk comes to it. */
struct stretch {
	uint64_t start, end;
	size_t scope;
};

struct walk {
	struct symbol_file *f;
	struct scopes *s;
	Dwarf_Files *files;
	size_t n_files;
	struct stretch *stretch;
	size_t n, room;
	uint64_t left;		/* that many more can be there */
	bool failed;
};

/* ---- Functions ------------------------------------------------------- */

#define MAX_ORIGINS 8	/* of one another */

/* The function that a scope is of: what is put elsewhere is described once. */
static Dwarf_Die
origin_of(const Dwarf_Die *die)
{
	Dwarf_Die at = *die, next;
	Dwarf_Attribute attribute;

	for (int i = 0; i < MAX_ORIGINS &&
	     dwarf_attr(&at, DW_AT_abstract_origin, &attribute) &&
	     dwarf_formref_die(&attribute, &next); i++)
		at = next;
	return at;
}

static void
describe(struct symbol_file *f, struct scope_function *function)
{
	Dwarf_Die *die = &function->die;
	Dwarf_Attribute attribute;
	int line;

	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute) ||
	    dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attribute))
		function->name = dwarf_formstring(&attribute);
	if (!function->name)
		function->name = dwarf_diename(die);
	if (function->name)
		function->plain = symbol_plain(function->name);
	if (dwarf_decl_line(die, &line) || line <= 0)
		return;
	function->file = symbols_source(f, die, dwarf_decl_file(die));
	function->line = function->file ? (unsigned)line : 0;
}

/* ---- The walk -------------------------------------------------------- */

static void *
grow(struct walk *w, void *list, size_t n, size_t *room, size_t bytes)
{
	void *more = history_grow(list, n, room, bytes);

	w->failed |= !more;
	return more;
}

/* Where the call was that a scope stands for. */
static void
find_call(struct walk *w, Dwarf_Die *die, struct scope *scope)
{
	Dwarf_Attribute attribute;
	Dwarf_Word file, line;

	if (!dwarf_attr(die, DW_AT_call_file, &attribute) ||
	    dwarf_formudata(&attribute, &file) ||
	    !dwarf_attr(die, DW_AT_call_line, &attribute) ||
	    dwarf_formudata(&attribute, &line) || !line || line > INT32_MAX ||
	    !w->files || file >= w->n_files)
		return;
	scope->file = symbols_source(w->f, die, dwarf_filesrc(w->files, file,
							      NULL, NULL));
	scope->line = scope->file ? (unsigned)line : 0;
}

static size_t
add_scope(struct walk *w, Dwarf_Die *die, size_t parent, bool inlined)
{
	struct scopes *s = w->s;
	struct scope *list = grow(w, s->scope, s->n, &s->room, sizeof *list);
	struct scope scope = {.parent = inlined ? parent : 0,
			      .die = origin_of(die), .inlined = inlined};

	if (!list)
		return 0;
	if (inlined)
		find_call(w, die, &scope);
	s->scope = list;
	s->scope[s->n] = scope;
	return s->n++;
}

static void
add_stretches(struct walk *w, Dwarf_Die *die, size_t scope)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(die, at, &base, &start, &end)) > 0) {
		struct stretch *list;

		if (start >= end || !start)
			continue;
		list = grow(w, w->stretch, w->n, &w->room, sizeof *list);
		if (!list)
			return;
		w->stretch = list;
		w->stretch[w->n++] = (struct stretch){start, end, scope};
	}
}

/* The scope for what is below an entry of one. */
static size_t
enter(struct walk *w, Dwarf_Die *die, size_t scope)
{
	int tag = dwarf_tag(die);

	if (tag != DW_TAG_subprogram && tag != DW_TAG_inlined_subroutine)
		return scope;
	if (tag == DW_TAG_subprogram && !dwarf_hasattr(die, DW_AT_low_pc) &&
	    !dwarf_hasattr(die, DW_AT_ranges))
		return 0;
	scope = add_scope(w, die, scope, tag != DW_TAG_subprogram && scope);
	if (scope)
		add_stretches(w, die, scope);
	return scope;
}

/* Types and variables have no code, and most of the tree is below them. */
static bool
may_have_code(Dwarf_Die *die)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_subprogram:
	case DW_TAG_inlined_subroutine:
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
		return dwarf_haschildren(die) > 0 ||
		       dwarf_tag(die) == DW_TAG_subprogram ||
		       dwarf_tag(die) == DW_TAG_inlined_subroutine;
	default:
		return false;
	}
}

static void
walk_below(struct walk *w, Dwarf_Die *parent, size_t scope, unsigned depth)
{
	Dwarf_Die die;
	int more = dwarf_child(parent, &die);

	while (!more && w->left && !w->failed) {
		uintptr_t here = (uintptr_t)die.addr;

		w->left--;
		if (may_have_code(&die) && depth < MAX_DEPTH)
			walk_below(w, &die, enter(w, &die, scope), depth + 1);
		more = dwarf_siblingof(&die, &die);
		if (!more && (uintptr_t)die.addr <= here)
			return;
	}
}

/* ---- Where scopes begin ---------------------------------------------- */

static int
by_start(const void *a, const void *b)
{
	const struct stretch *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->scope < y->scope ? -1 : x->scope > y->scope;
}

static void
begin(struct walk *w, uint64_t start, size_t scope)
{
	struct scopes *s = w->s;
	struct scope_start *list;

	if (s->n_starts && s->start[s->n_starts - 1].start >= start) {
		if (s->start[s->n_starts - 1].start == start)
			s->start[s->n_starts - 1].scope = scope;
		return;
	}
	list = grow(w, s->start, s->n_starts, &s->starts_room, sizeof *list);
	if (!list)
		return;
	s->start = list;
	s->start[s->n_starts++] = (struct scope_start){start, scope};
}

/* Ends those of the open ones that end at an address or before it; how many
 * are left. */
static size_t
end_at(struct walk *w, const struct stretch **open, size_t n, uint64_t at)
{
	while (n && open[n - 1]->end <= at) {
		uint64_t end = open[--n]->end;

		begin(w, end, n ? open[n - 1]->scope : 0);
	}
	return n;
}

/* An inner scope comes behind the outer one, whose number is smaller. */
static void
lay_out(struct walk *w)
{
	const struct stretch **open = calloc(w->n + 1, sizeof *open);
	size_t n = 0;

	if (!open) {
		w->failed = true;
		return;
	}
	if (w->n)
		qsort(w->stretch, w->n, sizeof *w->stretch, by_start);
	for (size_t i = 0; i < w->n; i++) {
		n = end_at(w, open, n, w->stretch[i].start);
		begin(w, w->stretch[i].start, w->stretch[i].scope);
		open[n++] = &w->stretch[i];
	}
	end_at(w, open, n, UINT64_MAX);
	free(open);
}

/* ---- Functions of scopes --------------------------------------------- */

static int
by_die(const void *a, const void *b)
{
	const struct scope_function *x = a, *y = b;
	uintptr_t m = (uintptr_t)x->die.addr, n = (uintptr_t)y->die.addr;

	return m < n ? -1 : m > n;
}

/* Scope 0 is none. */
static void
find_functions(struct walk *w)
{
	struct scopes *s = w->s;
	struct scope_function *function = calloc(s->n, sizeof *function);
	size_t n = 0;

	w->failed |= !function;
	if (!function)
		return;
	for (size_t i = 1; i < s->n; i++)
		function[n++].die = s->scope[i].die;
	if (n)
		qsort(function, n, sizeof *function, by_die);
	for (size_t i = 0; i < n; i++) {
		if (s->n_functions &&
		    !by_die(&function[s->n_functions - 1], &function[i]))
			continue;
		function[s->n_functions] = function[i];
		describe(w->f, &function[s->n_functions++]);
	}
	s->function = function;
	for (size_t i = 1; i < s->n; i++) {
		struct scope_function key = {.die = s->scope[i].die};

		s->scope[i].function = bsearch(&key, function, s->n_functions,
					       sizeof key, by_die);
	}
}

/* ---- Scopes ---------------------------------------------------------- */

/* How many bytes of DWARF a unit has: it has no more entries. */
static uint64_t
size_of(Dwarf *dwarf, Dwarf_Die *unit)
{
	Dwarf_Off header = dwarf_dieoffset(unit) - dwarf_cuoffset(unit), next;
	size_t bytes;

	if (dwarf_nextcu(dwarf, header, &next, &bytes, NULL, NULL, NULL) ||
	    next <= header)
		return 0;
	return next - header;
}

static struct scopes *
read_scopes(struct symbol_file *f, Dwarf_Die *unit)
{
	struct scopes *s = calloc(1, sizeof *s);
	struct walk w = {.f = f, .s = s, .left = size_of(f->dwarf, unit)};

	if (!s)
		return NULL;
	s->unit = dwarf_dieoffset(unit);
	if (dwarf_getsrcfiles(unit, &w.files, &w.n_files))
		w.files = NULL;
	s->scope = grow(&w, NULL, 0, &s->room, sizeof *s->scope);
	if (s->scope) {
		s->scope[s->n++] = (struct scope){0};
		walk_below(&w, unit, 0, 0);
	}
	if (!w.failed)
		lay_out(&w);
	if (!w.failed)
		find_functions(&w);
	free(w.stretch);
	if (!w.failed)
		return s;
	symbols_scopes_free(s);
	return NULL;
}

void
symbols_scopes_free(struct scopes *s)
{
	for (size_t i = 0; i < s->n_functions; i++)
		free(s->function[i].plain);
	free(s->function);
	free(s->scope);
	free(s->start);
	free(s);
}

/* Where the scopes of a unit are in the list, or would be. */
static size_t
place_of(const struct symbol_file *f, uint64_t unit)
{
	size_t low = 0, high = f->n_units;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (f->unit[mid]->unit < unit)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

struct scopes *
symbols_scopes(struct symbol_file *f, Dwarf_Die *unit)
{
	uint64_t offset = dwarf_dieoffset(unit);
	size_t at = place_of(f, offset);
	struct scopes *s;
	void *list;

	if (at < f->n_units && f->unit[at]->unit == offset)
		return f->unit[at];
	list = history_grow(f->unit, f->n_units, &f->units_room,
			    sizeof(struct scopes *));
	if (!list)
		return NULL;
	f->unit = list;
	s = read_scopes(f, unit);
	if (!s)
		return NULL;
	memmove(&f->unit[at + 1], &f->unit[at],
		(f->n_units - at) * sizeof(struct scopes *));
	f->n_units++;
	return f->unit[at] = s;
}

const struct scope *
symbols_scope(const struct scopes *s, uint64_t vaddr)
{
	size_t n = history_begun(s->start, s->n_starts, sizeof *s->start,
				 vaddr);

	return n && s->start[n - 1].scope
		       ? &s->scope[s->start[n - 1].scope] : NULL;
}
