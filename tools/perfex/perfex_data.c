/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Results of perfex for programs: JSON (schema pmcsim-perfex/1), CSV. */
#include "perfex.h"

#include <inttypes.h>
#include <math.h>

/* How well a count is known; NULL: the table does not say. */
static const char *
precision_of(const struct perfex *p, const struct perfex_count *c)
{
	enum system_method kernel =
		system_method(&p->o->system, perfex_modes(p->o));

	return c->table ? system_precision(kernel, c->table) : NULL;
}

/* ---- JSON ------------------------------------------------------------ */

static void
put_double(double value, FILE *out)
{
	if (isnan(value))
		fputs("null", out);
	else
		fprintf(out, "%.9g", value);
}

static void
put_count(const struct perfex *p, const struct perfex_count *c, FILE *out)
{
	fprintf(out, "    {\"event\": %u, \"name\": ", c->event);
	pmcsim_json_text(c->table ? c->table->name : NULL, out);
	fputs(", \"label\": ", out);
	pmcsim_json_text(c->label, out);
	if (c->missing)
		fputs(", \"value\": null, \"count\": null", out);
	else
		fprintf(out, ", \"value\": %.0f, \"count\": %.0f", c->count,
			c->count);
	fprintf(out, ", \"counted\": %" PRIu64, c->raw);
	if (c->missing) {
		fputs(", \"missing\": ", out);
		pmcsim_json_text(c->missing, out);
	} else if (c->projected) {
		fputs(", \"bound\": ", out);
		put_double(c->bound < 0 ? NAN : c->bound, out);
	}
	if (c->unknown)
		fputs(", \"kernel\": \"not modelled\"", out);
	if (p->o->exact && c->told)
		fprintf(out, ", \"exact\": %" PRIu64, c->exact);
	if (p->o->times && !c->missing)
		fprintf(out, ", \"seconds\": {\"typical\": %.9f, "
			"\"least\": %.9f, \"most\": %.9f}",
			c->seconds[PMCSIM_COST_TYPICAL],
			c->seconds[PMCSIM_COST_LEAST],
			c->seconds[PMCSIM_COST_MOST]);
	fputs(", \"precision\": ", out);
	pmcsim_json_text(precision_of(p, c), out);
	fputs(", \"reason\": ", out);
	pmcsim_json_text(system_reason(c->table, c->missing, c->unknown), out);
	fputc('}', out);
}

static void
put_statistics(const struct perfex *p, FILE *out)
{
	double count[PMCSIM_IRIX_EVENTS], value;
	const char *label, *between = "\n";

	perfex_by_event(p, count);
	fputs(",\n  \"statistics\": [", out);
	for (size_t i = 0;
	     pmcsim_irix_statistic(i, p->r12000, count, &p->costs,
				   p->clock_hz, &label, &value); i++) {
		fprintf(out, "%s    {\"label\": ", between);
		pmcsim_json_text(label, out);
		fputs(", \"value\": ", out);
		put_double(value, out);
		fputc('}', out);
		between = ",\n";
	}
	fputs("\n  ]", out);
}

/* Processes, or threads. */
static void
put_processes(const struct perfex *p, const char *key, bool threads, FILE *out)
{
	const char *between = "\n";

	fprintf(out, ",\n  \"%s\": [", key);
	for (size_t i = 0; i < p->n_process; i++) {
		const struct pmcsim_irix_process *one = &p->process[i];

		if (threads != (one->tid != 0))
			continue;
		fprintf(out, "%s    {\"pid\": %d", between, one->pid);
		if (threads)
			fprintf(out, ", \"tid\": %d", one->tid);
		for (size_t k = 0; k < p->n; k++)
			if (!p->count[k].missing)
				fprintf(out, ", \"%u\": %" PRIu64,
					p->count[k].event,
					one->value[p->count[k].event]);
		fputc('}', out);
		between = ",\n";
	}
	fputs("\n  ]", out);
}

static void
put_samples(const struct perfex *p, FILE *out)
{
	fputs(",\n  \"samples\": [", out);
	for (size_t i = 0; i < p->n_sample; i++) {
		const struct pmcsim_irix_sample *s = &p->sample[i];

		fprintf(out, "%s    {\"pid\": %d, \"cycles\": %" PRIu64,
			i ? ",\n" : "\n", s->pid, s->cycles);
		for (size_t k = 0; k < p->n; k++)
			fprintf(out, ", \"%u\": %" PRIu64, p->count[k].event,
				s->value[p->count[k].event / 16]);
		fputc('}', out);
	}
	fputs("\n  ]", out);
}

static void
put_region(const struct pmcsim_region *r, FILE *out)
{
	fputs("\"name\": ", out);
	pmcsim_json_text(r->name, out);
	fprintf(out, ", \"entries\": %" PRIu64 ", \"never_ended\": %" PRIu64
		", \"never_begun\": %" PRIu64, r->entries, r->unended,
		r->unbegun);
}

static void
put_counts(const struct perfex *p, FILE *out)
{
	fputs("\"counts\": [\n", out);
	for (size_t i = 0; i < p->n; i++) {
		put_count(p, &p->count[i], out);
		fputs(i + 1 < p->n ? ",\n" : "\n", out);
	}
	fputs("  ]", out);
}

static void
put_regions(const struct perfex *p, FILE *out)
{
	fputs(",\n  \"regions\": [", out);
	for (size_t i = 0; i < p->n_region; i++) {
		struct perfex view = perfex_view(p, &p->region[i]);

		fputs(i ? ",\n  {" : "\n  {", out);
		put_region(view.only, out);
		fputs(", ", out);
		put_counts(&view, out);
		fputc('}', out);
	}
	fputs("\n  ]", out);
}

