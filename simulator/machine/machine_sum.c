/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sums: executions times static counts, branch outcomes, signals of slots,
 * and the ledger's account of the modes that are not executed.  Running
 * processes go on counting while they are read.
 */
#include "machine_internal.h"

#include <string.h>
#include <sys/mman.h>

static u64
load(const u64 *p)
{
	return __atomic_load_n(p, __ATOMIC_RELAXED);
}

/* What branches cost here; a window counts that as it happens. */
static void
outcome_cycles(const struct pipeline_config *pipe, unsigned outcome, u64 n,
	       u64 sum[SIG_N])
{
	if (pipeline_is_window(pipe))
		return;
	if (outcome & OUTCOME_MISS) {
		sum[SIG_CYCLE_KILLED] += n * pipe->mispredict;
		sum[SIG_IFU_REDIRECT] += n * pipe->wrong_bubble;
	}
	if (outcome == OUTCOME_TAKEN)
		sum[SIG_IFU_REDIRECT] += n * pipe->taken_bubble;
}

void
machine_outcomes_add(const struct pipeline_config *pipe,
		     const u64 outcome[2][BRANCH_OUTCOMES], u64 sum[SIG_N])
{
	static const u8 kind[BRANCH_OUTCOMES] = {
		[0] = SIG_BRANCH_RIGHT_NOT,
		[OUTCOME_TAKEN] = SIG_BRANCH_RIGHT_TAKEN,
		[OUTCOME_MISS] = SIG_BRANCH_MISS_NOT,
		[OUTCOME_MISS | OUTCOME_TAKEN] = SIG_BRANCH_MISS_TAKEN,
	};

	for (unsigned shares = 0; shares < 2; shares++) {
		for (unsigned o = 0; o < BRANCH_OUTCOMES; o++) {
			u64 n = load(&outcome[shares][o]);

			sum[SIG_BRANCH_COND] += n;
			if (o & OUTCOME_MISS)
				sum[SIG_BRANCH_MISS] += n;
			sum[kind[o]] += n;
			if (o & OUTCOME_TAKEN)
				sum[SIG_BRANCH_TAKEN] += n;
			else if (shares)
				/* Falls through within its fetch group. */
				sum[SIG_IFETCH] -= n;
			outcome_cycles(pipe, o, n, sum);
		}
	}
}

/* A segment that is added up. */
struct adding {
	const struct machine_segment *segment;
	size_t bytes;
	u64 outcome[2][BRANCH_OUTCOMES];
};

/* Executions that a block's counters have; the branches before it are added to
 * outcome. */
static u64
counters_add(struct adding *a, const struct block *b)
{
	u64 all = 0;

	for (unsigned i = 0; i < BLOCK_COUNTERS; i++) {
		const u64 *at = block_counter_in(a->segment, a->bytes, b, i);
		u64 n = at ? load(at) : 0;

		all += n;
		if (i == BLOCK_BEHIND_TAKEN)
			a->outcome[0][OUTCOME_TAKEN] += n;
		else if (i < BLOCK_BEHIND_TAKEN)
			a->outcome[i - BLOCK_BEHIND_NOT][0] += n;
	}
	return all;
}

static void
block_add(struct adding *a, const struct block *b, u64 sum[SIG_N])
{
	unsigned n = b->n_count + b->n_stall;
	u64 execs = load(&b->execs) + counters_add(a, b);

	if (!execs)
		return;
	for (unsigned i = 0; i < n; i++)
		if (b->count[i].signal < SIG_BLOCK_N)
			sum[b->count[i].signal] += execs * b->count[i].n;
}

/* Loads that were alone, wherever their lines came from: they have missed for
 * so many cycles. */
static void
alone_misses(const struct memory_config *mem, u64 n, u64 cycles,
	     u64 sum[SIG_N])
{
	sum[SIG_DCACHE_MISS] += n;
	sum[SIG_DCACHE_MISS_LOAD] += n;
	sum[SIG_DCACHE_FILL] += n;
	sum[SIG_MISS_OCCUPANCY] += cycles;
	sum[SIG_DCACHE_PENDING] += cycles;
	sum[queue_signal(mem->fsb, 1, SIG_FSB_Q1)] +=
		cycles + n * LINE_BEATS_BEHIND * mem->beat;
}

u32
machine_alone_latency(const struct sim_config *config)
{
	return config->l2.size ? config->l2.latency : config->mem.latency;
}

