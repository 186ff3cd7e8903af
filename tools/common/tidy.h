/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tidy CSV: a record for each count, with what it is of behind it, so that
 * files of several runs and programs can be put together; and the same as a
 * table of Markdown.
 */
#ifndef TIDY_H
#define TIDY_H

#include "outside.h"

/* Behind a tool's own columns. */
#define TIDY_COLUMNS "command,cpu,engine,run"

struct tidy {
	const struct tool *tool;
	char *const *command;	/* NULL: none */
	const char *cpu;
	const char *engine;	/* or board; NULL: not known */
	unsigned long run;	/* 1: the first of a file */
	bool further;		/* the header has been written */
	const char *markdown;	/* columns to show in a table; NULL: CSV */
};

/* The words as a shell takes them; the caller's. */
char *tidy_command_text(const struct tool *tool, char *const *command);

/* What executes the command, by the name that records have. */
const char *tidy_engine(const struct system_option *s, char *const *command);

/*
 * The number of the run whose records are to be appended to the file at path,
 * from 1: ends the tool if the file has other columns than these and ours.
 * path NULL, or not append: 1.
 */
unsigned long tidy_run(const struct tool *tool, const char *path, bool append,
		       const char *columns);

/* What a report of /proc/perf shows in a table. */
#define TIDY_REPORT_SHOWN                                                 \
	"region,mode,vpe,tc,list,event,name,value,unit,precision,deviation," \
	"reason"

/* A row of option tables, and the sentence for too many of such options. */
#define MARKDOWN_OPTION(id)                                               \
	{id, 0, "markdown", NULL, "write a table of Markdown", WORDS_NONE}
#define FORMATS_EXCLUDE "--json, --csv and --markdown exclude each other"

/*
 * Writes what fn writes as CSV with a header, and our columns behind it; from
 * the second run on without header.  Or a table of Markdown below a line that
 * says what it is of.  What fn returns, if that is not 0: then nothing.
 */
int tidy_write(const struct tidy *t, int (*fn)(const void *report, FILE *out),
	       const void *report, FILE *out);

#endif
