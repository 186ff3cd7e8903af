/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A page that shows a profile, or two side by side, in a browser, and needs
 * nothing but itself: page.html, page.css, the scripts, and what is known as
 * JSON between them.
 */
#include "prof_text.h"
#include "prof_tree.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <tools/prof/page.inc>

#define AROUND 6		/* lines of text around one with something */

/* What each profile of a page has. */
struct side {
	const struct prof *p;
	const struct prof_match *match; /* NULL: there is only one */
	unsigned number;	/* of the profile: 0, 1 */
	const unsigned *event;	/* its numbers of the page's events */
	size_t n_events;
	struct prof_texts *texts; /* NULL: without text */
};

/* ---- Procedures ------------------------------------------------------ */

static const char *
object_of(const struct side *s, const struct pmcsim_profile_row *row)
{
	const char *file = prof_base(s->p->u->profile->module[row->module]);

	return s->match ? prof_match_name(s->match, s->number, file) : file;
}

static void
put_function(const struct side *s, const struct pmcsim_profile_row *row,
	     FILE *out)
{
	struct pmcsim_symbol begin;

	prof_source(s->p, row, &begin);
	fputs("{\"name\": ", out);
	pmcsim_json_text(prof_export_name(s->p, row), out);
	fputs(", \"object\": ", out);
	pmcsim_json_text(object_of(s, row), out);
	fputs(", \"build\": ", out);
	pmcsim_json_text(prof_name_build(s->p, row), out);
	if (begin.file) {
		fputs(", \"file\": ", out);
		pmcsim_json_text(begin.file, out);
		fprintf(out, ", \"line\": %u", begin.line);
	}
	fputs("}", out);
}

static void
put_functions(const struct side *s, const struct prof_functions *f, FILE *out)
{
	fputs("\"functions\": [", out);
	for (size_t i = 0; i < f->n; i++) {
		fputs(i ? ",\n" : "\n", out);
		put_function(s, &f->row[i], out);
	}
	fputs("]", out);
}

/* ---- The tree -------------------------------------------------------- */

static void
put_tree(const struct side *s, const struct prof_tree *t, FILE *out)
{
	fputs("\"parent\": [", out);
	for (size_t i = 1; i < t->n; i++)
		fprintf(out, "%s%u", i > 1 ? "," : "", t->node[i].parent);
	fputs("],\n\"function\": [", out);
	for (size_t i = 1; i < t->n; i++)
		fprintf(out, "%s%u", i > 1 ? "," : "", t->node[i].function);
	fputs("],\n\"self\": [", out);
	for (size_t e = 0; e < s->n_events; e++) {
		fputs(e ? "],\n[" : "[", out);
		for (size_t i = 1; i < t->n; i++)
			fprintf(out, "%s%" PRIu64, i > 1 ? "," : "",
				t->node[i].self[s->event[e]]);
	}
	fputs("]],\n", out);
}

/* ---- Lines ----------------------------------------------------------- */

/* A procedure's part of a line. */
struct part {
	const struct pmcsim_profile_row *row;
	unsigned function, file;
};

struct parts {
	struct part *part;	/* by file and line */
	size_t n, n_files;
};

static int
by_line(const void *a, const void *b)
{
	const struct part *x = a, *y = b;
	int order = strcmp(x->row->symbol.file, y->row->symbol.file);

	if (order)
		return order;
	if (x->row->symbol.line != y->row->symbol.line)
		return x->row->symbol.line < y->row->symbol.line ? -1 : 1;
	return x->function < y->function ? -1 : x->function > y->function;
}

static struct parts
find_parts(const struct side *s, const struct pmcsim_profile_row *row,
	   size_t n, struct prof_functions *functions)
{
	struct parts parts = {
		.part = tool_alloc(s->p->tool, n + 1, sizeof *parts.part)};

	for (size_t i = 0; i < n; i++) {
		if (!row[i].symbol.file)
			continue;
		parts.part[parts.n++] = (struct part){
			.row = &row[i],
			.function = prof_function(functions, row[i].module,
						  &row[i].symbol),
		};
	}
	qsort(parts.part, parts.n, sizeof *parts.part, by_line);
	for (size_t i = 0; i < parts.n; i++) {
		if (!i || strcmp(parts.part[i].row->symbol.file,
				 parts.part[i - 1].row->symbol.file))
			parts.n_files++;
		parts.part[i].file = (unsigned)parts.n_files - 1;
	}
	return parts;
}

