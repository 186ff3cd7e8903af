/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A profile is read back from the machine. */
#include "symbols/history.h"

#include "machine/machine_profile.h"
#include "watch/sample_internal.h"
#include "machine/pmu.h"
#include "counters/machine_api.h"
#include "profile_calls.h"

#include <errno.h>
#include <stdlib.h>

/* So much of an event at an address. */
struct entry {
	unsigned image, module;
	uint64_t offset, pc;
	unsigned path;
	unsigned event;
	s64 n;			/* tenths of happenings, or of samples */
};

struct reader {
	struct pmcsim_machine *m;
	struct history history;
	struct call_list calls;
	struct watch weight[MACHINE_PROFILE];
	unsigned n_events;
	const bool *estimate;	/* by event */
	struct entry *entry;
	size_t n, room;
};

static int
add_entry(struct reader *r, unsigned image, size_t maps, uint64_t pc,
	  unsigned path, unsigned event, s64 n)
{
	struct entry e = {.image = image, .pc = pc, .path = path,
			  .event = event, .n = n};
	void *list = history_grow(r->entry, r->n, &r->room, sizeof e);

	if (!list)
		return -ENOMEM;
	r->entry = list;
	history_find(&r->history, image, maps, pc, &e.module, &e.offset);
	r->entry[r->n++] = e;
	return 0;
}

#define PARTS 5040	/* of a tenth, for instructions that share samples */

/* All instructions of the block share n alike, but for parts. */
static int
share_sample(struct reader *r, const struct log_sample *s, s64 n)
{
	size_t maps = history_maps(&r->history, s->head.image);
	int rc = 0;

	for (u32 i = 0; i < s->n_insn && !rc; i++)
		rc = add_entry(r, s->head.image, maps,
			       s->vaddr + s->offset[i], s->path, s->request,
			       n / s->n_insn + (i < n % s->n_insn));
	return rc;
}

static int
add_sample(struct reader *r, const struct log_sample *s)
{
	const struct machine_request *q = &r->m->map.m->request[s->request];
	s64 n = SAMPLE_TENTHS;

	if (s->n_insn > (s->head.bytes - sizeof *s) / sizeof *s->offset)
		return -EINVAL;
	if (q->leader)
		n = (s64)s->n;
	if (r->estimate[s->request])
		n *= (s64)q->period * PARTS;
	if (s->n_insn)
		return share_sample(r, s, n);
	return add_entry(r, s->head.image,
			 history_maps(&r->history, s->head.image), s->pc,
			 s->path, s->request, n);
}

static int
add_call(struct reader *r, const struct log_call *c)
{
	struct pmcsim_call call = {.parent = c->parent};

	history_find(&r->history, c->head.image,
		     history_maps(&r->history, c->head.image), c->site,
		     &call.module, &call.offset);
	return call_list_add(&r->calls, c->path, &call);
}

static int
read_log(void *arg, const struct log_record *record)
{
	struct reader *r = arg;
	const struct log_sample *s = (const void *)record;

	if (record->kind == LOG_CALL)
		return add_call(r, (const void *)record);
	if (record->kind == LOG_CALLED) {
		const struct log_called *c = (const void *)record;

		call_list_take(&r->calls, c->path, c->taken);
		return 0;
	}
	if (record->kind != LOG_SAMPLE)
		return history_add(&r->history, record);
	if (s->request >= r->n_events)
		return 0;
	return add_sample(r, s);
}

/* All of an event at an instruction of a block. */
static s64
count_insn(const struct reader *r, const struct profile_block *b, unsigned i,
	   unsigned e)
{
	unsigned at = i * b->n_event + e;
	s64 n = profile_happened(b)[at] +
		(s64)b->execs * profile_share(b)[at] +
		(s64)b->merged * profile_part(b)[at];

	for (unsigned o = 0; i == b->branch && o < BRANCH_OUTCOMES; o++)
		n += (s64)b->outcome[o] *
		     r->weight[e].outcome[b->shares & 1][o];
	return n;
}

static int
read_block(void *arg, u32 image, const struct profile_block *b)
{
	struct reader *r = arg;
	unsigned n_event = b->n_event < r->n_events ? b->n_event : r->n_events;
	int rc = 0;

	for (unsigned i = 0; i < b->n_insn; i++)
		for (unsigned e = 0; e < n_event && !rc; e++) {
			s64 n = count_insn(r, b, i, e);

			if (n)
				rc = add_entry(r, image, b->maps, b->vaddr +
					       profile_offset(b)[i], b->path,
					       e, n);
		}
	return rc;
}

