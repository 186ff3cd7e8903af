/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stretches of what a process executes that are modelled, and those that are only
 * counted.  They end by the machine's clock, but for cycles in which all threads wait:
 * a program that sleeps a lot would have hardly anything in them.
 */
#include "turns_internal.h"

#include "core/fast.h"

void
turns_stretch(u64 cycle)
{
	turns.stretch = cycle;
	alarm_set();
}

u64
turns_stretch_left(void)
{
	u64 busy = turns_busy();

	return turns.stretch > busy ? turns.stretch - busy : 0;
}

u64
turns_alone_left(void)
{
	u64 overdue = record_first_overdue(), now = core_cycle(&core);
	u64 left = turns_stretch_left();

	if (!overdue || (overdue > now && overdue - now > left))
		return left;
	return overdue > now ? overdue - now : 0;
}

bool
stretch_is_over(void)
{
	return turns.stretch && !turns_stretch_left();
}

u64
stretch_end(void)
{
	return turns.stretch ? core_cycle(&core) + turns_stretch_left() : 0;
}

/* No thread is in a block whose next one would be known to be behind it. */
void
turns_rest(void)
{
	pthread_mutex_lock(&turns.lock);
	token_work_off();
	if (!core.counting)
		merge_rest(turns.merge);
	for (struct thread *th = turns.first; th; th = th->next) {
		if (core.counting)
			record_count_last(th);
		th->q.prev = NULL;
		th->q.mark = 0;
	}
	core.prev = &block_none;
	pthread_mutex_unlock(&turns.lock);
}

void
turns_go_on(void)
{
	record_choose();
	if (turns.holder)
		merge_goes_on(turns.merge, &turns.holder->q);
}
