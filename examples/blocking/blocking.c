/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * blocking N BLOCK: multiplies two N x N matrices in squares of BLOCK x BLOCK
 * elements, so that three of them stay in a cache that is large enough; prints
 * the sum of the product.
 */
#include <stdio.h>
#include <stdlib.h>

static int n, block;
static int *a, *b, *c;

static int
end_of(int from)
{
	return from + block < n ? from + block : n;
}

static void
multiply_squares(int i0, int j0, int k0)
{
	for (int i = i0; i < end_of(i0); i++)
		for (int j = j0; j < end_of(j0); j++) {
			int sum = c[i * n + j];

			for (int k = k0; k < end_of(k0); k++)
				sum += a[i * n + k] * b[k * n + j];
			c[i * n + j] = sum;
		}
}

int
main(int argc, char **argv)
{
	long sum = 0;

	n = argc > 1 ? atoi(argv[1]) : 0;
	block = argc > 2 ? atoi(argv[2]) : 0;
	if (n < 1 || n > 4096 || block < 1) {
		fprintf(stderr, "usage: blocking N BLOCK\n");
		return 64;
	}
	a = malloc((size_t)n * (size_t)n * sizeof *a);
	b = malloc((size_t)n * (size_t)n * sizeof *b);
	c = calloc((size_t)n * (size_t)n, sizeof *c);
	if (!a || !b || !c)
		return 1;
	for (int i = 0; i < n * n; i++) {
		a[i] = i % 11;
		b[i] = i % 13;
	}
	for (int i = 0; i < n; i += block)
		for (int j = 0; j < n; j += block)
			for (int k = 0; k < n; k += block)
				multiply_squares(i, j, k);
	for (int i = 0; i < n * n; i++)
		sum += c[i];
	printf("%ld\n", sum);
	return 0;
}
