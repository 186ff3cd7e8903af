/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Instructions that load, store, or both.
 *
 * Two lines are warmed, one under the stack; then 100 no-ops.  A round: mov
 * load, mov store, add to memory (load and store), pushal (8 stores), popal
 * (7 loads: the stack pointer is skipped), push from memory (load and store), pop to memory (load and
 * store), dec, jnz.  No access spans two lines.  148 bytes of code: 5 lines.
 * Instructions: 5 + 100 + 100 * 9 + 3 = 1008, that load 2 + 500, that store
 * 500.  Accesses: 2 + 100 * (1 + 1 + 2 + 8 + 7 + 2 + 2) = 2302; misses 2.
 */
#include "start.i386.inc"
	begin
	movl	$area, %esi
	movl	$area + 64, %esp
	movl	(%esi), %eax
	movl	-8(%esp), %eax
	movl	$100, %ecx
	.fill	100, 1, 0x90
1:	movl	(%esi), %eax
	movl	%eax, 4(%esi)
	addl	%eax, 8(%esi)
	pushal
	popal
	pushl	12(%esi)
	popl	16(%esi)
	decl	%ecx
	jnz	1b
	finish
	.bss
	.balign	8192
area:	.space	64
