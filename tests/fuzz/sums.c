/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the modes, or the contexts, have of an event is all of it. */
#include "fuzz.h"

/* Selections behind the first, that it is the sum of. */
static void
check_sum(struct fuzz *f, struct fuzz_run *r, const char *what)
{
	u64 sum = 0;

	if (r->n <= 1)
		return;
	fuzz_run(f, r);
	for (unsigned i = 1; i < r->n; i++)
		sum += r->count[i];
	fuzz_compare(f, what, r->select, sum, r->count[0]);
}

static void
check_modes(struct fuzz *f, const struct pmu_select *select)
{
	struct fuzz_run r = {.n = 1, .select = {*select}};

	r.select[0].modes = (1u << MODE_N) - 1;
	for (unsigned mode = 0; mode < MODE_N; mode++) {
		r.select[r.n] = *select;
		r.select[r.n++].modes = (u8)(1u << mode);
	}
	check_sum(f, &r, "sum of modes");
}

static void
check_contexts(struct fuzz *f, const struct pmu_select *select,
	       enum sim_scope scope, unsigned n, const char *what)
{
	struct fuzz_run r = {.n = 1, .select = {*select}};

	for (unsigned i = 0; i < n; i++) {
		r.select[r.n] = *select;
		r.select[r.n].scope = scope;
		r.select[r.n++].scope_id = (u8)i;
	}
	check_sum(f, &r, what);
}

/* What is left of a division, or of a fetch, is less than one in each part. */
static bool
has_whole(const struct sim_config *c, const struct pmu_select *s)
{
	const struct sim_event *e = &c->event[s->event];

	for (unsigned i = 0; i < e->n; i++)
		if (e->term[i].signal == SIG_IFETCH)
			return false;
	return e->divide <= 1;
}

void
fuzz_check_sums(struct fuzz *f, const struct pmu_select *select)
{
	const struct topology_config *topo = &f->cpu->config.topo;

	if (!has_whole(&f->cpu->config, select))
		return;
	check_modes(f, select);
	if (topo->tcs == 1 || !fuzz_has_places(f, select))
		return;
	check_contexts(f, select, SCOPE_TC, topo->tcs, "sum of contexts");
	check_contexts(f, select, SCOPE_VPE, topo->vpes, "sum of VPEs");
}
