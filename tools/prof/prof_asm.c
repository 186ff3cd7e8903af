/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Listing of instructions. */
#include "prof_disassemble.h"
#include "prof_instructions.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define PLACE_WIDTH 20		/* file and line, if they fit */

/* What is listed, by function and offset, and the files that it is in. */
struct listing {
	const struct prof *p;
	unsigned event;
	const struct prof_instruction *list;
	size_t n;
	struct prof_code *code;
};

/* The first of a function's instructions, or where it would be. */
static size_t
find_first(const struct prof_instruction *list, size_t n,
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

/* The procedures of instructions, those with most first. */
static struct pmcsim_profile_row *
find_procedures(const struct prof *p, unsigned event,
		const struct prof_instruction *list, size_t n, size_t *n_rows)
{
	struct pmcsim_profile_row *row = tool_alloc(p->tool, n + 1,
						    sizeof *row);

	*n_rows = 0;
	for (size_t i = 0; i < n; i++) {
		if (*n_rows && prof_same_function(&row[*n_rows - 1],
						  &list[i].row))
			prof_add(&row[*n_rows - 1], &list[i].row);
		else
			row[(*n_rows)++] = list[i].row;
	}
	prof_sort(row, *n_rows, event);
	return row;
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
put_instruction(const struct prof_instruction *at, const char *text,
		uint64_t cost, uint64_t base, FILE *out)
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

static void
put_function(const struct listing *l,
	     const struct pmcsim_profile_row *function, uint64_t base,
	     FILE *out)
{
	const char *module = l->p->u->profile->module[function->module];

	tool_put(prof_name(&function->symbol), out);
	fputs(" in ", out);
	tool_put(*module ? module : "no file", out);
	fputs(":\n", out);
	for (size_t i = find_first(l->list, l->n, function);
	     i < l->n && prof_same_function(&l->list[i].row, function); i++) {
		const struct prof_instruction *at = &l->list[i];
		uint64_t cost = prof_cost(l->p, l->event,
					  at->row.count[l->event]);

		if (cost)
			put_instruction(at, prof_code_text(l->code, at), cost,
					base, out);
	}
	fputc('\n', out);
}

void
prof_list_instructions(const struct prof *p, unsigned event, FILE *out)
{
	struct listing l = {
		.p = p, .event = event,
		.code = prof_code_open(p),
	};
	struct prof_share share = prof_begin_functions(p, event);
	struct prof_instruction *list = prof_instructions(p, &l.n);
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
	prof_code_close(l.code);
	free(list);
	free(row);
}
