/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Waits for a child process that in turn waits for another thread. */
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static int ends[2];

static void *
feed(void *arg)
{
	volatile unsigned sum = 0;
	char c = 'x';

	for (int i = 0; i < 30000; i++)
		sum += 3;
	return write(ends[1], &c, 1) == 1 ? arg : NULL;
}

int
main(void)
{
	pthread_t thread;
	int status;
	pid_t pid;
	char c;

	if (pipe(ends) || pthread_create(&thread, NULL, feed, NULL))
		return 1;
	pid = fork();
	if (!pid)
		_exit(read(ends[0], &c, 1) == 1 ? c : 1);
	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return 2;
	pthread_join(thread, NULL);
	printf("%c\n", WEXITSTATUS(status));
	return 0;
}
