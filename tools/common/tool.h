/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the tools share: option tables, from which getopt, --help and shell
 * completion are made; sentences on stderr; numbers.
 */
#ifndef TOOL_H
#define TOOL_H

#include "pmcsim.h"

#include <string.h>

/* Exit statuses of our own; else a tool's is the target's. */
enum {
	TOOL_USAGE = 64,
	TOOL_FAILED = 125,
	TOOL_NOT_EXECUTABLE = 126,
	TOOL_NOT_FOUND = 127
};

/* What shell completion offers for an argument. */
enum tool_words {
	WORDS_NONE,
	WORDS_FILES,
	WORDS_CPUS,
	WORDS_COMMANDS,
	WORDS_MACHINES,
	WORDS_MACHINES_COMMANDS, /* a machine, and then a command */
	WORDS_BOARDS,
	WORDS_EVENTS,		/* a list of events of "pmcsim stat" */
	WORDS_METRICS,		/* ... of its metrics */
	WORDS_GROUPS,		/* of pc_sweep */
	WORDS_MONITORED,	/* a list of events of an Itanium */
	WORDS_ITSELF		/* what --help calls it, and nothing else */
};

struct tool_option {
	int id;			/* for the tool; several may share one */
	int letter;		/* 0: none */
	const char *name;
	const char *argument;	/* what --help calls it; NULL: takes none; all
				 * in brackets: or none, or in the same word */
	const char *text;	/* of --help; NULL: another name, not shown */
	enum tool_words words;	/* that its argument is one of */
};

/* A command of a tool. */
struct tool_command {
	const struct tool *tool;	/* its name's last word is the command */
	int (*run)(int argc, char **argv);
};

struct tool {
	const char *name;	/* "pmcsim list" */
	const char *usage;	/* behind the name */
	const char *about;	/* lines of --help */
	const struct tool_option *option;
	size_t n_options;
	bool single_dash;	/* before the names of options, see below */
	enum tool_words operands;
	const struct tool_command *command;	/* NULL: has none */
	size_t n_commands;
};

/* The word that calls it. */
const char *tool_command_name(const struct tool_command *c);

/* The rows that every table ends with; tool_next acts on them. */
enum { TOOL_HELP = 1000, TOOL_VERSION, TOOL_COMPLETION };
#define TOOL_OPTIONS                                                         \
	{TOOL_HELP, 'h', "help", NULL, "show this text", WORDS_NONE},        \
	{TOOL_VERSION, 'V', "version", NULL, "show the version", WORDS_NONE}, \
	{TOOL_COMPLETION, 0, "completion", "SHELL", NULL, WORDS_NONE}

/*
 * The next option and its argument; NULL behind the last, and optind is the
 * first operand then.  Ends the tool with a sentence for one that is unknown
 * or incomplete, and after --help, --version and --completion.
 */
const struct tool_option *tool_next(const struct tool *tool, int argc,
				    char **argv, const char **argument);

/*
 * For tool_next, at its beginning: options of several letters behind one dash,
 * "-dirname path", become long ones, for a tool that has none to be combined.
 */
void tool_single_dash(const struct tool *tool, int argc, char **argv);

/* Whether the next word is its argument, if there is none in its own. */
static inline bool
tool_needs_argument(const struct tool_option *o)
{
	const char *a = o->argument;

	return a && !(*a == '[' && a[strlen(a) - 1] == ']');
}

/* What stands before the names of its options. */
static inline const char *
tool_dashes(const struct tool *tool)
{
	return tool->single_dash ? "-" : "--";
}

/* A word of the user's in a sentence: an empty one is "". */
static inline const char *
tool_word(const char *word)
{
	return *word ? word : "\"\"";
}

/* Says "name: sentence" on stderr, and ends the tool. */
__attribute__((format(printf, 2, 3)))
void tool_say(const struct tool *tool, const char *format, ...);
__attribute__((format(printf, 3, 4))) _Noreturn void
tool_fail(const struct tool *tool, int status, const char *format, ...);

