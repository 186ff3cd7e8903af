/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why counts may be wrong: what the engine has noticed, in words. */
#include "machine_api.h"

#include <string.h>

static const struct {
	const char *name, *text;
} doubt[DOUBT_N] = {
	[DOUBT_CODE_TWICE] = {
		"code_twice",
		"the command has memory mapped twice, to write code in one "
		"place and execute it in the other; the engine goes on "
		"executing the old code where new code is written, so that "
		"its results and counts may be wrong"
	},
	[DOUBT_LOCK_BROKEN] = {
		"lock_broken",
		"a process of the command has kept the machine's lock, which "
		"was taken from it; counts may be wrong"
	},
	[DOUBT_PERIOD] = {
		"period",
		"a process was killed in the midst of a period of --sampled; "
		"cycles, misses and all else that is estimated are not counted "
		"from the beginning of that period on"
	},
	[DOUBT_PRECISION] = {
		"precision",
		"the command has changed the x87's precision between divides "
		"or square roots; they take what the one before asks for"
	},
	[DOUBT_PROCEDURES] = {
		"procedures",
		"more than 64 procedures have the name that was asked for; "
		"calls of the others are not counted"
	},
	[DOUBT_TICKS_MISSED] = {
		"ticks_missed",
		"the command has read the host's cycle counter where the "
		"machine's was meant; what it has done may depend on that"
	},
};

unsigned
pmcsim_machine_doubts(const struct pmcsim_machine *m)
{
	const struct machine *machine = m->map.m;
	u32 doubts = machine->doubts;

	for (u32 i = 1; i < machine->slots_used; i++)
		if (machine->slot[i].state == SLOT_RUNNING &&
		    machine->slot[i].estimates)
			doubts |= 1u << DOUBT_PERIOD;
	return doubts & ((1u << DOUBT_N) - 1);
}

const char *
pmcsim_doubt_name(unsigned n)
{
	return n < DOUBT_N ? doubt[n].name : NULL;
}

const char *
pmcsim_doubt_text(unsigned n)
{
	return n < DOUBT_N ? doubt[n].text : NULL;
}

int
pmcsim_doubt_find(const char *name)
{
	for (unsigned n = 0; n < DOUBT_N; n++)
		if (!strcmp(doubt[n].name, name))
			return (int)n;
	return -1;
}
