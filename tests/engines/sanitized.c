/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What sanitizers find, or do not: they map most of the address space. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int shared, locked;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *
race(void *arg)
{
	for (int i = 0; i < 100; i++)
		shared++;
	return arg;
}

static void *
lock(void *arg)
{
	for (int i = 0; i < 100; i++) {
		pthread_mutex_lock(&mutex);
		locked++;
		pthread_mutex_unlock(&mutex);
	}
	return arg;
}

static void
twice(void *(*run)(void *))
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, run, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
}

/* A heap that comes and goes; its sum. */
static int
heap(int rounds)
{
	int sum = 0;

	for (int i = 0; i < rounds; i++) {
		char *p = malloc((size_t)(i % 50 + 1));

		p[i % (i % 50 + 1)] = (char)i;
		sum += p[i % (i % 50 + 1)];
		free(p);
	}
	return sum;
}

int
main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	volatile int most = 0x7fffffff, beyond = 8;

	if (!strcmp(what, "race"))
		twice(race);
	else if (!strcmp(what, "lock"))
		twice(lock);
	else if (!strcmp(what, "beyond"))
		return ((volatile char *)malloc(8))[beyond];
	else if (!strcmp(what, "overflow"))
		most += 1;
	printf("%d %d %d\n", shared > 0, locked, heap(1000));
	return 0;
}
