/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "pmcsim study plot" and "html": pictures, which gnuplot draws. */
#include "study.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Rows and columns of a picture: texts as they come first, and the value where
 * they meet. */
struct grid {
	const char *x;		/* what rows are values of */
	char **row, **column;
	const char **value;	/* [row * n_columns + column]; NULL: none */
	unsigned n_rows, n_columns;
};

/* How x is drawn: as bars beside each other; as points of lines, in the order of
 * their texts, by what numbers they are, or by the factors between these. */
enum axis { BARS, ORDER, NUMBERS, FACTORS };

/* ---- What is drawn ------------------------------------------------------ */

/* The number of a text in a list, to which it is added if it is new. */
static unsigned
place_of(char ***list, unsigned *n, char *text)
{
	for (unsigned i = 0; i < *n; i++)
		if (!strcmp((*list)[i], text)) {
			free(text);
			return i;
		}
	*list = reallocarray(*list, *n + 1, sizeof **list);
	if (!*list || !text)
		tool_fail(&study_tool, TOOL_FAILED, "out of memory");
	(*list)[*n] = text;
	return (*n)++;
}

/* What tells lines apart: not x, and nothing that all have. */
static bool *
leave_out(const struct study_table *t, unsigned x)
{
	bool *out = tool_alloc(&study_tool, t->n_parameters, sizeof *out);

	for (unsigned c = 0; c < t->n_parameters; c++)
		out[c] = c == x || !study_table_varies(t, c);
	return out;
}

static unsigned
place_of_x(const struct study_table *t, const struct study_plot *plot)
{
	if (plot->x)
		return study_table_find(t, plot->x, true);
	for (unsigned c = 0; c < t->n_parameters; c++)
		if (study_table_varies(t, c))
			return c;
	return 0;
}

static void
make_grid(const struct study_table *t, const struct study_plot *plot,
	  struct grid *g)
{
	unsigned x = place_of_x(t, plot);
	bool *left_out = leave_out(t, x);
	unsigned y = plot->y ? study_table_find(t, plot->y, true) : 0;
	unsigned value = study_table_find(t, plot->value, false);
	unsigned *row = tool_alloc(&study_tool, t->n_rows, sizeof *row);
	unsigned *column = tool_alloc(&study_tool, t->n_rows, sizeof *column);

	*g = (struct grid){.x = t->column[x]};
	for (unsigned i = 0; i < t->n_rows; i++) {
		row[i] = place_of(&g->row, &g->n_rows,
				  strdup(study_table_text(t, i, x)));
		column[i] = place_of(&g->column, &g->n_columns, plot->y ?
				     strdup(study_table_text(t, i, y)) :
				     study_table_cell(t, i, left_out));
	}
	g->value = tool_alloc(&study_tool, (size_t)g->n_rows * g->n_columns,
			      sizeof *g->value);
	for (unsigned i = 0; i < t->n_rows; i++) {
		const char **at = &g->value[row[i] * g->n_columns + column[i]];

		if (*at)
			tool_fail(&study_tool, TOOL_USAGE,
				  "%s %s, %s %s: there are several cells of "
				  "that; the other parameters vary, too",
				  t->column[x], g->row[row[i]], plot->y,
				  g->column[column[i]]);
		*at = study_table_text(t, i, value);
		if (!**at)
			*at = NULL;
	}
	free(left_out);
	free(row);
	free(column);
}

static void
free_grid(struct grid *g)
{
	for (unsigned i = 0; i < g->n_rows; i++)
		free(g->row[i]);
	for (unsigned i = 0; i < g->n_columns; i++)
		free(g->column[i]);
	free(g->row);
	free(g->column);
	free(g->value);
}

/* ---- gnuplot ------------------------------------------------------------ */

/* A text in double quotes: nothing in it has a meaning. */
static void
put_text(const char *text, FILE *out)
{
	fputc('"', out);
	for (; *text; text++) {
		if (strchr("\"\\", *text))
			fputc('\\', out);
		fputc((unsigned char)*text < ' ' ? ' ' : *text, out);
	}
	fputc('"', out);
}

static bool
all_numbers(const struct grid *g)
{
	for (unsigned i = 0; i < g->n_rows; i++) {
		char *end;

		strtod(g->row[i], &end);
		if (end == g->row[i] || *end)
			return false;
	}
	return true;
}

