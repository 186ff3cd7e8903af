/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Listings of procedures and of lines. */
#include "prof.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define RULE \
	"----------------------------------------------------------------" \
	"------------"
#define BOX 74	/* between the stars */

/* ---- Heading --------------------------------------------------------- */

static void
boxed(FILE *out, const char *indent, const char *text)
{
	fprintf(out, "*  %s%-*s*\n", indent, BOX - 2 - (int)strlen(indent),
		text);
}

void
prof_heading(const struct prof *p, unsigned event, const char *option,
	     const char *sorted, FILE *out)
{
	const struct pmcsim_profile *f = p->u->profile;
	const char *name = p->u->event[event], *label = p->u->label[event];
	uint64_t period = f->each[event];
	char text[160], seconds[40] = "";

	if (!strncmp(name, "cycles", 6) && p->u->clock_hz)
		snprintf(seconds, sizeof seconds, " (%.6f seconds)",
			 (double)period / (double)p->u->clock_hz);
	if (f->of_samples[event])
		snprintf(text, sizeof text, "%s: %s, 1 instruction sampled "
			 "in %" PRIu64, name, label, period);
	else if (period)
		snprintf(text, sizeof text, "%s: 1 sample every %" PRIu64
			 " %s%s", name, period, label, seconds);
	else
		snprintf(text, sizeof text, "%s: each of the %s", name,
			 label);
	fprintf(out, RULE "\n");
	boxed(out, "", option);
	boxed(out, "    ", text);
	snprintf(text, sizeof text, "sorted in %s;", sorted);
	boxed(out, "", text);
	boxed(out, "", p->o->zero ? "unexecuted procedures included" :
				    "unexecuted procedures excluded");
	fprintf(out, RULE "\n\n");
	if (period && !f->of_samples[event])
		fprintf(out, "Each sample covers %.2f%% of ",
			prof_percent(period, f->total[event]));
	fprintf(out, "%" PRIu64 " %s%s%s\n\n", f->total[event], label,
		f->lost ? "; samples were lost" : "",
		p->u->partial ? "; stopped before its end" : "");
	if (period && !f->of_samples[event])
		fprintf(out, "The error of n samples is about %" PRIu64
			" times the square root of n.\n\n", period);
}

void
prof_remainder(const struct prof *p, unsigned event,
	       const struct prof_share *share, FILE *out)
{
	const struct pmcsim_profile *f = p->u->profile;
	uint64_t rest = f->rest[event];
	uint64_t other = f->total[event] - share->sum - rest;

	if (other)
		fprintf(out, "\n%15" PRIu64 "  not listed", other);
	if (rest)
		fprintf(out, "\n%15" PRIu64 "  not attributed to any place",
			rest);
	fprintf(out, "\n%15" PRIu64 "  total\n\n", f->total[event]);
}

/* ---- Procedures ------------------------------------------------------ */

void
prof_put_place(const struct prof *p, const struct pmcsim_profile_row *row,
	       bool number, FILE *out)
{
	const char *module = p->u->profile->module[row->module];
	struct pmcsim_symbol begin;

	if (row->symbol.line)
		begin = row->symbol;
	else
		prof_source(p, row, &begin);
	tool_put(prof_name(&row->symbol), out);
	fputs(" (", out);
	tool_put(prof_base(begin.file ? begin.file :
			   *module ? module : "no file"), out);
	if (number && begin.line)
		fprintf(out, ":%u", begin.line);
	fputc(')', out);
}

