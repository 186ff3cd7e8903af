/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table "host": that of the nearest processor, line by line, with the
 * numbers of this one in place of its own, and a head that says what is whose.
 */
#include "host.h"
#include "table.h"
#include "table_lines.h"

#include "core/core.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define MOST_LINES 4096
#define MOST_NOTES 4096

/* The base's lines; those that are changed are our own. */
struct draft {
	const struct host_facts *f;
	const char *base;	/* its name */
	struct table_file file;
	char *text;		/* that lines point into */
	char *line[MOST_LINES];
	bool own[MOST_LINES];
	unsigned n;
	char notes[MOST_NOTES];	/* lines of the head */
	bool failed;		/* without memory */
};

/* The vendor's table. */
static const char *
base_of(const struct host_facts *f)
{
	return strcmp(f->vendor, "AuthenticAMD") ? "skylake" : "zen3";
}

__attribute__((format(printf, 2, 3)))
static void
note(struct draft *d, const char *format, ...)
{
	size_t used = strlen(d->notes);
	char text[200];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	snprintf(d->notes + used, sizeof d->notes - used, "#   %s\n", text);
}

static void
replace(struct draft *d, unsigned at, char *line)
{
	if (d->own[at])
		free(d->line[at]);
	d->line[at] = line;
	d->own[at] = line != NULL;
	d->failed |= !line;
}

/* The number of a key, which has a line of its own. */
__attribute__((format(printf, 3, 4)))
static void
set(struct draft *d, unsigned long long value, const char *format, ...)
{
	char path[100], *line;
	unsigned at;
	int indent;
	va_list args;

	va_start(args, format);
	vsnprintf(path, sizeof path, format, args);
	va_end(args);
	at = table_lines_find(d->file.lines, path) - 1;
	indent = (int)strspn(d->line[at], " ");
	if (asprintf(&line, "%*s%s: %llu  # this host", indent, "",
		     strrchr(path, '.') + 1, value) < 0)
		line = NULL;
	replace(d, at, line);
}

/* The largest power of two up to n, which is not 0. */
static unsigned
power_below(unsigned n)
{
	return 1u << (31 - __builtin_clz(n));
}

/* ---- Its parts --------------------------------------------------------- */

static void
set_cache(struct draft *d, const char *name, const struct host_cache *c,
	  unsigned lines)
{
	unsigned way = c->ways * c->line, sets, model;

	if (!c->size || !c->ways || !c->line) {
		note(d, "%s: not known; %s's", name, d->base);
		return;
	}
	sets = c->size / way;
	if (c->ways > 64 || c->line < 16 || c->line > 256 ||
	    c->line & (c->line - 1) || !sets || c->size / c->line > lines) {
		note(d, "%s: %u bytes of %u ways and lines of %u are not "
			"modelled; %s's", name, c->size, c->ways, c->line,
		     d->base);
		return;
	}
	model = power_below(sets);
	if (model * way != c->size)
		note(d, "%s: %u bytes are %u sets; modelled are %u, of %u "
			"bytes", name, c->size, sets, model, model * way);
	set(d, model * way, "machine.caches.%s.size", name);
	set(d, c->ways, "machine.caches.%s.ways", name);
	set(d, c->line, "machine.caches.%s.line", name);
}

static void
set_tlb(struct draft *d, const char *name, const struct host_tlb *t,
	unsigned most)
{
	unsigned sets = t->ways ? t->entries / t->ways : 1;

	if (!t->entries) {
		note(d, "%s: not known; %s's", name, d->base);
		return;
	}
	if (t->entries > most || sets & (sets - 1) ||
	    (t->ways && t->entries % t->ways)) {
		note(d, "%s: %u entries of %u ways are not modelled; %s's",
		     name, t->entries, t->ways, d->base);
		return;
	}
	set(d, t->entries, "machine.tlbs.%s.entries", name);
	set(d, t->ways, "machine.tlbs.%s.ways", name);
}

static void
set_all(struct draft *d)
{
	const struct host_facts *f = d->f;
	bool two = d->file.cpu->config.jtlb_data.entries;

	if (f->hz >= 1000 && f->hz <= 100000000000)
		set(d, f->hz, "machine.clock_hz");
	else
		note(d, "clock_hz: not known; %s's", d->base);
	set_cache(d, "l1i", &f->l1i, CORE_MAX_LINES);
	set_cache(d, "l1d", &f->l1d, CORE_MAX_LINES);
	set_cache(d, "l2", &f->l2, UINT32_MAX);
	set_cache(d, "l3", &f->l3, UINT32_MAX);
	set_tlb(d, "itlb", &f->itlb, CORE_MAX_TLB);
	set_tlb(d, "dtlb", &f->dtlb, CORE_MAX_TLB);
	set_tlb(d, "jtlb", two ? &f->second_i : &f->both, CORE_MAX_JTLB);
	if (two)
		set_tlb(d, "jtlb_data", &f->second_d, CORE_MAX_JTLB);
	note(d, "latencies, buffers, predictors, prefetchers, pipeline, events: "
		"%s's", d->base);
}

/* ---- Its text ---------------------------------------------------------- */

static void
cut_lines(struct draft *d)
{
	char *rest = d->text;

	while (d->n < MOST_LINES && *rest)
		d->line[d->n++] = strsep(&rest, "\n");
}

/* What is in front of the base's key "system". */
static void
write_head(const struct draft *d, FILE *out)
{
	const char *brand = d->f->brand[0] ? d->f->brand
					   : "a processor without a name";

	fprintf(out, "# SPDX-License-Identifier: GPL-2.0-or-later\n#\n"
		     "# %s, as far as /sys/devices/system/cpu and cpuid tell\n"
		     "# of it (\"this host\"), on the core of %s, where each "
		     "other number is\n# explained.  Of this host:\n%s\n"
		     "name: " HOST_NAME "\ndescription: >-\n"
		     "  %s: its caches and TLBs, on the core of %s\n\n",
		brand, d->base, d->notes, brand, d->base);
}

static int
write_text(const struct draft *d, char **text)
{
	unsigned first = table_lines_find(d->file.lines, "system") - 1;
	size_t size;
	FILE *out = open_memstream(text, &size);

	if (!out)
		return -ENOMEM;
	write_head(d, out);
	for (unsigned i = first; i < d->n; i++)
		fprintf(out, "%s\n", d->line[i]);
	return fclose(out) || d->failed ? -ENOMEM : 0;
}

static int
make(struct draft *d, const char *path, char **text,
     struct pmcsim_error *error)
{
	size_t length;
	int rc = table_file_text(path, &d->text, &length, error);

	if (!rc)
		rc = table_file_parse(&d->file, TABLE_CPU, path, d->text,
				      length, error);
	if (rc)
		return rc;
	cut_lines(d);
	set_all(d);
	return write_text(d, text);
}

int
host_table(const struct host_facts *f, char **text, struct pmcsim_error *error)
{
	struct draft *d = calloc(1, sizeof *d);
	char *path = NULL;
	int rc;

	*text = NULL;
	if (!d)
		return -ENOMEM;
	d->f = f;
	d->base = base_of(f);
	rc = table_find(d->base, &path, error);
	if (!rc)
		rc = make(d, path, text, error);
	for (unsigned i = 0; i < d->n; i++)
		if (d->own[i])
			free(d->line[i]);
	table_file_free(&d->file);
	free(d->text);
	free(d);
	free(path);
	return rc;
}

int
pmcsim_host_table(char **text, struct pmcsim_error *error)
{
	struct host_facts f;

	error->text[0] = '\0';
	host_ask(&f);
	return host_table(&f, text, error);
}
