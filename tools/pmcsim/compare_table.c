/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "pmcsim compare": figures of two reports side by side. */
#include "compare.h"

#include "common/csv_table.h"
#include "common/terminal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Chosen: so many percent are coloured on a terminal. */
#define FAR_OFF 5.0

/* The same figure of another report, or NULL. */
const struct pmcsim_figure *
compare_same(const struct pmcsim_figures *in, const struct pmcsim_figure *f)
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
char *
compare_name(const struct pmcsim_figures *in, const struct pmcsim_figure *f)
{
	bool twin = *f->which && has_twin(in, f);
	size_t size = strlen(f->name) + strlen(f->which) + 4;
	char *name = tool_alloc(&compare_tool, size, 1);

	snprintf(name, size, twin ? "%s (%s)" : "%s", f->name, f->which);
	return name;
}

bool
compare_is_known(const struct pmcsim_figure *f)
{
	return f && f->known;
}

static bool
differ(const struct pmcsim_figure *a, const struct pmcsim_figure *b)
{
	if (!compare_is_known(a) || !compare_is_known(b))
		return compare_is_known(a) != compare_is_known(b);
	return a->metric ? a->value < b->value || a->value > b->value
			 : a->count != b->count;
}

/* A figure that is known. */
const char *
compare_value(const struct pmcsim_figure *f, char text[COMPARE_VALUE])
{
	if (f->metric)
		snprintf(text, COMPARE_VALUE, "%.3f", f->value);
	else
		snprintf(text, COMPARE_VALUE, "%" PRIu64, f->count);
	return text;
}

#define PERCENT_BYTES 16

/* What a line has behind the two figures: "" if they do not differ. */
struct difference {
	char text[COMPARE_VALUE + 1];
	char percent[PERCENT_BYTES];
	const char *colour;	/* NULL: none */
};

static struct difference
difference_of(const struct pmcsim_figure *a, const struct pmcsim_figure *b)
{
	struct difference d = {.text = ""};
	struct pmcsim_figure by = {.metric = b ? b->metric : false};
	char text[COMPARE_VALUE];
	double percent;
	bool falls;

	if (!differ(a, b) || !compare_is_known(a) || !compare_is_known(b))
		return d;
	falls = b->metric ? b->value < a->value : b->count < a->count;
	by.count = falls ? a->count - b->count : b->count - a->count;
	by.value = falls ? a->value - b->value : b->value - a->value;
	snprintf(d.text, sizeof d.text, "%c%s", falls ? '-' : '+',
		 compare_value(&by, text));
	percent = 100 * (b->value - a->value) / a->value;
	if (a->value != 0)
		snprintf(d.percent, sizeof d.percent, "%+.2f%%", percent);
	/* More of a metric may be better or worse. */
	if (!a->metric && (percent >= FAR_OFF || percent <= -FAR_OFF))
		d.colour = falls ? TERMINAL_GREEN : TERMINAL_RED;
	return d;
}

/* A line of a table: a figure of a report, and what both have of it. */
typedef void put_line(const struct pmcsim_figures *in,
		      const struct pmcsim_figure *f,
		      const struct pmcsim_figure *a,
		      const struct pmcsim_figure *b);

static void
put_text(const struct pmcsim_figures *in, const struct pmcsim_figure *f,
	 const struct pmcsim_figure *a, const struct pmcsim_figure *b)
{
	struct difference d = difference_of(a, b);
	const char *colour = terminal_has_colours(stdout) ? d.colour : NULL;
	char text[COMPARE_VALUE], *name = compare_name(in, f);

	printf(" %15s", compare_is_known(a) ? compare_value(a, text) : "-");
	printf(" %15s", compare_is_known(b) ? compare_value(b, text) : "-");
	printf("%s %16s %9s%s  ", colour ? colour : "", d.text, d.percent,
	       colour ? TERMINAL_PLAIN : "");
	tool_put(name, stdout);
	putchar('\n');
	free(name);
}

static void
put_markdown(const struct pmcsim_figures *in, const struct pmcsim_figure *f,
	     const struct pmcsim_figure *a, const struct pmcsim_figure *b)
{
	struct difference d = difference_of(a, b);
	char text[COMPARE_VALUE], *name = compare_name(in, f);

	fputs("| ", stdout);
	markdown_text(name, stdout);
	printf(" | %s |", compare_is_known(a) ? compare_value(a, text) : "-");
	printf(" %s |", compare_is_known(b) ? compare_value(b, text) : "-");
	printf(" %s | %s |\n", d.text, d.percent);
	free(name);
}

/* Figures in the order of the new report; then those that only the old has. */
static void
put_lines(const struct pmcsim_figures *old, const struct pmcsim_figures *new,
	  bool changed, put_line *put)
{
	for (size_t i = 0; i < new->n; i++) {
		const struct pmcsim_figure *b = &new->figure[i];
		const struct pmcsim_figure *a = compare_same(old, b);

		if (!changed || differ(a, b))
			put(new, b, a, b);
	}
	for (size_t i = 0; i < old->n; i++) {
		const struct pmcsim_figure *a = &old->figure[i];

		if (!compare_same(new, a) && (!changed || a->known))
			put(old, a, a, NULL);
	}
}

void
compare_table(const struct pmcsim_figures *old,
	      const struct pmcsim_figures *new, bool changed)
{
	printf("%16s %15s %16s\n", "old", "new", "difference");
	put_lines(old, new, changed, put_text);
}

void
compare_markdown(const struct pmcsim_figures *old,
		 const struct pmcsim_figures *new, bool changed)
{
	fputs("| | old | new | difference | percent |\n"
	      "|---|--:|--:|--:|--:|\n", stdout);
	put_lines(old, new, changed, put_markdown);
}
