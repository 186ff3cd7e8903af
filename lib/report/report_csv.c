/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reports as CSV after RFC 4180: a header, CRLF, fields quoted where needed.
 * Counts come first, then metrics; a value that there is none of is empty.
 */
#include "report.h"

#include <string.h>

/*
 * A leading = + - @ would be a formula to a spreadsheet; labels have none,
 * but tables are users' files, so such text gets an apostrophe.
 */
void
pmcsim_csv_text(const char *text, FILE *out)
{
	bool formula = *text && strchr("=+-@\t", *text);

	if (!formula && !strpbrk(text, ",\"\r\n")) {
		fputs(text, out);
		return;
	}
	fputc('"', out);
	if (formula)
		fputc('\'', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	fputc('"', out);
}

static void
csv_number(int number, FILE *out)
{
	if (number >= 0)
		fprintf(out, "%d", number);
	fputc(',', out);
}

static void
write_place(const char *kind, const struct pmcsim_count *c, FILE *out)
{
	char letters[REPORT_MODES];

	fprintf(out, "%s,%s,", kind, report_modes(c->modes, letters));
	csv_number(c->vpe, out);
	csv_number(c->tc, out);
}

/* Mean, deviation, outliers: empty without repeats. */
static void
write_repeat(const struct pmcsim_row *row, bool known, FILE *out)
{
	struct pmcsim_spread s;

	if (!known || row->n_repeat < 2 ||
	    pmcsim_spread(row->repeat, row->n_repeat, &s) != 0) {
		fputs(",,,", out);
		return;
	}
	fprintf(out, ",%.3f,%.3f,%zu", s.mean, s.deviation, s.outliers);
}

static void
write_region(const struct pmcsim_report *report, FILE *out)
{
	fputc(',', out);
	if (report->only)
		pmcsim_csv_text(report->only->name, out);
	fputs("\r\n", out);
}

static void
write_row(const struct pmcsim_report *report, const struct pmcsim_row *row,
	  FILE *out)
{
	const struct pmcsim_event *event = report_event(report, row);
	const struct pmcsim_value *v = &row->count.value;
	const char *reason;
	bool known = report_has_value(report, row, &reason);

	write_place("count", &row->count, out);
	fprintf(out, "%s,%u,", row->count.parity ? "odd" : "even",
		row->count.code);
	pmcsim_csv_text(event->name, out);
	fputc(',', out);
	pmcsim_csv_text(event->label, out);
	fputc(',', out);
	if (known)
		fprintf(out, "%llu", (unsigned long long)v->shown);
	fprintf(out, ",events,%s,",
		pmcsim_precision_name(report_precision(report, row)));
	if (reason || event->reason)
		pmcsim_csv_text(reason ? reason : event->reason, out);
	fprintf(out, ",%d,%d", v->ledger && !v->unknown, v->wrapped);
	write_repeat(row, known, out);
	write_region(report, out);
}

/* Where metrics go, and the report that they are of. */
struct metrics_of {
	const struct pmcsim_report *report;
	FILE *out;
};

static int
write_metric(const struct report_metric *m, void *data)
{
	const struct metrics_of *of = data;
	FILE *out = of->out;

	write_place("metric", m->view, out);
	fputs(",,", out);
	pmcsim_csv_text(m->metric->name, out);
	fputc(',', out);
	pmcsim_csv_text(m->metric->label, out);
	fprintf(out, ",%.*f,", 6, m->value);
	pmcsim_csv_text(m->metric->unit, out);
	fputs(",,,,,,,", out);
	write_region(of->report, out);
	return 0;
}

/* Of the command, or of the one region that it has. */
static int
write_part(const struct pmcsim_report *report, FILE *out)
{
	struct metrics_of of = {report, out};
	size_t first, end;
	int err = 0;

	for (size_t i = 0; i < report->n; i++)
		write_row(report, &report->row[i], out);
	for (first = 0; first < report->n && err == 0; first = end) {
		end = report_view_end(report, first);
		err = report_metrics(report, first, end, write_metric, &of);
	}
	return err;
}

int
pmcsim_report_csv(const struct pmcsim_report *report, FILE *out)
{
	locale_t before = report_begin();
	int err;

	fputs(PMCSIM_REPORT_COLUMNS "\r\n", out);
	err = write_part(report, out);
	for (size_t i = 0; i < report->n_regions && err == 0; i++) {
		struct pmcsim_report one = *report;

		one.row = report->region[i].row;
		one.only = &report->region[i].is;
		err = write_part(&one, out);
	}
	return report_end(before, out, err);
}
