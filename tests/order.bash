# SPDX-License-Identifier: GPL-2.0-or-later
# For scripts that test accesses which pass each other.

# Builds ./order of two instructions that access memory at %rsi, a thousand
# times; %rdx is 0, and what multiplications make late: the access that has its
# address or data from there is held up.
build_order() {
	cat >order.S <<-END
		.globl _start
	_start:	mov \$1000, %ecx
		mov \$3, %eax
		lea buffer(%rip), %rsi
	1:	imul %eax, %eax
		imul %eax, %eax
		imul %eax, %eax
		imul %eax, %eax
		mov %eax, %edx
		and \$0, %edx
		$1
		$2
		dec %ecx
		jnz 1b
		mov \$60, %eax
		xor %edi, %edi
		syscall
		.bss
	buffer:	.skip 64
	END
	cc -nostdlib -static -o order order.S || skip "no compiler"
}