/* Whether each number is half as much again as the one before, or more: such
 * ones are crowded on an axis that is not drawn by factors. */
static bool
by_factors(const struct grid *g)
{
	for (unsigned i = 1; i < g->n_rows; i++) {
		double before = strtod(g->row[i - 1], NULL);

		if (before <= 0 || strtod(g->row[i], NULL) < 1.5 * before)
			return false;
	}
	return g->n_rows > 2;
}

static enum axis
choose_axis(const struct grid *g, const struct study_plot *plot)
{
	if (plot->ordered)
		return ORDER;
	if (!all_numbers(g))
		return BARS;
	return by_factors(g) ? FACTORS : NUMBERS;
}

static void
put_data(const struct grid *g, enum axis axis, FILE *out)
{
	fputs("$data << EOD\n", out);
	for (unsigned r = 0; r < g->n_rows; r++) {
		fprintf(out, "%u ", r);
		if (axis == NUMBERS || axis == FACTORS)
			fputs(g->row[r], out);
		else
			put_text(g->row[r], out);
		for (unsigned c = 0; c < g->n_columns; c++) {
			const char *value = g->value[r * g->n_columns + c];

			fprintf(out, " %s", value ? value : "?");
		}
		fputc('\n', out);
	}
	fputs("EOD\nset datafile missing '?'\n", out);
}

static void
put_head(const struct grid *g, const struct study_plot *plot, const char *path,
	 FILE *out)
{
	const char *suffix = strrchr(plot->output, '.');
	bool png = suffix && !strcmp(suffix, ".png");

	fputs(png ? "set terminal png noenhanced size 800,500\n"
		  : "set terminal svg noenhanced size 800,500\n", out);
	fputs("set output ", out);
	put_text(path, out);
	fputs("\nset encoding utf8\nset format y '%.12g'\nset xlabel ", out);
	put_text(g->x, out);
	fprintf(out, "\nset %s ", plot->y ? "title" : "ylabel");
	put_text(plot->value, out);
	if (plot->y) {
		fputs("\nset ylabel ", out);
		put_text(plot->y, out);
	}
	fputc('\n', out);
}

static void
put_series(const struct grid *g, enum axis axis, FILE *out)
{
	static const char *const head[] = {
		[BARS] = "set yrange [0:*]\nset style data histogram\n"
			 "set style fill solid 0.7\n",
		[ORDER] = "",
		[NUMBERS] = "",
		[FACTORS] = "set logscale x\nset autoscale xfix\n"
			    "set offsets graph 0.04, graph 0.04, 0, 0\n",
	};
	static const char *const columns[] = {
		[BARS] = "%u:xtic(2)",
		[ORDER] = "1:%u:xtic(2) with linespoints",
		[NUMBERS] = "2:%u with linespoints",
		[FACTORS] = "2:%u:xtic(2) with linespoints",
	};

	fprintf(out, "set key above\n%splot ", head[axis]);
	for (unsigned c = 0; c < g->n_columns; c++) {
		fputs(c ? ", $data using " : "$data using ", out);
		fprintf(out, columns[axis], c + 3);
		fputs(" title ", out);
		put_text(g->column[c], out);
	}
	fputc('\n', out);
}

static void
put_map(const struct grid *g, FILE *out)
{
	fputs("set xtics (", out);
	for (unsigned r = 0; r < g->n_rows; r++) {
		fputs(r ? ", " : "", out);
		put_text(g->row[r], out);
		fprintf(out, " %u", r);
	}
	fputs(")\nset ytics (", out);
	for (unsigned c = 0; c < g->n_columns; c++) {
		fputs(c ? ", " : "", out);
		put_text(g->column[c], out);
		fprintf(out, " %u", c);
	}
	fputs(")\nunset key\n$map << EOD\n", out);
	for (unsigned r = 0; r < g->n_rows; r++)
		for (unsigned c = 0; c < g->n_columns; c++)
			if (g->value[r * g->n_columns + c])
				fprintf(out, "%u %u %s\n", r, c,
					g->value[r * g->n_columns + c]);
	fputs("EOD\nplot $map using 1:2:3 with image\n", out);
}

