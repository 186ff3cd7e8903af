/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Slots: taken by processes, handed on by fork, merged when they end. */
#include "machine_internal.h"

#include "ahead.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>

static struct machine_slot *
journal_slot(struct machine *m)
{
	return &m->slot[m->journal.slot % MACHINE_SLOTS];
}

/* Zeroes the executions of a segment's blocks. */
static void
segment_clear(struct machine_segment *segment, size_t bytes)
{
	size_t offset = MACHINE_FIRST_BLOCK;
	struct block *b;

	while ((b = segment_block(segment, bytes, &offset)))
		block_clear(b);
}

/* The same of all segments of a list. */
static void
blocks_clear(struct machine_map *map, u32 k)
{
	u32 left = map->m->segments;

	while (k && left--) {
		struct machine_segment *segment;
		size_t bytes;

		segment = segment_map(map, k, PROT_READ | PROT_WRITE, &bytes);
		if (!segment)
			return;
		segment_clear(segment, bytes);
		k = segment->next;
		munmap(segment, bytes);
	}
}

/* Where a slot's counts go when it ends; slots of other modes than user have
 * one context. */
static u64 *
ended_sig(struct machine *m, const struct machine_slot *s, u32 tc)
{
	return s->mode < MODE_USER ? m->executed[s->mode] : m->slot[0].sig[tc];
}

static u32
context_count(const struct machine_slot *s)
{
	return s->mode < MODE_USER ? 1 : SIM_MAX_TC;
}

/* What a slot has counted beside its blocks and signals. */
static void
clear_rest(struct machine_slot *s)
{
	memset(s->outcome, 0, sizeof s->outcome);
	memset(s->alone, 0, sizeof s->alone);
}

/* All of a fold but for the blocks. */
static void
take_sums(struct machine *m)
{
	const struct machine_journal *j = &m->journal;
	struct machine_slot *s = journal_slot(m);

	memcpy(s->sig[j->tc % SIM_MAX_TC], j->sum, sizeof j->sum);
	clear_rest(s);
}

static void
apply_fold(struct machine_map *map)
{
	take_sums(map->m);
	blocks_clear(map, journal_slot(map->m)->segment);
}

static void
apply_retire(struct machine_map *map)
{
	struct machine_journal *j = &map->m->journal;
	struct machine_slot *s = journal_slot(map->m);
	u32 tc = j->tc % SIM_MAX_TC;

	memcpy(ended_sig(map->m, s, tc), j->sum, sizeof j->sum);
	memset(s->sig[tc], 0, sizeof s->sig[tc]);
	if (s->tc % SIM_MAX_TC == tc) {
		s->leaving = j->segment;
		s->segment = 0;
		clear_rest(s);
	}
}

static void
journal_end(struct machine_map *map)
{
	__atomic_store_n(&map->m->journal.step, JOURNAL_NONE, __ATOMIC_RELEASE);
}

/* Each step may be repeated: it stores, and does not add. */
void
journal_apply(struct machine_map *map)
{
	struct machine_journal *j = &map->m->journal;

	switch (j->step) {
	case JOURNAL_FOLD:
		apply_fold(map);
		break;
	case JOURNAL_RETIRE:
		apply_retire(map);
		break;
	}
	journal_end(map);
}

/* From here on the step will be done, by us or by the next one that takes
 * the lock. */
static void
journal_begin(struct machine_map *map, enum journal_step step)
{
	__atomic_store_n(&map->m->journal.step, (u32)step, __ATOMIC_SEQ_CST);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
}

void
machine_slot_fold(struct machine_map *map, unsigned slot,
		  struct machine_segment *const own[], unsigned n)
{
	struct machine_journal *j = &map->m->journal;
	struct machine_slot *s = &map->m->slot[slot];

	machine_lock(map);
	j->slot = slot;
	j->tc = s->tc % SIM_MAX_TC;
	memcpy(j->sum, s->sig[j->tc], sizeof j->sum);
	slot_rest_add(map, s, j->sum);
	for (unsigned i = 0; i < n; i++)
		segment_add(map->m, own[i], own[i]->used, j->sum);
	journal_begin(map, JOURNAL_FOLD);
	take_sums(map->m);
	for (unsigned i = 0; i < n; i++)
		segment_clear(own[i], own[i]->used);
	journal_end(map);
	machine_unlock(map);
}

void
machine_slot_look(struct machine_map *map, unsigned slot, unsigned tc,
		  struct machine_segment *const own[], unsigned n,
		  u64 sum[SIG_N])
{
	const struct machine_slot *s = &map->m->slot[slot];

	memcpy(sum, s->sig[tc], sizeof s->sig[tc]);
	if (s->tc % SIM_MAX_TC != tc)
		return;
	slot_rest_add(map, s, sum);
	for (unsigned i = 0; i < n; i++)
		segment_add(map->m, own[i], own[i]->used, sum);
}

/* Gives the segments back and frees the slot, if no child needs them. */
static void
slot_release(struct machine_map *map, struct machine_slot *s)
{
	if (s->forks) {
		s->state = SLOT_LEAVING;
		return;
	}
	segments_free(map, &s->leaving);
	s->estimates = 0;
	s->pid = 0;
	s->parent = 0;
	s->tc = 0;
	s->state = SLOT_FREE;
}

