/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What QEMU calls for the target's time(), getrusage(), times() and
 * sysinfo(), whose results are in registers or at addresses out of the reach of
 * plugins. */
#include "clocks.h"

#include "import.h"
#include "turns/turns.h"

void
clocks_start(void)
{
	if (!target.map.m->machine_clock)
		return;
	import_replace("time", (void (*)(void))turns_time);
	import_replace("getrusage", (void (*)(void))turns_rusage);
	import_replace("times", (void (*)(void))turns_times);
	import_replace("sysinfo", (void (*)(void))turns_sysinfo);
}
