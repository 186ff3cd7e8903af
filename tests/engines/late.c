/* SPDX-License-Identifier: GPL-2.0-or-later */
/* late [t]: maps a library and calls its functions by pointers; with an argument
 * beside another thread, for which nothing is mapped.  With -DLIBRARY the library. */
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

#ifdef LIBRARY
static volatile int sum;

static int
one(int n)
{
	return n + 1;
}

static int
two(int n)
{
	return n * 3;
}

void
work(int n)
{
	int (*const fn[])(int) = {one, two};

	for (int i = 0; i < 3000; i++)
		sum += fn[(i + n) % 2](i);
}
#else
static void *
other(void *arg)
{
	static volatile int n;

	for (int i = 0; i < 300000; i++)
		n = n + 1;
	return arg;
}

int
main(int argc, char **argv)
{
	static char stack[1 << 16] __attribute__((aligned(4096)));
	pthread_attr_t attr;
	pthread_t thread;
	void (*work)(int);

	(void)argv;
	pthread_attr_init(&attr);
	pthread_attr_setstack(&attr, stack, sizeof stack);
	if (argc > 1)
		pthread_create(&thread, &attr, other, NULL);
	work = (void (*)(int))dlsym(dlopen("./liblate.so", RTLD_NOW), "work");
	for (int i = 0; i < 3; i++)
		work(i);
	if (argc > 1)
		pthread_join(thread, NULL);
	return 0;
}
#endif
