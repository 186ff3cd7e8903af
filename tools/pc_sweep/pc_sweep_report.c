/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What pc_sweep prints before, and writes after its runs. */
#include "pc_sweep.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

static struct pmcsim_report
report_of(const struct sweep *s)
{
	return (struct pmcsim_report){
		.cpu = s->cpu,
		.command = s->o->command,
		.engine = outside_engine(&s->o->system, s->o->command),
		.isa = outside_isa(&s->o->system, s->o->command),
		.environment = outside_environment(s->o->command),
		.even = s->even,
		.odd = s->odd,
		.n_even = s->n_even,
		.n_odd = s->n_odd,
		.runs = s->n_runs,
		.partial = s->partial,
		.doubts = s->doubts,
		.system = system_where(&s->o->system),
		.unmeasured = s->o->system.missing ?
				      "the board is not set up" : NULL,
		.precision = s->o->precision,
		.row = s->row,
		.n = s->n_rows,
	};
}

void
sweep_announce(const struct sweep *s)
{
	struct pmcsim_report report = report_of(s);

	if (s->o->format == FORMAT_TEXT && !s->o->output)
		pmcsim_report_lists(&report, "", stdout);
	tool_flush(&pc_sweep);
}

static int
write_dumps(const struct sweep *s, const struct pmcsim_report *report,
	    FILE *out)
{
	pmcsim_dump_begin(report, out);
	for (size_t i = 0; i < s->n_runs * s->o->repeat; i++)
		if (s->value[i])
			pmcsim_dump_run(&s->run[i % s->n_runs].run,
					i % s->n_runs, s->n_runs,
					i / s->n_runs, s->o->repeat,
					s->value[i], out);
	if (s->partial)
		pmcsim_dump_partial(out);
	return ferror(out) ? -EIO : 0;
}

static int
write_csv(const void *report, FILE *out)
{
	return pmcsim_report_csv(report, out);
}

static int
write_tidy(const struct sweep *s, const struct pmcsim_report *report,
	   FILE *out)
{
	struct tidy tidy = {
		.tool = &pc_sweep,
		.command = s->o->command,
		.cpu = pmcsim_cpu_name(s->cpu),
		.engine = tidy_engine(&s->o->system, s->o->command),
		.run = s->o->run,
		.markdown = s->o->format == FORMAT_MARKDOWN ?
				    TIDY_REPORT_SHOWN : NULL,
	};

	tool_note_partial(&pc_sweep, s->partial);
	return tidy_write(&tidy, write_csv, report, out);
}

static void
put_region(const struct pmcsim_region *r, const char *before, FILE *out)
{
	fprintf(out, "%sregion ", before);
	tool_put(r->name, out);
	fprintf(out, ", %" PRIu64 " %s:\n", r->entries,
		r->entries == 1 ? "entry" : "entries");
}

static int
write_text(const struct sweep *s, const struct pmcsim_report *report,
	   FILE *out)
{
	int err;

	if (s->only_name)
		put_region(&s->only, "", out);
	err = pmcsim_report_text(report, out);
	for (size_t i = 0; i < s->n_regions && err == 0; i++) {
		struct pmcsim_report one = *report;

		one.row = s->region[i].row;
		put_region(&s->region[i].is, "\n", out);
		err = pmcsim_report_text(&one, out);
	}
	return err;
}

/* The report has the command's regions, or the only one that was counted; what
 * is allocated is the caller's. */
static struct pmcsim_report_region *
add_regions(const struct sweep *s, struct pmcsim_report *report)
{
	struct pmcsim_report_region *region =
		tool_alloc(&pc_sweep, s->n_regions, sizeof(*region));

	for (size_t i = 0; i < s->n_regions; i++)
		region[i] = (struct pmcsim_report_region){
			s->region[i].is, s->region[i].row};
	report->only = s->only_name ? &s->only : NULL;
	report->region = region;
	report->n_regions = s->n_regions;
	return region;
}

static int
write_data(const struct sweep *s, struct pmcsim_report *report, FILE *out)
{
	struct pmcsim_report_region *region = add_regions(s, report);
	int err = s->o->format == FORMAT_JSON ? pmcsim_report_json(report, out)
					      : write_tidy(s, report, out);

	free(region);
	return err;
}

static int
write_report(const struct sweep *s, FILE *out)
{
	struct pmcsim_report report = report_of(s);

	switch (s->o->format) {
	case FORMAT_TEXT:
		if (s->o->output)
			pmcsim_report_lists(&report, "", out);
		return write_text(s, &report, out);
	case FORMAT_JSON:
	case FORMAT_CSV:
	case FORMAT_MARKDOWN:
		return write_data(s, &report, out);
	case FORMAT_DUMP:
		break;
	}
	if (s->n_regions)
		tool_note(&pc_sweep, "the command's regions are in text, JSON "
			  "and CSV; --region NAME counts one alone");
	return write_dumps(s, &report, out);
}

void
sweep_report(struct sweep *s)
{
	struct tool_output out;

	tool_output_open(&out, &pc_sweep, s->o->output, s->o->append, stdout);
	tool_output_close(&out, write_report(s, out.stream));
}
