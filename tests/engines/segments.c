/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The base of GS is a program's own: operands of all forms behind it, for each
 * thread, across fork, and in a fault. */
#define _GNU_SOURCE
#include <asm/prctl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

typedef unsigned long ulong_t;

ulong_t area[64] __attribute__((aligned(64)));

static long
set_gs(const void *base)
{
	return syscall(SYS_arch_prctl, ARCH_SET_GS, base);
}

static ulong_t
get_gs(void)
{
	ulong_t base = 1;

	syscall(SYS_arch_prctl, ARCH_GET_GS, &base);
	return base;
}

static void
fill(void)
{
	for (unsigned i = 0; i < 64; i++)
		area[i] = i * 0x0101010101010101ul;
}

/* Loads, stores, and both, with registers of all kinds in the address. */
static void
general(void)
{
	ulong_t a, b = 8, c = 5;

	__asm__ volatile("mov %%gs:16, %0" : "=r"(a));
	printf("mov %lx", a);
	__asm__ volatile("mov %%gs:(%1, %2, 8), %0" : "=r"(a) : "r"(b), "r"(c));
	printf(" %lx", a);
	__asm__ volatile("mov %1, %%r12\n mov %2, %%r13\n"
			 "mov %%gs:8(%%r12, %%r13, 8), %%r11\n mov %%r11, %0"
			 : "=r"(a) : "r"(b), "r"(c) : "r11", "r12", "r13");
	printf(" %lx", a);
	__asm__ volatile("addq $3, %%gs:24\n lock xaddq %0, %%gs:32"
			 : "+r"(c) : : "cc", "memory");
	printf(" %lx %lx %lx\n", c, area[3], area[4]);
	__asm__ volatile("pushq %%gs:40\n popq %%gs:48\n"
			 "movl $0x12345678, %%gs:56\n"
			 "imul $3, %%gs:8, %0\n"
			 : "=r"(a) : : "cc", "memory");
	printf("push %lx %lx imul %lx\n", area[6], area[7], a);
	__asm__ volatile("mov %1, %%rax\n xor %%edx, %%edx\n mov $7, %%ebx\n"
			 "xor %%ecx, %%ecx\n lock cmpxchg16b %%gs:128\n"
			 "setz %%al\n movzbl %%al, %%eax\n mov %%rax, %0"
			 : "=r"(a) : "r"(area[16]) : "rax", "rbx", "rcx", "rdx",
			   "cc", "memory");
	printf("cmpxchg16b %lx %lx\n", a, area[16]);
}

static void
vectors(void)
{
	ulong_t at = 64, out[4] = {0};

	__asm__ volatile("movups %%gs:(%1), %%xmm9\n paddq %%gs:16(%1), %%xmm9\n"
			 "movups %%xmm9, %%gs:192\n"
			 "mov %1, %%r14\n vmovdqu %%gs:8(%%r14), %%ymm3\n"
			 "vpaddq %%gs:(%%rax, %%r14), %%ymm3, %%ymm10\n"
			 "vmovdqu %%ymm10, %0\n vzeroupper"
			 : "=m"(out) : "r"(at), "a"(32ul)
			 : "r14", "xmm3", "xmm9", "xmm10", "memory");
	printf("sse %lx %lx avx %lx %lx\n", area[24], area[25], out[0], out[3]);
}

static void
branches(void)
{
	ulong_t a;

	__asm__ volatile("lea 1f(%%rip), %%rax\n mov %%rax, %%gs:256\n"
			 "lea 2f(%%rip), %%rax\n mov %%rax, %%gs:264\n"
			 "mov $1, %0\n"
			 "sub $128, %%rsp\n call *%%gs:256\n add $128, %%rsp\n"
			 "jmp *%%gs:264\n"
			 "1: add $4, %0\n ret\n"
			 "2: add $16, %0\n"
			 : "=&r"(a) : : "rax", "cc", "memory");
	printf("branches %lx\n", a);
}

static void
bases(void)
{
	ulong_t a, b;

	__asm__ volatile("rdgsbase %0\n wrgsbase %2\n rdgsbase %1\n wrgsbase %0"
			 : "=&r"(a), "=&r"(b) : "r"(area + 8));
	printf("base %d %d %d, refused %ld\n", a == (ulong_t)area,
	       b == (ulong_t)(area + 8), get_gs() == (ulong_t)area,
	       set_gs((void *)0x8000000000000000));
}

static void *
in_thread(void *mine)
{
	ulong_t a, before = get_gs();

	set_gs(mine);
	__asm__ volatile("mov %%gs:8, %0" : "=r"(a));
	printf("thread %d %lx\n", before == (ulong_t)area, a);
	return NULL;
}

static void
on_fault(int sig, siginfo_t *info, void *context)
{
	greg_t *g = ((ucontext_t *)context)->uc_mcontext.gregs;

	printf("fault %d at %lx: %llx %llx %llx %d\n", sig,
	       (ulong_t)info->si_addr, g[REG_RBX], g[REG_RSI], g[REG_R15],
	       (ulong_t)g[REG_RDI] == 0xd1000 - (ulong_t)area);
	g[REG_RDI] = 24;
}

/* The registers are the program's there, and what it makes of them counts. */
static void
faults(void)
{
	struct sigaction action = {.sa_sigaction = on_fault,
				   .sa_flags = SA_SIGINFO};
	ulong_t rsi = 0x51, rdi = 0xd1000 - (ulong_t)area, out;

	sigaction(SIGSEGV, &action, NULL);
	__asm__ volatile("mov $0xb, %%ebx\n mov $0xf, %%r15d\n"
			 "mov %%gs:(%1), %2"
			 : "+S"(rsi), "+D"(rdi), "=a"(out)
			 : : "rbx", "r15");
	printf("behind it %lx %lx %lx\n", rsi, rdi, out);
	rdi = 0xd1000 - (ulong_t)area;
	__asm__ volatile("mov $0xb, %%ebx\n mov $0xf, %%r15d\n"
			 "lea 1f(%%rip), %%rax\n mov %%rax, %%gs:24\n"
			 "jmp *%%gs:(%1)\n ud2\n 1:"
			 : "+S"(rsi), "+D"(rdi)
			 : : "rax", "rbx", "r15", "memory");
	printf("behind the jump %lx %lx\n", rsi, rdi);
}

int
main(void)
{
	pthread_t thread;

	setvbuf(stdout, NULL, _IONBF, 0);
	fill();
	printf("at first %lx\n", get_gs());
	set_gs(area);
	general();
	vectors();
	branches();
	bases();
	pthread_create(&thread, NULL, in_thread, area + 10);
	pthread_join(thread, NULL);
	if (!fork()) {
		printf("child %d\n", get_gs() == (ulong_t)area);
		return 0;
	}
	wait(NULL);
	faults();
	return 0;
}
