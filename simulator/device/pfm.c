/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pfm.h"

#include "machine/machine_internal.h"
#include "pfm_internal.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

#define KERNEL_MODES                                                       \
	(1u << MODE_KERNEL | 1u << MODE_SUPERVISOR | 1u << MODE_EXL)

/* ---- Counting -------------------------------------------------------- */

static unsigned
cpus(const struct machine *m)
{
	return m->config.topo.tcs;
}

static bool
is_counting(const struct pfm_machine *p, unsigned n)
{
	return p->interrupts && p->on >> n & 1 && p->event[n] >= 0;
}

/* Adds what all counters have counted in these totals, times sign. */
static void
add_totals(const struct machine *m, const struct machine_totals *t,
	   struct pfm_counts *to)
{
	const struct pfm_machine *p = &m->pfm;

	for (unsigned cpu = 0; cpu < cpus(m); cpu++)
		for (unsigned n = 0; n < PFM_COUNTERS; n++)
			for (unsigned row = 0; row < PFM_ROWS; row++) {
				struct pmu_select select = {
					.event = p->event[n],
					.modes = p->modes[row],
					.scope = SCOPE_TC,
					.scope_id = (u8)cpu,
				};

				to->n[cpu][n][row] +=
					pmu_totals_sum(&m->config, t, &select);
			}
}

/* Adds now - start. */
static void
add(struct pfm_counts *to, const struct pfm_counts *now,
    const struct pfm_counts *start)
{
	const u64 *a = &now->n[0][0][0], *b = &start->n[0][0][0];
	u64 *sum = &to->n[0][0][0];

	for (size_t i = 0; i < sizeof *to / sizeof *sum; i++)
		sum[i] += a[i] > b[i] ? a[i] - b[i] : 0;
}

/* What has been counted by processes with the bit, since they began. */
static void
add_selected(struct machine_map *map, struct pfm_counts *to, bool restart)
{
	struct machine *m = map->m;

	for (unsigned i = 1; i < m->slots_used; i++) {
		struct machine_slot *s = &m->slot[i];
		struct pfm_counts now = {0};

		if (s->state != SLOT_RUNNING || !s->pfm.pme)
			continue;
		add_totals(m, machine_slot_totals(map, i), &now);
		add(to, &now, &s->pfm.start);
		if (restart)
			s->pfm.start = now;
	}
}

/* What has happened since counting began or changed. */
static void
since_start(struct machine_map *map, struct pfm_counts *to, bool restart)
{
	struct pfm_machine *p = &map->m->pfm;
	struct pfm_counts now = {0};

	memset(to, 0, sizeof *to);
	if (p->selected) {
		add_selected(map, to, restart);
	} else {
		add_totals(map->m, machine_totals(map), &now);
		add(to, &now, &p->start);
		if (restart)
			p->start = now;
	}
	for (unsigned n = 0; n < PFM_COUNTERS; n++)
		for (unsigned cpu = 0; cpu < PFM_CPUS; cpu++)
			if (!is_counting(p, n))
				to->n[cpu][n][PFM_USER] =
					to->n[cpu][n][PFM_KERNEL] = 0;
}

static void
add_items(struct pfm_machine *p, struct pfm_counts *kept,
	  struct pfm_counts *levels, const struct pfm_counts *more)
{
	static const struct pfm_counts zero;

	add(kept, more, &zero);
	if (p->items & PFM_ITEM_IPL)
		add(levels, more, &zero);
}

void
pfm_settle(struct machine_map *map)
{
	struct pfm_machine *p = &map->m->pfm;
	struct pfm_counts more;

	since_start(map, &more, true);
	add_items(p, &p->kept, &p->levels, &more);
	if (p->kernel)
		pfm_kernel_settle(map);
}

void
pfm_restart(struct machine_map *map)
{
	struct pfm_machine *p = &map->m->pfm;
	struct pfm_counts dropped;

	since_start(map, &dropped, true);
	for (unsigned n = 0; n < PFM_COUNTERS; n++)
		p->left[n] = (s64)((1ull << p->shift[n]) -
				   pfm_rest(p, &p->kept, p->cpu, n)) *
			     SAMPLE_TENTHS;
	p->changes++;
}

/* The counts as they are now. */
static void
present(struct machine_map *map, struct pfm_counts *kept,
	struct pfm_counts *levels)
{
	struct pfm_counts more;

	*kept = map->m->pfm.kept;
	*levels = map->m->pfm.levels;
	since_start(map, &more, false);
	add_items(&map->m->pfm, kept, levels, &more);
}

