/* SPDX-License-Identifier: GPL-2.0-or-later */
/* yields: two threads, each of which yields until the other one has had its turn, 1,000
 * times; prints how often that was. */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

#define TURNS 1000

static volatile int turn;
static long yields[2];

static void *
run(void *arg)
{
	int self = (int)(long)arg;

	for (int i = 0; i < TURNS; i++) {
		while (turn != self) {
			sched_yield();
			yields[self]++;
		}
		turn = !self;
	}
	return NULL;
}

int
main(void)
{
	pthread_t other;

	if (pthread_create(&other, NULL, run, (void *)1l))
		return 1;
	run((void *)0l);
	pthread_join(other, NULL);
	printf("%ld\n", yields[0] + yields[1]);
	return 0;
}
