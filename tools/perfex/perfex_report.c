/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What perfex prints. */
#include "perfex.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NAME_WIDTH 66
#define STATISTIC_WIDTH 69
#define RULE 126

/* A name and dots behind it. */
static void
print_dots(const char *text, int width, FILE *out)
{
	int n = fprintf(out, "%s", text);

	while (n++ < width)
		fputc('.', out);
}

static void
print_rule(FILE *out)
{
	for (int i = 0; i < RULE; i++)
		fputc('=', out);
	fputc('\n', out);
}

static void
print_command(const struct perfex *p, FILE *out)
{
	for (size_t i = 0; p->o->command[i]; i++) {
		fputc(' ', out);
		tool_put(p->o->command[i], out);
	}
}

/* A count, or why there is none. */
static void
print_value(const struct perfex_count *c, int width, FILE *out)
{
	if (c->missing)
		fprintf(out, "%*s", width, c->missing);
	else
		fprintf(out, "%*.0f", width, c->count);
}

/* How far a projected count may be off. */
static void
print_bound(const struct perfex_count *c, FILE *out)
{
	if (!c->projected || c->missing)
		fprintf(out, "  %16s", "");
	else if (c->bound < 0)
		fprintf(out, "  +- %13s", "?");
	else
		fprintf(out, "  +- %13.0f", c->bound);
}

/* How true a count is ends its line. */
static void
print_truth(const struct perfex *p, const struct perfex_count *c, FILE *out)
{
	if (p->o->all)
		print_bound(c, out);
	if (p->o->exact && c->told)
		fprintf(out, "  exact %16" PRIu64, c->exact);
	fputc('\n', out);
}

static void
print_name(const struct perfex_count *c, FILE *out)
{
	fprintf(out, "%2u ", c->event);
	print_dots(c->label, NAME_WIDTH, out);
}

/* ---- Counts ---------------------------------------------------------- */

static void
print_count(const struct perfex *p, const struct perfex_count *c, FILE *out)
{
	print_name(c, out);
	print_value(c, 16, out);
	print_truth(p, c, out);
}

static void
print_counts(const struct perfex *p, FILE *out)
{
	for (size_t i = 0; i < p->n; i++)
		print_count(p, &p->count[i], out);
}

static void
print_own(const struct perfex *p, const struct pmcsim_irix_process *own,
	  FILE *out)
{
	for (size_t i = 0; i < p->n; i++) {
		print_name(&p->count[i], out);
		if (p->count[i].missing)
			fprintf(out, "%16s\n", p->count[i].missing);
		else
			fprintf(out, "%16" PRIu64 "\n",
				own->value[p->count[i].event]);
	}
}

void
perfex_report_process(const struct perfex *p,
		      const struct pmcsim_irix_process *process, FILE *out)
{
	fprintf(out, "Process %d\n", process->pid);
	print_own(p, process, out);
	for (size_t i = 0; i < p->n_process; i++) {
		const struct pmcsim_irix_process *th = &p->process[i];

		if (!th->tid || th->pid != process->pid)
			continue;
		fprintf(out, "Thread %d of process %d\n", th->tid, th->pid);
		print_own(p, th, out);
	}
}

static void
print_samples(const struct perfex *p, FILE *out)
{
	fprintf(out, "%10s %16s %16s", "process", "time (ms)",
		"counted so far");
	fputc('\n', out);
	for (size_t i = 0; i < p->n_sample; i++) {
		const struct pmcsim_irix_sample *s = &p->sample[i];

		fprintf(out, "%10d %16.3f", s->pid,
			(double)s->cycles * 1000 / p->clock_hz);
		for (size_t k = 0; k < p->n; k++)
			fprintf(out, " %16" PRIu64,
				s->value[p->count[k].event / 16]);
		fputc('\n', out);
	}
}

/* ---- Times and statistics -------------------------------------------- */

