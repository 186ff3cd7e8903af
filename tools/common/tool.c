/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the tools share. */
#include "tool.h"

#include "completion.h"
#include "progress.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LONG_BASE 256	/* val of the first row's long option */
#define HELP_COLUMN 28

volatile int tool_stop;
volatile int tool_signal;
bool tool_quiet;

/*
 * A standard stream that is closed gets something that refuses what a closed
 * one refuses.  Else the machine would get its number, and be written to.
 */
__attribute__((constructor)) static void
occupy_streams(void)
{
	for (int fd = 0; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
}

/*
 * In a build tree a script starts the tool, libtool's or one of the tests', and tells the
 * loader where the library is: in front of all else, the folder that the tool is in.
 * Commands are to find the environment that they would find elsewhere, or each
 * of them would look for its libraries there, and count that.
 */
__attribute__((constructor)) static void
leave_build_tree(void)
{
	const char *path = getenv("LD_LIBRARY_PATH");
	char own[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", own, sizeof own);

	while (n > 0 && own[n - 1] != '/')
		n--;
	if (!path || n < 2 || strncmp(path, own, (size_t)n - 1) != 0)
		return;
	path += n - 1;
	if (*path == ':')
		setenv("LD_LIBRARY_PATH", path + 1, 1);
	else if (!*path)
		unsetenv("LD_LIBRARY_PATH");
}

/*
 * Sentences begin with the name at fault, which shows even if it is empty, and
 * are one line whatever is in it.
 */
static void
say(const struct tool *tool, const char *what, const char *format, va_list ap)
{
	char *text = NULL;

	if (vasprintf(&text, format, ap) < 0)
		text = NULL;
	fflush(stdout);
	fprintf(stderr, "%s: %s%s", tool->name, what,
		text && *text == ':' ? "\"\"" : "");
	tool_put(text ? text : "out of memory", stderr);
	fputc('\n', stderr);
	free(text);
}

void
tool_say(const struct tool *tool, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	say(tool, "", format, ap);
	va_end(ap);
}

void
tool_note(const struct tool *tool, const char *format, ...)
{
	va_list ap;

	if (tool_quiet)
		return;
	va_start(ap, format);
	say(tool, "note: ", format, ap);
	va_end(ap);
}

_Noreturn void
tool_fail(const struct tool *tool, int status, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	say(tool, "", format, ap);
	va_end(ap);
	exit(status);
}

const char *
tool_command_name(const struct tool_command *c)
{
	return strrchr(c->tool->name, ' ') + 1;
}

void
tool_put(const char *text, FILE *out)
{
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		fputc(c < ' ' || c == 0x7f ? '?' : c, out);
	}
}

/* ---- Options --------------------------------------------------------- */

static void
print_option(const struct tool *tool, const struct tool_option *o, FILE *out)
{
	char left[80], letter[8] = "    ";
	int n;

	if (o->letter)
		snprintf(letter, sizeof(letter), "-%c, ", o->letter);
	n = snprintf(left, sizeof(left), "  %s%s%s%s%s", letter,
		     tool_dashes(tool), o->name, o->argument ? " " : "",
		     o->argument ? o->argument : "");
	if (n < HELP_COLUMN - 1)
		fprintf(out, "%-*s%s\n", HELP_COLUMN, left, o->text);
	else
		fprintf(out, "%s\n%*s%s\n", left, HELP_COLUMN, "", o->text);
}

static void
print_help(const struct tool *tool, FILE *out)
{
	fprintf(out, "Usage: %s %s\n%s\n\n", tool->name, tool->usage,
		tool->about);
	for (size_t i = 0; i < tool->n_options; i++)
		if (tool->option[i].text)
			print_option(tool, &tool->option[i], out);
}

/* The table as getopt_long wants it: three letters and an option for each row,
 * and an end. */
static void
make_getopt(const struct tool *tool, char *letters, struct option *longs)
{
	*letters++ = '+';
	*letters++ = ':';
	for (size_t i = 0; i < tool->n_options; i++) {
		const struct tool_option *o = &tool->option[i];

		longs[i] = (struct option){
			.name = o->name,
			.has_arg = tool_needs_argument(o) ? required_argument :
				   o->argument ? optional_argument :
						 no_argument,
			.val = LONG_BASE + (int)i,
		};
		if (!o->letter)
			continue;
		*letters++ = (char)o->letter;
		if (o->argument)
			*letters++ = ':';
		if (o->argument && !tool_needs_argument(o))
			*letters++ = ':';
	}
	*letters = '\0';
	longs[tool->n_options] = (struct option){0};
}

static const struct tool_option *
find_option(const struct tool *tool, int c)
{
	if (c >= LONG_BASE)
		return &tool->option[c - LONG_BASE];
	for (size_t i = 0; i < tool->n_options; i++)
		if (tool->option[i].letter == c)
			return &tool->option[i];
	return NULL;
}

/* Ends the tool if that is the beginning of several options. */
static void
refuse_ambiguous(const struct tool *tool, const char *name)
{
	size_t length = strcspn(name, "="), n = 0;
	char list[400] = "";
	size_t used = 0;

	for (size_t i = 0; i < tool->n_options && length; i++) {
		const struct tool_option *o = &tool->option[i];

		if (strncmp(o->name, name, length) || !o->text)
			continue;
		if (used < sizeof list)
			used += (size_t)snprintf(list + used,
						 sizeof list - used,
						 "%s%s%s", n ? ", " : "",
						 tool_dashes(tool), o->name);
		n++;
	}
	if (n)
		tool_fail(tool, TOOL_USAGE,
			  "option %s%.*s is not known; there %s %s",
			  tool_dashes(tool), (int)length, name,
			  n > 1 ? "are" : "is", list);
}

/* The option that getopt stumbled over, as it was written. */
static _Noreturn void
refuse(const struct tool *tool, int c, char *const *argv)
{
	const struct tool_option *o = optopt ? find_option(tool, optopt) : NULL;
	const char *dashes = tool_dashes(tool), *word = argv[optind - 1];

	word += strspn(word, "-");
	if (c == ':' && o)
		tool_fail(tool, TOOL_USAGE,
			  "option %s%s needs an argument; see --help", dashes,
			  o->name);
	if (o)
		tool_fail(tool, TOOL_USAGE,
			  "option %s%s takes no argument; see --help", dashes,
			  o->name);
	if (optopt)
		tool_fail(tool, TOOL_USAGE,
			  "there is no option -%c; see --help", optopt);
	refuse_ambiguous(tool, word);
	tool_fail(tool, TOOL_USAGE, "there is no option %s%s; see --help",
		  dashes, word);
}

static _Noreturn void
end_early(const struct tool *tool, int id, const char *argument)
{
	if (id == TOOL_HELP)
		print_help(tool, stdout);
	else if (id == TOOL_VERSION)
		printf("%s (pmcsim) %s\n", tool->name, pmcsim_version());
	else if (strcmp(argument, "bash") == 0)
		tool_completion(tool, stdout);
	else if (strcmp(argument, "zsh") == 0)
		completion_zsh(tool, stdout);
	else if (strcmp(argument, "fish") == 0)
		completion_fish(tool, stdout);
	else
		tool_fail(tool, TOOL_USAGE,
			  "no completion for %s: only bash, zsh, fish",
			  argument);
	tool_flush(tool);
	exit(0);
}

const struct tool_option *
tool_next(const struct tool *tool, int argc, char **argv,
	  const char **argument)
{
	struct option *longs = tool_alloc(tool, tool->n_options + 1,
					  sizeof *longs);
	char *letters = tool_alloc(tool, tool->n_options + 1, 3);
	const struct tool_option *o;
	int c;

	if (tool->single_dash && optind == 1)
		tool_single_dash(tool, argc, argv);
	make_getopt(tool, letters, longs);
	opterr = 0;
	c = getopt_long(argc, argv, letters, longs, NULL);
	free(letters);
	free(longs);
	if (c == -1)
		return NULL;
	if (c == '?' || c == ':')
		refuse(tool, c, argv);
	o = find_option(tool, c);
	*argument = optarg;
	if (o->id >= TOOL_HELP)
		end_early(tool, o->id, optarg);
	return o;
}

/* ---- The rest -------------------------------------------------------- */

int
tool_status(int code)
{
	switch (code) {
	case -ENOENT:
		return TOOL_NOT_FOUND;
	case -EACCES:
	case -ENOEXEC:
	case -ENOTSUP:
		return TOOL_NOT_EXECUTABLE;
	default:
		return TOOL_FAILED;
	}
}

bool
tool_number(const char *text, unsigned long max, unsigned long *number)
{
	char *end;

	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	*number = strtoul(text, &end, 10);
	return !*end && !errno && *number <= max;
}

unsigned long
tool_option_number(const struct tool *tool, const char *dashes,
		   const char *name, const char *text, unsigned long min,
		   unsigned long max)
{
	unsigned long n;

	if (!tool_number(text, max, &n) || n < min)
		tool_fail(tool, TOOL_USAGE,
			  "%s%s %s: not a number from %lu to %lu", dashes,
			  name, tool_word(text), min, max);
	return n;
}

void
tool_flush(const struct tool *tool)
{
	if (fflush(stdout) != 0 || ferror(stdout))
		tool_fail(tool, TOOL_FAILED, "standard output: %s",
			  strerror(errno));
}

struct pmcsim_cpu *
tool_cpu(const struct tool *tool, const char *name)
{
	struct pmcsim_error error;
	struct pmcsim_cpu *cpu;

	if (pmcsim_cpu_load(name, &cpu, &error) != 0)
		tool_fail(tool, TOOL_FAILED, "%s", error.text);
	return cpu;
}

void *
tool_alloc(const struct tool *tool, size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size);

	if (!p)
		tool_fail(tool, TOOL_FAILED, "out of memory");
	return p;
}

