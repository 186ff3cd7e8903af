/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Registers that instructions leave as they were, behind accesses that are
 * counted: status 0. */
	.globl _start
_start:	mov $1000, %r12d
	lea word(%rip), %rsi
	xor %ebx, %ebx
1:	mov $5, %eax
	mov (%rsi), %rcx
	add 8(%rsi), %rcx
	rdsspq %rax
	sub $5, %eax
	or %eax, %ebx
	mov $7, %edx
	mov 16(%rsi), %rcx
	mov 8(%rsi), %r8
	lar %ecx, %edx
	sub $7, %edx
	or %edx, %ebx
	mov $9, %edi
	mov 16(%rsi), %rcx
	mov (%rsi), %r9
	bsf %rcx, %rdi
	sub $9, %edi
	or %edi, %ebx
	dec %r12d
	jnz 1b
	mov $60, %eax
	mov %ebx, %edi
	syscall
	.bss
	.balign 64
word:	.skip 64
