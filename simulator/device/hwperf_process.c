/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Event counters of IRIX: what becomes of them when processes fork, execute,
 * end and are waited for.
 */
#include "hwperf_internal.h"

#include "machine/machine_internal.h"

#include <errno.h>
#include <string.h>

static void
add(struct hwperf_values *to, const struct hwperf_values *from)
{
	for (unsigned i = 0; i < HWPERF_EVENTS; i++) {
		to->value[i] += from->value[i];
		to->cycles[i] += from->cycles[i];
		to->turns[i] += from->turns[i];
		to->squares[i] += from->squares[i];
	}
	to->all_cycles += from->all_cycles;
}

/* A parent gets what a child has counted, also if it has never counted. */
static void
adopt(struct hwperf_process *parent, const struct hwperf_values *child)
{
	if (!parent->generation)
		parent->generation = 1;
	add(&parent->counters.sum, child);
	for (unsigned i = 0; i < HWPERF_EVENTS; i++)
		parent->children[i] += child->value[i];
}

static struct hwperf_process *
process(struct machine_map *map, unsigned slot)
{
	return &map->m->slot[slot].hwperf;
}

/* The slot of a process that lives; 0: none. */
static unsigned
slot_of(const struct machine *m, s32 pid)
{
	for (unsigned i = 1; i < m->slots_used; i++)
		if (m->slot[i].state == SLOT_RUNNING && m->slot[i].pid == pid)
			return i;
	return 0;
}

/* ---- fork and execve ------------------------------------------------- */

void
hwperf_fork(struct machine_map *map, unsigned child,
	    const struct hwperf_process *parent)
{
	struct hwperf_process *p = process(map, child);

	machine_lock(map);
	*p = *parent;
	memset(&p->counters, 0, sizeof p->counters);
	memset(p->calls, 0, sizeof p->calls);
	memset(p->bytes, 0, sizeof p->bytes);
	memset(p->children, 0, sizeof p->children);
	memset(p->told, 0, sizeof p->told);
	hwperf_wind(p);
	p->system = false;
	p->released = false;
	p->save = false;
	p->ready = true;
	p->changes++;
	machine_unlock(map);
}

void
hwperf_leave(struct machine_map *map, unsigned slot,
	     struct hwperf_process *copy)
{
	machine_lock(map);
	hwperf_settle(map, slot);
	*copy = *process(map, slot);
	process(map, slot)->counting = false;
	machine_unlock(map);
}

void
hwperf_arrive(struct machine_map *map, unsigned slot,
	      const struct hwperf_process *copy)
{
	struct hwperf_process *p = process(map, slot);

	machine_lock(map);
	*p = *copy;
	memset(p->counters.start, 0, sizeof p->counters.start);
	memset(p->counters.taken, 0, sizeof p->counters.taken);
	p->counters.start_cycles = 0;
	p->changes++;
	machine_unlock(map);
}

/* ---- exit and wait --------------------------------------------------- */

static void
keep(struct hwperf_machine *h, const struct machine_slot *s)
{
	unsigned i = 0;

	while (i < h->ended_used && h->ended[i].pid)
		i++;
	if (i == HWPERF_ENDED) {
		h->n_lost++;
		return;
	}
	if (i == h->ended_used)
		h->ended_used++;
	h->ended[i] = (struct hwperf_ended){
		.pid = s->pid,
		.parent = s->parent,
		.sum = s->hwperf.counters.sum,
	};
}

/* What it had from its own children and did not wait for is dropped. */
static void
forget_children(struct hwperf_machine *h, s32 pid)
{
	for (unsigned i = 0; i < h->ended_used; i++)
		if (h->ended[i].pid && h->ended[i].parent == pid)
			h->ended[i].pid = 0;
}

/* A tool wants to know what each process has counted. */
static void
note(struct hwperf_machine *h, const struct machine_slot *s)
{
	u32 at = h->n_log++;
	struct hwperf_log *log;

	if (at >= HWPERF_LOG)
		return;
	log = &h->log[at];
	log->pid = s->pid;
	log->tid = 0;
	for (unsigned i = 0; i < HWPERF_EVENTS; i++)
		log->value[i] = s->hwperf.counters.sum.value[i] -
				s->hwperf.children[i];
}

