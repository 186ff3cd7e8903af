/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks of a CPU's machine parameters: ranges first, then relations. */
#include "table_check.h"
#include "table_classes.h"
#include "table_lines.h"

#include <stdarg.h>

void
table_at(struct table_check *check, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(check->path, sizeof check->path, format, args);
	va_end(args);
}

int
table_fail(struct table_check *check, const char *format, ...)
{
	const struct table_file *file = check->file;
	char text[400];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	return table_error(check->error, file->path,
			   table_lines_find(file->lines, check->path), "%s",
			   text);
}

static int
check_machine(struct table_check *check)
{
	return table_check_limits(check, LIMITS_MACHINE);
}

/* pctr(4) is there for processors without counters, too; and where there is no
 * device, they need not be described. */
static int
check_counters(struct table_check *check)
{
	const struct sim_config *c = &check->file->cpu->config;

	if (!c->n_counters && (c->system == SYSTEM_OPENBSD ||
			       c->system == SYSTEM_NONE))
		return 0;
	return table_check_limits(check, LIMITS_COUNTERS);
}

static int
check_waits(struct table_check *check)
{
	const struct pipeline_config *p = &check->file->cpu->config.pipe;

	table_at(check, "machine.memory.ordered");
	if (check->file->cpu->config.mem.ordered && !p->watch_alignment)
		return table_fail(check, "ordered needs watch_alignment");
	table_at(check, "machine.pipeline.misaligned");
	if (p->misaligned && !p->watch_alignment)
		return table_fail(check, "misaligned needs watch_alignment");
	if (p->misaligned && pipeline_is_window(p))
		return table_fail(check, "a window has no misaligned");
	table_at(check, "machine.pipeline.wrong_bubble");
	if (p->wrong_bubble && pipeline_is_window(p))
		return table_fail(check, "a window has no wrong_bubble");
	table_at(check, "machine.pipeline.load_blocks");
	if (p->load_blocks && pipeline_is_window(p))
		return table_fail(check, "a window has no load_blocks");
	if (p->load_blocks && check->file->cpu->config.topo.tcs > 1)
		return table_fail(check, "load_blocks is for one context");
	table_at(check, "machine.pipeline.barrier_drains");
	if (p->barrier_drains && pipeline_is_window(p))
		return table_fail(check, "a window has no barrier_drains");
	table_at(check, "machine.pipeline.locks_bus");
	if (p->locks_bus && !pipeline_is_window(p))
		return table_fail(check, "only a window has locks_bus");
	return 0;
}

/* A step looks for its first element, so that it must not be longer than a
 * line. */
static int
check_strings(struct table_check *check)
{
	const struct sim_config *c = &check->file->cpu->config;

	table_at(check, "machine.pipeline.string_bytes");
	if (c->pipe.string_bytes > c->l1d.line)
		return table_fail(check, "string_bytes is %u, more than a line "
				  "of l1d", c->pipe.string_bytes);
	return 0;
}

/* From the issue of a load to that of its reader: no level is sooner than the
 * one before it. */
static int
check_latencies(struct table_check *check)
{
	const struct sim_config *c = &check->file->cpu->config;
	const struct {
		const char *name;
		u32 cycles;
		bool there;
	} level[] = {
		{"machine.caches.l2.latency", c->l2.latency, c->l2.size},
		{"machine.caches.l3.latency", c->l3.latency, c->l3.size},
		{"machine.memory.latency", c->mem.latency, true},
	};
	u32 before = c->pipe.load_use;

	for (unsigned i = 0; i < SIM_COUNT(level); i++) {
		if (!level[i].there)
			continue;
		table_at(check, "%s", level[i].name);
		if (level[i].cycles < before)
			return table_fail(check,
					  "latency is %u, less than the %u of "
					  "the level before",
					  level[i].cycles, before);
		before = level[i].cycles;
	}
	return 0;
}

static int
check_write_buffer(struct table_check *check)
{
	const struct memory_config *m = &check->file->cpu->config.mem;

	table_at(check, "machine.memory.wbb_bytes");
	if (!m->wbb_bytes && (m->wbb_drain_at || m->wbb_drain_after ||
			      m->wbb_cycles))
		return table_fail(check,
				  "wbb_drain_at, wbb_drain_after and "
				  "wbb_cycles go with wbb_bytes");
	table_at(check, "machine.memory.wbb_drain_at");
	if (m->wbb_bytes && (!m->wbb_drain_at || m->wbb_drain_at > m->wbb))
		return table_fail(check,
				  "wbb_drain_at is %u, but can be 1 to %u",
				  m->wbb_drain_at, m->wbb);
	table_at(check, "machine.memory.wbb_cycles");
	if (m->wbb_bytes && !m->wbb_cycles)
		return table_fail(check, "wbb_bytes needs wbb_cycles");
	return 0;
}