void
perfex_report_json(const struct perfex *p, FILE *out)
{
	enum system_method kernel =
		system_method(&p->o->system, perfex_modes(p->o));
	const char *engine = outside_engine(&p->o->system, p->o->command);
	const char *isa = outside_isa(&p->o->system, p->o->command);

	fputs("{\n  \"schema\": \"pmcsim-perfex/1\",\n  \"cpu\": ", out);
	pmcsim_json_text(pmcsim_cpu_name(p->cpu), out);
	fputs(",\n  \"command\": ", out);
	pmcsim_json_texts(p->o->command, out);
	if (engine)
		fprintf(out, ",\n  \"engine\": \"%s\"", engine);
	if (isa)
		fprintf(out, ",\n  \"isa\": \"%s\"", isa);
	fprintf(out, ",\n  \"environment\": \"%s\"",
		outside_environment(p->o->command));
	fputs(",\n  \"kernel\": ", out);
	pmcsim_json_text(system_method_name(kernel), out);
	fprintf(out, ",\n  \"status\": %d,\n  \"partial\": %s,\n"
		"  \"doubts\": ", p->status, p->partial ? "true" : "false");
	pmcsim_json_doubts(pmcsim_machine_doubts(p->machine), out);
	fprintf(out, ",\n  \"clock_hz\": %.0f,\n  ", p->clock_hz);
	if (p->only) {
		fputs("\"region\": {", out);
		put_region(p->only, out);
		fputs("},\n  ", out);
	}
	put_counts(p, out);
	if (p->n_region)
		put_regions(p, out);
	if (p->o->times)
		put_statistics(p, out);
	if (p->o->processes) {
		put_processes(p, "processes", false, out);
		put_processes(p, "threads", true, out);
	}
	if (p->o->period > 0)
		put_samples(p, out);
	fputs("\n}\n", out);
}

/* ---- CSV ------------------------------------------------------------- */

/* Labels have no quotation marks. */
static void
csv_row(const struct perfex *p, const struct perfex_count *c, FILE *out)
{
	const char *precision = precision_of(p, c);
	const char *reason = system_reason(c->table, c->missing, c->unknown);

	fprintf(out, "%u,\"%s\",", c->event, c->label);
	if (!c->missing)
		fprintf(out, "%.0f", c->count);
	fprintf(out, ",%" PRIu64 ",", c->raw);
	if (c->projected && c->bound >= 0 && !c->missing)
		fprintf(out, "%.0f", c->bound);
	fputc(',', out);
	if (p->o->exact && c->told)
		fprintf(out, "%" PRIu64, c->exact);
	for (unsigned k = 0; k < 3; k++) {
		fputc(',', out);
		if (p->o->times && !c->missing)
			fprintf(out, "%.9f", c->seconds[k]);
	}
	fprintf(out, ",%s,", precision ? precision : "");
	if (reason)
		pmcsim_csv_text(reason, out);
	fputc(',', out);
	if (p->only)
		pmcsim_csv_text(p->only->name, out);
	fputs("\r\n", out);
}

static void
csv_process(const struct perfex *p, const struct pmcsim_irix_process *one,
	    FILE *out)
{
	for (size_t k = 0; k < p->n; k++) {
		fprintf(out, "%u,\"", p->count[k].event);
		if (one->tid)
			fprintf(out, "thread %d of ", one->tid);
		fprintf(out, "process %d\",", one->pid);
		if (p->count[k].missing)
			fputs(",,,,,,,,,\r\n", out);
		else	/* of turns, or of all the time */
			fprintf(out, p->o->all
					     ? ",%" PRIu64 ",,,,,,,,\r\n"
					     : "%" PRIu64 ",,,,,,,,,\r\n",
				one->value[p->count[k].event]);
	}
}

static int
write_csv(const void *report, FILE *out)
{
	const struct perfex *p = report;

	fputs(PERFEX_COLUMNS "\r\n", out);
	for (size_t i = 0; i < p->n; i++)
		csv_row(p, &p->count[i], out);
	for (size_t i = 0; i < p->n_region; i++) {
		struct perfex view = perfex_view(p, &p->region[i]);

		for (size_t k = 0; k < view.n; k++)
			csv_row(&view, &view.count[k], out);
	}
	for (size_t i = 0; i < p->n_process; i++)
		csv_process(p, &p->process[i], out);
	for (size_t i = 0; i < p->n_sample; i++)
		for (size_t k = 0; k < p->n; k++)
			fprintf(out, "%u,\"process %d cycle %" PRIu64
				"\",%" PRIu64 ",,,,,,,,,\r\n", p->count[k].event,
				p->sample[i].pid, p->sample[i].cycles,
				p->sample[i].value[p->count[k].event / 16]);
	return 0;
}

int
perfex_report_tidy(const struct perfex *p, FILE *out)
{
	struct tidy tidy = {
		.tool = &perfex_tool,
		.command = p->o->command,
		.cpu = pmcsim_cpu_name(p->cpu),
		.engine = tidy_engine(&p->o->system, p->o->command),
		.run = p->o->run,
		.markdown = p->o->format == PERFEX_MARKDOWN ? PERFEX_COLUMNS
							    : NULL,
	};

	tool_note_partial(&perfex_tool, p->partial);
	return tidy_write(&tidy, write_csv, p, out);
}
