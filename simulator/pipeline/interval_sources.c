/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a chunk may wait for: see interval.h. */
#include "interval_build.h"

/* The source that f starts from has been found. */
static void
add_source(struct chunk_builder *b, struct flow *f, unsigned at)
{
	struct interval_source *s = &b->source[b->n_source];
	struct interval_far *far = &b->far[b->n_source];
	int slack = FLOW_NEVER;

	flow_run(b, f, false);
	*s = (struct interval_source){.at = (u8)at, .first = (u16)b->n_edge,
				      .insn = b->op[b->n - 1].insn};
	for (unsigned i = 0; i < b->n_target; i++) {
		int cycles = flow_target(b, f, i);

		if (cycles == FLOW_NEVER)
			continue;
		b->edge[b->n_edge++] = (struct interval_edge){
			(u8)i, cycles16(cycles)};
		if (cycles - b->base[i] > slack)
			slack = cycles - b->base[i];
	}
	far->ops = 0;
	for (unsigned j = b->n; j--;) {
		b->issue[b->n_source][j] = f->issue[j];
		if (f->issue[j] != FLOW_NEVER)
			far->ops |= (u16)(1u << j);
		if (f->done[j] != FLOW_NEVER)
			s->insn = b->op[j].insn;
	}
	s->n = (u8)(b->n_edge - s->first);
	s->slack = cycles16(slack);
	far->middle = mean_issue(b, f, far->ops);
	far->places = places_of(b, far->ops);
	if (s->n)
		b->n_source++;
}

/* A register, if the chunk reads what it was before. */
static void
add_register(struct chunk_builder *b, unsigned reg)
{
	struct flow f;
	bool any = false;

	flow_init(&f);
	for (unsigned j = 0; j < b->n; j++) {
		const struct window_op *op = &b->op[j];

		for (unsigned k = 0; k < op->n_src; k++)
			if (op->src[k] == reg && b->writer[j][k] < 0)
				f.lower[j] = 0;
		if (op->data == reg && b->data_writer[j] < 0)
			f.data_lower[j] = 0;
		any |= f.lower[j] == 0 || f.data_lower[j] == 0;
	}
	if (any)
		add_source(b, &f, reg);
}

/* Addresses of stores in front of the chunk. */
static void
add_addresses(struct chunk_builder *b)
{
	struct flow f;

	if (!waits_for_addresses(b) || !has_op(b, OP_STORE | OP_LOAD))
		return;
	flow_init(&f);
	f.addresses = 0;
	add_source(b, &f, REG_ADDRESSES);
}

static void
add_unit(struct chunk_builder *b, unsigned unit)
{
	struct flow f;
	bool any = false;

	flow_init(&f);
	for (unsigned j = 0; j < b->n; j++)
		if (b->op[j].busy == unit && b->unit_before[j] < 0)
			any = !(f.lower[j] = 0);
	if (any)
		add_source(b, &f, SOURCE_UNIT + unit);
}

/* A set of ports: those that have no others issue one after the other. */
static void
add_port(struct chunk_builder *b, unsigned set)
{
	const struct interval_table *t = b->table;
	struct flow f;
	int n = 0;

	flow_init(&f);
	for (unsigned j = 0; j < b->n; j++)
		if (b->op[j].ports && !(b->op[j].ports & ~t->set[set]))
			f.lower[j] = n++ / t->size[set];
	if (!n)
		return;
	b->port[set] = (struct interval_port){
		.source = (u8)b->n_source,
		.ticks = (u16)(n * INTERVAL_TICKS / t->size[set])};
	add_source(b, &f, SOURCE_PORT + set);
	b->chunk->ports |= 1u << set;
	if ((unsigned)n * t->pipe->window.dispatch > b->slots * t->size[set])
		b->chunk->heavy |= 1u << set;
}

static void
add_load(struct chunk_builder *b, unsigned k)
{
	struct flow f;

	flow_init(&f);
	f.result_lower[b->access[k].op] = 0;
	add_source(b, &f, SOURCE_LOAD + k);
}

static void
find_sources(struct chunk_builder *b)
{
	struct interval_chunk *chunk = b->chunk;

	b->n_source = b->n_edge = 0;
	for (unsigned r = 0; r < WINDOW_REGS; r++)
		add_register(b, r);
	add_addresses(b);
	for (unsigned u = 1; u < WINDOW_BUSY; u++)
		add_unit(b, u);
	chunk->n_source = (u8)b->n_source;
	for (unsigned s = 0; s < b->table->n_set; s++)
		add_port(b, s);
	chunk->first_missing = (u8)b->n_source;
	for (unsigned k = 0; k < b->n_load; k++)
		add_load(b, k);
	chunk->n_missing = (u8)(b->n_source - chunk->first_missing);
}

/* When each access issues, by the sources. */
static void
find_issues(struct chunk_builder *b)
{
	b->n_access_edge = 0;
	for (unsigned k = 0; k < b->n_access; k++) {
		struct interval_access *l = &b->access[k];

		l->first = (u16)b->n_access_edge;
		for (unsigned s = 0; s < b->n_source; s++)
			if (b->issue[s][l->op] != FLOW_NEVER)
				b->access_edge[b->n_access_edge++] =
					(struct interval_edge){
						b->source[s].at,
						cycles16(b->issue[s][l->op])};
		l->n = (u8)(b->n_access_edge - l->first);
	}
}

/* Which of the loads the targets are of. */
static void
find_loaded(struct chunk_builder *b)
{
	for (unsigned i = TARGET_OTHERS; i < b->n_target; i++) {
		if (!b->target[i].load)
			continue;
		for (unsigned k = 0; k < b->n_load; k++)
			if (b->access[k].op == b->from[i])
				b->target[i].load = (u8)(SOURCE_LOAD + k);
	}
}

void
interval_sources(struct chunk_builder *b)
{
	find_sources(b);
	find_issues(b);
	find_loaded(b);
}
