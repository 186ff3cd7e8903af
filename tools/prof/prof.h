/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * prof, and what uprofile has of it: options -> profiles -> rows -> listings
 * and exports.
 */
#ifndef PROF_H
#define PROF_H

#include "common/limit.h"
#include "common/tool.h"

#define PROF_DATA "umon.out"
#define PROF_KERNEL "kmon.out"

/* Where a listing ends. */
enum prof_quit { QUIT_NOT, QUIT_ENTRIES, QUIT_PERCENT, QUIT_CUMULATIVE };

/* Names of procedures. */
struct prof_names {
	const char **name;
	size_t n, room;
};

/* What is written into files. */
enum prof_export {
	EXPORT_MERGE,
	EXPORT_CALLGRIND,
	EXPORT_FOLDED,
	EXPORT_JSON,
	EXPORT_MARKDOWN,
	EXPORT_PPROF,
	EXPORT_SPEEDSCOPE,
	EXPORT_HTML,
	PROF_EXPORTS
};

struct prof_options {
	bool procedures, heavy, lines, instructions, calls, inclusive, totals;
	bool annotate, numbers, zero, diff;
	struct prof_names only, exclude;
	struct prof_names with, without; /* files, by their last names */
	struct prof_names source; /* folders */
	bool renormalise;	/* -Only, -Exclude */
	enum prof_quit quit;
	double quit_value;
	const char *export[PROF_EXPORTS]; /* files, or NULL */
	const char *event;	/* the only one to be listed, or NULL */
	struct limit *limit;	/* of procedures, with -diff */
	size_t n_limits;
};

/* Identities of prof's options; those of uprofile are smaller. */
enum {
	PROF_PROCEDURES = 100,
	PROF_HEAVY,
	PROF_LINES,
	PROF_ASM,
	PROF_ANNOTATE,
	PROF_SOURCE,
	PROF_CALLS,
	PROF_INCLUSIVE,
	PROF_TOTALS,
	PROF_ONLY,
	PROF_ONLY_ALL,
	PROF_EXCLUDE,
	PROF_EXCLUDE_ALL,
	PROF_QUIT,
	PROF_NUMBERS,
	PROF_ZERO,
	PROF_EVENT,
	PROF_EXPORT,		/* enum prof_export from here on */
	PROF_DIFF = PROF_EXPORT + PROF_EXPORTS,
	PROF_PIXIE,
	PROF_COVERAGE,
	PROF_DISASSEMBLE,
	PROF_FEEDBACK,
	PROF_THREADS,
	PROF_TRUECYCLES,
	PROF_ALL,
	PROF_WITH,
	PROF_WITHOUT,
	PROF_LIMIT
};

/* Options of the original that are refused with a reason. */
#define PROF_REFUSED                                                         \
	{PROF_PIXIE, 0, "pixie", NULL, NULL, WORDS_NONE},                    \
	{PROF_PIXIE, 0, "pixstats", NULL, NULL, WORDS_NONE},                 \
	{PROF_COVERAGE, 0, "testcoverage", NULL, NULL, WORDS_NONE},          \
	{PROF_DISASSEMBLE, 0, "disassemble", NULL, NULL, WORDS_NONE},        \
	{PROF_FEEDBACK, 0, "feedback", "FILE", NULL, WORDS_NONE},            \
	{PROF_THREADS, 0, "threads", NULL, NULL, WORDS_NONE},                \
	{PROF_TRUECYCLES, 0, "truecycles", "[N]", NULL, WORDS_NONE}

/* Rows of option tables; not among those that follow, as uprofile has another
 * -all. */
#define PROF_ALL_OPTION                                                      \
	{PROF_ALL, 0, "all", NULL,                                           \
	 "list procedures of all files, libraries too; the default",         \
	 WORDS_NONE}

