/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dumpable.h"

#include <errno.h>
#include <sys/prctl.h>

static int told = 1;		/* what the target is */

static void
look(void)
{
	int now = prctl(PR_GET_DUMPABLE, 0, 0, 0, 0);

	if (now == 1 || now < 0)
		return;
	told = now;
	prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
}

void
dumpable_begin(void)
{
	look();
}

void
dumpable_called(enum call call)
{
	if (call == CALL_RIGHTS || call == CALL_PRCTL)
		look();
}

int
dumpable_get(void)
{
	return told;
}

int
dumpable_set(u64 value)
{
	if (value > 1)
		return -EINVAL;
	told = (int)value;
	return 0;
}
