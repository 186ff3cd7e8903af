/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ia64.h"

#include <errno.h>

#define KERNEL_MODES                                                       \
	(1u << MODE_KERNEL | 1u << MODE_SUPERVISOR | 1u << MODE_EXL)

#define CPLS 4

/* Bits of the PSR that sum and rum, ssm and rsm can change. */
#define USER_MASK 0x3eull
#define SYSTEM_MASK (USER_MASK | 0xeull << 12 | 0x7full << 17)

/* Implemented bits of a generic PMC: plm, ev, oi, pm; es of 7 or 8 bits; the
 * unit mask, threshold, instruction set mask.  The rest reads 0. */
#define PMC_COMMON 0x037f007full
#define PMC_ES7 0x7f00ull
#define PMC_ES8 0xff00ull
#define UMASK 0xfu
#define THRESHOLD 0x7u

static struct ia64_machine *
state_of(const struct machine_map *map)
{
	return &map->m->ia64;
}

static u64
width_mask(const struct machine_map *map)
{
	return pmu_register(&map->m->config, ~0ull);
}

/* The bits of PMC i that are there. */
static u64
implemented(const struct sim_config *config, unsigned i)
{
	if (i == 0)
		return IA64_PMC0_FR |
		       ((1ull << IA64_MONITORS) - 1) << IA64_FIRST;
	if (i < IA64_FIRST)
		return 0;
	return PMC_COMMON | ia64_pmc_reset(config, i) |
	       (config->counter_control == CONTROL_ES7 ? PMC_ES7 : PMC_ES8);
}

u64
ia64_pmc_reset(const struct sim_config *config, u64 i)
{
	return i == IA64_FIRST && config->counter_control == CONTROL_ES8 ?
		       IA64_PMC4_ENABLE : 0;
}

unsigned
ia64_code(const struct sim_config *config, u64 pmc)
{
	u64 es = pmc & implemented(config, IA64_FIRST) & PMC_ES8;

	return (unsigned)(es >> IA64_PMC_ES_SHIFT |
			  (pmc >> IA64_PMC_UMASK_SHIFT & UMASK) << 8);
}

bool
ia64_enabled(const struct ia64_control *control, unsigned i, unsigned cpl)
{
	u64 pmc = control->pmc[i];
	u64 running = pmc & IA64_PMC_PM ? IA64_PSR_PP : IA64_PSR_UP;

	return !(control->pmc[0] & IA64_PMC0_FR) &&
	       !(control->pmc[IA64_FIRST] & IA64_PMC4_ENABLE) &&
	       pmc >> cpl & 1 && control->bits & running;
}

/* ---- From the registers to the counters ------------------------------- */

static struct pmu_select
selection(const struct machine_map *map, unsigned n)
{
	const struct ia64_control *now = &state_of(map)->now;
	unsigned i = IA64_FIRST + n;
	u64 pmc = now->pmc[i];
	unsigned threshold = pmc >> IA64_PMC_THRESHOLD_SHIFT & THRESHOLD;
	struct pmu_select select = {
		.control = (u32)pmc,
		.event = pmu_find_event(&map->m->config, n,
					ia64_code(&map->m->config, pmc)),
		.scope = SCOPE_PROCESSOR,
		.interrupt = pmc & IA64_PMC_OI,
		.threshold = (u8)(threshold ? threshold + 1 : 0),
	};

	if (ia64_enabled(now, i, CPLS - 1u - now->raised))
		select.modes |= 1u << MODE_USER;
	if (ia64_enabled(now, i, 0))
		select.modes |= KERNEL_MODES;
	return select;
}

static bool
has_monitors(const struct machine_map *map)
{
	return map->m->n_counters >= IA64_MONITORS;
}

/* Lets the counters count what the registers say. */
static void
apply(struct machine_map *map)
{
	for (unsigned n = 0; has_monitors(map) && n < IA64_MONITORS; n++) {
		const struct pmu_counter *c = &map->m->counter[n];
		struct pmu_select want = selection(map, n);

		if (c->control != want.control || c->event != want.event ||
		    c->modes != want.modes)
			pmu_program(map, n, &want, pmu_read(map, n));
	}
}

static void
set_everywhere(struct ia64_machine *s, u64 pmc0)
{
	s->now.pmc[0] |= pmc0;
	s->next.pmc[0] |= pmc0;
}

/* The overflow bits of those that have come round since the last look; their
 * values begin again from 0. */
static u64
take_overflows(struct machine_map *map, bool *interrupts)
{
	u64 value[IA64_MONITORS], bits = 0;

	*interrupts = false;
	pmu_read_all(map, 0, IA64_MONITORS, value);
	for (unsigned n = 0; n < IA64_MONITORS; n++) {
		struct pmu_select select;

		if (value[n] == (value[n] & width_mask(map)))
			continue;
		bits |= 1ull << (IA64_FIRST + n);
		state_of(map)->wraps[n] +=
			(u32)(value[n] >> map->m->config.counter_bits);
		select = pmu_selection(&map->m->counter[n]);
		*interrupts |= select.interrupt;
		pmu_program(map, n, &select, value[n] & width_mask(map));
	}
	return bits;
}

