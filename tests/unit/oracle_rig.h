/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One core under test beside the naive one, of some geometry. */
#ifndef TEST_ORACLE_RIG_H
#define TEST_ORACLE_RIG_H

#include "core_fixture.h"
#include "oracle.h"

#include <stdio.h>
#include <string.h>

struct oracle_rig {
	struct sim_config config;
	struct core *core;
	u64 sig[SIG_N];
	u64 outcome[2][BRANCH_OUTCOMES];
	struct oracle oracle;
	struct dice dice;
};

/* After the configuration; the dice go on. */
static inline void
oracle_rig_open(struct oracle_rig *r)
{
	memset(r->sig, 0, sizeof r->sig);
	r->core = set_up_core(&r->config);
	r->core->sig = r->sig;
	r->core->outcome = r->outcome;
	oracle_init(&r->oracle, &r->config);
}

static inline void
oracle_rig_close(struct oracle_rig *r)
{
	free(r->core);
	oracle_free(&r->oracle);
}

/* What a core needs that is not to be tested: fills are there at once. */
static inline void
oracle_rig_idle(struct sim_config *c)
{
	c->branch = (struct branch_config){.entries = 16};
	c->mem.fsb = c->mem.wbb = c->mem.ldq = 64;
	c->mem.ifb = 8;
}

/* Both micro-TLBs alike, and mostly a joint one. */
static inline void
oracle_rig_tlbs(struct dice *d, struct sim_config *c)
{
	dice_tlb(d, &c->itlb, DICE_PICK(d, 12, 13, 14), 4);
	c->dtlb = c->itlb;
	if (dice_percent(d, 70))
		dice_tlb(d, &c->jtlb, c->itlb.page_bits + dice_below(d, 2), 4);
}

/* Some second level of so many bytes, or up to eight times as many. */
static inline void
oracle_rig_second_level(struct oracle_rig *r, u32 size)
{
	r->config.l2 = (struct cache_config){
		.size = size << dice_below(&r->dice, 4),
		.ways = DICE_PICK(&r->dice, 1, 2, 4, 8, 16),
		.line = DICE_PICK(&r->dice, 32, 64, 128),
		.policy = (u8)dice_below(&r->dice, 4),
	};
}

static inline void
oracle_rig_cache(const char *name, const struct cache_config *c)
{
	printf("# %s: size %u ways %u line %u policy %u wt %d nwa %d\n", name,
	       c->size, c->ways, c->line, c->policy, c->write_through,
	       c->no_write_allocate);
}

static inline void
oracle_rig_tlb(const char *name, const struct tlb_config *t)
{
	printf("# %s: entries %u ways %u bits %u policy %u\n", name,
	       t->entries, t->ways, t->page_bits, t->policy);
}

/* Fails, and says of which geometry, if the signal is something else. */
static inline void
oracle_rig_equal(const struct oracle_rig *r, enum sim_signal s, u64 expected,
		 unsigned seed)
{
	if (r->sig[s] == expected)
		return;
	oracle_rig_cache("l1i", &r->config.l1i);
	oracle_rig_cache("l1d", &r->config.l1d);
	oracle_rig_tlb("itlb", &r->config.itlb);
	oracle_rig_tlb("dtlb", &r->config.dtlb);
	oracle_rig_tlb("jtlb", &r->config.jtlb);
	fail_msg("geometry %u: %s: %llu, expected %llu", seed, signal_name(s),
		 (unsigned long long)r->sig[s], (unsigned long long)expected);
}

#endif
