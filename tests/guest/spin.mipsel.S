/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two instructions COUNT times and four around them: 2 * COUNT + 4 in all.
 * With SIGNAL it ends by that signal instead: 2 * COUNT + 7.
 */
	.set noreorder
	.globl __start
__start:
	li $t0, COUNT - 1	/* one instruction: COUNT <= 32768 */
1:	bnez $t0, 1b
	addiu $t0, $t0, -1
#ifdef SIGNAL
	li $v0, 4020		/* getpid */
	syscall
	move $a0, $v0
	li $a1, SIGNAL
	li $v0, 4037		/* kill */
	syscall
	nop
#else
	li $a0, 0
	li $v0, 4001		/* exit */
	syscall
#endif