void
machine_slot_retire_locked(struct machine_map *map, unsigned slot)
{
	struct machine_journal *j = &map->m->journal;
	struct machine_slot *s = &map->m->slot[slot];

	for (u32 tc = 0; tc < context_count(s); tc++) {
		const u64 *ended = ended_sig(map->m, s, tc);

		j->slot = slot;
		j->tc = tc;
		j->segment = s->segment ? s->segment : s->leaving;
		memset(j->sum, 0, sizeof j->sum);
		if (tc == s->tc % SIM_MAX_TC)
			slot_blocks_add(map, s, j->sum);
		for (unsigned i = 0; i < SIG_N; i++)
			j->sum[i] += ended[i] + s->sig[tc][i];
		journal_begin(map, JOURNAL_RETIRE);
		journal_apply(map);
	}
	if (s->estimates)
		machine_doubt(map->m, DOUBT_PERIOD);
	slot_release(map, s);
}

void
machine_slot_retire(struct machine_map *map, unsigned slot)
{
	machine_lock(map);
	if (map->m->slot[slot].state == SLOT_RUNNING)
		machine_slot_retire_locked(map, slot);
	machine_unlock(map);
}

bool
machine_is_dead(s32 pid)
{
	return kill(pid, 0) && errno == ESRCH;
}

/* A slot that is free, has never been used, or whose owner has died. */
static int
slot_find(struct machine_map *map)
{
	struct machine *m = map->m;
	unsigned n = m->slots_used;
	int error;

	for (unsigned i = 1; i < n; i++)
		if (m->slot[i].state == SLOT_FREE)
			return (int)i;
	if (n < MACHINE_SLOTS) {
		error = machine_reserve(map, offsetof(struct machine, slot) +
					n * sizeof m->slot[0],
					sizeof m->slot[0]);
		if (error)
			return error;
		m->slots_used++;
		return (int)n;
	}
	for (unsigned i = 1; i < n; i++) {
		if (m->slot[i].state != SLOT_RUNNING ||
		    !machine_is_dead(m->slot[i].pid))
			continue;
		machine_slot_retire_locked(map, i);
		if (m->slot[i].state == SLOT_FREE)
			return (int)i;
	}
	return -EAGAIN;
}

int
machine_slot_take(struct machine_map *map, s32 pid, s32 parent)
{
	int slot;

	machine_lock(map);
	slot = slot_find(map);
	if (slot > 0) {
		struct machine_slot *s = &map->m->slot[slot];

		s->pid = pid;
		s->parent = parent;
		s->pids = map->pids;
		s->first = 0;
		s->tc = 0;
		s->image = ++map->m->images;
		s->uid = map->m->uid;
		s->mode = MODE_USER;
		s->settles = SETTLES_NOTHING;
		memset(&s->hwperf, 0, sizeof s->hwperf);
		memset(&s->pfm, 0, sizeof s->pfm);
		__atomic_store_n(&s->state, SLOT_RUNNING, __ATOMIC_RELEASE);
	}
	machine_unlock(map);
	return slot;
}

void
machine_fork_prepare(struct machine_map *map, unsigned slot)
{
	machine_lock(map);
	map->m->slot[slot].forks++;
	machine_unlock(map);
}

void
machine_fork_cancel(struct machine_map *map, unsigned slot)
{
	struct machine_slot *s = &map->m->slot[slot];

	machine_lock(map);
	if (s->forks)
		s->forks--;
	if (s->state == SLOT_LEAVING)
		slot_release(map, s);
	machine_unlock(map);
}

/* Copies a parent's segment into one of the child, and puts it in its
 * place.  The parent may note in its blocks meanwhile where its lines are. */
static int
segment_replace(struct machine_map *map, unsigned slot, void *old, size_t used)
{
	const struct machine_segment *from = old;
	struct machine_segment *to = machine_segment_take(map, slot, NULL);
	size_t offset = MACHINE_FIRST_BLOCK;
	struct block *b;

	if (!to)
		return -ENOSPC;
	if (used > MACHINE_SEGMENT || used < MACHINE_FIRST_BLOCK)
		used = MACHINE_FIRST_BLOCK;
	ahead_of_reads(old, used);
	ahead_of_writes(to, used);
	memcpy((char *)to + offset, (const char *)from + offset,
	       used - offset);
	while ((b = segment_block(to, used, &offset))) {
		block_clear(b);
		block_forget_slots(b);
	}
	__atomic_store_n(&to->used, (u32)used, __ATOMIC_RELEASE);
	if (mremap(to, MACHINE_SEGMENT, MACHINE_SEGMENT,
		   MREMAP_MAYMOVE | MREMAP_FIXED, old) == MAP_FAILED)
		return -errno;
	return 0;
}

int
machine_fork_child(struct machine_map *map, unsigned parent_slot, s32 pid,
		   s32 parent, struct machine_segment **seg, const u32 *used,
		   unsigned n)
{
	int slot, error = 0;

	machine_lock_look(map);
	slot = machine_slot_take(map, pid, parent);

	if (slot > 0) {
		map->m->slot[slot].tc = map->m->slot[parent_slot].tc;
		map->m->slot[slot].uid = map->m->slot[parent_slot].uid;
		for (unsigned i = 0; i < n && !error; i++)
			error = segment_replace(map, (unsigned)slot, seg[i],
						used[i]);
		if (error) {
			machine_slot_retire(map, (unsigned)slot);
			slot = error;
		}
	}
	machine_fork_cancel(map, parent_slot);
	return slot;
}
