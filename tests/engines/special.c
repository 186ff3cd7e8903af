/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Instructions that an engine has to answer: pushf and popf with flags that are
 * the system's, rdfsbase and wrfsbase, rdrand. */
#include <stdio.h>

#define CARRY 1ul
#define ALIGNMENT 0x40000ul
#define IDENTIFICATION 0x200000ul

/* Whether a flag stays as it is set, with an access that is not aligned
 * meanwhile. */
static int
stays(unsigned long flag)
{
	static char bytes[16];
	unsigned long before, after, word;

	__asm__ volatile("pushfq\n pop %0\n mov %0, %1\n xor %3, %1\n"
			 "push %1\n popfq\n"
			 "mov 1(%4), %2\n"
			 "pushfq\n pop %1\n"
			 "push %0\n popfq\n"
			 : "=&r"(before), "=&r"(after), "=&r"(word)
			 : "r"(flag), "r"(bytes) : "cc", "memory");
	return (before ^ after) == flag;
}

static unsigned long
fs(void)
{
	unsigned long base;

	__asm__ volatile("rdfsbase %0" : "=r"(base));
	return base;
}

int
main(void)
{
	unsigned long self, read = 0, base = fs(), number;
	unsigned long other[2] = {0x1234, 0};
	unsigned char there;

	printf("alignment %d, identification %d, carry %d\n",
	       stays(ALIGNMENT), stays(IDENTIFICATION), stays(CARRY));
	__asm__ volatile("mov %%fs:0, %0" : "=r"(self));
	__asm__ volatile("wrfsbase %1\n mov %%fs:0, %0\n wrfsbase %2"
			 : "=&r"(read) : "r"(other), "r"(base));
	printf("fs %d %d\n", self == base, read == 0x1234);
	__asm__ volatile("rdrand %0\n setc %1" : "=r"(number), "=r"(there));
	printf("random %d %lx\n", there, number);
	return 0;
}
