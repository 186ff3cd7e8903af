/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A thread waits for a child that sleeps; another one ends that. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t child;

static void *
wait_for(void *arg)
{
	waitpid(child, arg, 0);
	return arg;
}

int
main(void)
{
	pthread_t thread;
	int status = 0;

	child = fork();
	if (!child) {
		sleep(1000);
		return 1;
	}
	pthread_create(&thread, NULL, wait_for, &status);
	usleep(100000);
	kill(child, SIGTERM);
	pthread_join(thread, NULL);
	printf("signal %d\n", WTERMSIG(status));
	return 0;
}
