/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A chunk while it is being built. */
#ifndef PIPELINE_INTERVAL_BUILD_H
#define PIPELINE_INTERVAL_BUILD_H

#include "interval.h"

#define SOURCES_MAX (SOURCE_N)
#define EDGES_MAX (SOURCES_MAX * 24)

struct chunk_builder {
	const struct interval_table *table;
	const struct window_program *program;
	struct interval_chunk *chunk;
	const struct window_op *op;	/* its micro-ops, */
	unsigned n;			/* so many */
	unsigned slots;			/* places that these take, */
	u8 slot[INTERVAL_OPS];		/* and which of them each has */
	/* For each: which one of them writes what it reads, -1: none. */
	signed char writer[INTERVAL_OPS][WINDOW_SRC];
	signed char data_writer[INTERVAL_OPS];
	signed char unit_before[INTERVAL_OPS]; /* that has its unit before it */
	u16 arrives[INTERVAL_OPS];	/* cycles behind the first one's */
	unsigned n_target, n_source, n_edge;
	struct interval_target target[TARGETS_MAX];
	u8 from[TARGETS_MAX];		/* micro-op that it is of */
	struct interval_source source[SOURCES_MAX];
	struct interval_far far[SOURCES_MAX];
	struct interval_edge edge[EDGES_MAX];
	int issue[SOURCES_MAX][INTERVAL_OPS]; /* by source */
	unsigned n_load, n_access;	/* loads first */
	struct interval_access access[2 * INTERVAL_OPS];
	struct interval_edge access_edge[2 * INTERVAL_OPS * SOURCES_MAX];
	unsigned n_access_edge;
	struct interval_port port[INTERVAL_PORTS];
	int16_t arrive[TARGETS_MAX];
	s32 base[INTERVAL_WIDTH * TARGETS_EVEN(TARGETS_MAX)];
};

/* Where the chunk ends that begins with that micro-op: the one behind it. */
unsigned interval_cut(const struct interval_table *t,
		      const struct window_program *p, unsigned from);

/* When the chunk's instructions arrive. */
void interval_arrive(struct chunk_builder *b);

/* When the micro-ops of a chunk issue, are done: cycles, FLOW_NEVER: whenever. */
#define FLOW_NEVER (-1000000)

struct flow {
	int lower[INTERVAL_OPS];	/* none issues before that, */
	int result_lower[INTERVAL_OPS];	/* has its result, */
	int data_lower[INTERVAL_OPS];	/* or its data */
	int issue[INTERVAL_OPS], result[INTERVAL_OPS], done[INTERVAL_OPS];
	int addresses;	/* of stores are known: of those in front, and then of
			   all */
};

void flow_init(struct flow *f);

/* ports: each is taken by one of them per cycle. */
void flow_run(const struct chunk_builder *b, struct flow *f, bool ports);

/* The chunk's end comes so many cycles behind that micro-op's. */
static inline int
flow_retires(const struct chunk_builder *b, unsigned op)
{
	unsigned retire = b->table->pipe->window.retire;

	return (int)(1 + (b->slots - 1 - b->slot[op]) / retire);
}

/* When that target is. */
int flow_target(const struct chunk_builder *b, const struct flow *f,
		unsigned target);

/* What the chunk waits for, and its accesses for. */
void interval_sources(struct chunk_builder *b);

static inline int16_t
cycles16(int cycles)
{
	return (int16_t)(cycles > INT16_MAX ? INT16_MAX : cycles);
}

/* When those micro-ops issue, a mean; 0 if there are none. */
static inline int16_t
mean_issue(const struct chunk_builder *b, const struct flow *f, unsigned ops)
{
	int sum = 0, n = 0;

	for (unsigned j = 0; j < b->n; j++) {
		if (!(ops >> j & 1))
			continue;
		sum += f->issue[j];
		n++;
	}
	return cycles16(n ? (sum + n / 2) / n : 0);
}

/* Whether a micro-op of it has that flag. */
static inline bool
has_op(const struct chunk_builder *b, unsigned flag)
{
	for (unsigned j = 0; j < b->n; j++)
		if (b->op[j].flags & flag)
			return true;
	return false;
}

/* Where loads wait for the addresses of stores. */
static inline bool
waits_for_addresses(const struct chunk_builder *b)
{
	return b->table->pipe->window.disambiguation == DISAMBIGUATION_WAIT;
}

/* The places that those give back when they issue, or are done. */
static inline u64
places_of(const struct chunk_builder *b, unsigned ops)
{
	const struct window_config *wc = &b->table->pipe->window;
	u64 places = 0;

	for (unsigned j = 0; j < b->n; j++)
		if (ops >> j & 1)
			places += interval_leaves(wc, b->op[j].kind,
						  UNTIL_ISSUE) +
				  interval_leaves(wc, b->op[j].kind,
						  UNTIL_DONE);
	return places;
}

#endif
