/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls nested four and six deep; return stack of 4.
 *
 * Four deep: all returns are predicted.  Six deep: the two oldest return
 * addresses are pushed out, so two returns have no prediction.
 * 10 rounds of each: 100 calls, 100 returns, 20 without prediction, none
 * wrong.  A call stores, a return loads: 100 loads, 100 stores.
 *
 * Instructions: 1 + 10 * (4 + 4 + 6 + 6 + 2) + 3 = 224.
 */
#include "start.x86_64.inc"
	begin
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
