/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stores to code and a fault without any base of FS, of instructions that so many
 * others were executed since that the engine decodes them again: status 5. */
	.globl _start
_start:	mov $2, %r12d
	xor %ebx, %ebx
1:	call other
	call change
	add %eax, %ebx
	cmp $2, %r12d
	jne 2f
	.fill 1 << 17, 1, 0x90
2:	dec %r12d
	jnz 1b

	mov $13, %eax			/* rt_sigaction: SIGSEGV */
	mov $11, %edi
	lea action(%rip), %rsi
	xor %edx, %edx
	mov $8, %r10d
	syscall
	mov $2, %r12d
	lea action(%rip), %r14
	add $32, %r14
3:
	call fault
	.fill 1 << 17, 1, 0x90
	dec %r12d
	jz leave
	xor %r14d, %r14d
	jmp 3b

leave:	mov $9, %edi
	mov $60, %eax
	syscall

handler:
	lea 4(%rbx), %edi
	mov $60, %eax
	syscall

	.balign 4096
/* The first time at an address that there is, the second time at 0. */
fault:	movb $0, (%r14)
	ret

	.balign 4096
change:	incb other + 1(%rip)
	ret

	.balign 4096
other:	mov $0, %eax
	ret

	.data
action:	.quad handler, 0x04000000, restore, 0
	.quad 0
	.text
restore:
	mov $15, %eax
	syscall
