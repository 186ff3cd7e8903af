/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of pc_parse, laid out as in MD00548, Figures 4, 5 and 8, with
 * what the manual's tool could not know behind it.
 */
#include "report.h"
#include "table/table.h"

#include <string.h>

#define LABEL_WIDTH 25
#define VALUE_WIDTH 14

/*
 * A metric of this ending that has one event for its numerator is shown
 * beside that event instead of behind the table.
 */
#define SHARE "_share"

/* Instructions by kind are shown as a share of all of them. */
#define KINDS_GROUP "instructions"
#define KINDS_BASE "INSTRUCTIONS"

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

/* The event whose share a metric is, or NULL. */
static const struct yaml_term *
share_term(const struct pmcsim_cpu *cpu, const struct pmcsim_metric *metric)
{
	const struct yaml_formula *f =
		cpu->file.cpu->metrics[metric - cpu->metric].formulas;
	size_t n = strlen(metric->name), tail = strlen(SHARE);

	if (n <= tail || strcmp(metric->name + n - tail, SHARE) != 0 ||
	    f->numerator_count != 1)
		return NULL;
	return f->numerator;
}

/* Rows of one mode and context, and one of them. */
struct view {
	const struct pmcsim_report *report;
	size_t first, end;
	const struct pmcsim_row *row;
	double percent;
	bool found;
};

static int
take_share(const struct report_metric *m, void *data)
{
	struct view *view = data;
	const struct pmcsim_count *c = &view->row->count;
	const struct yaml_term *term = share_term(view->report->cpu,
						  m->metric);

	if (term && term->list == c->parity && term->code == c->code) {
		view->percent = m->value;
		view->found = true;
	}
	return 0;
}

/* Share of all instructions, for those and kinds of them. */
static void
take_kind(struct view *view)
{
	const struct pmcsim_report *report = view->report;
	const struct pmcsim_row *row = view->row;
	const char *reason;

	if (strcmp(report_event(report, row)->name, KINDS_BASE) != 0 &&
	    !group_has(report->cpu, KINDS_GROUP, &row->count))
		return;
	for (size_t i = view->first; i < view->end; i++) {
		const struct pmcsim_row *all = &report->row[i];

		if (strcmp(report_event(report, all)->name, KINDS_BASE) != 0 ||
		    !report_has_value(report, all, &reason) || reason ||
		    all->count.value.shown == 0)
			continue;
		view->percent = 100.0 * (double)row->count.value.shown /
				(double)all->count.value.shown;
		view->found = true;
	}
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

static int
print_share(struct view *view, FILE *out)
{
	int err;

	view->found = false;
	take_kind(view);
	err = report_metrics(view->report, view->first, view->end, take_share,
			     view);
	if (view->found)
		fprintf(out, "  %5.1f%%", view->percent);
	return err;
}

static int
print_row(struct view *view, FILE *out)
{
	const struct pmcsim_row *row = view->row;
	const struct pmcsim_event *event = report_event(view->report, row);
	const struct pmcsim_value *v = &row->count.value;
	enum pmcsim_precision known;
	const char *reason;
	char where[32];
	int err;

	print_place(&row->count, out);
	snprintf(where, sizeof(where), "(%u / %u)", row->count.parity,
		 row->count.code);
	fprintf(out, "%-9s%*s:", where, LABEL_WIDTH, event->label);
	if (!report_has_value(view->report, row, &reason)) {
		fprintf(out, " %s: %s\n",
			report_is_modelled(view->report, row) ?
				"not measured" : "not modelled", reason);
		return 0;
	}
	fprintf(out, "%*llu", VALUE_WIDTH, (unsigned long long)v->shown);
	err = print_share(view, out);
	print_repeat(row, out);
	if (v->wrapped)
		fputs("  wrapped", out);
	if (reason)
		fputs("  user mode only", out);
	known = report_precision(view->report, row);
	if (view->report->precision || known == PMCSIM_LEDGER)
		fprintf(out, "  %s", pmcsim_precision_name(known));
	fputc('\n', out);
	return err;
}

struct metric_out {
	const struct pmcsim_cpu *cpu;
	FILE *out;
};

static int
print_metric(const struct report_metric *m, void *data)
{
	bool percent = strcmp(m->metric->unit, "percent") == 0;
	const struct metric_out *to = data;
	FILE *out = to->out;

	if (share_term(to->cpu, m->metric))
		return 0;
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
	size_t n[PMCSIM_NOT_MODELLED + 1] = {0}, wrapped = 0;
	const char *separator = "";

	for (size_t i = 0; i < report->n; i++) {
		const struct pmcsim_row *row = &report->row[i];

		n[report_precision(report, row)]++;
		wrapped += row->count.value.wrapped;
	}
	fprintf(out, "\n%s model: ", pmcsim_cpu_name(report->cpu));
	for (int p = 0; p <= PMCSIM_NOT_MODELLED; p++) {
		if (n[p] == 0)
			continue;
		fprintf(out, "%s%zu %s%s", separator, n[p],
			pmcsim_precision_name((enum pmcsim_precision)p),
			p == PMCSIM_LEDGER ? " (accounted, not executed)"
					   : "");
		separator = ", ";
	}
	if (report->system)
		fprintf(out, "; kernel code executed on %s", report->system);
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
	struct view view = {.report = report};
	struct metric_out to = {report->cpu, out};
	locale_t before = report_begin();
	int err = 0;

	fprintf(out, "%-6s [%-6s] %-9s%*s:%*s\n", "[mode]", "VPE TC",
		"(event)", LABEL_WIDTH, "event description", VALUE_WIDTH,
		"value");
	for (; view.first < report->n && err == 0; view.first = view.end) {
		view.end = report_view_end(report, view.first);
		for (size_t i = view.first; i < view.end && err == 0; i++) {
			view.row = &report->row[i];
			err = print_row(&view, out);
		}
		if (err == 0)
			err = report_metrics(report, view.first, view.end,
					     print_metric, &to);
	}
	if (err == 0)
		print_summary(report, out);
	return report_end(before, out, err);
}
