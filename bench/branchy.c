/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An interpreter of a small stack machine, and a sort of what it computes. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum op { PUSH, ADD, XOR, SHIFT, SWAP, DUP, DROP, SKIP_ODD, OPS };

enum { PROGRAM = 4096, ROUNDS = 600, DEPTH = 64, RESULTS = ROUNDS * 64 };

static uint8_t program[PROGRAM];
static uint32_t result[RESULTS];
static unsigned results;

static uint32_t
random_bits(void)
{
	static uint32_t x = 2463534242;

	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	return x;
}

static uint32_t
interpret(uint32_t seed)
{
	uint32_t stack[DEPTH] = { seed }, keep;
	unsigned top = 1;

	for (unsigned pc = 0; pc < PROGRAM; pc++) {
		if (top > DEPTH - 2)
			top = 2;
		if (top < 2) {
			stack[top] = stack[0] + pc;
			top++;
		}
		switch ((enum op)program[pc]) {
		case PUSH:
			stack[top++] = pc * 2654435761u;
			break;
		case ADD:
			top--;
			stack[top - 1] += stack[top];
			break;
		case XOR:
			top--;
			stack[top - 1] ^= stack[top];
			break;
		case SHIFT:
			stack[top - 1] = stack[top - 1] << 5
					 | stack[top - 1] >> 27;
			break;
		case SWAP:
			keep = stack[top - 1];
			stack[top - 1] = stack[top - 2];
			stack[top - 2] = keep;
			break;
		case DUP:
			stack[top] = stack[top - 1];
			top++;
			break;
		case DROP:
			top--;
			break;
		case SKIP_ODD:
			pc += stack[top - 1] & 1;
			break;
		case OPS:
			break;
		}
		if (pc % 64 == 0 && results < RESULTS)
			result[results++] = stack[top - 1];
	}
	return stack[top - 1];
}

static int
compare(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

int
main(void)
{
	uint32_t sum = 0;

	for (unsigned i = 0; i < PROGRAM; i++)
		program[i] = (uint8_t)(random_bits() >> 13) % OPS;
	for (unsigned round = 0; round < ROUNDS; round++)
		sum += interpret(round);
	qsort(result, results, sizeof *result, compare);
	printf("%u %u\n", sum, result[results / 2]);
	return 0;
}