static void
put_parts(const struct side *s, const struct parts *parts, FILE *out)
{
	fputs("\"lines\": [", out);
	for (size_t i = 0; i < parts->n; i++) {
		const struct part *part = &parts->part[i];

		fprintf(out, "%s[%u,%u,%u", i ? "," : "", part->function,
			part->file, part->row->symbol.line);
		for (size_t e = 0; e < s->n_events; e++)
			fprintf(out, ",%" PRIu64,
				prof_cost(s->p, s->event[e],
					  part->row->count[s->event[e]]));
		fputc(']', out);
	}
	fputs("]", out);
}

/* Which lines are shown: the caller's, with one before the first and one behind
 * the last that are not. */
static bool *
find_shown(const struct side *s, const struct prof_text *text,
	   const struct part *part, size_t n)
{
	bool *shown = tool_alloc(s->p->tool, text->n + 2, sizeof *shown);

	for (size_t i = 0; i < n; i++) {
		size_t line = part[i].row->symbol.line;
		size_t from = line > AROUND ? line - AROUND : 1;

		for (size_t k = from; k <= line + AROUND && k <= text->n; k++)
			shown[k] = true;
	}
	return shown;
}

/* Texts of lines, those that follow each other together behind the number of
 * the first. */
static void
put_text(const struct side *s, const struct prof_text *text,
	 const struct part *part, size_t n, FILE *out)
{
	bool *shown = find_shown(s, text, part, n);
	const char *separator = "";

	fputs(", \"text\": [", out);
	for (size_t i = 1; i <= text->n; i++) {
		if (!shown[i])
			continue;
		if (shown[i - 1])
			fputs(", ", out);
		else
			fprintf(out, "%s[%zu, [", separator, i);
		pmcsim_json_text(text->line[i - 1], out);
		if (!shown[i + 1])
			fputs("]]", out);
		separator = ",\n";
	}
	fputs("]", out);
	free(shown);
}

static void
put_files(const struct side *s, const struct parts *parts, FILE *out)
{
	size_t n;

	fputs("\"files\": [", out);
	for (size_t i = 0; i < parts->n; i += n) {
		const struct part *part = &parts->part[i];
		const char *name = part->row->symbol.file;
		const struct prof_text *text =
			s->texts ? prof_text(s->texts, name) : NULL;

		for (n = 1; i + n < parts->n && part[n].file == part->file; n++)
			;
		fputs(i ? ",\n{\"name\": " : "\n{\"name\": ", out);
		pmcsim_json_text(name, out);
		if (text && text->bytes)
			put_text(s, text, part, n, out);
		fputc('}', out);
	}
	fputs("],\n", out);
}

static void
put_lines(const struct side *s, struct prof_functions *functions, FILE *out)
{
	size_t n;
	struct pmcsim_profile_row *row = prof_rows(s->p, s->event[0],
						   PMCSIM_ROWS_LINES, &n);
	struct parts parts = find_parts(s, row, n, functions);

	put_files(s, &parts, out);
	put_parts(s, &parts, out);
	free(parts.part);
	free(row);
}

/* ---- Profiles -------------------------------------------------------- */

static void
put_command(const struct prof *p, FILE *out)
{
	char *text = NULL;
	size_t bytes;
	FILE *words = open_memstream(&text, &bytes);

	if (!words)
		tool_fail(p->tool, TOOL_FAILED, "out of memory");
	for (char **c = p->u->command; *c; c++)
		fprintf(words, "%s%s", c == p->u->command ? "" : " ", *c);
	tool_close_text(p->tool, words, &text);
	pmcsim_json_text(text, out);
	free(text);
}

static void
put_numbers(const struct side *s, const char *key, const uint64_t *number,
	    FILE *out)
{
	fprintf(out, ",\n\"%s\": [", key);
	for (size_t e = 0; e < s->n_events; e++)
		fprintf(out, "%s%" PRIu64, e ? ", " : "",
			number[s->event[e]]);
	fputs("]", out);
}

static void
put_side(const struct side *s, FILE *out)
{
	struct prof_tree *t = prof_tree_new(s->p, false);

	fputs("{\"data\": ", out);
	pmcsim_json_text(s->p->data, out);
	fputs(", \"cpu\": ", out);
	pmcsim_json_text(s->p->u->cpu, out);
	fputs(", \"command\": ", out);
	put_command(s->p, out);
	put_numbers(s, "totals", s->p->u->profile->total, out);
	put_numbers(s, "rest", s->p->u->profile->rest, out);
	fputs(",\n", out);
	put_tree(s, t, out);
	put_lines(s, &t->functions, out);
	fputs(",\n", out);
	put_functions(s, &t->functions, out);
	fputs("}", out);
	prof_tree_free(t);
}

