/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * linked THREADS N: threads that add to one number N times each, by
 * load-linked and store-conditional, so far apart that some fail; how often
 * they did.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 16
#define APART "100"	/* rounds of a loop */

#if defined(__mips__)
#define TRY                                 \
	".set noreorder\n\t"                \
	"li $8, " APART "\n\t"              \
	"ll %0, %1\n\t"                     \
	"addiu %0, %0, 1\n"                 \
	"1:\tbnez $8, 1b\n\t"               \
	"addiu $8, $8, -1\n\t"              \
	"sc %0, %1\n\t"                     \
	".set reorder"
#define CHANGES "$8", "memory"
#elif defined(__alpha__)
#define TRY                                 \
	"lda $1, " APART "\n\t"             \
	"ldl_l %0, %1\n\t"                  \
	"addl %0, 1, %0\n"                  \
	"1:\tsubl $1, 1, $1\n\t"            \
	"bne $1, 1b\n\t"                    \
	"stl_c %0, %1"
#define CHANGES "$1", "memory"
#else
#error this processor has neither
#endif

static volatile int number;
static int n, failed[THREADS];

static void *
add(void *arg)
{
	int *mine = arg;

	for (int i = 0; i < n;) {
		int stored;

		__asm__ volatile(TRY : "=&r"(stored), "+m"(number)
				 :
				 : CHANGES);
		i += stored;
		*mine += !stored;
	}
	return NULL;
}

int
main(int argc, char **argv)
{
	pthread_t thread[THREADS];
	int threads, sum = 0;

	if (argc != 3)
		return 2;
	threads = atoi(argv[1]);
	n = atoi(argv[2]);
	for (int i = 0; i < threads; i++)
		pthread_create(&thread[i], NULL, add, &failed[i]);
	for (int i = 0; i < threads; i++) {
		pthread_join(thread[i], NULL);
		sum += failed[i];
	}
	printf("%d\n", sum);
	return number != threads * n;
}
