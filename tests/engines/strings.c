/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Repeated string instructions: what they leave in memory, registers and flags,
 * however long they are, and in faults. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <ucontext.h>

#define BYTES 20000

static unsigned char to[BYTES], from[BYTES];

static unsigned long
sum(void)
{
	unsigned long s = 0;

	for (int i = 0; i < BYTES; i++)
		s = s * 31 + to[i];
	return s;
}

/* Of n elements, with RAX; says where it has come to. */
#define STRING(instruction, di, si, n, a)                                  \
	do {                                                               \
		unsigned char *p = (di), *q = (si);                        \
		unsigned long k = (unsigned long)(n);                      \
                                                                           \
		__asm__ volatile(instruction                               \
				 : "+D"(p), "+S"(q), "+c"(k)               \
				 : "a"((unsigned long)(a)) : "memory", "cc"); \
		printf(" %ld %ld %lu %lx", (long)(p - to),                 \
		       (long)(q - from), k, sum());                        \
	} while (0)

static void
all(int n, int at)
{
	printf("%d at %d:", n, at);
	STRING("rep stosb", to + at, from, n, n + at);
	STRING("rep movsb", to + at, from + 5 * at, n, 0);
	STRING("rep stosw", to + at, from, n / 2, n + at);
	STRING("rep stosl", to + at, from, n / 4, n * 0x01020305ul + at);
	STRING("rep movsq", to + at, from + 5 * at, n / 8, 0);
	STRING("std\n rep movsb\n cld", to + at + n, from + 5 * at + n, n, 0);
	/* They leave flags as they are. */
	STRING("cmp %%rax, %%rax\n rep stosb\n jz 1f\n ud2\n 1:", to + at,
	       from, n, at);
	STRING("stc\n rep stosb\n jc 1f\n ud2\n 1:", to + at, from, n, n);
	/* What is copied over itself goes on and on. */
	STRING("rep movsb", to + at + 3, to + at, n, 0);
	STRING("rep lodsb", to + at, from, n, 0);
	STRING("repne scasb", to + at, from, n, 7);
	STRING("repe cmpsb", to + at, from + 5 * at, n, 0);
	printf("\n");
}

static char *page;

static void
on_fault(int sig, siginfo_t *info, void *context)
{
	greg_t *g = ((ucontext_t *)context)->uc_mcontext.gregs;

	printf("fault %d at %ld: %lld left, from %lld\n", sig,
	       (long)((char *)info->si_addr - page), (long long)g[REG_RCX],
	       (long long)(g[REG_RDI] - (greg_t)page));
	mprotect(page + 4096, 4096, PROT_READ | PROT_WRITE);
}

static void
faults(int n, int before)
{
	struct sigaction action = {.sa_sigaction = on_fault,
				   .sa_flags = SA_SIGINFO};
	char *p;
	unsigned long k = (unsigned long)n;

	page = mmap(NULL, 8192, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	mprotect(page + 4096, 4096, PROT_NONE);
	sigaction(SIGSEGV, &action, NULL);
	p = page + 4096 - before;
	__asm__ volatile("rep stosb" : "+D"(p), "+c"(k) : "a"(1) : "memory");
	printf("%ld %lu %d %d\n", (long)(p - page), k, p[-1], p[0]);
}

/* With an argument, without faults. */
int
main(int argc, char **argv)
{
	static const int n[] = {0, 1, 7, 31, 32, 33, 63, 64, 100, 1000, 9001};

	for (int i = 0; i < BYTES; i++)
		from[i] = (unsigned char)(i * 7 + i / 256);
	for (int i = 0; i < 11; i++)
		for (int at = 0; at < 64; at += 21)
			all(n[i], at);
	(void)argv;
	if (argc > 1)
		return 0;
	faults(100, 50);
	faults(64, 32);
	faults(64, 64);
	faults(64, 63);
	return 0;
}