/* The exit status for what pmcsim_machine_run and others return. */
int tool_status(int code);

/* Prints a text of unknown origin in a line: control characters as '?'. */
void tool_put(const char *text, FILE *out);

/* Says "name: note: sentence" on stderr, unless tool_quiet is set. */
__attribute__((format(printf, 2, 3)))
void tool_note(const struct tool *tool, const char *format, ...);
extern bool tool_quiet;

/* Notes that counts are those of a part: CSV has no place for it. */
void tool_note_partial(const struct tool *tool, bool partial);

/* A note for each doubt, see pmcsim_machine_doubts(). */
void tool_note_doubts(const struct tool *tool, unsigned doubts);

/*
 * Notes about what ran: programs that could not be emulated, whether threads
 * got out of turn, so that another run may count differently, and whether
 * processes were left.
 */
void tool_note_run(const struct tool *tool, unsigned uncounted,
		   bool unrepeatable, bool left);

/* Runs a command on the machine, stopped by the signals that tool_stop
 * counts, and says tool_note_run's notes about it; ends the tool with a
 * sentence when it could not be run. */
void tool_run(const struct tool *tool, struct pmcsim_machine *m,
	      struct pmcsim_start *start, struct pmcsim_exit *how);

/* The number that an option, dashes and name, has for an argument; ends the
 * tool if it is none from min to max. */
unsigned long tool_option_number(const struct tool *tool, const char *dashes,
				 const char *name, const char *text,
				 unsigned long min, unsigned long max);

/* A decimal number from 0 to max; false if the text is anything else. */
bool tool_number(const char *text, unsigned long max, unsigned long *number);

/* Ends the tool unless the file at path, if there is one, can be written. */
void tool_output_check(const struct tool *tool, const char *path);

/* Makes a folder and those above it, where they are not there, or ends the
 * tool. */
void tool_make_folders(const struct tool *tool, char *path);

/* Where a report goes. */
struct tool_output {
	const struct tool *tool;
	const char *path;
	struct pmcsim_output *file;
	FILE *stream;	/* to write to */
};

/* Opens the file at path, or makes do with the other stream if path is NULL;
 * ends the tool if that fails. */
void tool_output_open(struct tool_output *o, const struct tool *tool,
		      const char *path, bool append, FILE *other);

/* A stream to an open file descriptor, by another one that the command does not
 * have; ends the tool, naming the option, if there is none. */
FILE *tool_output_descriptor(const struct tool *tool, const char *option,
			     int fd);

/* The report has been written, or err, a negative errno code, says why not:
 * then a file stays as it was, and the tool ends. */
void tool_output_close(struct tool_output *o, int err);

/* Flushes stdout; fails the tool when something could not be written. */
void tool_flush(const struct tool *tool);

/* The CPU table of that name or file, or the tool fails. */
struct pmcsim_cpu *tool_cpu(const struct tool *tool, const char *name);

/* The words behind the tool's name as they are given, before tool_next() writes
 * options out.  The caller's. */
char **tool_given(const struct tool *tool, int argc, char **argv);

/* calloc that does not fail, but the tool does. */
void *tool_alloc(const struct tool *tool, size_t n, size_t size);

/* Closes a stream of open_memstream(), whose text is then there, or the tool
 * fails. */
void tool_close_text(const struct tool *tool, FILE *out, char *const *text);

/* Lets SIGXFSZ do nothing: the write fails as well, and that is told. */
void tool_outlive_file_limit(void);

/* That, and lets SIGINT, SIGTERM, SIGHUP count tool_stop up; what is ignored
 * stays so. */
void tool_catch_signals(void);
extern volatile int tool_stop;	 /* how many came */
extern volatile int tool_signal; /* the last one */

/* Prints the completion script of a tool and its subcommands. */
void tool_completion(const struct tool *tool, FILE *out);

#endif
