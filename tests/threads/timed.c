/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads that wait for a condition for some time, sleep, poll and select;
 * prints how often the condition came too late, and in time.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <sys/select.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond;
static int rounds;
static int timeouts, wakes;
static int ends[2];

static void *
waiter(void *arg)
{
	for (int i = 0; i < rounds; i++) {
		struct timespec ts;
		int e;

		pthread_mutex_lock(&mutex);
		clock_gettime(CLOCK_MONOTONIC, &ts);
		ts.tv_nsec += 3000000;
		while (ts.tv_nsec >= 1000000000) {
			ts.tv_nsec -= 1000000000;
			ts.tv_sec++;
		}
		e = pthread_cond_timedwait(&cond, &mutex, &ts);
		if (e == ETIMEDOUT)
			timeouts++;
		else
			wakes++;
		pthread_mutex_unlock(&mutex);
	}
	return arg;
}

/* Neither says that the empty pipe is ready, once time is over. */
static void
find_none(void)
{
	struct timeval tv = {0, 2000};
	struct pollfd p = {ends[0], POLLIN, -1};
	fd_set in, bad;

	FD_ZERO(&in);
	FD_ZERO(&bad);
	FD_SET(ends[0], &in);
	FD_SET(ends[0], &bad);
	if (poll(&p, 1, 2) || p.revents)
		abort();
	if (select(ends[0] + 1, &in, NULL, &bad, &tv) ||
	    FD_ISSET(ends[0], &in) || FD_ISSET(ends[0], &bad))
		abort();
	if (tv.tv_usec || tv.tv_sec)
		abort();
}

static void *
sleeper(void *arg)
{
	struct timespec ts = {0, 7000000};
	volatile int x = 0;

	for (int i = 0; i < rounds; i++) {
		if (nanosleep(&ts, NULL))
			abort();
		for (int k = 0; k < 20000; k++)
			x++;
		find_none();
		pthread_cond_signal(&cond);
	}
	return arg;
}

int
main(int argc, char **argv)
{
	pthread_t t[3];
	pthread_condattr_t a;

	rounds = argc > 1 ? atoi(argv[1]) : 10;
	if (pipe(ends))
		return 1;
	pthread_condattr_init(&a);
	pthread_condattr_setclock(&a, CLOCK_MONOTONIC);
	pthread_cond_init(&cond, &a);
	pthread_create(&t[0], NULL, waiter, NULL);
	pthread_create(&t[1], NULL, sleeper, NULL);
	pthread_create(&t[2], NULL, waiter, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	printf("%d %d\n", timeouts, wakes);
	return 0;
}