/* ---- Open and close -------------------------------------------------- */

static bool
is_alive(s32 pid)
{
	return pid && (!kill(pid, 0) || errno != ESRCH);
}

/* As the device is when it has just been opened: nothing is cleared. */
static void
begin(struct machine_map *map, unsigned mode, unsigned cpu, s32 pid, u64 key)
{
	struct pfm_machine *p = &map->m->pfm;
	unsigned family = pfm_family(&map->m->config);
	bool first = !p->modes[PFM_USER], was_sampled = p->sampled;

	pfm_settle(map);
	p->owner = pid;
	p->key = key;
	p->mode = (u8)mode;
	p->cpu = (u8)cpu;
	p->items = PFM_ITEM_COUNTERS;
	p->interrupts = p->selected = p->caller = false;
	p->user = p->kernel = false;
	p->n_buckets = p->n_ranges = 0;
	p->instructions = PFM_INSTRUCTIONS;
	p->modes[PFM_USER] = 1u << MODE_USER;
	p->modes[PFM_KERNEL] = KERNEL_MODES;
	p->on = family == 4 ? 3 : 0;
	p->sampled = p->pairs = false;
	for (unsigned n = 0; n < PFM_COUNTERS; n++) {
		if (first || was_sampled)
			p->event[n] = -1;
		p->shift[n] = (u8)(family == 6 ? 20 : n == 2 ? 14 : 16);
	}
	if (family == 4)
		p->shift[1] = 12;
	pfm_restart(map);
}

int
pfm_open(struct machine_map *map, unsigned mode, unsigned cpu, s32 pid,
	 u64 key, bool superuser)
{
	struct pfm_machine *p = &map->m->pfm;
	int error = 0;

	if (!pfm_family(&map->m->config))
		return -ENODEV;
	if (mode < PFM_ONE || mode > PFM_ALL)
		return -EINVAL;
	machine_lock(map);
	if (is_alive(p->owner) && !superuser)
		error = -EBUSY;
	else
		begin(map, mode, cpu, pid, key);
	machine_unlock(map);
	return error;
}

int
pfm_check(struct machine_map *map, s32 pid, u64 key)
{
	const struct pfm_machine *p = &map->m->pfm;

	if (p->owner && p->key == key)
		return 0;
	return p->owner ? -EBUSY
			: pfm_open(map, PFM_ALL, 0, pid, key, false);
}

void
pfm_close(struct machine_map *map, s32 pid)
{
	struct pfm_machine *p = &map->m->pfm;

	if (p->owner != pid)
		return;
	machine_lock(map);
	pfm_settle(map);
	p->owner = 0;
	p->interrupts = false;
	p->selected = false;
	pfm_restart(map);
	machine_unlock(map);
}

/* ---- Settings -------------------------------------------------------- */

int
pfm_interrupts(struct machine_map *map, bool on)
{
	struct pfm_machine *p = &map->m->pfm;

	machine_lock(map);
	pfm_settle(map);
	p->interrupts = on;
	if (on && !p->on)
		p->on = (1u << PFM_COUNTERS) - 1;
	pfm_restart(map);
	machine_unlock(map);
	return 0;
}

int
pfm_items(struct machine_map *map, u64 items)
{
	struct pfm_machine *p = &map->m->pfm;

	if (!items || items & ~7ull)
		return -EINVAL;
	machine_lock(map);
	pfm_settle(map);
	p->items = (u8)items;
	if (!(items & PFM_ITEM_PROFILE)) {
		p->user = p->kernel = p->caller = false;
		p->n_buckets = p->n_ranges = 0;
	}
	pfm_restart(map);
	machine_unlock(map);
	return 0;
}

int
pfm_log(struct machine_map *map, bool select, unsigned slot)
{
	machine_lock(map);
	pfm_settle(map);
	map->m->pfm.selected = select;
	if (select)
		map->m->slot[slot].pfm.pme = true;
	pfm_restart(map);
	machine_unlock(map);
	return 0;
}

int
pfm_clear_pme(struct machine_map *map, unsigned slot)
{
	machine_lock(map);
	pfm_settle(map);
	map->m->slot[slot].pfm.pme = false;
	pfm_restart(map);
	machine_unlock(map);
	return 0;
}

