/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a machine says of itself is looked at before it is believed: a file may
 * be damaged, and a target can write to what it shares with its engine.
 * Counts are what they are; nothing else of them can lead astray.
 */
#include "machine_internal.h"
#include "machine_region.h"

#include <string.h>
#include <sys/stat.h>

/* ---- Truths: a byte that is neither 0 nor 1 is none ------------------- */

struct truth {
	size_t offset;
};

#define TRUTH(type, member) {offsetof(struct type, member)}

static const struct truth of_machine[] = {
	TRUTH(machine, range_extension), TRUTH(machine, parallel),
	TRUTH(machine, machine_clock), TRUTH(machine, seeded),
	TRUTH(machine, merge_always), TRUTH(machine, system),
	TRUTH(machine, stopped), TRUTH(machine, lasting),
	TRUTH(machine, hwperf.system), TRUTH(machine, hwperf.armed),
	TRUTH(machine, hwperf.tool), TRUTH(machine, hwperf.paused),
	TRUTH(machine, hwperf.threads), TRUTH(machine, pfm.interrupts),
	TRUTH(machine, pfm.selected), TRUTH(machine, pfm.caller),
	TRUTH(machine, pfm.sampled), TRUTH(machine, pfm.pairs),
	TRUTH(machine, pfm.user), TRUTH(machine, pfm.kernel),
};

static const struct truth of_counter[] = {
	TRUTH(pmu_counter, interrupt), TRUTH(pmu_counter, invert),
	TRUTH(pmu_counter, edge),
};

static const struct truth of_slot[] = {
	TRUTH(machine_slot, hwperf.ready), TRUTH(machine_slot, hwperf.counting),
	TRUTH(machine_slot, hwperf.of_tool), TRUTH(machine_slot, hwperf.system),
	TRUTH(machine_slot, hwperf.save), TRUTH(machine_slot, pfm.pme),
};

static bool
are_truths(const void *of, const struct truth *truth, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (((const u8 *)of)[truth[i].offset] > 1)
			return false;
	return true;
}

/* ---- Numbers --------------------------------------------------------- */

static bool
is_event(const struct machine *m, s32 event)
{
	return event >= -1 && (!event || event < (s32)m->config.n_events);
}

static bool
is_counter(const struct machine *m, const struct pmu_counter *c)
{
	return are_truths(c, of_counter, SIM_COUNT(of_counter)) &&
	       is_event(m, c->event) && c->scope <= SCOPE_PROCESSOR;
}

static bool
are_counters(const struct machine *m)
{
	if (m->n_counters > SIM_WIDE_COUNTERS)
		return false;
	for (u32 i = 0; i < m->n_counters; i++)
		if (!is_counter(m, &m->counter[i]))
			return false;
	for (u32 i = 0; i < MACHINE_REQUESTS; i++)
		if (m->request[i].actions &&
		    (m->request[i].counter >= m->n_counters ||
		     m->request[i].leader > MACHINE_REQUESTS))
			return false;
	if (m->n_profile > MACHINE_PROFILE)
		return false;
	for (u32 i = 0; i < m->n_profile; i++)
		if (m->profile_counter[i] >= m->n_counters)
			return false;
	return true;
}

static bool
are_current(const u8 current[HWPERF_COUNTERS])
{
	for (unsigned c = 0; c < HWPERF_COUNTERS; c++)
		if (current[c] >= HWPERF_EVENTS)
			return false;
	return true;
}

static bool
is_slot(const struct machine *m, const struct machine_slot *s)
{
	return are_truths(s, of_slot, SIM_COUNT(of_slot)) &&
	       s->state <= SLOT_LEAVING && s->mode < MODE_N &&
	       s->tc < SIM_MAX_TC && s->segment <= m->segments &&
	       s->leaving <= m->segments && are_current(s->hwperf.current);
}

static bool
are_slots(const struct machine *m)
{
	if (!m->slots_used || m->slots_used > MACHINE_SLOTS)
		return false;
	for (u32 i = 0; i < m->slots_used; i++)
		if (!is_slot(m, &m->slot[i]))
			return false;
	return true;
}

static bool
are_devices(const struct machine *m)
{
	const struct pfm_machine *p = &m->pfm;

	for (unsigned i = 0; i < PFM_COUNTERS; i++)
		if (!is_event(m, p->event[i]) || p->shift[i] > 63)
			return false;
	return are_current(m->hwperf.current) &&
	       m->hwperf.ended_used <= HWPERF_ENDED && p->cpu < PFM_CPUS &&
	       p->n_ranges <= PFM_RANGES && p->n_buckets <= PFM_BUCKETS &&
	       m->ia64.now.raised <= 3 && m->ia64.next.raised <= 3;
}

static bool
is_system(const struct machine *m)
{
	if (m->utilities.n > SYSTEM_UTILITIES || m->vectors.n > SYSTEM_VECTORS)
		return false;
	for (u32 i = 0; i < m->vectors.n; i++)
		if (m->vectors.range[i].vector > VECTOR_CALL)
			return false;
	return true;
}

static bool
is_stored(const struct machine *m)
{
	return machine_lock_is_sound(m->lock) &&
	       m->journal.step <= JOURNAL_RETIRE &&
	       m->free_segment <= m->segments &&
	       m->log_first <= m->segments && m->log_last <= m->segments &&
	       m->profile_segment <= m->segments &&
	       memchr(m->cpu_name, 0, sizeof m->cpu_name) &&
	       memchr(m->boot_id, 0, sizeof m->boot_id);
}

static bool
is_configured(const struct machine *m)
{
	return m->config.n_counters <= SIM_MAX_COUNTERS &&
	       m->config.n_events <= SIM_MAX_EVENTS &&
	       m->config.topo.tcs <= SIM_MAX_TC &&
	       (!m->lasting || machine_is_sealed(m));
}

bool
machine_is_sound(const struct machine *m)
{
	return __atomic_load_n(&m->magic, __ATOMIC_ACQUIRE) == MACHINE_MAGIC &&
	       m->version == MACHINE_VERSION &&
	       m->size_check == sizeof(struct machine) &&
	       are_truths(m, of_machine, SIM_COUNT(of_machine)) &&
	       is_configured(m) && are_counters(m) && are_slots(m) &&
	       are_devices(m) && is_system(m) && is_stored(m) &&
	       machine_regions_are_sound(m);
}

/* The file grows before there are more: so the number is read first. */
bool
machine_has_segments(const struct machine *m, int fd)
{
	u64 bytes = (u64)__atomic_load_n(&m->segments, __ATOMIC_ACQUIRE) *
		    MACHINE_SEGMENT + machine_head_bytes();
	struct stat st;

	return !fstat(fd, &st) && (u64)st.st_size >= bytes;
}
