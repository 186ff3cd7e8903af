/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A sampler, and its watches: set, cleared, at the end of a process. */
#include "sample_internal.h"

#include "core/watched.h"

#include <errno.h>
#include <stdlib.h>

static const struct sampler_fns fns = {
	.attend = sample_attend,
	.access = sample_access,
	.rare = sample_rare,
	.retired = sample_retired,
	.resync = sample_resync,
	.end = sample_end,
};

struct sampler *
sample_new(struct core *c, u64 (*sig)[SIG_N], unsigned tc)
{
	c->samples = &fns;
	c->sampler = calloc(1, sizeof *c->sampler);
	if (!c->sampler)
		return NULL;
	core_route(c);
	core_take_back(c);
	sample_resync(c, sig, tc);
	return c->sampler;
}

void
sample_free(struct core *c)
{
	free(c->sampler);
	c->sampler = NULL;
	core_route(c);
}

/* A follower has all the distance that there is. */
static void
watch_follow(struct sampler *s, unsigned n)
{
	unsigned leader = s->watch[n].want.leader;

	for (unsigned i = 0; i < SAMPLE_WATCHES; i++)
		s->followers[i] &= ~(1u << n);
	if (!leader)
		return;
	s->followers[leader - 1] |= 1u << n;
	s->watch[n].left = &s->watch[n].own;
	s->watch[n].own = INT64_MAX / 2;
}

static u32
contexts_of(const struct pmu_select *select, const struct sim_config *config)
{
	u32 mask = 0;

	for (u32 tc = 0; tc < SIM_MAX_TC; tc++)
		if (select->scope == SCOPE_PROCESSOR ||
		    (select->scope == SCOPE_TC && select->scope_id == tc) ||
		    (select->scope == SCOPE_VPE &&
		     select->scope_id == config->topo.vpe_of_tc[tc]))
			mask |= 1u << tc;
	return mask;
}

int
sample_set(struct core *c, unsigned n, const struct sample_watch *want)
{
	struct sampler *s = c->sampler;
	struct watch *w = &s->watch[n];
	struct watch new = {.on = true, .want = *want};

	coast_end(c);
	if (w->on)
		watch_return(w);
	if (watch_weigh(&new, c->config) || !want->first ||
	    want->leader > SAMPLE_WATCHES)
		return -EINVAL;
	coast_weigh(&new, c);
	core_watch(c, watch_weighs_buffers(&new),
		   !new.elapsed && watch_weighs_alone(&new, c->config),
		   !new.elapsed && watch_weighs_waits(&new, c->config));
	new.serial = ++s->generation;
	new.contexts = contexts_of(&want->select, c->config);
	new.own = (s64)want->first * SAMPLE_TENTHS;
	*w = new;
	w->left = want->shared ? want->shared : &w->own;
	s->active |= 1u << n;
	watch_follow(s, n);
	for (unsigned tc = 0; tc < SIM_MAX_TC; tc++) {
		struct place *p = &s->place[tc];

		p->n[n] = 0;
		if (p->block)
			p->fresh |= 1u << n;
		watch_look(c, w, s->sig[tc], p->known[n]);
	}
	c->deadline = 0;
	return 0;
}

void
sample_clear(struct core *c, unsigned n)
{
	struct sampler *s = c->sampler;

	coast_end(c);
	watch_return(&s->watch[n]);
	s->watch[n].on = false;
	s->active &= ~(1u << n);
	for (unsigned leader = 0; leader < SAMPLE_WATCHES; leader++)
		s->followers[leader] &= ~(1u << n);
	s->generation++;
}

void
sample_end(struct core *c)
{
	struct sampler *s = c->sampler;
	const struct block *last;

	coast_end(c);
	last = s->place[s->tc].block;
	sample_leave(c);
	EACH_WATCH(w, s) {
		watch_return(&s->watch[w]);
		watch_make_up(c, w, last);
	}
}

void
sample_drop(struct core *c, unsigned n)
{
	coast_end(c);
	c->sampler->watch[n].lent = c->sampler->watch[n].loan = 0;
}
