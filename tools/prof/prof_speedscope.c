/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The format of speedscope: a profile of stacks for each event, in JSON. */
#include "prof_tree.h"

#include <inttypes.h>
#include <stdlib.h>

#define SCHEMA "https://www.speedscope.app/file-format-schema.json"

static void
put_function(const struct prof *p, const struct pmcsim_profile_row *row,
	     FILE *out)
{
	struct pmcsim_symbol begin;

	prof_source(p, row, &begin);
	fputs(",\n    {\"name\": ", out);
	pmcsim_json_text(prof_export_name(p, row), out);
	if (begin.file) {
		fputs(", \"file\": ", out);
		pmcsim_json_text(begin.file, out);
	}
	if (begin.file && begin.line)
		fprintf(out, ", \"line\": %u", begin.line);
	fputc('}', out);
}

/* What is not attributed has the first number. */
static void
put_frames(const struct prof *p, const struct prof_tree *t, FILE *out)
{
	fputs("  \"shared\": {\"frames\": [\n    {\"name\": ", out);
	pmcsim_json_text(PROF_NOWHERE, out);
	fputc('}', out);
	for (size_t i = 0; i < t->functions.n; i++)
		put_function(p, &t->functions.row[i], out);
	fputs("\n  ]},\n", out);
}

/* From the outermost one on. */
static void
put_stack(const struct prof_tree *t, size_t node, unsigned *stack, FILE *out)
{
	size_t depth = 0;

	for (; node; node = t->node[node].parent)
		stack[depth++] = t->node[node].function + 1;
	fputc('[', out);
	while (depth--)
		fprintf(out, "%u%s", stack[depth], depth ? ", " : "");
	fputc(']', out);
}

static void
put_stacks(const struct prof *p, const struct prof_tree *t, unsigned event,
	   FILE *out)
{
	unsigned *stack = tool_alloc(p->tool, t->n, sizeof *stack);
	const char *separator = "";

	fputs("     \"samples\": [", out);
	for (size_t i = 1; i < t->n; i++) {
		if (!t->node[i].self[event])
			continue;
		fputs(separator, out);
		put_stack(t, i, stack, out);
		separator = ",\n       ";
	}
	if (p->u->profile->rest[event])
		fprintf(out, "%s[0]", separator);
	fputs("],\n", out);
	free(stack);
}

static void
put_weights(const struct prof *p, const struct prof_tree *t, unsigned event,
	    FILE *out)
{
	const char *separator = "";

	fputs("     \"weights\": [", out);
	for (size_t i = 1; i < t->n; i++) {
		if (!t->node[i].self[event])
			continue;
		fprintf(out, "%s%" PRIu64, separator, t->node[i].self[event]);
		separator = ", ";
	}
	if (p->u->profile->rest[event])
		fprintf(out, "%s%" PRIu64, separator,
			p->u->profile->rest[event]);
	fputs("]}", out);
}

static void
put_profile(const struct prof *p, const struct prof_tree *t, unsigned event,
	    FILE *out)
{
	fputs("    {\"type\": \"sampled\", \"name\": ", out);
	pmcsim_json_text(p->u->event[event], out);
	fprintf(out, ", \"unit\": \"none\", \"startValue\": 0, \"endValue\": %"
		PRIu64 ",\n", p->u->profile->total[event]);
	put_stacks(p, t, event, out);
	put_weights(p, t, event, out);
}

void
prof_speedscope(const struct prof *p, FILE *out)
{
	struct prof_tree *t = prof_tree_new(p, false);

	fputs("{\n  \"$schema\": \"" SCHEMA "\",\n  \"exporter\": ", out);
	fprintf(out, "\"pmcsim %s\",\n  \"name\": ", pmcsim_version());
	pmcsim_json_text(p->data, out);
	fprintf(out, ",\n  \"activeProfileIndex\": %u,\n", prof_chosen(p));
	put_frames(p, t, out);
	fputs("  \"profiles\": [\n", out);
	for (unsigned e = 0; e < p->u->profile->n_events; e++) {
		put_profile(p, t, e, out);
		fputs(e + 1 < p->u->profile->n_events ? ",\n" : "\n", out);
	}
	fputs("  ]\n}\n", out);
	prof_tree_free(t);
}
