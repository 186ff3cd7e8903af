/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This process in the machine: its slot, its segments, fork and exit. */
#include "aliases.h"
#include "at_fork.h"
#include "calling.h"
#include "channel_ia64.h"
#include "hwperf_watch.h"
#include "mapped.h"
#include "pfm_watch.h"
#include "places.h"
#include "target.h"
#include "profiling.h"
#include "random.h"
#include "regioning.h"
#include "sampling.h"
#include "slabs.h"
#include "engine.h"

#include "device/hwperf.h"
#include "device/pfm.h"
#include "machine/machine_internal.h"
#include "pipeline/window.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define COUNTERS_BYTES (MACHINE_SEGMENT / 8) /* of a segment, are kept for counters */

static struct {
	struct machine_segment *segment[PROCESS_SEGMENTS];
	unsigned n;
	struct machine_segment *now[MODE_N]; /* being filled */
	unsigned slot[MODE_N];
	enum sim_mode mode;
	u8 *place;		/* of the first segment, or NULL: anywhere */
	unsigned tc;
} process = {.mode = MODE_USER};

struct target target;
struct core core __attribute__((aligned(4096)));
const struct target_engine *engine;

void
process_stop(void)
{
	fprintf(stderr, "pmcsim: partial: the program was stopped before its "
		"end\n");
	__atomic_add_fetch(&target.map.m->cut, 1, __ATOMIC_RELAXED);
	_exit(125);
}

void
process_die(const char *what, int error)
{
	fprintf(stderr, "pmcsim: %s: %s\n", what, strerror(error));
	process_stop();
}

void
process_bind(unsigned tc)
{
	if (tc >= target.config->topo.tcs)
		tc = 0;
	if (core.sampler)
		sample_look(&core);
	if (core.profiler)
		profiler_look(&core);
	regioning_unbind();
	machine_slot_fold(&target.map, target.slot, process.segment, process.n);
	process.tc = tc;
	core_bind(&core, target_slot(), tc);
	regioning_bind();
}

void
process_look(unsigned tc, bool blocks, u64 sum[SIG_N])
{
	machine_slot_look(&target.map, target.slot, tc, process.segment,
			  blocks ? process.n : 0, sum);
}

const struct block *
process_next_block(struct process_place *at)
{
	while (at->segment < process.n) {
		struct machine_segment *s = process.segment[at->segment];
		const struct block *b;

		if (!at->offset)
			at->offset = MACHINE_FIRST_BLOCK;
		b = segment_block(s, s->used, &at->offset);
		if (b || at->segment + 1 == process.n)
			return b;
		at->segment++;
		at->offset = 0;
	}
	return NULL;
}

/* The parent may be gone, or have more blocks, before the child looks. */
static u32 used_at_fork[PROCESS_SEGMENTS];
static struct hwperf_process hwperf_at_fork;
static bool pme_at_fork;
static u64 random_at_fork;

static void
before_fork(void)
{
	hwperf_watch_keep();
	/* Stores that wait are written once: not the child's as well. */
	writebuf_drain(&core, core_cycle(&core));
	if (core.sampler)
		sample_happened(&core);
	hwperf_at_fork = target_slot()->hwperf;
	pme_at_fork = target_slot()->pfm.pme;
	random_at_fork = random_child(&target_slot()->random);
	for (unsigned i = 0; i < process.n; i++)
		used_at_fork[i] = __atomic_load_n(&process.segment[i]->used,
						  __ATOMIC_ACQUIRE);
	machine_fork_prepare(&target.map, target.slot);
}

static void
after_fork_parent(void)
{
	mapped_forked(false);
}

static void
after_fork(void)
{
	s32 parent = target_slot()->pid;
	u32 image = target_slot()->image;
	int n = machine_fork_child(&target.map, target.slot, getpid(), parent,
				   process.segment, used_at_fork, process.n);

	guest_forked();
	if (n < 0)
		process_die("following fork", -n);
	core_child(&core);
	target.slot = process.slot[MODE_USER] = (unsigned)n;
	process.tc = engine->fork_tc();
	target_slot()->sig[process.tc][SIG_OS_FORK]++;
	target_slot()->random = random_at_fork;
	places_image(image, true);
	n = profiling_fork_child();
	if (n < 0)
		process_die("following fork", -n);
	sampling_fork_child();
	calling_fork_child();
	regioning_fork_child(process.tc);
	aliases_fork_child();
	mapped_forked(true);
	core_bind(&core, target_slot(), process.tc);
	engine->fork_child();
	regioning_fork_thread(process.tc);
	sampling_refresh();
	hwperf_fork(&target.map, target.slot, &hwperf_at_fork);
	hwperf_watch_start();
	channel_ia64_start();
	pfm_start(&target.map, target.slot, pme_at_fork);
	pfm_watch_start();
}

/* A run has one process alone until that has begun. */
static bool
begins_run(void)
{
	struct machine *m = target.map.m;
	bool begins = !m->begun;

	m->begun = 1;
	return begins;
}

bool
process_is_first(void)
{
	return target_slot()->first;
}

