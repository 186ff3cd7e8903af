/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What pctr prints: the counters, the functions that there are. */
#include "pctr.h"

#include <string.h>

#define MASK_COLUMNS 7	/* of "+cm/mesi" before a name */
#define LIST_COLUMNS 72
#define LIST_INDENT 6

/* ---- Functions as text ------------------------------------------------ */

/* "/mesi" or "/a", '-' for what is not set, or a number; "" if the event has
 * no mask. */
static void
mask_text(const struct pmcsim_event *event, uint32_t f, char text[8])
{
	*text = '\0';
	if (event && event->masked == PMCSIM_MASK_MESI)
		snprintf(text, 8, "/%c%c%c%c", f & P6CTR_UM_M ? 'm' : '-',
			 f & P6CTR_UM_E ? 'e' : '-', f & P6CTR_UM_S ? 's' : '-',
			 f & P6CTR_UM_I ? 'i' : '-');
	else if (event && event->masked == PMCSIM_MASK_AGENT)
		snprintf(text, 8, "/%c", f & P6CTR_UM_A ? 'a' : '-');
	else if (event && event->masked)
		snprintf(text, 8, "/%x", (unsigned)(f >> 8 & 0xff));
}

static void
p6_text(const struct pmcsim_event *event, uint32_t f, char *text, size_t size)
{
	char threshold[8] = "", mask[8];
	int columns;

	mask_text(event, f, mask);
	if (f >> P6CTR_CM_SHIFT)
		snprintf(threshold, sizeof(threshold), "+%u",
			 (unsigned)(f >> P6CTR_CM_SHIFT));
	columns = (int)(strlen(threshold) + strlen(mask));
	if (columns > MASK_COLUMNS)
		columns = MASK_COLUMNS;
	snprintf(text, size, "%c%c%c%c %02x%s%s%*s %s", f & P6CTR_I ? 'i' : '-',
		 f & P6CTR_E ? 'e' : '-', f & P6CTR_K ? 'k' : '-',
		 f & P6CTR_U ? 'u' : '-', (unsigned)(f & P6CTR_EVENT), threshold,
		 mask, MASK_COLUMNS - columns, "",
		 event ? event->name : "unknown function");
}

static void
function_text(const struct pmcsim_cpu *cpu, unsigned counter, uint32_t f,
	      char *text, size_t size)
{
	const struct pmcsim_event *event = pctr_find(cpu, counter, f);

	if (pmcsim_pctr_family(cpu) == 6)
		p6_text(event, f, text, size);
	else
		snprintf(text, size, "%c%c%c %02x %s", f & P5CTR_C ? 'c' : '-',
			 f & P5CTR_U ? 'u' : '-', f & P5CTR_K ? 'k' : '-',
			 (unsigned)(f & P5CTR_EVENT),
			 event ? event->label : "unknown function");
}

/* ---- Counters --------------------------------------------------------- */

static bool
counts_kernel(const struct pctr_report *r, unsigned n)
{
	bool p6 = pmcsim_pctr_family(r->cpu) == 6;

	return r->state.function[n] & (p6 ? P6CTR_K : P5CTR_K);
}

static bool
counts_user(const struct pctr_report *r, unsigned n)
{
	bool p6 = pmcsim_pctr_family(r->cpu) == 6;

	return r->state.function[n] & (p6 ? P6CTR_U : P5CTR_U);
}

/* How kernel mode is known, if a counter counts it. */
static enum system_method
kernel_method(const struct pctr_report *r, unsigned n)
{
	if (r->unknown[n] && !r->system->missing)
		return SYSTEM_NOT_MODELLED;
	return system_method(r->system, counts_kernel(r, n) ?
						PCTR_KERNEL_MODES : 0);
}

static bool
is_modelled(const struct pctr_report *r, unsigned n, const char **why)
{
	const struct pmcsim_event *event =
		pctr_find(r->cpu, n, r->state.function[n]);

	*why = event ? event->reason : NULL;
	return !event || event->precision != PMCSIM_NOT_MODELLED;
}

/* What includes kernel mode is missing where the board is. */
static bool
is_measured(const struct pctr_report *r, unsigned n)
{
	return !r->system->missing ||
	       kernel_method(r, n) == SYSTEM_USER_ALONE;
}

/* Whether a counter has a count to show; if not, what to say.  Why not, or
 * not of all that it is to be of; NULL: it is all. */
static bool
is_counted(const struct pctr_report *r, unsigned n, const char **what,
	   const char **why)
{
	*what = "not modelled";
	if (!is_modelled(r, n, why))
		return false;
	*what = "not measured";
	*why = "the board is not set up";
	if (!is_measured(r, n))
		return false;
	*what = "not modelled";
	*why = r->unknown[n];
	return !*why || counts_user(r, n);
}

