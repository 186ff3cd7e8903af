/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "prof_instructions.h"

#include "prof_disassemble.h"

#include <stdlib.h>
#include <string.h>

static int
by_offset(const void *a, const void *b)
{
	const struct prof_instruction *x = a, *y = b;
	int order = prof_by_function(&x->row, &y->row);

	if (order)
		return order;
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* An instruction is listed if its innermost function is. */
static bool
take(const struct prof *p, const struct pmcsim_place *at,
     struct prof_instruction *to)
{
	struct pmcsim_symbol frame[PMCSIM_FRAMES];
	size_t n = prof_frames(p, at->module, at->offset, frame);
	struct pmcsim_profile_row inner = {.module = at->module,
					   .symbol = frame[0]};

	*to = (struct prof_instruction){
		.offset = at->offset,
		.row = {.module = at->module, .symbol = frame[n - 1]},
		.inlined = n > 1 ? frame[0].name : NULL,
	};
	to->row.symbol.file = frame[0].file;
	to->row.symbol.line = frame[0].line;
	memcpy(to->row.count, at->count, sizeof at->count);
	return prof_listed(p, &inner);
}

void
prof_add(struct pmcsim_profile_row *to, const struct pmcsim_profile_row *row)
{
	for (unsigned e = 0; e < PMCSIM_PROFILE_EVENTS; e++)
		to->count[e] += row->count[e];
}

struct prof_instruction *
prof_instructions(const struct prof *p, size_t *n)
{
	const struct pmcsim_profile *f = p->u->profile;
	struct prof_instruction *list = tool_alloc(p->tool, f->n_places,
						   sizeof *list);
	size_t all = 0;

	for (size_t i = 0; i < f->n_places; i++)
		all += take(p, &f->place[i], &list[all]);
	qsort(list, all, sizeof *list, by_offset);
	*n = 0;
	for (size_t i = 0; i < all; i++) {
		if (!*n || by_offset(&list[*n - 1], &list[i]))
			list[(*n)++] = list[i];
		else
			prof_add(&list[*n - 1].row, &list[i].row);
	}
	return list;
}

/* ---- As text --------------------------------------------------------- */

struct prof_code {
	const struct prof *p;
	struct {
		struct disassembler *d;
		bool opened;
	} file[];		/* by module */
};

struct prof_code *
prof_code_open(const struct prof *p)
{
	struct prof_code *c = tool_alloc(
		p->tool, 1, sizeof *c +
		p->u->profile->n_modules * sizeof *c->file);

	c->p = p;
	return c;
}

const char *
prof_code_text(struct prof_code *c, const struct prof_instruction *at)
{
	unsigned module = at->row.module;

	if (!c->file[module].opened)
		c->file[module].d = disassembler_new(
			c->p->tool, c->p->u->profile->module[module]);
	c->file[module].opened = true;
	return disassembler_text(c->file[module].d, at->offset);
}

void
prof_code_close(struct prof_code *c)
{
	for (size_t i = 0; i < c->p->u->profile->n_modules; i++)
		disassembler_free(c->file[i].d);
	free(c);
}
