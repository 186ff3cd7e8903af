/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Results for programs: CSV and JSON with the fields that perf 6.1 has. */
#include "stat.h"

#include <inttypes.h>
#include <string.h>

/* Why there is no number; NULL: there is one. */
static const char *
missing(const struct stat_cpu *c, size_t want)
{
	if (!c->supported[want])
		return "<not supported>";
	return stat_counted(c, want) ? NULL : "<not counted>";
}

/* ---- CSV -------------------------------------------------------------- */

/* A name as a field: with quotes if the separator is in it. */
static void
csv_name(const struct stat *s, const char *name, FILE *out)
{
	bool quoted = strstr(name, s->o->separator) || strchr(name, '"');

	if (quoted)
		fputc('"', out);
	for (; *name; name++) {
		char one[2] = {*name, '\0'};

		if (*name == '"')
			fputc('"', out);
		tool_put(one, out);
	}
	fputs(quoted ? "\"" : "", out);
	fputs(s->o->separator, out);
}

/* What stands before all fields: perf names a CPU there if it counts several
 * for themselves. */
static void
csv_cpu(const struct stat *s, const struct stat_cpu *c, FILE *out)
{
	if (stat_region_name(s))
		csv_name(s, stat_region_name(s), out);
	if (*s->prefix)
		fprintf(out, "%s%s", s->prefix, s->o->separator);
	if (s->o->n_cpus > 1)
		fprintf(out, "%s%s", pmcsim_cpu_name(c->cpu),
			s->o->separator);
}

static void
csv_metric(const struct stat *s, const struct stat_metric *m, FILE *out)
{
	fprintf(out, "%s%.*f%s%s\n", s->o->separator, (int)m->digits,
		m->value, s->o->separator, m->unit);
}

static void
csv_want(const struct stat *s, const struct stat_cpu *c, size_t want,
	 FILE *out)
{
	const char *x = s->o->separator, *none = missing(c, want);
	struct stat_metric metric[STAT_METRICS];
	size_t n = stat_metrics(s, c, want, metric);
	double smaller, deviation, value = stat_mean(s, c, want, &deviation);
	const char *unit = stat_unit(c, want, &smaller);
	double running, error;

	stat_shared(s, c, want, &running, &error);
	csv_cpu(s, c, out);
	if (none)
		fprintf(out, "%s%s", none, x);
	else
		fprintf(out, "%.*f%s", smaller > 1 ? 2 : 0, value / smaller,
			x);
	fprintf(out, "%s%s%s%s", c->supported[want] ? unit : "", x,
		s->o->want[want].name, x);
	if (stat_deviates(s))
		fprintf(out, "%.2f%%%s", none ? 0 : deviation, x);
	if (!s->o->no_time)
		fprintf(out, "%.0f",
			none ? 0 : stat_run_time(s, c) * running / 100);
	fprintf(out, "%s%.2f", x,
		none && c->share && c->supported[want] ? 0 : running);
	if (!n)
		fprintf(out, "%s%s\n", x, x);
	for (size_t i = 0; i < n; i++) {
		/* perf leaves the other fields of further metrics empty. */
		if (i)
			csv_cpu(s, c, out);
		for (int k = 0; i && k < 4 + stat_deviates(s); k++)
			fputs(x, out);
		csv_metric(s, &metric[i], out);
	}
}

static void
csv_metrics_alone(const struct stat *s, const struct stat_cpu *c, bool names,
		  FILE *out)
{
	struct stat_metric metric[STAT_METRICS];
	const char *between = "";

	if (!names)
		csv_cpu(s, c, out);
	for (int k = 0; names && k < (stat_region_name(s) != NULL) +
					     (*s->prefix != 0) +
					     (s->o->n_cpus > 1);
	     k++)
		fputs(s->o->separator, out);
	for (size_t w = 0; w < s->o->n_wants; w++) {
		size_t n = stat_metrics(s, c, w, metric);

		for (size_t i = 0; i < n; i++) {
			fputs(between, out);
			between = s->o->separator;
			if (names)
				fputs(metric[i].unit, out);
			else
				fprintf(out, "%.*f", (int)metric[i].digits,
					metric[i].value);
		}
	}
	fputc('\n', out);
}

void
stat_put_csv(const struct stat *s, const struct stat_cpu *c, FILE *out)
{
	if (s->o->metric_only && !s->further)
		csv_metrics_alone(s, c, true, out);
	if (s->o->metric_only)
		csv_metrics_alone(s, c, false, out);
	for (size_t w = 0; w < s->o->n_wants && !s->o->metric_only; w++)
		csv_want(s, c, w, out);
}

void
stat_write_csv(const struct stat *s, FILE *out)
{
	for (size_t k = 0; k < s->o->n_cpus; k++)
		stat_put_csv(s, &s->cpu[k], out);
}

/* ---- JSON ------------------------------------------------------------- */

/* What perf does not say: of which model the counts are, and what ran. */
static void
json_model(const struct stat *s, const struct stat_cpu *c, FILE *out)
{
	const char *engine = outside_engine(&s->o->system, s->o->command);
	const char *isa = outside_isa(&s->o->system, s->o->command);

	fputs(", \"model\" : ", out);
	pmcsim_json_text(pmcsim_cpu_name(c->cpu), out);
	fputs(", \"engine\" : ", out);
	pmcsim_json_text(engine ? engine : "qemu", out);
	if (isa)
		fprintf(out, ", \"isa\" : \"%s\"", isa);
	stat_json_measured(s, c, out);
	fputs(", \"environment\" : ", out);
	pmcsim_json_text(outside_environment(s->o->command), out);
	if (s->partial)
		fputs(", \"partial\" : true", out);
}

