/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The least and the most that a number of a CPU's machine can be. */
#include "table_check.h"

#include "core/core.h"
#include "core/walk.h"
#include "pipeline/window.h"
#include "table_classes.h"

#include <string.h>

/* A number of struct sim_config and what it may be. */
struct limit {
	const char *path;
	size_t offset;
	u8 size;
	bool power;	/* a power of two, unless it is zero */
	u64 min, max;
};

#define LIMIT(path, field, min, max, power)                                 \
	{path, offsetof(struct sim_config, field),                          \
	 sizeof(((struct sim_config *)NULL)->field), power, min, max}
#define CACHE(name, least)                                                  \
	LIMIT("machine.caches." #name ".size", name.size, least, 1u << 30,  \
	      false),                                                       \
	LIMIT("machine.caches." #name ".ways", name.ways, 1, 64, false),    \
	LIMIT("machine.caches." #name ".line", name.line, 16, 256, true)
#define OUTER(name)                                                         \
	CACHE(name, 0),                                                     \
	LIMIT("machine.caches." #name ".latency", name.latency, 0, 1000,    \
	      false),                                                       \
	LIMIT("machine.caches." #name ".repeat", name.repeat, 0, 1000,      \
	      false),                                                       \
	LIMIT("machine.caches." #name ".way_entries", name.way_entries, 0,  \
	      1u << 20, true),                                              \
	LIMIT("machine.caches." #name ".way_penalty", name.way_penalty, 0,  \
	      1000, false)
#define TLB(name, least, most)                                              \
	LIMIT("machine.tlbs." #name ".entries", name.entries, least, most,  \
	      false),                                                       \
	LIMIT("machine.tlbs." #name ".ways", name.ways, 0, most, false),    \
	LIMIT("machine.tlbs." #name ".page_bits", name.page_bits, 12, 30,   \
	      false)
#define BRANCH(field, min, max, power)                                      \
	LIMIT("machine.branch." #field, branch.field, min, max, power)
#define TAGE(name)                                                          \
	LIMIT("machine.branch." #name ".entries", branch.name.entries, 2,   \
	      1u << 20, true),                                              \
	LIMIT("machine.branch." #name ".tag_bits", branch.name.tag_bits, 1, \
	      16, false),                                                   \
	LIMIT("machine.branch." #name ".counter_bits",                      \
	      branch.name.counter_bits, 1, 7, false),                       \
	LIMIT("machine.branch." #name ".useful_bits",                       \
	      branch.name.useful_bits, 1, 7, false),                        \
	LIMIT("machine.branch." #name ".age", branch.name.age, 1, 1u << 30, \
	      false)
#define PIPE(field, min, max)                                               \
	LIMIT("machine.pipeline." #field, pipe.field, min, max, false)
#define MEMORY(field, min, max)                                             \
	LIMIT("machine.memory." #field, mem.field, min, max, false)
#define TOPOLOGY(field, min, max)                                           \
	LIMIT("machine.topology." #field, topo.field, min, max, false)

#define CLASS(id, name)                                                     \
	LIMIT("machine.pipeline.classes." name ".latency",                  \
	      pipe.cls[CLASS_##id].latency, 0, 1000, false),                \
	LIMIT("machine.pipeline.classes." name ".repeat",                   \
	      pipe.cls[CLASS_##id].repeat, 0, 1000, false),                 \
	LIMIT("machine.pipeline.classes." name ".busy",                     \
	      pipe.cls[CLASS_##id].busy, 0, WINDOW_LOCK - 1, false),        \
	LIMIT("machine.pipeline.classes." name ".uops",                     \
	      pipe.cls[CLASS_##id].uops, 0, 100, false),
#define OPTIONAL_CLASS(id, name, like) CLASS(id, name)
#define WINDOW(field, min, max)                                             \
	LIMIT("machine.pipeline.window." #field, pipe.window.field, min,    \
	      max, false)

static const struct limit machine[] = {
	LIMIT("machine.clock_hz", clock_hz, 1000, 100000000000, false),
	CACHE(l1i, 1),
	CACHE(l1d, 1),
	TLB(itlb, 1, CORE_MAX_TLB),
	TLB(dtlb, 1, CORE_MAX_TLB),
	TLB(jtlb, 0, CORE_MAX_JTLB),
	LIMIT("machine.tlbs.os_page_bits", os_page_bits, 0, 30, false),
	LIMIT("machine.tlbs.walk.levels", walk.levels, 0, 5, false),
	LIMIT("machine.tlbs.walk.kept", walk.kept, 0, WALK_KEPT, false),
	LIMIT("machine.tlbs.walk.walkers", walk.walkers, 0, 8, false),
	BRANCH(initial, 0, 3, false),
	BRANCH(history_bits, 0, 16, false),
	BRANCH(global_bits, 0, 16, false),
	BRANCH(counter_bits, 0, 4, false),
	BRANCH(ways, 0, 256, true),
	BRANCH(decode_redirect, 0, 100, false),
	BRANCH(pc_shift, 0, 8, false),
	BRANCH(entries, 0, CORE_MAX_BHT, true),
	BRANCH(return_entries, 0, CORE_MAX_RETURN, false),
	BRANCH(target_entries, 0, CORE_MAX_TARGETS, true),
	TABLE_CLASSES(CLASS)
	TABLE_OPTIONAL_CLASSES(OPTIONAL_CLASS)
	PIPE(load_use, 1, 100),
	PIPE(mispredict, 0, 100),
	PIPE(indirect, 0, 100),
	PIPE(wrong_bubble, 0, 100),
	PIPE(taken_bubble, 0, 100),
	LIMIT("machine.pipeline.fetch_bytes", pipe.fetch_bytes, 4, 64, true),
	PIPE(fetch_ahead, 0, 100),
	PIPE(discarded_tenths, 0, 1000),
	PIPE(itlb_bubble, 0, 1000),
	PIPE(dtlb_replay, 0, 1000),
	PIPE(tlb_refill, 0, 10000),
	PIPE(long_stall, 0, 1000),
	PIPE(misaligned, 0, 1000),
	MEMORY(latency, 1, 10000),
	MEMORY(bus_fill, 0, 10000),
	MEMORY(bus_writeback, 0, 10000),
	MEMORY(beat, 0, 1000),
	MEMORY(fsb, 1, 64),
	MEMORY(ldq, 1, 64),
	MEMORY(wbb, 1, 64),
	LIMIT("machine.memory.wbb_bytes", mem.wbb_bytes, 0, 256, true),
	MEMORY(wbb_drain_at, 0, 64),
	MEMORY(wbb_drain_after, 0, 10000),
	MEMORY(wbb_cycles, 0, 1000),
	MEMORY(ifb, 1, 8),
	TOPOLOGY(vpes, 1, SIM_MAX_TC),
	TOPOLOGY(quantum, 1, 1000000),
	TOPOLOGY(time_slice, 1, 1000000000),
	LIMIT("counters.bits", counter_bits, 8, 64, false),
};

static const struct limit counters[] = {
	LIMIT("counters.number", n_counters, 2, SIM_MAX_COUNTERS, false),
};

static const struct limit jtlb_data[] = {
	TLB(jtlb_data, 0, CORE_MAX_JTLB)};
static const struct limit l2[] = {OUTER(l2)};
static const struct limit l3[] = {OUTER(l3)};

static const struct limit tage[] = {TAGE(tage)};
static const struct limit targets[] = {TAGE(targets)};

static const struct limit inorder[] = {
	PIPE(load_address, 1, 100),
	PIPE(alu_address, 1, 100),
	PIPE(unit_address, 0, 100),
	PIPE(store_data_slack, 0, 100),
};

static const struct limit window[] = {
	WINDOW(fetch, 1, 16),
	WINDOW(dispatch, 1, 16),
	WINDOW(retire, 1, 16),
	WINDOW(run_ahead, 0, 100),
	WINDOW(load_use_fp, 1, 100),
	WINDOW(forward, 0, 100),
	WINDOW(forward_part, 0, 100),
	WINDOW(across, 0, 100),
	WINDOW(across_repeat, 0, 100),
	WINDOW(load_indexed, 0, 100),
	WINDOW(lock, 0, 255),
	WINDOW(part_wait, 0, 100),
	PIPE(load_address, 0, 0),
	PIPE(alu_address, 0, 0),
	PIPE(unit_address, 0, 0),
	PIPE(store_data_slack, 0, 0),
};

static u64
number_at(const struct sim_config *config, const struct limit *limit)
{
	const void *field = (const char *)config + limit->offset;

	switch (limit->size) {
	case 1:
		return *(const u8 *)field;
	case 2:
		return *(const u16 *)field;
	case 4:
		return *(const u32 *)field;
	default:
		return *(const u64 *)field;
	}
}

/* [enum table_limits] */
static const struct {
	const struct limit *limit;
	size_t n;
} groups[] = {
#define GROUP(list) {list, SIM_COUNT(list)}
	[LIMITS_MACHINE] = GROUP(machine),
	[LIMITS_COUNTERS] = GROUP(counters),
	[LIMITS_JTLB_DATA] = GROUP(jtlb_data),
	[LIMITS_L2] = GROUP(l2),
	[LIMITS_L3] = GROUP(l3),
	[LIMITS_INORDER] = GROUP(inorder),
	[LIMITS_WINDOW] = GROUP(window),
	[LIMITS_TAGE] = GROUP(tage),
	[LIMITS_TARGETS] = GROUP(targets),
#undef GROUP
};

int
table_check_limits(struct table_check *check, enum table_limits group)
{
	const struct limit *limit = groups[group].limit;

	for (size_t n = groups[group].n; n--; limit++) {
		u64 x = number_at(&check->file->cpu->config, limit);
		const char *key = strrchr(limit->path, '.') + 1;

		table_at(check, "%s", limit->path);
		if (x < limit->min || x > limit->max)
			return table_fail(check,
					  "%s is %llu, but can be %llu to %llu",
					  key, (unsigned long long)x,
					  (unsigned long long)limit->min,
					  (unsigned long long)limit->max);
		if (limit->power && x & (x - 1))
			return table_fail(check,
					  "%s is %llu, not a power of two",
					  key, (unsigned long long)x);
	}
	return 0;
}
