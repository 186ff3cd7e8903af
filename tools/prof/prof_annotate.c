/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Listing of source files: their text, with what happened at each line. */
#include "prof_instructions.h"
#include "prof_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define AROUND 4		/* lines that are shown around one */

/* Instructions of one file are neighbours, and those of a line. */
struct source {
	const struct prof_instruction *at;
	size_t n;
	uint64_t cost;
};

struct annotation {
	const struct prof *p;
	unsigned event;
	struct prof_texts *texts;
	struct prof_code *code;
	uint64_t base;		/* 100 % */
	FILE *out;
};

static int
compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static const char *
file_of(const struct prof_instruction *at)
{
	return at->row.symbol.file ? at->row.symbol.file : "";
}

static int
by_line(const void *a, const void *b)
{
	const struct prof_instruction *x = a, *y = b;
	int order = strcmp(file_of(x), file_of(y));

	if (!order)
		order = compare(x->row.symbol.line, y->row.symbol.line);
	if (!order)
		order = compare(x->row.module, y->row.module);
	return order ? order : compare(x->offset, y->offset);
}

static int
by_cost(const void *a, const void *b)
{
	const struct source *x = a, *y = b;
	int order = compare(y->cost, x->cost);

	return order ? order : by_line(x->at, y->at);
}

static uint64_t
cost_of(const struct annotation *a, const struct prof_instruction *at)
{
	return prof_cost(a->p, a->event, at->row.count[a->event]);
}

/* How many instructions are of the first one's line, and their cost. */
static size_t
take_line(const struct annotation *a, const struct prof_instruction *at,
	  size_t n, uint64_t *cost)
{
	size_t i;

	*cost = 0;
	for (i = 0; i < n && at[i].row.symbol.line == at->row.symbol.line; i++)
		*cost += cost_of(a, &at[i]);
	return i;
}

/* ---- A file ---------------------------------------------------------- */

static void
put_text(const struct prof_text *text, unsigned line, FILE *out)
{
	if (line && line <= text->n) {
		fputs("  ", out);
		for (const char *c = text->line[line - 1]; *c; c++)
			fputc(*c == '\t' || (unsigned char)*c >= ' ' ? *c : '?',
			      out);
	}
	fputc('\n', out);
}

/* Lines of which nothing is known. */
static void
put_quiet(const struct prof_text *text, unsigned from, unsigned to, FILE *out)
{
	for (unsigned i = from; i < to && i <= text->n; i++) {
		fprintf(out, "%6s %15s  %6u", "", ".", i);
		put_text(text, i, out);
	}
}

/* What is between two lines: what is around them, and a mark for the rest. */
static void
put_gap(const struct prof_text *text, unsigned from, unsigned to, FILE *out)
{
	unsigned after = from == 1 ? 1 : from + AROUND;
	unsigned before = to > AROUND ? to - AROUND : 1;

	if (before <= after + 1) {
		put_quiet(text, from, to, out);
		return;
	}
	put_quiet(text, from, after, out);
	if (before <= text->n)
		fprintf(out, "%6s %15s  %6s\n", "", "", "...");
	put_quiet(text, before, to, out);
}

static void
put_instructions(const struct annotation *a, const struct prof_instruction *at,
		 size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct pmcsim_symbol *s = &at[i].row.symbol;
		uint64_t cost = cost_of(a, &at[i]);
		const char *text = prof_code_text(a->code, &at[i]);

		if (!cost)
			continue;
		fprintf(a->out, "%6.1f %15" PRIu64 "  %6s    ",
			prof_percent(cost, a->base), cost, "");
		tool_put(prof_name(s), a->out);
		if (s->name)
			fprintf(a->out, "+%" PRIx64, at[i].offset - s->start);
		else
			fprintf(a->out, " %" PRIx64, at[i].offset);
		fprintf(a->out, "%s%s\n", text ? "  " : "", text ? text : "");
	}
}

static void
put_lines(const struct annotation *a, const struct source *source,
	  const struct prof_text *text)
{
	unsigned next = 1;	/* line */
	uint64_t cost;
	size_t n;

	for (size_t i = 0; i < source->n; i += n) {
		const struct prof_instruction *at = &source->at[i];
		unsigned line = at->row.symbol.line;

		n = take_line(a, at, source->n - i, &cost);
		if (!cost)
			continue;
		put_gap(text, next, line, a->out);
		fprintf(a->out, "%6.1f %15" PRIu64 "  %6u",
			prof_percent(cost, a->base), cost, line);
		put_text(text, line, a->out);
		if (a->p->o->instructions)
			put_instructions(a, at, n);
		next = line + 1;
	}
	put_quiet(text, next, next + AROUND, a->out);
}

static void
put_source(const struct annotation *a, const struct source *source)
{
	const struct prof_text *text = prof_text(a->texts,
						 file_of(source->at));

	fprintf(a->out, "%6.1f %15" PRIu64 "  ",
		prof_percent(source->cost, a->base), source->cost);
	tool_put(text->name, a->out);
	fputs(text->bytes ? ":\n" : ", whose text is not there:\n", a->out);
	put_lines(a, source, text);
	fputc('\n', a->out);
}

/* ---- All ------------------------------------------------------------- */

/* Files of sorted instructions, those with most first; the caller's. */
static struct source *
find_sources(const struct annotation *a, const struct prof_instruction *list,
	     size_t n, size_t *n_sources)
{
	struct source *source = tool_alloc(a->p->tool, n + 1, sizeof *source);

	*n_sources = 0;
	for (size_t i = 0; i < n; i++) {
		struct source *last = &source[*n_sources - 1];

		if (!*file_of(&list[i]))
			continue;
		if (!*n_sources || strcmp(file_of(last->at),
					  file_of(&list[i]))) {
			last = &source[(*n_sources)++];
			last->at = &list[i];
		}
		last->n++;
		last->cost += cost_of(a, &list[i]);
	}
	qsort(source, *n_sources, sizeof *source, by_cost);
	return source;
}

void
prof_annotate(const struct prof *p, unsigned event, struct prof_texts *texts,
	      FILE *out)
{
	struct annotation a = {.p = p, .event = event, .texts = texts,
			       .code = prof_code_open(p), .out = out};
	struct prof_share share = prof_begin_functions(p, event);
	size_t n, n_sources;
	struct prof_instruction *list = prof_instructions(p, &n);
	struct source *source;

	qsort(list, n, sizeof *list, by_line);
	source = find_sources(&a, list, n, &n_sources);
	a.base = share.base;
	prof_heading(p, event, "-annotate using performance counters:",
		     "order of lines, by source file", out);
	fprintf(out, "%6s %15s  %6s  source\n\n", "%", p->u->event[event],
		"line");
	for (size_t i = 0; i < n_sources && source[i].cost; i++)
		if (prof_enter(p, &share, source[i].cost))
			put_source(&a, &source[i]);
	prof_remainder(p, event, &share, out);
	prof_code_close(a.code);
	free(source);
	free(list);
}
