/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The program that measures, for x86-64: as system_measure_mips.c has it for
 * MIPS. */
#include "system_internal.h"
#include "system_measure.h"

#include "program/system_marks.h"

#include <elf.h>
#include <stddef.h>
#include <string.h>

/* Linux's calls of x86-64. */
enum call { CALL_FORK = 57, CALL_EXECVE = 59, CALL_EXIT = 60, CALL_WAIT4 = 61,
	    CALL_CLOCK_GETTIME = 228, CALL_CLOCK_NANOSLEEP = 230 };

#define WORD(n) (n) & 255, (n) >> 8 & 255, (n) >> 16 & 255, (n) >> 24 & 255
#define MOV_EAX(n) 0xb8, WORD(n)
#define MOV_ESI(n) 0xbe, WORD(n)
#define MOV_EDI(n) 0xbf, WORD(n)
#define SYSCALL 0x0f, 0x05

/*
 * On entry, the stack holds argc, argv and 0, the environment and 0.
 *
 * First it sleeps until a second has begun, when the kernel does what it does
 * now and then, and waits for a tick, so that both come at the same places of
 * a command in each run.
 */
static const unsigned char code[] = {
	0x48, 0x89, 0xe3,			/* mov %rsp,%rbx */
	0x48, 0x83, 0xec, 0x40,			/* sub $0x40,%rsp */
	MOV_EAX(CALL_CLOCK_GETTIME),
	MOV_EDI(CLOCK_MONOTONIC),
	0x48, 0x89, 0xe6,			/* mov %rsp,%rsi */
	SYSCALL,
	0x48, 0xff, 0x04, 0x24,			/* incq (%rsp) */
	/* movq $LATER_NS,8(%rsp) */
	0x48, 0xc7, 0x44, 0x24, 0x08, WORD(LATER_NS),
	MOV_EAX(CALL_CLOCK_NANOSLEEP),
	MOV_EDI(CLOCK_MONOTONIC),
	MOV_ESI(TIMER_ABSTIME),
	0x48, 0x89, 0xe2,			/* mov %rsp,%rdx */
	0x45, 0x31, 0xd2,			/* xor %r10d,%r10d */
	SYSCALL,
	MOV_EAX(CALL_CLOCK_GETTIME),
	MOV_EDI(CLOCK_MONOTONIC_COARSE),
	0x48, 0x89, 0xe6,			/* mov %rsp,%rsi */
	SYSCALL,
	0x48, 0x8b, 0x6c, 0x24, 0x08,		/* mov 0x8(%rsp),%rbp */
	MOV_EAX(CALL_CLOCK_GETTIME),
	MOV_EDI(CLOCK_MONOTONIC_COARSE),
	0x48, 0x89, 0xe6,			/* mov %rsp,%rsi */
	SYSCALL,
	0x48, 0x39, 0x6c, 0x24, 0x08,		/* cmp %rbp,0x8(%rsp) */
	0x74, 0xea,				/* je back to the clock */
	MOV_EAX(CALL_FORK),
	SYSCALL,
	0x89, 0xc7,				/* mov %eax,%edi */
	0x85, 0xc0,				/* test %eax,%eax */
	0x78, 0x52,				/* js exit */
	0x75, 0x25,				/* jne parent */
	/* child: execve(argv[1], argv + 2, env) */
	0x48, 0x8b, 0x7b, 0x10,			/* mov 0x10(%rbx),%rdi */
	0x48, 0x8d, 0x73, 0x18,			/* lea 0x18(%rbx),%rsi */
	0x48, 0x8b, 0x03,			/* mov (%rbx),%rax */
	0x48, 0x8d, 0x54, 0xc3, 0x10,		/* lea 0x10(%rbx,%rax,8),%rdx */
	SYSTEM_MARK_X86(SYSTEM_MARK_X86_START),
	MOV_EAX(CALL_EXECVE),
	SYSCALL,
	MOV_EDI(127),
	0xeb, 0x2b,				/* jmp exit */
	/* parent: wait4(child, rsp, 0, 0) */
	0x48, 0x89, 0xe6,			/* mov %rsp,%rsi */
	0x31, 0xd2,				/* xor %edx,%edx */
	0x45, 0x31, 0xd2,			/* xor %r10d,%r10d */
	MOV_EAX(CALL_WAIT4),
	SYSCALL,
	SYSTEM_MARK_X86(SYSTEM_MARK_X86_STOP),
	0x8b, 0x3c, 0x24,			/* mov (%rsp),%edi */
	0x89, 0xf8,				/* mov %edi,%eax */
	0x83, 0xe0, 0x7f,			/* and $0x7f,%eax */
	0x74, 0x08,				/* je ended */
	/* by a signal */
	0x8d, 0xb8, 0x80, 0x00, 0x00, 0x00,	/* lea 0x80(%rax),%edi */
	0xeb, 0x03,				/* jmp exit */
	/* ended: by itself */
	0xc1, 0xef, 0x08,			/* shr $0x8,%edi */
	/* exit: */
	MOV_EAX(CALL_EXIT),
	SYSCALL,
};

#define BASE 0x400000

struct image {
	Elf64_Ehdr header;
	Elf64_Phdr segment;
	unsigned char code[sizeof code];
};

_Static_assert(sizeof(struct image) <= SYSTEM_MEASURE_MAX, "it fits");

size_t
system_measure_x86_64(unsigned char program[SYSTEM_MEASURE_MAX])
{
	struct image image = {
		MEASURE_FILE(64, EM_X86_64, 0, BASE, 0x1000),
	};

	memcpy(image.code, code, sizeof code);
	memcpy(program, &image, sizeof image);
	return sizeof image;
}
