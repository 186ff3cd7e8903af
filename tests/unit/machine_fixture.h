/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A machine of known numbers, and blocks laid into its segments by hand. */
#ifndef TEST_MACHINE_FIXTURE_H
#define TEST_MACHINE_FIXTURE_H

#include "code/block.h"
#include "machine/machine_internal.h"
#include "machine/pmu.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

struct count {
	enum sim_signal signal;
	unsigned n;
};

/* Five contexts on two VPEs: 0, 1, 2 on the first, 3 and 4 on the other. */
static inline struct sim_config *
fixture_config(void)
{
	static struct sim_config config;

	memset(&config, 0, sizeof config);
	config.n_counters = 4;
	config.counter_bits = 32;
	config.topo.vpes = 2;
	config.topo.tcs = 5;
	config.topo.vpe_of_tc[3] = 1;
	config.topo.vpe_of_tc[4] = 1;
	config.pipe.mispredict = 5;
	config.pipe.taken_bubble = 2;
	return &config;
}

static inline struct machine_map
fixture_machine(const struct sim_config *config)
{
	struct machine_map map;
	int fd = memfd_create("machine", 0);

	assert_true(fd >= 0);
	assert_int_equal(machine_create(&map, fd, config, "test"), 0);
	return map;
}

/* What an event has counted since the machine was created. */
static inline u64
event_sum(struct machine_map *map, const struct pmu_select *select)
{
	u64 sum;

	machine_lock(map);
	sum = pmu_totals_sum(&map->m->config, machine_totals(map), select);
	machine_unlock(map);
	return sum;
}

static inline void
fixture_close(struct machine_map *map)
{
	int fd = map->fd;

	machine_detach(map);
	close(fd);
}

/* Puts a count into a block, in several if one cannot hold it. */
static inline unsigned
put_count(struct block_count *list, const struct count *count)
{
	unsigned n = 0;
	u64 left = count->n;

	do {
		list[n].signal = (u8)count->signal;
		list[n].n = (u8)(left < 255 ? left : 255);
		left -= list[n++].n;
	} while (left);
	return n;
}

/* Adds a block with these counts, of which the last stalls are stalls. */
static inline struct block *
add_block(struct machine_segment *segment, const struct count *count,
	  unsigned n, unsigned stalls)
{
	struct block *b = (struct block *)((char *)segment + segment->used);
	unsigned used = 0;

	memset(b, 0, sizeof *b);
	for (unsigned i = 0; i < n; i++) {
		used += put_count(b->count + used, &count[i]);
		if (i < n - stalls)
			b->n_count = (u16)used;
	}
	b->n_stall = (u16)(used - b->n_count);
	b->bytes = (u32)((sizeof *b + used * sizeof b->count[0] + 63) / 64 *
			 64);
	__atomic_store_n(&segment->used, segment->used + b->bytes,
			 __ATOMIC_RELEASE);
	return b;
}

/* Adds eight counters, of zero. */
static inline struct block *
add_counters(struct machine_segment *segment)
{
	struct block *b = add_block(segment, NULL, 0, 0);

	memset(b + 1, 0, 64);
	b->bytes = (u16)(sizeof *b + 64);
	segment->used = (u32)((char *)b - (char *)segment) + b->bytes;
	b->counters = true;
	return b;
}

/* Number n of those is what b has as counter i. */
static inline u64 *
set_counter(struct block *b, unsigned i, struct block *counters, unsigned n)
{
	b->counter[i] = (s32)((char *)((u64 *)(counters + 1) + n) - (char *)b);
	return block_counter(b, i);
}

static inline unsigned
take_slot(struct machine_map *map)
{
	int slot = machine_slot_take(map, getpid(), getppid());

	assert_true(slot > 0);
	return (unsigned)slot;
}

static inline struct machine_segment *
take_segment(struct machine_map *map, unsigned slot)
{
	struct machine_segment *s = machine_segment_take(map, slot, NULL);

	assert_non_null(s);
	return s;
}

static inline u64
user_count(struct machine_map *map, enum sim_signal s)
{
	return machine_signal(map, s, MODE_USER, -1, -1);
}

#endif