static int
by_place(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->module != y->module)
		return x->module < y->module ? -1 : 1;
	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	if (x->image != y->image)
		return x->image < y->image ? -1 : 1;
	if (x->path != y->path)
		return x->path < y->path ? -1 : 1;
	return x->pc < y->pc ? -1 : x->pc > y->pc;
}

/* What entries have for a happening. */
static s64
one_of(bool estimate)
{
	return estimate ? SAMPLE_TENTHS * PARTS : SAMPLE_TENTHS;
}

/*
 * Takes what is owed from the places before, n of them: of two instructions
 * that issue together the second has less than nothing of some events, which
 * the first has too much.
 */
static void
repay(struct pmcsim_place *place, size_t n, unsigned event, s64 one, s64 *left)
{
	while (*left < 0 && n--) {
		u64 owed = (u64)((one - 1 - *left) / one);
		u64 *count = &place[n].count[event];

		if (owed > *count)
			owed = *count;
		*count -= owed;
		*left += (s64)owed * one;
	}
}

/* Adds up n entries of one place; whole happenings only, what is left goes to
 * the next, so that they all together have what there was. */
static bool
sum_place(const struct entry *e, size_t n, const bool *estimate,
	  struct pmcsim_place *place, s64 left[PMCSIM_PROFILE_EVENTS])
{
	s64 sum[PMCSIM_PROFILE_EVENTS] = {0};
	bool any = false;

	*place = (struct pmcsim_place){.image = e->image, .module = e->module,
				       .offset = e->offset, .pc = e->pc,
				       .path = e->path};
	while (n--) {
		sum[e->event] += e->n;
		e++;
	}
	for (unsigned k = 0; k < PMCSIM_PROFILE_EVENTS; k++) {
		s64 one = one_of(estimate[k]), all = sum[k] + left[k];

		place->count[k] = all > 0 ? (uint64_t)(all / one) : 0;
		left[k] = all - (s64)place->count[k] * one;
		any |= place->count[k] > 0;
	}
	return any;
}

static int
make_places(struct reader *r, struct pmcsim_profile *p)
{
	struct pmcsim_place *place =
		calloc(r->n + 1, sizeof *place);
	s64 left[PMCSIM_PROFILE_EVENTS] = {0};
	size_t n = 0, end;

	if (!place)
		return -ENOMEM;
	if (r->n)
		qsort(r->entry, r->n, sizeof *r->entry, by_place);
	for (size_t i = 0; i < r->n; i = end) {
		for (end = i + 1; end < r->n &&
		     !by_place(&r->entry[i], &r->entry[end]); end++)
			;
		n += sum_place(&r->entry[i], end - i, p->estimate,
			       &place[n], left);
		for (unsigned e = 0; e < r->n_events; e++)
			repay(place, n, e, one_of(p->estimate[e]), &left[e]);
	}
	p->place = place;
	p->n_places = n;
	return 0;
}

static int
make_images(struct reader *r, struct pmcsim_profile *p)
{
	struct pmcsim_image *image;

	/* No file is a module, too, where no code was executed. */
	if (history_module(&r->history, "") < 0)
		return -ENOMEM;
	image = calloc(r->history.n + 1, sizeof *image);
	if (!image)
		return -ENOMEM;
	for (size_t i = 0; i < r->history.n; i++)
		image[i] = r->history.image[i].image;
	p->image = image;
	p->n_images = r->history.n;
	p->module = (const char *const *)r->history.module;
	p->n_modules = r->history.n_modules;
	r->history.module = NULL;
	r->history.n_modules = 0;
	return 0;
}

uint64_t
pmcsim_profile_cost(const struct pmcsim_profile *p, unsigned event,
		    uint64_t count)
{
	return p->period && !p->estimate[event] ? count * p->each[event]
						: count;
}

/* What the counters would have had in the region that the profile is of: 0 or
 * -ENOMEM. */
static int
read_region(const struct reader *r, u64 value[SIM_WIDE_COUNTERS])
{
	const struct machine *m = r->m->map.m;
	struct machine_totals *t =
		region_totals(r->m, m->profile_region - 1);

	if (!t)
		return -ENOMEM;
	for (unsigned e = 0; e < r->n_events; e++) {
		unsigned counter = m->profile_counter[e];
		struct pmu_select select = pmu_selection(&m->counter[counter]);

		value[counter] = pmu_totals_sum(&m->config, t, &select);
	}
	free(t);
	return 0;
}

