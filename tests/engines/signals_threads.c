/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Signals of threads: what comes of each is written to standard output, the
 * same in each run and under each engine. */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define THREADS 3

static pthread_t thread[THREADS];
static __thread int own = -1;	/* number of the thread */
static __thread volatile int came;
static atomic_int by[THREADS + 1]; /* handlers entered, per thread */
static __thread sigjmp_buf back;
static sem_t ready, done;
static int ends[2];
static atomic_int on_own_stack;

static void
count(int sig, siginfo_t *info, void *context)
{
	char here;
	stack_t now;

	(void)sig;
	(void)info;
	(void)context;
	came++;
	by[own < 0 ? THREADS : own]++;
	sigaltstack(NULL, &now);
	if (!(now.ss_flags & SS_DISABLE) && &here > (char *)now.ss_sp &&
	    &here < (char *)now.ss_sp + now.ss_size)
		on_own_stack++;
}

static void
jump(int sig)
{
	siglongjmp(back, sig);
}

/* Executes, without system calls, until its signal comes. */
static void *
spin(void *arg)
{
	own = (int)(long)arg;
	sem_post(&ready);
	while (!came)
		;
	sem_post(&done);
	return (void *)(long)came;
}

/* Waits for ever; the signal, which is let in only then, ends that. */
static void *
wait_in_pipe(void *arg)
{
	struct pollfd pipe = {.fd = ends[0], .events = POLLIN};
	sigset_t set;

	own = (int)(long)arg;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	sem_post(&ready);
	sigemptyset(&set);
	return (void *)(long)(ppoll(&pipe, 1, NULL, &set) < 0 ? errno : 0);
}

/* ... with handlers on a stack of its own, the call is made again. */
static void *
wait_again(void *arg)
{
	stack_t stack = {.ss_size = 65536};
	char c = 0;

	own = (int)(long)arg;
	stack.ss_sp = malloc(stack.ss_size);
	sigaltstack(&stack, NULL);
	sem_post(&ready);
	if (read(ends[0], &c, 1) != 1)
		return (void *)1;
	return (void *)(long)(c + came);
}

static void *
wait_for_signal(void *arg)
{
	sigset_t set;
	int sig;

	own = (int)(long)arg;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sem_post(&ready);
	sigwait(&set, &sig);
	return (void *)(long)sig;
}

/* A fault is of the thread that makes it. */
static void *
fault(void *arg)
{
	volatile int *nowhere = mmap(NULL, 4096, PROT_NONE,
				     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	volatile int faults = 0;

	own = (int)(long)arg;
	for (volatile int i = 0; i < 50; i++)
		if (sigsetjmp(back, 1))
			faults++;
		else
			*nowhere = i;
	return (void *)(long)faults;
}

static void
start(void *(*run)(void *), int n)
{
	for (long i = 0; i < n; i++) {
		if (pthread_create(&thread[i], NULL, run, (void *)i))
			abort();
		if (run != fault)
			sem_wait(&ready);
	}
}

/* What the threads return, in their order. */
static void
join(const char *what, int n)
{
	printf("%s:", what);
	for (int i = 0; i < n; i++) {
		void *result;

		pthread_join(thread[i], &result);
		printf(" %ld", (long)result);
	}
	printf("; handlers");
	for (int i = 0; i <= THREADS; i++)
		printf(" %d", atomic_exchange(&by[i], 0));
	printf("\n");
}

static void
handle(int sig, int flags)
{
	struct sigaction a = {.sa_sigaction = count,
			      .sa_flags = flags | SA_SIGINFO};

	sigemptyset(&a.sa_mask);
	sigaction(sig, &a, NULL);
}

/* A mask is a thread's; what is blocked waits for that. */
static void
block_and_let_in(void)
{
	sigset_t set, pending;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	pthread_kill(pthread_self(), SIGUSR2);
	sigpending(&pending);
	printf("blocked: %d, %d pending\n", came,
	       sigismember(&pending, SIGUSR2));
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	printf("let in: %d\n", came);
}

int
main(void)
{
	sigset_t set;

	setvbuf(stdout, NULL, _IOLBF, 0);
	sem_init(&ready, 0, 0);
	sem_init(&done, 0, 0);
	if (pipe(ends))
		return 1;
	handle(SIGUSR1, 0);
	handle(SIGUSR2, SA_RESTART | SA_ONSTACK);
	block_and_let_in();

	start(spin, THREADS);
	for (int i = 0; i < THREADS; i++) {
		pthread_kill(thread[i], SIGUSR1);
		sem_wait(&done);
	}
	join("spinning", THREADS);

	start(wait_in_pipe, THREADS);
	for (int i = 0; i < THREADS; i++)
		pthread_kill(thread[i], SIGUSR1);
	join("interrupted", THREADS);

	start(wait_again, THREADS);
	for (int i = 0; i < THREADS; i++)
		for (int n = 0; n <= i; n++) {
			pthread_kill(thread[i], SIGUSR2);
			while (by[i] <= n)
				sched_yield();
		}
	if (write(ends[1], "\1\1\1", THREADS) != THREADS)
		return 2;
	join("restarted", THREADS);
	printf("on their own stacks: %d\n", on_own_stack);

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	start(wait_for_signal, THREADS);
	for (int i = 0; i < THREADS; i++)
		pthread_kill(thread[i], SIGUSR1);
	join("waited for", THREADS);

	signal(SIGSEGV, jump);
	start(fault, THREADS);
	join("faults", THREADS);
	pthread_kill(pthread_self(), SIGTERM);
	return 3;
}
