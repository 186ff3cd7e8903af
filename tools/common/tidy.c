/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tidy.h"

#include "csv_table.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>

/* ---- What records are of ------------------------------------------------ */

static void
put_word(const char *word, FILE *out)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789%+,-./:=@_";

	if (*word && !word[strspn(word, plain)]) {
		fputs(word, out);
		return;
	}
	fputc('\'', out);
	for (; *word; word++)
		if (*word == '\'')
			fputs("'\\''", out);
		else
			fputc(*word, out);
	fputc('\'', out);
}

char *
tidy_command_text(const struct tool *tool, char *const *command)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		tool_fail(tool, TOOL_FAILED, "out of memory");
	for (char *const *word = command; word && *word; word++) {
		if (word != command)
			fputc(' ', out);
		put_word(*word, out);
	}
	tool_close_text(tool, out, &text);
	return text;
}

const char *
tidy_engine(const struct system_option *s, char *const *command)
{
	const char *engine = outside_engine(s, command);

	return !command ? NULL : system_where(s) ? system_where(s) :
	       engine ? engine : "qemu";
}

/* ---- Files that are appended to ----------------------------------------- */

/* All of a file; NULL if there is none. */
static char *
read_file(const struct tool *tool, const char *path)
{
	FILE *in = fopen(path, "re"), *out;
	char *text = NULL, buffer[1 << 14];
	size_t size, n;
	bool failed;

	if (!in && errno == ENOENT)
		return NULL;
	out = open_memstream(&text, &size);
	while (in && out && (n = fread(buffer, 1, sizeof buffer, in)))
		fwrite(buffer, 1, n, out);
	failed = !in || ferror(in);
	if (failed)
		tool_fail(tool, TOOL_FAILED, "%s: %s", path, strerror(errno));
	fclose(in);
	tool_close_text(tool, out, &text);
	return text;
}

static bool
has_columns(const struct tool *tool, const struct csv_table *t,
	    const char *columns)
{
	char *text = NULL;
	size_t size, n = strlen(columns);
	FILE *out = open_memstream(&text, &size);
	bool same;

	if (!out)
		tool_fail(tool, TOOL_FAILED, "out of memory");
	csv_table_put_row(t, 0, out);
	tool_close_text(tool, out, &text);
	same = !strncmp(text, columns, n) &&
	       !strcmp(text + n, "," TIDY_COLUMNS);
	free(text);
	return same;
}

/* The largest of column "run", which is the last one. */
static unsigned long
last_run(const struct csv_table *t)
{
	unsigned long last = 0, n;

	for (size_t i = 1; i < t->n_rows; i++)
		if (tool_number(csv_table_cell(t, i, t->n_columns - 1),
				ULONG_MAX - 1, &n) && n > last)
			last = n;
	return last;
}

unsigned long
tidy_run(const struct tool *tool, const char *path, bool append,
	 const char *columns)
{
	char *text = path && append ? read_file(tool, path) : NULL;
	struct csv_table t;
	unsigned long run = 1;
	size_t line;

	if (text && *text) {
		if (!csv_table_read(tool, text, &t, &line))
			tool_fail(tool, TOOL_FAILED, "%s:%zu: a record that "
				  "is not of as many fields as the first line",
				  path, line);
		if (!has_columns(tool, &t, columns))
			tool_fail(tool, TOOL_FAILED, "%s: its columns are not "
				  "those that would be appended", path);
		run = last_run(&t) + 1;
		csv_table_free(&t);
	}
	free(text);
	return run;
}

/* ---- Writing ------------------------------------------------------------ */

static struct csv_table
read_own(const struct tidy *t, const char *csv)
{
	struct csv_table table;
	size_t line;

	if (!csv_table_read(t->tool, csv, &table, &line))
		tool_fail(t->tool, TOOL_FAILED, "CSV: line %zu is damaged",
			  line);
	return table;
}

static void
write_csv(const struct tidy *t, const char *csv, FILE *out)
{
	struct csv_table table = read_own(t, csv);
	char *command = tidy_command_text(t->tool, t->command);

	for (size_t i = t->run > 1 || t->further; i < table.n_rows; i++) {
		csv_table_put_row(&table, i, out);
		fputc(',', out);
		if (i == 0) {
			fputs(TIDY_COLUMNS "\r\n", out);
			continue;
		}
		pmcsim_csv_text(command, out);
		fputc(',', out);
		pmcsim_csv_text(t->cpu, out);
		fprintf(out, ",%s,%lu\r\n", t->engine ? t->engine : "",
			t->run);
	}
	free(command);
	csv_table_free(&table);
}

static void
write_markdown(const struct tidy *t, const char *csv, FILE *out)
{
	struct csv_table table = read_own(t, csv);
	char *command = tidy_command_text(t->tool, t->command);

	if (*command) {
		markdown_text(command, out);
		fputs(" on ", out);
	}
	markdown_text(t->cpu, out);
	if (t->engine)
		fprintf(out, " (%s)", t->engine);
	fputs("\n\n", out);
	csv_table_markdown(&table, t->markdown, out);
	free(command);
	csv_table_free(&table);
}

int
tidy_write(const struct tidy *t, int (*fn)(const void *report, FILE *out),
	   const void *report, FILE *out)
{
	char *csv = NULL;
	size_t size;
	FILE *memory = open_memstream(&csv, &size);
	int err;

	if (!memory)
		tool_fail(t->tool, TOOL_FAILED, "out of memory");
	err = fn(report, memory);
	tool_close_text(t->tool, memory, &csv);
	if (err == 0 && t->markdown)
		write_markdown(t, csv, out);
	else if (err == 0)
		write_csv(t, csv, out);
	free(csv);
	return err;
}
