/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Profiles that umon_write.c writes and umon_read.c reads: memory, adding up. */
#include "umon.h"

#include "table/table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_PERIOD 65536

uint64_t
umon_sum(uint64_t sum, const char *text, size_t length)
{
	while (length--) {
		sum ^= (unsigned char)*text++;
		sum *= 0x100000001b3;	/* FNV-1a */
	}
	return sum;
}

void
pmcsim_umon_free(struct pmcsim_umon *u)
{
	if (!u)
		return;
	for (char **c = u->command; c && *c; c++)
		free(*c);
	for (unsigned e = 0; e < PMCSIM_PROFILE_EVENTS; e++) {
		free(u->event[e]);
		free(u->label[e]);
	}
	for (size_t i = 0; i < u->n_ratios; i++) {
		free(u->ratio[i].name);
		free(u->ratio[i].label);
	}
	for (size_t i = 0; i < u->n_listed; i++)
		free(u->listed[i].name);
	free(u->listed);
	umon_free_regions(u);
	free(u->command);
	free(u->cpu);
	pmcsim_profile_free(u->profile);
	free(u);
}

/* ---- Build ids ------------------------------------------------------- */

int
pmcsim_umon_identify(struct pmcsim_umon *u)
{
	struct pmcsim_profile *p = u->profile;
	const char **build = calloc(p->n_modules + 1, sizeof *build);

	if (!build)
		return -ENOMEM;
	for (size_t i = 0; i < p->n_modules; i++)
		if (p->module[i][0] == '/')
			build[i] = pmcsim_build_id(p->module[i]);
	p->build = build;
	return 0;
}

/* ---- Adding up ------------------------------------------------------- */

static int
different(struct pmcsim_error *error, const char *what)
{
	snprintf(error->text, sizeof error->text,
		 "profiles of different %s cannot be added up", what);
	return -EINVAL;
}

/* Whether the same functions are where they are. */
static bool
lists_alike(const struct pmcsim_umon *a, const struct pmcsim_umon *b)
{
	if (a->n_listed != b->n_listed)
		return false;
	for (size_t i = 0; i < a->n_listed; i++) {
		const struct pmcsim_listed *x = &a->listed[i];
		const struct pmcsim_listed *y = &b->listed[i];

		if (x->start != y->start || x->size != y->size ||
		    strcmp(x->name, y->name))
			return false;
	}
	return true;
}

static int
check_alike(const struct pmcsim_umon *a, const struct pmcsim_umon *b,
	    struct pmcsim_error *error)
{
	const struct pmcsim_profile *p = a->profile, *q = b->profile;

	if (strcmp(a->cpu, b->cpu))
		return different(error, "CPUs");
	if (p->n_events != q->n_events)
		return different(error, "events");
	if (a->stride != b->stride)
		return different(error, "strides");
	if (!lists_alike(a, b))
		return different(error, "kernels");
	if (!umon_regions_alike(a, b))
		return different(error, "regions");
	for (size_t e = 0; e < p->n_events; e++) {
		if (strcmp(a->event[e], b->event[e]))
			return different(error, "events");
		if (p->each[e] != q->each[e] ||
		    p->estimate[e] != q->estimate[e] ||
		    p->of_samples[e] != q->of_samples[e])
			return different(error, "periods");
		if (p->total[e] > UINT64_MAX - q->total[e]) {
			snprintf(error->text, sizeof error->text,
				 "too much of %s together", a->event[e]);
			return -E2BIG;
		}
	}
	return 0;
}

struct sum {
	const char **module;
	const char **build;
	size_t n_modules;
	struct pmcsim_image *image;
	struct pmcsim_place *place;
	struct pmcsim_call *call;
};

/* The module of that path and build, as far as that is known; a new one behind
 * the others if there is none. */
static unsigned
module_of(struct sum *s, const char *path, const char *build)
{
	size_t n = s->n_modules;

	for (size_t i = 0; i < n; i++)
		if (!strcmp(s->module[i], path) &&
		    (!build || !s->build[i] || !strcmp(s->build[i], build)))
			return (unsigned)i;
	s->module[n] = strdup(path);
	s->build[n] = build ? strdup(build) : NULL;
	s->n_modules++;
	return s->module[n] && !build == !s->build[n] ? (unsigned)n
						      : UINT32_MAX;
}

static unsigned
largest_image(const struct pmcsim_profile *p)
{
	unsigned most = 0;

	for (size_t i = 0; i < p->n_images; i++)
		if (p->image[i].number > most)
			most = p->image[i].number;
	return most;
}

/* The number in the sum of module i of the other one. */
static unsigned
other_module(struct sum *s, const struct pmcsim_profile *q, unsigned i)
{
	return module_of(s, q->module[i], q->build ? q->build[i] : NULL);
}

