/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Code that is written over in each of ten rounds, at a low address, whose bits
 * the stack shares: status 5. */
	.globl _start
_start:	mov $10, %ecx
	xor %ebx, %ebx
1:	xorb $1, jump + 1
	jmp jump
	.balign 4096
jump:	mov $0, %eax
	add %eax, %ebx
	dec %ecx
	jnz 1b
	mov %ebx, %edi
	mov $60, %eax
	syscall
