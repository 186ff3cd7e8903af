/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pfm(7): words that select events, frequencies, contexts and counters. */
#include "pfm_internal.h"

#include "machine/machine_internal.h"

#include <errno.h>
#include <string.h>

/* iccsr, of which nothing else may be set. */
#define ICCSR_PC1 (1ull << 0)	/* counter 1: each 256 rather than 4096 */
#define ICCSR_PC0 (1ull << 3)	/* counter 0: each 4096 rather than 65536 */
#define ICCSR_MUX0_SHIFT 8
#define ICCSR_MUX1_SHIFT 32
#define ICCSR_DISABLE_SHIFT 35
#define ICCSR_VALID                                                        \
	(ICCSR_PC1 | ICCSR_PC0 | 0xfull << ICCSR_MUX0_SHIFT |              \
	 7ull << ICCSR_MUX1_SHIFT | 3ull << ICCSR_DISABLE_SHIFT)

/* What selects all others on counters 1 and 2 of the EV5: the caches'. */
#define EV5_CBOX 0xf
#define EV5_CODE_CBOX 0xf0
#define EV5_VALID                                                          \
	(1ull << 31 | 0xffull | 7ull << 51 | 7ull << 54)

/* ProfileMe: a statistic, and those that come with whether it retired. */
#define EV67_SAMPLED 0x10ull
#define EV67_SAMPLED_SHIFT 8
#define EV67_STATISTICS 64
#define EV67_CODE 0x200
#define EV67_CODE_RETIRE 0x228
#define EV67_PAIRS                                                         \
	(1ull << 0x02 | 1ull << 0x05 | 1ull << 0x07 | 1ull << 0x09 |       \
	 1ull << 0x0c | 1ull << 0x10 | 1ull << 0x14 | 1ull << 0x1f |       \
	 1ull << 0x22 | 1ull << 0x26 | 1ull << 0x2a)
#define EV67_INTERVAL 16	/* an instruction in 1 << that is sampled */

#define EV5_NO_KERNEL 0x100ull
#define EV5_NO_PAL 0x200ull
#define EV5_NO_USER 0x40000000ull
#define EV5_USER_ONLY (EV5_NO_USER | EV5_NO_PAL | EV5_NO_KERNEL)
#define EV5_SELECTED 1ull	/* only processes with the bit */
#define EV5_THIS 2ull		/* this one gets it */

/* Where the fields of union pmctrs_ev5 and pmctrs_ev6 are. */
struct fields {
	unsigned counters, bits[PFM_COUNTERS], shift[PFM_COUNTERS];
	unsigned cpu_shift;
};

static const struct fields ev5 = {
	.counters = 3, .bits = {16, 16, 14}, .shift = {48, 32, 16},
	.cpu_shift = 8,
};
static const struct fields ev6 = {
	.counters = 2, .bits = {20, 20}, .shift = {28, 6}, .cpu_shift = 56,
};

unsigned
pfm_family(const struct sim_config *config)
{
	if (config->system != SYSTEM_TRU64)
		return 0;
	switch (config->counter_control) {
	case CONTROL_EV4:
		return 4;
	case CONTROL_EV5:
		return 5;
	case CONTROL_EV6:
	case CONTROL_EV67:
		return 6;
	default:
		return 0;
	}
}

/* ---- Events ---------------------------------------------------------- */

/* Codes of the events that a word selects; -1: a counter counts nothing. */
struct selection {
	s32 code[PFM_COUNTERS];
	bool sampled, pairs;
};

static int
take_ev4(u64 word, struct selection *s)
{
	if (word & ~ICCSR_VALID || (word >> ICCSR_DISABLE_SHIFT & 3) == 3)
		return -EINVAL;
	s->code[0] = word >> ICCSR_MUX0_SHIFT & 0xf;
	s->code[1] = 0x100 | (word >> ICCSR_MUX1_SHIFT & 7);
	return 0;
}

static int
take_ev5(u64 word, struct selection *s)
{
	unsigned one = word >> 4 & 0xf, two = word & 0xf;

	if (word & ~EV5_VALID)
		return -EINVAL;
	s->code[0] = word >> 31 & 1 ? 0x80 : 0;
	s->code[1] = 0x100 | (int)(one == EV5_CBOX ?
				   EV5_CODE_CBOX | (word >> 51 & 7) : one);
	s->code[2] = 0x200 | (int)(two == EV5_CBOX ?
				   EV5_CODE_CBOX | (word >> 54 & 7) : two);
	return 0;
}

