/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A profile in JSON. */
#include "prof.h"

#include <inttypes.h>
#include <stdlib.h>

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

void
prof_json_counts(const struct prof *p, const uint64_t *count,
		 const bool *missing, FILE *out)
{
	fputs("\"counts\": [", out);
	for (unsigned e = 0; e < p->u->profile->n_events; e++) {
		fputs(e ? ",\n    {\"name\": " : "\n    {\"name\": ", out);
		pmcsim_json_text(p->u->event[e], out);
		if (missing[e])
			fputs(", \"value\": null, \"precision\": null, "
			      "\"reason\": \"of sampled instructions\"}", out);
		else
			fprintf(out, ", \"value\": %" PRIu64 ", \"precision\": "
				"null, \"reason\": null}", count[e]);
	}
	fputs("\n  ]", out);
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
	fputs("\n  ],\n  ", out);
	prof_json_counts(p, u->profile->total,
			 (const bool[PMCSIM_PROFILE_EVENTS]){false}, out);
	fputs(",\n  \"ratios\": [", out);
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
		prof_rows(p, prof_chosen(p), PMCSIM_ROWS_FUNCTIONS, &n);

	put_json_head(p, out);
	fputs("\n  ],\n  \"functions\": [", out);
	for (size_t i = 0; i < n; i++) {
		fputs(i ? ",\n" : "\n", out);
		put_row(p, &row[i], out);
	}
	fputs("\n  ]", out);
	prof_json_regions(p, out);
	fputs("\n}\n", out);
	free(row);
}
