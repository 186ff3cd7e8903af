/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a thread that is not the first one does to its process, by a letter. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char what;

/* A thread by itself: what the kernel returns. */
static int
nothing(void *arg)
{
	return arg != NULL;
}

static int
without_all_flags(void)
{
	char *stack = malloc(65536);

	return clone(nothing, stack + 65536, CLONE_VM | SIGCHLD, NULL);
}

/* Code that one thread writes and another executes. */
static void
write_code(unsigned char *code, unsigned n)
{
	code[0] = 0xb8;		/* mov $n, %eax; ret */
	code[1] = (unsigned char)n;
	code[2] = code[3] = code[4] = 0;
	code[5] = 0xc3;
}

static void *
call(void *code)
{
	unsigned (*volatile fn)(void) = (unsigned (*)(void))code;

	return (void *)(unsigned long)fn();
}

static unsigned
code_of_others(void)
{
	unsigned char *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE |
				   PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1,
				   0);
	unsigned sum = 0;

	for (unsigned i = 0; i < 20; i++) {
		pthread_t thread;
		void *result;

		write_code(code, i);
		pthread_create(&thread, NULL, call, code);
		pthread_join(thread, &result);
		sum += (unsigned)(unsigned long)result;
	}
	return sum;
}

static void *
run(void *arg)
{
	int status = -1;

	switch (what) {
	case 'e':		/* ends it */
		exit(7);
	case 'f':		/* forks */
		if (!fork())
			_exit(9);
		wait(&status);
		printf("child: %d\n", WEXITSTATUS(status));
		break;
	case 'x':		/* executes a program */
		execl("/bin/echo", "echo", "executed", (char *)NULL);
		break;
	case 'c':
		printf("code: %u\n", code_of_others());
		break;
	case 'q':		/* a call that threads may not make like that */
		printf("clone: %d\n", without_all_flags());
		break;
	}
	fflush(stdout);
	return arg;
}

int
main(int argc, char **argv)
{
	pthread_t thread;

	what = argc > 1 ? argv[1][0] : 'f';
	if (pthread_create(&thread, NULL, run, NULL))
		return 1;
	if (what == 'l')	/* the last one ends it */
		pthread_exit(NULL);
	pthread_join(thread, NULL);
	return 3;
}
