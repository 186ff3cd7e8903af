/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Exports for other tools: everything, in costs. */
#include "prof_arcs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define NOWHERE "(not attributed)"

/* ---- callgrind ------------------------------------------------------- */

static void
put_costs(const struct prof *p, const uint64_t *count, FILE *out)
{
	for (unsigned e = 0; e < p->u->profile->n_events; e++)
		fprintf(out, " %" PRIu64, prof_cost(p, e, count[e]));
	fputc('\n', out);
}

static void
put_numbers(const struct prof *p, const char *key, const uint64_t *number,
	    FILE *out)
{
	fprintf(out, "%s", key);
	for (unsigned e = 0; e < p->u->profile->n_events; e++)
		fprintf(out, " %" PRIu64, number[e]);
	fputc('\n', out);
}

static void
put_field(const char *key, const char *text, FILE *out)
{
	fputs(key, out);
	tool_put(text, out);
	fputc('\n', out);
}

static void
put_callgrind_head(const struct prof *p, FILE *out)
{
	const struct pmcsim_umon *u = p->u;

	fprintf(out, "# callgrind format\nversion: 1\ncreator: prof "
		"(pmcsim) %s\ncmd:", pmcsim_version());
	for (char **c = u->command; *c; c++) {
		fputc(' ', out);
		tool_put(*c, out);
	}
	fprintf(out, "\npart: 1\ndesc: CPU: %s\npositions: instr line\n",
		u->cpu);
	for (unsigned e = 0; e < u->profile->n_events; e++)
		fprintf(out, "event: %s : %s\n", u->event[e], u->label[e]);
	fputs("events:", out);
	for (unsigned e = 0; e < u->profile->n_events; e++)
		fprintf(out, " %s", u->event[e]);
	fputc('\n', out);
	put_numbers(p, "summary:", u->profile->total, out);
}

/* A function, or one that it calls.  The name of one that has none is that of
 * its file. */
static void
put_function(const char *module, const struct pmcsim_symbol *s, bool called,
	     FILE *out)
{
	put_field(called ? "cob=" : "\nob=", *module ? module : "???", out);
	put_field(called ? "cfi=" : "fl=", s->file ? s->file : "???", out);
	put_field(called ? "cfn=" : "fn=", s->name ? s->name :
		  *module ? prof_base(module) : "???", out);
}

static const char *
text_or_none(const char *text)
{
	return text ? text : "";
}

/* What calls cost is no part of the totals. */
static void
put_calls(const struct prof *p, FILE *out)
{
	const struct pmcsim_profile *f = p->u->profile;
	struct prof_tree *t = prof_tree_new(p);
	struct prof_arcs arcs;

	prof_arcs_find(p, t, &arcs);
	for (size_t i = 0; i < arcs.n; i++) {
		const struct prof_arc *a = &arcs.arc[i];
		const struct pmcsim_profile_row *to = &t->function[a->callee];
		struct pmcsim_symbol site, begin;

		pmcsim_symbol_find(p->symbols, f->module[a->module], a->offset,
				   true, &site);
		pmcsim_symbol_find(p->symbols, f->module[to->module],
				   to->symbol.start, true, &begin);
		put_function(f->module[a->module], &site, false, out);
		put_function(f->module[to->module], &begin, true, out);
		fprintf(out, "calls=%" PRIu64 " 0x%" PRIx64 " %u\n0x%" PRIx64
			" %u", a->taken, to->symbol.start, begin.line,
			a->offset, site.line);
		put_numbers(p, "", a->cost, out);
	}
	prof_arcs_free(&arcs);
	prof_tree_free(t);
}

void
prof_callgrind(const struct prof *p, FILE *out)
{
	const struct pmcsim_profile *f = p->u->profile;
	struct pmcsim_symbol last = {0}, s;
	unsigned module = UINT32_MAX;
	const char *file = "";

	put_callgrind_head(p, out);
	for (size_t i = 0; i < f->n_places; i++) {
		const struct pmcsim_place *at = &f->place[i];

		pmcsim_symbol_find(p->symbols, f->module[at->module],
				   at->offset, true, &s);
		if (at->module != module || s.start != last.start ||
		    strcmp(text_or_none(s.name), text_or_none(last.name)))
			put_function(f->module[at->module], &s, false, out);
		else if (strcmp(file, text_or_none(s.file)))
			put_field("fi=", s.file ? s.file : "???", out);
		module = at->module;
		last = s;
		file = text_or_none(s.file);
		fprintf(out, "0x%" PRIx64 " %u", at->offset, s.line);
		put_costs(p, at->count, out);
	}
	if (f->calls)
		put_calls(p, out);
	fputs("\nob=???\nfl=???\nfn=" NOWHERE "\n0x0 0", out);
	put_numbers(p, "", f->rest, out);
	put_numbers(p, "\ntotals:", f->total, out);
}

/* ---- Folded stacks --------------------------------------------------- */

static unsigned
chosen_event(const struct prof *p)
{
	for (unsigned e = 0; p->o->event && e < p->u->profile->n_events; e++)
		if (!strcasecmp(p->o->event, p->u->event[e]))
			return e;
	return 0;
}

/* A frame: semicolons are between two. */
static void
put_frame(const char *text, FILE *out)
{
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		fputc(c == ';' ? ':' : c < ' ' || c == 0x7f ? '?' : c, out);
	}
}

