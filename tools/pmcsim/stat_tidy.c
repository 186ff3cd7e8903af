/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is counted as records, one for each count and metric, and as a table of
 * Markdown with the processors side by side. */
#include "stat.h"

#include "common/csv_table.h"

#include <stdlib.h>

/* Why a want has no number on a CPU; NULL: it has one. */
static const char *
missing(const struct stat_cpu *c, size_t want)
{
	if (!c->supported[want])
		return "not supported";
	return stat_counted(c, want) ? NULL : "not counted";
}

/* The sign that a metric's number has, as a unit. */
static const char *
metric_unit(const struct stat_metric *m)
{
	return *m->sign == '%' ? "percent" : "";
}

/* ---- CSV ---------------------------------------------------------------- */

struct of_cpu {
	const struct stat *s;
	const struct stat_cpu *c;
};

/* The first two fields: what it is, and the region that it is of, if it is not
 * the command. */
static void
put_kind(const struct stat *s, const char *kind, FILE *out)
{
	const char *region = stat_region_name(s);

	fprintf(out, "%s,", kind);
	pmcsim_csv_text(region ? region : "", out);
	fputc(',', out);
}

static void
put_want(const struct of_cpu *of, size_t want, FILE *out)
{
	const char *none = missing(of->c, want), *unit;
	double smaller, deviation;
	double value = stat_mean(of->s, of->c, want, &deviation);

	unit = stat_unit(of->c, want, &smaller);
	put_kind(of->s, "count", out);
	pmcsim_csv_text(of->s->o->want[want].name, out);
	if (none)
		fprintf(out, ",,,,%s\r\n", none);
	else
		fprintf(out, ",%.*f,%s,%.2f,\r\n", smaller > 1 ? 2 : 0,
			value / smaller, *unit ? unit : "events", deviation);
}

static int
write_cpu(const void *report, FILE *out)
{
	const struct of_cpu *of = report;
	struct stat_metric metric[STAT_METRICS];

	fputs(STAT_COLUMNS "\r\n", out);
	for (size_t w = 0; w < of->s->o->n_wants; w++) {
		size_t n = stat_metrics(of->s, of->c, w, metric);

		if (!of->s->o->metric_only)
			put_want(of, w, out);
		for (size_t i = 0; i < n; i++) {
			put_kind(of->s, "metric", out);
			pmcsim_csv_text(metric[i].unit, out);
			fprintf(out, ",%.*f,%s,,\r\n",
				(int)metric[i].digits, metric[i].value,
				metric_unit(&metric[i]));
		}
	}
	return 0;
}

void
stat_write_tidy(const struct stat *s, FILE *out)
{
	for (size_t k = 0; k < s->o->n_cpus; k++) {
		struct of_cpu of = {s, &s->cpu[k]};
		struct tidy tidy = {
			.tool = &stat_tool,
			.command = s->o->command,
			.cpu = pmcsim_cpu_name(s->cpu[k].cpu),
			.engine = tidy_engine(&s->o->system, s->o->command),
			.run = s->o->run,
			.further = k > 0 || s->region,
		};

		tidy_write(&tidy, write_cpu, &of, out);
	}
}

/* ---- Markdown ----------------------------------------------------------- */

static void
put_name(const char *name, FILE *out)
{
	fputs("| ", out);
	markdown_text(name, out);
	fputs(" |", out);
}

/* Metric number i of a want on each CPU; false: on none. */
static bool
put_metrics(const struct stat *s, size_t want, size_t i, FILE *out)
{
	struct stat_metric metric[STAT_CPUS][STAT_METRICS];
	size_t n[STAT_CPUS];
	const char *name = NULL;

	for (size_t k = 0; k < s->o->n_cpus; k++) {
		n[k] = stat_metrics(s, &s->cpu[k], want, metric[k]);
		if (n[k] > i && !name)
			name = metric[k][i].unit;
	}
	if (!name)
		return false;
	put_name(name, out);
	for (size_t k = 0; k < s->o->n_cpus; k++) {
		if (n[k] > i)
			fprintf(out, " %.*f%s", (int)metric[k][i].digits,
				metric[k][i].value,
				*metric[k][i].sign == '%' ? "%" : "");
		/* Rates have prefixes of their own. */
		if (n[k] > i && strcmp(metric[k][i].unit, name)) {
			fputc(' ', out);
			markdown_text(metric[k][i].unit, out);
		}
		fputs(" |", out);
	}
	fputc('\n', out);
	return true;
}

static void
put_counts(const struct stat *s, size_t want, FILE *out)
{
	put_name(s->o->want[want].name, out);
	for (size_t k = 0; k < s->o->n_cpus; k++) {
		const char *none = missing(&s->cpu[k], want), *unit;
		double smaller, value = stat_mean(s, &s->cpu[k], want, NULL);

		unit = stat_unit(&s->cpu[k], want, &smaller);
		if (none)
			fprintf(out, " %s |", none);
		else
			fprintf(out, " %.*f%s%s |", smaller > 1 ? 2 : 0,
				value / smaller, *unit ? " " : "", unit);
	}
	fputc('\n', out);
}

void
stat_write_markdown(const struct stat *s, FILE *out)
{
	char *command = tidy_command_text(&stat_tool, s->o->command);

	if (s->region)
		fputc('\n', out);
	markdown_text(command, out);
	if (stat_region_name(s)) {
		fputs(", region ", out);
		markdown_text(stat_region_name(s), out);
	}
	fprintf(out, " (%s)\n\n|", tidy_engine(&s->o->system, s->o->command));
	free(command);
	for (size_t k = 0; k < s->o->n_cpus; k++) {
		fputs(k ? " " : " | ", out);
		markdown_text(pmcsim_cpu_name(s->cpu[k].cpu), out);
		fputs(" |", out);
	}
	fputs("\n|---|", out);
	for (size_t k = 0; k < s->o->n_cpus; k++)
		fputs("--:|", out);
	fputc('\n', out);
	for (size_t w = 0; w < s->o->n_wants; w++) {
		size_t i = 0;

		if (!s->o->metric_only)
			put_counts(s, w, out);
		while (i < STAT_METRICS && put_metrics(s, w, i, out))
			i++;
	}
	if (s->partial)
		fputs("\npartial: stopped before the end\n", out);
}
