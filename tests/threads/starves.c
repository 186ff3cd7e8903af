/* SPDX-License-Identifier: GPL-2.0-or-later */
/* starves NS: a thread waits in a loop for the first one, which computes meanwhile, and
 * a third one sleeps for that long again and again: 1 if the first one has not been done
 * after all that the second one has patience for. */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#define TURNS 1500000		/* ten instructions each */
#define PATIENCE 30000000	/* rounds of three */

static volatile int done;

static void *
sleeps(void *ns)
{
	const struct timespec nap = {.tv_nsec = *(long *)ns};

	while (!done)
		nanosleep(&nap, NULL);
	return NULL;
}

static void *
waits(void *arg)
{
	for (long i = 0; i < PATIENCE; i++)
		if (done)
			return arg;
	exit(1);
}

int
main(int argc, char *argv[])
{
	long ns = argc > 1 ? atol(argv[1]) : 0;
	volatile unsigned long sum = 0;
	pthread_t sleeper, waiter;

	pthread_create(&sleeper, NULL, sleeps, &ns);
	pthread_create(&waiter, NULL, waits, NULL);
	for (volatile unsigned long i = 0; i < TURNS; i++)
		sum += i;
	done = 1;
	pthread_join(sleeper, NULL);
	pthread_join(waiter, NULL);
	return 0;
}