/* What marks the beginning of an object: whose counts it has. */
static void
json_begin(const struct stat *s, const struct stat_cpu *c, FILE *out)
{
	const char *region = stat_region_name(s);

	fputc('{', out);
	if (region && s->o->regions.threads) {
		fputs("\"thread\" : ", out);
		pmcsim_json_text(region, out);
		fputs(", ", out);
	} else if (region) {
		fputs("\"region\" : ", out);
		pmcsim_json_text(region, out);
		fprintf(out, ", \"entries\" : %" PRIu64 ", "
			"\"never-ended\" : %" PRIu64 ", "
			"\"never-begun\" : %" PRIu64 ", ",
			c->asked.entries, c->asked.unended, c->asked.unbegun);
	}
	if (*s->prefix)
		fprintf(out, "\"interval\" : %s, ", s->prefix);
}

static void
json_metric(const struct stat_metric *m, FILE *out)
{
	fprintf(out, "\"metric-value\" : %f, \"metric-unit\" : ", m->value);
	pmcsim_json_text(m->unit, out);
}

/* The fields that counts of all tools have. */
static void
json_count(const struct stat *s, const struct stat_cpu *c, size_t want,
	   const char *none, FILE *out)
{
	const struct pmcsim_named *event = stat_named(c, want);

	fputs(", \"name\" : ", out);
	pmcsim_json_text(s->o->want[want].event, out);
	if (none)
		fputs(", \"value\" : null", out);
	else
		fprintf(out, ", \"value\" : %.*f", s->o->repeat > 1 ? 2 : 0,
			stat_mean(s, c, want, NULL));
	fprintf(out, ", \"precision\" : \"%s\", \"reason\" : ",
		pmcsim_precision_name(c->supported[want]
					      ? event->precision
					      : PMCSIM_NOT_MODELLED));
	pmcsim_json_text(!none ? NULL : c->supported[want] ? "not counted"
							   : "not supported",
			 out);
}

static void
json_want(const struct stat *s, const struct stat_cpu *c, size_t want,
	  FILE *out)
{
	static const struct stat_metric nothing = {.sign = ""};
	const char *none = missing(c, want);
	struct stat_metric metric[STAT_METRICS] = {nothing};
	size_t n = stat_metrics(s, c, want, metric);
	double smaller, deviation, value = stat_mean(s, c, want, &deviation);
	const char *unit = stat_unit(c, want, &smaller);
	double running, error;

	stat_shared(s, c, want, &running, &error);
	json_begin(s, c, out);
	if (none)
		fprintf(out, "\"counter-value\" : \"%s\"", none);
	else
		fprintf(out, "\"counter-value\" : \"%f\"", value / smaller);
	fprintf(out, ", \"unit\" : \"%s\", \"event\" : ",
		c->supported[want] ? unit : "");
	pmcsim_json_text(s->o->want[want].name, out);
	if (stat_deviates(s))
		fprintf(out, ", \"variance\" : %.2f", none ? 0 : deviation);
	if (!s->o->no_time)
		fprintf(out, ", \"event-runtime\" : %.0f",
			none ? 0 : stat_run_time(s, c) * running / 100);
	fprintf(out, ", \"pcnt-running\" : %.2f, ",
		none && c->share && c->supported[want] ? 0 : running);
	json_metric(&metric[0], out);
	json_model(s, c, out);
	json_count(s, c, want, none, out);
	if (c->share && c->supported[want])
		fprintf(out, ", \"exact\" : %" PRIu64 ", \"error\" : %.2f",
			c->share[want].exact, none ? -100 : error);
	fputs("}\n", out);
	for (size_t i = 1; i < n; i++) {
		json_begin(s, c, out);
		json_metric(&metric[i], out);
		json_model(s, c, out);
		fputs("}\n", out);
	}
}

static void
json_metrics_alone(const struct stat *s, const struct stat_cpu *c, FILE *out)
{
	struct stat_metric metric[STAT_METRICS];
	const char *between = "";

	json_begin(s, c, out);
	for (size_t w = 0; w < s->o->n_wants; w++) {
		size_t n = stat_metrics(s, c, w, metric);

		for (size_t i = 0; i < n; i++) {
			fputs(between, out);
			pmcsim_json_text(metric[i].unit, out);
			fprintf(out, " : \"%.*f\"", (int)metric[i].digits,
				metric[i].value);
			between = ", ";
		}
	}
	if (!*between)
		fputs("\"metrics\" : null", out);
	json_model(s, c, out);
	fputs("}\n", out);
}

void
stat_put_json(const struct stat *s, const struct stat_cpu *c, FILE *out)
{
	if (s->o->metric_only)
		json_metrics_alone(s, c, out);
	for (size_t w = 0; w < s->o->n_wants && !s->o->metric_only; w++)
		json_want(s, c, w, out);
}

void
stat_write_json(const struct stat *s, FILE *out)
{
	for (size_t k = 0; k < s->o->n_cpus; k++)
		stat_put_json(s, &s->cpu[k], out);
}
