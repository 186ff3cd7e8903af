/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "block_prefix.h"

#include "block_build.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Memory for one block after the other. */
struct arena {
	char *start;
	size_t used, size;
};

static struct arena arena;	/* one thread at a time counts */

static void *
arena_alloc(size_t bytes)
{
	void *p = arena.start + arena.used;

	bytes = (bytes + 15) & ~(size_t)15;
	if (bytes > arena.size - arena.used)
		return NULL;
	arena.used += bytes;
	return p;
}

static void
add_counts(const struct block *b, bool stalls, s64 sum[SIG_N])
{
	unsigned n = b->n_count + (stalls ? b->n_stall : 0u);

	for (unsigned i = 0; i < n; i++)
		sum[b->count[i].signal] += b->count[i].n;
}

/* Counts of the first k instructions; 0 or -ENOMEM. */
static int
prefix_counts(const struct block *b, const struct sim_config *config,
	      unsigned k, bool stalls, s64 sum[SIG_N])
{
	struct block *part;
	int error;

	memset(sum, 0, SIG_N * sizeof *sum);
	if (k == b->n_insn) {
		add_counts(b, stalls, sum);
		return 0;
	}
	arena.used = 0;
	part = arena_alloc(block_bound(k));
	if (!part)
		return -ENOMEM;
	error = block_build(part, config, block_insns(b), k, true, 0,
			    arena_alloc);
	if (!error)
		add_counts(part, stalls, sum);
	return error;
}

/* More than a block of so many instructions can need. */
static size_t
arena_bound(unsigned n)
{
	return (1u << 16) + n * 256u;
}

int
block_shares(const struct block *b, const struct sim_config *config,
	     bool stalls,
	     void (*share)(void *arg, unsigned k, unsigned signal, s64 n),
	     void *arg)
{
	s64 sum[2][SIG_N] = {{0}};
	int error = 0;

	arena.size = arena_bound(b->n_insn);
	arena.start = malloc(arena.size);
	if (!arena.start)
		return -ENOMEM;
	for (unsigned k = 0; k < b->n_insn && !error; k++) {
		s64 *now = sum[(k + 1) & 1], *before = sum[k & 1];

		error = prefix_counts(b, config, k + 1, stalls, now);
		for (unsigned g = 0; g < SIG_N && !error; g++)
			if (now[g] != before[g])
				share(arg, k, g, now[g] - before[g]);
	}
	free(arena.start);
	return error;
}
