/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads that wait for each other in every way: a mutex, a condition, a
 * barrier, a semaphore, a pipe, sleep, and yielding until a flag is set.
 */
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define THREADS 4

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t semaphore;
static int ends[2];
static int rounds, turn, total;
static volatile int flag;

static void
take_turns(int self)
{
	pthread_mutex_lock(&mutex);
	while (turn != self)
		pthread_cond_wait(&cond, &mutex);
	turn = (turn + 1) % THREADS;
	__atomic_fetch_add(&total, self + 1, __ATOMIC_RELAXED);
	pthread_cond_broadcast(&cond);
	pthread_mutex_unlock(&mutex);
}

static void
talk(int self)
{
	char c = (char)self;

	if (self == 0) {
		for (int i = 1; i < THREADS; i++)
			if (read(ends[0], &c, 1) == 1)
				__atomic_fetch_add(&total, c,
						   __ATOMIC_RELAXED);
		for (int i = 1; i < THREADS; i++)
			sem_post(&semaphore);
		return;
	}
	if (write(ends[1], &c, 1) != 1)
		abort();
	sem_wait(&semaphore);
}

static void
rest(int self)
{
	struct timespec ts = {.tv_nsec = 1000000 * (self + 1)};

	if (self & 1) {
		while (!flag)
			sched_yield();
		return;
	}
	nanosleep(&ts, NULL);
	flag = 1;
}

static void *
run(void *arg)
{
	int self = (int)(long)arg;

	for (int i = 0; i < rounds; i++) {
		take_turns(self);
		talk(self);
		pthread_barrier_wait(&barrier);
		rest(self);
		pthread_barrier_wait(&barrier);
		flag = 0;
		pthread_barrier_wait(&barrier);
	}
	return NULL;
}

int
main(int argc, char **argv)
{
	pthread_t thread[THREADS];

	rounds = argc > 1 ? atoi(argv[1]) : 20;
	pthread_barrier_init(&barrier, NULL, THREADS);
	sem_init(&semaphore, 0, 0);
	if (pipe(ends))
		return 1;
	for (long i = 0; i < THREADS; i++)
		if (pthread_create(&thread[i], NULL, run, (void *)i))
			return 1;
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	printf("%d\n", total);
	return 0;
}
