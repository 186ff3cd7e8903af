/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "pmcsim compare": two reports in JSON, and limits for what changes. */
#include "commands.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { OPT_CHANGED = 1, OPT_LIMIT, OPT_FAIL };

#define EXCEEDED 1	/* exit status */

static const struct tool_option options[] = {
	{OPT_CHANGED, 0, "changed", NULL, "only what differs", WORDS_NONE},
	{OPT_LIMIT, 0, "limit", "[NAME=]PERCENT",
	 "exit with status 1 if NAME, or any count, has risen by more; "
	 "-PERCENT: fallen",
	 WORDS_NONE},
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

/* ---- The table ---------------------------------------------------------- */

/* The same figure of another report, or NULL. */
static const struct pmcsim_figure *
same_figure(const struct pmcsim_figures *in, const struct pmcsim_figure *f)
{
	for (size_t i = 0; i < in->n; i++) {
		const struct pmcsim_figure *g = &in->figure[i];

		if (g->metric == f->metric && !strcmp(g->name, f->name) &&
		    !strcmp(g->which, f->which))
			return g;
	}
	return NULL;
}

/* Whether another one has its name. */
static bool
has_twin(const struct pmcsim_figures *in, const struct pmcsim_figure *f)
{
	for (size_t i = 0; i < in->n; i++)
		if (&in->figure[i] != f &&
		    !strcmp(in->figure[i].name, f->name))
			return true;
	return false;
}

/* Its name, and which one it is if it has a twin; the caller's. */
static char *
full_name(const struct pmcsim_figures *in, const struct pmcsim_figure *f)
{
	bool twin = *f->which && has_twin(in, f);
	size_t size = strlen(f->name) + strlen(f->which) + 4;
	char *name = tool_alloc(&compare_tool, size, 1);

	snprintf(name, size, twin ? "%s (%s)" : "%s", f->name, f->which);
	return name;
}

static bool
is_known(const struct pmcsim_figure *f)
{
	return f && f->known;
}

static bool
differ(const struct pmcsim_figure *a, const struct pmcsim_figure *b)
{
	if (!is_known(a) || !is_known(b))
		return is_known(a) != is_known(b);
	return a->metric ? a->value < b->value || a->value > b->value
			 : a->count != b->count;
}

#define VALUE_BYTES 32

/* A figure that is known. */
static const char *
value_text(const struct pmcsim_figure *f, char text[VALUE_BYTES])
{
	if (f->metric)
		snprintf(text, VALUE_BYTES, "%.3f", f->value);
	else
		snprintf(text, VALUE_BYTES, "%" PRIu64, f->count);
	return text;
}

static void
put_value(const struct pmcsim_figure *f)
{
	char text[VALUE_BYTES];

	printf(" %15s", is_known(f) ? value_text(f, text) : "-");
}

static void
put_difference(const struct pmcsim_figure *a, const struct pmcsim_figure *b)
{
	struct pmcsim_figure d = {.metric = a->metric};
	bool falls = b->metric ? b->value < a->value : b->count < a->count;
	char text[VALUE_BYTES], with_sign[VALUE_BYTES + 1];

	d.count = falls ? a->count - b->count : b->count - a->count;
	d.value = falls ? a->value - b->value : b->value - a->value;
	snprintf(with_sign, sizeof with_sign, "%c%s", falls ? '-' : '+',
		 value_text(&d, text));
	printf(" %16s", with_sign);
	if (a->value != 0)
		printf(" %+8.2f%%", 100 * (b->value - a->value) / a->value);
	else
		printf(" %9s", "");
}

static void
put_line(const struct pmcsim_figures *in, const struct pmcsim_figure *f,
	 const struct pmcsim_figure *a, const struct pmcsim_figure *b)
{
	char *name;

	put_value(a);
	put_value(b);
	if (differ(a, b) && is_known(a) && is_known(b))
		put_difference(a, b);
	else
		printf(" %16s %9s", "", "");
	name = full_name(in, f);
	fputs("  ", stdout);
	tool_put(name, stdout);
	putchar('\n');
	free(name);
}

/* Figures in the order of the new report; then those that only the old has. */
static void
put_table(const struct pmcsim_figures *old, const struct pmcsim_figures *new,
	  bool changed)
{
	printf("%16s %15s %16s\n", "old", "new", "difference");
	for (size_t i = 0; i < new->n; i++) {
		const struct pmcsim_figure *b = &new->figure[i];
		const struct pmcsim_figure *a = same_figure(old, b);

		if (!changed || differ(a, b))
			put_line(new, b, a, b);
	}
	for (size_t i = 0; i < old->n; i++) {
		const struct pmcsim_figure *a = &old->figure[i];

		if (!same_figure(new, a) && (!changed || a->known))
			put_line(old, a, a, NULL);
	}
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
	char *name = full_name(old, a), from[VALUE_BYTES], to[VALUE_BYTES];

	tool_say(&compare_tool, "%s, from %s to %s, is beyond the limit %s",
		 name, value_text(a, from), value_text(b, to), limit->text);
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
		b = same_figure(new, a);
		if (!is_known(b))
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
	bool changed = false;

	while ((option = tool_next(&compare_tool, argc, argv, &argument))) {
		if (option->id == OPT_FAIL)
			tool_fail(&compare_tool, TOOL_USAGE,
				  "--fail-if: it is --limit [NAME=]PERCENT "
				  "here, such as --limit ipc=-1%%");
		if (option->id == OPT_LIMIT)
			limit[n_limits++] = parse_limit(argument);
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
	put_table(old, new, changed);
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
