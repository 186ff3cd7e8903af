/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of CPUs and events as JSON, schema pmcsim-list/1. */
#include "json.h"
#include "pmcsim.h"

static void
field(const char *key, const char *text, FILE *out)
{
	fprintf(out, ",\"%s\":", key);
	pmcsim_json_text(text, out);
}

static void
write_counters(unsigned mask, FILE *out)
{
	fputs("{\"counters\":[", out);
	for (unsigned n = 0, first = 1; mask >> n; n++) {
		if (!(mask >> n & 1))
			continue;
		fprintf(out, first ? "%u" : ",%u", n);
		first = 0;
	}
	fputc(']', out);
}

static void
write_event(const struct pmcsim_cpu *cpu, const struct pmcsim_event *e,
	    FILE *out)
{
	static const char *const masks[] = {
		[PMCSIM_MASK_MESI] = "mesi", [PMCSIM_MASK_AGENT] = "agent",
		[PMCSIM_MASK_BITS] = "bits", [PMCSIM_MASK_NUMBER] = "number",
	};
	char scope[2] = {e->scope, '\0'};

	if (pmcsim_cpu_system(cpu) == PMCSIM_PROCPERF)
		fprintf(out, "{\"list\":\"%s\"",
			e->counters & 1 ? "even" : "odd");
	else
		write_counters(e->counters, out);
	fprintf(out, ",\"event\":%u,\"reserved\":%s", e->code,
		e->reserved ? "true" : "false");
	if (!e->reserved) {
		field("name", e->name, out);
		field("label", e->label, out);
		field("text", e->text, out);
		field("scope", e->scope ? scope : NULL, out);
		if (e->masked)
			field("mask", masks[e->masked], out);
		field("precision", pmcsim_precision_name(e->precision), out);
		field("reason", e->reason, out);
	}
	fputc('}', out);
}

void
pmcsim_events_json(const struct pmcsim_cpu *cpu, FILE *out)
{
	size_t n;
	const struct pmcsim_event *e = pmcsim_cpu_events(cpu, &n);

	fputs("{\"schema\":\"pmcsim-list/1\"", out);
	field("cpu", pmcsim_cpu_name(cpu), out);
	field("text", pmcsim_cpu_text(cpu), out);
	fputs(",\n \"events\":[", out);
	for (size_t i = 0; i < n; i++) {
		fputs(i ? ",\n  " : "\n  ", out);
		write_event(cpu, &e[i], out);
	}
	fputs("]}\n", out);
}

void
pmcsim_names_json(char *const *name, size_t n, FILE *out)
{
	fputs("{\"schema\":\"pmcsim-list/1\",\"cpus\":[", out);
	for (size_t i = 0; i < n; i++) {
		if (i)
			fputc(',', out);
		json_string(name[i], out);
	}
	fputs("]}\n", out);
}
