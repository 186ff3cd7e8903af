/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread that sleeps for a millisecond again and again, beside one that
 * computes, makes some system calls, and asks often what time it is; prints how
 * often it has slept.
 */
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { CALLS = 100, CLOCKS = 20, TURNS = 5000 };

static volatile int done, beats, sum;

static void *
beat(void *unused)
{
	struct timespec ts = {.tv_nsec = 1000000};

	for (; !done; beats++)
		nanosleep(&ts, NULL);
	return unused;
}

int
main(void)
{
	pthread_t thread;
	int seen;

	if (pthread_create(&thread, NULL, beat, NULL))
		return 1;
	for (int call = 0; call < CALLS; call++) {
		struct timespec now;

		for (int clock = 0; clock < CLOCKS; clock++) {
			for (int turn = 0; turn < TURNS; turn++)
				sum += turn;
			clock_gettime(CLOCK_MONOTONIC, &now);
		}
		getppid();
	}
	seen = beats;
	done = 1;
	pthread_join(thread, NULL);
	printf("%d\n", seen);
	return 0;
}
