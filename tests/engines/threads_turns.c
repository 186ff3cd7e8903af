/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads that hand a turn round by a mutex and a condition, with data of their
 * own; how many, and how often, are the arguments. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST 16

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int turn, threads, rounds;
static long sum;
static __thread long own;

static void *
work(void *arg)
{
	long me = (long)arg;

	for (int i = 0; i < rounds; i++) {
		pthread_mutex_lock(&mutex);
		while (turn != me)
			pthread_cond_wait(&cond, &mutex);
		own += i;
		sum += own;
		turn = (turn + 1) % threads;
		pthread_cond_broadcast(&cond);
		pthread_mutex_unlock(&mutex);
	}
	return (void *)own;
}

int
main(int argc, char **argv)
{
	pthread_t thread[MOST];
	long all = 0;

	threads = argc > 1 ? atoi(argv[1]) : 3;
	rounds = argc > 2 ? atoi(argv[2]) : 100;
	for (long i = 0; i < threads; i++)
		if (pthread_create(&thread[i], NULL, work, (void *)i))
			return 1;
	for (int i = 0; i < threads; i++) {
		void *result;

		pthread_join(thread[i], &result);
		all += (long)result;
	}
	printf("%ld %ld\n", sum, all);
	return 0;
}
