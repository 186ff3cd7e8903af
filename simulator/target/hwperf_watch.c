/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "hwperf_watch.h"

#include "sampling.h"
#include "engine.h"

#include "device/hwperf.h"

#define TICKER 0
#define SAMPLE_TICKER 1
#define HALF 2			/* bytes of a bucket */
#define SCALE_REST 2		/* from 0: what no other profile has; less: off */

static struct {
	bool on;
	bool early_sample;
	bool early;		/* the first tick is nearer than a period */
	u32 changes;		/* of the process's counters, when seen */
	u64 last_tick;		/* cycle of the core */
	unsigned n_profile;
	struct hwperf_profile profile[HWPERF_PROFILES];
} watch;

static struct hwperf_process *
counters(void)
{
	return &target_slot()->hwperf;
}

/* ---- Overflows ------------------------------------------------------- */

/* Adds one to the bucket at an address, which does not run over. */
static void
count_bucket(u64 addr)
{
	u16 bucket;

	if (guest_read(&bucket, addr, sizeof bucket))
		return;
	if (target.isa == ISA_MIPS)
		bucket = __builtin_bswap16(bucket);
	if (bucket < UINT16_MAX)
		bucket++;
	if (target.isa == ISA_MIPS)
		bucket = __builtin_bswap16(bucket);
	guest_write(addr, &bucket, sizeof bucket);
}

static bool
is_rest(const struct hwperf_profile *p)
{
	return !p->offset && p->scale == SCALE_REST;
}

/* Where the bucket of an instruction is; 0: it has none. */
static u64
bucket_of(const struct hwperf_profile *p, u64 pc)
{
	u64 n;

	if (p->scale < SCALE_REST || pc < p->offset)
		return 0;
	n = is_rest(p) ? 0 : (u64)((unsigned __int128)((pc - p->offset) /
						       HALF) * p->scale >> 16);
	return n < p->bytes / HALF ? p->base + n * HALF : 0;
}

/* Of profiles that overlap, the one that begins last has it. */
static void
count_pc(u64 pc)
{
	const struct hwperf_profile *best = NULL;

	for (unsigned i = 0; i < watch.n_profile; i++) {
		const struct hwperf_profile *p = &watch.profile[i];

		if (bucket_of(p, pc) &&
		    (!best || is_rest(best) || p->offset > best->offset))
			best = p;
	}
	if (best)
		count_bucket(bucket_of(best, pc));
}

static void
on_overflow(void *arg, const struct sample *sample)
{
	int signal = sampling_host_signal(counters()->control.signal);

	(void)arg;
	count_pc(sample->pc);
	if (signal)
		sampling_signal(signal);
}

/* ---- Watches --------------------------------------------------------- */

static void
watch_event(unsigned n, unsigned event)
{
	struct hwperf_process *p = counters();
	struct sample_watch want = {
		.select = {
			.event = pmu_find_event(target.config, n,
						hwperf_counted(&p->control,
							       event)),
			.modes = p->control.spec[event] & HWPERF_MODES,
			.scope = SCOPE_PROCESSOR,
		},
		.first = 1,	/* the distance is in the machine */
		.period = (u64)p->control.threshold[event],
		.shared = &p->left[event],
		.fn = on_overflow,
	};

	if (!p->control.threshold[event] || !hwperf_is_current(p, event) ||
	    sample_set(&core, SAMPLING_FREE_WATCH + n, &want))
		sample_clear(&core, SAMPLING_FREE_WATCH + n);
}

void
hwperf_watch_refresh(void)
{
	u32 changes = __atomic_load_n(&counters()->changes, __ATOMIC_ACQUIRE);

	if (!watch.on || changes == watch.changes)
		return;
	watch.changes = changes;
	for (unsigned c = 0; c < HWPERF_COUNTERS; c++)
		watch_event(c, counters()->current[c]);
}

void
hwperf_watch_profile(const struct hwperf_profile *profile, unsigned n)
{
	if (n)
		memcpy(watch.profile, profile, n * sizeof *profile);
	watch.n_profile = n;
}

/* ---- Ticks ----------------------------------------------------------- */

/* Cycles between two of them; 0: there are none. */
static u64
tick_period(void)
{
	return target.config->ledger.tick_cycles;
}

static void
on_tick(void *arg, u64 cycle)
{
	(void)arg;
	if (watch.early)
		sample_tick(&core, TICKER, tick_period(), on_tick, NULL);
	watch.early = false;
	watch.last_tick = cycle;
	engine->counts_split();
	hwperf_tick(&target.map, target.slot);
	engine->counts_split();
	hwperf_watch_refresh();
}

static void
on_sample(void *arg, u64 cycle)
{
	u64 period = target.map.m->hwperf.sample_cycles;

	(void)arg;
	(void)cycle;
	if (watch.early_sample)
		sample_tick(&core, SAMPLE_TICKER, period, on_sample, NULL);
	watch.early_sample = false;
	hwperf_sample(&target.map, target.slot);
}

/* A program that was executed goes on where the one before it ended. */
static void
start_samples(void)
{
	u64 period = target.map.m->hwperf.sample_cycles, done;

	if (!period)
		return;
	done = counters()->counters.sum.all_cycles % period;
	watch.early_sample = done != 0;
	sample_tick(&core, SAMPLE_TICKER, period - done, on_sample, NULL);
}

/* The next tick is due in so many cycles. */
static void
start_ticks(u64 left)
{
	watch.early = left != tick_period();
	watch.last_tick = core_cycle(&core) + left - tick_period();
	sample_tick(&core, TICKER, left, on_tick, NULL);
}

static u64
ticks_left(void)
{
	return tick_period() -
	       (core_cycle(&core) - watch.last_tick) % tick_period();
}

void
hwperf_watch_start(void)
{
	u64 left = counters()->tick_left;

	if (target.config->system != SYSTEM_IRIX || sampling_begin())
		return;
	watch.on = true;
	watch.changes = 0;
	start_ticks(left ? left : tick_period());
	start_samples();
	hwperf_watch_refresh();
}

void
hwperf_watch_keep(void)
{
	if (watch.on && tick_period())
		counters()->tick_left = ticks_left();
}

void
hwperf_watch_pass(u64 cycles)
{
	u64 left;

	if (!watch.on || !tick_period() || !cycles)
		return;
	left = ticks_left();
	cycles %= tick_period();
	start_ticks(left > cycles ? left - cycles
				  : left + tick_period() - cycles);
}
