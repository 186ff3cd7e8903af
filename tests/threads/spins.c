/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The first thread waits in a loop, without system calls, for one that sleeps
 * three times; a third one sleeps all the time.
 */
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int rounds;

static void *
sleeper(void *arg)
{
	for (int i = 0; i < 3; i++) {
		struct timespec ts = {.tv_nsec = 3000000};

		nanosleep(&ts, NULL);
		rounds = i + 1;
	}
	return arg;
}

static void *
waiter(void *arg)
{
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	return arg;
}

int
main(void)
{
	pthread_t t[2];

	pthread_mutex_lock(&mutex);
	pthread_create(&t[0], NULL, waiter, NULL);
	pthread_create(&t[1], NULL, sleeper, NULL);
	while (rounds < 3)
		;
	pthread_mutex_unlock(&mutex);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	puts("done");
	return 0;
}
