/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "regions.h"

#include "machine/machine_internal.h"
#include "profile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static struct machine_region *
row(const struct regions *r, unsigned region)
{
	return &r->map->m->region[region];
}

static void
count(u64 *n)
{
	__atomic_fetch_add(n, 1, __ATOMIC_RELAXED);
}

static struct region_open *
find(struct region_thread *th, unsigned region)
{
	for (u32 i = 0; i < th->n; i++)
		if (th->open[i].region == region)
			return &th->open[i];
	return NULL;
}

/* A profile of one region has what threads do that are in it. */
static void
gate(struct core *c, unsigned tc)
{
	const struct regions *r = c->regions;
	struct region_thread *th = r->running[tc];

	if (c->profiler && r->only >= 0)
		profiler_gate(c, tc, !th || !find(th, (unsigned)r->only));
}

/* ---- Boundaries ------------------------------------------------------ */

/* What a context has counted since the last boundary goes to the regions that
 * its thread is in. */
static void
add(struct regions *r, unsigned tc, u64 now[SIG_N])
{
	const struct region_thread *th = r->running[tc];
	u32 n = th ? th->n : 0;
	u64 since[SIG_N];

	for (unsigned g = 0; g < SIG_N; g++)
		since[g] = now[g] - r->known[tc][g];
	for (u32 i = 0; i < n; i++)
		machine_region_add(r->map, th->open[i].region, tc, since);
	memcpy(r->known[tc], now, sizeof r->known[tc]);
}

static void
look(const struct core *c, unsigned tc, u64 now[SIG_N])
{
	const struct regions *r = c->regions;

	r->look(tc, !c->trailed, now);
	for (unsigned g = 0; c->trailed && g < SIG_N; g++)
		now[g] += r->trail[g];
}

/* The same at this moment. */
static void
account(struct core *c, const struct region_place *at)
{
	const struct block *t = c->trailed ? NULL : at->entered;
	struct regions *r = c->regions;
	u64 now[SIG_N];

	core_take_back(c);
	look(c, at->tc, now);
	for (unsigned i = 0; t && i < t->n_count + (unsigned)t->n_stall; i++)
		now[t->count[i].signal] -= t->count[i].n;
	add(r, at->tc, now);
}

/* ---- The trail ------------------------------------------------------- */

static void
leave_trace(struct regions *r, const struct block *t)
{
	unsigned n = t->n_count + (unsigned)t->n_stall;

	for (unsigned i = 0; i < n; i++)
		r->trail[t->count[i].signal] += t->count[i].n;
}

/* What is known goes on from what is looked at in the other way; t has been
 * entered, or it is NULL. */
static void
look_otherwise(struct core *c, unsigned tc, bool trailed,
	       const struct block *t)
{
	struct regions *r = c->regions;
	u64 *known = r->known[tc], before[SIG_N], now[SIG_N];

	look(c, tc, before);
	c->trailed = trailed;
	memset(r->trail, 0, sizeof r->trail);
	r->n_trail = 0;
	if (t)
		leave_trace(r, t);
	look(c, tc, now);
	for (unsigned g = 0; g < SIG_N; g++)
		known[g] += now[g] - before[g];
}

void
regions_steady(struct core *c, unsigned tc)
{
	if (c->trailed)
		look_otherwise(c, tc, false, NULL);
}

static bool
is_in_any(const struct region_thread *th)
{
	return th && th->n;
}

/* Before a boundary: if nothing is counted yet, nothing need be known of what
 * has been executed. */
static void
begin_anew(struct core *c, unsigned tc)
{
	struct regions *r = c->regions;

	if (is_in_any(r->running[tc]))
		return;
	c->trailed = true;
	memset(r->trail, 0, sizeof r->trail);
}

/* Behind a boundary, at which t has been entered. */
static void
begin_trail(struct core *c, unsigned tc, const struct block *t)
{
	if (!is_in_any(c->regions->running[tc]))
		c->trailed = false;
	else if (c->trailed)
		c->regions->n_trail = 0;
	else
		look_otherwise(c, tc, true, t);
}

/* The marker that ends a region is none of it: its instructions, and how its
 * branch went. */
static void
take_off(struct core *c, const struct region_mark *mark,
	 const struct region_place *at)
{
	u64 outcome[2][BRANCH_OUTCOMES] = {{0}}, own[SIG_N] = {0};

	if (mark->conditional && at->outcome) {
		outcome[mark->shares][core_outcome(c)] = 1;
		machine_outcomes_add(&c->config->pipe,
				     (const u64(*)[BRANCH_OUTCOMES])outcome,
				     own);
	}
	for (unsigned i = 0; i < mark->n; i++)
		if (at->stalls || !mark->share[i].stall)
			own[mark->share[i].signal] +=
				(u64)(s64)mark->share[i].n;
	for (unsigned g = 0; g < SIG_N; g++)
		own[g] = -own[g];
	machine_region_add(c->regions->map, mark->region, at->tc, own);
	if (c->profiler && c->regions->only == mark->region)
		profiler_take_off(c, at->tc, own);
}

