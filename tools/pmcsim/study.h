/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * "pmcsim study": the same command with other arguments, inputs and processors,
 * each a cell whose counts are kept in a file until something changes that
 * they depend on.
 */
#ifndef STUDY_H
#define STUDY_H

#include "compare.h"

/* One that varies: its values, in their order. */
struct study_parameter {
	char *name;
	char **value;
	unsigned n;
};

struct study {
	char *name;		/* of the file, without folder and ".yaml" */
	char *results;		/* folder, as a full path */
	char **word;		/* of the command, with {NAME} in them */
	unsigned n_words;
	struct study_parameter *parameter;	/* the last one is "cpu" */
	unsigned n_parameters;
	char *input;		/* with {NAME} in it; NULL: none */
	char *events, *metrics;	/* with commas; NULL: the usual, none */
	char *engine;		/* NULL: the usual one */
	char **option, **variable;
	unsigned n_options, n_variables;
	unsigned repeat;
	struct pmcsim_cpu **cpu;	/* of each value of the last parameter */
};

#define STUDY_HASH 33		/* bytes of the name of a cell */
#define STUDY_CELLS 1000000u	/* at most */

struct study_cell {
	char hash[STUDY_HASH];
	unsigned number;	/* in the plan, from 0 */
};

/* Those of a shard, in their order. */
struct study_plan {
	const struct study *study;
	struct study_cell *cell;
	unsigned n, all;
};

struct study_shard {
	unsigned index, of;	/* from 1 */
};

/* Reads a study file and goes to its folder, from where its commands are run;
 * results NULL: the folder beside it.  Ends the tool with a sentence. */
void study_read(struct study *s, const char *path, const char *results);
void study_free(struct study *s);

/* What the parameter is in a cell. */
const char *study_value(const struct study *s, unsigned number,
			unsigned parameter);

/* Names all cells, or those of a shard; ends the tool with a sentence. */
void study_plan(const struct study *s, struct study_shard shard,
		struct study_plan *plan);
void study_plan_free(struct study_plan *plan);

/* "n 1000, cpu p6"; the caller's. */
char *study_cell_text(const struct study *s, unsigned number);

/* The shell's command that executes a cell, in the study's folder, and leaves
 * its result if that has succeeded; the caller's. */
char *study_cell_command(const struct study *s, const struct study_cell *cell);

/* The file of a cell's result; the caller's.  Whether it is there. */
char *study_cell_file(const struct study *s, const struct study_cell *cell);
bool study_cell_is_there(const struct study *s, const struct study_cell *cell);

/* Executes the cells that are not there, so many side by side; the exit
 * status. */
int study_run(const struct study_plan *plan, unsigned long jobs);

/* ---- Results ------------------------------------------------------------ */

/* A figure of a cell, as the database has it. */
struct study_figure {
	const char *hash, *kind, *name, *unit;
	bool known;
	double value;
};

struct study_store;

/* Opens the database of the results, in which are those of all cells of the
 * plan that are there; ends the tool with a sentence. */
struct study_store *study_store_open(const struct study_plan *plan);
void study_store_close(struct study_store *store);

/* A cell's figures, in the order of its report. */
void study_store_figures(struct study_store *store, const char *hash,
			 void (*fn)(void *arg, const struct study_figure *f),
			 void *arg);

/* Another study's results, by their folder, as a report of the tool's. */
struct pmcsim_figures *study_store_report(const char *folder);

/* The cells of a folder that have that figure, in the order of their plan. */
void study_store_cells(const char *folder, const char *name,
		       void (*fn)(void *arg, const char *cell,
				  const struct study_figure *f),
		       void *arg);

/* ---- What is made of them ----------------------------------------------- */

/* A row for each cell that is there: its parameters, then its figures. */
struct study_table {
	char **column, **unit;	/* "": a number of what the column names */
	unsigned n_columns, n_parameters;
	char **text;		/* [row * n_columns + column]; NULL: none */
	unsigned n_rows, missing;
};

void study_table_make(const struct study_plan *plan, struct study_table *t);
void study_table_free(struct study_table *t);

/* One figure over several states of a program, each the folder of its results:
 * a row for each state and cell, with the parameters "state" and "cell". */
void study_history_make(char *const *folder, unsigned n, const char *value,
			struct study_table *t);

/* The place of a column, of parameters or else of figures; ends the tool with a
 * sentence if there is none of that name. */
unsigned study_table_find(const struct study_table *t, const char *name,
			  bool parameter);

/* "": none. */
const char *study_table_text(const struct study_table *t, unsigned row,
			     unsigned column);

/* Whether a parameter has several values. */
bool study_table_varies(const struct study_table *t, unsigned parameter);

/* "n 100, cpu p6": the parameters of a row, but those that are left out, if that
 * is not NULL; the caller's. */
char *study_table_cell(const struct study_table *t, unsigned row,
		       const bool *left_out);

enum study_format { STUDY_TEXT, STUDY_CSV, STUDY_JSON, STUDY_MARKDOWN };
void study_table_write(const struct study_table *t, enum study_format format,
		       FILE *out);

/* Writes that figure, or all if it is NULL, as another program reads it: github,
 * bencher or hyperfine; ends the tool with a sentence for another one. */
void study_export(const struct study_table *t, const char *format,
		  const char *value, FILE *out);

/* What a plot shows: a figure over a parameter, as lines if that is a number,
 * else as bars; over two of them as a heat map. */
struct study_plot {
	const char *x, *y;	/* x NULL: the first that varies; y NULL: one */
	const char *value;
	const char *output;	/* FILE.svg or FILE.png */
	bool ordered;		/* x has an order, whatever its values are */
};

/* Both end the tool with a sentence if there is no gnuplot. */
void study_plot(const struct study_table *t, const struct study_plot *plot);
void study_html(const struct study *s, const struct study_table *t,
		const struct study_plot *plot, FILE *out);

#endif
