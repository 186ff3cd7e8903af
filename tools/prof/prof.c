/* SPDX-License-Identifier: GPL-2.0-or-later */
/* prof: shows profiles that uprofile has written. */
#include "prof.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LIMIT_FORM "[PROC=]PERCENT"

static const struct tool_option options[] = {PROF_OPTIONS, PROF_ALL_OPTION,
	{PROF_DIFF, 0, "diff", NULL, "compare two profiles", WORDS_NONE},
	{PROF_LIMIT, 0, "limit", LIMIT_FORM,
	 "with -diff: exit with status 1 if procedure PROC, or the total, has "
	 "risen by more", WORDS_NONE},
	TOOL_OPTIONS};

static const struct tool prof_tool = {
	.name = "prof",
	.usage = "[OPTION...] [PROGRAM] [" PROF_DATA "...]\n"
		 "       prof --diff [OPTION...] A B",
	.about = "Show where a program's events happened, as uprofile has "
		 "recorded them.",
	.option = options,
	.n_options = sizeof options / sizeof *options,
	.single_dash = true,
	.operands = WORDS_FILES,
};

static struct pmcsim_umon *
read_umon(const char *path)
{
	struct pmcsim_error error;
	struct pmcsim_umon *u;

	if (pmcsim_umon_read(path, &u, &error) != 0)
		tool_fail(&prof_tool, TOOL_FAILED, "%s", error.text);
	tool_note_doubts(&prof_tool, u->doubts);
	return u;
}

static bool
is_newer(const struct stat *a, const struct stat *b)
{
	return a->st_mtim.tv_sec > b->st_mtim.tv_sec ||
	       (a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
		a->st_mtim.tv_nsec > b->st_mtim.tv_nsec);
}

/* Whether a file is not the one that ran: has another build id, or is newer
 * than the data if it had none. */
static bool
is_other(const char *path, const char *build, const struct stat *data)
{
	struct stat now;
	char *id;
	bool other;

	if (stat(path, &now) != 0 || !S_ISREG(now.st_mode))
		return false;
	if (!build)
		return is_newer(&now, data);
	id = pmcsim_build_id(path);
	other = !id || strcmp(id, build) != 0;
	free(id);
	return other;
}

/* Names are those of the files as they are now: says which are others than
 * those that ran, and which cannot be read. */
static void
tell_changed(const struct pmcsim_umon *u, const char *data,
	     const char *program)
{
	const struct pmcsim_profile *f = u->profile;
	struct stat then;

	if (stat(data, &then) != 0)
		return;
	for (size_t i = 1; i < f->n_modules; i++) {
		const char *path = f->module[i];

		if (program && !strcmp(prof_base(path), prof_base(program)))
			continue;
		if (path[0] == '/' && access(path, R_OK) != 0)
			tool_note(&prof_tool, "%s: %s: its procedures have "
				  "no names", path, strerror(errno));
		else if (is_other(path, f->build ? f->build[i] : NULL, &then))
			tool_note(&prof_tool, "%s has changed since %s was "
				  "written: its procedures may be others",
				  path, data);
	}
}

static struct pmcsim_symbols *
new_symbols(const struct pmcsim_umon *u)
{
	struct pmcsim_symbols *symbols = pmcsim_umon_symbols(u);

	if (!symbols)
		tool_fail(&prof_tool, TOOL_FAILED, "out of memory");
	return symbols;
}

/* What listings and messages call the files together; the caller's. */
static char *
name_all(char *const *file)
{
	size_t bytes;
	char *name = NULL;
	FILE *out = open_memstream(&name, &bytes);

	if (!out)
		tool_fail(&prof_tool, TOOL_FAILED, "out of memory");
	for (const char *separator = ""; *file; file++, separator = " + ")
		fprintf(out, "%s%s", separator, *file);
	tool_close_text(&prof_tool, out, &name);
	return name;
}

/* Reads all files and adds them up. */
static void
read_all(struct prof *p, char *const *file)
{
	struct pmcsim_error error;

	p->u = read_umon(*file);
	tell_changed(p->u, *file, p->program);
	while (*++file) {
		struct pmcsim_umon *other = read_umon(*file);

		tell_changed(other, *file, p->program);
		if (pmcsim_umon_add(p->u, other, &error) != 0)
			tool_fail(&prof_tool, TOOL_FAILED, "%s: %s", *file,
				  error.text);
		pmcsim_umon_free(other);
	}
}

/* The module that a program of that path and build was, which a name tells at
 * least; 0: none. */
static size_t
find_module(const struct pmcsim_profile *f, const char *path,
	    const char *build)
{
	size_t found = 0;

	for (size_t i = f->n_modules; --i > 0;) {
		if (strcmp(prof_base(f->module[i]), prof_base(path)))
			continue;
		found = i;
		if (build && f->build && f->build[i] &&
		    !strcmp(f->build[i], build))
			break;
	}
	return found;
}

