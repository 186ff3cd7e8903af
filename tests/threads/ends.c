/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ways to end a process that has threads, by argument: 0 another thread
 * exits while others work and wait, 1 the main thread ends first, 2 abort,
 * 3 detached threads are left behind, 4 another program is executed.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_t main_thread;
static volatile unsigned long sum;

static void *
work(void *arg)
{
	(void)arg;
	for (;;)
		sum = sum * 5 + 1;
	return NULL;
}

static void *
wait_for_ever(void *arg)
{
	pthread_mutex_lock(&mutex);
	return arg;
}

static void *
leave(void *arg)
{
	for (int i = 0; i < 20000; i++)
		sum += 3;
	exit((int)(long)arg);
}

static void *
outlive(void *arg)
{
	pthread_join(main_thread, NULL);
	for (int i = 0; i < 20000; i++)
		sum += 3;
	return arg;
}

static void
start(void *(*run)(void *), long arg)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, run, (void *)arg))
		exit(99);
	pthread_detach(thread);
}

int
main(int argc, char **argv)
{
	int how = argc > 1 ? atoi(argv[1]) : 0;

	main_thread = pthread_self();
	pthread_mutex_lock(&mutex);
	if (how == 1) {
		start(outlive, 0);
		pthread_exit(NULL);
	}
	start(work, 0);
	start(wait_for_ever, 0);
	switch (how) {
	case 0:
		start(leave, 7);
		pthread_join(pthread_self(), NULL);
		pthread_mutex_lock(&mutex);
		break;
	case 2:
		for (int i = 0; i < 20000; i++)
			sum += 3;
		abort();
	case 4:
		execl("/bin/true", "true", (char *)NULL);
		return 98;
	}
	for (int i = 0; i < 20000; i++)
		sum += 3;
	return 5;
}
