/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Listings of ratios: two events of each procedure or line. */
#include "prof.h"

#include <inttypes.h>
#include <stdlib.h>
#include <strings.h>

static bool
is_wanted(const struct prof *p, const struct pmcsim_ratio *r)
{
	return !p->o->event || !strcasecmp(p->o->event, r->name);
}

void
prof_put_ratio(const struct pmcsim_ratio *r, uint64_t over, uint64_t under,
	       FILE *out)
{
	if (under)
		fprintf(out, "%15.4f", (double)over * r->over_factor /
					       ((double)under *
						r->under_factor));
	else
		fprintf(out, "%15s", "-");
}

static void
put_row(const struct prof *p, const struct pmcsim_ratio *r,
	const uint64_t *count, FILE *out)
{
	uint64_t over = prof_cost(p, r->over, count[r->over]);
	uint64_t under = prof_cost(p, r->under, count[r->under]);

	prof_put_ratio(r, over, under, out);
	fprintf(out, " %15" PRIu64 " %15" PRIu64 "  ", over, under);
}

static void
put_heading(const struct prof *p, const struct pmcsim_ratio *r, FILE *out)
{
	fprintf(out, "%s: %s\n\n", r->name, r->label);
	fprintf(out, "%15s %15s %15s  procedure (file)\n\n", r->name,
		p->u->event[r->over], p->u->event[r->under]);
}

static void
put_total(const struct prof *p, const struct pmcsim_ratio *r, FILE *out)
{
	const uint64_t *total = p->u->profile->total;

	prof_put_ratio(r, total[r->over], total[r->under], out);
	fprintf(out, " %15" PRIu64 " %15" PRIu64 "  total\n\n",
		total[r->over], total[r->under]);
}

static void
list_ratio(const struct prof *p, const struct pmcsim_ratio *r, bool lines,
	   FILE *out)
{
	size_t n;
	enum pmcsim_rows kind = lines ? PMCSIM_ROWS_LINES :
					PMCSIM_ROWS_FUNCTIONS;
	struct pmcsim_profile_row *row = prof_rows(p, r->over, kind, &n);
	struct prof_share share = prof_begin(p, r->over, row, n);

	put_heading(p, r, out);
	for (size_t i = 0; i < n; i++) {
		uint64_t cost = prof_cost(p, r->over, row[i].count[r->over]);

		if (!prof_listed(p, &row[i]) ||
		    (!cost && !row[i].count[r->under] && !p->o->zero))
			continue;
		if (!prof_enter(p, &share, cost))
			break;
		put_row(p, r, row[i].count, out);
		prof_put_place(p, &row[i], lines || p->o->numbers, out);
		fputc('\n', out);
	}
	fputc('\n', out);
	put_total(p, r, out);
	free(row);
}

void
prof_ratios(const struct prof *p, FILE *out)
{
	const uint64_t *total = p->u->profile->total;
	const struct prof_options *o = p->o;

	for (size_t i = 0; i < p->u->n_ratios; i++) {
		const struct pmcsim_ratio *r = &p->u->ratio[i];

		if (!is_wanted(p, r))
			continue;
		if (o->totals) {
			prof_put_ratio(r, total[r->over], total[r->under], out);
			fprintf(out, "  %s\n", r->name);
			continue;
		}
		if (o->procedures ||
		    !(o->heavy || o->lines || o->instructions || o->calls))
			list_ratio(p, r, false, out);
		if (o->heavy || o->lines)
			list_ratio(p, r, true, out);
	}
}
