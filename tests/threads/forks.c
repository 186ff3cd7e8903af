/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Forks while other threads work; children work, too. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int stop;
static unsigned long sums[3];

static void *
work(void *arg)
{
	unsigned long *sum = arg;

	while (!stop)
		*sum = *sum * 1103515245 + 12345;
	return NULL;
}

static int
child(int n)
{
	volatile int sum = 0;

	for (int i = 0; i < 1000 * n; i++)
		sum += 3;
	return n * 3;
}

int
main(int argc, char **argv)
{
	int times = argc > 1 ? atoi(argv[1]) : 10, total = 0;
	pthread_t thread[3];

	for (int i = 0; i < 3; i++)
		if (pthread_create(&thread[i], NULL, work, &sums[i]))
			return 1;
	for (int i = 0; i < times; i++) {
		pid_t pid = fork();
		int status;

		if (!pid)
			_exit(child(i));
		if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
			return 2;
		total += WEXITSTATUS(status);
	}
	stop = 1;
	for (int i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
	printf("%d\n", total);
	return 0;
}
