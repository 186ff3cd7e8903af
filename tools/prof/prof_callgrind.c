/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The format of callgrind. */
#include "prof_arcs.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>

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

static const char *
text_or_none(const char *text)
{
	return text ? text : "";
}

/* A function, or one that it calls, and where that begins. */
static void
put_function(const struct prof *p, const struct pmcsim_profile_row *row,
	     bool called, struct pmcsim_symbol *begin, FILE *out)
{
	const char *module = p->u->profile->module[row->module];

	prof_source(p, row, begin);
	put_field(called ? "cob=" : "\nob=", *module ? module : "???", out);
	put_field(called ? "cfi=" : "fl=", begin->file ? begin->file : "???",
		  out);
	put_field(called ? "cfn=" : "fn=", row->symbol.name ? row->symbol.name
			  : *module ? prof_base(module) : "???", out);
}

/* The file that lines are of from now on, if it is another one. */
static void
put_file(const char *file, const char *before, FILE *out)
{
	if (strcmp(text_or_none(file), text_or_none(before)))
		put_field("fi=", file ? file : "???", out);
}

/* What calls cost is no part of the totals. */
static void
put_calls(const struct prof *p, FILE *out)
{
	struct prof_tree *t = prof_tree_new(p, true);
	struct prof_arcs arcs;

	prof_arcs_find(p, t, &arcs);
	for (size_t i = 0; i < arcs.n; i++) {
		const struct prof_arc *a = &arcs.arc[i];
		const struct pmcsim_profile_row *to =
			&t->functions.row[a->callee];
		const struct prof_site *site = &t->site[a->site];
		struct pmcsim_symbol begin;

		put_function(p, &t->functions.row[a->caller], false, &begin,
			     out);
		put_file(site->file, begin.file, out);
		put_function(p, to, true, &begin, out);
		/* What has been put there is executed without a call.
		 * callgrind_annotate takes costs of an arc of none for
		 * the caller's own. */
		fprintf(out, "calls=%" PRIu64 " 0x%" PRIx64 " %u\n0x%" PRIx64
			" %u", a->taken ? a->taken : 1, to->symbol.start, begin.line,
			site->offset, site->line);
		put_numbers(p, "", a->cost, out);
	}
	prof_arcs_free(&arcs);
	prof_tree_free(t);
}

void
prof_callgrind(const struct prof *p, FILE *out)
{
	const struct pmcsim_profile *f = p->u->profile;
	struct pmcsim_symbol frame[PMCSIM_FRAMES], begin;
	struct pmcsim_profile_row last = {.module = UINT_MAX}, row;
	const char *file = NULL;

	put_callgrind_head(p, out);
	for (size_t i = 0; i < f->n_places; i++) {
		const struct pmcsim_place *at = &f->place[i];

		prof_frames(p, at->module, at->offset, frame);
		row = (struct pmcsim_profile_row){.module = at->module,
						  .symbol = frame[0]};
		if (!prof_same_function(&row, &last)) {
			put_function(p, &row, false, &begin, out);
			file = begin.file;
		}
		put_file(frame[0].file, file, out);
		last = row;
		file = frame[0].file;
		fprintf(out, "0x%" PRIx64 " %u", at->offset, frame[0].line);
		put_costs(p, at->count, out);
	}
	put_calls(p, out);
	fputs("\nob=???\nfl=???\nfn=" PROF_NOWHERE "\n0x0 0", out);
	put_numbers(p, "", f->rest, out);
	put_numbers(p, "\ntotals:", f->total, out);
}