int
process_start(unsigned old)
{
	u32 image = old ? target.map.m->slot[old].image : 0;
	struct hwperf_process counters;
	u32 uid = target.map.m->slot[old].uid;
	bool pme = target.map.m->slot[old].pfm.pme;
	bool first = old ? target.map.m->slot[old].first : begins_run();
	u64 random = old ? target.map.m->slot[old].random
			 : random_begin(target.map.m->seed);
	int n;

	if (old) {
		__atomic_add_fetch(&target.map.m->moving, 1, __ATOMIC_ACQ_REL);
		hwperf_leave(&target.map, old, &counters);
		pfm_leave(&target.map, old);
		machine_slot_retire(&target.map, old);
	}
	n = machine_slot_take(&target.map, getpid(), getppid());
	if (old)
		__atomic_sub_fetch(&target.map.m->moving, 1, __ATOMIC_ACQ_REL);
	if (n < 0)
		return n;
	target.slot = process.slot[MODE_USER] = (unsigned)n;
	target_slot()->first = first;
	target_slot()->sig[0][SIG_OS_EXEC]++;
	target_slot()->random = random;
	places_image(image, false);
	if (old) {
		target_slot()->uid = uid;
		hwperf_arrive(&target.map, target.slot, &counters);
	} else {
		hwperf_start(&target.map, target.slot);
	}
	pfm_start(&target.map, target.slot, old && pme);
	core_bind(&core, target_slot(), 0);
	return at_fork(before_fork, after_fork_parent, after_fork);
}

int
process_add_mode(enum sim_mode mode)
{
	int n = machine_slot_take(&target.map, getpid(), getppid());

	if (n < 0)
		return n;
	process.slot[mode] = (unsigned)n;
	target.map.m->slot[n].mode = mode;
	return 0;
}

void
process_mode(enum sim_mode mode)
{
	process.mode = mode;
	target.slot = process.slot[mode];
}

struct machine_slot *
process_mode_slot(enum sim_mode mode)
{
	return &target.map.m->slot[process.slot[mode]];
}

static struct machine_segment *
current(void)
{
	return process.now[process.mode];
}

/* The next segment, at its place if there are places and that one is free. */
static struct machine_segment *
next_segment(void)
{
	struct machine_segment *s;
	u8 *at = NULL;

	if (process.n == PROCESS_SEGMENTS)
		return NULL;
	if (process.place)
		at = slabs_memory(process.place +
				  process.n * (size_t)MACHINE_SEGMENT,
				  MACHINE_SEGMENT);
	s = machine_segment_take(&target.map, target.slot, at);
	if (!s)
		process_die("room for counts", ENOSPC);
	process.segment[process.n++] = s;
	process.now[process.mode] = s;
	return s;
}

void *
process_block_room(size_t bytes)
{
	struct machine_segment *s = current();

	if (!s || s->used + bytes > MACHINE_SEGMENT - COUNTERS_BYTES)
		s = next_segment();
	return s ? (u8 *)s + s->used : NULL;
}

void
process_block_done(size_t bytes)
{
	struct machine_segment *s = current();

	__atomic_store_n(&s->used, s->used + (u32)bytes, __ATOMIC_RELEASE);
}

struct machine_segment *
process_segment_with(const struct block *b, unsigned *number)
{
	for (unsigned i = process.n; i-- > 0;)
		if ((size_t)((u8 *)b - (u8 *)process.segment[i]) <
		    MACHINE_SEGMENT) {
			*number = i;
			return process.segment[i];
		}
	return NULL;
}

void
process_place(u8 *segments)
{
	process.place = segments;
}

static u8 *
place_of(unsigned i)
{
	return process.place + i * (size_t)MACHINE_SEGMENT;
}

bool
process_segments(unsigned *n)
{
	*n = process.n;
	for (unsigned i = 0; i < process.n; i++)
		if ((u8 *)process.segment[i] != place_of(i))
			return false;
	return process.n;
}

bool
process_take_segments(unsigned n)
{
	while (process.n < n)
		if ((u8 *)next_segment() != place_of(process.n - 1))
			return false;
	return true;
}

u32
process_uid(void)
{
	return target_slot()->uid;
}

void
process_exit(void)
{
	core_settle(&core);
	regioning_settle();
	calling_end();
	engine->counts_end();
	hwperf_exit(&target.map, target.slot);
	pfm_close(&target.map, getpid());
	pfm_leave(&target.map, target.slot);
	machine_slot_retire(&target.map, target.slot);
}

bool
target_asked_for(unsigned signal)
{
	for (u32 e = 0; e < target.config->n_events; e++) {
		const struct sim_event *event = &target.config->event[e];

		for (unsigned i = 0; i < event->n; i++)
			if (event->term[i].signal == signal)
				return true;
	}
	return false;
}

int
target_look(void)
{
	u32 need = target.map.m->need;

	if (core.window && need & NEED_FLIGHT)
		window_flights(&core);
	return core.window && need & NEED_ORDER ? window_compare(&core) : 0;
}

void
target_settle(void)
{
	engine->work_off();
	core_settle(&core);
	regioning_settle();
}