u32
machine_alone_wait(const struct sim_config *config, unsigned kind)
{
	u32 ready = machine_alone_latency(config), use = kind % ALONE_USES;

	if (kind & ALONE_ADDRESS)
		ready += config->pipe.unit_address;
	return ready > use ? ready - use : 0;
}

/* Those that a reader waits for: what that counts; how many there were. */
static u64
alone_waits(const struct sim_config *config, const u64 waits[ALONE_KINDS],
	    u64 sum[SIG_N])
{
	const struct pipeline_config *pipe = &config->pipe;
	u64 all = 0;

	for (unsigned kind = 0; kind < ALONE_KINDS; kind++) {
		u64 n = load(&waits[kind]);
		u32 wait = machine_alone_wait(config, kind);

		all += n;
		sum[SIG_ALU_DMISS] += n * wait;
		sum[SIG_DCACHE_WAIT] += n * wait;
		if (wait > pipe->long_stall)
			sum[SIG_LONG_STALL] += n;
		if (kind % ALONE_USES == pipe->load_use)
			sum[SIG_REPLAY_USE] += n;
	}
	return all;
}

/* Their lines came while the one before was still being written to the cache
 * for so many cycles. */
static void
alone_behind(const struct memory_config *mem, u64 cycles, u64 sum[SIG_N])
{
	if (mem->fsb == 1) {
		sum[SIG_ALU_FSB] += cycles;
		return;
	}
	sum[queue_signal(mem->fsb, 1, SIG_FSB_Q1)] -= 2 * cycles;
	sum[queue_signal(mem->fsb, 2, SIG_FSB_Q1)] += cycles;
}

/* Lines from memory, n, and from the level behind the first one. */
static void
alone_lines(const struct memory_config *mem, u64 n, u64 clean, u64 modified,
	    u64 sum[SIG_N])
{
	sum[SIG_MEMORY_READ] += n;
	sum[SIG_BUS_BUSY_EDGE] += n;
	sum[SIG_BUS_BUSY] += n * mem->bus_fill;
	sum[SIG_MEMORY_OCCUPANCY] += n * mem->latency;
	sum[SIG_L2_ACCESS] += clean + modified;
	sum[SIG_L2_LOAD_E] += clean;
	sum[SIG_L2_LOAD_M] += modified;
}

void
machine_alone_add(const struct sim_config *config, const u64 alone[ALONE_N],
		  u64 sum[SIG_N])
{
	const struct memory_config *mem = &config->mem;
	u64 waits = alone_waits(config, alone + ALONE_WAITS, sum);
	u64 waits_m = alone_waits(config, alone + ALONE_WAITS_M, sum);
	u64 fills = load(&alone[ALONE_FILLS]), near = config->l2.size;
	u64 clean = load(&alone[ALONE_NEAR_E]) + (near ? waits : 0);
	u64 modified = load(&alone[ALONE_NEAR_M]) + waits_m;
	u64 n = fills + (near ? 0 : waits), all = n + clean + modified;
	u64 cycles = all * machine_alone_latency(config);

	alone_misses(mem, all, cycles, sum);
	alone_lines(mem, n, clean, modified, sum);
	alone_behind(mem, load(&alone[ALONE_BEHIND]), sum);
	sum[SIG_DCACHE_PENDING_EDGE] += fills + waits + waits_m;
	sum[queue_signal(mem->ldq, 1, SIG_LDQ_Q1)] +=
		load(&alone[ALONE_LDQ]) +
		(all - fills) * machine_alone_latency(config);
}

void
segment_add(const struct machine *m, struct machine_segment *segment,
	    size_t bytes, u64 sum[SIG_N])
{
	struct adding a = {.segment = segment, .bytes = bytes};
	size_t offset = MACHINE_FIRST_BLOCK;
	const struct block *b;

	while ((b = segment_block(segment, bytes, &offset)))
		block_add(&a, b, sum);
	machine_outcomes_add(&m->config.pipe, a.outcome, sum);
}

void
slot_rest_add(struct machine_map *map, const struct machine_slot *slot,
	      u64 sum[SIG_N])
{
	machine_outcomes_add(&map->m->config.pipe, slot->outcome, sum);
	machine_alone_add(&map->m->config, slot->alone, sum);
}

