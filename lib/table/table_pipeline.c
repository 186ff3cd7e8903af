/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which kind of pipeline out of order a table's machine has, if another one is
 * asked for. */
#include "table.h"
#include "table_check.h"
#include "table_lines.h"

#include <errno.h>
#include <string.h>

static const struct {
	const char *name;
	enum pipeline_kind kind;
	unsigned most;		/* entries of a queue */
} kinds[] = {
	{"window", PIPELINE_WINDOW, WINDOW_MOST},
	{"interval", PIPELINE_INTERVAL, INTERVAL_MOST},
};

static int chosen = -1;		/* of kinds; -1: as tables say */

int
pmcsim_pipeline_choose(const char *name, struct pmcsim_error *error)
{
	chosen = -1;
	if (!name)
		return 0;
	for (unsigned i = 0; i < SIM_COUNT(kinds); i++)
		if (!strcmp(name, kinds[i].name))
			chosen = (int)i;
	if (chosen >= 0)
		return 0;
	snprintf(error->text, sizeof error->text,
		 "%s: only \"window\" and \"interval\" are known", name);
	return -EINVAL;
}

int
table_pipeline(struct pmcsim_cpu *cpu, struct pmcsim_error *error)
{
	struct pipeline_config *pipe = &cpu->config.pipe;
	const char *path = cpu->file.path;
	unsigned line;

	if (chosen < 0)
		return 0;
	line = table_lines_find(cpu->file.lines, "machine.pipeline");
	if (!pipeline_is_window(pipe))
		return table_error(error, path, line,
				   "its pipeline issues in order, and \"%s\" "
				   "is a kind of issue out of order",
				   kinds[chosen].name);
	for (u32 i = 0; i < pipe->window.queues; i++)
		if (pipe->window.queue[i].entries > kinds[chosen].most)
			return table_error(error, path, line,
					   "a queue has %u entries, and a "
					   "pipeline of kind \"%s\" at most "
					   "%u",
					   pipe->window.queue[i].entries,
					   kinds[chosen].name,
					   kinds[chosen].most);
	if (kinds[chosen].kind == PIPELINE_WINDOW &&
	    table_ports(pipe) > PORTS_EXACT)
		return table_error(error, path, line,
				   "it has ports from p8 on, and a pipeline of "
				   "kind \"window\" p0 to p7");
	if (kinds[chosen].kind == PIPELINE_INTERVAL &&
	    (pipe->window.fetch > INTERVAL_WIDTH ||
	     pipe->window.dispatch > INTERVAL_WIDTH))
		return table_error(error, path, line,
				   "it fetches %u and dispatches %u per "
				   "cycle, and an interval at most %u",
				   pipe->window.fetch, pipe->window.dispatch,
				   INTERVAL_WIDTH);
	pipe->kind = (u8)kinds[chosen].kind;
	return 0;
}
