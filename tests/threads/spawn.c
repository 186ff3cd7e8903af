/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Starts and joins a thread so many times; each adds up a little. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned long
work(unsigned long seed)
{
	unsigned long sum = seed;

	for (int i = 0; i < 200; i++)
		sum = sum * 1103515245 + 12345;
	return sum;
}

static void *
run(void *arg)
{
	unsigned long *value = arg;

	*value = work(*value);
	return value;
}

int
main(int argc, char **argv)
{
	unsigned long value = 1;
	int times = argc > 1 ? atoi(argv[1]) : 1000;

	for (int i = 0; i < times; i++) {
		pthread_t thread;

		if (pthread_create(&thread, NULL, run, &value))
			return 1;
		pthread_join(thread, NULL);
	}
	printf("%lx\n", value & 0xffffffff);
	return 0;
}