/* Whether counter 1 has a function and counter 0 has none, which enables both
 * in a Pentium Pro. */
static bool
is_disabled(const struct pctr_report *r)
{
	return pmcsim_pctr_family(r->cpu) == 6 &&
	       r->state.function[1] & P6CTR_EVENT &&
	       !(r->state.function[0] & P6CTR_EN);
}

void
pctr_tell(const struct pctr_report *r)
{
	const char *what, *why;

	if (is_disabled(r))
		tool_note(&pctr_tool, "ctr1 counts nothing: counter 0 enables "
			  "both, and has no function; -s 0 gives it one");
	for (unsigned n = 0; n < 2; n++)
		if (is_counted(r, n, &what, &why) && why)
			tool_note(&pctr_tool, "ctr%u is of user mode only: %s",
				  n, why);
}

static void
print_text(const struct pctr_report *r, FILE *out)
{
	char text[120];
	const char *what, *why;

	for (unsigned n = 0; n < 2; n++) {
		function_text(r->cpu, n, r->state.function[n], text,
			      sizeof(text));
		if (is_counted(r, n, &what, &why))
			fprintf(out, " ctr%u = %16llu  [%s]\n", n,
				(unsigned long long)r->state.counter[n], text);
		else
			fprintf(out, " ctr%u = %16s  [%s] (%s)\n", n,
				what, text, why);
	}
	if (r->system->missing)
		fprintf(out, "  tsc = %16s\n", "not measured");
	else
		fprintf(out, "  tsc = %16llu\n",
			(unsigned long long)r->state.tsc);
	fprintf(out, "  idl = %16llu\n", (unsigned long long)r->state.idle);
	if (r->partial)
		fputs("partial: the command was stopped\n", out);
}

/* ---- JSON, CSV -------------------------------------------------------- */

static void
json_counter(const struct pctr_report *r, unsigned n, FILE *out)
{
	const struct pmcsim_event *event =
		pctr_find(r->cpu, n, r->state.function[n]);
	const char *what, *why;
	bool counted = is_counted(r, n, &what, &why);

	fprintf(out, "{\"counter\":%u,\"function\":%u,\"name\":", n,
		(unsigned)r->state.function[n]);
	pmcsim_json_text(event ? event->name : NULL, out);
	fputs(",\"value\":", out);
	if (counted)
		fprintf(out, "%llu", (unsigned long long)r->state.counter[n]);
	else
		fputs("null", out);
	fputs(",\"kernel\":", out);
	pmcsim_json_text(system_method_name(kernel_method(r, n)), out);
	fputs(",\"precision\":", out);
	pmcsim_json_text(event ? system_precision(kernel_method(r, n), event) :
				 NULL, out);
	fputs(",\"reason\":", out);
	pmcsim_json_text(system_reason(event, NULL, why), out);
	fputc('}', out);
}

/* The same in the words of all tools. */
static void
json_count(const struct pctr_report *r, unsigned n, FILE *out)
{
	const struct pmcsim_event *event =
		pctr_find(r->cpu, n, r->state.function[n]);
	const char *what, *why;
	bool counted = is_counted(r, n, &what, &why);

	fputs("{\"name\":", out);
	pmcsim_json_text(event ? event->name : NULL, out);
	if (counted)
		fprintf(out, ",\"value\":%llu",
			(unsigned long long)r->state.counter[n]);
	else
		fputs(",\"value\":null", out);
	fprintf(out, ",\"counter\":%u,\"precision\":", n);
	pmcsim_json_text(event ? system_precision(kernel_method(r, n), event) :
				 NULL, out);
	fputs(",\"reason\":", out);
	pmcsim_json_text(system_reason(event, NULL, why), out);
	fputc('}', out);
}

static void
json_counters(const struct pctr_report *r, const char *key,
	      void (*put)(const struct pctr_report *r, unsigned n, FILE *out),
	      FILE *out)
{
	fprintf(out, ",\n \"%s\":[", key);
	for (unsigned n = 0; n < 2; n++) {
		fputs(n ? ",\n  " : "\n  ", out);
		put(r, n, out);
	}
	fputc(']', out);
}

static void
print_json(const struct pctr_report *r, FILE *out)
{
	fputs("{\"schema\":\"pmcsim-pctr/1\",\"cpu\":", out);
	pmcsim_json_text(pmcsim_cpu_name(r->cpu), out);
	fputs(",\"command\":", out);
	pmcsim_json_texts(r->command, out);
	outside_engine_json(r->system, r->command, out);
	fprintf(out, ",\"partial\":%s,\"doubts\":",
		r->partial ? "true" : "false");
	pmcsim_json_doubts(r->doubts, out);
	json_counters(r, "counters", json_counter, out);
	json_counters(r, "counts", json_count, out);
	fputs(",\n \"tsc\":", out);
	if (r->system->missing)
		fputs("null", out);
	else
		fprintf(out, "%llu", (unsigned long long)r->state.tsc);
	fprintf(out, ",\"idle\":%llu}\n", (unsigned long long)r->state.idle);
}

