/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Dumps of /proc/perf as text files have them (MD00548, Figure 3), with
 * comment lines that say what they belong to.  Writing; dump_read.c reads.
 */
#include "dump.h"
#include "json.h"
#include "pmcsim.h"

#include "device/procperf.h"

void
pmcsim_dump_begin(const struct pmcsim_report *report, FILE *out)
{
	fprintf(out, "%s%s\n%s", DUMP_BEGIN, DUMP_VERSION, DUMP_CPU);
	json_string(pmcsim_cpu_name(report->cpu), out);
	if (report->command) {
		fprintf(out, "\n%s", DUMP_COMMAND);
		for (char *const *c = report->command; *c; c++) {
			if (c != report->command)
				fputc(' ', out);
			json_string(*c, out);
		}
	}
	if (report->system) {
		fprintf(out, "\n%s", DUMP_SYSTEM);
		json_string(report->system, out);
	}
	fputc('\n', out);
	for (unsigned n = 0; pmcsim_doubt_name(n); n++)
		if (report->doubts >> n & 1)
			fprintf(out, "%s%s\n", DUMP_DOUBT,
				pmcsim_doubt_name(n));
	pmcsim_report_lists(report, "# ", out);
}

/* The slot of a counter, or NULL: it counts nothing. */
static const struct pmcsim_slot *
slot_of(const struct pmcsim_run *run, unsigned counter, size_t *index)
{
	for (size_t i = 0; i < run->n; i++) {
		if (run->slot[i].counter == counter) {
			*index = i;
			return &run->slot[i];
		}
	}
	return NULL;
}

static unsigned
counters_of(const struct pmcsim_run *run)
{
	unsigned n = PROCPERF_COUNTERS;

	for (size_t i = 0; i < run->n; i++)
		if (run->slot[i].counter >= n)
			n = run->slot[i].counter + 1;
	return n;
}

void
pmcsim_dump_run(const struct pmcsim_run *run, size_t k, size_t runs, size_t r,
		size_t repeats, const struct pmcsim_value *value, FILE *out)
{
	unsigned n = counters_of(run);

	fprintf(out, "%s%zu of %zu", DUMP_RUN, k + 1, runs);
	if (repeats > 1)
		fprintf(out, ", repeat %zu of %zu", r + 1, repeats);
	fputc('\n', out);
	for (unsigned c = 0; c < n; c++) {
		size_t i = 0;
		const struct pmcsim_slot *slot = slot_of(run, c, &i);
		uint32_t control = slot ? slot->control : 0;

		if (c + 1 < n)
			control |= PROCPERF_M;
		fprintf(out, "%s%u].Ctl : 0x%08x\n", DUMP_COUNTER, c, control);
		fprintf(out, "%s%u].Cnt : %llu\n", DUMP_COUNTER, c,
			slot ? (unsigned long long)value[i].shown : 0ull);
		if (slot && value[i].wrapped)
			fprintf(out, "%s%u\n", DUMP_WRAPPED, c);
	}
}

void
pmcsim_dump_partial(FILE *out)
{
	fprintf(out, "%s\n", DUMP_PARTIAL);
}