static int
check_topology(struct table_check *check)
{
	const struct topology_config *t = &check->file->cpu->config.topo;
	bool used[SIM_MAX_TC] = {false};

	for (u32 tc = 0; tc < t->tcs; tc++) {
		table_at(check, "machine.topology.vpe_of_tc[%u]", tc);
		if (t->vpe_of_tc[tc] >= t->vpes)
			return table_fail(check,
					  "TC %u is on VPE %u, but there are "
					  "%u",
					  tc, t->vpe_of_tc[tc], t->vpes);
		used[t->vpe_of_tc[tc]] = true;
	}
	table_at(check, "machine.topology.vpes");
	for (u32 vpe = 0; vpe < t->vpes; vpe++)
		if (!used[vpe])
			return table_fail(check, "VPE %u has no TC", vpe);
	return 0;
}

static int
check_tick(struct table_check *check)
{
	const struct sim_config *c = &check->file->cpu->config;

	table_at(check, "machine.tick_evicts");
	if (!c->tick_evicts)
		return 0;
	if (pipeline_is_window(&c->pipe))
		return table_fail(check, "a window has no ticks that evict");
	if (c->l2.size)
		return table_fail(check, "ticks evict lines of a first level "
					 "that has none behind it");
	if (!check->file->cpu->os)
		return table_fail(check, "clock ticks are those of an os");
	return 0;
}

/* A class without repeat is one that the table does not name. */
static int
check_classes(struct table_check *check)
{
	static const struct {
		const char *name;
		u8 cls;
	} optional[] = {
#define OPTIONAL(id, name, like) {name, CLASS_##id},
		TABLE_OPTIONAL_CLASSES(OPTIONAL)
#undef OPTIONAL
	};
	const struct pipeline_config *pipe = &check->file->cpu->config.pipe;

	for (unsigned i = 0; i < SIM_COUNT(optional); i++) {
		table_at(check, "machine.pipeline.classes.%s.repeat",
			 optional[i].name);
		if (pipe->cls[optional[i].cls].latency &&
		    !pipe->cls[optional[i].cls].repeat)
			return table_fail(check, "repeat is 0, but can be 1 "
						 "to 1000");
	}
	return 0;
}

u32
table_ports(const struct pipeline_config *pipe)
{
	const struct window_config *w = &pipe->window;
	u32 ports = w->load_ports | w->load_ports_fp | w->store_ports |
		    w->data_ports | w->data_ports_fp | w->branch_ports;

	for (unsigned i = 0; i < CLASS_N; i++)
		ports |= pipe->cls[i].ports;
	for (unsigned i = 0; i < FORM_N; i++)
		ports |= pipe->issue.ports[i];
	return ports;
}

/* Only intervals tell more ports than the exact window's from each other. */
static int
check_exact_ports(struct table_check *check, const struct pipeline_config *pipe)
{
	const struct {
		const char *at;
		u32 ports;
	} ports[] = {
		{"machine.pipeline.window.load_ports", pipe->window.load_ports},
		{"machine.pipeline.window.load_ports_fp",
		 pipe->window.load_ports_fp},
		{"machine.pipeline.window.store_ports", pipe->window.store_ports},
		{"machine.pipeline.window.data_ports", pipe->window.data_ports},
		{"machine.pipeline.window.data_ports_fp",
		 pipe->window.data_ports_fp},
		{"machine.pipeline.window.branch_ports",
		 pipe->window.branch_ports},
		{"machine.pipeline", table_ports(pipe)},
	};

	if (pipe->kind == PIPELINE_INTERVAL)
		return 0;
	for (unsigned i = 0; i < SIM_COUNT(ports); i++) {
		table_at(check, "%s", ports[i].at);
		if (ports[i].ports > PORTS_EXACT)
			return table_fail(check, "ports p8 to p15 need a "
						 "pipeline of kind "
						 "\"interval\"");
	}
	return 0;
}

static int
check_pipeline(struct table_check *check)
{
	const struct pipeline_config *pipe = &check->file->cpu->config.pipe;
	int rc = check_exact_ports(check, pipe);

	if (rc)
		return rc;
	if (pipe->kind == PIPELINE_INORDER)
		return table_check_limits(check, LIMITS_INORDER);
	rc = table_check_limits(check, LIMITS_WINDOW);
	return rc ? rc : table_check_window(check);
}

/* Those behind may rely on what those before have found. */
static int (*const checks[])(struct table_check *check) = {
	check_machine,
	check_counters,
	table_check_caches,
	table_check_prefetchers,
	check_classes,
	table_check_issue,
	table_check_tlbs,
	table_check_branch,
	check_write_buffer,
	check_pipeline,
	check_latencies,
	check_waits,
	check_strings,
	check_topology,
	check_tick,
};

int
table_check_machine(const struct table_file *file, struct pmcsim_error *error)
{
	struct table_check check = {.file = file, .error = error};
	int rc = 0;

	for (size_t i = 0; i < SIM_COUNT(checks) && !rc; i++)
		rc = checks[i](&check);
	return rc;
}
