/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The first thread waits in a loop, without system calls, for one that waits
 * for a signal from outside the process. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>

static volatile int called;

static void *
listen_for(void *arg)
{
	int number;

	sigwait(arg, &number);
	called = number;
	return NULL;
}

int
main(void)
{
	struct itimerval soon = {.it_value.tv_usec = 50000};
	pthread_t thread;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	pthread_create(&thread, NULL, listen_for, &set);
	setitimer(ITIMER_REAL, &soon, NULL);
	while (!called)
		;
	pthread_join(thread, NULL);
	puts(called == SIGALRM ? "called" : "?");
	return 0;
}