void
prof_list(const struct prof *p, unsigned event, FILE *out)
{
	const char *label = p->u->label[event];
	int width = strlen(label) + 4 > 15 ? (int)strlen(label) + 4 : 15;
	struct prof_share share;
	size_t n;
	struct pmcsim_profile_row *row = prof_rows(
		p, event, PMCSIM_ROWS_FUNCTIONS, &n);

	prof_heading(p, event, "-p[rocedures] using performance counters:",
		     "descending order by events in each procedure", out);
	fprintf(out, "%6s %*s %6s %*s%s  procedure (file)\n\n", "%", width,
		label, "cum %", width - (int)strlen(label), "cum ", label);
	share = prof_begin(p, event, row, n);
	for (size_t i = 0; i < n; i++) {
		uint64_t cost = prof_cost(p, event, row[i].count[event]);

		if (!prof_listed(p, &row[i]))
			continue;
		if (!cost && !p->o->zero)
			continue;
		if (!prof_enter(p, &share, cost))
			break;
		fprintf(out, "%6.1f %*" PRIu64 " %6.1f %*" PRIu64 "  ",
			prof_percent(cost, share.base), width, cost,
			prof_percent(share.sum, share.base), width,
			share.sum);
		prof_put_place(p, &row[i], p->o->numbers, out);
		fputc('\n', out);
	}
	prof_remainder(p, event, &share, out);
	free(row);
}

/* ---- Lines ----------------------------------------------------------- */

/* sum: of the lines up to this one. */
static void
put_line(const struct prof *p, const struct pmcsim_profile_row *row,
	 uint64_t cost, uint64_t sum, uint64_t base, FILE *out)
{
	const char *module = p->u->profile->module[row->module];
	const char *file = row->symbol.file ? row->symbol.file :
			   *module ? module : "no file";
	char line[16] = "-";

	if (row->symbol.line)
		snprintf(line, sizeof line, "%u", row->symbol.line);
	fprintf(out, "%6.1f %15" PRIu64 " %6.1f  %6s  ",
		prof_percent(cost, base), cost, prof_percent(sum, base),
		line);
	tool_put(prof_name(&row->symbol), out);
	fputs(" (", out);
	tool_put(prof_base(file), out);
	fputs(")\n", out);
}

/* How many rows from row on are of its procedure, and their cost. */
static size_t
take_procedure(const struct prof *p, unsigned event,
	       const struct pmcsim_profile_row *row, size_t n,
	       uint64_t *cost)
{
	size_t i;

	*cost = 0;
	for (i = 0; i < n && prof_same_function(row, &row[i]); i++)
		*cost += prof_cost(p, event, row[i].count[event]);
	return i;
}

/* An entry of -heavy is a line, one of -lines a procedure. */
static struct prof_share
put_lines(const struct prof *p, unsigned event,
	  const struct pmcsim_profile_row *row, size_t n, bool heavy,
	  FILE *out)
{
	struct prof_share share = prof_begin(p, event, row, n);
	uint64_t sum = 0, cost;
	size_t taken;

	for (size_t i = 0; i < n; i += taken) {
		taken = take_procedure(p, event, &row[i], heavy ? 1 : n - i,
				       &cost);
		if (!cost || !prof_listed(p, &row[i]) ||
		    !prof_enter(p, &share, cost))
			continue;
		for (size_t k = i; k < i + taken; k++) {
			cost = prof_cost(p, event, row[k].count[event]);
			sum += cost;
			if (cost)
				put_line(p, &row[k], cost, sum, share.base,
					 out);
		}
	}
	return share;
}

void
prof_list_lines(const struct prof *p, unsigned event, bool heavy, FILE *out)
{
	struct prof_share share;
	size_t n;
	struct pmcsim_profile_row *row = prof_rows(p, event, PMCSIM_ROWS_LINES,
						    &n);

	if (!heavy)
		prof_sort_lines(row, n, event);
	prof_heading(p, event, heavy ?
		     "-h[eavy] using performance counters:" :
		     "-l[ines] using performance counters:", heavy ?
		     "descending order by events in each line" :
		     "order of lines, by procedure", out);
	fprintf(out, "%6s %15s %6s  %6s  procedure (file)\n\n", "%",
		p->u->event[event], "cum %", "line");
	share = put_lines(p, event, row, n, heavy, out);
	prof_remainder(p, event, &share, out);
	free(row);
}
