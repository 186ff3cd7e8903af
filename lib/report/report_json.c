/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reports as JSON, schema pmcsim-sweep/1: one object, keys in fixed order. */
#include "json.h"
#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void
json_number(int number, FILE *out)
{
	if (number < 0)
		fputs("null", out);
	else
		fprintf(out, "%d", number);
}

static const char *
truth(bool b)
{
	return b ? "true" : "false";
}

/* Shortest form that reads back as the same number. */
static void
json_double(double value, FILE *out)
{
	char text[40];

	for (int digits = 6; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, value);
		if (strtod(text, NULL) == value)
			break;
	}
	fputs(isfinite(value) ? text : "null", out);
}

static void
write_place(const struct pmcsim_count *c, FILE *out)
{
	char letters[REPORT_MODES];

	fprintf(out, "\"mode\":\"%s\",\"vpe\":",
		report_modes(c->modes, letters));
	json_number(c->vpe, out);
	fputs(",\"tc\":", out);
	json_number(c->tc, out);
}

static void
write_repeat(const struct pmcsim_row *row, FILE *out)
{
	struct pmcsim_spread s;

	if (row->n_repeat < 2 ||
	    pmcsim_spread(row->repeat, row->n_repeat, &s) != 0)
		return;
	fputs(",\"repeat\":{\"values\":[", out);
	for (size_t i = 0; i < row->n_repeat; i++)
		fprintf(out, "%s%llu", i ? "," : "",
			(unsigned long long)row->repeat[i]);
	fputs("],\"mean\":", out);
	json_double(s.mean, out);
	fputs(",\"deviation\":", out);
	json_double(s.deviation, out);
	fprintf(out, ",\"min\":%llu,\"max\":%llu,\"kept\":%zu,"
		"\"outliers\":%zu}", (unsigned long long)s.min,
		(unsigned long long)s.max, s.kept, s.outliers);
}

static void
write_row(const struct pmcsim_report *report, const struct pmcsim_row *row,
	  FILE *out)
{
	const struct pmcsim_event *event = report_event(report, row);
	const struct pmcsim_value *v = &row->count.value;
	const char *reason;
	bool known = report_has_value(report, row, &reason);

	fputc('{', out);
	write_place(&row->count, out);
	fprintf(out, ",\"list\":\"%s\",\"event\":%u,\"name\":",
		row->count.parity ? "odd" : "even", row->count.code);
	json_string(event->name, out);
	fputs(",\"label\":", out);
	json_string(event->label, out);
	if (known)
		fprintf(out, ",\"value\":%llu", (unsigned long long)v->shown);
	else
		fputs(",\"value\":null", out);
	fprintf(out, ",\"precision\":\"%s\",\"reason\":",
		pmcsim_precision_name(report_precision(report, row)));
	pmcsim_json_text(reason ? reason : event->reason, out);
	fprintf(out, ",\"ledger\":%s,\"wrapped\":%s",
		truth(v->ledger && !v->unknown), truth(v->wrapped));
	if (known)
		write_repeat(row, out);
	fputc('}', out);
}

struct metric_list {
	FILE *out;
	bool some;
};

static int
write_metric(const struct report_metric *m, void *data)
{
	struct metric_list *list = data;
	FILE *out = list->out;

	fputs(list->some ? ",\n  {\"name\":" : "\n  {\"name\":", out);
	list->some = true;
	json_string(m->metric->name, out);
	fputs(",\"label\":", out);
	json_string(m->metric->label, out);
	fputc(',', out);
	write_place(m->view, out);
	fputs(",\"value\":", out);
	json_double(m->value, out);
	fputs(",\"unit\":", out);
	json_string(m->metric->unit, out);
	fputc('}', out);
	return 0;
}

static int
write_metrics(const struct pmcsim_report *report, FILE *out)
{
	struct metric_list list = {out, false};
	size_t first, end;
	int err = 0;

	for (first = 0; first < report->n && err == 0; first = end) {
		end = report_view_end(report, first);
		err = report_metrics(report, first, end, write_metric, &list);
	}
	return err;
}

/* Of which region counts are. */
static void
write_region(const struct pmcsim_region *r, FILE *out)
{
	fputs("\"name\":", out);
	json_string(r->name, out);
	fprintf(out, ",\"entries\":%llu,\"never_ended\":%llu,"
		"\"never_begun\":%llu", (unsigned long long)r->entries,
		(unsigned long long)r->unended,
		(unsigned long long)r->unbegun);
}

static void
write_rows(const struct pmcsim_report *report, const struct pmcsim_row *row,
	   FILE *out)
{
	fputs("\"counts\":[", out);
	for (size_t i = 0; i < report->n; i++) {
		fputs(i ? ",\n  " : "\n  ", out);
		write_row(report, &row[i], out);
	}
	fputc(']', out);
}

static int
write_regions(const struct pmcsim_report *report, FILE *out)
{
	int err = 0;

	fputs(",\n \"regions\":[", out);
	for (size_t i = 0; i < report->n_regions && err == 0; i++) {
		struct pmcsim_report one = *report;

		one.row = report->region[i].row;
		fputs(i ? ",\n {" : "\n {", out);
		write_region(&report->region[i].is, out);
		fputs(",\n ", out);
		write_rows(&one, one.row, out);
		fputs(",\n \"metrics\":[", out);
		err = write_metrics(&one, out);
		fputs("]}", out);
	}
	fputc(']', out);
	return err;
}

int
pmcsim_report_json(const struct pmcsim_report *report, FILE *out)
{
	locale_t before = report_begin();
	int err;

	fputs("{\"schema\":\"pmcsim-sweep/1\",\"cpu\":", out);
	json_string(pmcsim_cpu_name(report->cpu), out);
	fputs(",\"command\":", out);
	pmcsim_json_texts(report->command, out);
	if (report->system) {
		fputs(",\"system\":", out);
		json_string(report->system, out);
	}
	if (report->engine) {
		fputs(",\"engine\":", out);
		json_string(report->engine, out);
	}
	if (report->isa)
		fprintf(out, ",\"isa\":\"%s\"", report->isa);
	if (report->environment) {
		fputs(",\"environment\":", out);
		json_string(report->environment, out);
	}
	fprintf(out, ",\"partial\":%s,\"doubts\":", truth(report->partial));
	pmcsim_json_doubts(report->doubts, out);
	fprintf(out, ",\"runs\":%zu,\n ", report->runs);
	if (report->only) {
		fputs("\"region\":{", out);
		write_region(report->only, out);
		fputs("},\n ", out);
	}
	write_rows(report, report->row, out);
	fputs(",\n \"metrics\":[", out);
	err = write_metrics(report, out);
	fputc(']', out);
	if (report->n_regions && err == 0)
		err = write_regions(report, out);
	fputs("}\n", out);
	return report_end(before, out, err);
}
