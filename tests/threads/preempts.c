/* SPDX-License-Identifier: GPL-2.0-or-later */
/* preempts: a thread sleeps for a millisecond again and again while another one computes;
 * prints how often that was. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#define TURNS 10000000	/* ten instructions each */

static volatile int done, sleeps;

static void *
run(void *arg)
{
	while (!done) {
		usleep(1000);
		sleeps++;
	}
	return arg;
}

int
main(void)
{
	volatile unsigned long sum = 0;
	pthread_t thread;

	pthread_create(&thread, NULL, run, NULL);
	for (volatile unsigned long i = 0; i < TURNS; i++)
		sum += i;
	done = 1;
	printf("%d\n", sleeps);
	pthread_join(thread, NULL);
	return 0;
}
