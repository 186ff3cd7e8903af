/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options that prof and uprofile share. */
#include "prof.h"

#include <stdlib.h>
#include <string.h>

static void
add_name(const struct tool *tool, struct prof_names *names, const char *name)
{
	const char **list;

	if (names->n == names->room) {
		names->room += 16;
		list = reallocarray(names->name, names->room, sizeof *list);
		if (!list)
			tool_fail(tool, TOOL_FAILED, "out of memory");
		names->name = list;
	}
	names->name[names->n++] = name;
}

/* "10", "2.5%", "90cum%". */
static void
set_quit(const struct tool *tool, struct prof_options *o, const char *text)
{
	char *end = (char *)text;
	unsigned long n;

	if (tool_number(text, UINT32_MAX, &n)) {
		o->quit = QUIT_ENTRIES;
		o->quit_value = (double)n;
		return;
	}
	if (strspn(text, "0123456789."))
		o->quit_value = strtod(text, &end);
	if (end != text && !strcmp(end, "%"))
		o->quit = QUIT_PERCENT;
	else if (end != text && !strcmp(end, "cum%"))
		o->quit = QUIT_CUMULATIVE;
	else
		tool_fail(tool, TOOL_USAGE,
			  "-quit %s: not N, N%% or Ncum%%", text);
	if (o->quit_value > 100)
		tool_fail(tool, TOOL_USAGE, "-quit %s: more than 100 %%",
			  text);
}

static bool
apply_argument(const struct tool *tool, struct prof_options *o, int id,
	       const char *argument)
{
	if (id >= PROF_EXPORT && id < PROF_EXPORT + PROF_EXPORTS) {
		o->export[id - PROF_EXPORT] = argument;
		return true;
	}
	switch (id) {
	case PROF_ONLY_ALL:
	case PROF_ONLY:
		o->renormalise |= id == PROF_ONLY_ALL;
		add_name(tool, &o->only, argument);
		return true;
	case PROF_EXCLUDE_ALL:
	case PROF_EXCLUDE:
		o->renormalise |= id == PROF_EXCLUDE_ALL;
		add_name(tool, &o->exclude, argument);
		return true;
	case PROF_WITH:
		add_name(tool, &o->with, argument);
		return true;
	case PROF_WITHOUT:
		add_name(tool, &o->without, argument);
		return true;
	case PROF_SOURCE:
		add_name(tool, &o->source, argument);
		return true;
	case PROF_ALL:
		return true;	/* what is listed in any case */
	case PROF_QUIT:
		set_quit(tool, o, argument);
		return true;
	case PROF_EVENT:
		o->event = argument;
		return true;
	default:
		return false;
	}
}

static bool *
flag_of(struct prof_options *o, int id)
{
	switch (id) {
	case PROF_PROCEDURES:
		return &o->procedures;
	case PROF_HEAVY:
		return &o->heavy;
	case PROF_LINES:
		return &o->lines;
	case PROF_ASM:
		return &o->instructions;
	case PROF_ANNOTATE:
		return &o->annotate;
	case PROF_CALLS:
		return &o->calls;
	case PROF_INCLUSIVE:
		return &o->inclusive;
	case PROF_TOTALS:
		return &o->totals;
	case PROF_NUMBERS:
		return &o->numbers;
	case PROF_ZERO:
		return &o->zero;
	case PROF_DIFF:
		return &o->diff;
	default:
		return NULL;
	}
}

static void
refuse(const struct tool *tool, int id)
{
	static const struct {
		const char *name, *why;
	} refused[] = {
		{"pixie and -pixstats", "programs are not rewritten to count: "
		 "-exact of uprofile has the frequency of each instruction"},
		{"testcoverage", "lines that were executed are those that "
		 "-lines has of a profile that is -exact"},
		{"disassemble", "-asm has the instructions of each procedure"},
		{"feedback", "compilers take counts of edges, which are not "
		 "recorded"},
		{"threads", "a profile is of all threads together"},
		{"truecycles", "cycles are counted as they pass: there is "
		 "nothing to be estimated"},
	};

	if (id < PROF_PIXIE || id > PROF_TRUECYCLES)
		return;
	tool_fail(tool, TOOL_USAGE, "-%s: %s", refused[id - PROF_PIXIE].name,
		  refused[id - PROF_PIXIE].why);
}

