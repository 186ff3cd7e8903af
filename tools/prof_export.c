/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Exports for other tools: everything, in costs. */
#include "prof.h"

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

/* The name of a function that has none is that of its file. */
static void
put_function(const char *module, const struct pmcsim_symbol *s, FILE *out)
{
	put_field("\nob=", *module ? module : "???", out);
	put_field("fl=", s->file ? s->file : "???", out);
	put_field("fn=", s->name ? s->name : *module ? prof_base(module) :
		  "???", out);
}

static const char *
text_or_none(const char *text)
{
	return text ? text : "";
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
			put_function(f->module[at->module], &s, out);
		else if (strcmp(file, text_or_none(s.file)))
			put_field("fi=", s.file ? s.file : "???", out);
		module = at->module;
		last = s;
		file = text_or_none(s.file);
		fprintf(out, "0x%" PRIx64 " %u", at->offset, s.line);
		put_costs(p, at->count, out);
	}
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

void
prof_folded(const struct prof *p, FILE *out)
{
	unsigned event = chosen_event(p);
	uint64_t rest = p->u->profile->rest[event];
	size_t n;
	struct pmcsim_profile_row *row = prof_rows(p, event, false, &n);

	for (size_t i = 0; i < n && row[i].count[event]; i++) {
		const char *module = p->u->profile->module[row[i].module];

		if (row[i].symbol.name)
			put_frame(row[i].symbol.name, out);
		else
			put_frame(*module ? prof_base(module) : "(no file)",
				  out);
		fprintf(out, " %" PRIu64 "\n",
			prof_cost(p, event, row[i].count[event]));
	}
	if (rest)
		fprintf(out, NOWHERE " %" PRIu64 "\n", rest);
	free(row);
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
	fprintf(out, ",\n  \"partial\": %s,\n  \"lost\": %u,\n"
		"  \"events\": [", u->partial ? "true" : "false",
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
