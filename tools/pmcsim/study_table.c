/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "pmcsim study table": a row for each cell. */
#include "study.h"

#include "common/csv_table.h"

#include <stdlib.h>

/* The cell of the table that is being filled. */
struct filler {
	struct study_table *t;
	unsigned row, room;
};

static char *
copy(const char *text)
{
	char *more = strdup(text);

	if (!more)
		tool_fail(&study_tool, TOOL_FAILED, "out of memory");
	return more;
}

/* A column for each name that a cell has a figure of. */
static void
add_column(void *arg, const struct study_figure *f)
{
	struct study_table *t = arg;

	for (unsigned c = t->n_parameters; c < t->n_columns; c++)
		if (!strcmp(t->column[c], f->name))
			return;
	t->column = reallocarray(t->column, t->n_columns + 1,
				 sizeof *t->column);
	if (!t->column)
		tool_fail(&study_tool, TOOL_FAILED, "out of memory");
	t->column[t->n_columns++] = copy(f->name);
}

static void
put_figure(void *arg, const struct study_figure *f)
{
	struct filler *filler = arg;
	struct study_table *t = filler->t;
	char *text;

	for (unsigned c = t->n_parameters; c < t->n_columns; c++) {
		if (strcmp(t->column[c], f->name) || !f->known)
			continue;
		if (asprintf(&text, "%.15g", f->value) < 0)
			tool_fail(&study_tool, TOOL_FAILED, "out of memory");
		t->text[filler->row * t->n_columns + c] = text;
		return;
	}
}

static void
name_columns(const struct study_plan *plan, struct study_store *store,
	     struct study_table *t)
{
	const struct study *s = plan->study;

	for (unsigned i = 0; i < s->n_parameters; i++) {
		struct study_figure f = {.name = s->parameter[i].name};

		t->n_parameters = t->n_columns;
		add_column(t, &f);
	}
	t->n_parameters = t->n_columns;
	for (unsigned i = 0; i < plan->n; i++)
		if (study_cell_is_there(s, &plan->cell[i]))
			study_store_figures(store, plan->cell[i].hash,
					    add_column, t);
}

void
study_table_make(const struct study_plan *plan, struct study_table *t)
{
	struct study_store *store = study_store_open(plan);
	struct filler filler = {.t = t};

	*t = (struct study_table){.column = NULL};
	name_columns(plan, store, t);
	t->text = tool_alloc(&study_tool, (size_t)plan->n * t->n_columns,
			     sizeof *t->text);
	for (unsigned i = 0; i < plan->n; i++) {
		if (!study_cell_is_there(plan->study, &plan->cell[i])) {
			t->missing++;
			continue;
		}
		filler.row = t->n_rows++;
		for (unsigned p = 0; p < t->n_parameters; p++)
			t->text[filler.row * t->n_columns + p] =
				copy(study_value(plan->study,
						 plan->cell[i].number, p));
		study_store_figures(store, plan->cell[i].hash, put_figure,
				    &filler);
	}
	study_store_close(store);
	if (t->missing)
		tool_note(&study_tool, "%u of %u cells are not there yet",
			  t->missing, plan->n);
}

void
study_table_free(struct study_table *t)
{
	for (unsigned i = 0; i < t->n_columns; i++)
		free(t->column[i]);
	for (size_t i = 0; i < (size_t)t->n_rows * t->n_columns; i++)
		free(t->text[i]);
	free(t->column);
	free(t->text);
}

/* ---- Writing ------------------------------------------------------------ */

static const char *
text_at(const struct study_table *t, unsigned row, unsigned column)
{
	const char *text = t->text[(size_t)row * t->n_columns + column];

	return text ? text : "";
}

static void
write_csv(const struct study_table *t, FILE *out)
{
	for (unsigned c = 0; c < t->n_columns; c++) {
		fputs(c ? "," : "", out);
		pmcsim_csv_text(t->column[c], out);
	}
	fputs("\r\n", out);
	for (unsigned r = 0; r < t->n_rows; r++) {
		for (unsigned c = 0; c < t->n_columns; c++) {
			fputs(c ? "," : "", out);
			pmcsim_csv_text(text_at(t, r, c), out);
		}
		fputs("\r\n", out);
	}
}

static void
write_json_row(const struct study_table *t, unsigned row, FILE *out)
{
	fputs(row ? ",\n  {\"parameters\":{" : "\n  {\"parameters\":{", out);
	for (unsigned c = 0; c < t->n_columns; c++) {
		const char *text = text_at(t, row, c);

		if (c == t->n_parameters)
			fputs("},\"figures\":{", out);
		else if (c)
			fputc(',', out);
		pmcsim_json_text(t->column[c], out);
		fputc(':', out);
		if (c < t->n_parameters)
			pmcsim_json_text(text, out);
		else
			fputs(*text ? text : "null", out);
	}
	fputs(t->n_columns == t->n_parameters ? "},\"figures\":{}}" : "}}",
	      out);
}

static void
write_json(const struct study_table *t, FILE *out)
{
	fprintf(out, "{\"schema\":\"pmcsim-study/1\",\"missing\":%u,\n"
		" \"cells\":[", t->missing);
	for (unsigned r = 0; r < t->n_rows; r++)
		write_json_row(t, r, out);
	fputs("]}\n", out);
}

static void
markdown_row(const struct study_table *t, int row, FILE *out)
{
	for (unsigned c = 0; c < t->n_columns; c++) {
		fputs("| ", out);
		markdown_text(row < 0 ? t->column[c]
				      : text_at(t, (unsigned)row, c), out);
		fputc(' ', out);
	}
	fputs("|\n", out);
}

static void
write_markdown(const struct study_table *t, FILE *out)
{
	markdown_row(t, -1, out);
	for (unsigned c = 0; c < t->n_columns; c++)
		fputs(c < t->n_parameters ? "|---" : "|--:", out);
	fputs("|\n", out);
	for (unsigned r = 0; r < t->n_rows; r++)
		markdown_row(t, (int)r, out);
}

static int
width(const struct study_table *t, unsigned column)
{
	size_t most = strlen(t->column[column]);

	for (unsigned r = 0; r < t->n_rows; r++)
		if (strlen(text_at(t, r, column)) > most)
			most = strlen(text_at(t, r, column));
	return (int)most;
}

static void
write_text(const struct study_table *t, FILE *out)
{
	int *columns = tool_alloc(&study_tool, t->n_columns, sizeof *columns);

	for (unsigned c = 0; c < t->n_columns; c++)
		columns[c] = width(t, c);
	for (unsigned r = 0; r <= t->n_rows; r++) {
		for (unsigned c = 0; c < t->n_columns; c++)
			fprintf(out, "%s%*s", c ? "  " : "", columns[c],
				r ? text_at(t, r - 1, c) : t->column[c]);
		fputc('\n', out);
	}
	free(columns);
}

void
study_table_write(const struct study_table *t, enum study_format format,
		  FILE *out)
{
	static void (*const write[])(const struct study_table *t, FILE *out) = {
		[STUDY_TEXT] = write_text,
		[STUDY_CSV] = write_csv,
		[STUDY_JSON] = write_json,
		[STUDY_MARKDOWN] = write_markdown,
	};

	write[format](t, out);
}
