/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "channel_ia64.h"

#include "channel.h"
#include "engine.h"
#include "sampling.h"

#include "device/ia64.h"

#include <errno.h>
#include <unistd.h>

/* The process that gets a signal of an interrupt. */
static struct {
	s32 pid;
	int signal;
} wanted;

/* ---- Interrupts ------------------------------------------------------- */

static void watch_all(void);

static void
on_overflow(void *arg, const struct sample *sample)
{
	u32 before = target.map.m->ia64.interrupts;

	(void)arg;
	(void)sample;
	if (ia64_settle(&target.map) != before && wanted.signal &&
	    wanted.pid == getpid())
		sampling_signal(wanted.signal);
	watch_all();
}

/* A watch where a monitor is going to interrupt. */
static void
watch_all(void)
{
	for (unsigned n = 0; n < IA64_MONITORS; n++) {
		struct sample_watch watch = {
			.first = ia64_distance(&target.map, n),
			.fn = on_overflow,
		};

		if (watch.first && !sampling_begin()) {
			watch.select =
				pmu_selection(&target.map.m->counter[n]);
			if (!sample_set(&core, SAMPLING_FREE_WATCH + n,
					&watch))
				continue;
		}
		if (core.sampler)
			sample_clear(&core, SAMPLING_FREE_WATCH + n);
	}
}

void
channel_ia64_start(void)
{
	if (target.config->system == SYSTEM_IA64)
		watch_all();
}

static s64
on_interrupt(u64 signal)
{
	int host = sampling_host_signal((int)signal);

	if (signal && !host)
		return -EINVAL;
	if (signal && sampling_begin())
		return -ENODATA;
	wanted.pid = getpid();
	wanted.signal = signal ? host : 0;
	return 0;
}

/* ---- Operations ------------------------------------------------------- */

static bool
is_write(u32 command)
{
	return command == PMCSIM_IA64_SET_PMC ||
	       command == PMCSIM_IA64_SET_PMD;
}

static s64
set_cpl(u64 cpl)
{
	if (target_slot()->uid != 0)
		return -EPERM;
	return ia64_set_cpl(&target.map, cpl);
}

/* Operations on a register or a mask, which is word[0]. */
static s64
operate(u32 command, u64 *word)
{
	struct machine_map *map = &target.map;
	unsigned cpl = ia64_cpl(map);

	switch (command) {
	case PMCSIM_IA64_SET_PMC:
		return ia64_set_pmc(map, cpl, word[0], word[1]);
	case PMCSIM_IA64_GET_PMC:
		return ia64_get_pmc(map, cpl, word[0], word);
	case PMCSIM_IA64_SET_PMD:
		return ia64_set_pmd(map, cpl, word[0], word[1]);
	case PMCSIM_IA64_GET_PMD:
		return ia64_get_pmd(map, cpl, word[0], word);
	case PMCSIM_IA64_SUM:
	case PMCSIM_IA64_RUM:
		return ia64_user_mask(map, word[0],
				      command == PMCSIM_IA64_SUM);
	case PMCSIM_IA64_SSM:
	case PMCSIM_IA64_RSM:
		return ia64_system_mask(map, cpl, word[0],
					command == PMCSIM_IA64_SSM);
	case PMCSIM_IA64_SET_CPL:
		return set_cpl(word[0]);
	case PMCSIM_IA64_ON_INTERRUPT:
		return on_interrupt(word[0]);
	}
	return -ENOSYS;
}

static s64
ia64_call(struct device_call *call)
{
	s64 result = 0;

	target_settle();
	if (call->command == PMCSIM_IA64_SRLZ_D) {
		ia64_serialize(&target.map);
		call->n = 0;
	} else if (call->command == PMCSIM_IA64_GET_CPL) {
		result = device_call_give(call, ia64_cpl(&target.map));
	} else {
		if (call->n != 1u + is_write(call->command))
			return -ENOSYS;
		result = operate(call->command, call->word);
	}
	watch_all();
	return result;
}

static bool
no_path(const char *path)
{
	(void)path;
	return false;
}

const struct device_file ia64_file = {
	.system = SYSTEM_IA64,
	.match = no_path,
	.call = ia64_call,
};
