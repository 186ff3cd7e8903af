/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "pmcsim study export": figures as programs that keep them over time, or draw
 * them, read them. */
#include "study.h"

#include <stdlib.h>

/* A figure of a cell that is there. */
struct place {
	const struct study_table *t;
	unsigned row, column;
	char *cell;		/* the parameters */
	bool first;		/* of the cell */
};

struct format {
	const char *name;
	bool one;		/* takes one figure of a cell */
	const char *head, *tail, *between;
	void (*put)(const struct place *p, FILE *out);
	const char *cell_end;
};

static const char *
value_of(const struct place *p)
{
	return study_table_text(p->t, p->row, p->column);
}

/* ---- github-action-benchmark: a list of name, unit and value ------------ */

static void
put_github(const struct place *p, FILE *out)
{
	const char *unit = p->t->unit[p->column];
	char *name;

	if (asprintf(&name, "%s: %s", p->cell, p->t->column[p->column]) < 0)
		tool_fail(&study_tool, TOOL_FAILED, "out of memory");
	fputs("  {\"name\":", out);
	pmcsim_json_text(name, out);
	fputs(",\"unit\":", out);
	pmcsim_json_text(*unit ? unit : p->t->column[p->column], out);
	fprintf(out, ",\"value\":%s}", value_of(p));
	free(name);
}

/* ---- Bencher: measures of a benchmark, by name -------------------------- */

static void
put_bencher(const struct place *p, FILE *out)
{
	if (p->first) {
		fputs("  ", out);
		pmcsim_json_text(p->cell, out);
		fputs(":{", out);
	}
	pmcsim_json_text(p->t->column[p->column], out);
	fprintf(out, ":{\"value\":%s}", value_of(p));
}

/* ---- hyperfine: times of commands --------------------------------------- */

/* A cell has one figure, the mean of its runs, and all of it is the program's
 * own. */
static void
put_hyperfine(const struct place *p, FILE *out)
{
	const char *v = value_of(p);

	fputs("  {\"command\":", out);
	pmcsim_json_text(p->cell, out);
	fprintf(out, ",\"mean\":%s,\"stddev\":null,\"median\":%s,"
		"\"user\":%s,\"system\":0,\"min\":%s,\"max\":%s,"
		"\"times\":[%s],\"exit_codes\":[0],\"parameters\":{",
		v, v, v, v, v, v);
	for (unsigned c = 0; c < p->t->n_parameters; c++) {
		fputs(c ? "," : "", out);
		pmcsim_json_text(p->t->column[c], out);
		fputc(':', out);
		pmcsim_json_text(study_table_text(p->t, p->row, c), out);
	}
	fputs("}}", out);
}

/* ---- Formats ------------------------------------------------------------ */

static const struct format formats[] = {
	{"github", false, "[\n", "\n]\n", ",\n", put_github, ""},
	{"bencher", false, "{\n", "\n}\n", ",", put_bencher, "}"},
	{"hyperfine", true, "{\"results\":[\n", "\n]}\n", ",\n",
	 put_hyperfine, ""},
};

static const struct format *
find_format(const char *name)
{
	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
		if (!strcmp(formats[i].name, name))
			return &formats[i];
	tool_fail(&study_tool, TOOL_USAGE,
		  "--format %s: there are github, bencher and hyperfine",
		  tool_word(name));
}

/* The figures of a row that are known, from the wanted ones; whether there was
 * any. */
static bool
put_row(const struct format *f, struct place *p, unsigned from, unsigned end,
	bool any, FILE *out)
{
	p->cell = study_table_cell(p->t, p->row, NULL);
	p->first = true;
	for (p->column = from; p->column < end; p->column++) {
		if (!*value_of(p))
			continue;
		if (!p->first)
			fputs(f->between, out);
		else if (any)
			fputs(",\n", out);
		f->put(p, out);
		p->first = false;
	}
	if (!p->first)
		fputs(f->cell_end, out);
	free(p->cell);
	return !p->first;
}

void
study_export(const struct study_table *t, const char *format, const char *value,
	     FILE *out)
{
	const struct format *f = find_format(format);
	unsigned from = t->n_parameters, end = t->n_columns;
	struct place p = {.t = t};
	bool any = false;

	if (value) {
		from = study_table_find(t, value, false);
		end = from + 1;
	} else if (f->one) {
		tool_fail(&study_tool, TOOL_USAGE,
			  "export: %s has one figure of a command; --value says "
			  "which", f->name);
	}
	fputs(f->head, out);
	for (p.row = 0; p.row < t->n_rows; p.row++)
		any |= put_row(f, &p, from, end, any, out);
	fputs(f->tail, out);
}
