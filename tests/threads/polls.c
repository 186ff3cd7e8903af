/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread polls for 5 ms, waits for events for 5 ms, and polls for good,
 * while another one waits for a child process that takes far longer on the
 * host, but no time on the machine, and then writes, and sends a signal at
 * last.  Prints what the calls returned, and that SIGSYS is the program's.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <unistd.h>

static int pipes[2], events;
static volatile int called, counted;

static void
on_signal(int number)
{
	called = number;
}

static void *
waiter(void *arg)
{
	struct pollfd p = {.fd = pipes[0], .events = POLLIN};
	struct epoll_event e;
	char byte;
	int n;

	printf("%d\n", poll(&p, 1, 5));
	if (read(pipes[0], &byte, 1) != 1)
		abort();
	printf("%d\n", epoll_wait(events, &e, 1, 5));
	if (read(pipes[0], &byte, 1) != 1)
		abort();
	n = poll(&p, 1, 1000000);
	printf("%d %d\n", n, errno == EINTR);
	return arg;
}

static void
count(int n)
{
	for (int i = 0; i < n; i++)
		counted = i;
}

/* Longer than a turn, so that the other thread waits now. */
static void
let_wait(void)
{
	count(4000);
}

static void
take_long(void)
{
	pid_t child = fork();

	if (!child) {
		count(2000000);
		_exit(0);
	}
	waitpid(child, NULL, 0);
}

int
main(void)
{
	struct sigaction action = {.sa_handler = on_signal};
	struct epoll_event e = {.events = EPOLLIN};
	pthread_t thread;

	sigaction(SIGUSR1, &action, NULL);
	sigaction(SIGSYS, &action, NULL);
	if (pipe(pipes) || (events = epoll_create(1)) < 0 ||
	    epoll_ctl(events, EPOLL_CTL_ADD, pipes[0], &e))
		abort();
	pthread_create(&thread, NULL, waiter, NULL);
	for (int i = 0; i < 2; i++) {
		let_wait();
		take_long();
		if (write(pipes[1], "x", 1) != 1)
			abort();
	}
	let_wait();
	pthread_kill(thread, SIGUSR1);
	pthread_join(thread, NULL);
	raise(SIGSYS);
	printf("%d\n", called == SIGSYS);
	return 0;
}
