/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "csv_table.h"

#include <ctype.h>
#include <stdlib.h>

/* ---- Reading ------------------------------------------------------------ */

struct reader {
	const struct tool *tool;
	const char *p;
	size_t line, room, n;
	char **cell;
};

static void
add_cell(struct reader *r, char *text)
{
	if (r->n == r->room) {
		r->room = r->room ? 2 * r->room : 64;
		r->cell = reallocarray(r->cell, r->room, sizeof *r->cell);
		if (!r->cell)
			tool_fail(r->tool, TOOL_FAILED, "out of memory");
	}
	r->cell[r->n++] = text;
}

/* A field within quotation marks, in which two stand for one. */
static char *
read_quoted(struct reader *r)
{
	char *text = tool_alloc(r->tool, strlen(r->p) + 1, 1), *out = text;

	for (r->p++; *r->p && (*r->p != '"' || r->p[1] == '"'); r->p++) {
		r->p += *r->p == '"';
		r->line += *r->p == '\n';
		*out++ = *r->p;
	}
	r->p += *r->p == '"';
	return text;
}

static char *
read_plain(struct reader *r)
{
	size_t n = strcspn(r->p, ",\r\n");
	char *text = tool_alloc(r->tool, n + 1, 1);

	memcpy(text, r->p, n);
	r->p += n;
	return text;
}

/* Adds the cells of a record; how many. */
static size_t
read_record(struct reader *r)
{
	size_t before = r->n;

	for (;;) {
		char *text = *r->p == '"' ? read_quoted(r) : read_plain(r);
		char *exact = realloc(text, strlen(text) + 1);

		add_cell(r, exact ? exact : text);
		if (*r->p != ',')
			break;
		r->p++;
	}
	r->p += strspn(r->p, "\r");
	if (*r->p == '\n') {
		r->p++;
		r->line++;
	}
	return r->n - before;
}

bool
csv_table_read(const struct tool *tool, const char *text, struct csv_table *t,
	       size_t *line)
{
	struct reader r = {.tool = tool, .p = text, .line = 1};
	bool even = *text;

	*t = (struct csv_table){0};
	*line = 1;
	while (*r.p && even) {
		size_t n;

		*line = r.line;
		n = read_record(&r);
		if (!t->n_rows)
			t->n_columns = n;
		even = n == t->n_columns && (!*r.p || r.p[-1] == '\n');
		if (even)
			t->n_rows++;
	}
	t->cell = r.cell;
	if (!even) {	/* what belongs to no row, too */
		for (size_t i = t->n_rows * t->n_columns; i < r.n; i++)
			free(r.cell[i]);
	}
	return even;
}

void
csv_table_free(struct csv_table *t)
{
	for (size_t i = 0; i < t->n_rows * t->n_columns; i++)
		free(t->cell[i]);
	free(t->cell);
	*t = (struct csv_table){0};
}

int
csv_table_column(const struct csv_table *t, const char *name)
{
	for (size_t i = 0; i < t->n_columns && t->n_rows; i++)
		if (!strcmp(t->cell[i], name))
			return (int)i;
	return -1;
}

/* ---- Writing ------------------------------------------------------------ */

/* Cells have been made safe for spreadsheets when they were written first. */
static void
put_field(const char *text, FILE *out)
{
	if (!strpbrk(text, ",\"\r\n")) {
		fputs(text, out);
		return;
	}
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	fputc('"', out);
}

void
csv_table_put_row(const struct csv_table *t, size_t row, FILE *out)
{
	for (size_t k = 0; k < t->n_columns; k++) {
		if (k)
			fputc(',', out);
		put_field(csv_table_cell(t, row, k), out);
	}
}

/* An underscore within a word means nothing. */
void
markdown_text(const char *text, FILE *out)
{
	for (const char *p = text; *p; p++) {
		unsigned char c = (unsigned char)*p;
		bool within = p > text && isalnum((unsigned char)p[-1]) &&
			      isalnum((unsigned char)p[1]);

		if (strchr("|\\`*<>[]", c) || (c == '_' && !within))
			fputc('\\', out);
		fputc(c < ' ' || c == 0x7f ? ' ' : c, out);
	}
}

static bool
is_number(const char *text)
{
	char *end;

	strtod(text, &end);
	return end != text && !*end;
}

/* Whether a column has something; whether all of it are numbers. */
static bool
look_at(const struct csv_table *t, size_t column, bool *numbers)
{
	bool any = false;

	*numbers = true;
	for (size_t i = 1; i < t->n_rows; i++) {
		const char *cell = csv_table_cell(t, i, column);

		any |= *cell != '\0';
		*numbers &= !*cell || is_number(cell);
	}
	return any;
}

void
csv_table_markdown(const struct csv_table *t, const char *columns, FILE *out)
{
	char *list = strdup(columns), *rest = list, *name;
	size_t shown[64], n = 0;
	bool right[64];

	while (list && (name = strsep(&rest, ",")) && n < 64) {
		int column = csv_table_column(t, name);

		if (column >= 0 && look_at(t, (size_t)column, &right[n]))
			shown[n++] = (size_t)column;
	}
	free(list);
	for (size_t i = 0; i < t->n_rows && n; i++) {
		for (size_t k = 0; k < n; k++) {
			fputs("| ", out);
			markdown_text(csv_table_cell(t, i, shown[k]), out);
			fputc(' ', out);
		}
		fputs("|\n", out);
		for (size_t k = 0; i == 0 && k < n; k++)
			fputs(right[k] ? "|--:" : "|---", out);
		if (i == 0)
			fputs("|\n", out);
	}
}
