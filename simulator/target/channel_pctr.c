/* SPDX-License-Identifier: GPL-2.0-or-later */
/* /dev/pctr for the target. */
#include "channel.h"
#include "engine.h"

#include "device/pctr.h"

#include <errno.h>

static bool
may_write(const char *path)
{
	(void)path;
	return process_uid() == 0;
}

static s64
read_state(struct device_call *call)
{
	struct pctr_state state;
	u64 *word = call->word;

	if (call->room < 2 * PCTR_COUNTERS + 2)
		return -EINVAL;
	target_settle();
	pctr_read(&target.map, &state);
	for (unsigned n = 0; n < PCTR_COUNTERS; n++)
		*word++ = state.function[n];
	*word++ = state.tsc;
	for (unsigned n = 0; n < PCTR_COUNTERS; n++)
		*word++ = state.counter[n];
	*word++ = state.idle;
	call->n = (size_t)(word - call->word);
	return 0;
}

static s64
set_function(struct device_call *call, unsigned counter)
{
	int error;

	if (!call->n)
		return -EFAULT;
	if (call->n != 1 || call->word[0] > UINT32_MAX)
		return -EINVAL;
	call->n = 0;
	target_settle();
	error = pctr_select(&target.map, counter, (u32)call->word[0],
			    call->writable);
	return error ? error : target_look();
}

static s64
read_counter(u64 *word)
{
	if (*word >= PCTR_COUNTERS ||
	    target.config->n_counters < PCTR_COUNTERS)
		return -EINVAL;
	target_settle();
	*word = pmu_read_register(&target.map, (unsigned)*word);
	return 0;
}

static s64
pctr_call(struct device_call *call)
{
	switch (call->command) {
	case PMCSIM_PCIOCRD:
		return read_state(call);
	case PMCSIM_PCIOCS0:
		return set_function(call, 0);
	case PMCSIM_PCIOCS1:
		return set_function(call, 1);
	case PMCSIM_PCTR_CPUID:
		return device_call_give(call, pctr_cpuid(target.config));
	case PMCSIM_PCTR_RDTSC:
		return target.timing ? device_call_give(call, engine->ticks())
				     : -ENODATA;
	case PMCSIM_PCTR_RDPMC:
		return call->n == 1 ? read_counter(call->word) : -EINVAL;
	}
	return -EINVAL;
}

const struct device_file pctr_file = {
	.system = SYSTEM_OPENBSD,
	.path = "/dev/pctr",
	.like = {"/dev", "null"},
	.may_write = may_write,
	.call = pctr_call,
};
