/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program with regions, of which each instruction is known. */
#include <pmcsim/region.h>

#include "loop.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define OUTER "an outer \"one\", 100 %"

static void
loops(void)
{
	for (int i = 0; i < 3; i++) {
		PMCSIM_REGION_BEGIN("loop");
		LOOP;
		PMCSIM_REGION_END("loop");
		PMCSIM_REGION_BEGIN("empty");
		PMCSIM_REGION_END("empty");
	}
}

/* The inner region's markers are the outer one's. */
static void
nested(void)
{
	PMCSIM_REGION_BEGIN(OUTER);
	PMCSIM_REGION_BEGIN("inner");
	LOOP;
	PMCSIM_REGION_END("inner");
	LOOP;
	PMCSIM_REGION_END(OUTER);
}

static void
overlapping(void)
{
	PMCSIM_REGION_BEGIN("first");
	LOOP;
	PMCSIM_REGION_BEGIN("second");
	LOOP;
	PMCSIM_REGION_END("first");
	LOOP;
	LOOP;
	PMCSIM_REGION_END("second");
}

/* In itself: once, with the markers that are inside. */
static void
within_itself(void)
{
	PMCSIM_REGION_BEGIN("self");
	LOOP;
	PMCSIM_REGION_BEGIN("self");
	LOOP;
	PMCSIM_REGION_END("self");
	PMCSIM_REGION_END("self");
}

static void
wrong(void)
{
	PMCSIM_REGION_END("unbegun");
	PMCSIM_REGION_BEGIN("unended");
	LOOP;
}

static void *
thread(void *n)
{
	for (int i = 0; i < *(const int *)n; i++) {
		PMCSIM_REGION_BEGIN("thread");
		LOOP;
		PMCSIM_REGION_END("thread");
	}
	return NULL;
}

static void
threads(void)
{
	static const int n[] = {1, 20, 300};
	pthread_t id[3];

	for (int i = 0; i < 3; i++)
		if (pthread_create(&id[i], NULL, thread, (void *)&n[i]))
			exit(1);
	for (int i = 0; i < 3; i++)
		pthread_join(id[i], NULL);
}

/* The child ends the region that its parent has begun, and has another one
 * for itself. */
static void
forks(void)
{
	pid_t pid;

	PMCSIM_REGION_BEGIN("before");
	pid = fork();
	PMCSIM_REGION_END("before");
	PMCSIM_REGION_BEGIN("behind");
	LOOP;
	PMCSIM_REGION_END("behind");
	if (!pid) {
		PMCSIM_REGION_BEGIN("child");
		LOOP;
		PMCSIM_REGION_END("child");
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

static void
many(void)
{
	for (int i = 0; i < 100000; i++) {
		PMCSIM_REGION_BEGIN("many");
		__asm__ __volatile__("nop");
		PMCSIM_REGION_END("many");
	}
}

static jmp_buf out;

__attribute__((noinline, noclone)) void
recurse(int n)
{
	LOOP;
	if (n < 0)
		longjmp(out, 1);
	if (n > 0)
		recurse(n - 1);
	__asm__ __volatile__("");
}

static void
procedures(void)
{
	recurse(3);
	LOOP;
	if (!setjmp(out))
		recurse(-1);
	LOOP;
}

static const struct {
	const char *name;
	void (*fn)(void);
} parts[] = {
	{"loops", loops}, {"nested", nested}, {"overlapping", overlapping},
	{"self", within_itself}, {"wrong", wrong}, {"threads", threads},
	{"forks", forks}, {"many", many}, {"procedures", procedures},
};

int
main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		for (size_t k = 0; k < sizeof(parts) / sizeof(*parts); k++)
			if (!strcmp(argv[i], parts[k].name))
				parts[k].fn();
	return 0;
}
