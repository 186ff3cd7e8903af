/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes umon.out(5). */
#include "umon.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

struct writer {
	FILE *out;
	uint64_t sum;
};

__attribute__((format(printf, 2, 3))) static void
put(struct writer *w, const char *format, ...)
{
	char text[80];
	va_list ap;
	int n;

	va_start(ap, format);
	n = vsnprintf(text, sizeof text, format, ap);
	va_end(ap);
	w->sum = umon_sum(w->sum, text, (size_t)n);
	fwrite(text, 1, (size_t)n, w->out);
}

/* A blank and a word: what is not visible ASCII becomes \ and octal digits,
 * and nothing at all a backslash. */
static void
put_word(struct writer *w, const char *text)
{
	put(w, *text ? " " : " \\");
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		put(w, c > ' ' && c < 0x7f && c != '\\' ? "%c" : "\\%03o", c);
	}
}

static void
put_header(struct writer *w, const struct pmcsim_umon *u)
{
	const struct pmcsim_profile *p = u->profile;

	put(w, UMON_MAGIC "%c\ncpu",
	    (p->calls ? UMON_CALLS : UMON_PLAIN) +
		    (u->n_regions ? UMON_REGIONS : 0));
	put_word(w, u->cpu);
	put(w, "\nclock %" PRIu64 "\ncommand", u->clock_hz);
	for (char **c = u->command; *c; c++)
		put_word(w, *c);
	put(w, "\nstate %s\nstride %" PRIu64 "\nlost %u\n",
	    u->partial ? "partial" : "complete", u->stride, p->lost);
	for (unsigned n = 0; pmcsim_doubt_name(n); n++)
		if (u->doubts >> n & 1)
			put(w, "doubt %s\n", pmcsim_doubt_name(n));
	for (size_t e = 0; e < p->n_events; e++) {
		put(w, "event");
		put_word(w, u->event[e]);
		put_word(w, u->label[e]);
		put(w, " %" PRIu64 " %" PRIu64 " %" PRIu64 " %s\n",
		    p->each[e], p->total[e], p->rest[e],
		    p->of_samples[e] ? "instructions" :
		    p->estimate[e] ? "estimated" : "counted");
	}
	for (size_t i = 0; i < u->n_ratios; i++) {
		const struct pmcsim_ratio *r = &u->ratio[i];

		put(w, "ratio");
		put_word(w, r->name);
		put_word(w, r->label);
		put(w, " %u %u %u %u\n", r->over, r->over_factor, r->under,
		    r->under_factor);
	}
}

static void
put_regions(struct writer *w, const struct pmcsim_umon *u)
{
	for (size_t i = 0; i < u->n_regions; i++) {
		const struct pmcsim_umon_region *r = &u->region[i];

		put(w, "region");
		put_word(w, r->is.name);
		put(w, " %s %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64,
		    u->only ? "only" : "part", r->is.entries, r->is.unended,
		    r->is.unbegun, r->is.left_out);
		for (size_t e = 0; e < u->profile->n_events; e++)
			put(w, " %" PRIu64, r->count[e]);
		put(w, "\n");
	}
}

static void
put_places(struct writer *w, const struct pmcsim_profile *p)
{
	for (size_t i = 0; i < p->n_calls; i++)
		put(w, "call %u %u %" PRIx64 " %" PRIu64 "\n",
		    p->call[i].parent, p->call[i].module, p->call[i].offset,
		    p->call[i].taken);
	for (size_t i = 0; i < p->n_places; i++) {
		const struct pmcsim_place *at = &p->place[i];

		put(w, "at %u %u %" PRIx64 " %" PRIx64, at->image,
		    at->module, at->offset, at->pc);
		if (p->calls)
			put(w, " %" PRIu64, at->path);
		for (size_t e = 0; e < p->n_events; e++)
			put(w, " %" PRIu64, at->count[e]);
		put(w, "\n");
	}
}

void
pmcsim_umon_write(const struct pmcsim_umon *u, FILE *out)
{
	const struct pmcsim_profile *p = u->profile;
	struct writer w = {out, UMON_SUM};

	put_header(&w, u);
	put_regions(&w, u);
	for (size_t i = 0; i < p->n_images; i++)
		put(&w, "process %u %u %d %d\n", p->image[i].number,
		    p->image[i].parent, p->image[i].forked, p->image[i].pid);
	for (size_t i = 0; i < p->n_modules; i++) {
		put(&w, "module");
		put_word(&w, p->module[i]);
		if (p->build && p->build[i])
			put_word(&w, p->build[i]);
		put(&w, "\n");
	}
	for (size_t i = 0; i < u->n_listed; i++) {
		put(&w, "function %u %" PRIx64 " %" PRIx64,
		    u->listed[i].module, u->listed[i].start,
		    u->listed[i].size);
		put_word(&w, u->listed[i].name);
		put(&w, "\n");
	}
	put_places(&w, p);
	fprintf(out, "end %016" PRIx64 "\n", w.sum);
}