char **
tool_given(const struct tool *tool, int argc, char **argv)
{
	char **given = tool_alloc(tool, (size_t)argc, sizeof *given);

	for (int i = 1; i < argc; i++)
		given[i - 1] = argv[i];
	return given;
}

void
tool_close_text(const struct tool *tool, FILE *out, char *const *text)
{
	if (fclose(out) != 0 || !*text)
		tool_fail(tool, TOOL_FAILED, "out of memory");
}

static void
on_signal(int signal)
{
	tool_signal = signal;
	tool_stop++;
}

static void
on_file_limit(int signal)
{
	(void)signal;
}

void
tool_outlive_file_limit(void)
{
	struct sigaction nothing = {.sa_handler = on_file_limit}, before;

	if (sigaction(SIGXFSZ, NULL, &before) == 0 &&
	    before.sa_handler != SIG_IGN)
		sigaction(SIGXFSZ, &nothing, NULL);
}

void
tool_catch_signals(void)
{
	static const int caught[] = {SIGINT, SIGTERM, SIGHUP};
	struct sigaction action = {.sa_handler = on_signal}, before;

	tool_outlive_file_limit();
	for (size_t i = 0; i < sizeof(caught) / sizeof(*caught); i++)
		if (sigaction(caught[i], NULL, &before) == 0 &&
		    before.sa_handler != SIG_IGN)
			sigaction(caught[i], &action, NULL);
}

