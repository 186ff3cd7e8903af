/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A line that is on the bus when the program ends, behind levels of cache.
 *
 * The code is one line, the cell another.  On an Itanium 2 a line has the bus
 * for 20 cycles: all of the first one's are the program's, and of the second
 * one's the cycle in which the load issues and the 5 of the additions, each of
 * which needs the one before.
 */
	.globl	_start
	.balign	128
_start:	mov	$100, %ecx
1:	dec	%ecx
	jnz	1b
	xor	%edi, %edi
	mov	$60, %eax
	mov	cell(%rip), %ebx
	add	$1, %ecx
	add	$1, %ecx
	add	$1, %ecx
	add	$1, %ecx
	add	$1, %ecx
	syscall
	.bss
	.balign	4096
cell:	.space	128
