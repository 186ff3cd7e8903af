/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which files of two profiles are one: builds of a program, by their names or
 * by those of their procedures. */
#include "prof.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
	const char *file, *name, *build;
};

/* A file's procedures, sorted. */
struct file {
	const struct entry *entry;
	size_t n;
	bool has_other;		/* one in the other profile */
};

struct side {
	struct entry *entry;
	struct file *file;
	size_t n;
};

struct prof_match {
	size_t n;
	struct {
		const char *file[2];
		char *name;	/* of both together */
	} pair[];
};

/* ---- Files of a profile ---------------------------------------------- */

static int
by_file(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int order = strcmp(x->file, y->file);

	return order ? order : strcmp(x->name, y->name);
}

static struct side
open_side(const struct prof *p)
{
	size_t n;
	struct pmcsim_profile_row *row = prof_rows(p, 0, PMCSIM_ROWS_FUNCTIONS,
						    &n);
	struct side s = {
		.entry = tool_alloc(p->tool, n, sizeof *s.entry),
		.file = tool_alloc(p->tool, n, sizeof *s.file),
	};

	for (size_t i = 0; i < n; i++)
		s.entry[i] = (struct entry){
			prof_base(p->u->profile->module[row[i].module]),
			prof_name(&row[i].symbol),
			prof_name_build(p, &row[i]),
		};
	free(row);
	qsort(s.entry, n, sizeof *s.entry, by_file);
	for (size_t i = 0; i < n; i++) {
		if (!i || strcmp(s.entry[i].file, s.entry[i - 1].file))
			s.file[s.n++] = (struct file){.entry = &s.entry[i]};
		s.file[s.n - 1].n++;
	}
	return s;
}

static void
close_side(struct side *s)
{
	free(s->entry);
	free(s->file);
}

/* ---- Pairs ----------------------------------------------------------- */

static void
pair_names(struct side *a, struct side *b)
{
	for (size_t i = 0, k = 0; i < a->n && k < b->n;) {
		int order = strcmp(a->file[i].entry->file,
				   b->file[k].entry->file);

		if (!order)
			a->file[i].has_other = b->file[k].has_other = true;
		i += order <= 0;
		k += order >= 0;
	}
}

/* How many names of procedures they share. */
static size_t
shared(const struct file *x, const struct file *y)
{
	size_t i = 0, k = 0, n = 0;

	while (i < x->n && k < y->n) {
		int order = strcmp(x->entry[i].name, y->entry[k].name);

		n += !order && !strcmp(x->entry[i].build, y->entry[k].build);
		i += order <= 0;
		k += order >= 0;
	}
	return n;
}

/* The files without another that share most, and more than half of one's. */
static bool
best_pair(struct side *a, struct side *b, struct file *best[2])
{
	size_t most = 0;

	best[0] = best[1] = NULL;
	for (size_t i = 0; i < a->n; i++)
		for (size_t k = 0; k < b->n; k++) {
			struct file *x = &a->file[i], *y = &b->file[k];
			size_t fewer = x->n < y->n ? x->n : y->n, n;

			if (x->has_other || y->has_other)
				continue;
			n = shared(x, y);
			if (n <= most || 2 * n <= fewer)
				continue;
			most = n;
			best[0] = x;
			best[1] = y;
		}
	return best[0] != NULL;
}

static void
add_pair(const struct prof *p, struct prof_match *m, struct file *best[2])
{
	for (unsigned side = 0; side < 2; side++) {
		best[side]->has_other = true;
		m->pair[m->n].file[side] = best[side]->entry->file;
	}
	if (asprintf(&m->pair[m->n].name, "%s, %s", best[0]->entry->file,
		     best[1]->entry->file) < 0)
		tool_fail(p->tool, TOOL_FAILED, "out of memory");
	m->n++;
}

static size_t
count_alone(const struct side *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		n += !s->file[i].has_other;
	return n;
}

static void
note_alone(const struct prof *p, const struct side *s)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		tool_fail(p->tool, TOOL_FAILED, "out of memory");
	for (size_t i = 0; i < s->n; i++)
		if (!s->file[i].has_other)
			fprintf(out, " %s", s->file[i].entry->file);
	tool_close_text(p->tool, out, &text);
	tool_note(p->tool, "in %s only:%s", p->data, text);
	free(text);
}

struct prof_match *
prof_match_open(const struct prof *a, const struct prof *b)
{
	struct side x = open_side(a), y = open_side(b);
	struct prof_match *m = tool_alloc(a->tool, 1, sizeof *m +
					  x.n * sizeof *m->pair);
	struct file *best[2];

	pair_names(&x, &y);
	while (best_pair(&x, &y, best))
		add_pair(a, m, best);
	if (count_alone(&x) && count_alone(&y)) {
		note_alone(a, &x);
		note_alone(b, &y);
	}
	close_side(&x);
	close_side(&y);
	return m;
}

const char *
prof_match_name(const struct prof_match *m, unsigned side, const char *file)
{
	for (size_t i = 0; i < m->n; i++)
		if (!strcmp(m->pair[i].file[side], file))
			return m->pair[i].name;
	return file;
}

void
prof_match_close(struct prof_match *m)
{
	for (size_t i = 0; i < m->n; i++)
		free(m->pair[i].name);
	free(m);
}
