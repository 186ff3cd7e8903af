/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pc_sweep --cpus: figures of several processors as a table, as records, and as
 * JSON. */
#include "pc_sweep_cpus.h"

#include "common/csv_table.h"

#define DIGITS 3	/* of a metric */

/* ---- The table ---------------------------------------------------------- */

static const char *
figure_text(size_t row, const struct figure *f, char text[32])
{
	if (!f->known)
		return "-";
	snprintf(text, 32, "%.*f", sides_row[row].metric ? DIGITS : 0, f->value);
	return text;
}

static void
write_text(const struct sides *s, FILE *out)
{
	char text[32];

	fprintf(out, "%-22s", "");
	for (size_t i = 0; i < s->n; i++)
		fprintf(out, " %14s", pmcsim_cpu_name(s->cpu[i]));
	for (size_t k = 0; k < ROWS; k++) {
		if (!s->chosen[k])
			continue;
		fprintf(out, "\n%-22s", sides_row[k].name);
		for (size_t i = 0; i < s->n; i++)
			fprintf(out, " %14s", figure_text(
				k, &s->figure[k][i], text));
	}
	fputc('\n', out);
	if (s->partial)
		fputs("partial: stopped before the end\n", out);
}

static void
write_markdown(const struct sides *s, FILE *out)
{
	char text[32];

	fputs("| |", out);
	for (size_t i = 0; i < s->n; i++)
		fprintf(out, " %s |", pmcsim_cpu_name(s->cpu[i]));
	fputs("\n|---|", out);
	for (size_t i = 0; i < s->n; i++)
		fputs("--:|", out);
	for (size_t k = 0; k < ROWS; k++) {
		if (!s->chosen[k])
			continue;
		fputs("\n| ", out);
		markdown_text(sides_row[k].name, out);
		fputs(" |", out);
		for (size_t i = 0; i < s->n; i++)
			fprintf(out, " %s |", figure_text(
				k, &s->figure[k][i], text));
	}
	fputc('\n', out);
	tool_note_partial(&pc_sweep, s->partial);
}

/* ---- Records ------------------------------------------------------------ */

struct side {
	const struct sides *s;
	size_t i;
};

static const char *
kind_of(size_t row)
{
	return sides_row[row].metric ? "metric" : "count";
}

static int
write_records(const void *arg, FILE *out)
{
	const struct side *side = arg;
	char text[32];

	fputs(SIDES_COLUMNS "\r\n", out);
	for (size_t k = 0; k < ROWS; k++) {
		const struct figure *f = &side->s->figure[k][side->i];

		if (!side->s->chosen[k])
			continue;
		fprintf(out, "%s,%s,%s,%s,%s\r\n",
			kind_of(k), sides_row[k].name,
			f->known ? figure_text(k, f, text) : "", sides_row[k].unit,
			f->known ? "" : "not modelled");
	}
	return 0;
}

static void
write_csv(const struct sides *s, FILE *out)
{
	for (size_t i = 0; i < s->n; i++) {
		struct side side = {s, i};
		struct tidy tidy = {
			.tool = &pc_sweep,
			.command = s->o->command,
			.cpu = pmcsim_cpu_name(s->cpu[i]),
			.engine = tidy_engine(&s->o->system, s->o->command),
			.run = s->o->run,
			.further = i > 0,
		};

		tidy_write(&tidy, write_records, &side, out);
	}
	tool_note_partial(&pc_sweep, s->partial);
}

/* ---- JSON --------------------------------------------------------------- */

static void
write_row(const struct sides *s, size_t k, bool first, FILE *out)
{
	char text[32];

	fprintf(out, "%s\n  {\"kind\":\"%s\",\"name\":\"%s\","
		"\"unit\":\"%s\",\"values\":[", first ? "" : ",",
		kind_of(k), sides_row[k].name,
		sides_row[k].unit);
	for (size_t i = 0; i < s->n; i++)
		fprintf(out, "%s%s", i ? "," : "", s->figure[k][i].known ?
			figure_text(k, &s->figure[k][i], text) : "null");
	fputs("]}", out);
}

static void
write_json(const struct sides *s, FILE *out)
{
	bool first = true;

	fputs("{\"schema\":\"pmcsim-sides/1\",\"command\":", out);
	pmcsim_json_texts(s->o->command, out);
	fprintf(out, ",\"engine\":\"%s\",\"environment\":\"%s\",\n "
		"\"partial\":%s,\"doubts\":",
		outside_engine(&s->o->system, s->o->command),
		outside_environment(s->o->command),
		s->partial ? "true" : "false");
	pmcsim_json_doubts(s->doubts, out);
	fputs(",\n \"cpus\":[", out);
	for (size_t i = 0; i < s->n; i++) {
		fputs(i ? "," : "", out);
		pmcsim_json_text(pmcsim_cpu_name(s->cpu[i]), out);
	}
	fputs("],\n \"figures\":[", out);
	for (size_t k = 0; k < ROWS; k++) {
		if (!s->chosen[k])
			continue;
		write_row(s, k, first, out);
		first = false;
	}
	fputs("]}\n", out);
}

void
sides_write(const struct sides *s, FILE *out)
{
	static void (*const write[])(const struct sides *s, FILE *out) = {
		[FORMAT_DUMP] = write_text,
		[FORMAT_TEXT] = write_text,
		[FORMAT_CSV] = write_csv,
		[FORMAT_JSON] = write_json,
		[FORMAT_MARKDOWN] = write_markdown,
	};

	write[s->o->format](s, out);
}
