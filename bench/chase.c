/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Follows a ring of pointers in random order through 4 MB. */
#include <stdio.h>

enum { CELLS = 1 << 16, ROUNDS = 24 };

struct cell {
	struct cell *next;
	char pad[64 - sizeof(struct cell *)];
};

static struct cell cell[CELLS];

int
main(void)
{
	static unsigned order[CELLS];
	unsigned state = 1;
	struct cell *at;

	for (unsigned i = 0; i < CELLS; i++)
		order[i] = i;
	for (unsigned i = CELLS - 1; i > 0; i--) {
		unsigned j, keep = order[i];

		state = state * 1664525 + 1013904223;
		j = state >> 8 & (CELLS - 1);
		j %= i + 1;
		order[i] = order[j];
		order[j] = keep;
	}
	for (unsigned i = 0; i < CELLS; i++)
		cell[order[i]].next = &cell[order[(i + 1) % CELLS]];
	at = cell;
	for (unsigned i = 0; i < ROUNDS * CELLS; i++)
		at = at->next;
	printf("%ld\n", (long)(at - cell));
	return 0;
}
