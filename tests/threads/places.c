/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads that choose the context they run on: argument k puts the main
 * thread on CPU k, its thread follows, and a second one goes to CPU 0.
 * What the host says to that does not matter: the emulated machine has its
 * own contexts.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

static volatile unsigned sum;

static void
spin(int n)
{
	while (n--)
		sum++;
}

static void
go_to(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((unsigned)cpu, &set);
	sched_setaffinity(0, sizeof set, &set);
}

static void *
follow(void *arg)
{
	spin(50000);
	return arg;
}

static void *
leave(void *arg)
{
	go_to(0);
	spin(50000);
	return arg;
}

int
main(int argc, char **argv)
{
	pthread_t thread[2];

	go_to(argc > 1 ? atoi(argv[1]) : 1);
	spin(100000);
	if (pthread_create(&thread[0], NULL, follow, NULL) ||
	    pthread_create(&thread[1], NULL, leave, NULL))
		return 1;
	pthread_join(thread[0], NULL);
	pthread_join(thread[1], NULL);
	return 0;
}
