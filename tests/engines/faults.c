/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Handlers of faults that go on elsewhere, with registers that the code behind
 * the fault does not need: their sum, and status 0 if it is right.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <ucontext.h>

#define ROUNDS 200
#define ALL 511			/* of 1, 2, 4... 256 in nine registers */

extern char elsewhere[];

static void
on_fault(int sig, siginfo_t *info, void *context)
{
	ucontext_t *uc = context;

	(void)sig;
	(void)info;
	uc->uc_mcontext.gregs[REG_RIP] = (greg_t)(unsigned long)elsewhere;
}

/* A load of nothing, or a division by it. */
static long
fault(long divide)
{
	long sum = 0;

	__asm__ volatile(
		"	mov $1, %%ecx\n	mov $2, %%edx\n	mov $4, %%esi\n"
		"	mov $8, %%edi\n	mov $16, %%r8d\n	mov $32, %%r9d\n"
		"	mov $64, %%r10d\n	mov $128, %%r11d\n"
		"	mov $256, %%ebx\n	xor %%eax, %%eax\n"
		"	test %[divide], %[divide]\n	jnz 2f\n"
		"	mov (%%rax), %%rax\n"
		"1:	xor %%ecx, %%ecx\n	xor %%edx, %%edx\n"
		"	xor %%esi, %%esi\n	xor %%edi, %%edi\n"
		"	xor %%r8d, %%r8d\n	xor %%r9d, %%r9d\n"
		"	xor %%r10d, %%r10d\n	xor %%r11d, %%r11d\n"
		"	xor %%ebx, %%ebx\n	cmp %%ebx, %%eax\n"
		"	jmp 4f\n"
		"2:	xor %%edx, %%edx\n	idivl %%eax\n	jmp 1b\n"
		".globl elsewhere\n"
		"elsewhere:\n"
		"	test %[divide], %[divide]\n	jz 3f\n"
		"	add $2, %%rdx\n"
		"3:	add %%rcx, %[sum]\n	add %%rdx, %[sum]\n"
		"	add %%rsi, %[sum]\n	add %%rdi, %[sum]\n"
		"	add %%r8, %[sum]\n	add %%r9, %[sum]\n"
		"	add %%r10, %[sum]\n	add %%r11, %[sum]\n"
		"	add %%rbx, %[sum]\n"
		"4:\n"
		: [sum] "+r"(sum) : [divide] "r"(divide)
		: "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10",
		  "r11", "memory", "cc");
	return sum;
}

int
main(void)
{
	struct sigaction a = {.sa_sigaction = on_fault,
			      .sa_flags = SA_SIGINFO};
	long sum = 0;

	sigaction(SIGSEGV, &a, NULL);
	sigaction(SIGFPE, &a, NULL);
	for (int i = 0; i < ROUNDS; i++)
		sum += fault(0) + fault(1);
	printf("%ld\n", sum);
	return sum != 2l * ROUNDS * ALL;
}
