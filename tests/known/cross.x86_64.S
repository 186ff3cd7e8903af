/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Instructions that cross the end of a page behind others of their block.
 *
 * The movl begins 1 byte before the end of the first page, the cmpl of six
 * bytes 3 bytes before that of the second one, each behind two no-ops.
 * 2 + 100 * 5 + 2 + 100 * 5 + 3 = 1007 instructions, 400 no-ops, 2 jumps.
 * 200 branches at _start + 4102 and + 8197, which share a counter, entry 1:
 * the first and the last of the first loop are mispredicted, and the last of
 * the second.
 */
#include "start.x86_64.inc"
	begin
	movl	$100, %ecx
	jmp	1f
	.org	_start + 4096 - 3
1:	nop
	nop
	movl	$0x12345678, %eax
	decl	%ecx
	jnz	1b
	movl	$100, %ecx
	jmp	2f
	.org	_start + 8192 - 5
2:	nop
	nop
	cmpl	$0x12345678, %edx
	decl	%ecx
	jnz	2b
	finish
