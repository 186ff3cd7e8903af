/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is worked out of a chunk once: see interval.h. */
#include "interval_build.h"
#include "window_forward.h"

#include <string.h>

/* ---- Places of micro-ops ------------------------------------------------ */

static void
find_slots(struct chunk_builder *b)
{
	b->slots = 0;
	for (unsigned j = 0; j < b->n; j++) {
		b->slots += !j || !b->op[j].joined;
		b->slot[j] = (u8)(b->slots - 1);
	}
}

/* ---- Readers of registers ----------------------------------------------- */

static void
find_writers(struct chunk_builder *b)
{
	signed char last[WINDOW_REGS], unit[WINDOW_BUSY];

	memset(last, -1, sizeof last);
	memset(unit, -1, sizeof unit);
	for (unsigned j = 0; j < b->n; j++) {
		const struct window_op *op = &b->op[j];

		for (unsigned k = 0; k < op->n_src; k++)
			b->writer[j][k] = last[op->src[k]];
		b->unit_before[j] = op->busy ? unit[op->busy] : -1;
		if (op->busy)
			unit[op->busy] = (signed char)j;
		for (unsigned k = 0; k < op->n_dst; k++)
			last[op->dst[k]] = (signed char)j;
		b->data_writer[j] = op->data == REG_NONE ? -1 : last[op->data];
	}
}

/* ---- Targets ----------------------------------------------------------- */

static void
add_target(struct chunk_builder *b, unsigned at, unsigned op, unsigned cause)
{
	b->from[b->n_target] = (u8)op;
	b->target[b->n_target++] = (struct interval_target){
		.at = (u8)at, .cause = (u8)cause};
}

static bool
is_last_writer(const struct chunk_builder *b, unsigned j, unsigned reg)
{
	while (++j < b->n)
		if (memchr(b->op[j].dst, (int)reg, b->op[j].n_dst))
			return false;
	return true;
}

static bool
is_last_user(const struct chunk_builder *b, unsigned j)
{
	unsigned unit = b->op[j].busy;

	while (++j < b->n)
		if (b->op[j].busy == unit)
			return false;
	return true;
}

/* What lives for one instruction is not read behind it. */
static bool
lives_on(const struct chunk_builder *b, unsigned reg)
{
	return reg < REG_N || !(b->op[b->n - 1].flags & OP_LAST);
}

static void
add_results(struct chunk_builder *b, unsigned j)
{
	const struct window_op *op = &b->op[j];

	for (unsigned k = 0; k < op->n_dst; k++) {
		if (!lives_on(b, op->dst[k]) ||
		    !is_last_writer(b, j, op->dst[k]))
			continue;
		add_target(b, op->dst[k], j, op->cause);
		if (op->flags & OP_LOAD)
			b->target[b->n_target - 1].load = 1;
	}
	if (op->busy && is_last_user(b, j))
		add_target(b, SOURCE_UNIT + op->busy, j, op->cause);
}

static void
add_stores(struct chunk_builder *b)
{
	unsigned places = 0;

	for (unsigned j = 0; j < b->n; j++)
		if (window_op_stores(&b->op[j]))
			places |= 1u << forward_place(b->op[j].store);
	if (!b->table->pipe->window.forward)
		return;
	for (unsigned i = 0; i < FORWARD_STORES; i++)
		if (places >> i & 1)
			add_target(b, TARGET_STORE + i, 0, SIG_ALU_OTHER);
	b->chunk->n_store = (u8)__builtin_popcount(places);
}

static void
find_targets(struct chunk_builder *b)
{
	b->n_target = 0;
	add_target(b, 0, 0, SIG_ALU_OTHER);
	add_target(b, 0, 0, SIG_ALU_OTHER);
	for (unsigned j = 0; j < b->n; j++) {
		add_results(b, j);
		if (!(b->op[j].flags & OP_BRANCH))
			continue;
		b->from[TARGET_BRANCH] = (u8)j;
		b->chunk->branch = true;
	}
	if (waits_for_addresses(b) && has_op(b, OP_STORE))
		add_target(b, REG_ADDRESSES, 0, SIG_ALU_LOADUSE);
	add_stores(b);
}

