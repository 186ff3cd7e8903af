/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of pc_parse, laid out as in MD00548, Figures 4, 5 and 8, with
 * what the manual's tool could not know behind it.
 */
#include "report.h"

#include <errno.h>
#include <string.h>

#define LABEL_WIDTH 25
#define VALUE_WIDTH 14

/* Groups of events whose share of another event is printed beside them. */
static const struct share {
	const char *group;
	const char *part;	/* in the names of those meant; "": all */
	const char *base;
	bool self;		/* the base is shown as 100 % */
} shares[] = {
	{"instructions", "", "INSTRUCTIONS", true},
	{"stalls", "STALL", "CYCLES", false},
};

static bool
listed(const unsigned *code, size_t n, unsigned wanted)
{
	for (size_t i = 0; i < n; i++)
		if (code[i] == wanted)
			return true;
	return false;
}

static bool
group_has(const struct pmcsim_cpu *cpu, const char *name,
	  const struct pmcsim_count *c)
{
	size_t n;
	const struct pmcsim_group *g = pmcsim_cpu_groups(cpu, &n);

	for (size_t i = 0; i < n; i++)
		if (strcmp(g[i].name, name) == 0)
			return c->parity ?
				       listed(g[i].odd, g[i].n_odd, c->code) :
				       listed(g[i].even, g[i].n_even, c->code);
	return false;
}

/* The event by whose count that of the row is to be divided, or NULL. */
static const char *
share_base(const struct pmcsim_report *report, const struct pmcsim_row *row)
{
	const char *name = report_event(report, row)->name;

	for (size_t i = 0; i < sizeof(shares) / sizeof(*shares); i++) {
		const struct share *share = &shares[i];

		if (strcmp(name, share->base) == 0 && share->self)
			return share->base;
		if (strstr(name, share->part) &&
		    group_has(report->cpu, share->group, &row->count))
			return share->base;
	}
	return NULL;
}

/* Share of the row in percent, among rows first..end; false: none. */
static bool
share_of(const struct pmcsim_report *report, const struct pmcsim_row *row,
	 size_t first, size_t end, double *percent)
{
	const char *base = share_base(report, row), *reason;

	for (size_t i = first; base && i < end; i++) {
		const struct pmcsim_row *b = &report->row[i];

		if (strcmp(report_event(report, b)->name, base) != 0 ||
		    !report_has_value(report, b, &reason) ||
		    b->count.value.shown == 0)
			continue;
		*percent = 100.0 * (double)row->count.value.shown /
			   (double)b->count.value.shown;
		return true;
	}
	return false;
}

/* "[U]    [   TC3] " */
static void
print_place(const struct pmcsim_count *c, FILE *out)
{
	char modes[REPORT_MODES + 2], letters[REPORT_MODES], where[32] = "";

	snprintf(modes, sizeof(modes), "[%s]", report_modes(c->modes, letters));
	if (c->tc >= 0)
		snprintf(where, sizeof(where), "TC%d", c->tc);
	else if (c->vpe >= 0)
		snprintf(where, sizeof(where), "VPE%d", c->vpe);
	fprintf(out, "%-6s [%6s] ", modes, where);
}

static void
print_repeat(const struct pmcsim_row *row, FILE *out)
{
	struct pmcsim_spread s;

	if (row->n_repeat < 2 ||
	    pmcsim_spread(row->repeat, row->n_repeat, &s) != 0)
		return;
	fprintf(out, "  +- %.1f (%zu of %zu kept)", s.deviation, s.kept,
		row->n_repeat);
}

static void
print_row(const struct pmcsim_report *report, size_t i, size_t first,
	  size_t end, FILE *out)
{
	const struct pmcsim_row *row = &report->row[i];
	const struct pmcsim_event *event = report_event(report, row);
	const struct pmcsim_value *v = &row->count.value;
	const char *reason;
	char where[32];
	double percent;

	print_place(&row->count, out);
	snprintf(where, sizeof(where), "(%u / %u)", row->count.parity,
		 row->count.code);
	fprintf(out, "%-9s%*s:", where, LABEL_WIDTH, event->label);
	if (!report_has_value(report, row, &reason)) {
		fprintf(out, " %s: %s\n",
			event->precision == PMCSIM_NOT_MODELLED ?
				"not modelled" : "not measured", reason);
		return;
	}
	fprintf(out, "%*llu", VALUE_WIDTH, (unsigned long long)v->shown);
	if (share_of(report, row, first, end, &percent))
		fprintf(out, "  %5.1f%%", percent);
	print_repeat(row, out);
	if (v->wrapped)
		fputs("  wrapped", out);
	if (v->ledger)
		fputs("  ledger", out);
	if (report->precision)
		fprintf(out, "  %s", report_precision(event->precision));
	fputc('\n', out);
}

static int
print_metric(const struct report_metric *m, void *data)
{
	bool percent = strcmp(m->metric->unit, "percent") == 0;
	FILE *out = data;

	print_place(m->view, out);
	fprintf(out, "%-9s%*s:%*.*f%s\n", "", LABEL_WIDTH, m->metric->label,
		percent ? VALUE_WIDTH - 1 : VALUE_WIDTH,
		(int)m->metric->digits, m->value, percent ? "%" : "");
	return 0;
}

/* How many rows are known how well. */
static void
print_summary(const struct pmcsim_report *report, FILE *out)
{
	size_t n[PMCSIM_NOT_MODELLED + 1] = {0}, ledger = 0, wrapped = 0;
	const char *separator = "";

	for (size_t i = 0; i < report->n; i++) {
		const struct pmcsim_value *v = &report->row[i].count.value;

		n[report_event(report, &report->row[i])->precision]++;
		ledger += v->ledger;
		wrapped += v->wrapped;
	}
	fprintf(out, "\n%s model: ", pmcsim_cpu_name(report->cpu));
	for (int p = 0; p <= PMCSIM_NOT_MODELLED; p++) {
		if (n[p] == 0)
			continue;
		fprintf(out, "%s%zu %s", separator, n[p],
			report_precision((enum pmcsim_precision)p));
		separator = ", ";
	}
	if (ledger)
		fprintf(out, "; %zu accounted by the ledger, not executed",
			ledger);
	if (wrapped)
		fprintf(out, "; %zu wrapped around", wrapped);
	fputc('\n', out);
	if (report->partial)
		fputs("partial: stopped before the end, figures are too low "
		      "or missing\n", out);
}

int
pmcsim_report_text(const struct pmcsim_report *report, FILE *out)
{
	locale_t before = report_begin();
	size_t first, end;
	int err = 0;

	fprintf(out, "%-6s [%-6s] %-9s%*s:%*s\n", "[mode]", "VPE TC",
		"(event)", LABEL_WIDTH, "event description", VALUE_WIDTH,
		"value");
	for (first = 0; first < report->n && err == 0; first = end) {
		end = report_view_end(report, first);
		for (size_t i = first; i < end; i++)
			print_row(report, i, first, end, out);
		err = report_metrics(report, first, end, print_metric, out);
	}
	if (err == 0)
		print_summary(report, out);
	if (report_end(before, out) != 0)
		err = -EIO;
	return err;
}
