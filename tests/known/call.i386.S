/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls nested four and six deep; return stack of 4.
 *
 * Four deep: all returns are predicted.  Six deep: the two oldest return
 * addresses are pushed out.  10 rounds of each.
 * A level that calls is call and ret, the innermost is ret; so four deep is
 * 1 + 3 * 2 + 1 = 8, six deep 12: 2 + 10 * (8 + 12 + 2) + 3 = 225.
 * Calls 100, returns 100, without prediction 20, wrong 0.  Loads 100,
 * stores 100, branches 10, mispredicted 2.
 */
#include "start.i386.inc"
	begin
	movl	$area + 64, %esp
	movl	$10, %ecx
1:	call	level3
	call	level1
	decl	%ecx
	jnz	1b
	finish
level1:	call	level2
	ret
level2:	call	level3
	ret
level3:	call	level4
	ret
level4:	call	level5
	ret
level5:	call	level6
	ret
level6:	ret
	.bss
	.balign	8192
area:	.space	64
