/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pc_parse: dumps of /proc/perf -> the table of pc_sweep --parse. */
#include "common/tidy.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OPT_CPU = 1, OPT_JSON, OPT_CSV, OPT_MARKDOWN, OPT_PRECISION };

static const struct tool_option options[] = {
	{OPT_CPU, 0, "cpu", "NAME|FILE",
	 "CPU table [the one that the dump names]", WORDS_CPUS},
	{OPT_JSON, 0, "json", NULL, "write JSON", WORDS_NONE},
	{OPT_CSV, 0, "csv", NULL, "write CSV", WORDS_NONE},
	MARKDOWN_OPTION(OPT_MARKDOWN),
	{OPT_PRECISION, 0, "precision", NULL,
	 "add how well each count is known to the table", WORDS_NONE},
	TOOL_OPTIONS,
};

static const struct tool pc_parse = {
	.name = "pc_parse",
	.usage = "[OPTION...] [FILE...]",
	.about = "Print dumps of /proc/perf, as pc_sweep writes them without "
		 "--parse, as tables.\nWithout FILE, or where it is -, read "
		 "standard input.",
	.option = options,
	.n_options = sizeof(options) / sizeof(*options),
	.operands = WORDS_FILES,
};

struct parse_options {
	const char *cpu;	/* NULL: as the dump says */
	bool json, csv, markdown, precision;
	unsigned long run;	/* reports so far */
};

static void
print_text(const struct pmcsim_report *report, const struct pmcsim_dump *dump)
{
	if (dump->has_lists)
		pmcsim_report_lists(report, "", stdout);
	if (pmcsim_report_text(report, stdout) != 0)
		tool_fail(&pc_parse, TOOL_FAILED, "standard output: %s",
			  strerror(errno));
}

/* The table that a dump asks for. */
static struct pmcsim_cpu *
cpu_of(const struct parse_options *o, const struct pmcsim_dump *dump)
{
	if (o->cpu)
		return tool_cpu(&pc_parse, o->cpu);
	return tool_cpu(&pc_parse, dump->cpu ? dump->cpu : "mips34k");
}

static int
write_csv(const void *report, FILE *out)
{
	return pmcsim_report_csv(report, out);
}

static void
print_tidy(struct parse_options *o, const struct pmcsim_report *report)
{
	struct tidy tidy = {
		.tool = &pc_parse,
		.command = report->command,
		.cpu = pmcsim_cpu_name(report->cpu),
		.engine = report->system,
		.run = ++o->run,
		.markdown = o->markdown ? TIDY_REPORT_SHOWN : NULL,
	};

	tool_note_partial(&pc_parse, report->partial);
	if (o->markdown && o->run > 1)
		putchar('\n');
	if (tidy_write(&tidy, write_csv, report, stdout) != 0)
		tool_fail(&pc_parse, TOOL_FAILED, "out of memory");
}

static void
print_dump(struct parse_options *o, const char *file,
	   const struct pmcsim_dump *dump)
{
	struct pmcsim_cpu *cpu = cpu_of(o, dump);
	struct pmcsim_report report;
	struct pmcsim_error error;

	if (pmcsim_dump_report(cpu, dump, &report, &error) != 0)
		tool_fail(&pc_parse, TOOL_FAILED, "%s: %s", file, error.text);
	report.precision = o->precision;
	tool_note_doubts(&pc_parse, report.doubts);
	if (o->json)
		pmcsim_report_json(&report, stdout);
	else if (o->csv || o->markdown)
		print_tidy(o, &report);
	else
		print_text(&report, dump);
	tool_flush(&pc_parse);
	pmcsim_dump_report_free(&report);
	pmcsim_cpu_free(cpu);
}

static void
parse(struct parse_options *o, FILE *in, const char *file)
{
	struct pmcsim_dump dump;
	struct pmcsim_error error;
	unsigned long line = 0;
	size_t dumps = 0;
	int more;

	while ((more = pmcsim_dump_read(in, &line, &dump, &error)) == 1) {
		if (dump.other)
			fputs(dump.other, stdout);
		if (dump.n > 0 || dump.has_lists) {
			print_dump(o, file, &dump);
			dumps++;
		}
		pmcsim_dump_free(&dump);
	}
	tool_flush(&pc_parse);
	if (more < 0)
		tool_fail(&pc_parse, TOOL_FAILED, "%s: %s", file, error.text);
	if (dumps == 0)
		tool_fail(&pc_parse, TOOL_FAILED,
			  "%s: there is no dump of /proc/perf in it that "
			  "counts anything", file);
}

static void
parse_file(struct parse_options *o, const char *file)
{
	FILE *in;

	if (strcmp(file, "-") == 0) {
		parse(o, stdin, "standard input");
		return;
	}
	in = fopen(file, "re");
	if (!in)
		tool_fail(&pc_parse, TOOL_FAILED, "%s: %s", file,
			  strerror(errno));
	parse(o, in, file);
	fclose(in);
}

int
main(int argc, char **argv)
{
	const struct tool_option *option;
	struct parse_options o = {0};
	const char *argument;

	while ((option = tool_next(&pc_parse, argc, argv, &argument))) {
		if (option->id == OPT_CPU)
			o.cpu = argument;
		else if (option->id == OPT_JSON)
			o.json = true;
		else if (option->id == OPT_CSV)
			o.csv = true;
		else if (option->id == OPT_MARKDOWN)
			o.markdown = true;
		else if (option->id == OPT_PRECISION)
			o.precision = true;
	}
	if (o.json + o.csv + o.markdown > 1)
		tool_fail(&pc_parse, TOOL_USAGE, FORMATS_EXCLUDE);
	if (optind == argc)
		parse_file(&o, "-");
	for (int i = optind; i < argc; i++)
		parse_file(&o, argv[i]);
	return 0;
}
