/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A profile's procedures as a table of Markdown, with a pair of columns for each
 * event. */
#include "prof.h"

#include "common/csv_table.h"
#include "common/tidy.h"

#include <inttypes.h>
#include <stdlib.h>

void
prof_markdown_columns(const struct prof *p, const char *rule, FILE *out)
{
	const struct pmcsim_umon *u = p->u;

	for (unsigned e = 0; e < u->profile->n_events; e++) {
		fputc(' ', out);
		markdown_text(u->event[e], out);
		fputs(" | % |", out);
	}
	fprintf(out, "\n%s", rule);
	for (unsigned e = 0; e < u->profile->n_events; e++)
		fputs("--:|--:|", out);
	fputc('\n', out);
}

static void
put_head(const struct prof *p, FILE *out)
{
	const struct pmcsim_umon *u = p->u;
	char *command = tidy_command_text(p->tool, u->command);

	if (*command) {
		markdown_text(command, out);
		fputs(" on ", out);
	}
	markdown_text(u->cpu, out);
	if (u->partial)
		fputs(", stopped before its end", out);
	fputs("\n\n| procedure | file |", out);
	prof_markdown_columns(p, "|---|---|", out);
	free(command);
}

static void
put_row(const struct prof *p, const char *name, const char *file,
	const uint64_t cost[], FILE *out)
{
	fputs("| ", out);
	markdown_text(name, out);
	fputs(" | ", out);
	markdown_text(file, out);
	fputs(" |", out);
	for (unsigned e = 0; e < p->u->profile->n_events; e++)
		fprintf(out, " %" PRIu64 " | %.1f |", cost[e],
			prof_percent(cost[e], p->u->profile->total[e]));
	fputc('\n', out);
}

/* What there is of any event. */
static void
put_sum(const struct prof *p, const char *name, const uint64_t cost[],
	FILE *out)
{
	for (unsigned e = 0; e < p->u->profile->n_events; e++)
		if (cost[e]) {
			put_row(p, name, "", cost, out);
			return;
		}
}

static void
put_procedure(const struct prof *p, const struct pmcsim_profile_row *row,
	      const uint64_t cost[], FILE *out)
{
	const char *module = p->u->profile->module[row->module];
	struct pmcsim_symbol begin;

	prof_source(p, row, &begin);
	put_row(p, prof_name(&row->symbol),
		prof_base(begin.file ? begin.file : module), cost, out);
}

void
prof_markdown(const struct prof *p, FILE *out)
{
	const struct pmcsim_profile *f = p->u->profile;
	unsigned chosen = prof_chosen(p);
	size_t n;
	struct pmcsim_profile_row *row =
		prof_rows(p, chosen, PMCSIM_ROWS_FUNCTIONS, &n);
	struct prof_share share = prof_begin(p, chosen, row, n);
	uint64_t *other = tool_alloc(p->tool, f->n_events, sizeof *other);
	uint64_t *cost = tool_alloc(p->tool, f->n_events, sizeof *cost);

	put_head(p, out);
	for (unsigned e = 0; e < f->n_events; e++)
		other[e] = f->total[e] - f->rest[e];
	for (size_t i = 0; i < n; i++) {
		for (unsigned e = 0; e < f->n_events; e++)
			cost[e] = prof_cost(p, e, row[i].count[e]);
		if (!prof_listed(p, &row[i]) ||
		    !prof_enter(p, &share, cost[chosen]))
			continue;
		put_procedure(p, &row[i], cost, out);
		for (unsigned e = 0; e < f->n_events; e++)
			other[e] -= cost[e];
	}
	put_sum(p, "not listed", other, out);
	put_sum(p, "not attributed to any place", f->rest, out);
	put_row(p, "total", "", f->total, out);
	prof_markdown_regions(p, out);
	free(cost);
	free(other);
	free(row);
}