/* What counters have, and how much of it is not at a place. */
static int
make_totals(struct reader *r, struct pmcsim_profile *p)
{
	const struct machine *m = r->m->map.m;
	u64 value[SIM_WIDE_COUNTERS];

	pmu_read_all(&r->m->map, 0, m->n_counters, value);
	if (m->profile_region && read_region(r, value) != 0)
		return -ENOMEM;
	for (unsigned e = 0; e < r->n_events; e++) {
		uint64_t sum = 0;

		for (size_t i = 0; i < p->n_places; i++)
			sum += p->place[i].count[e];
		sum = pmcsim_profile_cost(p, e, sum);
		p->total[e] = p->of_samples[e] ? sum
					       : value[m->profile_counter[e]];
		p->rest[e] = p->total[e] > sum ? p->total[e] - sum : 0;
	}
	return 0;
}

/* Paths that lead to places get their numbers. */
static int
make_calls(struct reader *r, struct pmcsim_profile *p)
{
	struct pmcsim_call *call;

	for (size_t i = 0; i < r->n; i++)
		call_list_use(&r->calls, r->entry[i].path);
	if (call_list_number(&r->calls, &call, &p->n_calls))
		return -ENOMEM;
	p->call = call;
	for (size_t i = 0; i < r->n; i++)
		r->entry[i].path = call_list_path(&r->calls, r->entry[i].path);
	return 0;
}

static int
read_all(struct reader *r, struct pmcsim_profile *p)
{
	int rc = machine_log_read(&r->m->map, read_log, r);

	if (!rc && !p->period)
		rc = machine_profile_read(&r->m->map, read_block, r);
	if (!rc && p->calls)
		rc = make_calls(r, p);
	if (!rc)
		rc = make_places(r, p);
	if (!rc)
		rc = make_images(r, p);
	if (!rc)
		rc = make_totals(r, p);
	return rc;
}

static void
read_periods(const struct machine *m, struct pmcsim_profile *p)
{
	for (size_t e = 0; e < p->n_events; e++) {
		p->each[e] = m->request[e].period;
		p->of_samples[e] = m->request[e].leader != 0;
		p->estimate[e] = p->of_samples[e] ||
				 m->request[e].actions & REQUEST_BLOCK;
	}
	p->period = p->each[0];
}

static int
weigh(struct reader *r)
{
	const struct machine *m = r->m->map.m;

	for (unsigned e = 0; e < r->n_events; e++) {
		u32 n = m->profile_counter[e];

		if (n >= m->n_counters)
			return -EINVAL;
		r->weight[e].want.select = pmu_watched(m, n);
		if (watch_weigh(&r->weight[e], &m->config))
			return -EINVAL;
	}
	return 0;
}

int
pmcsim_profile_read(struct pmcsim_machine *m, struct pmcsim_profile **profile)
{
	const struct machine *machine = m->map.m;
	struct reader *r;
	struct pmcsim_profile *p;
	int rc;

	if (!machine->n_profile || machine->n_profile > PMCSIM_PROFILE_EVENTS)
		return -ENODATA;
	r = calloc(1, sizeof *r);
	p = calloc(1, sizeof *p);
	rc = r && p ? 0 : -ENOMEM;
	if (!rc) {
		r->m = m;
		r->n_events = (unsigned)(p->n_events = machine->n_profile);
		p->lost = machine->log_lost;
		p->calls = machine->need & NEED_CALLS;
		if (!(machine->need & NEED_PROFILE))
			read_periods(machine, p);
		r->estimate = p->estimate;
		rc = weigh(r);
	}
	if (!rc)
		rc = read_all(r, p);
	if (r) {
		history_free(&r->history);
		call_list_free(&r->calls);
		free(r->entry);
	}
	free(r);
	if (rc) {
		pmcsim_profile_free(p);
		return rc;
	}
	*profile = p;
	return 0;
}

void
pmcsim_profile_free(struct pmcsim_profile *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->n_modules; i++)
		free((char *)p->module[i]);
	for (size_t i = 0; p->build && i < p->n_modules; i++)
		free((char *)p->build[i]);
	free((void *)p->module);
	free((void *)p->build);
	free((void *)p->image);
	free((void *)p->place);
	free((void *)p->call);
	free(p);
}
