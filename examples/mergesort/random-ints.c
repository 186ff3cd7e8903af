/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * random-ints ELEMENTS: writes that many pseudo-random 32-bit integers,
 * least significant byte first, to standard output: the input file of
 * mergesort.  The same bytes on every host: xorshift with a fixed seed.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint32_t
next(uint32_t *state)
{
	uint32_t x = *state;

	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	*state = x;
	return x;
}

int
main(int argc, char **argv)
{
	uint32_t state = 2463534242;
	char *end = NULL;
	unsigned long n = argc == 2 ? strtoul(argv[1], &end, 10) : 0;

	if (argc != 2 || end == argv[1] || *end != '\0') {
		fputs("usage: random-ints ELEMENTS > FILE\n", stderr);
		return 64;
	}
	while (n-- > 0) {
		uint32_t x = next(&state);

		for (unsigned shift = 0; shift < 32; shift += 8)
			putchar((int)(x >> shift & 0xff));
	}
	if (fflush(stdout) != 0) {
		perror("random-ints");
		return 1;
	}
	return 0;
}
