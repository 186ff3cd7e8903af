/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What perf stat prints for people. */
#include "stat.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT_WIDTH 18
#define NAME_WIDTH 32
#define UNIT_WIDTH 23
#define NUMBER 64

/* A whole number, with a comma between groups of three digits. */
static void
put_grouped(const struct stat *s, double value, char text[NUMBER])
{
	char digits[NUMBER];
	size_t n, used = 0;

	snprintf(digits, sizeof(digits), "%.0f", value);
	n = strlen(digits);
	for (size_t i = 0; i < n && used + 2 < NUMBER; i++) {
		if (i && (n - i) % 3 == 0 && !s->o->no_big_numbers)
			text[used++] = ',';
		text[used++] = digits[i];
	}
	text[used] = '\0';
}

/* A want's mean. */
static const char *
count_text(const struct stat *s, const struct stat_cpu *c, size_t want,
	   char text[NUMBER])
{
	double smaller, value = stat_mean(s, c, want, NULL);
	const char *unit = stat_unit(c, want, &smaller);

	if (!c->supported[want])
		return "<not supported>";
	if (!stat_counted(c, want))
		return "<not counted>";
	if (strcmp(unit, "msec") == 0)
		snprintf(text, NUMBER, "%.2f", value / smaller);
	else
		put_grouped(s, value, text);
	return text;
}

/* The number of a metric as it stands behind "#". */
static void
metric_text(const struct stat_metric *m, char text[NUMBER])
{
	snprintf(text, NUMBER, "%*.*f%s", m->digits > 2 ? 8 : 7,
		 (int)m->digits, m->value, m->sign);
}

static void
put_deviation(double deviation, FILE *out)
{
	if (deviation > 0)
		fprintf(out, "  ( +-%6.2f%% )", deviation);
}

/* perf has the first part, behind what has had its counter for some time only. */
static void
put_share(const struct stat *s, const struct stat_cpu *c, size_t want,
	  FILE *out)
{
	double running, error;

	if (!stat_shared(s, c, want, &running, &error))
		return;
	fprintf(out, "  (%.2f%%)", running);
	if (c->share)
		fprintf(out, "  error %+.2f%%", error);
}

void
stat_put_want(const struct stat *s, const struct stat_cpu *c, size_t want,
	      FILE *out)
{
	struct stat_metric metric[STAT_METRICS];
	size_t n = stat_metrics(s, c, want, metric);
	char number[NUMBER];
	double smaller, deviation;

	stat_mean(s, c, want, &deviation);
	fprintf(out, "%s%*s %-4s ", s->prefix, COUNT_WIDTH,
		count_text(s, c, want, number),
		c->supported[want] ? stat_unit(c, want, &smaller) : "");
	if (!n && deviation == 0)
		fprintf(out, "%s", s->o->want[want].name);
	else
		fprintf(out, "%-*s", NAME_WIDTH, s->o->want[want].name);
	for (size_t i = 0; i < n; i++) {
		if (i)
			fprintf(out, "\n%*s", COUNT_WIDTH + 6 + NAME_WIDTH, "");
		metric_text(&metric[i], number);
		fprintf(out, " # %s %-*s", number,
			i == 0 && deviation > 0 ? UNIT_WIDTH : 0,
			metric[i].unit);
		if (i == 0) {
			put_deviation(deviation, out);
			put_share(s, c, want, out);
		}
	}
	if (!n && deviation > 0)
		fprintf(out, "%*s", UNIT_WIDTH + 12, "");
	if (!n) {
		put_deviation(deviation, out);
		put_share(s, c, want, out);
	}
	fputc('\n', out);
}

/* "region 'parse', 3 entries". */
static void
put_region(const struct stat *s, const char *between, FILE *out)
{
	const char *name = stat_region_name(s);
	uint64_t entries = s->cpu[0].asked.entries;

	if (!name)
		return;
	fprintf(out, "%segion '", between);
	tool_put(name, out);
	fprintf(out, "', %" PRIu64 " %s", entries,
		entries == 1 ? "entry" : "entries");
}

static void
put_thread(const struct stat *s, FILE *out)
{
	fputs(" Thread '", out);
	tool_put(stat_region_name(s), out);
	fputc('\'', out);
}