void
slot_blocks_add(struct machine_map *map, const struct machine_slot *slot,
		u64 sum[SIG_N])
{
	u32 k = __atomic_load_n(&slot->segment, __ATOMIC_ACQUIRE);
	u32 left = map->m->segments; /* a damaged list may be a circle */

	slot_rest_add(map, slot, sum);
	while (k && left--) {
		struct machine_segment *segment;
		size_t bytes;

		segment = segment_map(map, k, PROT_READ, &bytes);
		if (!segment)
			return;
		segment_add(map->m, segment, bytes, sum);
		k = segment->next;
		munmap(segment, bytes);
	}
}

/* Fetch groups thrown away at taken branches, in tenths: of all that is asked
 * for, so that nothing is lost to rounding on the way. */
static void
discarded_add(const struct pipeline_config *pipe, u64 sum[SIG_N])
{
	u64 taken = sum[SIG_BRANCH_TAKEN] + sum[SIG_JUMP] + sum[SIG_CALL] +
		    sum[SIG_JUMP_IND] + sum[SIG_RETURN];

	sum[SIG_IFETCH] += taken * pipe->discarded_tenths / 10;
}

static void
slot_add(struct machine_map *map, const struct machine_slot *s,
	 struct machine_totals *t)
{
	if (s->mode < MODE_USER) {
		for (unsigned g = 0; g < SIG_N; g++)
			t->executed[s->mode][g] += load(&s->sig[0][g]);
		slot_blocks_add(map, s, t->executed[s->mode]);
		return;
	}
	for (unsigned tc = 0; tc < SIM_MAX_TC; tc++)
		for (unsigned g = 0; g < SIG_N; g++)
			t->sig[tc][g] += load(&s->sig[tc][g]);
	slot_blocks_add(map, s, t->sig[s->tc % SIM_MAX_TC]);
}

static u64
less(u64 all, u64 some)
{
	return all > some ? all - some : 0;
}

/* Accesses load or store, stores either hit or miss, conditional ones store or
 * fail; returns are predicted or not. */
static void
others_add(u64 sum[SIG_N])
{
	sum[SIG_DACCESS_LOAD] = less(sum[SIG_DACCESS], sum[SIG_DACCESS_STORE]);
	sum[SIG_STORE_HIT] = less(sum[SIG_DACCESS_STORE],
				  sum[SIG_DCACHE_MISS_STORE]);
	sum[SIG_SC_FAILED] = less(sum[SIG_INSN_SC], sum[SIG_SC_STORED]);
	sum[SIG_RETURN_PRED] = less(sum[SIG_RETURN],
				    sum[SIG_RETURN_NOPRED]);
}

/* Slot 0 is that of user mode; what the others were added up to. */
static void
totals_start(const struct machine *m, struct machine_totals *t)
{
	memset(t, 0, sizeof *t);
	t->system = m->system;
	if (m->system)
		memcpy(t->executed, m->executed, sizeof t->executed);
}

const struct machine_totals *
machine_totals(struct machine_map *map)
{
	const struct machine *m = map->m;

	totals_start(m, map->totals);
	for (unsigned i = 0; i < m->slots_used; i++)
		if (!i || m->slot[i].state == SLOT_RUNNING)
			slot_add(map, &m->slot[i], map->totals);
	return map->totals;
}

void
machine_totals_copy(struct machine_map *map, struct machine_totals *copy)
{
	machine_lock(map);
	*copy = *machine_totals(map);
	machine_unlock(map);
}

const struct machine_totals *
machine_slot_totals(struct machine_map *map, unsigned slot)
{
	memset(map->totals, 0, sizeof *map->totals);
	slot_add(map, &map->m->slot[slot], map->totals);
	return map->totals;
}

u64
machine_cycles(const u64 sig[SIG_N])
{
	u64 cycles = sig[SIG_CYCLE_ISSUE] + sig[SIG_CYCLE_KILLED];

	for (unsigned g = SIG_IFU_ICACHE; g <= SIG_ALU_WBB; g++)
		cycles += sig[g];
	return cycles;
}

static void
add_all(u64 sum[SIG_N], const u64 more[SIG_N])
{
	for (unsigned g = 0; g < SIG_N; g++)
		sum[g] += more[g];
}

static void
user_signals(const struct sim_config *config, const struct machine_totals *t,
	     int tc, int vpe, u64 sum[SIG_N])
{
	memset(sum, 0, SIG_N * sizeof *sum);
	for (int i = 0; i < SIM_MAX_TC; i++)
		if ((tc < 0 || i == tc) &&
		    (vpe < 0 || config->topo.vpe_of_tc[i] == vpe))
			add_all(sum, t->sig[i]);
	if (config->ledger.tick_cycles && !t->system)
		sum[SIG_OS_TICK] = machine_cycles(sum) /
				   config->ledger.tick_cycles;
}

