/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Children that are about to end: which of several have ended is known once all
 * that executed have come to their end or to where they wait.
 */
#include "children.h"
#include "settle.h"

#include "target/task.h"

#include <unistd.h>

static struct settle children = {
	.what = SETTLES_CHILDREN, .ticks = 20, .seconds = 3};

static void
look_round(void)
{
	pid_t pid[SETTLE_MOST];

	settle_list(&children, pid,
		    task_children(getpid(), gettid(), pid, SETTLE_MOST));
}

bool
children_several(void)
{
	look_round();
	return children.n > 1;
}

void
children_settle(void)
{
	look_round();
	while (!settle_rests(&children))
		settle_pause(&children);
	settle_end(&children);
}
