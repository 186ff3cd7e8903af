/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "targets.h"

/* Places that may have been written since all were empty; and how often they have been
 * made so, which a handler of signals may do at any time. */
static struct {
	u16 at[HOST_TARGETS];
	u32 n;
	volatile u32 forgotten;
} used;

static u32
place_of(u64 pc)
{
	return (u32)(pc >> HOST_TARGET_SHIFT) & (HOST_TARGETS - 1);
}

static u32
other_place_of(u64 pc)
{
	return place_of(pc ^ pc >> HOST_TARGET_FOLD);
}

/* What no target at that place has. */
static u64
no_target(u32 at)
{
	return at ? 0 : 1u << HOST_TARGET_SHIFT;
}

static bool
is_free(u32 at)
{
	return host_state.known[at].pc == no_target(at);
}

/* The code of each stays: code that has just found it may be interrupted. */
void
targets_forget(void)
{
	for (u32 i = 0; i < used.n; i++)
		host_state.known[used.at[i]].pc = no_target(used.at[i]);
	host_state.known[0].pc = no_target(0);
	used.n = 0;
	used.forgotten++;
}

static struct host_target *
use(u32 at)
{
	if (is_free(at))
		used.at[used.n++] = (u16)at;
	return &host_state.known[at];
}

static bool
is_there(u32 at, u64 pc)
{
	return host_state.known[at].pc == pc;
}

/* No target has its highest bit set: the place is to be had, and is noted. */
static void
drop_from(u32 at, u64 pc)
{
	if (is_there(at, pc))
		host_state.known[at].pc = ~pc;
}

void
targets_drop(u64 pc)
{
	drop_from(place_of(pc), pc);
	drop_from(other_place_of(pc), pc);
}

static bool
is_to_be_had(u32 at)
{
	return is_free(at) || host_state.known[at].pc >> 63;
}

/* Moves what is there to its other place. */
static void
move_from(u32 at)
{
	const struct host_target *t = &host_state.known[at];
	u32 to = place_of(t->pc);

	if (to == at)
		to = other_place_of(t->pc);
	*use(to) = *t;
}

static struct host_target *
place_for(u64 pc)
{
	u32 at = place_of(pc), other = other_place_of(pc);

	if (is_there(at, pc) || (is_to_be_had(at) && !is_there(other, pc)))
		return use(at);
	if (is_there(other, pc) || is_to_be_had(other))
		return use(other);
	move_from(at);
	return use(at);
}

static void
forget_all(void)
{
	for (u32 at = 0; at < HOST_TARGETS; at++)
		host_state.known[at].pc = no_target(at);
}

void
targets_put(const struct host_target *t)
{
	u32 before = used.forgotten;

	*place_for(t->pc) = *t;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (used.forgotten != before)
		forget_all();
}
