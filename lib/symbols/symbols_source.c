/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of source files: those that do not begin at the root are in the folder
 * where their unit was compiled. */
#include "symbols.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>

#define FIRST 256u		/* places of the table */

/* The place of a name, which libdw keeps once for each unit, or the empty one
 * where it would be. */
static struct symbol_source *
place_of(const struct symbol_file *f, const char *name)
{
	uint64_t hash = (uint64_t)(uintptr_t)name *
			UINT64_C(0x9e3779b97f4a7c15);
	size_t at = (size_t)(hash >> 32) & f->source_mask;

	while (f->source[at].name && f->source[at].name != name)
		at = (at + 1) & f->source_mask;
	return &f->source[at];
}

static bool
grow(struct symbol_file *f)
{
	struct symbol_source *old = f->source;
	size_t n = old ? f->source_mask + 1 : 0;
	struct symbol_source *more = calloc(n ? 2 * n : FIRST, sizeof *more);

	if (!more)
		return false;
	f->source = more;
	f->source_mask = (n ? 2 * n : FIRST) - 1;
	for (size_t i = 0; i < n; i++)
		if (old[i].name)
			*place_of(f, old[i].name) = old[i];
	free(old);
	return true;
}

static const char *
folder_of(Dwarf_Die *unit)
{
	Dwarf_Attribute attribute;
	Dwarf_Die top;

	if (!dwarf_diecu(unit, &top, NULL, NULL) ||
	    !dwarf_attr(&top, DW_AT_comp_dir, &attribute))
		return NULL;
	return dwarf_formstring(&attribute);
}

const char *
symbols_source(struct symbol_file *f, Dwarf_Die *unit, const char *name)
{
	struct symbol_source *place;
	const char *folder;

	if (!name || *name == '/')
		return name;
	if (f->n_sources >= f->source_mask / 2 && !grow(f))
		return name;
	place = place_of(f, name);
	if (place->name)
		return place->path ? place->path : name;
	folder = folder_of(unit);
	*place = (struct symbol_source){.name = name};
	f->n_sources++;
	if (folder && *folder == '/' &&
	    asprintf(&place->path, "%s/%s", folder, name) < 0)
		place->path = NULL;
	return place->path ? place->path : name;
}

void
symbols_sources_free(struct symbol_file *f)
{
	for (size_t i = 0; f->source && i <= f->source_mask; i++)
		free(f->source[i].path);
	free(f->source);
}
