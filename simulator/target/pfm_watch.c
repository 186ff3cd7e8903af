/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pfm_watch.h"

#include "sampling.h"

#include "device/pfm.h"

#define TICKER 0
#define LOOK_CYCLES 65536
#define JITTER 4096	/* instructions */

static struct {
	bool on;
	u32 changes;		/* of the device, when seen */
} watch;

static void
on_overflow(void *arg, const struct sample *sample)
{
	(void)arg;
	pfm_tick(target.map.m, sample->pc, sample->tc, false, 1);
}

/* ProfileMe: what the sampled instruction has of the statistic; and that it
 * retired. */
static void
on_statistic(void *arg, const struct sample *sample)
{
	(void)arg;
	if (sample->n > 0)
		pfm_tick(target.map.m, sample->pc, sample->tc, false,
			 (u64)sample->n / SAMPLE_TENTHS);
}

static void
on_instruction(void *arg, const struct sample *sample)
{
	(void)arg;
	if (target.map.m->pfm.pairs)
		pfm_tick(target.map.m, sample->pc, sample->tc, true, 1);
}

static void
watch_counter(unsigned n)
{
	struct pfm_machine *p = &target.map.m->pfm;
	struct sample_watch want = {
		.select = {
			.event = p->event[n],
			.modes = p->modes[PFM_USER],
			.scope = SCOPE_PROCESSOR,
		},
		.first = 1,	/* the distance is in the machine */
		.period = 1ull << p->shift[n],
		.shared = &p->left[n],
		.fn = on_overflow,
	};
	bool wanted = p->on >> (p->sampled ? 0 : n) & 1 && p->event[n] >= 0 &&
		      pfm_is_profiled(target.map.m, target.slot);

	if (p->sampled)
		want.fn = n ? on_instruction : on_statistic;
	if (p->sampled && !n) {
		want.shared = NULL;
		want.leader = SAMPLING_FREE_WATCH + 1 + 1;
	} else if (p->sampled) {
		/* Loops do not keep step. */
		want.period -= JITTER / 2;
		want.jitter = JITTER;
	}
	sample_drop(&core, SAMPLING_FREE_WATCH + n);
	if (!wanted || sample_set(&core, SAMPLING_FREE_WATCH + n, &want))
		sample_clear(&core, SAMPLING_FREE_WATCH + n);
}

static void
look(void)
{
	u32 changes = __atomic_load_n(&target.map.m->pfm.changes,
				      __ATOMIC_ACQUIRE);

	if (changes == watch.changes)
		return;
	watch.changes = changes;
	for (unsigned n = 0; n < PFM_COUNTERS; n++)
		watch_counter(n);
}

static void
on_tick(void *arg, u64 cycle)
{
	(void)arg;
	(void)cycle;
	look();
}

static int
begin(void)
{
	int error = sampling_begin();

	if (error)
		return error;
	watch.on = true;
	watch.changes = target.map.m->pfm.changes - 1;
	sample_tick(&core, TICKER, LOOK_CYCLES, on_tick, NULL);
	look();
	return 0;
}

/* A process that runs without watching does not begin: see pmu_request(). */
void
pfm_watch_start(void)
{
	if (target.config->system == SYSTEM_TRU64 &&
	    target.map.m->need & NEED_WATCH)
		begin();
}

int
pfm_watch_refresh(void)
{
	struct machine *m = target.map.m;
	int error = target_look();

	if (error)
		return error;
	if (watch.on) {
		look();
		return 0;
	}
	if (!m->pfm.n_buckets || !m->pfm.user)
		return 0;
	m->need |= NEED_WATCH;
	return begin();
}