static int
take_ev6(u64 word, struct selection *s)
{
	if (word & ~0x1full)
		return -EINVAL;
	s->code[0] = word & 0x10;
	s->code[1] = 0x100 | (int)(word & 0xf);
	return 0;
}

static int
take_profile_me(u64 word, struct selection *s)
{
	u64 n = word >> EV67_SAMPLED_SHIFT;

	if (word & 0xff & ~EV67_SAMPLED || n >= EV67_STATISTICS)
		return -EINVAL;
	s->sampled = true;
	s->pairs = EV67_PAIRS >> n & 1;
	s->code[0] = EV67_CODE | (s32)(n - s->pairs);
	s->code[1] = EV67_CODE_RETIRE;
	return 0;
}

/* Only pairs of events can be selected. */
static int
take_ev67(u64 word, struct selection *s)
{
	static const s32 pairs[4][2] = {
		{0x00, 0x100}, {0x0c, -1}, {0x00, 0x108}, {0x0c, 0x10c}};

	if (word & EV67_SAMPLED)
		return take_profile_me(word, s);
	if (word & ~0xcull)
		return -EINVAL;
	s->code[0] = pairs[word >> 2][0];
	s->code[1] = pairs[word >> 2][1];
	return 0;
}

static int
take(const struct sim_config *config, u64 word, struct selection *s)
{
	switch (config->counter_control) {
	case CONTROL_EV4:
		return take_ev4(word, s);
	case CONTROL_EV5:
		return take_ev5(word, s);
	case CONTROL_EV6:
		return take_ev6(word, s);
	default:
		return take_ev67(word, s);
	}
}

/* Turns codes into events that the model tells. */
static int
find_events(const struct sim_config *config, const struct selection *s,
	    s32 event[PFM_COUNTERS])
{
	for (unsigned n = 0; n < PFM_COUNTERS; n++) {
		event[n] = -1;
		if (s->code[n] < 0)
			continue;
		event[n] = pmu_find_event(config, s->sampled ? 0 : n,
					  (unsigned)s->code[n]);
		if (event[n] < 0 || config->event[event[n]].unknown)
			return -EINVAL;
	}
	return 0;
}

/* On the 21264; a profile of other counts than before has no range. */
static void
set_sampled(struct pfm_machine *p, const struct selection *s)
{
	if (p->sampled != s->sampled || p->pairs != s->pairs) {
		p->user = p->kernel = p->caller = false;
		p->n_buckets = p->n_ranges = 0;
	}
	p->sampled = s->sampled;
	p->pairs = s->pairs;
	p->shift[0] = p->shift[1] = s->sampled ? EV67_INTERVAL : ev6.bits[0];
}

int
pfm_mux(struct machine_map *map, unsigned family, u64 word)
{
	struct pfm_machine *p = &map->m->pfm;
	const struct sim_config *config = &map->m->config;
	struct selection s = {.code = {-1, -1, -1}};
	s32 event[PFM_COUNTERS];
	int error = family == pfm_family(config) ? take(config, word, &s)
						 : -EINVAL;

	if (!error)
		error = find_events(config, &s, event);
	if (error)
		return error;
	machine_lock(map);
	pfm_settle(map);
	memcpy(p->event, event, sizeof event);
	for (unsigned n = 0; n < PFM_COUNTERS; n++)
		map->m->need |= pmu_need(config, event[n]);
	if (family == 6)
		set_sampled(p, &s);
	if (family == 4) {
		p->shift[0] = word & ICCSR_PC0 ? 12 : 16;
		p->shift[1] = word & ICCSR_PC1 ? 8 : 12;
		p->on = ~(word >> ICCSR_DISABLE_SHIFT) & 3;
	}
	pfm_restart(map);
	machine_unlock(map);
	return 0;
}

/* ---- Frequencies and contexts ---------------------------------------- */

int
pfm_frequency(struct machine_map *map, u64 word, bool superuser)
{
	static const unsigned at[PFM_COUNTERS] = {8, 6, 4};
	struct pfm_machine *p = &map->m->pfm;

	if (pfm_family(&map->m->config) != 5 || word & ~0x3f0ull)
		return -EINVAL;
	for (unsigned n = 0; n < PFM_COUNTERS; n++) {
		if ((word >> at[n] & 3) == 1)
			return -EINVAL;
		if ((word >> at[n] & 3) == 3 && !superuser)
			return -EPERM;
	}
	machine_lock(map);
	pfm_settle(map);
	for (unsigned n = 0; n < PFM_COUNTERS; n++)
		if (word >> at[n] & 3)
			p->shift[n] = (u8)((word >> at[n] & 3) == 3 ? 8 :
					   ev5.bits[n]);
	pfm_restart(map);
	machine_unlock(map);
	return 0;
}