/* ---- Markers --------------------------------------------------------- */

static void
begin(struct core *c, const struct region_mark *mark,
      const struct region_place *at)
{
	struct region_thread *th = c->regions->running[at->tc];
	struct region_open *o = find(th, mark->region);

	if (o) {
		o->depth++;
		return;
	}
	if (th->n == REGIONS_OPEN) {
		th->left_out++;
		count(&row(c->regions, mark->region)->left_out);
		return;
	}
	account(c, at);
	th->open[th->n++] = (struct region_open){
		.region = mark->region, .depth = 1};
	count(&row(c->regions, mark->region)->begun);
	gate(c, at->tc);
}

static void
end(struct core *c, const struct region_mark *mark,
    const struct region_place *at)
{
	struct region_thread *th = c->regions->running[at->tc];
	struct region_open *o = find(th, mark->region);

	if (!o && th->left_out) {
		th->left_out--;
		return;
	}
	if (!o) {
		count(&row(c->regions, mark->region)->unbegun);
		return;
	}
	if (--o->depth)
		return;
	account(c, at);
	take_off(c, mark, at);
	if (!o->inherited)
		count(&row(c->regions, mark->region)->ended);
	*o = th->open[--th->n];
	gate(c, at->tc);
}

void
regions_pass(struct core *c, const struct region_mark *mark,
	     const struct region_place *at)
{
	if (!c->regions->running[at->tc])
		return;
	if (mark->begins)
		begin(c, mark, at);
	else
		end(c, mark, at);
}

void
regions_entered(struct core *c, unsigned tc, const struct block *t)
{
	const struct region_mark *mark = c->passed;
	struct regions *r = c->regions;

	c->passed = NULL;
	if (mark && !c->recording)
		begin_anew(c, tc);
	if (mark)
		regions_pass(c, mark,
			     &(struct region_place){.tc = tc, .entered = t,
						    .stalls = true,
						    .outcome = true});
	if (c->trailed) {
		leave_trace(r, t);
		if (++r->n_trail == REGIONS_TRAIL)
			look_otherwise(c, tc, false, NULL);
	}
	if (mark && !c->recording)
		begin_trail(c, tc, t);
}

/* ---- Threads --------------------------------------------------------- */

void
regions_run(struct core *c, unsigned tc, struct region_thread *thread)
{
	struct regions *r = c->regions;

	if (r->running[tc] == thread)
		return;
	if (is_in_any(r->running[tc]) || is_in_any(thread))
		account(c, &(struct region_place){.tc = tc});
	r->running[tc] = thread;
	if (!is_in_any(thread))
		c->trailed = false;
	gate(c, tc);
}

void
regions_thread_free(struct region_thread *thread)
{
	if (thread)
		calls_thread_free(&thread->calls);
	free(thread);
}

/* Where a thread is in one that is its own; thread->n: in none. */
static u32
find_own(const struct regions *r, const struct region_thread *thread)
{
	u32 i = 0;

	while (i < thread->n && row(r, thread->open[i].region)->kind !=
					REGION_THREAD)
		i++;
	return i;
}

void
regions_own(struct regions *r, struct region_thread *thread, unsigned region)
{
	u32 i = find_own(r, thread);

	if (i == REGIONS_OPEN) {
		count(&row(r, region)->left_out);
		return;
	}
	if (i == thread->n)
		thread->n++;
	thread->open[i] = (struct region_open){.region = (u16)region,
					       .depth = 1};
	count(&row(r, region)->begun);
}

void
regions_disown(const struct regions *r, struct region_thread *thread)
{
	u32 i = find_own(r, thread);

	if (i < thread->n)
		thread->open[i] = thread->open[--thread->n];
}

void
regions_settle(struct core *c)
{
	for (unsigned tc = 0; tc < SIM_MAX_TC; tc++)
		if (is_in_any(c->regions->running[tc]))
			account(c, &(struct region_place){.tc = tc});
}

void
regions_child(struct core *c, unsigned tc, struct region_thread *thread)
{
	struct regions *r = c->regions;

	memset(r->known, 0, contexts_number(c->config) * sizeof *r->known);
	memset(r->running, 0, sizeof r->running);
	r->running[tc] = thread;
	c->passed = NULL;
	c->trailed = false;
	for (u32 i = 0; thread && i < thread->n; i++)
		thread->open[i].inherited = true;
	for (unsigned i = 0; i < SIM_MAX_TC; i++)
		gate(c, i);
}

int
regions_number(struct regions *r, struct region_mark *mark)
{
	const struct region_mark **bigger;
	u32 room = r->room ? 2 * r->room : 64;

	if (r->n_mark == r->room) {
		bigger = realloc(r->mark, room * sizeof *bigger);
		if (!bigger)
			return -ENOMEM;
		r->mark = bigger;
		r->room = room;
	}
	r->mark[r->n_mark++] = mark;
	mark->number = r->n_mark;
	return 0;
}