void
stat_put_title(const struct stat *s, FILE *out)
{
	fputs("\n Performance counter stats for '", out);
	for (char *const *word = s->o->command; *word; word++) {
		if (word != s->o->command)
			fputc(' ', out);
		tool_put(*word, out);
	}
	fputc('\'', out);
	if (s->o->repeat > 1)
		fprintf(out, " (%lu runs)", s->o->repeat);
	put_region(s, ", r", out);
	fputs(":\n\n", out);
}

/* So many digits that the deviation has two, as perf has it. */
static int
digits_for(double deviation)
{
	double digits = deviation > 1 ? 0 : ceil(-log10(deviation));

	return deviation <= 0 || digits + 2 > 9 ? 9 : (int)digits + 2;
}

/* A sign for each so many percent that a run is off the mean, and one more. */
#define SIGN_PERCENT 5
#define SIGNS 60

/* The time of each run, and by how much it is off the mean, as perf has them. */
static void
put_runs(const struct stat_cpu *c, double mean, int digits, FILE *out)
{
	int before = 18 - snprintf(NULL, 0, "%.*f", digits, mean);

	fprintf(out, "%*s# Table of individual measurements:\n", before, "");
	for (size_t i = 0; i < c->runs; i++) {
		double run = c->user[i] + c->kernel[i], off = run - mean;
		double signs = run > 0 ? 100 * fabs(off) / run / SIGN_PERCENT
				       : 0;

		fprintf(out, " %17.*f (%+.*f) ", digits, run, digits, off);
		for (int k = 0; k <= fmin(signs, SIGNS); k++)
			fputc('#', out);
		fputc('\n', out);
	}
	fprintf(out, "\n%*s# Final result:\n", before, "");
}

static void
put_no_time(FILE *out)
{
	fputs("\n time is not modelled: --no-time\n\n", out);
}

static void
put_times(const struct stat *s, const struct stat_cpu *c, FILE *out)
{
	double percent, seconds = stat_seconds(c, &percent);
	double deviation = seconds * percent / 100;
	int digits = digits_for(deviation);

	if (s->o->no_time) {
		put_no_time(out);
		return;
	}
	if (s->o->repeat > 1) {
		fputc('\n', out);
		if (s->o->table)
			put_runs(c, seconds, digits, out);
		fprintf(out, " %17.*f +- %.*f seconds time elapsed", digits,
			seconds, digits, deviation);
		put_deviation(percent, out);
		fputs("\n\n", out);
		return;
	}
	if (c->estimate) {
		fprintf(out, "\n %17.9f seconds user\n\n",
			c->runs ? c->user[0] : 0);
		return;
	}
	fprintf(out, "\n %17.9f seconds time elapsed\n", seconds);
	if (c->runs)
		fprintf(out, "\n %17.9f seconds user\n %17.9f seconds sys\n\n",
			c->user[0], c->kernel[0]);
}

/* What counts are of, which perf need not say: the text up to its details. */
static void
put_model(const struct stat *s, const struct stat_cpu *c, FILE *out)
{
	const char *text = pmcsim_cpu_text(c->cpu);

	if (s->partial)
		fputs(" partial: stopped before the end\n", out);
	stat_put_measured(s, c, out);
	fprintf(out, " model %s: %.*s\n\n", pmcsim_cpu_name(c->cpu),
		(int)strcspn(text, ":"), text);
}

void
stat_put_end(const struct stat *s, const struct stat_cpu *c, FILE *out)
{
	put_times(s, c, out);
	put_model(s, c, out);
}

/* Names above numbers. */
static void
put_metrics_alone(const struct stat *s, const struct stat_cpu *c, FILE *out)
{
	struct stat_metric metric[STAT_METRICS];
	char number[NUMBER];

	for (unsigned line = s->further; line < 2; line++) {
		if (*s->prefix)
			fprintf(out, "%16s", line ? s->prefix
						  : "#          time ");
		for (size_t w = 0; w < s->o->n_wants; w++) {
			size_t n = stat_metrics(s, c, w, metric);

			for (size_t i = 0; i < n; i++) {
				int width = (int)strlen(metric[i].unit);

				if (width < 10)
					width = 10;
				metric_text(&metric[i], number);
				fprintf(out, " %*s", width,
					line ? number : metric[i].unit);
			}
		}
		fputc('\n', out);
	}
}

void
stat_put_text(const struct stat *s, const struct stat_cpu *c, FILE *out)
{
	if (s->o->metric_only)
		put_metrics_alone(s, c, out);
	else if (*s->prefix && !s->further)
		fputs("#           time             counts unit events\n", out);
	for (size_t w = 0; w < s->o->n_wants && !s->o->metric_only; w++)
		stat_put_want(s, c, w, out);
}

