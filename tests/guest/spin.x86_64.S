/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two instructions COUNT times and four around them: 2 * COUNT + 4 in all.
 * With SIGNAL it ends by that signal instead: 2 * COUNT + 7.
 */
	.globl _start
_start:
	movl $COUNT, %ecx
1:	decl %ecx
	jnz 1b
#ifdef SIGNAL
	movl $39, %eax		/* getpid */
	syscall
	movl %eax, %edi
	movl $SIGNAL, %esi
	movl $62, %eax		/* kill */
	syscall
#else
	xorl %edi, %edi
	movl $60, %eax		/* exit */
	syscall
#endif
	.section .note.GNU-stack, "", @progbits