static void
put_row_frame(const struct prof *p, const struct pmcsim_profile_row *row,
	      FILE *out)
{
	const char *module = p->u->profile->module[row->module];

	put_frame(row->symbol.name ? row->symbol.name :
		  *module ? prof_base(module) : "(no file)", out);
}

/* From the outermost one on. */
static void
put_stack(const struct prof *p, const struct prof_tree *t,
	  const struct prof_node *n, unsigned *frame, FILE *out)
{
	size_t depth = 0;

	for (; n != t->node; n = &t->node[n->parent])
		frame[depth++] = n->function;
	while (depth--) {
		put_row_frame(p, &t->function[frame[depth]], out);
		if (depth)
			fputc(';', out);
	}
}

static unsigned folded_event;

static int
by_self(const void *a, const void *b)
{
	const struct prof_node *x = *(const struct prof_node *const *)a;
	const struct prof_node *y = *(const struct prof_node *const *)b;
	uint64_t m = x->self[folded_event], n = y->self[folded_event];

	if (m != n)
		return m > n ? -1 : 1;
	return x < y ? -1 : x > y;
}

void
prof_folded(const struct prof *p, FILE *out)
{
	unsigned event = folded_event = chosen_event(p);
	uint64_t rest = p->u->profile->rest[event];
	struct prof_tree *t = prof_tree_new(p);
	const struct prof_node **node = tool_alloc(p->tool, t->n,
						   sizeof *node);
	unsigned *frame = tool_alloc(p->tool, t->n, sizeof *frame);

	for (size_t i = 0; i < t->n; i++)
		node[i] = &t->node[i];
	qsort(node, t->n, sizeof *node, by_self);
	for (size_t i = 0; i < t->n && node[i]->self[event]; i++) {
		put_stack(p, t, node[i], frame, out);
		fprintf(out, " %" PRIu64 "\n", node[i]->self[event]);
	}
	if (rest)
		fprintf(out, NOWHERE " %" PRIu64 "\n", rest);
	free(frame);
	free(node);
	prof_tree_free(t);
}

/* ---- JSON ------------------------------------------------------------ */

static void
put_row(const struct prof *p, const struct pmcsim_profile_row *row, FILE *out)
{
	struct pmcsim_symbol begin;

	prof_source(p, row, &begin);
	fputs("    {\"name\": ", out);
	pmcsim_json_text(row->symbol.name, out);
	fputs(", \"object\": ", out);
	pmcsim_json_text(p->u->profile->module[row->module], out);
	fputs(", \"file\": ", out);
	pmcsim_json_text(begin.file, out);
	fprintf(out, ", \"line\": %u, \"offset\": %" PRIu64
		", \"counts\": [", begin.line, row->symbol.start);
	for (unsigned e = 0; e < p->u->profile->n_events; e++)
		fprintf(out, "%s%" PRIu64, e ? ", " : "",
			prof_cost(p, e, row->count[e]));
	fputs("]}", out);
}

static void
put_json_head(const struct prof *p, FILE *out)
{
	const struct pmcsim_umon *u = p->u;

	fputs("{\n  \"schema\": \"pmcsim-prof/1\",\n  \"cpu\": ", out);
	pmcsim_json_text(u->cpu, out);
	fputs(",\n  \"command\": ", out);
	pmcsim_json_texts(u->command, out);
	fprintf(out, ",\n  \"partial\": %s,\n  \"doubts\": ",
		u->partial ? "true" : "false");
	pmcsim_json_doubts(u->doubts, out);
	fprintf(out, ",\n  \"lost\": %u,\n  \"events\": [",
		u->profile->lost);
	for (unsigned e = 0; e < u->profile->n_events; e++) {
		fputs(e ? ",\n    {\"name\": " : "\n    {\"name\": ", out);
		pmcsim_json_text(u->event[e], out);
		fputs(", \"label\": ", out);
		pmcsim_json_text(u->label[e], out);
		fprintf(out, ", \"period\": %" PRIu64 ", \"total\": %" PRIu64
			", \"not_attributed\": %" PRIu64 "}",
			u->profile->each[e], u->profile->total[e],
			u->profile->rest[e]);
	}
	fputs("\n  ],\n  \"ratios\": [", out);
	for (size_t i = 0; i < u->n_ratios; i++) {
		const struct pmcsim_ratio *r = &u->ratio[i];

		fputs(i ? ",\n    {\"name\": " : "\n    {\"name\": ", out);
		pmcsim_json_text(r->name, out);
		fprintf(out, ", \"over\": %u, \"over_factor\": %u, "
			"\"under\": %u, \"under_factor\": %u}", r->over,
			r->over_factor, r->under, r->under_factor);
	}
}

void
prof_json(const struct prof *p, FILE *out)
{
	size_t n;
	struct pmcsim_profile_row *row =
		prof_rows(p, chosen_event(p), false, &n);

	put_json_head(p, out);
	fputs("\n  ],\n  \"functions\": [", out);
	for (size_t i = 0; i < n; i++) {
		fputs(i ? ",\n" : "\n", out);
		put_row(p, &row[i], out);
	}
	fputs("\n  ]\n}\n", out);
	free(row);
}
