/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks of a pipeline with a window: relations between its parameters. */
#include "table_check.h"
#include "table_classes.h"

#define AT "machine.pipeline.window"

static int
check_decoders(struct table_check *check, const struct window_config *w)
{
	for (u32 i = 0; i < w->decoders; i++) {
		table_at(check, AT ".decode[%u]", i);
		if (!w->decode[i] || w->decode[i] > 16)
			return table_fail(check,
					  "a decoder makes 1 to 16 micro-ops, "
					  "not %u",
					  w->decode[i]);
		if (i && w->decode[i] > w->decode[0])
			return table_fail(check,
					  "decoder %u makes more micro-ops "
					  "than the first",
					  i);
	}
	return 0;
}

static int
check_queues(struct table_check *check, const struct pipeline_config *pipe)
{
	const struct window_config *w = &pipe->window;
	unsigned most = pipe->kind == PIPELINE_INTERVAL ? INTERVAL_MOST
							: WINDOW_MOST;

	for (u32 i = 0; i < w->queues; i++) {
		table_at(check, AT ".queues[%u].entries", i);
		if (!w->queue[i].entries || w->queue[i].entries > most)
			return table_fail(check,
					  "entries is %u, but can be 1 to %u",
					  w->queue[i].entries, most);
	}
	table_at(check, AT ".queues[0].holds");
	if (w->queue[0].holds != HOLD_ALL)
		return table_fail(check,
				  "the first queue is the reorder list and "
				  "holds all");
	table_at(check, AT ".queues[0].until");
	if (w->queue[0].until != UNTIL_RETIRE)
		return table_fail(check,
				  "the first queue is the reorder list and "
				  "holds until retire");
	return 0;
}

static int
check_ports(struct table_check *check, const struct window_config *w)
{
	table_at(check, AT ".load_ports");
	if (!w->load_ports)
		return table_fail(check, "loads need a port");
	table_at(check, AT ".store_ports");
	if (!w->store_ports)
		return table_fail(check, "stores need a port");
	table_at(check, AT ".branch_ports");
	if (!w->branch_ports)
		return table_fail(check, "branches need a port");
	table_at(check, AT ".data_ports");
	if (w->split && !w->data_ports)
		return table_fail(check, "store data, which is split off, "
					 "needs a port");
	if (!w->split && w->data_ports)
		return table_fail(check, "store data is not split off, and so "
					 "uses no port");
	table_at(check, AT ".data_ports_fp");
	if (!w->split && w->data_ports_fp)
		return table_fail(check, "store data is not split off, and so "
					 "uses no port");
	return 0;
}

/* What is busy for more than a cycle has a number. */
static int
check_classes(struct table_check *check, const struct pipeline_config *pipe)
{
	static const char *const name[CLASS_N] = {
#define NAME(id, name) [CLASS_##id] = name,
		TABLE_CLASSES(NAME)
#undef NAME
#define NAME(id, name, like) [CLASS_##id] = name,
		TABLE_OPTIONAL_CLASSES(NAME)
#undef NAME
	};

	for (unsigned i = 0; i < CLASS_N; i++) {
		const struct class_config *cls = &pipe->cls[i];

		table_at(check, "machine.pipeline.classes.%s", name[i]);
		if (cls->repeat > 1 && !cls->busy)
			return table_fail(check,
					  "repeat is %u: say what is busy then",
					  cls->repeat);
	}
	return 0;
}

static int
check_forward(struct table_check *check, const struct pipeline_config *pipe)
{
	const struct window_config *w = &pipe->window;

	table_at(check, AT ".forward_part");
	if (w->forward_part < w->forward)
		return table_fail(check, "forward_part is %u, less than "
					 "forward",
				  w->forward_part);
	if (w->forward_part && !w->forward)
		return table_fail(check, "forward_part needs forward");
	return 0;
}

/* The exact window has a place for each micro-op. */
static int
check_joins(struct table_check *check, const struct pipeline_config *pipe)
{
	const struct window_config *w = &pipe->window;

	table_at(check, AT ".joins");
	if (w->joins && pipe->kind != PIPELINE_INTERVAL)
		return table_fail(check, "needs a pipeline of kind "
					 "\"interval\"");
	if (w->joins && !w->split)
		return table_fail(check, "nothing is split that could be joined");
	return 0;
}

static int
check_interval(struct table_check *check, const struct pipeline_config *pipe)
{
	const struct window_config *w = &pipe->window;

	if (pipe->kind != PIPELINE_INTERVAL)
		return 0;
	table_at(check, AT ".fetch");
	if (w->fetch > INTERVAL_WIDTH)
		return table_fail(check,
				  "fetch is %u, but by intervals can be 1 to "
				  "%u", w->fetch, INTERVAL_WIDTH);
	table_at(check, AT ".dispatch");
	if (w->dispatch > INTERVAL_WIDTH)
		return table_fail(check,
				  "dispatch is %u, but by intervals can be 1 "
				  "to %u", w->dispatch, INTERVAL_WIDTH);
	return 0;
}

int
table_check_window(struct table_check *check)
{
	const struct sim_config *config = &check->file->cpu->config;
	const struct window_config *w = &config->pipe.window;
	int rc = check_ports(check, w);

	if (!rc)
		rc = check_decoders(check, w);
	if (!rc)
		rc = check_queues(check, &config->pipe);
	if (!rc)
		rc = check_classes(check, &config->pipe);
	if (!rc)
		rc = check_joins(check, &config->pipe);
	if (!rc)
		rc = check_interval(check, &config->pipe);
	if (!rc)
		rc = check_forward(check, &config->pipe);
	table_at(check, "machine.topology.vpe_of_tc");
	if (!rc && config->topo.tcs != 1)
		return table_fail(check,
				  "a pipeline with a window has one context");
	return rc;
}
