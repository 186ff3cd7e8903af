/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Is called by signals fifty times, wherever it is then: at a return in
 * another page, the end of a block of 200 instructions, or behind it.
 */
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>

static volatile int calls;

static void
on_signal(int signal)
{
	(void)signal;
	calls++;
}

int
main(void)
{
	struct itimerval often = {{0, 1000}, {0, 1000}};

	signal(SIGALRM, on_signal);
	setitimer(ITIMER_REAL, &often, NULL);
	while (calls < 50)
		__asm__ volatile("call 1f\n"
				 "mov %0, %%eax\n"
				 "jmp 2f\n"
				 ".balign 4096, 0x90\n"
				 "1: .fill 200, 1, 0x90\n"
				 "ret\n"
				 "2:" : : "m"(calls) : "eax", "memory");
	puts("done");
	return 0;
}
