/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks of caches and TLBs: their sizes, and what they need of each other. */
#include "table_check.h"

#include "core/core.h"

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
	table_at(check, "machine.caches.%s.told_of_stores", name);
	if (cache->told_of_stores && !cache->inclusive)
		return table_fail(check, "told_of_stores needs inclusive");
	return 0;
}

/* A third level that has what the second one loses. */
static int
check_victim(struct table_check *check)
{
	const struct sim_config *c = &check->file->cpu->config;

	table_at(check, "machine.caches.l2.victim");
	if (c->l2.victim)
		return table_fail(check, "only a third level can be a victim");
	table_at(check, "machine.caches.l3.victim");
	if (!c->l3.victim)
		return 0;
	if (c->l3.inclusive || c->l3.data_only || c->l3.write_through ||
	    c->l3.no_write_allocate)
		return table_fail(check,
				  "a victim is neither inclusive nor "
				  "data_only, writes back and allocates");
	if (c->l2.data_only || c->l2.write_through ||
	    c->l2.no_write_allocate || c->l2.line != c->l3.line)
		return table_fail(check,
				  "a victim's l2 has all that is read and "
				  "written, in lines of the same size");
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
		rc = table_check_limits(check, LIMITS_L2);
		if (!rc)
			rc = check_outer(check, "l2", &c->l2, first,
					 "the first level");
		if (rc)
			return rc;
	}
	if (!c->l3.line && !c->l3.size)
		return check_victim(check);
	rc = table_check_limits(check, LIMITS_L3);
	if (!rc)
		rc = check_outer(check, "l3", &c->l3, &c->l2,
				 "the second level");
	table_at(check, "machine.caches.l3.size");
	if (!rc && c->l3.size && !c->l2.size)
		rc = table_fail(check, "a third level needs a second one");
	return rc ? rc : check_victim(check);
}

int
table_check_caches(struct table_check *check)
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
	int rc = table_check_limits(check, LIMITS_JTLB_DATA);

	if (!rc)
		rc = check_tlb(check, "jtlb_data", &c->jtlb_data);
	table_at(check, "machine.tlbs.jtlb_data.entries");
	if (!rc && c->jtlb_data.entries && !c->jtlb.entries)
		rc = table_fail(check,
				"jtlb_data needs a jtlb of instructions");
	return rc ? rc : check_joint(check, "jtlb_data", &c->jtlb_data,
				     &c->dtlb);
}

/* A walk of page tables; its numbers are in their ranges. */
static int
check_walk(struct table_check *check)
{
	const struct sim_config *c = &check->file->cpu->config;

	if (!c->pipe.refill_is_hardware)
		return table_fail(check, "a walk needs refill_is_hardware");
	if (c->topo.tcs > 1)
		return table_fail(check, "a walk is for one context");
	if (!c->walk.levels || !c->walk.kept)
		return table_fail(check,
				  "a walk has levels, and keeps an entry or "
				  "more");
	if (c->walk.walkers && !pipeline_is_window(&c->pipe))
		return table_fail(check, "walkers are of pipelines that issue "
					 "out of order");
	return 0;
}

/* A micro-TLB that contexts, or VPEs, have to themselves. */
static int
check_owner(struct table_check *check, const char *name,
	    const struct tlb_config *tlb)
{
	const struct sim_config *c = &check->file->cpu->config;

	table_at(check, "machine.tlbs.%s.owner", name);
	if (tlb->owner != TLB_OF_ALL && c->topo.tcs == 1)
		return table_fail(check, "of one context, all have it");
	return 0;
}

int
table_check_tlbs(struct table_check *check)
{
	const struct sim_config *c = &check->file->cpu->config;
	int rc = check_tlb(check, "itlb", &c->itlb);

	if (!rc)
		rc = check_tlb(check, "dtlb", &c->dtlb);
	if (!rc)
		rc = check_owner(check, "itlb", &c->itlb);
	if (!rc)
		rc = check_owner(check, "dtlb", &c->dtlb);
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
	table_at(check, "machine.tlbs.walk");
	if (!rc && (c->walk.levels || c->walk.kept || c->walk.walkers))
		rc = check_walk(check);
	table_at(check, "machine.tlbs.dtlb.maps_tables");
	if (!rc && c->dtlb.maps_tables && c->jtlb.entries)
		rc = table_fail(check, "maps_tables goes without a jtlb");
	if (!rc && c->dtlb.maps_tables && (c->itlb.owner || c->dtlb.owner))
		rc = table_fail(check, "maps_tables is for TLBs of all "
				       "contexts");
	return rc;
}
