/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "pmcsim study table": a row for each cell. */
#include "study.h"

#include "common/csv_table.h"

#include <stdlib.h>

/* The cell of the table that is being filled. */
struct filler {
	struct study_table *t;
	unsigned row, room;
	char *state;		/* of a history */
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
	t->unit = reallocarray(t->unit, t->n_columns + 1, sizeof *t->unit);
	if (!t->column || !t->unit)
		tool_fail(&study_tool, TOOL_FAILED, "out of memory");
	t->column[t->n_columns] = copy(f->name);
	t->unit[t->n_columns++] = copy(f->unit);
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
		struct study_figure f = {
			.name = s->parameter[i].name,
			.unit = "",
		};

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
	for (unsigned i = 0; i < t->n_columns; i++) {
		free(t->column[i]);
		free(t->unit[i]);
	}
	for (size_t i = 0; i < (size_t)t->n_rows * t->n_columns; i++)
		free(t->text[i]);
	free(t->column);
	free(t->unit);
	free(t->text);
}

/* ---- History ------------------------------------------------------------ */

static void
add_row(void *arg, const char *cell, const struct study_figure *f)
{
	struct filler *filler = arg;
	struct study_table *t = filler->t;
	char **row;

	if (t->n_rows == filler->room) {
		filler->room = filler->room ? 2 * filler->room : 64;
		t->text = reallocarray(t->text, (size_t)filler->room * 3,
				       sizeof *t->text);
		if (!t->text)
			tool_fail(&study_tool, TOOL_FAILED, "out of memory");
	}
	row = &t->text[(size_t)t->n_rows++ * 3];
	row[0] = copy(filler->state);
	row[1] = copy(cell);
	row[2] = NULL;
	if (!t->unit[2])
		t->unit[2] = copy(f->unit);
	if (f->known && asprintf(&row[2], "%.15g", f->value) < 0)
		tool_fail(&study_tool, TOOL_FAILED, "out of memory");
}

/* The last part of a folder's path, without slashes behind it. */
static char *
state_name(const char *folder)
{
	size_t n = strlen(folder);
	char *name;

	while (n > 1 && folder[n - 1] == '/')
		n--;
	name = strndup(folder, n);
	if (!name)
		tool_fail(&study_tool, TOOL_FAILED, "out of memory");
	if (n > 1 && strrchr(name, '/'))
		memmove(name, strrchr(name, '/') + 1,
			strlen(strrchr(name, '/')));
	return name;
}

void
study_history_make(char *const *folder, unsigned n, const char *value,
		   struct study_table *t)
{
	const char *column[] = {"state", "cell", value};
	struct filler filler = {.t = t};

	*t = (struct study_table){.n_columns = 3, .n_parameters = 2};
	t->column = tool_alloc(&study_tool, 3, sizeof *t->column);
	t->unit = tool_alloc(&study_tool, 3, sizeof *t->unit);
	for (unsigned c = 0; c < 3; c++)
		t->column[c] = copy(column[c]);
	t->unit[0] = copy("");
	t->unit[1] = copy("");
	for (unsigned i = 0; i < n; i++) {
		unsigned before = t->n_rows;

		filler.state = state_name(folder[i]);
		study_store_cells(folder[i], value, add_row, &filler);
		free(filler.state);
		if (t->n_rows == before)
			tool_fail(&study_tool, TOOL_FAILED,
				  "%s: there is no %s in it", folder[i], value);
	}
}

/* ---- Reading ------------------------------------------------------------ */

const char *
study_table_text(const struct study_table *t, unsigned row, unsigned column)
{
	const char *text = t->text[(size_t)row * t->n_columns + column];

	return text ? text : "";
}

unsigned
study_table_find(const struct study_table *t, const char *name, bool parameter)
{
	unsigned from = parameter ? 0 : t->n_parameters;
	unsigned end = parameter ? t->n_parameters : t->n_columns;

	for (unsigned c = from; c < end; c++)
		if (!strcmp(t->column[c], name))
			return c;
	tool_fail(&study_tool, TOOL_USAGE, "%s: there is no such %s", name,
		  parameter ? "parameter" : "figure");
}

bool
study_table_varies(const struct study_table *t, unsigned parameter)
{
	for (unsigned r = 1; r < t->n_rows; r++)
		if (strcmp(study_table_text(t, r, parameter),
			   study_table_text(t, 0, parameter)))
			return true;
	return false;
}

char *
study_table_cell(const struct study_table *t, unsigned row,
		 const bool *left_out)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	bool any = false;

	if (!out)
		tool_fail(&study_tool, TOOL_FAILED, "out of memory");
	for (unsigned c = 0; c < t->n_parameters; c++) {
		if (left_out && left_out[c])
			continue;
		fprintf(out, "%s%s %s", any ? ", " : "", t->column[c],
			study_table_text(t, row, c));
		any = true;
	}
	tool_close_text(&study_tool, out, &text);
	return text;
}

/* ---- Writing ------------------------------------------------------------ */

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
			pmcsim_csv_text(study_table_text(t, r, c), out);
		}
		fputs("\r\n", out);
	}
}

static void
write_json_row(const struct study_table *t, unsigned row, FILE *out)
{
	fputs(row ? ",\n  {\"parameters\":{" : "\n  {\"parameters\":{", out);
	for (unsigned c = 0; c < t->n_columns; c++) {
		const char *text = study_table_text(t, row, c);

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
				      : study_table_text(t, (unsigned)row, c), out);
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
		if (strlen(study_table_text(t, r, column)) > most)
			most = strlen(study_table_text(t, r, column));
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
				r ? study_table_text(t, r - 1, c) : t->column[c]);
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
