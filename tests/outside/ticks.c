/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Cycles as a program reads them: those of twenty no-ops, of a loop of 500
 * rounds, and how often the counter went back. */
#include <stdio.h>

#ifdef __alpha__
#define READ(to) "rpcc " to "\n\t"
#define NO_OPS ".rept 20\n\tbis $31,$31,$31\n\t.endr\n\t"
#define LOOP "lda $1,500($31)\n1:\tsubq $1,1,$1\n\tbne $1,1b\n\t"
#define SPOILT "$1"
#else
#define READ(to) "rdtsc\n\tmovl %%eax," to "\n\t"
#define NO_OPS ".rept 20\n\tnop\n\t.endr\n\t"
#define LOOP "movl $500,%%ecx\n1:\tdecl %%ecx\n\tjnz 1b\n\t"
#define SPOILT "eax", "ecx", "edx"
#endif

/* Cycles of what is between. */
#define CYCLES(between, from, to)                                  \
	__asm__ volatile(READ("%0") between READ("%1")             \
			 : "=&r"(from), "=&r"(to) : : SPOILT)

int
main(void)
{
	unsigned from, to, last = 0, back = 0, no_ops = 0, loop = 0;

	/* The first time much is missing. */
	for (unsigned i = 0; i < 1000; i++) {
		CYCLES(NO_OPS, from, to);
		no_ops = to - from;
		back += i && (int)(from - last) < 0;
		CYCLES(LOOP, from, last);
		loop = last - from;
		back += (int)(from - to) < 0;
	}
	printf("%u no-ops, %u loop, %u back\n", no_ops, loop, back);
	return 0;
}
