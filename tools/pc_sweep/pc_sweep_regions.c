/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What runs have counted in regions of the command. */
#include "pc_sweep.h"

#include <stdlib.h>
#include <string.h>

/* The sweep's rows, with nothing measured. */
static struct pmcsim_row *
empty_rows(const struct sweep *s)
{
	struct pmcsim_row *row =
		tool_alloc(&pc_sweep, s->n_rows, sizeof(*row));

	for (size_t i = 0; i < s->n_rows; i++) {
		row[i].count = s->row[i].count;
		row[i].repeat = tool_alloc(&pc_sweep, s->o->repeat,
					   sizeof(uint64_t));
	}
	return row;
}

static char *
copy(const char *text)
{
	char *own = strdup(text);

	if (!own)
		tool_fail(&pc_sweep, TOOL_FAILED, "out of memory");
	return own;
}

static struct sweep_region *
place(struct sweep *s, const struct pmcsim_region *r)
{
	struct sweep_region *more;

	for (size_t i = 0; i < s->n_regions; i++)
		if (!strcmp(s->region[i].name, r->name))
			return &s->region[i];
	more = reallocarray(s->region, s->n_regions + 1, sizeof(*more));
	if (!more)
		tool_fail(&pc_sweep, TOOL_FAILED, "out of memory");
	s->region = more;
	more += s->n_regions++;
	*more = (struct sweep_region){
		.name = copy(r->name),
		.value = tool_alloc(&pc_sweep, s->o->repeat * s->n_runs,
				    sizeof(*more->value)),
		.row = empty_rows(s),
	};
	return more;
}

/* Puts a region's counts in the places of the command's. */
static void
read_region(const struct sweep *s, size_t number, struct pmcsim_machine *m,
	    const struct pmcsim_region *r, struct pmcsim_value *value)
{
	const struct pmcsim_run *run = &s->run[number % s->n_runs].run;
	uint64_t *count = tool_alloc(&pc_sweep, run->n, sizeof(*count));

	if (pmcsim_region_values(m, r, run, count) != 0)
		tool_fail(&pc_sweep, TOOL_FAILED, "out of memory");
	for (size_t i = 0; i < run->n; i++) {
		value[i].count = value[i].shown = count[i];
		value[i].wrapped = false;
	}
	free(count);
}

/* The counts are those of the region that was asked for. */
static void
keep_one(struct sweep *s, size_t number, struct pmcsim_machine *m,
	 const struct pmcsim_region *r, struct pmcsim_value *value)
{
	if (!s->only_name)
		s->only_name = copy(s->o->regions.name);
	if (r)
		s->only = *r;
	s->only.name = s->only_name;
	read_region(s, number, m, r, value);
}

void
sweep_keep_regions(struct sweep *s, size_t number, struct pmcsim_machine *m,
		   struct pmcsim_value *value)
{
	const struct pmcsim_run *run = &s->run[number % s->n_runs].run;
	const struct regions_option *o = &s->o->regions;
	struct pmcsim_region *list;
	size_t n;

	if (system_where(&s->o->system))
		return;
	list = regions_list(&pc_sweep, o, m, &n);
	if (!number)
		regions_note(&pc_sweep, o, m, list, n);
	if (o->name)
		keep_one(s, number, m, regions_asked(o, list, n), value);
	for (size_t i = 0; i < n && !o->name; i++) {
		struct sweep_region *r = place(s, &list[i]);
		struct pmcsim_value *own =
			tool_alloc(&pc_sweep, run->n, sizeof(*own));

		r->is = list[i];
		r->is.name = r->name;
		memcpy(own, value, run->n * sizeof(*own));
		read_region(s, number, m, &list[i], own);
		r->value[number] = own;
	}
	free(list);
}

void
sweep_free_regions(struct sweep *s)
{
	for (size_t k = 0; k < s->n_regions; k++) {
		struct sweep_region *r = &s->region[k];

		for (size_t i = 0; i < s->n_runs * s->o->repeat; i++)
			free(r->value[i]);
		for (size_t i = 0; i < s->n_rows; i++)
			free((void *)r->row[i].repeat);
		free(r->value);
		free(r->row);
		free(r->name);
	}
	free(s->region);
	free(s->only_name);
}
