/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a program did in its regions: listings, and what files have of it. */
#include "prof.h"

#include "common/csv_table.h"

#include <inttypes.h>
#include <strings.h>

static bool
is_wanted(const struct prof *p, const char *name)
{
	return !p->o->event || !strcasecmp(p->o->event, name);
}

/* ---- Listings -------------------------------------------------------- */

static void
put_name(const struct pmcsim_umon_region *r, FILE *out)
{
	fprintf(out, " %15" PRIu64 "  ", r->is.entries);
	tool_put(r->is.name, out);
	fputc('\n', out);
}

/* An event of each region, of all that the program did. */
static void
list_event(const struct prof *p, unsigned event, FILE *out)
{
	const struct pmcsim_umon *u = p->u;
	uint64_t total = u->profile->total[event];

	fprintf(out, "%s in regions, with what is nested in them\n\n",
		u->label[event]);
	fprintf(out, "%15s %7s %15s  region\n\n", u->event[event], "%",
		"entries");
	for (size_t i = 0; i < u->n_regions; i++) {
		const struct pmcsim_umon_region *r = &u->region[i];

		fprintf(out, "%15" PRIu64 " %7.1f", r->count[event],
			prof_percent(r->count[event], total));
		put_name(r, out);
	}
	if (!u->only)
		fprintf(out, "\n%15" PRIu64 " %7s %15s  all of the program\n",
			total, "", "");
	fputc('\n', out);
}

static void
list_ratio(const struct prof *p, const struct pmcsim_ratio *ratio, FILE *out)
{
	const struct pmcsim_umon *u = p->u;

	fprintf(out, "%s: %s in regions\n\n", ratio->name, ratio->label);
	fprintf(out, "%15s %7s %15s  region\n\n", ratio->name, "",
		"entries");
	for (size_t i = 0; i < u->n_regions; i++) {
		const struct pmcsim_umon_region *r = &u->region[i];

		prof_put_ratio(ratio, r->count[ratio->over],
			       r->count[ratio->under], out);
		fprintf(out, " %7s", "");
		put_name(r, out);
	}
	fputc('\n', out);
}

void
prof_regions(const struct prof *p, FILE *out)
{
	const struct pmcsim_umon *u = p->u;

	if (!u->n_regions)
		return;
	for (unsigned e = 0; e < u->profile->n_events; e++)
		if (is_wanted(p, u->event[e]) && !u->profile->of_samples[e])
			list_event(p, e, out);
	for (size_t i = 0; i < u->n_ratios; i++) {
		const struct pmcsim_ratio *r = &u->ratio[i];

		if (is_wanted(p, r->name) &&
		    !u->profile->of_samples[r->over] &&
		    !u->profile->of_samples[r->under])
			list_ratio(p, r, out);
	}
}

/* ---- Files ----------------------------------------------------------- */

static void
put_region(const struct pmcsim_umon_region *r, FILE *out)
{
	fputs("\"name\": ", out);
	pmcsim_json_text(r->is.name, out);
	fprintf(out, ", \"entries\": %" PRIu64 ", \"never_ended\": %" PRIu64
		", \"never_begun\": %" PRIu64, r->is.entries, r->is.unended,
		r->is.unbegun);
}

void
prof_json_regions(const struct prof *p, FILE *out)
{
	const struct pmcsim_umon *u = p->u;

	if (u->only) {
		fputs(",\n  \"region\": {", out);
		put_region(u->region, out);
		fputc('}', out);
		return;
	}
	if (!u->n_regions)
		return;
	fputs(",\n  \"regions\": [", out);
	for (size_t i = 0; i < u->n_regions; i++) {
		fputs(i ? ",\n    {" : "\n    {", out);
		put_region(&u->region[i], out);
		fputs(", ", out);
		prof_json_counts(p, u->region[i].count, u->profile->of_samples,
				 out);
		fputc('}', out);
	}
	fputs("\n  ]", out);
}

void
prof_markdown_regions(const struct prof *p, FILE *out)
{
	const struct pmcsim_umon *u = p->u;

	if (!u->n_regions)
		return;
	fputs("\n| region | entries |", out);
	prof_markdown_columns(p, "|---|--:|", out);
	for (size_t i = 0; i < u->n_regions; i++) {
		const struct pmcsim_umon_region *r = &u->region[i];

		fputs("| ", out);
		markdown_text(r->is.name, out);
		fprintf(out, " | %" PRIu64 " |", r->is.entries);
		for (unsigned e = 0; e < u->profile->n_events; e++)
			if (u->profile->of_samples[e])
				fputs(" | |", out);
			else
				fprintf(out, " %" PRIu64 " | %.1f |",
					r->count[e],
					prof_percent(r->count[e],
						     u->profile->total[e]));
		fputc('\n', out);
	}
}