void
machine_ledger(const struct sim_config *config, const struct machine_totals *t,
	       int tc, u64 times[LEDGER_N])
{
	u64 user[SIG_N];

	user_signals(config, t, tc, -1, user);
	ledger_times(user, times);
}

/* All signals of some modes, with what wrong paths consisted of since then;
 * with begin, that is now. */
static void
all_signals(const struct sim_config *config, const struct machine_totals *t,
	    u32 modes, int tc, int vpe, const struct wrong_path *since,
	    struct wrong_path *begin, u64 sum[SIG_N])
{
	u64 user[SIG_N], times[LEDGER_N];

	user_signals(config, t, tc, vpe, user);
	memset(sum, 0, SIG_N * sizeof *sum);
	if (modes >> MODE_USER & 1)
		add_all(sum, user);
	for (unsigned mode = 0; t->system && mode < MODE_USER; mode++)
		if (modes >> mode & 1 && tc <= 0 && vpe <= 0)
			add_all(sum, t->executed[mode]);
	discarded_add(&config->pipe, sum);
	if (begin)
		wrong_path_note(begin, sum);
	wrong_path_add(sum, since);
	others_add(sum);
	if (t->system)
		return;
	ledger_times(user, times);
	machine_ledger_add(&config->ledger, modes, times, sum);
}

void
machine_totals_begin(const struct sim_config *config,
		     const struct machine_totals *t, u32 modes, int tc,
		     int vpe, struct wrong_path *begin, u64 sum[SIG_N])
{
	all_signals(config, t, modes, tc, vpe, begin, begin, sum);
}

void
machine_totals_since(const struct sim_config *config,
		     const struct machine_totals *t, u32 modes, int tc,
		     int vpe, const struct wrong_path *since, u64 sum[SIG_N])
{
	all_signals(config, t, modes, tc, vpe, since, NULL, sum);
}

void
machine_totals_modes(const struct sim_config *config,
		     const struct machine_totals *t, u32 modes, int tc,
		     int vpe, u64 sum[SIG_N])
{
	static const struct wrong_path beginning;

	machine_totals_since(config, t, modes, tc, vpe, &beginning, sum);
}

void
machine_totals_signals(const struct sim_config *config,
		       const struct machine_totals *t, enum sim_mode mode,
		       int tc, int vpe, u64 sum[SIG_N])
{
	machine_totals_modes(config, t, 1u << mode, tc, vpe, sum);
}

u64
machine_all_cycles(const struct sim_config *config,
		   const struct machine_totals *t, int tc)
{
	u64 sig[SIG_N];

	machine_totals_modes(config, t, (1u << MODE_N) - 1, tc, -1, sig);
	return machine_cycles(sig);
}

u64
machine_cycles_read(struct machine_map *map)
{
	u64 cycles;

	machine_lock(map);
	cycles = machine_all_cycles(&map->m->config, machine_totals(map), -1);
	machine_unlock(map);
	return cycles;
}

void
machine_mode_cycles(struct machine_map *map, u64 cycles[MODE_N])
{
	const struct machine_totals *t;
	u64 sig[SIG_N];

	machine_lock(map);
	t = machine_totals(map);
	for (unsigned mode = 0; mode < MODE_N; mode++) {
		machine_totals_signals(&map->m->config, t, (enum sim_mode)mode,
				       -1, -1, sig);
		cycles[mode] = machine_cycles(sig);
	}
	machine_unlock(map);
}

void
machine_signals(struct machine_map *map, enum sim_mode mode, int tc, int vpe,
		u64 sum[SIG_N])
{
	machine_lock(map);
	machine_totals_signals(&map->m->config, machine_totals(map), mode, tc,
			       vpe, sum);
	machine_unlock(map);
}

void
machine_sums_locked(struct machine_map *map, u64 sum[SIG_N],
		    u64 times[LEDGER_N])
{
	const struct sim_config *config = &map->m->config;
	const struct machine_totals *t = machine_totals(map);

	machine_totals_signals(config, t, MODE_USER, -1, -1, sum);
	machine_ledger(config, t, -1, times);
}

u64
machine_signal(struct machine_map *map, enum sim_signal s, enum sim_mode mode,
	       int tc, int vpe)
{
	u64 sum[SIG_N];

	machine_signals(map, mode, tc, vpe, sum);
	return sum[s];
}
