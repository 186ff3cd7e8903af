/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "prof_functions.h"

#include <stdlib.h>
#include <string.h>

#define FIRST 256u		/* places of the table */

void
prof_functions_init(struct prof_functions *f, const struct tool *tool)
{
	*f = (struct prof_functions){.tool = tool, .mask = FIRST - 1};
	f->index = tool_alloc(tool, FIRST, sizeof *f->index);
}

void
prof_functions_free(struct prof_functions *f)
{
	free(f->row);
	free(f->index);
}

/* FNV-1a, of the name and what tells functions of one name apart. */
static size_t
hash(const struct pmcsim_profile_row *row)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325) ^ row->module;

	for (const char *c = prof_name(&row->symbol); *c; c++)
		h = (h ^ (unsigned char)*c) * 0x100000001b3;
	h = (h ^ row->symbol.start) * UINT64_C(0x9e3779b97f4a7c15);
	return (size_t)(h >> 20);
}

/* The place of a function, or the empty one where it would be. */
static unsigned *
place_of(const struct prof_functions *f, const struct pmcsim_profile_row *row)
{
	size_t at = hash(row) & f->mask;

	while (f->index[at] &&
	       prof_by_function(&f->row[f->index[at] - 1], row))
		at = (at + 1) & f->mask;
	return &f->index[at];
}

static void
grow(struct prof_functions *f)
{
	free(f->index);
	f->mask = 2 * f->mask + 1;
	f->index = tool_alloc(f->tool, f->mask + 1, sizeof *f->index);
	for (size_t i = 0; i < f->n; i++)
		*place_of(f, &f->row[i]) = (unsigned)i + 1;
}

unsigned
prof_function(struct prof_functions *f, unsigned module,
	      const struct pmcsim_symbol *frame)
{
	struct pmcsim_profile_row row = {.module = module, .symbol = *frame};
	unsigned *place = place_of(f, &row);

	if (*place)
		return *place - 1;
	if (f->n == f->room) {
		f->room = f->room ? 2 * f->room : FIRST;
		f->row = reallocarray(f->row, f->room, sizeof *f->row);
		if (!f->row)
			tool_fail(f->tool, TOOL_FAILED, "out of memory");
	}
	row.symbol.file = NULL;
	row.symbol.line = 0;
	f->row[f->n++] = row;
	*place = (unsigned)f->n;
	if (f->n > f->mask / 2)
		grow(f);
	return (unsigned)f->n - 1;
}
