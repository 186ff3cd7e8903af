/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "pmcsim compare": two reports in JSON, and limits for what changes. */
#include "compare.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { OPT_CHANGED = 1, OPT_LIMIT, OPT_FAIL, OPT_MARKDOWN };

#define EXCEEDED 1	/* exit status */

static const struct tool_option options[] = {
	{OPT_CHANGED, 0, "changed", NULL, "only what differs", WORDS_NONE},
	{OPT_LIMIT, 0, "limit", "[NAME=]PERCENT",
	 "exit with status 1 if NAME, or any count, has risen by more; "
	 "-PERCENT: fallen",
	 WORDS_NONE},
	MARKDOWN_OPTION(OPT_MARKDOWN),
	{OPT_FAIL, 0, "fail-if", "CONDITION", NULL, WORDS_NONE},
	TOOL_OPTIONS,
};

const struct tool compare_tool = {
	.name = "pmcsim compare",
	.usage = "[OPTION...] OLD NEW",
	.about = "Compare two reports that a tool has written with --json: "
		 "counts and metrics\nside by side, what they differ by, and "
		 "whether that is within limits.",
	.option = options,
	.n_options = sizeof(options) / sizeof(*options),
	.operands = WORDS_FILES,
};

struct limit {
	const char *text;	/* as it was given */
	char *name;		/* NULL: all counts */
	uint64_t percent;	/* in units of 1 / PARTS */
	bool falls;		/* it is how far they may fall */
};

#define PARTS 1000000u		/* of a percent: six digits */
#define WHOLE_DIGITS 9
#define ROUNDED 1e-12

/* ---- Options ------------------------------------------------------------ */

/* "1", "0.25", "5%": percent; false if it is anything else. */
static bool
parse_percent(const char *text, uint64_t *percent)
{
	size_t whole = strspn(text, "0123456789");
	const char *point = text + whole;

	if (!whole || whole > WHOLE_DIGITS)
		return false;
	*percent = PARTS * strtoull(text, NULL, 10);
	if (*point != '.')
		return !strcmp(point, "%") || !*point;
	if (point[1] < '0' || point[1] > '9')
		return false;
	point++;
	for (unsigned unit = PARTS / 10; unit; unit /= 10) {
		if (*point < '0' || *point > '9')
			break;
		*percent += unit * (unsigned)(*point++ - '0');
	}
	return !strcmp(point, "%") || !*point;
}

static struct limit
parse_limit(const char *text)
{
	const char *equals = strrchr(text, '=');
	const char *number = equals ? equals + 1 : text;
	struct limit limit = {.text = text, .falls = *number == '-'};

	number += *number == '-' || *number == '+';
	if (!parse_percent(number, &limit.percent) || equals == text)
		tool_fail(&compare_tool, TOOL_USAGE,
			  "--limit %s: not [NAME=]PERCENT", text);
	if (equals) {
		limit.name = tool_alloc(&compare_tool,
					(size_t)(equals - text) + 1, 1);
		memcpy(limit.name, text, (size_t)(equals - text));
	}
	return limit;
}

static struct pmcsim_figures *
read_figures(const char *path)
{
	struct pmcsim_figures *figures;
	struct pmcsim_error error;

	if (pmcsim_figures_read(path, &figures, &error) != 0)
		tool_fail(&compare_tool, TOOL_FAILED, "%s", error.text);
	if (figures->partial)
		tool_note(&compare_tool, "%s is of a part: the run was stopped",
			  path);
	return figures;
}

/* ---- Limits ------------------------------------------------------------- */

/* Whether the limit is about that figure. */
static bool
concerns(const struct limit *limit, const struct pmcsim_figure *f)
{
	return limit->name ? !strcasecmp(limit->name, f->name)
			   : !f->metric && f->known;
}

/* Metrics are rounded: what is as close to a limit is not beyond it. */
static bool
exceeds(const struct limit *limit, const struct pmcsim_figure *a,
	const struct pmcsim_figure *b)
{
	double most = a->value * ((double)limit->percent / PARTS / 100);
	const struct pmcsim_figure *low = limit->falls ? b : a;
	const struct pmcsim_figure *high = limit->falls ? a : b;

	if (a->metric)
		return high->value - low->value > most + a->value * ROUNDED;
	return high->count > low->count &&
	       (unsigned __int128)(high->count - low->count) * 100u * PARTS >
		       (unsigned __int128)a->count * limit->percent;
}

