/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs of a command, and the ways to count what happens in them. */
#include "fuzz.h"

#include "counters/machine_api.h"

#include <stdlib.h>

static void
die(const struct fuzz *f, const struct pmcsim_error *error)
{
	fprintf(stderr, "fuzz: seed %lu, %s, %s: %s\n", f->seed, f->name,
		f->command, error->text);
	exit(125);
}

struct pmu_select
fuzz_select(const struct fuzz *f, unsigned event)
{
	return (struct pmu_select){
		.event = (s32)event,
		.modes = 1u << MODE_USER,
		.scope = SCOPE_PROCESSOR,
		.mask = f->cpu->config.event[event].mask_default,
	};
}

/* A machine that has run the command; a profile if there is sampling. */
static struct pmcsim_machine *
run(struct fuzz *f, struct fuzz_run *r, const struct pmcsim_sampling *sampling)
{
	struct pmcsim_slot slot[SIG_N];
	struct pmcsim_run what = {slot, r->n};
	struct pmcsim_start start = {.argv = f->argv, .quiet = true};
	struct pmcsim_machine *m;
	struct pmcsim_error error;
	struct pmcsim_exit how;

	for (unsigned i = 0; i < r->n; i++)
		slot[i] = (struct pmcsim_slot){
			.counter = i,
			.code = (unsigned)r->select[i].event,
			.modes = r->select[i].modes, .tc = -1, .vpe = -1};
	if (pmcsim_machine_new(f->cpu, NULL, &m, &error) ||
	    (sampling ? pmcsim_machine_profile(m, &what, sampling, &error)
		      : pmcsim_machine_program(m, &what, &error)))
		die(f, &error);
	for (unsigned i = 0; i < r->n; i++)
		pmu_program(&m->map, i, &r->select[i], 0);
	if (pmcsim_machine_run(m, &start, &how, &error))
		die(f, &error);
	r->cycles = pmcsim_machine_cycles(m);
	r->status = how.status;
	return m;
}

void
fuzz_run(struct fuzz *f, struct fuzz_run *r)
{
	struct pmcsim_machine *m = run(f, r, NULL);

	pmu_read_all(&m->map, 0, r->n, r->count);
	pmcsim_machine_free(m);
}

/* All that is at places. */
static void
add_places(const struct pmcsim_profile *p, struct fuzz_run *r)
{
	for (unsigned e = 0; e < r->n; e++) {
		r->count[e] = 0;
		for (size_t i = 0; i < p->n_places; i++)
			r->count[e] += p->place[i].count[e];
	}
}

static struct pmcsim_profile *
run_profile(struct fuzz *f, struct fuzz_run *r,
	    const struct pmcsim_sampling *sampling)
{
	struct pmcsim_machine *m = run(f, r, sampling);
	struct pmcsim_error error = {"no profile"};
	struct pmcsim_profile *p;

	if (pmcsim_profile_read(m, &p))
		die(f, &error);
	add_places(p, r);
	pmcsim_machine_free(m);
	return p;
}

void
fuzz_run_exact(struct fuzz *f, struct fuzz_run *r)
{
	struct pmcsim_profile *p =
		run_profile(f, r, &(struct pmcsim_sampling){0});

	for (unsigned e = 0; e < r->n; e++)
		if (p->rest[e])
			r->count[e] = UINT64_MAX;
	pmcsim_profile_free(p);
}

void
fuzz_run_samples(struct fuzz *f, struct fuzz_run *r, u64 period, u64 *totals)
{
	struct pmcsim_profile *p = run_profile(
		f, r, &(struct pmcsim_sampling){.period = period});

	for (unsigned e = 0; e < r->n; e++)
		totals[e] = p->total[e];
	if (p->lost)
		fuzz_found(f, "samples lost\n");
	pmcsim_profile_free(p);
}