/* All three exclude what is not the executive's or supervisor's, which is
 * where the processor sees programs of Tru64. */
int
pfm_contexts(struct machine_map *map, u64 word, unsigned slot)
{
	struct pfm_machine *p = &map->m->pfm;
	bool user = !(word & EV5_NO_USER) ||
		    (word & EV5_USER_ONLY) == EV5_USER_ONLY;

	if (pfm_family(&map->m->config) != 5 ||
	    word & ~(EV5_USER_ONLY | EV5_SELECTED | EV5_THIS))
		return -EINVAL;
	machine_lock(map);
	pfm_settle(map);
	p->selected = word & EV5_SELECTED;
	if (word & EV5_THIS)
		map->m->slot[slot].pfm.pme = true;
	p->modes[PFM_USER] = user ? 1u << MODE_USER : 0;
	p->modes[PFM_KERNEL] = 0;
	if (!(word & EV5_NO_KERNEL))
		p->modes[PFM_KERNEL] |= 1u << MODE_KERNEL |
					1u << MODE_SUPERVISOR;
	if (!(word & EV5_NO_PAL))
		p->modes[PFM_KERNEL] |= 1u << MODE_EXL;
	pfm_restart(map);
	machine_unlock(map);
	return 0;
}

/* ---- Counters -------------------------------------------------------- */

static const struct fields *
fields_of(unsigned family)
{
	return family == 5 ? &ev5 : &ev6;
}

static u64
field(const struct fields *f, unsigned n, u64 word)
{
	return word >> f->shift[n] & ((1ull << f->bits[n]) - 1);
}

/* The CPUs that a word names: one, or all (255); -EINVAL if it has not. */
static int
cpu_mask(const struct machine *m, const struct fields *f, u64 word)
{
	unsigned cpu = word >> f->cpu_shift & 0xff;

	if (cpu == 0xff)
		return (1 << m->config.topo.tcs) - 1;
	return cpu < m->config.topo.tcs ? 1 << cpu : -EINVAL;
}

static void
write_counter(struct pfm_machine *p, unsigned n, unsigned mask, u64 value)
{
	value &= (1ull << p->shift[n]) - 1;
	for (unsigned cpu = 0; cpu < PFM_CPUS; cpu++)
		if (mask >> cpu & 1)
			pfm_set_rest(p, cpu, n, value, true);
}

int
pfm_act(struct machine_map *map, unsigned family, unsigned action, u64 word)
{
	struct pfm_machine *p = &map->m->pfm;
	const struct fields *f = fields_of(family);
	unsigned select = word & ((1u << f->counters) - 1);
	int mask = cpu_mask(map->m, f, word);

	if (family != pfm_family(&map->m->config) || family == 4 || mask < 0 ||
	    !select)
		return -EINVAL;
	machine_lock(map);
	pfm_settle(map);
	for (unsigned n = 0; n < f->counters; n++) {
		if (!(select >> n & 1))
			continue;
		if (action == PFM_RESTART || action == PFM_CLEAR)
			write_counter(p, n, (unsigned)mask, 0);
		if (action == PFM_SET || action == PFM_ENABLE_WRITE)
			write_counter(p, n, (unsigned)mask,
				      field(f, n, word));
	}
	if (action == PFM_DISABLE) {
		p->on &= (u8)~select;
	} else if (action != PFM_CLEAR && action != PFM_SET) {
		p->on |= (u8)select;
		p->interrupts = true;
	}
	pfm_restart(map);
	machine_unlock(map);
	return 0;
}

int
pfm_registers(struct machine_map *map, unsigned family, u64 *word)
{
	struct pfm_machine *p = &map->m->pfm;
	const struct fields *f = fields_of(family);
	int mask = cpu_mask(map->m, f, *word);
	unsigned cpu;

	if (family != pfm_family(&map->m->config) || family == 4 || mask < 0)
		return -EINVAL;
	cpu = (unsigned)__builtin_ctz((unsigned)mask);
	machine_lock(map);
	pfm_settle(map);
	for (unsigned n = 0; n < f->counters; n++) {
		u64 all = (1ull << f->bits[n]) - 1;

		*word &= ~(all << f->shift[n]);
		*word |= (pfm_rest(p, &p->kept, cpu, n) & all) << f->shift[n];
	}
	machine_unlock(map);
	return 0;
}
