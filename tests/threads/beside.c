/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Starts its first thread beside a child process that never sleeps. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static void *
nothing(void *arg)
{
	return arg;
}

int
main(void)
{
	volatile unsigned turns = 0;
	pthread_t thread;
	pid_t pid;

	pid = fork();
	while (!pid)
		turns++;
	pthread_create(&thread, NULL, nothing, NULL);
	pthread_join(thread, NULL);
	kill(pid, SIGKILL);
	puts(waitpid(pid, NULL, 0) == pid ? "beside" : "?");
	return 0;
}
