/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * uprofile and kprofile: options -> machine -> run -> profile in a file ->
 * prof.
 */
#ifndef RECORD_H
#define RECORD_H

#include "common/outside.h"
#include "common/regions.h"
#include "prof/prof.h"

/* Which processors are looked at: an Alpha here has one. */
enum record_cpus { CPUS_ALL, CPUS_EACH, CPUS_ONE };

/* Modes, as in struct pmcsim_slot. */
#define RECORD_USER 8u
#define RECORD_KERNEL 3u	/* exception level too */

struct recording;

struct record_options {
	const struct tool *tool;
	const char *data;	/* name of the profile's file */
	const char *cpu;
	struct system_option system;
	struct outside outside;
	struct regions_option regions; /* with a name: only that is profiled */
	const char *folder;	/* -dirname; NULL: where we are */
	unsigned modes;		/* that are profiled */
	enum record_cpus cpus;
	unsigned n_cpus;	/* 0: as the table says */
	bool pids, verbose, quiet, exact, average, calls, display;
	unsigned long period;	/* 0: the device's */
	bool has_stride;
	unsigned long stride;	/* instructions per place; 0: all in one */
	struct prof_options prof;
	/* Names places before they are joined; NULL: they have names */
	void (*name)(const struct recording *p, struct pmcsim_umon *u);
	char **given;		/* the words of the command line */
	char **operand;		/* statistics, then the command */
	bool command_only;	/* "--" says that there are no statistics */
};

/* Identities of these options; a tool's own are smaller. */
enum {
	RECORD_EXACT = 50,
	RECORD_PERIOD,
	RECORD_FOLDER,
	RECORD_STRIDE,
	RECORD_AVERAGE,
	RECORD_VERBOSE,
	RECORD_QUIET,
	RECORD_DISPLAY,
	RECORD_CPU
};

/* Rows of option tables. */
#define RECORD_OPTIONS(usual_cpu)                                            \
	{RECORD_EXACT, 0, "exact", NULL,                                     \
	 "attribute every event, not one in so many", WORDS_NONE},           \
	{RECORD_PERIOD, 0, "period", "N",                                    \
	 "sample one event in N [the device's]", WORDS_NONE},                \
	{RECORD_FOLDER, 0, "dirname", "PATH", "write to this folder",        \
	 WORDS_FILES},                                                       \
	{RECORD_STRIDE, 0, "stride", "N",                                    \
	 "count N instructions together, a power of two; 0: all",            \
	 WORDS_NONE},                                                        \
	{RECORD_AVERAGE, 0, "average", NULL,                                 \
	 "share samples among the instructions of a block", WORDS_NONE},     \
	{RECORD_VERBOSE, 'v', "verbose", NULL, "say what is done",           \
	 WORDS_NONE},                                                        \
	{RECORD_QUIET, 0, "quiet", NULL, "do not warn", WORDS_NONE},         \
	{RECORD_DISPLAY, 0, "display", NULL,                                 \
	 "show the profile afterwards, as any option of prof does",          \
	 WORDS_NONE},                                                        \
	{RECORD_CPU, 0, "cpu", "NAME|FILE", "CPU table [" usual_cpu "]",     \
	 WORDS_CPUS}

/* ---- record_options.c */
/* Acts on an option of RECORD_OPTIONS; false if it is none of them. */
bool record_apply(struct record_options *o, int id, const char *argument);
/* When all have been seen: takes the operands, or ends the tool. */
void record_check(struct record_options *o, char **argv);

struct recording {
	const struct record_options *o;
	struct pmcsim_cpu *cpu;
	struct pmcsim_machine *machine;
	struct pmcsim_kernel *kernel; /* that names places, or NULL */
	const struct pmcsim_event *event[PMCSIM_PROFILE_EVENTS];
	struct pmcsim_slot slot[PMCSIM_PROFILE_EVENTS];
	const struct pmcsim_metric *metric[PMCSIM_PROFILE_EVENTS];
	struct pmcsim_quotient quotient[PMCSIM_PROFILE_EVENTS];
	size_t n_metrics;
	unsigned n_counters;	/* of the device */
	struct pmcsim_run run;
	char **command;
	int status;
};

/* ---- record_words.c */
/* Takes statistics from the operands, or the usual one; the command is what
 * is left, and may be empty. */
void record_words(struct recording *p);

/* ---- record_run.c; each ends the tool where it cannot go on */
/* Whether the profile's file can be written. */
void record_check_file(const struct recording *p);
/* Makes a machine, and asks it for the profile. */
void record_ask(struct recording *p);
/* Runs the command there; its status is p's. */
void record_run(struct recording *p, struct pmcsim_exit *how);
/* The profile; the caller's. */
struct pmcsim_umon *record_read(const struct recording *p,
				const struct pmcsim_exit *how);
/* Writes it; the file's name is the caller's. */
char *record_write(const struct recording *p, const struct pmcsim_umon *u);
/* Shows it as prof does. */
void record_display(const struct recording *p, struct pmcsim_umon *u,
		    const char *path);
void record_free(struct recording *p);

#endif
