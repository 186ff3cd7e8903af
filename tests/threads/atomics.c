/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads that add to shared numbers with the widest atomic operations there
 * are, and on x86 to one that spans two cache lines: for this QEMU stops all
 * other threads.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 4

static unsigned char memory[128] __attribute__((aligned(64)));
static unsigned long long wide;
static int times;

#if defined(__x86_64__)
static unsigned __int128 widest;

static void
add_widest(void)
{
	unsigned __int128 old = __sync_val_compare_and_swap(&widest, 0, 0);
	unsigned __int128 seen;

	while ((seen = __sync_val_compare_and_swap(&widest, old, old + 3)) !=
	       old)
		old = seen;
}
#else
static unsigned widest;

static void
add_widest(void)
{
	__atomic_fetch_add(&widest, 3, __ATOMIC_SEQ_CST);
}
#endif

static void
add_split(unsigned n)
{
#if defined(__x86_64__) || defined(__i386__)
	__asm__ volatile("lock addl %1, %0"
			 : "+m"(*(unsigned *)(void *)(memory + 62))
			 : "r"(n)
			 : "cc");
#else
	__atomic_fetch_add((unsigned *)(void *)(memory + 64), n,
			   __ATOMIC_SEQ_CST);
#endif
}

static void *
run(void *arg)
{
	(void)arg;
	for (int i = 0; i < times; i++) {
		__atomic_fetch_add(&wide, 5, __ATOMIC_SEQ_CST);
		add_widest();
		if (i % 10 == 0)
			add_split(7);
	}
	return NULL;
}

int
main(int argc, char **argv)
{
	pthread_t thread[THREADS];
	unsigned split = 0;

	times = argc > 1 ? atoi(argv[1]) : 1000;
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&thread[i], NULL, run, NULL))
			return 1;
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	for (unsigned i = 0; i < sizeof memory; i++)
		split += memory[i];
	printf("%llu %llu %u\n", wide, (unsigned long long)widest, split);
	return 0;
}