static void
read_cycles(struct machine_map *map, u64 cycle[PFM_CPUS])
{
	const struct machine *m = map->m;
	const struct machine_totals *t = machine_totals(map);

	memset(cycle, 0, PFM_CPUS * sizeof *cycle);
	for (unsigned cpu = 0; cpu < cpus(m); cpu++)
		cycle[cpu] = machine_all_cycles(&m->config, t, (int)cpu);
}

int
pfm_clear(struct machine_map *map)
{
	struct pfm_machine *p = &map->m->pfm;

	if (!(p->items & (PFM_ITEM_COUNTERS | PFM_ITEM_IPL)))
		return -EINVAL;
	machine_lock(map);
	pfm_settle(map);
	if (p->items & PFM_ITEM_COUNTERS) {
		for (unsigned cpu = 0; cpu < PFM_CPUS; cpu++)
			for (unsigned n = 0; n < PFM_COUNTERS; n++)
				pfm_set_rest(p, cpu, n,
					     pfm_rest(p, &p->kept, cpu, n),
					     false);
		read_cycles(map, p->cycle);
	}
	if (p->items & PFM_ITEM_IPL)
		memset(&p->levels, 0, sizeof p->levels);
	machine_unlock(map);
	return 0;
}

/* ---- Reading --------------------------------------------------------- */

/* The CPUs that are told apart: of the first one on, or all in one. */
static unsigned
rows_of(const struct machine *m)
{
	return m->pfm.mode == PFM_EACH ? cpus(m) : 1;
}

static bool
is_in_row(const struct machine *m, unsigned row, unsigned cpu)
{
	const struct pfm_machine *p = &m->pfm;

	return p->mode == PFM_ALL || cpu == (p->mode == PFM_ONE ? p->cpu : row);
}

int
pfm_counts(struct machine_map *map, unsigned family, bool full,
	   u64 count[PFM_CPUS][1 + PFM_COUNTERS], unsigned *rows)
{
	struct machine *m = map->m;
	struct pfm_counts kept, levels;
	u64 cycle[PFM_CPUS];

	if (family != pfm_family(&m->config) ||
	    !(m->pfm.items & PFM_ITEM_COUNTERS))
		return -EINVAL;
	machine_lock(map);
	present(map, &kept, &levels);
	read_cycles(map, cycle);
	machine_unlock(map);
	*rows = rows_of(m);
	memset(count, 0, *rows * sizeof *count);
	for (unsigned row = 0; row < *rows; row++)
		for (unsigned cpu = 0; cpu < cpus(m); cpu++) {
			if (!is_in_row(m, row, cpu))
				continue;
			count[row][0] += cycle[cpu] - m->pfm.cycle[cpu];
			for (unsigned n = 0; n < PFM_COUNTERS; n++)
				count[row][1 + n] +=
					pfm_total(&kept, cpu, n) >>
					(full ? 0 : m->pfm.shift[n]);
		}
	return 0;
}

int
pfm_levels(struct machine_map *map, u64 level[PFM_CPUS][PFM_LEVELS],
	   unsigned *rows)
{
	struct machine *m = map->m;
	struct pfm_counts kept, levels;

	if (!(m->pfm.items & PFM_ITEM_IPL))
		return -EINVAL;
	machine_lock(map);
	present(map, &kept, &levels);
	machine_unlock(map);
	*rows = rows_of(m);
	memset(level, 0, *rows * sizeof *level);
	for (unsigned row = 0; row < *rows; row++)
		for (unsigned cpu = 0; cpu < cpus(m); cpu++)
			for (unsigned n = 0; n < PFM_COUNTERS; n++) {
				u64 all = pfm_total(&levels, cpu, n) >>
					  m->pfm.shift[n];
				u64 user = levels.n[cpu][n][PFM_USER] >>
					   m->pfm.shift[n];

				if (!is_in_row(m, row, cpu) ||
				    (m->pfm.sampled && n != 1))
					continue;
				level[row][PFM_LEVEL_USER] += user;
				level[row][0] += all - user;
			}
	return 0;
}

/* ---- Processes ------------------------------------------------------- */

void
pfm_start(struct machine_map *map, unsigned slot, bool pme)
{
	struct pfm_process *process = &map->m->slot[slot].pfm;

	memset(process, 0, sizeof *process);
	process->pme = pme;
}

void
pfm_leave(struct machine_map *map, unsigned slot)
{
	struct pfm_process *process = &map->m->slot[slot].pfm;

	if (!process->pme)
		return;
	machine_lock(map);
	if (map->m->pfm.selected)
		pfm_settle(map);
	process->pme = false;
	machine_unlock(map);
}