/* Most costly first; equal ones by number. */
static int
by_time(const void *a, const void *b)
{
	const struct perfex_count *x = a, *y = b;
	double more = y->seconds[PMCSIM_COST_TYPICAL] -
		      x->seconds[PMCSIM_COST_TYPICAL];

	if (more != 0)
		return more > 0 ? 1 : -1;
	return (int)x->event - (int)y->event;
}

static void
print_times(const struct perfex *p, FILE *out)
{
	struct perfex_count sorted[PMCSIM_IRIX_EVENTS];

	memcpy(sorted, p->count, sizeof(sorted));
	qsort(sorted, p->n, sizeof(*sorted), by_time);
	fprintf(out, "%*sBased on %.0f MHz %s\n", 23, "",
		p->clock_hz / 1e6, pmcsim_cpu_name(p->cpu));
	fprintf(out, "%100s %12s %12s\n", "Typical", "Minimum", "Maximum");
	fprintf(out, "   %-66s%18s %12s %12s %12s\n", "Event Counter Name",
		"Counter Value", "Time (sec)", "Time (sec)", "Time (sec)");
	print_rule(out);
	for (size_t i = 0; i < p->n; i++) {
		const struct perfex_count *c = &sorted[i];

		print_name(c, out);
		print_value(c, 18, out);
		for (unsigned k = 0; k < 3 && !c->missing; k++)
			fprintf(out, " %12.6f", c->seconds[k]);
		if (c->missing)
			fprintf(out, "%39s", "");
		print_truth(p, c, out);
	}
}

static void
print_statistics(const struct perfex *p, FILE *out)
{
	double count[PMCSIM_IRIX_EVENTS], value;
	const char *label;
	bool any = false;

	perfex_by_event(p, count);
	for (size_t i = 0;
	     pmcsim_irix_statistic(i, p->r12000, count, &p->costs,
				   p->clock_hz, &label, &value); i++) {
		if (isnan(value))
			continue;
		if (!any) {
			fputs("\nStatistics\n", out);
			print_rule(out);
			any = true;
		}
		print_dots(label, STATISTIC_WIDTH, out);
		fprintf(out, "%16.6f\n", value);
	}
}

static void
print_figures(const struct perfex *p, FILE *out)
{
	if (p->o->times) {
		print_times(p, out);
		print_statistics(p, out);
	} else {
		print_counts(p, out);
	}
}

static void
print_region(const struct pmcsim_region *r, FILE *out)
{
	fputs("Region ", out);
	tool_put(r->name, out);
	fprintf(out, ", %" PRIu64 " %s\n", r->entries,
		r->entries == 1 ? "entry" : "entries");
}

static void
print_regions(const struct perfex *p, FILE *out)
{
	for (size_t i = 0; i < p->n_region; i++) {
		struct perfex view = perfex_view(p, &p->region[i]);

		fputc('\n', out);
		print_region(view.only, out);
		print_figures(&view, out);
	}
}

static void
report_text(const struct perfex *p, FILE *out)
{
	for (size_t i = 0; i < p->n_process && !p->o->output; i++)
		if (!p->process[i].tid)
			perfex_report_process(p, &p->process[i], out);
	if (p->o->period > 0)
		print_samples(p, out);
	fputs("Summary for execution of", out);
	print_command(p, out);
	fputc('\n', out);
	if (p->only)
		print_region(p->only, out);
	print_figures(p, out);
	print_regions(p, out);
	if (p->partial)
		fputs("partial: the command was stopped\n", out);
}

int
perfex_report(const struct perfex *p, FILE *out)
{
	switch (p->o->format) {
	case PERFEX_JSON:
		perfex_report_json(p, out);
		break;
	case PERFEX_CSV:
	case PERFEX_MARKDOWN:
		perfex_report_tidy(p, out);
		break;
	case PERFEX_TEXT:
		report_text(p, out);
		break;
	}
	return ferror(out) ? -EIO : 0;
}