/* Takes symbols of the program that was named: it may have been moved, or
 * stripped where it ran. */
static void
take_program(struct prof *p)
{
	struct pmcsim_profile *f = p->u->profile;
	const char **module = (const char **)(void *)f->module;
	char *path, *build;
	bool other;
	size_t i;

	if (!p->program)
		return;
	if (access(p->program, R_OK) != 0)
		tool_fail(&prof_tool, TOOL_FAILED, "%s: %s", p->program,
			  strerror(errno));
	build = pmcsim_build_id(p->program);
	i = find_module(f, p->program, build);
	other = i && build && f->build && f->build[i] &&
		strcmp(f->build[i], build);
	free(build);
	if (!i)
		tool_fail(&prof_tool, TOOL_FAILED, "%s has no profile of %s",
			  p->data, p->program);
	if (other)
		tool_note(&prof_tool, "%s is another build than the program "
			  "of %s: its procedures may be others", p->program,
			  p->data);
	path = strdup(p->program);
	if (!path)
		tool_fail(&prof_tool, TOOL_FAILED, "out of memory");
	free((char *)module[i]);
	module[i] = path;
}

static void
show(const struct prof_options *o, char **words, char **operand)
{
	static char data[] = PROF_DATA, kernel[] = PROF_KERNEL;
	bool user = access(data, F_OK) == 0 || access(kernel, F_OK) != 0;
	char *files[] = {user ? data : kernel, NULL};
	struct prof p = {.tool = &prof_tool, .o = o, .words = words};
	char *name;

	if (*operand && !pmcsim_umon_is(*operand) &&
	    (operand[1] || access(*files, F_OK) == 0))
		p.program = *operand++;
	p.data = name = name_all(*operand ? operand : files);
	read_all(&p, *operand ? operand : files);
	take_program(&p);
	p.symbols = new_symbols(p.u);
	prof_show(&p);
	pmcsim_symbols_free(p.symbols);
	pmcsim_umon_free(p.u);
	free(name);
}

static void
write_page(const struct prof *a, const struct prof *b, const char *path)
{
	struct tool_output out;

	tool_output_open(&out, a->tool, strcmp(path, "-") ? path : NULL,
			 false, stdout);
	prof_html_diff(a, b, out.stream);
	tool_output_close(&out, 0);
}

/* The exit status. */
static int
compare(const struct prof_options *o, char **operand)
{
	struct prof a = {.tool = &prof_tool, .o = o}, b = a;
	unsigned beyond = 0;

	if (!operand[0] || !operand[1] || operand[2])
		tool_fail(&prof_tool, TOOL_USAGE,
			  "-diff compares two profiles; see --help");
	a.u = read_umon(operand[0]);
	b.u = read_umon(operand[1]);
	a.data = operand[0];
	b.data = operand[1];
	tell_changed(a.u, a.data, NULL);
	tell_changed(b.u, b.data, NULL);
	a.symbols = new_symbols(a.u);
	b.symbols = new_symbols(b.u);
	if (o->export[EXPORT_HTML])
		write_page(&a, &b, o->export[EXPORT_HTML]);
	else
		beyond = prof_diff(&a, &b, stdout);
	pmcsim_symbols_free(a.symbols);
	pmcsim_symbols_free(b.symbols);
	pmcsim_umon_free(a.u);
	pmcsim_umon_free(b.u);
	return beyond ? 1 : 0;
}

static void
check_operands(char **operand)
{
	for (; *operand; operand++)
		if (**operand == '-' && (*operand)[1])
			tool_fail(&prof_tool, TOOL_USAGE,
				  "%s: options come before files", *operand);
}

int
main(int argc, char **argv)
{
	struct prof_options o = {0};
	const struct tool_option *option;
	char **given = tool_given(&prof_tool, argc, argv);
	const char *argument;
	int status = 0;

	o.limit = tool_alloc(&prof_tool, (size_t)argc, sizeof *o.limit);
	while ((option = tool_next(&prof_tool, argc, argv, &argument)))
		if (option->id == PROF_LIMIT)
			o.limit[o.n_limits++] = limit_parse(
				&prof_tool, argument, LIMIT_FORM);
		else
			prof_apply(&prof_tool, &o, option->id, argument);
	prof_check(&prof_tool, &o);
	if (strcmp(argv[optind - 1], "--"))
		check_operands(argv + optind);
	if (o.diff)
		status = compare(&o, argv + optind);
	else
		show(&o, given, argv + optind);
	tool_flush(&prof_tool);
	prof_free_options(&o);
	free(given);
	return status;
}
