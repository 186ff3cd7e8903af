/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a command does in its regions, each as if it were a command. */
#include "stat.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The place of a region, for counts of all runs. */
static struct stat_region *
place(const struct stat *s, struct stat_cpu *c, const struct pmcsim_region *r)
{
	size_t runs = s->o->repeat, n = s->o->n_wants + 1;
	struct stat_region *more;

	for (size_t i = 0; i < c->n_regions; i++)
		if (!strcmp(c->region[i].name, r->name) &&
		    c->region[i].is.kind == r->kind)
			return &c->region[i];
	more = reallocarray(c->region, c->n_regions + 1, sizeof(*more));
	if (!more)
		tool_fail(&stat_tool, TOOL_FAILED, "out of memory");
	c->region = more;
	more += c->n_regions++;
	*more = (struct stat_region){
		.name = strdup(r->name),
		.count = tool_alloc(&stat_tool, runs * n, sizeof(uint64_t)),
		.user = tool_alloc(&stat_tool, runs, sizeof(double)),
		.kernel = tool_alloc(&stat_tool, runs, sizeof(double)),
	};
	if (!more->name)
		tool_fail(&stat_tool, TOOL_FAILED, "out of memory");
	return more;
}

/* Counts of a region in the run that has just ended. */
static void
read_region(const struct stat *s, const struct stat_cpu *c,
	    struct pmcsim_machine *m, const struct pmcsim_region *r,
	    uint64_t *count, double *user, double *kernel)
{
	size_t n = stat_n_asked(s);
	struct pmcsim_value *value =
		tool_alloc(&stat_tool, n, sizeof(*value));

	if (pmcsim_region_read(m, r, c->lexicon, c->ask, n, value) != 0 ||
	    pmcsim_region_time(m, r, user, kernel) != 0)
		tool_fail(&stat_tool, TOOL_FAILED, "out of memory");
	for (size_t i = 0; i < n; i++)
		count[i] = value[i].count;
	free(value);
}

/* Counts are of the region that was asked for, or of the first thread, not of the
 * command. */
static void
keep_one(const struct stat *s, struct stat_cpu *c, struct pmcsim_machine *m,
	 const struct pmcsim_region *r)
{
	size_t n = s->o->n_wants + 1;
	uint64_t *count = &c->count[c->runs * n];

	if (r) {
		read_region(s, c, m, r, count, &c->user[c->runs],
			    &c->kernel[c->runs]);
		c->asked = *r;
		return;
	}
	memset(count, 0, n * sizeof(*count));
	c->user[c->runs] = c->kernel[c->runs] = 0;
}

bool
stat_has_regions(const struct stat_options *o)
{
	return !system_where(&o->system) && !o->delay && !o->sampled.one_in;
}

void
stat_keep_regions(const struct stat *s, struct stat_cpu *c,
		  struct pmcsim_machine *m)
{
	const struct regions_option *o = &s->o->regions;
	struct pmcsim_region *list;
	size_t n;

	if (!stat_has_regions(s->o))
		return;
	list = regions_list(&stat_tool, o, m, &n);
	regions_note(&stat_tool, o, m, list, n);
	if (o->name || o->first)
		keep_one(s, c, m, regions_asked(o, list, n));
	for (size_t i = 0; i < n && !o->name && !o->first; i++) {
		struct stat_region *r = place(s, c, &list[i]);

		r->is = list[i];
		read_region(s, c, m, &list[i],
			    &r->count[c->runs * (s->o->n_wants + 1)],
			    &r->user[c->runs], &r->kernel[c->runs]);
	}
	free(list);
}

void
stat_free_regions(struct stat_cpu *c)
{
	for (size_t i = 0; i < c->n_regions; i++) {
		free(c->region[i].name);
		free(c->region[i].count);
		free(c->region[i].user);
		free(c->region[i].kernel);
	}
	free(c->region);
}

/* ---- Reports ---------------------------------------------------------- */

static const struct stat_region *
find(const struct stat_cpu *c, const struct stat_region *like)
{
	for (size_t i = 0; i < c->n_regions; i++)
		if (!strcmp(c->region[i].name, like->name) &&
		    c->region[i].is.kind == like->is.kind)
			return &c->region[i];
	return NULL;
}

struct stat
stat_view(const struct stat *s, const struct stat_region *like)
{
	struct stat view = *s;

	view.region = like;
	*view.prefix = '\0';
	view.further = false;
	for (size_t k = 0; k < s->o->n_cpus; k++) {
		const struct stat_region *r = find(&s->cpu[k], like);
		struct stat_cpu *c = &view.cpu[k];

		if (r) {
			c->count = r->count;
			c->user = r->user;
			c->kernel = r->kernel;
			c->asked = r->is;
		} else {
			c->runs = 0;
		}
	}
	return view;
}

/* Whether a CPU before number k has that region. */
static bool
is_shown(const struct stat *s, size_t k, const struct stat_region *r)
{
	for (size_t i = 0; i < k; i++)
		if (find(&s->cpu[i], r))
			return true;
	return false;
}

void
stat_write_regions(const struct stat *s, FILE *out,
		   void (*write)(const struct stat *view, FILE *out))
{
	for (size_t k = 0; k < s->o->n_cpus; k++)
		for (size_t i = 0; i < s->cpu[k].n_regions; i++) {
			const struct stat_region *r = &s->cpu[k].region[i];
			struct stat view;

			if (is_shown(s, k, r))
				continue;
			view = stat_view(s, r);
			write(&view, out);
		}
}

const char *
stat_region_name(const struct stat *s)
{
	return s->region ? s->region->name : s->o->regions.name;
}