/* ---- Without anything in the way ---------------------------------------- */

/* Of a block that is dispatched behind so many others of a cycle. */
static void
run_base(struct chunk_builder *b, struct flow *f, unsigned phase)
{
	unsigned width = b->table->pipe->window.dispatch;
	s32 *base = b->base + phase * TARGETS_EVEN(b->n_target);

	flow_init(f);
	for (unsigned j = 0; j < b->n; j++)
		f->lower[j] = (int)((phase + b->slot[j]) / width) + 1;
	flow_run(b, f, true);
	for (unsigned i = 0; i < b->n_target; i++)
		base[i] = cycles16(flow_target(b, f, i));
	for (unsigned k = 0; k < b->n_access; k++)
		b->access[k].base[phase] =
			cycles16(f->issue[b->access[k].op]);
}

/* What the chunk's own latency is: of the micro-op that retires last. */
static void
find_cause(struct chunk_builder *b, const struct flow *f)
{
	int end = flow_target(b, f, TARGET_END);

	for (unsigned j = 0; j < b->n; j++) {
		if (f->done[j] + flow_retires(b, j) != end)
			continue;
		b->chunk->cause = b->op[j].cause;
		b->chunk->cause_insn = b->op[j].insn;
		return;
	}
}

static void
run_arrive(struct chunk_builder *b)
{
	struct flow f;
	int slack = FLOW_NEVER;

	flow_init(&f);
	for (unsigned j = 0; j < b->n; j++)
		f.lower[j] = b->arrives[j] + 1;
	flow_run(b, &f, true);
	for (unsigned i = 0; i < b->n_target; i++) {
		int more;

		b->arrive[i] = cycles16(flow_target(b, &f, i));
		more = b->arrive[i] - b->base[i];
		slack = more > slack ? more : slack;
	}
	b->chunk->arrive_slack = cycles16(slack);
	for (unsigned k = 0; k < b->n_access; k++)
		b->access[k].arrive = cycles16(f.issue[b->access[k].op]);
}

static void
add_accesses(struct chunk_builder *b, unsigned flag)
{
	for (unsigned j = 0; j < b->n; j++)
		if (b->op[j].flags & flag)
			b->access[b->n_access++] = (struct interval_access){
				.insn = b->op[j].insn, .op = (u8)j,
				.latency = b->op[j].latency};
}

static void
find_accesses(struct chunk_builder *b)
{
	b->n_access = 0;
	add_accesses(b, OP_LOAD);
	b->n_load = b->n_access;
	if (b->table->pipe->window.store_ahead)
		add_accesses(b, OP_STORE);
}

static void
find_base(struct chunk_builder *b)
{
	struct flow f;

	for (unsigned p = b->table->pipe->window.dispatch; p--;)
		run_base(b, &f, p);
	find_cause(b, &f);
	b->chunk->middle = mean_issue(b, &f, UINT16_MAX);
	run_arrive(b);
}

/* ---- A chunk --------------------------------------------------------- */

/* The highest bits of lanes that so many places are of, which are no more than
 * the queue has. */
static u64
lanes_entered(const struct window_config *wc, u64 *places)
{
	const u64 lane = (1u << INTERVAL_LANE) - 1;
	u64 bits = 0;

	for (u32 i = 0; i < wc->queues; i++) {
		unsigned shift = INTERVAL_LANE * i;
		u64 n = *places >> shift & lane, most = wc->queue[i].entries;

		if (n > most)
			*places -= (n - most) << shift;
		if (n)
			bits |= 1ull << (shift + INTERVAL_LANE - 1);
	}
	return bits;
}

static void
find_places(struct chunk_builder *b)
{
	const struct window_config *wc = &b->table->pipe->window;
	struct interval_chunk *chunk = b->chunk;

	chunk->issued = places_of(b, UINT16_MAX);
	chunk->keeps = UINT32_MAX;
	for (unsigned j = 0; j < b->n; j++) {
		const struct window_op *op = &b->op[j];
		u64 list = j && op->joined ? 1 : 0;
		u64 places = interval_places(wc, op->kind) - list;

		chunk->enter += places;
		if (j < (b->n + 1) / 2)
			chunk->enter_first += places;
		chunk->retired += interval_leaves(wc, op->kind, UNTIL_RETIRE) -
				  list;
		chunk->reads |= op->reads;
		chunk->narrow |= op->narrow;
		chunk->keeps &= op->keeps;
	}
	chunk->enters = lanes_entered(wc, &chunk->enter_first);
	chunk->parts = wc->part_wait || wc->renames_segments;
}

