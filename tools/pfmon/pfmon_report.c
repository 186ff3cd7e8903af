/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What pfmon prints: counts as text, JSON, CSV. */
#include "pfmon.h"

#include <string.h>

#define NUMBER 40

/* ---- Text ------------------------------------------------------------- */

/* Digits in groups of three. */
static void
grouped(uint64_t count, char separator, char text[NUMBER])
{
	char digits[NUMBER], *end = text;
	int n = snprintf(digits, sizeof(digits), "%llu",
			 (unsigned long long)count);

	for (int i = 0; i < n; i++) {
		if (i && (n - i) % 3 == 0)
			*end++ = separator;
		*end++ = digits[i];
	}
	*end = '\0';
}

static void
number_text(enum pfmon_numbers numbers, uint64_t count, char text[NUMBER])
{
	switch (numbers) {
	case NUMBERS_US:
		grouped(count, ',', text);
		break;
	case NUMBERS_EU:
		grouped(count, '.', text);
		break;
	case NUMBERS_HEX:
		snprintf(text, NUMBER, "0x%016llx",
			 (unsigned long long)count);
		break;
	default:
		snprintf(text, NUMBER, "%llu", (unsigned long long)count);
		break;
	}
}

/* Why an event has no count; NULL: it has one. */
static const char *
missing(const struct pfmon_options *o, const struct pfmon_set *set,
	const struct pfmon_event *e)
{
	if (e->event->precision == PMCSIM_NOT_MODELLED)
		return "not modelled";
	if (!set->reached)
		return "not reached";
	if (!system_measures(&o->system, pfmon_modes(e->plm)))
		return "not measured";
	return e->unknown && !(e->plm & PFMON_USER) ? "not modelled" : NULL;
}

/* How what is not user mode is known, if it is to be counted. */
static enum system_method
kernel_method(const struct pfmon_options *o, const struct pfmon_event *e)
{
	return e->unknown && !o->system.missing ? SYSTEM_NOT_MODELLED :
		       system_method(&o->system, pfmon_modes(e->plm));
}

void
pfmon_tell(const struct pfmon_set *set)
{
	for (size_t i = 0; i < set->n; i++) {
		const struct pfmon_event *e = &set->event[i];

		if (e->unknown && e->plm & PFMON_USER)
			tool_note(&pfmon_tool, "%s is of user mode only: %s",
				  e->event->name, e->unknown);
	}
}

static void
print_time(const char *what, double seconds, FILE *out)
{
	unsigned long long ms = (unsigned long long)(seconds * 1000 + 0.5);

	fprintf(out, "%s %lluh%02llum%02llu.%03llus", what, ms / 3600000,
		ms / 60000 % 60, ms / 1000 % 60, ms % 1000);
}

static void
print_times(const struct pfmon_report *r, const struct pfmon_set *set,
	    FILE *out)
{
	bool whole = !r->options->system.missing;

	if (whole)
		print_time("real", set->user + set->system, out);
	print_time(whole ? " user" : "user", set->user, out);
	if (whole)
		print_time(" sys", set->system, out);
	fputs(whole ? "\n" : " sys not measured\n", out);
}

static void
print_set(const struct pfmon_report *r, const struct pfmon_set *set, FILE *out)
{
	char text[NUMBER];

	if (r->options->time && set->reached)
		print_times(r, set, out);
	for (size_t i = 0; i < set->n; i++) {
		const struct pfmon_event *e = &set->event[i];
		const char *why = missing(r->options, set, e);

		number_text(r->options->numbers, e->count, text);
		fprintf(out, "%26s %s\n", why ? why : text, e->event->name);
	}
}

static void
print_header(const struct pfmon_report *r, FILE *out)
{
	char *const *command = r->options->command;

	fprintf(out, "# pfmon: pmcsim %s\n# CPU: %s\n# command:",
		pmcsim_version(), pmcsim_cpu_name(r->cpu));
	for (; command && *command; command++) {
		fputc(' ', out);
		tool_put(*command, out);
	}
	fputc('\n', out);
	for (size_t s = 0; s < r->n_sets; s++)
		for (size_t i = 0; i < r->set[s].n; i++) {
			const struct pfmon_event *e = &r->set[s].event[i];

			fprintf(out,
				"# set%zu: PMC%u=0x%llx %s, plm=0x%x, %s\n",
				s, e->monitor, (unsigned long long)e->pmc,
				e->event->name, e->plm,
				system_precision(kernel_method(r->options, e),
						 e->event));
		}
}