void
stat_write_text(const struct stat *s, FILE *out)
{
	stat_put_title(s, out);
	for (size_t k = 0; k < s->o->n_cpus; k++) {
		stat_put_text(s, &s->cpu[k], out);
		stat_put_end(s, &s->cpu[k], out);
	}
}

/* ---- Several CPUs side by side ---------------------------------------- */

/* A row of what metric number i of a want is on each CPU; false: on none. */
static bool
put_metric_row(const struct stat *s, size_t want, size_t i, FILE *out)
{
	struct stat_metric metric[STAT_CPUS][STAT_METRICS];
	bool has[STAT_CPUS];
	const char *unit = NULL;
	char number[NUMBER];

	for (size_t k = 0; k < s->o->n_cpus; k++) {
		has[k] = stat_metrics(s, &s->cpu[k], want, metric[k]) > i;
		if (has[k] && !unit)
			unit = metric[k][i].unit;
	}
	if (!unit)
		return false;
	fprintf(out, "   # %-*s", NAME_WIDTH - 2, unit);
	for (size_t k = 0; k < s->o->n_cpus; k++) {
		if (has[k])
			snprintf(number, NUMBER, "%.*f%s",
				 (int)metric[k][i].digits, metric[k][i].value,
				 *metric[k][i].sign == ' ' &&
						 !metric[k][i].sign[1]
					 ? "" : metric[k][i].sign);
		/* Rates have prefixes of their own. */
		if (has[k] && strcmp(metric[k][i].unit, unit)) {
			size_t used = strlen(number);

			snprintf(number + used, NUMBER - used, " %s",
				 metric[k][i].unit);
		}
		fprintf(out, " %*s", COUNT_WIDTH, has[k] ? number : "");
	}
	fputc('\n', out);
	return true;
}

static void
put_row(const struct stat *s, size_t want, FILE *out)
{
	char number[NUMBER];
	const char *unit = "";
	double smaller;

	for (size_t k = 0; k < s->o->n_cpus && !*unit; k++)
		if (s->cpu[k].supported[want])
			unit = stat_unit(&s->cpu[k], want, &smaller);
	fprintf(out, " %-4s %-*s", unit, NAME_WIDTH - 2,
		s->o->want[want].name);
	for (size_t k = 0; k < s->o->n_cpus; k++)
		fprintf(out, " %*s", COUNT_WIDTH,
			count_text(s, &s->cpu[k], want, number));
	fputc('\n', out);
}

static void
put_table(const struct stat *s, FILE *out)
{
	fprintf(out, "%*s", NAME_WIDTH + 4, "");
	for (size_t k = 0; k < s->o->n_cpus; k++)
		fprintf(out, " %*s", COUNT_WIDTH,
			pmcsim_cpu_name(s->cpu[k].cpu));
	fputs("\n\n", out);
	for (size_t w = 0; w < s->o->n_wants; w++) {
		size_t i = 0;

		if (!s->o->metric_only)
			put_row(s, w, out);
		while (i < STAT_METRICS && put_metric_row(s, w, i, out))
			i++;
	}
	if (s->o->no_time) {
		put_no_time(out);
		return;
	}
	fprintf(out, "\n      %-*s", NAME_WIDTH - 2, "seconds time elapsed");
	for (size_t k = 0; k < s->o->n_cpus; k++)
		fprintf(out, " %*.9f", COUNT_WIDTH,
			stat_seconds(&s->cpu[k], NULL));
	fputs("\n\n", out);
}

void
stat_write_table(const struct stat *s, FILE *out)
{
	stat_put_title(s, out);
	put_table(s, out);
	if (s->partial)
		fputs(" partial: stopped before the end\n\n", out);
}

void
stat_write_region(const struct stat *view, FILE *out)
{
	if (view->o->regions.threads)
		put_thread(view, out);
	else
		put_region(view, " R", out);
	fputs(":\n\n", out);
	if (view->o->n_cpus > 1 && !view->o->apart) {
		put_table(view, out);
		return;
	}
	for (size_t k = 0; k < view->o->n_cpus; k++) {
		stat_put_text(view, &view->cpu[k], out);
		if (view->o->n_cpus > 1)
			put_model(view, &view->cpu[k], out);
		else
			fputc('\n', out);
	}
}