#define PROF_OPTIONS                                                         \
	{PROF_PROCEDURES, 'p', "procedures", NULL,                           \
	 "list procedures, those with most first; the default", WORDS_NONE}, \
	{PROF_HEAVY, 0, "heavy", NULL, "list lines, those with most first",  \
	 WORDS_NONE},                                                        \
	{PROF_LINES, 0, "lines", NULL,                                       \
	 "list the lines of each procedure in their order", WORDS_NONE},     \
	{PROF_ASM, 0, "asm", NULL, "list the instructions of each procedure", \
	 WORDS_NONE},                                                        \
	{PROF_ANNOTATE, 0, "annotate", NULL,                                 \
	 "list source files with what happened at each line; with -asm, at " \
	 "each instruction of it", WORDS_NONE},                              \
	{PROF_SOURCE, 0, "source", "FOLDER",                                 \
	 "look for source files there as well", WORDS_FILES},                \
	{PROF_CALLS, 0, "invocations", NULL,                                 \
	 "list how often each procedure was called, for retinst and the "    \
	 "like", WORDS_NONE},                                                \
	{PROF_INCLUSIVE, 0, "inclusive", NULL,                               \
	 "list procedures with all that they called, those with most first", \
	 WORDS_NONE},                                                        \
	{PROF_TOTALS, 0, "totals", NULL, "print totals only", WORDS_NONE},   \
	{PROF_ONLY, 0, "only", "PROC", "list this procedure only",           \
	 WORDS_NONE},                                                        \
	{PROF_ONLY_ALL, 0, "Only", "PROC",                                   \
	 "... and let percentages be of what is listed", WORDS_NONE},        \
	{PROF_EXCLUDE, 0, "exclude", "PROC", "do not list this procedure",   \
	 WORDS_NONE},                                                        \
	{PROF_EXCLUDE_ALL, 0, "Exclude", "PROC",                             \
	 "... and let percentages be of what is left", WORDS_NONE},          \
	{PROF_WITH, 0, "incobj", "FILE",                                     \
	 "list those of the program and of this file only", WORDS_FILES},    \
	{PROF_WITHOUT, 0, "excobj", "FILE", "do not list those of this file", \
	 WORDS_FILES},                                                       \
	{PROF_QUIT, 0, "quit", "N|N%|Ncum%",                                 \
	 "end after N entries, below N percent, or at N percent in all",     \
	 WORDS_NONE},                                                        \
	{PROF_NUMBERS, 0, "numbers", NULL,                                   \
	 "print the line where each procedure begins", WORDS_NONE},          \
	{PROF_ZERO, 0, "zero", NULL, "list procedures without any as well",  \
	 WORDS_NONE},                                                        \
	{PROF_EXPORT + EXPORT_MERGE, 0, "merge", "FILE",                     \
	 "write all profiles added up", WORDS_FILES},                        \
	{PROF_EVENT, 0, "event", "NAME", "list this event only",             \
	 WORDS_NONE},                                                        \
	{PROF_EXPORT + EXPORT_CALLGRIND, 0, "callgrind", "FILE",             \
	 "write it for KCachegrind and callgrind_annotate", WORDS_FILES},    \
	{PROF_EXPORT + EXPORT_FOLDED, 0, "folded", "FILE",                   \
	 "write stacks of procedures, for flame graphs",                     \
	 WORDS_FILES},                                                       \
	{PROF_EXPORT + EXPORT_JSON, 0, "json", "FILE", "write JSON",         \
	 WORDS_FILES},                                                       \
	{PROF_EXPORT + EXPORT_MARKDOWN, 0, "markdown", "FILE",               \
	 "write procedures as a table of Markdown", WORDS_FILES},            \
	{PROF_EXPORT + EXPORT_PPROF, 0, "pprof", "FILE",                     \
	 "write it for pprof, compressed", WORDS_FILES},                     \
	{PROF_EXPORT + EXPORT_SPEEDSCOPE, 0, "speedscope", "FILE",           \
	 "write it for speedscope", WORDS_FILES},                            \
	{PROF_EXPORT + EXPORT_HTML, 0, "html", "FILE",                       \
	 "write a page for a browser", WORDS_FILES},                         \
	PROF_REFUSED

/* A profile with what is known about its programs. */
struct prof {
	const struct tool *tool;
	const struct prof_options *o;
	struct pmcsim_umon *u;
	struct pmcsim_symbols *symbols;
	char **words;		/* of the command line, NULL-terminated */
	const char *program;	/* that it names, or NULL */
	const char *data;	/* first data file */
};

/* ---- prof_options.c */
/* Acts on an option of PROF_OPTIONS or PROF_ALL_OPTION; false if it is none of
 * them. */
bool prof_apply(const struct tool *tool, struct prof_options *o, int id,
		const char *argument);
/* Frees what prof_apply has kept. */
void prof_free_options(struct prof_options *o);
/* Whether there is something to be listed, -totals aside. */
bool prof_lists(const struct prof_options *o);
/* Whether there is something to be exported. */
bool prof_exports(const struct prof_options *o);
/* Ends the tool when options exclude each other. */
void prof_check(const struct tool *tool, const struct prof_options *o);

/* ---- prof_show.c */
/* Lists and exports what the options ask for. */
void prof_show(const struct prof *p);

/* ---- prof_rows.c */
/* Functions or lines, by the cost of an event; the caller's. */
struct pmcsim_profile_row *prof_rows(const struct prof *p, unsigned event,
				     enum pmcsim_rows kind, size_t *n);
/* Puts those with most first. */
void prof_sort(struct pmcsim_profile_row *row, size_t n, unsigned event);
/* Lines by procedure, those with most first. */
void prof_sort_lines(struct pmcsim_profile_row *row, size_t n,
		     unsigned event);
/* Order of rows by function, for qsort. */
int prof_by_function(const void *a, const void *b);
bool prof_same_function(const struct pmcsim_profile_row *a,
			const struct pmcsim_profile_row *b);

/* What of an event is listed, and of how much percentages are. */
struct prof_share {
	uint64_t base;		/* 100 % */
	uint64_t sum;		/* listed so far */
	size_t entries;
};

/* Whether -only and -exclude let a procedure be listed. */
bool prof_wanted(const struct prof_options *o, const char *name);
/* Whether those and -incobj and -excobj do. */
bool prof_listed(const struct prof *p, const struct pmcsim_profile_row *row);
/* Notes the names of -only and -exclude that no procedure of p has, nor one
 * of the other if that is not NULL, and those of files that it has not. */