/* ---- JSON, CSV -------------------------------------------------------- */

static void
json_event(const struct pfmon_report *r, size_t s,
	   const struct pfmon_event *e, FILE *out)
{
	const struct pfmon_options *o = r->options;
	const char *why = missing(o, &r->set[s], e);

	fprintf(out, "{\"set\":%zu,\"name\":", s);
	pmcsim_json_text(e->event->name, out);
	fprintf(out, ",\"code\":%u,\"plm\":%u,\"threshold\":%u,\"pmc\":%u,"
		"\"value\":", e->event->code, e->plm, e->threshold,
		e->monitor);
	if (!why)
		fprintf(out, "%llu", (unsigned long long)e->count);
	else
		fputs("null", out);
	fputs(",\"kernel\":", out);
	pmcsim_json_text(system_method_name(kernel_method(o, e)), out);
	fputs(",\"precision\":", out);
	pmcsim_json_text(system_precision(kernel_method(o, e), e->event), out);
	fputs(",\"reason\":", out);
	pmcsim_json_text(system_reason(e->event, why, e->unknown), out);
	fputc('}', out);
}

static void
print_json(const struct pfmon_report *r, FILE *out)
{
	const char *separator = "\n  ";

	fputs("{\"schema\":\"pmcsim-pfmon/1\",\"cpu\":", out);
	pmcsim_json_text(pmcsim_cpu_name(r->cpu), out);
	fputs(",\"command\":", out);
	pmcsim_json_texts(r->options->command, out);
	outside_engine_json(&r->options->system, r->options->command, out);
	fprintf(out, ",\"partial\":%s,\"doubts\":",
		r->partial ? "true" : "false");
	pmcsim_json_doubts(r->doubts, out);
	fputs(",\n \"counts\":[", out);
	for (size_t s = 0; s < r->n_sets; s++)
		for (size_t i = 0; i < r->set[s].n; i++) {
			fputs(separator, out);
			json_event(r, s, &r->set[s].event[i], out);
			separator = ",\n  ";
		}
	fputs("]}\n", out);
}

static void
csv_event(const struct pfmon_report *r, const struct pfmon_set *set,
	  const struct pfmon_event *e, FILE *out)
{
	const char *why = missing(r->options, set, e);
	const char *reason = system_reason(e->event, why, e->unknown);

	fprintf(out, "%s,%u,%u,%u,", e->event->name, e->event->code, e->plm,
		e->threshold);
	if (!why)
		fprintf(out, "%llu", (unsigned long long)e->count);
	fprintf(out, ",%s,", system_precision(
				     kernel_method(r->options, e), e->event));
	if (reason)
		pmcsim_csv_text(reason, out);
	fputs("\r\n", out);
}

static int
write_csv(const void *report, FILE *out)
{
	const struct pfmon_report *r = report;

	fputs(PFMON_COLUMNS "\r\n", out);
	for (size_t s = 0; s < r->n_sets; s++)
		for (size_t i = 0; i < r->set[s].n; i++) {
			fprintf(out, "%zu,", s);
			csv_event(r, &r->set[s], &r->set[s].event[i], out);
		}
	return 0;
}

static void
print_tidy(const struct pfmon_report *r, FILE *out)
{
	const struct pfmon_options *o = r->options;
	struct tidy tidy = {
		.tool = &pfmon_tool,
		.command = o->command,
		.cpu = pmcsim_cpu_name(r->cpu),
		.engine = tidy_engine(&o->system, o->command),
		.run = o->run,
		.markdown = o->format == PFMON_MARKDOWN ? PFMON_COLUMNS : NULL,
	};

	tool_note_partial(&pfmon_tool, r->partial);
	tidy_write(&tidy, write_csv, r, out);
}

void
pfmon_print(const struct pfmon_report *r, FILE *out)
{
	if (r->options->format == PFMON_JSON) {
		print_json(r, out);
		return;
	}
	if (r->options->format != PFMON_TEXT) {
		print_tidy(r, out);
		return;
	}
	if (r->options->header)
		print_header(r, out);
	for (size_t s = 0; s < r->n_sets; s++)
		print_set(r, &r->set[s], out);
	if (r->partial)
		fputs("partial: the command was stopped\n", out);
}
