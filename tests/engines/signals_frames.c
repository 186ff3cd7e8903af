/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Handlers look at their frames and change them: what they find, and what comes
 * of it, is written to standard output. */
#define _GNU_SOURCE
#include <immintrin.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>

#define UPPER 576	/* of vector registers, as XSAVE places them */

static char *touched;

static void
show(const char *name, const ucontext_t *uc)
{
	const greg_t *g = uc->uc_mcontext.gregs;

	printf("%s: trap %d, error %d, address %d, context %lx, vectors at %d, "
	       "frame at %d\n", name, (int)g[REG_TRAPNO], (int)g[REG_ERR],
	       (char *)g[REG_CR2] == touched, uc->uc_flags,
	       (int)((uintptr_t)uc->uc_mcontext.fpregs % 64),
	       (int)((uintptr_t)uc % 16));
}

static void
on_trap(int sig, siginfo_t *info, void *context)
{
	(void)sig;
	(void)info;
	show("breakpoint", context);
}

static void
on_fault(int sig, siginfo_t *info, void *context)
{
	ucontext_t *uc = context;

	(void)sig;
	printf("fault at %d\n", info->si_addr == touched);
	show("fault", uc);
	uc->uc_mcontext.gregs[REG_RIP] += 2;	/* movb %al, (%rdi) */
}

/* All registers become 7: their lower halves in what FXSAVE has, their upper
 * halves behind it. */
static void
on_user(int sig, siginfo_t *info, void *context)
{
	ucontext_t *uc = context;
	char *vectors = (char *)uc->uc_mcontext.fpregs;
	uint64_t features;

	(void)sig;
	(void)info;
	memset(vectors + 160, 7, 256);
	memset(vectors + UPPER, 7, 256);
	memcpy(&features, vectors + 512, sizeof features);
	features |= 6;
	memcpy(vectors + 512, &features, sizeof features);
}

static void
set(int sig, void (*handler)(int, siginfo_t *, void *))
{
	struct sigaction a = {.sa_sigaction = handler,
			      .sa_flags = SA_SIGINFO | SA_ONSTACK};

	sigaction(sig, &a, NULL);
}

static void
on_other(int sig, siginfo_t *info, void *context)
{
	const ucontext_t *uc = context;

	(void)sig;
	(void)info;
	printf("other stack: vectors at %d\n",
	       (int)((uintptr_t)uc->uc_mcontext.fpregs % 64));
}

/* The frame ends where another stack does, and nothing behind is written. */
static void
other_stack(void)
{
	static char room[65536] __attribute__((aligned(64)));
	char *end = room + sizeof room - 64 + 4;
	stack_t stack = {.ss_sp = room, .ss_size = (size_t)(end - room)};
	int changed = 0;

	memset(end, 7, 60);
	sigaltstack(&stack, NULL);
	set(SIGUSR2, on_other);
	raise(SIGUSR2);
	for (int i = 0; i < 60; i++)
		changed += end[i] != 7;
	printf("behind it: %d\n", changed);
}

__attribute__((target("avx2"))) static void
vectors(void)
{
	unsigned char after[32];
	unsigned sum = 0;

	__asm__ volatile("vpcmpeqb %%ymm3, %%ymm3, %%ymm3\n"
			 "	mov $39, %%eax\n	syscall\n"	/* getpid */
			 "	mov %%eax, %%edi\n"
			 "	mov $10, %%esi\n	mov $62, %%eax\n"
			 "	syscall\n"				/* kill */
			 "	vmovdqu %%ymm3, %0"
			 : "=m"(after)
			 :
			 : "rax", "rcx", "rdi", "rsi", "r11", "xmm3", "memory");
	for (unsigned i = 0; i < sizeof after; i++)
		sum += after[i];
	printf("vectors %u\n", sum);
}

int
main(void)
{
	set(SIGTRAP, on_trap);
	set(SIGSEGV, on_fault);
	set(SIGUSR1, on_user);
	for (int i = 0; i < 3; i++)
		__asm__ volatile("int3");
	touched = (char *)8;
	__asm__ volatile("movb %%al, (%0)" : : "D"(touched) : "memory");
	other_stack();
	vectors();
	return 0;
}