static void
say_beyond(const struct limit *limit, const struct pmcsim_figures *old,
	   const struct pmcsim_figure *a, const struct pmcsim_figure *b)
{
	char *name = compare_name(old, a), from[COMPARE_VALUE], to[COMPARE_VALUE];

	tool_say(&compare_tool, "%s, from %s to %s, is beyond the limit %s",
		 name, compare_value(a, from), compare_value(b, to), limit->text);
	free(name);
}

/* How many figures are beyond the limit; each is named. */
static unsigned
check_limit(const struct limit *limit, const struct pmcsim_figures *old,
	    const struct pmcsim_figures *new, const char *new_path)
{
	unsigned n = 0, beyond = 0;

	for (size_t i = 0; i < old->n; i++) {
		const struct pmcsim_figure *a = &old->figure[i], *b;

		if (!concerns(limit, a) || !a->known)
			continue;
		n++;
		b = compare_same(new, a);
		if (!compare_is_known(b))
			tool_fail(&compare_tool, TOOL_FAILED,
				  "--limit %s: %s has no %s", limit->text,
				  new_path, a->name);
		if (!exceeds(limit, a, b))
			continue;
		beyond++;
		say_beyond(limit, old, a, b);
	}
	if (!n)
		tool_fail(&compare_tool, TOOL_FAILED,
			  "--limit %s: the old report has no such figure",
			  limit->text);
	return beyond;
}

/* ---- The command -------------------------------------------------------- */

/* Whether two texts are the same, or both missing. */
static bool
same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

/* Programs read their environment: the same command may count otherwise. */
static void
tell_environment(const struct pmcsim_figures *old,
		 const struct pmcsim_figures *new)
{
	if (old->environment && new->environment &&
	    strcmp(old->environment, new->environment) != 0 && old->command &&
	    same_text(old->command, new->command) &&
	    same_text(old->engine, new->engine))
		tool_note(&compare_tool,
			  "the command is the same, its environment is not, "
			  "which alone may make the difference; --env clean "
			  "gives it one that is always the same");
}

static void
check_same(const char *what, const char *old, const char *new)
{
	if (strcmp(old, new) != 0)
		tool_fail(&compare_tool, TOOL_FAILED,
			  "the reports have not the same %s: %s and %s", what,
			  old, new);
}

int
cmd_compare(int argc, char **argv)
{
	struct limit *limit = tool_alloc(&compare_tool, (size_t)argc,
					 sizeof *limit);
	const struct tool_option *option;
	struct pmcsim_figures *old, *new;
	unsigned n_limits = 0, beyond = 0;
	const char *argument;
	bool changed = false, markdown = false;

	while ((option = tool_next(&compare_tool, argc, argv, &argument))) {
		if (option->id == OPT_FAIL)
			tool_fail(&compare_tool, TOOL_USAGE,
				  "--fail-if: it is --limit [NAME=]PERCENT "
				  "here, such as --limit ipc=-1%%");
		if (option->id == OPT_LIMIT)
			limit[n_limits++] = parse_limit(argument);
		else if (option->id == OPT_MARKDOWN)
			markdown = true;
		else
			changed = true;
	}
	if (argc - optind != 2)
		tool_fail(&compare_tool, TOOL_USAGE,
			  "two reports are needed; see --help");
	old = read_figures(argv[optind]);
	new = read_figures(argv[optind + 1]);
	check_same("schema", old->schema, new->schema);
	check_same("CPU", old->cpu, new->cpu);
	if (n_limits && (old->partial || new->partial))
		tool_fail(&compare_tool, TOOL_FAILED,
			  "what is of a part is not held to a limit");
	tell_environment(old, new);
	if (markdown)
		compare_markdown(old, new, changed);
	else
		compare_table(old, new, changed);
	tool_flush(&compare_tool);
	for (unsigned i = 0; i < n_limits; i++) {
		beyond += check_limit(&limit[i], old, new, argv[optind + 1]);
		free(limit[i].name);
	}
	pmcsim_figures_free(old);
	pmcsim_figures_free(new);
	free(limit);
	return beyond ? EXCEEDED : 0;
}
