/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks of a CPU's machine parameters: ranges as data, then relations. */
#include "table_check.h"
#include "../simulator/core.h"
#include "../simulator/pipeline/window.h"
#include "table_classes.h"
#include "table_lines.h"

#include <stdarg.h>
#include <string.h>

void
table_at(struct table_check *check, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(check->path, sizeof check->path, format, args);
	va_end(args);
}

int
table_fail(struct table_check *check, const char *format, ...)
{
	const struct table_file *file = check->file;
	char text[400];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	return table_error(check->error, file->path,
			   table_lines_find(file->lines, check->path), "%s",
			   text);
}

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
	      pipe.cls[CLASS_##id].busy, 0, WINDOW_BUSY - 1, false),
#define OPTIONAL_CLASS(id, name, like) CLASS(id, name)
#define WINDOW(field, min, max)                                             \
	LIMIT("machine.pipeline.window." #field, pipe.window.field, min,    \
	      max, false)

static const struct limit limits[] = {
	LIMIT("machine.clock_hz", clock_hz, 1000, 100000000000, false),
	CACHE(l1i, 1),
	CACHE(l1d, 1),
	TLB(itlb, 1, CORE_MAX_TLB),
	TLB(dtlb, 1, CORE_MAX_TLB),
	TLB(jtlb, 0, CORE_MAX_JTLB),
	LIMIT("machine.tlbs.os_page_bits", os_page_bits, 0, 30, false),
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

static const struct limit counter_limits[] = {
	LIMIT("counters.number", n_counters, 2, SIM_MAX_COUNTERS, false),
};

static const struct limit jtlb_data_limits[] = {
	TLB(jtlb_data, 0, CORE_MAX_JTLB)};
static const struct limit l2_limits[] = {OUTER(l2)};
static const struct limit l3_limits[] = {OUTER(l3)};

static const struct limit inorder_limits[] = {
	PIPE(load_address, 1, 100),
	PIPE(alu_address, 1, 100),
	PIPE(unit_address, 0, 100),
	PIPE(store_data_slack, 0, 100),
};

static const struct limit window_limits[] = {
	WINDOW(fetch, 1, 16),
	WINDOW(dispatch, 1, 16),
	WINDOW(retire, 1, 16),
	WINDOW(run_ahead, 0, 100),
	WINDOW(load_use_fp, 1, 100),
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

static int
check_limits(struct table_check *check, const struct limit *limit, size_t n)
{
	for (; n--; limit++) {
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

static int
check_cache(struct table_check *check, const char *name,
	    const struct cache_config *cache, u32 max_lines)
{
	u32 way = cache->ways * cache->line, sets;

	table_at(check, "machine.caches.%s.size", name);
	if (!cache->size)
		return 0;
	if (cache->size % way)
		return table_fail(check,
				  "size %u does not divide into %u ways of "
				  "%u-byte lines",
				  cache->size, cache->ways, cache->line);
	sets = cache->size / way;
	if (sets & (sets - 1))
		return table_fail(check,
				  "size %u makes %u sets, not a power of two",
				  cache->size, sets);
	if (cache->size / cache->line > max_lines)
		return table_fail(check, "%u lines are more than %u",
				  cache->size / cache->line, max_lines);
	return 0;
}

/* pctr(4) is there for processors without counters, too. */
static int
check_counters(struct table_check *check)
{
	const struct sim_config *c = &check->file->cpu->config;

	if (!c->n_counters && c->system == SYSTEM_OPENBSD)
		return 0;
	return check_limits(check, counter_limits, SIM_COUNT(counter_limits));
}

/* What a level behind the first needs of the level before it. */
static int
check_outer(struct table_check *check, const char *name,
	    const struct cache_config *cache, const struct cache_config *inner,
	    const char *inner_name)
{
	int rc = check_cache(check, name, cache, UINT32_MAX);

	if (rc || !cache->size)
		return rc;
	table_at(check, "machine.caches.%s.line", name);
	if (cache->line < inner->line)
		return table_fail(check, "line is %u, less than a line of %s",
				  cache->line, inner_name);
	table_at(check, "machine.caches.%s.way_penalty", name);
	if (cache->way_penalty && !cache->way_entries)
		return table_fail(check, "way_penalty needs way_entries");
	return 0;
}

static int
check_outer_levels(struct table_check *check)
{
	const struct sim_config *c = &check->file->cpu->config;
	const struct cache_config *first =
		c->l1i.line > c->l1d.line ? &c->l1i : &c->l1d;
	int rc;

	if (c->l2.line || c->l2.size) {
		rc = check_limits(check, l2_limits, SIM_COUNT(l2_limits));
		if (!rc)
			rc = check_outer(check, "l2", &c->l2, first,
					 "the first level");
		if (rc)
			return rc;
	}
	if (!c->l3.line && !c->l3.size)
		return 0;
	rc = check_limits(check, l3_limits, SIM_COUNT(l3_limits));
	if (!rc)
		rc = check_outer(check, "l3", &c->l3, &c->l2,
				 "the second level");
	table_at(check, "machine.caches.l3.size");
	if (!rc && c->l3.size && !c->l2.size)
		rc = table_fail(check, "a third level needs a second one");
	return rc;
}

static int
check_caches(struct table_check *check)
{
	const struct sim_config *c = &check->file->cpu->config;
	int rc = check_cache(check, "l1i", &c->l1i, CORE_MAX_LINES);

	if (!rc)
		rc = check_cache(check, "l1d", &c->l1d, CORE_MAX_LINES);
	return rc ? rc : check_outer_levels(check);
}

static int
check_tlb(struct table_check *check, const char *name,
	  const struct tlb_config *tlb)
{
	u32 sets;

	table_at(check, "machine.tlbs.%s.ways", name);
	if (!tlb->entries || !tlb->ways)
		return 0;
	if (tlb->entries % tlb->ways)
		return table_fail(check,
				  "%u entries do not divide into %u ways",
				  tlb->entries, tlb->ways);
	sets = tlb->entries / tlb->ways;
	if (sets & (sets - 1))
		return table_fail(check,
				  "%u entries of %u ways make %u sets, not a "
				  "power of two",
				  tlb->entries, tlb->ways, sets);
	return 0;
}

/* What is behind a micro-TLB. */
static int
check_joint(struct table_check *check, const char *name,
	    const struct tlb_config *joint, const struct tlb_config *micro)
{
	table_at(check, "machine.tlbs.%s.page_bits", name);
	if (joint->inclusive && joint->page_bits < micro->page_bits)
		return table_fail(check,
				  "an entry of an inclusive TLB maps at least "
				  "%u bits",
				  micro->page_bits);
	return 0;
}

static int
check_jtlb_data(struct table_check *check)
{
	const struct sim_config *c = &check->file->cpu->config;
	int rc = check_limits(check, jtlb_data_limits,
			      SIM_COUNT(jtlb_data_limits));

	if (!rc)
		rc = check_tlb(check, "jtlb_data", &c->jtlb_data);
	table_at(check, "machine.tlbs.jtlb_data.entries");
	if (!rc && c->jtlb_data.entries && !c->jtlb.entries)
		rc = table_fail(check,
				"jtlb_data needs a jtlb of instructions");
	return rc ? rc : check_joint(check, "jtlb_data", &c->jtlb_data,
				     &c->dtlb);
}

static int
check_tlbs(struct table_check *check)
{
	const struct sim_config *c = &check->file->cpu->config;
	int rc = check_tlb(check, "itlb", &c->itlb);

	if (!rc)
		rc = check_tlb(check, "dtlb", &c->dtlb);
	if (!rc)
		rc = check_tlb(check, "jtlb", &c->jtlb);
	if (!rc)
		rc = check_joint(check, "jtlb", &c->jtlb, &c->itlb);
	if (!rc && (c->jtlb_data.entries || c->jtlb_data.page_bits))
		rc = check_jtlb_data(check);
	else if (!rc)
		rc = check_joint(check, "jtlb", &c->jtlb, &c->dtlb);
	table_at(check, "machine.tlbs.os_page_bits");
	if (!rc && c->os_page_bits && (c->os_page_bits < c->itlb.page_bits ||
				       c->os_page_bits < c->dtlb.page_bits))
		rc = table_fail(check, "os_page_bits is %u, less than "
				       "page_bits of the first TLBs",
				c->os_page_bits);
	table_at(check, "machine.tlbs.dtlb.maps_tables");
	if (!rc && c->dtlb.maps_tables && c->jtlb.entries)
		rc = table_fail(check, "maps_tables goes without a jtlb");
	return rc;
}

/* Keys of predictors that only some kinds have, and what those need. */
static const struct branch_key {
	const char *key;
	size_t offset;
	unsigned kinds;	/* mask of the kinds that have it */
	unsigned needs;	/* mask of the kinds that cannot do without */
} branch_keys[] = {
#define KEY(field, kinds, needs) \
	{#field, offsetof(struct branch_config, field), kinds, needs}
	KEY(history_bits, 1 << PREDICT_GSHARE | 1 << PREDICT_BTB |
	    1 << PREDICT_TOURNAMENT,
	    1 << PREDICT_GSHARE | 1 << PREDICT_TOURNAMENT),
	KEY(global_bits, 1 << PREDICT_TOURNAMENT, 1 << PREDICT_TOURNAMENT),
	KEY(counter_bits, 1 << PREDICT_ICACHE | 1 << PREDICT_TOURNAMENT,
	    1 << PREDICT_ICACHE | 1 << PREDICT_TOURNAMENT),
	KEY(policy, 1 << PREDICT_BTB, 0),
	KEY(static_backward, 1 << PREDICT_BTB, 0),
#undef KEY
};

static int
check_branch_keys(struct table_check *check)
{
	const struct branch_config *b = &check->file->cpu->config.branch;

	for (size_t i = 0; i < SIM_COUNT(branch_keys); i++) {
		const struct branch_key *k = &branch_keys[i];
		u8 value = *((const u8 *)b + k->offset);

		table_at(check, "machine.branch.%s", k->key);
		if (value && !(k->kinds >> b->kind & 1))
			return table_fail(check,
					  "this kind of predictor has no %s",
					  k->key);
		if (!value && k->needs >> b->kind & 1)
			return table_fail(check, "%s needs %s",
					  b->kind == PREDICT_GSHARE
						  ? "gshare"
						  : "this kind of predictor",
					  k->key);
	}
	return 0;
}

/* What the kinds of predict.h need beyond their keys. */
static int
check_own_predictor(struct table_check *check)
{
	const struct sim_config *c = &check->file->cpu->config;
	const struct branch_config *b = &c->branch;
	u32 ways = b->ways ? b->ways : b->entries;

	table_at(check, "machine.branch.ways");
	if (b->kind == PREDICT_BTB && (ways > b->entries || ways > 256 ||
				       ways & (ways - 1)))
		return table_fail(check,
				  "%u entries do not divide into %u ways",
				  b->entries, ways);
	if (b->kind != PREDICT_BTB && b->ways)
		return table_fail(check, "only a btb has ways");
	table_at(check, "machine.branch.entries");
	if (b->kind == PREDICT_ICACHE && b->entries)
		return table_fail(check,
				  "counters in the cache are not so many "
				  "entries, but one per instruction");
	table_at(check, "machine.branch.target_entries");
	if (b->kind == PREDICT_BTB && b->target_entries)
		return table_fail(check, "targets are in the btb's entries");
	table_at(check, "machine.branch.decode_redirect");
	if (b->decode_redirect && !b->static_backward)
		return table_fail(check,
				  "decode_redirect needs static_backward");
	table_at(check, "machine.branch.pc_shift");
	if (b->kind == PREDICT_ICACHE && c->l1i.line >> b->pc_shift == 0)
		return table_fail(check,
				  "a line of %u bytes has no counter every "
				  "%u bytes",
				  c->l1i.line, 1u << b->pc_shift);
	table_at(check, "machine.branch.history_bits");
	if (b->kind == PREDICT_BTB && b->history_bits > 8)
		return table_fail(check,
				  "history_bits is %u, but can be 0 to 8",
				  b->history_bits);
	return 0;
}

static int
check_branch(struct table_check *check)
{
	const struct branch_config *b = &check->file->cpu->config.branch;
	int rc;

	table_at(check, "machine.branch.entries");
	if (b->kind != PREDICT_NOT_TAKEN && b->kind != PREDICT_ICACHE &&
	    !b->entries)
		return table_fail(check,
				  "this kind of predictor needs entries");
	rc = check_branch_keys(check);
	if (rc)
		return rc;
	table_at(check, "machine.branch.history_bits");
	if (b->kind == PREDICT_GSHARE && b->entries >> b->history_bits == 0)
		return table_fail(check,
				  "%u bits of history do not fit %u entries",
				  b->history_bits, b->entries);
	return check_own_predictor(check);
}

static int
check_waits(struct table_check *check)
{
	const struct pipeline_config *p = &check->file->cpu->config.pipe;

	table_at(check, "machine.memory.ordered");
	if (check->file->cpu->config.mem.ordered && !p->watch_alignment)
		return table_fail(check, "ordered needs watch_alignment");
	table_at(check, "machine.pipeline.misaligned");
	if (p->misaligned && !p->watch_alignment)
		return table_fail(check, "misaligned needs watch_alignment");
	if (p->misaligned && p->kind == PIPELINE_WINDOW)
		return table_fail(check, "a window has no misaligned");
	table_at(check, "machine.pipeline.load_blocks");
	if (p->load_blocks && p->kind == PIPELINE_WINDOW)
		return table_fail(check, "a window has no load_blocks");
	if (p->load_blocks && check->file->cpu->config.topo.tcs > 1)
		return table_fail(check, "load_blocks is for one context");
	table_at(check, "machine.pipeline.barrier_drains");
	if (p->barrier_drains && p->kind == PIPELINE_WINDOW)
		return table_fail(check, "a window has no barrier_drains");
	table_at(check, "machine.pipeline.locks_bus");
	if (p->locks_bus && p->kind != PIPELINE_WINDOW)
		return table_fail(check, "only a window has locks_bus");
	return 0;
}

static int
check_write_buffer(struct table_check *check)
{
	const struct memory_config *m = &check->file->cpu->config.mem;

	table_at(check, "machine.memory.wbb_bytes");
	if (!m->wbb_bytes && (m->wbb_drain_at || m->wbb_drain_after ||
			      m->wbb_cycles))
		return table_fail(check,
				  "wbb_drain_at, wbb_drain_after and "
				  "wbb_cycles go with wbb_bytes");
	table_at(check, "machine.memory.wbb_drain_at");
	if (m->wbb_bytes && (!m->wbb_drain_at || m->wbb_drain_at > m->wbb))
		return table_fail(check,
				  "wbb_drain_at is %u, but can be 1 to %u",
				  m->wbb_drain_at, m->wbb);
	table_at(check, "machine.memory.wbb_cycles");
	if (m->wbb_bytes && !m->wbb_cycles)
		return table_fail(check, "wbb_bytes needs wbb_cycles");
	return 0;
}

static int
check_topology(struct table_check *check)
{
	const struct topology_config *t = &check->file->cpu->config.topo;
	bool used[SIM_MAX_TC] = {false};

	for (u32 tc = 0; tc < t->tcs; tc++) {
		table_at(check, "machine.topology.vpe_of_tc[%u]", tc);
		if (t->vpe_of_tc[tc] >= t->vpes)
			return table_fail(check,
					  "TC %u is on VPE %u, but there are "
					  "%u",
					  tc, t->vpe_of_tc[tc], t->vpes);
		used[t->vpe_of_tc[tc]] = true;
	}
	table_at(check, "machine.topology.vpes");
	for (u32 vpe = 0; vpe < t->vpes; vpe++)
		if (!used[vpe])
			return table_fail(check, "VPE %u has no TC", vpe);
	return 0;
}

/* A class without repeat is one that the table does not name. */
static int
check_classes(struct table_check *check)
{
	static const struct {
		const char *name;
		u8 cls;
	} optional[] = {
#define OPTIONAL(id, name, like) {name, CLASS_##id},
		TABLE_OPTIONAL_CLASSES(OPTIONAL)
#undef OPTIONAL
	};
	const struct pipeline_config *pipe = &check->file->cpu->config.pipe;

	for (unsigned i = 0; i < SIM_COUNT(optional); i++) {
		table_at(check, "machine.pipeline.classes.%s.repeat",
			 optional[i].name);
		if (pipe->cls[optional[i].cls].latency &&
		    !pipe->cls[optional[i].cls].repeat)
			return table_fail(check, "repeat is 0, but can be 1 "
						 "to 1000");
	}
	return 0;
}

static int
check_pipeline(struct table_check *check)
{
	int rc;

	if (check->file->cpu->config.pipe.kind == PIPELINE_INORDER)
		return check_limits(check, inorder_limits,
				    SIM_COUNT(inorder_limits));
	rc = check_limits(check, window_limits, SIM_COUNT(window_limits));
	return rc ? rc : table_check_window(check);
}

int
table_check_machine(const struct table_file *file, struct pmcsim_error *error)
{
	struct table_check check = {.file = file, .error = error};
	int rc = check_limits(&check, limits, SIM_COUNT(limits));

	if (!rc)
		rc = check_counters(&check);
	if (!rc)
		rc = check_caches(&check);
	if (!rc)
		rc = check_classes(&check);
	if (!rc)
		rc = table_check_issue(&check);
	if (!rc)
		rc = check_tlbs(&check);
	if (!rc)
		rc = check_branch(&check);
	if (!rc)
		rc = check_write_buffer(&check);
	if (!rc)
		rc = check_pipeline(&check);
	if (!rc)
		rc = check_write_buffer(&check);
	if (!rc)
		rc = check_waits(&check);
	if (!rc)
		rc = check_topology(&check);
	return rc;
}