bool
prof_apply(const struct tool *tool, struct prof_options *o, int id,
	   const char *argument)
{
	bool *flag = flag_of(o, id);

	refuse(tool, id);
	if (flag)
		return *flag = true;
	return apply_argument(tool, o, id, argument);
}

void
prof_free_options(struct prof_options *o)
{
	free(o->only.name);
	free(o->exclude.name);
	free(o->with.name);
	free(o->without.name);
	free(o->source.name);
	for (size_t i = 0; i < o->n_limits; i++)
		free(o->limit[i].name);
	free(o->limit);
}

/* Each export has a file, or standard output, for itself. */
static void
check_exports(const struct tool *tool, const struct prof_options *o)
{
	const char *const *file = o->export;

	for (size_t i = 0; i < PROF_EXPORTS; i++)
		for (size_t k = 0; file[i] && k < i; k++)
			if (file[k] && !strcmp(file[i], file[k]))
				tool_fail(tool, TOOL_USAGE,
					  "%s: two exports cannot be one file",
					  file[i]);
}

bool
prof_lists(const struct prof_options *o)
{
	return o->procedures || o->heavy || o->lines || o->instructions ||
	       o->annotate || o->calls || o->inclusive;
}

bool
prof_exports(const struct prof_options *o)
{
	for (size_t i = 0; i < PROF_EXPORTS; i++)
		if (o->export[i])
			return true;
	return false;
}

/* Of two profiles there is a listing or a page. */
static void
check_diff(const struct tool *tool, const struct prof_options *o)
{
	struct prof_options rest = *o;
	bool part = o->only.n || o->exclude.n || o->quit || o->heavy;

	if (o->n_limits && (!o->diff || o->export[EXPORT_HTML]))
		tool_fail(tool, TOOL_USAGE,
			  "-limit goes with a listing of -diff");
	if (!o->diff)
		return;
	rest.heavy = false;
	rest.export[EXPORT_HTML] = NULL;
	if (prof_lists(&rest) || prof_exports(&rest) || o->totals || o->zero ||
	    o->numbers || o->renormalise || o->with.n || o->without.n)
		tool_fail(tool, TOOL_USAGE,
			  "-diff goes with -heavy, -only, -exclude, -quit, "
			  "-html, -event and -limit only");
	if (o->export[EXPORT_HTML] && part)
		tool_fail(tool, TOOL_USAGE,
			  "-html of two profiles is of everything");
}

void
prof_check(const struct tool *tool, const struct prof_options *o)
{
	bool listing = prof_lists(o);
	bool files = o->with.n || o->without.n;
	bool part = o->only.n || o->exclude.n || files || o->quit;
	struct prof_options rest = *o;

	check_exports(tool, o);
	rest.export[EXPORT_MARKDOWN] = NULL;
	if (o->only.n && o->exclude.n)
		tool_fail(tool, TOOL_USAGE,
			  "-only and -exclude exclude each other");
	if (o->with.n && o->without.n)
		tool_fail(tool, TOOL_USAGE,
			  "-incobj and -excobj exclude each other");
	if (prof_exports(&rest) && part && !listing)
		tool_fail(tool, TOOL_USAGE,
			  "%s are for listings: what is exported is everything",
			  files ? "-incobj and -excobj" :
				  "-only, -exclude and -quit");
	if (o->totals && (listing || part || o->zero || o->numbers))
		tool_fail(tool, TOOL_USAGE, "-totals lists no procedures");
	if ((o->zero || o->numbers) && listing && !o->procedures && !o->calls)
		tool_fail(tool, TOOL_USAGE,
			  "-zero and -numbers go with -procedures and "
			  "-invocations");
	if (o->inclusive && (o->quit == QUIT_CUMULATIVE || o->renormalise))
		tool_fail(tool, TOOL_USAGE,
			  "procedures that call each other have more than 100 %% "
			  "together: -inclusive goes with -only, -exclude, and "
			  "-quit N or N%%");
	if (o->source.n && !o->annotate && !o->export[EXPORT_HTML])
		tool_fail(tool, TOOL_USAGE,
			  "-source is for -annotate and -html");
	check_diff(tool, o);
}
