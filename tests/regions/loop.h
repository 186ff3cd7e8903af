/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A loop of 1000 rounds: 2001 instructions, or 3001 with delay slots. */
#if defined(__x86_64__) || defined(__i386__)
#define LOOP \
	__asm__ __volatile__("mov $1000, %%ecx\n1: dec %%ecx\njnz 1b" \
			     : : : "ecx", "cc")
#elif defined(__mips__)
#define LOOP                                                             \
	__asm__ __volatile__(".set push\n.set noreorder\nli $8, 1000\n"  \
			     "1: addiu $8, $8, -1\nbnez $8, 1b\nnop\n"   \
			     ".set pop" : : : "$8")
#else
#define LOOP \
	__asm__ __volatile__("lda $1, 1000($31)\n1: subq $1, 1, $1\n" \
			     "bne $1, 1b" : : : "$1")
#endif

/* exit(0), without a library. */
#if defined(__x86_64__)
#define EXIT \
	__asm__ __volatile__("mov $60, %eax\nxor %edi, %edi\nsyscall")
#elif defined(__i386__)
#define EXIT \
	__asm__ __volatile__("mov $1, %eax\nxor %ebx, %ebx\nint $0x80")
#elif defined(__mips__)
#define EXIT __asm__ __volatile__("li $2, 4001\nli $4, 0\nsyscall")
#else
#define EXIT __asm__ __volatile__("lda $0, 1($31)\nbis $31, $31, $16\ncallsys")
#endif
