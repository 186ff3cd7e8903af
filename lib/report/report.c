/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What text, JSON and CSV reports have in common. */
#include "report.h"

#include "machine/signals.h"

#include <errno.h>
#include <stdlib.h>

const struct pmcsim_event *
report_event(const struct pmcsim_report *report, const struct pmcsim_row *row)
{
	return pmcsim_cpu_event(report->cpu, row->count.parity,
				row->count.code);
}

bool
report_is_modelled(const struct pmcsim_report *report,
		   const struct pmcsim_row *row)
{
	return report_event(report, row)->precision != PMCSIM_NOT_MODELLED &&
	       (!row->count.value.unknown ||
		row->count.modes & 1u << MODE_USER);
}

bool
report_has_value(const struct pmcsim_report *report,
		 const struct pmcsim_row *row, const char **reason)
{
	const struct pmcsim_event *event = report_event(report, row);

	*reason = NULL;
	if (event->precision == PMCSIM_NOT_MODELLED)
		*reason = event->reason ? event->reason : "no model";
	else if (!row->measured)
		*reason = report->unmeasured ? report->unmeasured :
					       "its run was not reached";
	if (*reason)
		return false;
	*reason = row->count.value.unknown;
	return report_is_modelled(report, row);
}

enum pmcsim_precision
report_precision(const struct pmcsim_report *report,
		 const struct pmcsim_row *row)
{
	const struct pmcsim_value *v = &row->count.value;

	if (!report_is_modelled(report, row))
		return PMCSIM_NOT_MODELLED;
	return v->ledger && !v->unknown ? PMCSIM_LEDGER
					: report_event(report, row)->precision;
}

const char *
report_modes(unsigned modes, char text[REPORT_MODES])
{
	static const char letter[] = "EKSU";
	char *p = text;

	for (int bit = 3; bit >= 0; bit--)
		if (modes >> bit & 1)
			*p++ = letter[bit];
	*p = '\0';
	return text;
}

const char *
pmcsim_precision_name(enum pmcsim_precision precision)
{
	static const char *const name[] = {
		[PMCSIM_EXACT] = "exact",
		[PMCSIM_STRUCTURAL] = "structural",
		[PMCSIM_TIMING] = "timing",
		[PMCSIM_ZERO] = "zero",
		[PMCSIM_LEDGER] = "ledger",
		[PMCSIM_NOT_MODELLED] = "not-modelled",
	};

	return name[precision];
}

size_t
report_view_end(const struct pmcsim_report *report, size_t first)
{
	const struct pmcsim_count *view = &report->row[first].count;
	size_t i;

	for (i = first + 1; i < report->n; i++) {
		const struct pmcsim_count *c = &report->row[i].count;

		if (c->modes != view->modes || c->tc != view->tc ||
		    c->vpe != view->vpe)
			break;
	}
	return i;
}

int
report_metrics(const struct pmcsim_report *report, size_t first, size_t end,
	       int (*fn)(const struct report_metric *metric, void *data),
	       void *data)
{
	struct pmcsim_count *count = calloc(end - first, sizeof(*count));
	const struct pmcsim_metric *metric;
	size_t n = 0, n_metrics;
	const char *reason;
	int err = 0;

	if (!count)
		return -ENOMEM;
	for (size_t i = first; i < end; i++)
		if (report_has_value(report, &report->row[i], &reason) &&
		    !reason)
			count[n++] = report->row[i].count;
	metric = pmcsim_cpu_metrics(report->cpu, &n_metrics);
	for (size_t i = 0; i < n_metrics && err >= 0; i++) {
		struct report_metric m = {
			.metric = &metric[i],
			.view = &report->row[first].count,
		};

		if (pmcsim_metric_value(report->cpu, &metric[i], count, n,
					&m.value) == 0)
			err = fn(&m, data);
	}
	free(count);
	return err < 0 ? err : 0;
}

locale_t
report_begin(void)
{
	locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);

	return c ? uselocale(c) : (locale_t)0;
}

int
report_end(locale_t before, FILE *out, int err)
{
	if (before) {
		locale_t c = uselocale(before);

		freelocale(c);
	}
	if (err || !ferror(out))
		return err;
	/* What still waits tells why. */
	return fflush(out) ? -errno : -EIO;
}

static void
print_list(const char *prefix, const char *name, const unsigned *code,
	   size_t n, FILE *out)
{
	fprintf(out, "%s%s-counter events:", prefix, name);
	for (size_t i = 0; i < n; i++)
		fprintf(out, " %u", code[i]);
	fputc('\n', out);
}

void
pmcsim_report_lists(const struct pmcsim_report *report, const char *prefix,
		    FILE *out)
{
	print_list(prefix, "Even", report->even, report->n_even, out);
	print_list(prefix, "Odd", report->odd, report->n_odd, out);
}
