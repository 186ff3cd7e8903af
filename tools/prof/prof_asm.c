/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Listing of instructions. */
#include "prof.h"
#include "prof_disassemble.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define PLACE_WIDTH 20		/* file and line, if they fit */

/* An address, as a row of its procedure, and what has been put there that it
 * is of; or NULL. */
struct instruction {
	struct pmcsim_profile_row row;
	uint64_t offset;
	const char *inlined;
};

/* A file, opened for its instructions when it is first listed; or NULL. */
struct listed_file {
	struct disassembler *d;
	bool opened;
};

/* What is listed, by function and offset, and the files that it is in. */
struct listing {
	const struct prof *p;
	unsigned event;
	const struct instruction *list;
	size_t n;
	struct listed_file *file;
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

/* An instruction is listed if its innermost function is. */
static bool
take(const struct prof *p, const struct pmcsim_place *at,
     struct instruction *to)
{
	struct pmcsim_symbol frame[PMCSIM_FRAMES];
	size_t n = prof_frames(p, at->module, at->offset, frame);
	struct pmcsim_profile_row inner = {.module = at->module,
					   .symbol = frame[0]};

	*to = (struct instruction){
		.offset = at->offset,
		.row = {.module = at->module, .symbol = frame[n - 1]},
		.inlined = n > 1 ? frame[0].name : NULL,
	};
	to->row.symbol.file = frame[0].file;
	to->row.symbol.line = frame[0].line;
	memcpy(to->row.count, at->count, sizeof at->count);
	return prof_listed(p, &inner);
}

static void
add(struct pmcsim_profile_row *to, const struct pmcsim_profile_row *row)
{
	for (unsigned e = 0; e < PMCSIM_PROFILE_EVENTS; e++)
		to->count[e] += row->count[e];
}

/* Places of all processes by instruction. */
static struct instruction *
collect(const struct prof *p, size_t *n)
{
	const struct pmcsim_profile *f = p->u->profile;
	struct instruction *list = tool_alloc(p->tool, f->n_places,
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
			add(&list[*n - 1].row, &list[i].row);
	}
	return list;
}

/* The procedures of instructions, those with most first. */
static struct pmcsim_profile_row *
find_procedures(const struct prof *p, unsigned event,
		const struct instruction *list, size_t n, size_t *n_rows)
{
	struct pmcsim_profile_row *row = tool_alloc(p->tool, n + 1,
						    sizeof *row);

	*n_rows = 0;
	for (size_t i = 0; i < n; i++) {
		if (*n_rows && prof_same_function(&row[*n_rows - 1],
						  &list[i].row))
			add(&row[*n_rows - 1], &list[i].row);
		else
			row[(*n_rows)++] = list[i].row;
	}
	prof_sort(row, *n_rows, event);
	return row;
}

/* What percentages are of. */
static struct prof_share
begin_share(const struct prof *p, unsigned event)
{
	size_t n;
	struct pmcsim_profile_row *row = prof_rows(p, event,
						   PMCSIM_ROWS_FUNCTIONS, &n);
	struct prof_share share = prof_begin(p, event, row, n);

	free(row);
	return share;
}

static void
put_place(const struct pmcsim_symbol *s, const char *text, FILE *out)
{
	const char *file = prof_base(s->file);
	int width = PLACE_WIDTH - (int)strlen(file) - 1;

	fputs("  ", out);
	tool_put(file, out);
	fprintf(out, ":%-*u", text && width > 0 ? width : 0, s->line);
}

static void
put_instruction(const struct instruction *at, const char *text, uint64_t cost,
		uint64_t base, FILE *out)
{
	const struct pmcsim_symbol *s = &at->row.symbol;

	fprintf(out, "%6.1f %15" PRIu64 "  %10" PRIx64,
		prof_percent(cost, base), cost, at->offset);
	if (s->name)
		fprintf(out, "  +%-6" PRIx64, at->offset - s->start);
	if (s->file)
		put_place(s, text, out);
	if (text)
		fprintf(out, "  %s", text);
	if (at->inlined) {
		fputs("  [", out);
		tool_put(at->inlined, out);
		fputc(']', out);
	}
	fputc('\n', out);
}

static struct disassembler *
file_of(const struct listing *l, unsigned module)
{
	struct listed_file *file = &l->file[module];

	if (!file->opened)
		file->d = disassembler_new(l->p->tool,
					    l->p->u->profile->module[module]);
	file->opened = true;
	return file->d;
}

static void
put_function(const struct listing *l,
	     const struct pmcsim_profile_row *function, uint64_t base,
	     FILE *out)
{
	const char *module = l->p->u->profile->module[function->module];
	struct disassembler *file = file_of(l, function->module);

	tool_put(prof_name(&function->symbol), out);
	fputs(" in ", out);
	tool_put(*module ? module : "no file", out);
	fputs(":\n", out);
	for (size_t i = find_first(l->list, l->n, function);
	     i < l->n && prof_same_function(&l->list[i].row, function); i++) {
		const struct instruction *at = &l->list[i];
		uint64_t cost = prof_cost(l->p, l->event,
					  at->row.count[l->event]);

		if (cost)
			put_instruction(at, disassembler_text(file, at->offset),
					cost, base, out);
	}
	fputc('\n', out);
}

static void
close_files(struct listed_file *file, size_t n)
{
	for (size_t i = 0; i < n; i++)
		disassembler_free(file[i].d);
	free(file);
}

void
prof_list_instructions(const struct prof *p, unsigned event, FILE *out)
{
	struct listing l = {
		.p = p, .event = event,
		.file = tool_alloc(p->tool, p->u->profile->n_modules,
				   sizeof *l.file),
	};
	struct prof_share share = begin_share(p, event);
	struct instruction *list = collect(p, &l.n);
	size_t n;
	struct pmcsim_profile_row *row = find_procedures(p, event, list, l.n,
							 &n);

	prof_heading(p, event, "-a[sm] using performance counters:",
		     "order of addresses, by procedure", out);
	fprintf(out, "%6s %15s  %10s\n\n", "%", p->u->event[event],
		"offset");
	l.list = list;
	for (size_t i = 0; i < n; i++)
		if (row[i].count[event] &&
		    prof_enter(p, &share, prof_cost(p, event,
						    row[i].count[event])))
			put_function(&l, &row[i], share.base, out);
	prof_remainder(p, event, &share, out);
	close_files(l.file, p->u->profile->n_modules);
	free(list);
	free(row);
}
