/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a command gets from outside: whose turn its threads' is, what time it
 * is, random numbers.  It decides whether runs repeat.  These are options of
 * all tools that make a machine and run a command on it.
 */
#ifndef OUTSIDE_H
#define OUTSIDE_H

#include "system_option.h"

/* Identities of these options; a tool's own are smaller. */
enum { OUTSIDE_THREADS = 900, OUTSIDE_CLOCK, OUTSIDE_RANDOM, OUTSIDE_ENGINE,
       OUTSIDE_ISA, OUTSIDE_ENV, OUTSIDE_PIPELINE };

/* Rows of option tables. */
#define OUTSIDE_OPTIONS                                                   \
	{OUTSIDE_THREADS, 0, "threads", "parallel",                       \
	 "let threads run side by side; not repeatable", WORDS_ITSELF},   \
	{OUTSIDE_CLOCK, 0, "clock", "machine",                            \
	 "let the command read the machine's clock", WORDS_ITSELF},       \
	{OUTSIDE_RANDOM, 0, "random", "SEED",                             \
	 "the same random numbers in each run: those of SEED", WORDS_NONE}

/* ... of those that run a command, now. */
#define ENGINE_OPTION                                                     \
	{OUTSIDE_ENGINE, 0, "engine", "NAME",                             \
	 "what executes x86-64 programs: qemu or native", WORDS_NONE},     \
	{OUTSIDE_ISA, 0, "isa", "LEVEL",                                  \
	 "the processor that these see: v1, v2, v3 or v4", WORDS_NONE},    \
	{OUTSIDE_ENV, 0, "env", "clean|NAME[=VALUE]",                     \
	 "the command's variables: few and fixed, or one more", WORDS_NONE}

/* ... of those that have --cpu. */
#define PIPELINE_OPTION                                                   \
	{OUTSIDE_PIPELINE, 0, "pipeline", "KIND",                         \
	 "how issue out of order is timed: window or interval", WORDS_NONE}

struct outside {
	bool parallel, clock, seeded, isa, pipeline;
	unsigned long seed;
};

/* Acts on an option of OUTSIDE_OPTIONS, ENGINE_OPTION or PIPELINE_OPTION; false if it is none of
 * them.  Ends the tool if its argument is none that it takes. */
bool outside_apply(const struct tool *tool, struct outside *o, int id,
		   const char *argument);

/* The first of these options that was given; NULL: none. */
const char *outside_given(const struct outside *o);

/* Ends the tool if the command runs on a board, and one was given. */
void outside_check(const struct tool *tool, const struct outside *o,
		   const struct system_option *s);

/* What executes the command, as reports have it; NULL: there is none. */
const char *outside_engine(const struct system_option *s,
			   char *const *command);

/* The level of the processor that the command sees, as reports have it; NULL:
 * it is no program that sees one. */
const char *outside_isa(const struct system_option *s, char *const *command);

/* The hash of the variables that it starts with, until the next call; NULL:
 * there is no command. */
const char *outside_environment(char *const *command);

/* Engine, level and environment of a report in JSON, each with a comma
 * before. */
void outside_engine_json(const struct system_option *s, char *const *command,
			 FILE *out);

/* Tells the machine. */
void outside_set(const struct outside *o, struct pmcsim_machine *m);

#endif
