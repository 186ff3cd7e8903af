/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Multiplies two 160 x 160 matrices of NUMBER, several times over. */
#include <stdio.h>

#ifndef NUMBER
#define NUMBER int
#endif

enum { N = 160, ROUNDS = 5 };

static NUMBER a[N][N], b[N][N], c[N][N];

static void
multiply(void)
{
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++) {
			NUMBER sum = 0;

			for (int k = 0; k < N; k++)
				sum += a[i][k] * b[k][j];
			c[i][j] = sum;
		}
}

int
main(void)
{
	double total = 0;

	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++) {
			a[i][j] = (NUMBER)((i * 7 + j) % 11);
			b[i][j] = (NUMBER)((i + j * 5) % 13);
		}
	for (int round = 0; round < ROUNDS; round++) {
		multiply();
		a[round][round] += c[round][round] > 0;
	}
	for (int i = 0; i < N; i++)
		total += (double)c[i][i];
	printf("%.0f\n", total);
	return 0;
}