void
tool_note_partial(const struct tool *tool, bool partial)
{
	if (partial)
		tool_note(tool, "partial: stopped before the end, figures are "
			  "too low or missing");
}

void
tool_note_doubts(const struct tool *tool, unsigned doubts)
{
	for (unsigned n = 0; pmcsim_doubt_name(n); n++)
		if (doubts >> n & 1)
			tool_note(tool, "%s", pmcsim_doubt_text(n));
}

void
tool_note_run(const struct tool *tool, unsigned uncounted, bool unrepeatable,
	      bool left)
{
	if (uncounted > 0)
		tool_note(tool,
			  "%u program%s that the command executed could not be "
			  "emulated and %s not counted",
			  uncounted, uncounted == 1 ? "" : "s",
			  uncounted == 1 ? "is" : "are");
	if (unrepeatable)
		tool_note(tool,
			  "threads did not take turns while the counters "
			  "counted; they may count differently another time");
	if (left)
		tool_note(tool,
			  "the command left processes running; what they do "
			  "after its end is not counted");
}

void
tool_run(const struct tool *tool, struct pmcsim_machine *m,
	 struct pmcsim_start *start, struct pmcsim_exit *how)
{
	unsigned uncounted = pmcsim_machine_uncounted(m);
	struct pmcsim_error error;
	int err;

	start->stop = &tool_stop;
	tool_catch_signals();
	progress_begin(m, start);
	err = pmcsim_machine_run(m, start, how, &error);
	progress_end(m);
	if (err != 0)
		tool_fail(tool, tool_status(err), "%s", error.text);
	tool_note_run(tool, pmcsim_machine_uncounted(m) - uncounted,
		      pmcsim_machine_unrepeatable(m), how->left);
	tool_note_doubts(tool, pmcsim_machine_doubts(m));
}
