/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CSV after RFC 4180 as a table in memory. */
#ifndef CSV_TABLE_H
#define CSV_TABLE_H

#include "tool.h"

struct csv_table {
	char **cell;		/* [row * n_columns + column]; row 0: names */
	size_t n_columns, n_rows;
};

/*
 * Reads text.  False if it is empty or its records are not of one length, in
 * *line the first line of the first record that is not, from 1; the tool ends
 * without memory.  Free it in any case.
 */
bool csv_table_read(const struct tool *tool, const char *text,
		    struct csv_table *t, size_t *line);
void csv_table_free(struct csv_table *t);

static inline const char *
csv_table_cell(const struct csv_table *t, size_t row, size_t column)
{
	return t->cell[row * t->n_columns + column];
}

/* The number of the column of that name, or -1. */
int csv_table_column(const struct csv_table *t, const char *name);

/* Writes a row as CSV, without the end of the line. */
void csv_table_put_row(const struct csv_table *t, size_t row, FILE *out);

/* Writes all rows as a table of Markdown, with the columns that are named,
 * separated by commas, and have something in a row. */
void csv_table_markdown(const struct csv_table *t, const char *columns,
			FILE *out);

/* Writes a text as a cell of Markdown has it. */
void markdown_text(const char *text, FILE *out);

#endif
