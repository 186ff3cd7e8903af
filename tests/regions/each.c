/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads, of which the one created as number n executes n loops; the first one
 * ends before them.  "each forward": loops in which each load waits for the store
 * before it; "each fence": barriers behind stores that miss; "each PATH": a child
 * executes that before there are threads.
 */
#include "loop.h"

#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define THREADS 4
#define ROUNDS 100000

static void *
loops(void *n)
{
	for (long i = 0; i < (long)n; i++)
		LOOP;
	return NULL;
}

static void *
forward(void *n)
{
	volatile long sum = 0;

	for (long i = 0; i < ROUNDS; i++)
		sum += (long)n;
	return NULL;
}

static void *
fence(void *n)
{
	static volatile int memory[THREADS + 1][1 << 14];

	for (unsigned i = 0; i < ROUNDS; i++) {
		memory[(long)n][i * 16 % (1 << 14)] = 1;
		__sync_synchronize();
	}
	return NULL;
}

int
main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	pthread_t thread;

	if (*what == '/' && !fork())
		execv(what, argv + 1);
	if (*what == '/')
		wait(NULL);
	for (long n = 1; n <= THREADS; n++)
		pthread_create(&thread, NULL,
			       !strcmp(what, "forward") ? forward
			       : !strcmp(what, "fence") ? fence : loops,
			       (void *)n);
	pthread_exit(NULL);
}