/* A process has ended: its counts go on, to where they belong. */
static void
hand_on(struct machine_map *map, unsigned slot)
{
	struct machine *m = map->m;
	struct hwperf_machine *h = &m->hwperf;
	struct machine_slot *s = &m->slot[slot];
	struct hwperf_process *p = &s->hwperf;
	unsigned parent = slot_of(m, s->parent);

	hwperf_settle(map, slot);
	p->counting = false;
	forget_children(h, s->pid);
	if (p->system)
		hwperf_system_end(map);
	if (!p->generation)
		return;
	note(h, s);
	if (h->threads)
		hwperf_threads_estimates(m, slot);
	if (s->pid == h->first) {
		add(&h->total, &p->counters.sum);
		h->first = 0;
	} else if (parent && p->save) {
		adopt(process(map, parent), &p->counters.sum);
	} else if (parent) {
		keep(h, s);
	}
	p->generation = 0;
}

void
hwperf_exit(struct machine_map *map, unsigned slot)
{
	machine_lock(map);
	hand_on(map, slot);
	machine_unlock(map);
}

/* The counts of children that have ended by themselves and been waited for;
 * their cycles. */
static u64
take_ended(struct machine_map *map, unsigned slot)
{
	struct hwperf_machine *h = &map->m->hwperf;
	s32 pid = map->m->slot[slot].pid;
	u64 cycles = 0;

	for (unsigned i = 0; i < h->ended_used; i++) {
		struct hwperf_ended *e = &h->ended[i];

		if (!e->pid || e->parent != pid || !machine_is_dead(e->pid))
			continue;
		adopt(process(map, slot), &e->sum);
		cycles += e->sum.all_cycles;
		e->pid = 0;
	}
	return cycles;
}

/* A child that was killed could not hand on anything; its slot, or 0. */
static unsigned
killed_child(struct machine_map *map, s32 parent)
{
	struct machine *m = map->m;

	for (unsigned i = 1; i < m->slots_used; i++)
		if (m->slot[i].state == SLOT_RUNNING &&
		    m->slot[i].parent == parent && machine_is_dead(m->slot[i].pid))
			return i;
	return 0;
}

u64
hwperf_wait(struct machine_map *map, unsigned slot)
{
	s32 pid = map->m->slot[slot].pid;
	unsigned child;
	u64 cycles;

	machine_lock(map);
	while ((child = killed_child(map, pid))) {
		hand_on(map, child);
		machine_slot_retire_locked(map, child);
	}
	cycles = take_ended(map, slot);
	machine_unlock(map);
	return cycles;
}

/* ---- Tools ----------------------------------------------------------- */

int
hwperf_arm(struct machine_map *map, const struct hwperf_control *control)
{
	struct hwperf_machine *h = &map->m->hwperf;
	int error = hwperf_check(control, 0);

	if (!error && hwperf_is_empty(control))
		error = -EINVAL;
	if (error)
		return error;
	machine_lock(map);
	h->armed = true;
	h->tool = true;
	h->unrepeatable = map->m->unrepeatable;
	h->arm = *control;
	h->first = 0;
	memset(&h->total, 0, sizeof h->total);
	h->n_log = 0;
	h->n_samples = 0;
	h->n_lost = 0;
	machine_unlock(map);
	return 0;
}

bool
hwperf_unrepeatable(const struct machine *m)
{
	return m->hwperf.tool && m->hwperf.unrepeatable != m->unrepeatable;
}

void
hwperf_start(struct machine_map *map, unsigned slot)
{
	struct hwperf_machine *h = &map->m->hwperf;
	bool armed;

	machine_lock(map);
	process(map, slot)->ready = true;
	armed = h->armed;
	h->armed = false;
	if (armed) {
		hwperf_begin(map, slot, &h->arm);
		process(map, slot)->of_tool = true;
		process(map, slot)->counting = !h->paused;
		h->first = map->m->slot[slot].pid;
	}
	machine_unlock(map);
}

void
hwperf_total(struct machine_map *map, struct hwperf_values *sum)
{
	struct hwperf_machine *h = &map->m->hwperf;
	unsigned slot;

	machine_lock(map);
	slot = h->first ? slot_of(map->m, h->first) : 0;
	*sum = h->total;
	if (slot) {
		hwperf_settle(map, slot);
		add(sum, &process(map, slot)->counters.sum);
	}
	machine_unlock(map);
}
