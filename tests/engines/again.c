/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Code that changes what its own block jumps to: again N, and again N threads,
 * where two threads do so, in pages of their own; N is not 0.  A round is 8 instructions or
 * 9, in turn, one of which loads and stores, and 3 branches.  They are a region,
 * since how long a thread waits for the other is not known.
 */
#include <pmcsim/region.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE 4096

extern const char code[], code_end[];
__asm__(".pushsection .rodata\n"
	"code:	xorb $1, jump + 1(%rip)\n"
	"	nop\n	nop\n"
	"	jmp jump\n"
	"jump:	jmp 1f\n"
	"1:	nop\n"
	"	dec %rdi\n"
	"	nop\n"
	"	jnz code\n"
	"	ret\n"
	"code_end:\n"
	".popsection\n");

static long rounds;

static void *
work(void *unused)
{
	void (*call)(long);
	void *room = mmap(NULL, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	memcpy(room, code, (size_t)(code_end - code));
	memcpy(&call, &room, sizeof call);
	PMCSIM_REGION_BEGIN("again");
	call(rounds);
	PMCSIM_REGION_END("again");
	return unused;
}

int
main(int argc, char **argv)
{
	pthread_t thread;

	rounds = argc > 1 ? atol(argv[1]) : 1;
	if (argc > 2)
		pthread_create(&thread, NULL, work, NULL);
	work(NULL);
	if (argc > 2)
		pthread_join(thread, NULL);
	return 0;
}
