/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "system_log.h"

#include <stdlib.h>
#include <string.h>

#define BLOCKS (1u << 20)	/* a power of two */
#define MAX_INSN 512

struct log_sum log_sum;

static struct {
	uint64_t key[BLOCKS];
	struct log_block block[BLOCKS];
	uint64_t pc[MAX_INSN];
	uint32_t n;
} known;

struct log_block *
log_block(uint64_t address)
{
	size_t i = (uint32_t)(address >> 6) * 0x9e3779b1u % BLOCKS;

	while (known.key[i] && known.key[i] != address)
		i = (i + 1) % BLOCKS;
	known.key[i] = address;
	return &known.block[i];
}

void
log_announce(uint64_t pc)
{
	if (known.n < MAX_INSN)
		known.pc[known.n++] = pc;
}

bool
log_announced(struct log_block *b)
{
	uint32_t n = known.n;

	known.n = 0;
	if (!b || !n)
		return false;
	free(b->pc);
	b->pc = malloc(n * sizeof *b->pc);
	if (!b->pc)
		abort();
	memcpy(b->pc, known.pc, n * sizeof *b->pc);
	b->n = n;
	return true;
}
