/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What of a profile is listed, and where it goes. */
#include "prof_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

/* ---- Output ---------------------------------------------------------- */

/* Calls write with a stream for what is to appear as file path, "-" for
 * stdout, or ends the tool. */
static void
write_to(const struct prof *p, const char *path,
	 void (*write)(const struct prof *p, FILE *out))
{
	struct tool_output out;

	tool_output_open(&out, p->tool, strcmp(path, "-") ? path : NULL,
			 false, stdout);
	write(p, out.stream);
	tool_output_close(&out, 0);
}

static void
write_merged(const struct prof *p, FILE *out)
{
	pmcsim_umon_write(p->u, out);
}

static void
export(const struct prof *p)
{
	static void (*const write[])(const struct prof *p, FILE *out) = {
		[EXPORT_MERGE] = write_merged,
		[EXPORT_CALLGRIND] = prof_callgrind,
		[EXPORT_FOLDED] = prof_folded,
		[EXPORT_JSON] = prof_json,
		[EXPORT_MARKDOWN] = prof_markdown,
		[EXPORT_PPROF] = prof_pprof,
		[EXPORT_SPEEDSCOPE] = prof_speedscope,
		[EXPORT_HTML] = prof_html,
	};

	for (size_t i = 0; i < PROF_EXPORTS; i++)
		if (p->o->export[i])
			write_to(p, p->o->export[i], write[i]);
}

/* ---- Listings -------------------------------------------------------- */

#define LAST_SECOND 253402300799ul	/* of the year 9999 */

/* When the listing is made, or the build that it is part of. */
static bool
find_date(const struct prof *p, struct tm *tm)
{
	const char *epoch = getenv("SOURCE_DATE_EPOCH");
	time_t now = time(NULL);
	unsigned long seconds;

	if (!epoch)
		return localtime_r(&now, tm);
	if (!tool_number(epoch, LAST_SECOND, &seconds))
		tool_fail(p->tool, TOOL_FAILED, "SOURCE_DATE_EPOCH=%s: not "
			  "seconds since 1970, up to %lu", epoch, LAST_SECOND);
	now = (time_t)seconds;
	return gmtime_r(&now, tm);
}

static void
put_title(const struct prof *p, FILE *out)
{
	struct tm tm;
	char date[40] = "";

	if (find_date(p, &tm))
		strftime(date, sizeof date, "%a %b %e %H:%M:%S %Y", &tm);
	fprintf(out, "Profile listing generated %s with:\n   %s", date,
		p->tool->name);
	for (char **w = p->words; *w; w++) {
		fputc(' ', out);
		tool_put(*w, out);
	}
	fputs("\n   of ", out);
	tool_put(p->data, out);
	fprintf(out, ", on %s:", p->u->cpu);
	for (char **c = p->u->command; *c; c++) {
		fputc(' ', out);
		tool_put(*c, out);
	}
	fputs("\n\n", out);
}

static void
put_totals(const struct prof *p, FILE *out)
{
	const struct pmcsim_profile *f = p->u->profile;

	for (unsigned e = 0; e < f->n_events; e++) {
		if (p->o->event && strcasecmp(p->o->event, p->u->event[e]))
			continue;
		fprintf(out, "%15" PRIu64 "  %s", f->total[e],
			p->u->event[e]);
		if (f->of_samples[e])
			fprintf(out, ", of 1 instruction in %" PRIu64,
				f->each[e]);
		else if (f->period)
			fprintf(out, ", 1 sample every %" PRIu64,
				f->each[e]);
		if (f->rest[e])
			fprintf(out, ", %" PRIu64 " not attributed",
				f->rest[e]);
		fputc('\n', out);
	}
}

static void
list_event(const struct prof *p, unsigned event, struct prof_texts *texts,
	   FILE *out)
{
	const struct prof_options *o = p->o;

	if (o->procedures || !prof_lists(o))
		prof_list(p, event, out);
	if (o->calls)
		prof_list_calls(p, event, out);
	if (o->inclusive)
		prof_list_inclusive(p, event, out);
	if (o->heavy)
		prof_list_lines(p, event, true, out);
	if (o->lines)
		prof_list_lines(p, event, false, out);
	if (o->annotate)
		prof_annotate(p, event, texts, out);
	else if (o->instructions)
		prof_list_instructions(p, event, out);
}

static void
check_event(const struct prof *p)
{
	if (!p->o->event)
		return;
	for (unsigned e = 0; e < p->u->profile->n_events; e++)
		if (!strcasecmp(p->o->event, p->u->event[e]))
			return;
	for (size_t i = 0; i < p->u->n_ratios; i++)
		if (!strcasecmp(p->o->event, p->u->ratio[i].name))
			return;
	tool_fail(p->tool, TOOL_FAILED, "%s has no event %s", p->data,
		  p->o->event);
}

void
prof_show(const struct prof *p)
{
	const struct prof_options *o = p->o;
	bool listing = prof_lists(o) || o->totals;
	struct prof_texts *texts;

	check_event(p);
	if (o->inclusive && !p->u->profile->calls)
		tool_fail(p->tool, TOOL_FAILED, "%s has no calls: it takes "
			  "-calls of uprofile to record them", p->data);
	prof_check_names(p, NULL);
	export(p);
	if (!listing && prof_exports(o))
		return;
	put_title(p, stdout);
	if (o->totals) {
		put_totals(p, stdout);
		prof_ratios(p, stdout);
		fputs(p->u->n_regions ? "\n" : "", stdout);
		prof_regions(p, stdout);
		return;
	}
	texts = prof_texts_open(p);
	for (unsigned e = 0; e < p->u->profile->n_events; e++)
		if (!o->event || !strcasecmp(o->event, p->u->event[e]))
			list_event(p, e, texts, stdout);
	prof_ratios(p, stdout);
	prof_regions(p, stdout);
	prof_texts_tell(texts);
	prof_texts_close(texts);
}