u32
ia64_settle(struct machine_map *map)
{
	struct ia64_machine *s = state_of(map);
	bool interrupts;
	u64 bits;

	if (!has_monitors(map))
		return s->interrupts;
	bits = take_overflows(map, &interrupts);
	set_everywhere(s, bits);
	if (interrupts) {
		set_everywhere(s, IA64_PMC0_FR);
		s->interrupts++;
		apply(map);
	}
	return s->interrupts;
}

u64
ia64_distance(struct machine_map *map, unsigned n)
{
	struct pmu_select select = selection(map, n);
	u64 value;

	if (!has_monitors(map) || !select.interrupt || !select.modes ||
	    select.event < 0)
		return 0;
	value = pmu_read(map, n);
	return value > width_mask(map) ? 1 : width_mask(map) - value + 1;
}

u64
ia64_count(struct machine_map *map, unsigned n)
{
	return pmu_read(map, n) + ((u64)state_of(map)->wraps[n]
				   << map->m->config.counter_bits);
}

void
ia64_serialize(struct machine_map *map)
{
	struct ia64_machine *s = state_of(map);

	ia64_settle(map);
	s->now = s->next;
	for (unsigned n = 0; has_monitors(map) && n < IA64_MONITORS; n++) {
		struct pmu_select select;

		if (!(s->pmd_written >> n & 1))
			continue;
		select = selection(map, n);
		pmu_program(map, n, &select, s->pmd[n]);
		s->wraps[n] = 0;
	}
	s->pmd_written = 0;
	apply(map);
}

/* ---- Operations ------------------------------------------------------- */

/* 0, a fault, or 1 for a register that there is not. */
static int
check(unsigned cpl, u64 i, unsigned first)
{
	if (cpl)
		return -EPERM;
	if (i >= IA64_NUMBERS)
		return -EINVAL;
	return i < first || i >= IA64_REGISTERS;
}

int
ia64_set_pmc(struct machine_map *map, unsigned cpl, u64 i, u64 value)
{
	int rc = check(cpl, i, 0);

	if (!rc)
		state_of(map)->next.pmc[i] =
			(value ^ ia64_pmc_reset(&map->m->config, i)) &
			implemented(&map->m->config, (unsigned)i);
	return rc < 0 ? rc : 0;
}

int
ia64_get_pmc(struct machine_map *map, unsigned cpl, u64 i, u64 *value)
{
	int rc = check(cpl, i, 0);

	*value = 0;
	if (rc)
		return rc < 0 ? rc : 0;
	ia64_settle(map);
	*value = state_of(map)->next.pmc[i] ^
		 ia64_pmc_reset(&map->m->config, i);
	return 0;
}

int
ia64_set_pmd(struct machine_map *map, unsigned cpl, u64 i, u64 value)
{
	int rc = check(cpl, i, IA64_FIRST);

	if (!rc) {
		state_of(map)->pmd[i - IA64_FIRST] = value & width_mask(map);
		state_of(map)->pmd_written |= 1u << (i - IA64_FIRST);
	}
	return rc < 0 ? rc : 0;
}

/* Table 7-5 of the manual, the other way round. */
static bool
reads_zero(const struct ia64_control *now, unsigned cpl, u64 i)
{
	return cpl && (now->pmc[i] & IA64_PMC_PM || now->bits & IA64_PSR_SP);
}

int
ia64_get_pmd(struct machine_map *map, unsigned cpl, u64 i, u64 *value)
{
	int rc = check(0, i, IA64_FIRST);

	*value = 0;
	if (rc)
		return rc < 0 ? rc : 0;
	if (!has_monitors(map) || reads_zero(&state_of(map)->now, cpl, i))
		return 0;
	ia64_settle(map);
	*value = pmu_read_register(map, (unsigned)i - IA64_FIRST);
	return 0;
}

static void
change(struct machine_map *map, u64 mask, bool set)
{
	u64 *bits = &state_of(map)->next.bits;

	*bits = set ? *bits | mask : *bits & ~mask;
}

int
ia64_user_mask(struct machine_map *map, u64 mask, bool set)
{
	if (mask & ~USER_MASK)
		return -EINVAL;
	if (state_of(map)->now.bits & IA64_PSR_SP)
		mask &= ~IA64_PSR_UP;
	change(map, mask, set);
	return 0;
}

int
ia64_system_mask(struct machine_map *map, unsigned cpl, u64 mask, bool set)
{
	if (cpl)
		return -EPERM;
	if (mask & ~SYSTEM_MASK)
		return -EINVAL;
	change(map, mask, set);
	return 0;
}

u64
ia64_psr(const struct machine_map *map)
{
	return state_of(map)->next.bits |
	       (u64)ia64_cpl(map) << IA64_PSR_CPL_SHIFT;
}

unsigned
ia64_cpl(const struct machine_map *map)
{
	return CPLS - 1u - state_of(map)->now.raised;
}

int
ia64_set_cpl(struct machine_map *map, u64 cpl)
{
	if (cpl >= CPLS)
		return -EINVAL;
	state_of(map)->next.raised = (u8)(CPLS - 1 - cpl);
	ia64_serialize(map);
	return 0;
}
