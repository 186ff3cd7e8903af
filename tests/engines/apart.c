/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the engine counts and writes down while this program executes changes
 * none of its registers, and nothing in the memory of its thread: status 0.
 * Without the C library; with an argument, FS leads to memory of its own.
 */
#include <pmcsim/region.h>

#define ROUNDS 20000
#define VECTORS 16
#define WORDS 512
#define FILL 0x5a5a5a5a5a5a5a5aul

static unsigned long vectors[VECTORS][4], after[VECTORS][4];
static unsigned long thread[2 * WORDS];

static long
kernel(long number, long a, long b)
{
	long result;

	__asm__ volatile("syscall" : "=a"(result)
			 : "a"(number), "D"(a), "S"(b)
			 : "rcx", "r11", "memory");
	return result;
}

static void
fill(void)
{
	for (unsigned i = 0; i < VECTORS; i++)
		for (unsigned k = 0; k < 4; k++)
			vectors[i][k] = 0x0101010101010101ul * (4 * i + k + 1);
	for (unsigned i = 0; i < 2 * WORDS; i++)
		thread[i] = FILL;
}

#define EACH(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) \
	DO(9) DO(10) DO(11) DO(12) DO(13) DO(14) DO(15)
#define LOAD(i) "vmovdqu 32*" #i "(%2), %%ymm" #i "\n"
#define STORE(i) "vmovdqu %%ymm" #i ", 32*" #i "(%3)\n"
#define NAME(i) , "xmm" #i

/* Branches of which each comes now and then, between markers of a part. */
__attribute__((noinline)) static void
work(void)
{
	unsigned long n = ROUNDS, x = 1;

	__asm__ volatile(EACH(LOAD)
		"1:	imul $0x5851f42d, %1, %1\n"
		"	add $0x14057b7d, %1\n"
		"	test $0x10000, %1\n"
		"	jz 2f\n"
		"	imul %1, %1\n"
		"2:	test $0x700000, %1\n"
		"	jnz 3f\n"
		"	push %1\n"
		"	pop %1\n"
		"3:	dec %0\n"
		"	jnz 1b\n"
		EACH(STORE)
		: "+r"(n), "+r"(x) : "r"(vectors), "r"(after)
		: "memory" EACH(NAME));
}

static int
is_changed(void)
{
	for (unsigned i = 0; i < VECTORS; i++)
		for (unsigned k = 0; k < 4; k++)
			if (after[i][k] != vectors[i][k])
				return 1;
	for (unsigned i = 0; i < 2 * WORDS; i++)
		if (thread[i] != FILL)
			return 2;
	return 0;
}

__attribute__((used)) static void
begin(long argc)
{
	int status = 0;

	fill();
	if (argc > 1)
		kernel(158, 0x1002, (long)&thread[WORDS]); /* ARCH_SET_FS */
	for (unsigned i = 0; i < 5 && !status; i++) {
		PMCSIM_REGION_BEGIN("part");
		work();
		PMCSIM_REGION_END("part");
		status = is_changed();
	}
	kernel(60, status, 0);
}

__asm__(".globl _start\n_start: mov (%rsp), %rdi\n	and $-16, %rsp\n	call begin\n");