/* Paths of both, one behind the other. */
static int
fill_calls(struct sum *s, const struct pmcsim_profile *p,
	   const struct pmcsim_profile *q)
{
	if (p->n_calls)
		memcpy(s->call, p->call, p->n_calls * sizeof *p->call);
	for (size_t i = 0; i < q->n_calls; i++) {
		struct pmcsim_call *call = &s->call[p->n_calls + i];

		*call = q->call[i];
		call->parent += call->parent ? (unsigned)p->n_calls : 0;
		call->module = other_module(s, q, call->module);
		if (call->module == UINT32_MAX)
			return -ENOMEM;
	}
	return 0;
}

static int
fill_sum(struct sum *s, const struct pmcsim_profile *p,
	 const struct pmcsim_profile *q)
{
	unsigned base = largest_image(p);

	for (size_t i = 0; i < p->n_modules; i++)
		s->module[i] = p->module[i];
	for (size_t i = 0; p->build && i < p->n_modules; i++)
		s->build[i] = p->build[i];
	s->n_modules = p->n_modules;
	if (p->n_images)
		memcpy(s->image, p->image, p->n_images * sizeof *p->image);
	if (p->n_places)
		memcpy(s->place, p->place, p->n_places * sizeof *p->place);
	for (size_t i = 0; i < q->n_images; i++) {
		struct pmcsim_image *image = &s->image[p->n_images + i];

		*image = q->image[i];
		image->number += base;
		image->parent += image->parent ? base : 0;
	}
	for (size_t i = 0; i < q->n_places; i++) {
		struct pmcsim_place *at = &s->place[p->n_places + i];

		*at = q->place[i];
		at->image += base;
		at->path += at->path ? p->n_calls : 0;
		at->module = other_module(s, q, at->module);
		if (at->module == UINT32_MAX)
			return -ENOMEM;
	}
	return fill_calls(s, p, q);
}

static void
free_sum(struct sum *s, size_t kept)
{
	for (size_t i = kept; s->module && s->build && i < s->n_modules; i++) {
		free((char *)s->module[i]);
		free((char *)s->build[i]);
	}
	free(s->module);
	free(s->build);
	free(s->image);
	free(s->place);
	free(s->call);
}

int
pmcsim_umon_add(struct pmcsim_umon *to, const struct pmcsim_umon *other,
		struct pmcsim_error *error)
{
	struct pmcsim_profile *p = to->profile;
	const struct pmcsim_profile *q = other->profile;
	struct sum s = {0};
	int rc = check_alike(to, other, error);

	if (rc)
		return rc;
	s.module = calloc(p->n_modules + q->n_modules + 1, sizeof *s.module);
	s.build = calloc(p->n_modules + q->n_modules + 1, sizeof *s.build);
	s.image = calloc(p->n_images + q->n_images + 1, sizeof *s.image);
	s.place = calloc(p->n_places + q->n_places + 1, sizeof *s.place);
	s.call = calloc(p->n_calls + q->n_calls + 1, sizeof *s.call);
	rc = s.module && s.build && s.image && s.place && s.call
		     ? fill_sum(&s, p, q) : -ENOMEM;
	if (!rc)
		rc = umon_sum_regions(to, other);
	if (rc) {
		snprintf(error->text, sizeof error->text, "out of memory");
		free_sum(&s, p->n_modules);
		return rc;
	}
	free((void *)p->module);
	free((void *)p->build);
	free((void *)p->image);
	free((void *)p->place);
	p->module = (const char *const *)s.module;
	p->build = (const char *const *)s.build;
	p->n_modules = s.n_modules;
	p->image = s.image;
	p->n_images += q->n_images;
	p->place = s.place;
	p->n_places += q->n_places;
	free((void *)p->call);
	p->call = s.call;
	p->n_calls += q->n_calls;
	p->calls |= q->calls;
	p->lost += q->lost;
	to->partial |= other->partial;
	to->doubts |= other->doubts;
	for (size_t e = 0; e < p->n_events; e++) {
		p->total[e] += q->total[e];
		p->rest[e] += q->rest[e];
	}
	return 0;
}

/* ---- Distances of interrupts ----------------------------------------- */

/* Longest distances that the drivers of Tru64 offer, by the kind of
 * counters (pfm(7)). */
static const struct {
	unsigned counters, bits;
	uint64_t period[3];
} distances[] = {
	{2, 16, {65536, 4096}},
	{3, 16, {65536, 65536, 16384}},
	{2, 20, {1048576, 1048576}},
};

uint64_t
pmcsim_cpu_period(const struct pmcsim_cpu *cpu, unsigned counter)
{
	const struct sim_config *c = &cpu->config;

	for (size_t i = 0; i < sizeof distances / sizeof *distances; i++)
		if (pmcsim_cpu_system(cpu) == PMCSIM_TRU64 &&
		    distances[i].counters == c->n_counters &&
		    distances[i].bits == c->counter_bits)
			return distances[i].period[counter % c->n_counters];
	return DEFAULT_PERIOD;
}
