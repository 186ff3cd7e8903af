/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Instructions whose accesses an address does not tell: by masks, vectors of
 * indexes, numbers of bits, and operands of many parts.  Each kind by its macro.
 */
	.globl _start
_start:	lea words+256(%rip), %rsi
	mov %rsi, %rdi
	mov %rsi, %rbx
	mov $100, %r12d
	vpxor %ymm3, %ymm3, %ymm3
	vpcmpeqd %ymm4, %ymm4, %ymm4
	vpsrldq $8, %ymm4, %ymm6
	mov $1000, %r9d
	mov $-900, %r10
1:
#ifdef MASKLOAD
	vpmaskmovd (%rsi), %ymm6, %ymm1
	vmaskmovps (%rsi), %xmm4, %xmm1
	vpmaskmovq (%rsi), %ymm6, %ymm1
#endif
#ifdef MASKSTORE
	vpmaskmovd %ymm1, %ymm6, 64(%rsi)
	vmaskmovpd %xmm1, %xmm4, (%rsi)
#endif
#ifdef MASKMOV
	maskmovdqu %xmm6, %xmm1
	movdq2q %xmm6, %mm1
	maskmovq %mm1, %mm2
	pcmpeqb %mm3, %mm3
	maskmovq %mm3, %mm2
	emms
#endif
#ifdef XLAT
	mov $200, %al
	xlat
#endif
#ifdef BT
	bt %r9, (%rsi)
	btsl %r9d, 4(%rsi)
	btc %r10, (%rsi)
	btr %r10w, (%rsi,%r12,8)
	lock btsq $3, (%rsi)
	bt %r12, -64(%rsp)
#endif
#ifdef CX16
	lock cmpxchg16b 128(%rsi)
	lock cmpxchg8b 160(%rsi)
#endif
#ifdef ENTER
	enter $16, $0
	leave
	pushf
	popf
#endif
#ifdef STRING
	mov $3, %ecx
	rep movsb
	mov $2, %ecx
	repne scasw
	lodsq
	stosl
	lea words+256(%rip), %rsi
	mov %rsi, %rdi
#endif
#ifdef GATHER
	vmovdqa %ymm4, %ymm5
	vpgatherqd %xmm5, 8(%rsi,%ymm3,2), %xmm1
	vmovdqa %ymm4, %ymm5
	vgatherdpd %ymm5, (%rsi,%xmm3,8), %ymm1
	vmovdqa %ymm6, %ymm5
	vpgatherqq %ymm5, (%rsi,%ymm3,1), %ymm1
	vmovdqa %ymm6, %ymm5
	vpgatherdd %ymm5, (%rsi,%ymm3,4), %ymm1
#endif
#ifdef INDEXES
	kmovw masks(%rip), %k1
	kmovw masks+2(%rip), %k2
	vpmovzxbd bytes(%rip), %zmm21
	vpmovzxbq bytes(%rip), %zmm22
	kmovw %k1, %k3
	vpgatherdd (%rsi,%zmm21,4), %zmm1{%k3}		/* 9 */
	kmovw %k2, %k3
	vpgatherqq 8(%rsi,%zmm22,8), %zmm17{%k3}	/* 4 */
	kmovw %k2, %k3
	vgatherqps (%rsi,%zmm22,2), %ymm1{%k3}		/* 4 */
	kmovw %k2, %k3
	vgatherdpd (%rsi,%xmm21,8), %ymm18{%k3}		/* 2 */
	kmovw %k1, %k3
	vpscatterdd %zmm21, 64(%rsi,%zmm21,4){%k3}	/* 9 */
	kmovw %k2, %k3
	vscatterqpd %zmm22, (%rsi,%zmm22,8){%k3}	/* 4 */
#endif
#ifdef X87
	fldt (%rsi)
	fstpt 32(%rsi)
	fnstenv 64(%rsi)
	fldenv 64(%rsi)
	fbld (%rsi)
	fbstp 32(%rsi)
	fnstcw (%rsi)
	fnsave 64(%rsi)
	frstor 64(%rsi)
	data16 fnstenv 3(%rsi)
	fninit
#endif
#ifdef FMA
	vfmadd213sd 24(%rsi), %xmm1, %xmm1
	vfmadd231ss 28(%rsi), %xmm1, %xmm1
	vfmadd132pd (%rsi), %ymm1, %ymm1
#endif
#ifdef MOVE
	movbe (%rsi), %rax
	movdq2q %xmm1, %mm0
	movntdq %xmm1, (%rsi)
	vbroadcastf128 (%rsi), %ymm1
	vinsertf128 $1, (%rsi), %ymm1, %ymm1
	vextracti128 $1, %ymm1, (%rsi)
	pinsrq $1, (%rsi), %xmm2
	pextrb $3, %xmm2, (%rsi)
	vmovups %ymm1, 3(%rsi)
	movhps (%rsi), %xmm1
	vpmovzxbw (%rsi), %ymm1
	cvtsi2sdq (%rsi), %xmm1
	vcvtph2ps (%rsi), %xmm1
	stmxcsr (%rsi)
	ldmxcsr (%rsi)
#endif
	dec %r12d
	jnz 1b
	mov $60, %eax
	xor %edi, %edi
	syscall
	.size _start, . - _start
	.data
	.balign 64
words:	.skip 4096
#ifdef INDEXES
masks:	.short 0xab96, 0x5a
bytes:	.byte 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
#endif