/* Draws into a file that is complete or as it was. */
static void
draw(const struct study_table *t, const struct study_plot *plot)
{
	struct grid g;
	char *path;
	FILE *out;
	enum axis axis;
	int status;

	make_grid(t, plot, &g);
	axis = choose_axis(&g, plot);
	if (asprintf(&path, "%s.part", plot->output) < 0)
		tool_fail(&study_tool, TOOL_FAILED, "out of memory");
	fflush(stdout);
	out = popen("gnuplot", "we");
	if (!out)
		tool_fail(&study_tool, TOOL_FAILED, "gnuplot: %s",
			  strerror(errno));
	put_head(&g, plot, path, out);
	put_data(&g, axis, out);
	if (plot->y)
		put_map(&g, out);
	else
		put_series(&g, axis, out);
	status = pclose(out);
	if (!WIFEXITED(status) || WEXITSTATUS(status) == TOOL_NOT_FOUND)
		tool_fail(&study_tool, TOOL_FAILED,
			  "gnuplot, which draws, is not installed");
	if (WEXITSTATUS(status) || rename(path, plot->output))
		tool_fail(&study_tool, TOOL_FAILED,
			  "%s: gnuplot has not drawn it", plot->output);
	free(path);
	free_grid(&g);
}

void
study_plot(const struct study_table *t, const struct study_plot *plot)
{
	signal(SIGPIPE, SIG_IGN);	/* of a gnuplot that is not there */
	draw(t, plot);
}

/* ---- A page ------------------------------------------------------------- */

static void
put_html(const char *text, FILE *out)
{
	for (; *text; text++)
		if (*text == '<')
			fputs("&lt;", out);
		else if (*text == '&')
			fputs("&amp;", out);
		else
			fputc(*text, out);
}

static void
put_row(const struct study_table *t, int row, FILE *out)
{
	fputs("<tr>", out);
	for (unsigned c = 0; c < t->n_columns; c++) {
		fputs(row < 0 ? "<th>" : "<td>", out);
		put_html(row < 0 ? t->column[c]
				 : study_table_text(t, (unsigned)row, c), out);
	}
	fputs("\n", out);
}

/* Behind its first lines, which a page has no place for. */
static void
put_picture(const char *path, FILE *out)
{
	FILE *in = fopen(path, "re");
	char *line = NULL;
	size_t size = 0;
	bool begun = false;

	while (in && getline(&line, &size, in) > 0) {
		begun |= !strncmp(line, "<svg", 4);
		if (begun)
			fputs(line, out);
	}
	free(line);
	if (!in)
		tool_fail(&study_tool, TOOL_FAILED, "%s: %s", path,
			  strerror(errno));
	fclose(in);
	unlink(path);
}

/* A picture of each figure. */
static void
put_pictures(const struct study *s, const struct study_table *t,
	     const struct study_plot *plot, FILE *out)
{
	struct study_plot one = *plot;
	char *path;

	if (asprintf(&path, "%s/page.%d.svg", s->results, (int)getpid()) < 0)
		tool_fail(&study_tool, TOOL_FAILED, "out of memory");
	one.output = path;
	for (unsigned c = t->n_parameters; c < t->n_columns; c++) {
		if (plot->value && strcmp(plot->value, t->column[c]))
			continue;
		one.value = t->column[c];
		study_plot(t, &one);
		fputs("<h2>", out);
		put_html(one.value, out);
		fputs("</h2>\n", out);
		put_picture(path, out);
	}
	free(path);
}

void
study_html(const struct study *s, const struct study_table *t,
	   const struct study_plot *plot, FILE *out)
{
	fputs("<!DOCTYPE html>\n<html lang=\"en\"><meta charset=\"utf-8\">"
	      "<title>", out);
	put_html(s->name, out);
	fputs("</title>\n<style>body{font-family:sans-serif;margin:2em}"
	      "table{border-collapse:collapse;margin-top:2em}"
	      "th,td{border:1px solid #ccc;padding:.2em .6em;text-align:right}"
	      "td{white-space:nowrap;font-variant-numeric:tabular-nums}"
	      "</style>\n<h1>", out);
	put_html(s->name, out);
	fputs("</h1>\n", out);
	if (t->missing)
		fprintf(out, "<p>%u cells are not there yet.\n", t->missing);
	put_pictures(s, t, plot, out);
	fputs("<table>\n", out);
	for (int r = -1; r < (int)t->n_rows; r++)
		put_row(t, r, out);
	fputs("</table></html>\n", out);
}
