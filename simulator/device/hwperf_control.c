/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Event counters of IRIX: control words, and which events they let count. */
#include "hwperf_internal.h"

#include "machine/pmu.h"

#include <errno.h>
#include <string.h>

#define SIGNAL_MAX 32

static bool
spec_is_good(u16 spec, unsigned event)
{
	unsigned number = spec >> HWPERF_EVENT_SHIFT;

	return !spec || ((!number || number == event % HWPERF_COUNTER_EVENTS) &&
			 spec & HWPERF_MODES);
}

unsigned
hwperf_counted(const struct hwperf_control *control, unsigned event)
{
	return event - event % HWPERF_COUNTER_EVENTS +
	       (control->spec[event] >> HWPERF_EVENT_SHIFT);
}

bool
hwperf_is_empty(const struct hwperf_control *control)
{
	for (unsigned i = 0; i < HWPERF_EVENTS; i++)
		if (control->spec[i])
			return false;
	return true;
}

int
hwperf_check(const struct hwperf_control *control, u32 uid)
{
	u16 all = 0;

	for (unsigned i = 0; i < HWPERF_EVENTS; i++) {
		u16 spec = control->spec[i];
		s32 threshold = control->threshold[i];

		if (!spec_is_good(spec, i) || threshold < 0 ||
		    (threshold && !(spec & HWPERF_IE)))
			return -EINVAL;
		all |= spec;
	}
	if (control->signal < 0 || control->signal > SIGNAL_MAX)
		return -EINVAL;
	return uid && all & (HWPERF_K | HWPERF_S) ? -EPERM : 0;
}

bool
hwperf_wants_system(const struct hwperf_control *control)
{
	for (unsigned i = 0; i < HWPERF_EVENTS; i++)
		if (control->spec[i] & HWPERF_K)
			return true;
	return false;
}

/* The next event of a counter after one of its own, itself if it is alone;
 * the given one if the counter has none. */
static u8
next_event(const struct hwperf_control *control, unsigned counter, u8 event)
{
	unsigned base = counter * HWPERF_COUNTER_EVENTS;

	for (unsigned i = 1; i <= HWPERF_COUNTER_EVENTS; i++) {
		unsigned n = base + (event + i) % HWPERF_COUNTER_EVENTS;

		if (control->spec[n])
			return (u8)n;
	}
	return event;
}

void
hwperf_first(const struct hwperf_control *control,
	     u8 current[HWPERF_COUNTERS])
{
	for (unsigned c = 0; c < HWPERF_COUNTERS; c++)
		current[c] = next_event(control, c,
					(u8)((c + 1) * HWPERF_COUNTER_EVENTS -
					     1));
}

bool
hwperf_next(const struct hwperf_control *control, u8 current[HWPERF_COUNTERS])
{
	bool moved = false;

	for (unsigned c = 0; c < HWPERF_COUNTERS; c++) {
		u8 next = next_event(control, c, current[c]);

		moved |= next != current[c];
		current[c] = next;
	}
	return moved;
}

u32
hwperf_current(const struct hwperf_control *control,
	       const u8 current[HWPERF_COUNTERS])
{
	u32 events = 0;

	for (unsigned c = 0; c < HWPERF_COUNTERS; c++)
		if (control->spec[current[c]])
			events |= 1u << current[c];
	return events;
}

bool
hwperf_is_current(const struct hwperf_process *process, unsigned event)
{
	return process->counting &&
	       hwperf_current(&process->control, process->current) >> event & 1;
}

bool
hwperf_is_r12000(const struct sim_config *config)
{
	int a = pmu_find_event(config, 0, 0);
	int b = pmu_find_event(config, 1, HWPERF_COUNTER_EVENTS);

	return a < 0 || b < 0 || config->event[a].n != config->event[b].n ||
	       memcmp(config->event[a].term, config->event[b].term,
		      config->event[a].n * sizeof config->event[a].term[0]);
}
