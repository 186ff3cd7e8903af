/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Locked instructions of seven kinds, 100 each, each of which is the first to
 * access a line of 64 bytes: 700 loads that miss, and 700 stores that find the
 * line that the load has brought.  With THREAD a thread that ends at once has
 * lived before; it makes no access.
 */
#ifdef __x86_64__
#define AT (%rdi)
#else
#define AT (%edi)
#endif
	.macro	each instruction:vararg
	movl	$100, %ecx
1:	\instruction
	addl	$64, %edi
	decl	%ecx
	jnz	1b
	.endm

	.globl	_start
_start:
#ifdef THREAD
	/* clone() of VM, FS, FILES, SIGHAND, THREAD, SYSVSEM */
#ifdef __x86_64__
	movl	$56, %eax
	movl	$0x50f00, %edi
	movl	$end, %esi
	xorl	%edx, %edx
	xorl	%r10d, %r10d
	xorl	%r8d, %r8d
	syscall
#else
	movl	$120, %eax
	movl	$0x50f00, %ebx
	movl	$end, %ecx
	xorl	%edx, %edx
	xorl	%esi, %esi
	xorl	%edi, %edi
	int	$0x80
#endif
	testl	%eax, %eax
	jz	9f
#endif
	movl	$there, %edi
	each	lock incl AT
	each	lock negl AT
	each	lock btsl $1, AT
	each	lock xaddl %ebx, AT
	each	lock cmpxchgl %ebx, AT
	each	lock cmpxchg8b AT
	each	xchgl %eax, AT
9:
#ifdef __x86_64__
	movl	$60, %eax
	xorl	%edi, %edi
	syscall
#else
	movl	$1, %eax
	xorl	%ebx, %ebx
	int	$0x80
#endif
	.bss
	.balign	4096
there:	.skip	65536
end:
