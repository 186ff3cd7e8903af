/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * work WHAT N: a program for machines to run, of all that programs do: mix
 * computes and reaches about in memory, N times; forks has N generations of
 * children; signals interrupts itself N times; threads has N of them; spawns
 * has N that fork; code writes code N times.
 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define AREA (1u << 18)

static char area[AREA + 64];
static volatile unsigned sink;
static volatile double real = 1.5;
static unsigned dice = 12345;

static unsigned
below(unsigned n)
{
	dice = dice * 1103515245u + 12345u;
	return (dice >> 8) % n;
}

static char *
somewhere(void)
{
	return area + below(AREA / 2) * 2;
}

/* ---- mix --------------------------------------------------------------- */

static unsigned
increase(unsigned n)
{
	return n + 1;
}

static unsigned
triple(unsigned n)
{
	return n * 3;
}

static unsigned
divide(unsigned n)
{
	return n / 7;
}

static unsigned (*const volatile calls[])(unsigned) = {increase, triple,
						       divide};

static unsigned
deep(unsigned n)
{
	volatile unsigned local[4] = {n, n, n, n};

	return n ? deep(n - 1) + local[n & 3] : 1;
}

static void
copy(void)
{
	char *from = area + below(AREA / 2), *to = area + below(AREA / 2);

	memmove(to, from, below(256));
	memset(from, (int)sink, below(512));
}

static void
compute(void)
{
	real = real * (1 + below(3)) / (1 + below(7));
	sink = (unsigned)((uint64_t)sink * below(65536) / (1 + below(99)));
	sink %= below(63) + 1;
}

/* Accesses that are not aligned, overlap, or chase lines out. */
static void
reach(void)
{
	char *at = somewhere();
	double x = real;
	uint32_t word;

	memcpy(&word, at + 1, sizeof word);
	sink += word;
	for (unsigned i = below(16); i--;)
		sink += (unsigned)area[(i << 12 | (unsigned)(at - area)) %
				       AREA];
	for (unsigned i = 0; i < 64; i += 8) {
		memcpy(at + i, &x, sizeof x);
		sink += (unsigned)at[i + 2];
	}
}

static void
mix(unsigned n)
{
	while (n--) {
		switch (below(8)) {
		case 0:
			copy();
			break;
		case 1:
			sink += calls[below(3)](sink);
			break;
		case 2:
			compute();
			break;
		case 3:
			sink += deep(below(32));
			break;
		case 4:
			__sync_fetch_and_add((int *)(void *)area + below(999),
					     1);
			break;
		case 5:
			sink = below(2) ? sink + 1 : sink ^ 3;
			break;
		default:
			reach();
		}
	}
}

/* ---- forks ------------------------------------------------------------- */

static void
forks(char *name, unsigned n)
{
	char *const again[] = {name, "mix", "20", NULL};

	for (unsigned i = 0; i < 2 && n; i++) {
		if (fork()) {
			mix(20);
			wait(NULL);
			continue;
		}
		mix(30 + 10 * i);
		if (n == 1 && i)
			execv(name, again);
		forks(name, n - 1);
		_exit(0);
	}
}

/* ---- signals ----------------------------------------------------------- */

static sigjmp_buf back;

static void
interrupt(int signal)
{
	(void)signal;
	mix(1);
}

static void
leap(int signal)
{
	(void)signal;
	siglongjmp(back, 1);
}

static void
signals(unsigned n)
{
	signal(SIGUSR1, interrupt);
	signal(SIGSEGV, leap);
	while (n--) {
		mix(3);
		raise(SIGUSR1);
		if (n % 4 == 0 && !sigsetjmp(back, 1))
			*(volatile int *)8 = 1;
	}
}

/* ---- threads ----------------------------------------------------------- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *
thread(void *arg)
{
	unsigned step = *(unsigned *)arg;

	for (unsigned i = 0; i < 200; i++) {
		area[i * step % AREA]++;
		__sync_fetch_and_add(&sink, 1);
		if (i % 50)
			continue;
		pthread_mutex_lock(&lock);
		mix(1);
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

static void *
spawn(void *arg)
{
	pid_t child;

	pthread_mutex_lock(&lock);
	mix(*(unsigned *)arg / 64);
	child = fork();
	if (!child) {
		mix(5);
		_exit(0);
	}
	pthread_mutex_unlock(&lock);
	waitpid(child, NULL, 0);
	return thread(arg);
}

static void
threads(unsigned n, void *(*start)(void *))
{
	pthread_t id[16];
	unsigned step[16];

	for (unsigned i = 0; i < n; i++) {
		step[i] = 64 * (i + 1);
		pthread_create(&id[i], NULL, start, &step[i]);
	}
	thread(&n);
	for (unsigned i = 0; i < n; i++)
		pthread_join(id[i], NULL);
}

/* ---- code -------------------------------------------------------------- */

#define CODE 64	/* bytes of a function, or more */

static void
code(unsigned n)
{
	char *page = mmap(NULL, CODE * CODE, PROT_READ | PROT_WRITE | PROT_EXEC,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	while (n--) {
		char *at = page + below(CODE) * CODE;

		memcpy(at, (char *)calls[below(2)], CODE);
		__builtin___clear_cache(at, at + CODE);
		for (unsigned i = below(9); i--;)
			sink += ((unsigned (*)(unsigned))at)(sink);
		mix(1);
	}
}

int
main(int argc, char **argv)
{
	unsigned n;

	if (argc < 3)
		return 64;
	n = (unsigned)atoi(argv[2]);
	if (!strcmp(argv[1], "forks"))
		forks(argv[0], n);
	else if (!strcmp(argv[1], "signals"))
		signals(n);
	else if (!strcmp(argv[1], "threads"))
		threads(n, thread);
	else if (!strcmp(argv[1], "spawns"))
		threads(n, spawn);
	else if (!strcmp(argv[1], "code"))
		code(n);
	else
		mix(n);
	return 0;
}
