/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cycles.h"

#include "target.h"

static u64 base;		/* of the counter, when this program started */
static u64 last;		/* that was read */

/* On the Pentium that of pctr(4), of all programs; else a clock's. */
void
cycles_start(void)
{
	base = target.config->system == SYSTEM_OPENBSD
		       ? machine_cycles_read(&target.map)
		       : MACHINE_UPTIME * target.config->clock_hz;
}

u64
cycles_read(u64 cycle)
{
	if (base + cycle > last)
		last = base + cycle;
	return last;
}