static void
csv_row(const char *counter, uint32_t function,
	const struct pmcsim_event *event, FILE *out)
{
	fprintf(out, "%s,%u,%s,", counter, (unsigned)function,
		event ? event->name : "");
}

static void
csv_counter(const struct pctr_report *r, unsigned n, FILE *out)
{
	const struct pmcsim_event *event =
		pctr_find(r->cpu, n, r->state.function[n]);
	const char *what, *why;
	bool counted = is_counted(r, n, &what, &why);
	const char *reason = system_reason(event, NULL, why);

	csv_row(n ? "ctr1" : "ctr0", r->state.function[n], event, out);
	if (counted)
		fprintf(out, "%llu", (unsigned long long)r->state.counter[n]);
	fprintf(out, ",%s,",
		event ? system_precision(kernel_method(r, n), event) : "");
	if (reason)
		pmcsim_csv_text(reason, out);
	fputs("\r\n", out);
}

static int
write_csv(const void *report, FILE *out)
{
	const struct pctr_report *r = report;

	fputs(PCTR_COLUMNS "\r\n", out);
	for (unsigned n = 0; n < 2; n++)
		csv_counter(r, n, out);
	fputs("tsc,,,", out);
	if (!r->system->missing)
		fprintf(out, "%llu", (unsigned long long)r->state.tsc);
	fprintf(out, ",timing,\r\nidl,,,%llu,zero,\r\n",
		(unsigned long long)r->state.idle);
	return 0;
}

static void
print_tidy(const struct pctr_report *r, const struct pctr_options *o,
	   FILE *out)
{
	struct tidy tidy = {
		.tool = &pctr_tool,
		.command = r->command,
		.cpu = pmcsim_cpu_name(r->cpu),
		.engine = tidy_engine(r->system, r->command),
		.run = o->run,
		.markdown = o->format == PCTR_MARKDOWN ? PCTR_COLUMNS : NULL,
	};

	tool_note_partial(&pctr_tool, r->partial);
	tidy_write(&tidy, write_csv, r, out);
}

void
pctr_print(const struct pctr_report *r, const struct pctr_options *o,
	   FILE *out)
{
	if (o->format == PCTR_JSON)
		print_json(r, out);
	else if (o->format != PCTR_TEXT)
		print_tidy(r, o, out);
	else
		print_text(r, out);
}

/* ---- The list --------------------------------------------------------- */

/* Words, as many as fit on lines of LIST_COLUMNS. */
static void
print_wrapped(const char *text, FILE *out)
{
	size_t column = 0;

	while (*text) {
		size_t word = strcspn(text, " ");

		if (column && column + 1 + word > LIST_COLUMNS) {
			fputc('\n', out);
			column = 0;
		}
		if (column)
			column += (size_t)fprintf(out, " %.*s", (int)word,
						  text);
		else
			column = (size_t)fprintf(out, "%*s%.*s", LIST_INDENT,
						 "", (int)word, text);
		text += word;
		text += strspn(text, " ");
	}
	fputc('\n', out);
}

/* Which counter an event is for, if not for both. */
static const char *
only(const struct pmcsim_event *e)
{
	return e->counters == 1 ? "  (ctr0 only)" :
	       e->counters == 2 ? "  (ctr1 only)" : "";
}

static void
print_p6(const struct pmcsim_event *e, FILE *out)
{
	static const char *const masks[] = {
		[PMCSIM_UNMASKED] = "", [PMCSIM_MASK_MESI] = "/mesi",
		[PMCSIM_MASK_AGENT] = "/a", [PMCSIM_MASK_BITS] = "/bits",
		[PMCSIM_MASK_NUMBER] = "/number",
	};

	fprintf(out, "%02x  %s%s%s\n", e->code, e->name, masks[e->masked],
		only(e));
	print_wrapped(e->text, out);
}

void
pctr_print_list(const struct pmcsim_cpu *cpu, FILE *out)
{
	bool p6 = pmcsim_pctr_family(cpu) == 6;
	size_t n;
	const struct pmcsim_event *e = pmcsim_cpu_events(cpu, &n);

	fprintf(out, "Hardware counter functions for the Pentium%s:\n\n",
		p6 ? " Pro" : "");
	for (size_t i = 0; i < n; i++) {
		if (e[i].reserved)
			continue;
		if (p6)
			print_p6(&e[i], out);
		else
			fprintf(out, "%02x  %s%s\n", e[i].code, e[i].label,
				only(&e[i]));
	}
}
