/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * coherent private|shared THREADS N: threads that count to N, each in a word
 * of its own: on a page of its own, or in one line with the others'.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 16
#define WORDS 512		/* of a page */

static volatile uint64_t word[(THREADS + 1) * WORDS]
	__attribute__((aligned(4096)));
static size_t distance;
static uint64_t n;

static void *
count(void *arg)
{
	volatile uint64_t *mine = &word[*(size_t *)arg * distance];

	for (uint64_t i = 0; i < n; i++)
		*mine = *mine + 1;
	return NULL;
}

int
main(int argc, char **argv)
{
	pthread_t thread[THREADS];
	size_t number[THREADS];
	uint64_t sum = 0;
	int threads;

	if (argc != 4)
		return 2;
	distance = argv[1][0] == 's' ? 1 : WORDS;
	threads = atoi(argv[2]);
	n = strtoull(argv[3], NULL, 10);
	for (int i = 0; i < threads; i++) {
		number[i] = (size_t)i;
		pthread_create(&thread[i], NULL, count, &number[i]);
	}
	for (int i = 0; i < threads; i++) {
		pthread_join(thread[i], NULL);
		sum += word[number[i] * distance];
	}
	printf("%llu\n", (unsigned long long)sum);
	return 0;
}
