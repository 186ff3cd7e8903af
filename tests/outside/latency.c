/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Cycles that twenty more multiplies in a chain take between two reads of the
 * cycle counter, with cpuid in front of each read, which waits for them. */
#include <stdio.h>

#define READ(to) "xorl %%eax,%%eax\n\tcpuid\n\trdtsc\n\tmovl %%eax," to "\n\t"

/* Of so many; the last of some times, when all is in the caches. */
#define CYCLES(multiplies)                                            \
	({                                                            \
		unsigned from = 0, to = 0;                            \
                                                                      \
		for (unsigned i = 0; i < 100; i++)                    \
			__asm__ volatile(READ("%0") ".rept " #multiplies \
				"\n\timull %%esi,%%esi\n\t.endr\n\t"  \
				READ("%1")                            \
				: "=&r"(from), "=&r"(to) : :          \
				"eax", "ebx", "ecx", "edx", "esi");   \
		to - from;                                            \
	})

int
main(void)
{
	unsigned twenty = CYCLES(20);

	printf("%u\n", CYCLES(40) - twenty);
	return 0;
}