/* ---- The page -------------------------------------------------------- */

/* The events that all profiles have, by the numbers that each has for them. */
static size_t
find_events(const struct prof *a, const struct prof *b,
	    unsigned number[2][PMCSIM_PROFILE_EVENTS])
{
	size_t n = 0;

	for (unsigned e = 0; e < a->u->profile->n_events; e++) {
		unsigned k = 0;

		while (b && k < b->u->profile->n_events &&
		       strcmp(a->u->event[e], b->u->event[k]))
			k++;
		if (b && k == b->u->profile->n_events)
			continue;
		number[0][n] = e;
		number[1][n++] = k;
	}
	if (!n)
		tool_fail(a->tool, TOOL_FAILED,
			  "the profiles have no event in common");
	return n;
}

static void
put_events(const struct side *s, FILE *out)
{
	size_t chosen = 0;

	fputs("{\"events\": [", out);
	for (size_t e = 0; e < s->n_events; e++) {
		fputs(e ? ", {\"name\": " : "{\"name\": ", out);
		pmcsim_json_text(s->p->u->event[s->event[e]], out);
		fputs(", \"label\": ", out);
		pmcsim_json_text(s->p->u->label[s->event[e]], out);
		fputs("}", out);
		if (s->event[e] == prof_chosen(s->p))
			chosen = e;
	}
	fprintf(out, "],\n\"event\": %zu, \"nowhere\": \"" PROF_NOWHERE
		"\",\n\"sides\": [", chosen);
}

/* Nothing in a text ends the element that it is in. */
static void
put_guarded(const char *text, FILE *out)
{
	for (; *text; text++) {
		if (*text == '<')
			fputs("\\u003c", out);
		else
			fputc(*text, out);
	}
}

static void
put_data(const struct side *side, size_t n, FILE *out)
{
	char *text = NULL;
	size_t bytes;
	FILE *json = open_memstream(&text, &bytes);

	if (!json)
		tool_fail(side->p->tool, TOOL_FAILED, "out of memory");
	put_events(side, json);
	for (size_t i = 0; i < n; i++) {
		fputs(i ? ",\n" : "", json);
		put_side(&side[i], json);
	}
	fputs("]}\n", json);
	tool_close_text(side->p->tool, json, &text);
	put_guarded(text, out);
	free(text);
}

static void
put_page(const struct side *side, size_t n, FILE *out)
{
	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
	      "<meta charset=\"utf-8\">\n"
	      "<meta name=\"viewport\" content=\"width=device-width\">\n"
	      "<meta http-equiv=\"Content-Security-Policy\" content=\""
	      "default-src 'none'; style-src 'unsafe-inline'; "
	      "script-src 'unsafe-inline'\">\n<title>prof</title>\n<style>\n",
	      out);
	fputs(page_css, out);
	fputs("</style>\n</head>\n<body>\n", out);
	fputs(page_html, out);
	fputs("<script id=\"data\" type=\"application/json\">\n", out);
	put_data(side, n, out);
	fputs("</script>\n<script>\n\"use strict\";\n(() => {\n", out);
	fputs(page_js, out);
	fputs("})();\n</script>\n</body>\n</html>\n", out);
}

void
prof_html(const struct prof *p, FILE *out)
{
	unsigned event[2][PMCSIM_PROFILE_EVENTS];
	struct side side = {.p = p, .event = event[0],
			    .n_events = find_events(p, NULL, event),
			    .texts = prof_texts_open(p)};

	put_page(&side, 1, out);
	prof_texts_tell(side.texts);
	prof_texts_close(side.texts);
}

void
prof_html_diff(const struct prof *a, const struct prof *b, FILE *out)
{
	unsigned event[2][PMCSIM_PROFILE_EVENTS];
	struct prof_match *match = prof_match_open(a, b);
	size_t n = find_events(a, b, event);
	struct side side[] = {
		{.p = a, .match = match, .event = event[0], .n_events = n},
		{.p = b, .match = match, .number = 1, .event = event[1],
		 .n_events = n, .texts = prof_texts_open(b)},
	};

	put_page(side, 2, out);
	prof_texts_tell(side[1].texts);
	prof_texts_close(side[1].texts);
	prof_match_close(match);
}