void prof_check_names(const struct prof *p, const struct prof *other);
/* Begins a listing of rows. */
struct prof_share prof_begin(const struct prof *p, unsigned event,
			     const struct pmcsim_profile_row *row, size_t n);
/* The same for what is listed in another way than by functions. */
struct prof_share prof_begin_functions(const struct prof *p, unsigned event);
/* Whether -quit lets an entry of that cost be listed; counts it if so. */
bool prof_enter(const struct prof *p, struct prof_share *share,
		uint64_t cost);
double prof_percent(uint64_t part, uint64_t whole);

/* "file", "name", or what stands for those that are not known. */
const char *prof_name(const struct pmcsim_symbol *symbol);
const char *prof_base(const char *path);
/* The build that a row's name is one of if it is an address, or "". */
const char *prof_name_build(const struct prof *p,
			    const struct pmcsim_profile_row *row);
uint64_t prof_cost(const struct prof *p, unsigned event, uint64_t count);
/* The functions of an instruction, innermost first, as many as it returns. */
size_t prof_frames(const struct prof *p, unsigned module, uint64_t offset,
		   struct pmcsim_symbol frame[PMCSIM_FRAMES]);
/* Source file and line where a function begins. */
void prof_source(const struct prof *p, const struct pmcsim_profile_row *row,
		 struct pmcsim_symbol *symbol);

/* ---- prof_list.c, prof_asm.c */
void prof_list(const struct prof *p, unsigned event, FILE *out);
void prof_list_lines(const struct prof *p, unsigned event, bool heavy,
		     FILE *out);
void prof_list_instructions(const struct prof *p, unsigned event, FILE *out);
/* ---- prof_annotate.c */
struct prof_texts;
void prof_annotate(const struct prof *p, unsigned event,
		   struct prof_texts *texts, FILE *out);

/* ---- prof_list.c */
void prof_heading(const struct prof *p, unsigned event, const char *option,
		  const char *sorted, FILE *out);
/* What is not listed, and what cannot be attributed. */
void prof_remainder(const struct prof *p, unsigned event,
		    const struct prof_share *share, FILE *out);

/* A procedure, or line, and its file, with the number of the line. */
void prof_put_place(const struct prof *p, const struct pmcsim_profile_row *row,
		    bool number, FILE *out);

/* ---- prof_calls.c */
void prof_list_calls(const struct prof *p, unsigned event, FILE *out);

/* ---- prof_inclusive.c */
void prof_list_inclusive(const struct prof *p, unsigned event, FILE *out);

/* ---- prof_ratio.c */
void prof_ratios(const struct prof *p, FILE *out);
/* The ratio of two costs, or a dash. */
void prof_put_ratio(const struct pmcsim_ratio *r, uint64_t over,
		    uint64_t under, FILE *out);

/* ---- prof_regions.c */
/* Lists what the program did in its regions, if it has any. */
void prof_regions(const struct prof *p, FILE *out);
/* Regions for the files that have them. */
void prof_json_regions(const struct prof *p, FILE *out);
void prof_markdown_regions(const struct prof *p, FILE *out);

/* ---- exports, each of everything, in costs: prof_callgrind.c,
 * prof_folded.c, prof_html.c, prof_json.c, prof_markdown.c, prof_pprof.c,
 * prof_speedscope.c */
#define PROF_NOWHERE "(not attributed)" /* the function of what is so */
void prof_callgrind(const struct prof *p, FILE *out);
void prof_folded(const struct prof *p, FILE *out);
void prof_json(const struct prof *p, FILE *out);
/* Counts of the profile's events in JSON, as all tools have them, but of those
 * that are missing. */
void prof_json_counts(const struct prof *p, const uint64_t *count,
		      const bool *missing, FILE *out);
/* Of what options for listings leave. */
void prof_markdown(const struct prof *p, FILE *out);

/* Ends the head of a table: a pair of columns for each event, and the rule below,
 * which begins with that. */
void prof_markdown_columns(const struct prof *p, const char *rule, FILE *out);
void prof_pprof(const struct prof *p, FILE *out);
void prof_speedscope(const struct prof *p, FILE *out);
void prof_html(const struct prof *p, FILE *out);
void prof_html_diff(const struct prof *a, const struct prof *b, FILE *out);
/* What a function is called there: that without a name is its file. */
const char *prof_export_name(const struct prof *p,
			     const struct pmcsim_profile_row *row);
/* The event of -event, or the first. */
unsigned prof_chosen(const struct prof *p);

/* ---- prof_match.c */
/* Which files of two profiles are one; notes those that are in one profile
 * only. */
struct prof_match;
struct prof_match *prof_match_open(const struct prof *a, const struct prof *b);
/* What a file of the first (0) or second (1) is called together with its
 * other. */
const char *prof_match_name(const struct prof_match *m, unsigned side,
			    const char *file);
void prof_match_close(struct prof_match *m);

/* ---- prof_diff.c */

/* Lists what differs.  How many procedures, or totals, are beyond their limits;
 * each is named. */
unsigned prof_diff(const struct prof *a, const struct prof *b, FILE *out);

#endif