/* Copies what has been found into one piece of memory behind the chunk. */
static void *
put(char **at, const void *from, size_t bytes)
{
	void *to = memcpy(*at, from, bytes);

	*at += (bytes + 7) & ~(size_t)7;
	return to;
}

static size_t
room(size_t bytes)
{
	return (bytes + 7) & ~(size_t)7;
}

static struct interval_chunk *
keep(struct chunk_builder *b, void *(*alloc)(size_t bytes))
{
	size_t sources = b->n_source * sizeof *b->source;
	size_t far = b->n_source * sizeof *b->far;
	size_t edges = b->n_edge * sizeof *b->edge;
	size_t targets = b->n_target * sizeof *b->target;
	size_t accesses = b->n_access * sizeof *b->access;
	size_t access_edges = b->n_access_edge * sizeof *b->access_edge;
	size_t ports = b->table->n_set * sizeof *b->port;
	size_t arrives = b->n_target * sizeof *b->arrive;
	size_t bases = TARGETS_EVEN(b->n_target) * sizeof *b->base *
		       b->table->pipe->window.dispatch;
	struct interval_chunk *chunk =
		alloc(room(sizeof *chunk) + room(sources) + room(far) + room(edges) +
		      room(targets) + room(accesses) +
		      room(access_edges) + room(ports) + room(arrives) + room(bases));
	char *at = (char *)chunk + room(sizeof *chunk);

	if (!chunk)
		return NULL;
	*chunk = *b->chunk;
	chunk->n_target = (u8)b->n_target;
	chunk->n_load = (u8)b->n_load;
	chunk->n_access = (u8)b->n_access;
	chunk->base = put(&at, b->base, bases);
	chunk->source = put(&at, b->source, sources);
	chunk->target = put(&at, b->target, targets);
	chunk->edge = put(&at, b->edge, edges);
	chunk->port = put(&at, b->port, ports);
	chunk->arrive = put(&at, b->arrive, arrives);
	/* What few look at. */
	chunk->far = put(&at, b->far, far);
	chunk->access = put(&at, b->access, accesses);
	chunk->access_edge = put(&at, b->access_edge, access_edges);
	return chunk;
}

static struct interval_chunk *
build_chunk(struct chunk_builder *b, unsigned from, unsigned end,
	    void *(*alloc)(size_t bytes))
{
	const struct window_op *op = &b->program->op[from];
	struct interval_chunk chunk = {
		.n_op = (u8)(end - from),
		.serial = op->flags & OP_SERIAL,
		.slot = from >= b->program->n_without_slot,
		.stores = b->program->stores,
		.first = (u16)from, .insn = op->insn,
		.end_insn = (u16)(b->program->op[end - 1].insn + 1),
	};

	b->chunk = &chunk;
	b->op = op;
	b->n = end - from;
	find_slots(b);
	chunk.n_slot = (u8)b->slots;
	find_writers(b);
	interval_arrive(b);
	find_targets(b);
	find_accesses(b);
	find_base(b);
	interval_sources(b);
	find_places(b);
	return keep(b, alloc);
}

const struct interval_chunk *
interval_build(const struct interval_table *table,
	       const struct window_program *program,
	       void *(*alloc)(size_t bytes))
{
	struct chunk_builder b = {.table = table, .program = program};
	struct interval_chunk *first = NULL, *last = NULL;
	unsigned from = 0;

	while (from < program->n) {
		unsigned end = interval_cut(table, program, from);
		struct interval_chunk *chunk =
			build_chunk(&b, from, end, alloc);

		if (!chunk)
			return NULL;
		if (last)
			last->next = chunk;
		else
			first = chunk;
		last = chunk;
		from = end;
	}
	return first;
}
