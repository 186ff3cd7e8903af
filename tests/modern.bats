#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Processors of today: programs whose cycles are worked out by hand from the
# numbers of the tables, compared digit by digit.

load helper

# program NAME: assembles what stdin has, with TURNS and TURNS twice.
program() {
	cat >"$1.S"
	for turns in 1000 2000; do
		cc -nostdlib -static -DTURNS=$turns -o "$1.$turns" "$1.S" ||
			skip "no compiler"
	done
}

# of CPU EVENT FILE: how much that is.
of() {
	pmcsim stat -x, -o counts --cpu "$1" ${kind:+--pipeline "$kind"} \
		-e "$2" "./$3"
	cut -d, -f1 counts
}

# per_turn CPU EVENT NAME: of one turn, however it starts and ends.
per_turn() {
	echo $((($(of "$1" "$2" "$3.2000") - $(of "$1" "$2" "$3.1000")) / 1000))
}

# loop NAME BODY [BEFORE [BYTES [N]]]: BODY in each of TURNS turns, or N, which may be
# of TURNS; so much data, in pages if that is said.
loop() {
	program "$1" <<-END
		.globl _start
	_start:	$3
		mov \$${5:-TURNS}, %ecx
		.balign 64
	1:	$2
		dec %ecx
		jnz 1b
		mov \$60, %eax
		xor %edi, %edi
		syscall
		.bss
		.balign $((${4:+64 *} 64))
	data:	.skip ${4:-64}
	END
}

# Twenty instructions, and what the loop itself takes on a CPU.
is() {
	run -0 per_turn "$1" cycles "$2"
	[ "$output" = "$3" ] || { echo "$1 $2: $output" >&2; return 1; }
}

@test "in order: chains, pairs and pipes" {
	need_engine
	loop add '.rept 20; add %rax, %rax; .endr'
	loop pair '.rept 10; add %rax, %rax; add %rbx, %rbx; .endr'
	loop chase '.rept 20; mov (%rax), %rax; .endr' \
		'lea data, %rax; mov %rax, (%rax)'
	loop loads '.rept 20; mov (%rax), %rbx; .endr' 'lea data, %rax'
	loop use '.rept 10; mov (%rax), %rbx; add %rbx, %rdx; .endr' \
		'lea data, %rax'
	loop fadd '.rept 20; addsd %xmm0, %xmm0; .endr'
	loop fmul '.rept 20; mulsd %xmm0, %xmm0; .endr'
	loop mul '.rept 20; imul %eax, %eax; .endr'
	loop div '.rept 10; div %esi; .endr' 'mov $1, %esi; xor %edx, %edx'
	# The last two instructions: dec beside the last one or alone, then
	# jnz; on a Cortex-A53 a bubble of one cycle behind it.
	is cortex-a53 add 22
	is cortex-a53 pair 13	# dec has to wait: both slots are taken
	is cortex-a53 chase 60	# 3 each, in the shadow of which the rest is
	is cortex-a53 loads 22	# one pipe for accesses
	is cortex-a53 use 23	# the last sum 2 behind its load
	is cortex-a53 fadd 80
	is cortex-a53 fmul 80
	is cortex-a53 mul 60
	is u74 add 21
	is u74 pair 12
	is u74 chase 60
	is u74 loads 21
	is u74 use 12		# late ALUs: the next cycle
	is u74 fadd 140
	is u74 fmul 140
	is u74 mul 21
	is u74 div 340		# in the shadow of the last is the rest
}

@test "out of order: chains, ports, stores that loads wait for" {
	need_engine
	loop add '.rept 20; add %rax, %rax; .endr'
	loop four '.rept 5; add %rax, %rax; add %rbx, %rbx
		add %rdx, %rdx; add %rsi, %rsi; .endr'
	loop shift '.rept 20; shl $1, %eax; shl $1, %ebx; .endr'
	loop chase '.rept 20; mov (%rax), %rax; .endr' \
		'lea data, %rax; mov %rax, (%rax)'
	loop indexed '.rept 20; mov (%rax,%rbx), %rax; .endr' \
		'lea data, %rax; mov %rax, (%rax); xor %ebx, %ebx'
	loop loads '.rept 20; mov (%rax), %rbx; .endr' 'lea data, %rax'
	loop stores '.rept 20; mov %rbx, (%rax); .endr' 'lea data, %rax'
	loop forward '.rept 10; mov %rbx, (%rax); mov (%rax), %rbx; .endr' \
		'lea data, %rax'
	loop fadd '.rept 20; addsd %xmm0, %xmm0; .endr'
	loop mul '.rept 20; imul %eax, %eax; .endr'
	loop div '.rept 10; div %esi; .endr' 'mov $1, %esi; xor %edx, %edx'
	loop lock '.rept 10; lock; incl (%rax); .endr' 'lea data, %rax'
	is skylake add 20	# what the loop itself takes is beside it
	is skylake chase 80
	is skylake indexed 100
	is zen3 indexed 100
	is skylake loads 10	# two ports
	is skylake stores 20	# one of data
	is skylake forward 40
	is skylake fadd 80
	is skylake mul 60
	is skylake div 260
	is skylake lock 180
	is cortex-a72 add 20
	is cortex-a72 chase 80
	is cortex-a72 loads 20	# one pipe
	is cortex-a72 stores 21	# data, and the branch, share one
	is cortex-a72 fadd 80
	is cortex-a72 mul 60
	is cortex-a72 div 120
	# 21 micro-ops, four per cycle; 21 on two pipes; 41 on two ports.
	[ "$(of skylake cycles four.2000)" -eq \
		$(($(of skylake cycles four.1000) + 5250)) ]
	[ "$(of cortex-a72 cycles four.2000)" -eq \
		$(($(of cortex-a72 cycles four.1000) + 10500)) ]
	[ "$(of skylake cycles shift.2000)" -eq \
		$(($(of skylake cycles shift.1000) + 20500)) ]
}

@test "out of order: bits, checksums, AES, addresses of three parts, pauses" {
	need_engine
	loop bits '.rept 4; popcnt %rax, %rax; tzcnt %rax, %rax
		bsr %rax, %rax; pext %rbx, %rax, %rax; crc32 %rbx, %rax; .endr'
	loop aes '.rept 10; aesenc %xmm1, %xmm0; aesdec %xmm1, %xmm0; .endr'
	loop apart '.rept 5; aesenc %xmm6, %xmm0; aesenc %xmm6, %xmm1
		aesenc %xmm6, %xmm2; aesenc %xmm6, %xmm3
		aesenc %xmm6, %xmm4; .endr'
	loop lea3 '.rept 20; lea 4(%rax,%rbx,2), %rax; .endr'
	loop lea2 '.rept 10; lea (%rax,%rbx,2), %rax; lea 8(%rax), %rax; .endr'
	loop pauses '.rept 10; pause; .endr'
	is skylake bits 60
	is skylake aes 80
	is skylake apart 25	# one port
	is skylake lea3 60
	is skylake lea2 20
	is skylake pauses 1400
	is zen3 aes 80
	is zen3 lea3 40
	is zen3 lea2 20
	is zen3 pauses 400
	# Not told apart: as sums are.
	is cortex-a72 bits 20
	is cortex-a72 lea3 20
}

# independent INSN REGISTER...: so many of them as to be twenty.
independent() {
	echo ".rept $((20 / ($# - 1)))"
	for register in "${@:2}"; do
		echo "$1 $register"
	done
	echo .endr
}

@test "out of order: flags, first bits, vectors compared and brought to registers" {
	need_engine
	local some=(%xmm0 %xmm1 %xmm2 %xmm3)

	loop flags "$(independent setc %al %bl %dl %sil)"
	loop compares "$(independent 'pcmpeqb %xmm6,' "${some[@]}")"
	loop masks "$(independent 'pmovmskb %xmm6,' %eax %ebx %edx %esi)"
	loop tests "$(independent 'ptest %xmm6,' "${some[@]}")"
	loop near "$(independent 'rcpps %xmm6,' "${some[@]}")"
	loop ordered "$(independent 'ucomisd %xmm6,' "${some[@]}")"
	loop counts '.rept 10; popcnt %rax, %rax; lzcnt %rax, %rax; .endr'
	loop finds '.rept 20; tzcnt %rax, %rax; .endr'
	loop gathers '.rept 20; pext %rbx, %rax, %rax; .endr'
	loop least '.rept 20; minsd %xmm1, %xmm0; .endr'
	loop loads "$(independent 'mov (%rdi),' %rax %rbx %rdx %rsi)" \
		'lea data, %rdi'
	loop wide_loads "$(independent 'movdqa (%rdi),' "${some[@]}")" \
		'lea data, %rdi'
	loop stores '.rept 20; mov %rax, (%rdi); .endr' 'lea data, %rdi'
	loop wide_stores '.rept 20; movdqa %xmm0, (%rdi); .endr' \
		'lea data, %rdi'
	is skylake flags 10	# two ports, which the branch uses, too: 10.5
	is skylake compares 10	# two
	is skylake masks 20
	is skylake tests 20	# two micro-ops each, on two
	is skylake near 20
	is skylake ordered 20
	is skylake counts 60
	is skylake finds 60
	is skylake gathers 60
	is skylake least 80
	is zen3 flags 10
	is zen3 compares 5
	is zen3 masks 20
	is zen3 near 10
	is zen3 ordered 20	# two micro-ops each, on two
	is zen3 counts 20
	is zen3 finds 40
	is zen3 gathers 60
	is zen3 least 20
	is zen3 loads 6		# three ports: 6 and two thirds
	is zen3 wide_loads 10	# two
	is zen3 stores 10	# two
	is zen3 wide_stores 20	# one
	is cortex-a72 flags 10	# not told apart: as sums are
}

@test "out of order: vectors that are multiplied, shuffled, converted, divided" {
	need_engine
	loop pmul '.rept 5; pmullw %xmm1, %xmm0; pmuludq %xmm1, %xmm0
		pmaddwd %xmm1, %xmm0; pmulhuw %xmm1, %xmm0; .endr'
	loop pmulld '.rept 10; pmulld %xmm1, %xmm0; .endr'
	loop shuffles '.rept 5; pshufd $0, %xmm0, %xmm1
		vpshufb %xmm0, %xmm0, %xmm2; vshufps $0, %xmm0, %xmm0, %xmm3
		vpunpckldq %xmm0, %xmm0, %xmm4; .endr'
	loop shifts '.rept 10; vpslld $1, %xmm0, %xmm1
		vpsrlq $1, %xmm0, %xmm2; .endr'
	loop halves '.rept 5; vpermd %ymm0, %ymm1, %ymm0
		vperm2f128 $1, %ymm0, %ymm0, %ymm0; .endr'
	loop turned '.rept 5; cvtsi2sd %eax, %xmm0
		cvttsd2si %xmm0, %eax; .endr'
	loop widths '.rept 5; cvtss2sd %xmm0, %xmm0
		cvtsd2ss %xmm0, %xmm0; .endr'
	loop hadd '.rept 10; haddps %xmm0, %xmm0; .endr'
	loop round '.rept 10; roundsd $0, %xmm0, %xmm0; .endr'
	loop clmul '.rept 10; pclmulqdq $0, %xmm1, %xmm0; .endr'
	loop divpd '.rept 10; vdivpd %ymm1, %ymm0, %ymm2; .endr'
	loop above '.rept 10; cmova %rbx, %rax; .endr'
	loop double '.rept 10; shld $3, %rbx, %rax; .endr'
	loop sums4 '.rept 5; paddd %xmm6, %xmm0; pxor %xmm6, %xmm1
		psubd %xmm6, %xmm2; por %xmm6, %xmm3; .endr'
	loop adds '.rept 10; addps %xmm6, %xmm0; addps %xmm6, %xmm1
		mulps %xmm6, %xmm2; mulps %xmm6, %xmm3; .endr'
	loop words '.rept 5; mul %rbx; mulx %rbx, %rdx, %rax; .endr'
	loop sums '.rept 10; psadbw %xmm1, %xmm0; .endr'
	loop fences '.rept 10; mfence; .endr'
	is skylake pmul 100
	is skylake pmulld 100
	is skylake shuffles 20	# one port
	is skylake shifts 10	# two
	is skylake halves 30
	is skylake turned 60
	is skylake widths 50
	is skylake hadd 60
	is skylake round 80
	is skylake clmul 70
	is skylake divpd 80	# a pipe of 128 bits
	is skylake above 20
	is skylake double 30
	is skylake words 40
	[ "$(per_turn skylake UOPS_RETIRED.RETIRE_SLOTS words)" = 21 ]
	is skylake sums 30
	[ "$(per_turn skylake cycles fences)" -ge 330 ]
	[ "$(per_turn skylake UOPS_RETIRED.RETIRE_SLOTS pmulld)" = 21 ]
	is zen3 pmul 60
	is zen3 shuffles 10
	is zen3 turned 70
	is zen3 words 30
	is zen3 shifts 10
	is zen3 clmul 40
	is zen3 sums4 5		# four pipes
	is zen3 adds 30		# two of each
	is skylake adds 40
	is cortex-a72 pmul 80
	is cortex-a53 pmul 80
}

@test "out of order: micro-ops that share a place, the stack pointer" {
	need_engine
	loop reads '.rept 8; mov (%rdi), %eax; add (%rdi), %ebx
		inc %edx; inc %esi; .endr' 'lea data, %rdi'
	loop writes '.rept 8; mov %eax, (%rdi)
		inc %ebx; inc %edx; inc %esi; .endr' 'lea data, %rdi'
	loop update '.rept 10; incl (%rdi); .endr' 'lea data, %rdi'
	loop carry '.rept 10; adc %rbx, %rax; cmovc %rbx, %rax; .endr'
	loop turns '.rept 4; rol %cl, %eax; rol %cl, %edx
		rol %cl, %esi; rol %cl, %edi; .endr'
	loop limbs '.rept 2; adc %rbx, %rax; adc %rbx, %rdx
		adc %rbx, %rsi; adc %rbx, %rdi; .endr'
	loop split '.rept 10; mov 60(%rdi), %rax; .endr' 'lea data, %rdi'
	loop hints '.rept 20; prefetcht0 (%rdi); .endr' 'lea data, %rdi'
	loop zero '.rept 10; psubd %xmm0, %xmm0
		pcmpgtb %xmm0, %xmm0; .endr'
	loop wide '.rept 10; vaddps %ymm1, %ymm0, %ymm0; .endr'
	loop stack '.rept 10; pop %rax; push %rbx; .endr'
	loop calls '.rept 10; call f; .endr' 'jmp 2f; f: ret; 2:'
	# dec and jnz are one, too; 33 places are 8 cycles and a quarter.
	for cpu in skylake:UOPS_RETIRED.RETIRE_SLOTS:21 zen3:ex_ret_ops:11; do
		IFS=: read -r cpu event updates <<<"$cpu"
		[ "$(per_turn $cpu $event reads)" = 33 ]
		[ "$(per_turn $cpu $event writes)" = 33 ]
		[ "$(per_turn $cpu $event update)" = "$updates" ]
		[ "$(per_turn $cpu $event carry)" = 21 ]
		[ "$(per_turn $cpu $event wide)" = 11 ]
		[ "$(per_turn $cpu $event stack)" = 21 ]
		[ "$(per_turn $cpu $event calls)" = 31 ]
		is $cpu carry 20
		is $cpu limbs 8	# dec leaves the carry
		is $cpu calls 21
	done
	is skylake stack 10
	is zen3 stack 6		# three ports: 6 and two thirds
	is skylake hints 10	# two ports
	is skylake split 10	# a load of two lines each cycle
	is skylake turns 16	# two micro-ops each, two ports
	is skylake zero 5
	is skylake reads 8
	is skylake writes 8
	is cortex-a72 carry 20
}

# lines NAME KB STRIDE: goes round KB of memory by loads that depend on each
# other, so many bytes apart; TURNS / 1000 rounds, and one to begin with.
lines() {
	program "$1" <<-END
		.globl _start
	_start:	lea data, %rbx
		mov \$$2 * 1024 / $3 - 1, %ecx
		mov %rbx, %rax
	1:	lea $3(%rax), %rdx
		mov %rdx, (%rax)
		mov %rdx, %rax
		dec %ecx
		jnz 1b
		mov %rbx, (%rax)
		mov \$(TURNS / 1000 + 1) * $2 * 1024 / $3, %ecx
		.balign 64
	1:	mov (%rbx), %rbx
		dec %ecx
		jnz 1b
		mov \$60, %eax
		xor %edi, %edi
		syscall
		.bss
		.balign 4096
	data:	.skip $2 * 1024
	END
}

# shuffled NAME KB: the same, 64 bytes apart, in an order within each page that
# has no steps.
shuffled() {
	program "$1" <<-END
		.globl _start
	_start:	lea data, %rbx
		mov \$$2 / 4, %ecx
		mov %rbx, %rdi
		mov %rbx, %rax
	1:	xor %esi, %esi
	2:	mov %rsi, %rdx
		shl \$6, %rdx
		add %rdi, %rdx
		mov %rdx, (%rax)
		mov %rdx, %rax
		imul \$13, %esi, %esi
		add \$5, %esi
		and \$63, %esi
		jnz 2b
		add \$4096, %rdi
		dec %ecx
		jnz 1b
		mov %rbx, (%rax)
		mov \$(TURNS / 1000 + 1) * $2 * 16, %ecx
		.balign 64
	1:	mov (%rbx), %rbx
		dec %ecx
		jnz 1b
		mov \$60, %eax
		xor %edi, %edi
		syscall
		.bss
		.balign 4096
	data:	.skip $2 * 1024
	END
}

# nested N: calls N deep, and returns.
nested() {
	{
		cat <<-END
			.globl _start
		_start:	mov \$TURNS, %ebx
		1:	call f1
			dec %ebx
			jnz 1b
			mov \$60, %eax
			xor %edi, %edi
			syscall
		END
		for ((i = 1; i < $1; i++)); do
			printf 'f%d: call f%d\nret\n' $i $((i + 1))
		done
		echo "f$1: ret"
	} | program nested$1
}

# more CPU EVENT NAME: how much another round takes.
more() {
	echo $(($(of "$1" "$2" "$3.2000") - $(of "$1" "$2" "$3.1000")))
}

@test "in order: a hit takes 3 cycles, a miss what the second level says" {
	need_engine
	lines small 16 64
	shuffled large 128
	for cpu in cortex-a53:15:2 u74:21:0; do
		IFS=: read -r cpu level page <<<"$cpu"
		[ "$(more $cpu cycles small)" = $((3 * 256)) ]
		[ "$(more $cpu L1-dcache-load-misses small)" = 0 ]
		misses=$(more $cpu L1-dcache-load-misses large)
		[ "$misses" -gt 1000 ]
		[ "$(more $cpu LLC-loads large)" = "$misses" ]
		[ "$(more $cpu LLC-load-misses large)" = 0 ]
		# Whatever lines leave, and 32 pages: more than the 10 entries of a Cortex-A53, less than
		# the 40 of a U74.
		[ "$(more $cpu cycles large)" = \
			$((3 * (2048 - misses) + level * misses + page * 32)) ]
	done
}

@test "in order: pages that the TLBs hold" {
	need_engine
	lines fit $((4 * 512)) 4096
	lines over $((4 * 513)) 4096
	# One way: the first page and the last one have the same place.
	[ "$(more u74 dTLB-load-misses fit)" = 0 ]
	[ "$(more u74 dTLB-load-misses over)" = 2 ]
	[ "$(more u74 dTLB-loads over)" = 513 ]
}

@test "out of order: pages, returns" {
	need_engine
	lines fit $((4 * 1024)) 4096
	lines over $((4 * 1536)) 4096
	[ "$(more cortex-a72 dTLB-load-misses fit)" = 0 ]
	[ "$(more cortex-a72 dTLB-load-misses over)" = 1536 ]
	[ "$(more skylake dTLB-load-misses over)" = 0 ]
	for n in 16 17; do nested $n; done
	[ "$(per_turn skylake branch-misses nested16)" = 0 ]
	[ "$(per_turn skylake branch-misses nested17)" = 1 ]
	[ "$(per_turn cortex-a72 branch-misses nested17)" = 0 ]
}

# Of pages in turn, too many for all TLBs, each costs a walk that reads an entry
# of the last table, of a line that eight pages share.
@test "out of order: walks of page tables" {
	need_engine
	lines walks $((4 * 2048)) 4096
	[ "$(more skylake dTLB-load-misses walks)" = 2048 ]
	# Entries of directories are kept; 12 cycles of the second level, which
	# loses a few lines of entries, and 5.
	cycles=$(more skylake DTLB_LOAD_MISSES.WALK_PENDING walks)
	[ "$cycles" -ge $((2048 * 17)) ] && [ "$cycles" -lt $((2048 * 19)) ]
	[ "$(more zen3 dTLB-load-misses walks)" = 0 ]
}

@test "in order: returns that the stack holds" {
	need_engine
	for n in 8 9 12 14; do nested $n; done
	[ "$(per_turn cortex-a53 branch-misses nested8)" = 0 ]
	[ "$(per_turn cortex-a53 branch-misses nested9)" = 1 ]
	[ "$(per_turn u74 branch-misses nested12)" = 0 ]
	[ "$(per_turn u74 branch-misses nested14)" = 2 ]
	[ "$(per_turn u74 branches nested14)" = 29 ]
}

# turns NAME BODY DATA: BODY in each turn, with DATA behind the program.
turns() {
	program "$1" <<-END
		.globl _start
	_start:	mov \$TURNS, %ebx
		mov \$0x2545f491, %esi
		.balign 64
	1:	$2
		dec %ebx
		jnz 1b
		mov \$60, %eax
		xor %edi, %edi
		syscall
		.balign 64
	$3
	END
}

@test "tagged tables: a loop of 1000, a pattern of 30, random bits" {
	need_engine
	turns count 'mov $1000, %ecx; 2: dec %ecx; jnz 2b'
	turns thirty 'mov $0x2b5c93a7, %edx; mov $30, %ecx
	2: shr $1, %edx; jc 3f; nop; 3: dec %ecx; jnz 2b'
	turns random 'mov %esi, %eax; shl $13, %eax; xor %eax, %esi
		mov %esi, %eax; shr $17, %eax; xor %eax, %esi
		mov %esi, %eax; shl $5, %eax; xor %eax, %esi
		test %esi, %esi; js 2f; nop; 2:'
	for cpu in skylake cortex-a72; do
		# Its end is farther back than any history.
		[ "$(per_turn $cpu branch-misses count)" = 1 ]
		[ "$(per_turn $cpu branch-misses thirty)" = 0 ]
		# What nothing foresees: every other one.
		misses=$(more $cpu branch-misses random)
		[ "$misses" -gt 440 ] && [ "$misses" -lt 560 ]
	done
	# Eight outcomes of a Cortex-A53 are no 30, nor end a loop of 1000.
	[ "$(per_turn cortex-a53 branch-misses count)" = 1 ]
	[ "$(per_turn cortex-a53 branch-misses thirty)" -gt 0 ]
}

@test "tagged tables: indirect jumps by where others went" {
	need_engine
	turns five 'lea table(%rip), %rdi; mov $5, %ecx
	2: mov -8(%rdi,%rcx,8), %rax; jmp *%rax
	a: nop
	b: nop
	c: dec %ecx; jnz 2b' 'table: .quad a, b, a, c, a'
	for cpu in skylake cortex-a72; do
		[ "$(per_turn $cpu branch-misses five)" = 0 ]
	done
	# The last place alone is right once in five, where a follows a.
	[ "$(per_turn cortex-a53 branch-misses five)" -ge 4 ]
}

# walk NAME KB STRIDE CYCLES: loads that many bytes apart, through KB of memory that
# has not been touched; between two, as many additions in a chain.
walk() {
	program "$1" <<-END
		.globl _start
	_start:	lea data, %rbx
		mov \$TURNS / 1000 * $2 * 1024 / $3, %ecx
		.balign 64
	1:	mov (%rbx), %rax
		add \$$3, %rbx
		.rept $4
		add %rdx, %rdx
		.endr
		dec %ecx
		jnz 1b
		mov \$60, %eax
		xor %edi, %edi
		syscall
		.bss
		.balign 4096
	data:	.skip 2 * $2 * 1024
	END
}

@test "prefetchers: lines one by one, and steps of some" {
	need_engine
	walk one 64 64 400
	walk three 96 192 400
	walk words 64 8 200
	walk five 160 320 400
	# Sixteen pages.  A Cortex-A53 needs two steps, thus three lines.
	[ "$(more cortex-a53 PREFETCH_LINEFILL one)" = $((16 * 61)) ]
	[ "$(more cortex-a53 L1-dcache-prefetches one)" = $((16 * 61)) ]
	[ "$(more cortex-a53 LLC-prefetch-misses one)" = $((16 * 61)) ]
	[ "$(more cortex-a53 L1-dcache-load-misses one)" = $((16 * 3)) ]
	[ "$(more cortex-a53 L1-dcache-load-misses words)" = $((16 * 3)) ]
	# Twenty-four pages, with 21 or 22 lines each.
	[ "$(more cortex-a53 L1-dcache-load-misses three)" = $((24 * 3)) ]
	# Five lines are more than it knows.
	[ "$(more cortex-a53 PREFETCH_LINEFILL five)" = 0 ]
	[ "$(more cortex-a53 L1-dcache-load-misses five)" = 512 ]
	# By instruction, pages do not matter but where they end: of a
	# Cortex-A72, the first line of each is missed; of its second level as
	# well.
	[ "$(more cortex-a72 L1-dcache-load-misses one)" = 16 ]
	[ "$(more cortex-a72 L1-dcache-load-misses five)" = 40 ]
	[ "$(more u74 L1-dcache-load-misses one)" = 1024 ]
	# Each line comes from memory once, on demand or not.
	for cpu in skylake zen3; do
		[ $(($(more $cpu LLC-load-misses one) +
			$(more $cpu LLC-prefetch-misses one))) = 1024 ]
	done
}

# One cycle for as many as enter in it: 41 micro-ops in each turn, two of them
# where there is a compare and a branch.
@test "compares and branches as one, moves and zeroes as none" {
	need_engine
	loop fused '.rept 10; test %eax, %eax; js 9f; add %rdx, %rbx
		add %rdx, %rsi; add %rdx, %rdi; .endr; 9:' 'xor %eax, %eax'
	loop moves '.rept 10; mov %rax, %rbx; mov %rbx, %rax; .endr'
	loop zeroes '.rept 10; imul %eax, %eax; xor %eax, %eax; .endr'
	loop vectors '.rept 10; mulsd %xmm0, %xmm0; pxor %xmm0, %xmm0; .endr'
	# Skylake, four at a time; of those loops, dec and jnz are one.
	[ "$(more skylake cycles fused)" -eq 10250 ]
	[ "$(more skylake cycles moves)" -eq 5250 ]
	is skylake zeroes 10		# one port multiplies
	[ "$(more skylake cycles vectors)" -eq 5250 ]
	# Zen 3, six at a time, four of which compute.
	is zen3 zeroes 10
	[ "$(more zen3 cycles moves)" -eq 3500 ]
	# A Cortex-A72 does none of that.
	is cortex-a72 moves 20
	is cortex-a72 zeroes 40		# three to multiply, one to clear
}

@test "Zen 3: chains, pipes, forwarding, and what the second level loses" {
	need_engine
	loop add '.rept 20; add %rax, %rax; .endr'
	loop chase '.rept 20; mov (%rax), %rax; .endr' \
		'lea data, %rax; mov %rax, (%rax)'
	loop forward '.rept 10; mov %rbx, (%rax); mov (%rax), %rbx; .endr' \
		'lea data, %rax'
	loop fadd '.rept 20; addsd %xmm0, %xmm0; .endr'
	loop mul '.rept 20; imul %eax, %eax; .endr'
	loop div '.rept 10; div %esi; .endr' 'mov $1, %esi; xor %edx, %edx'
	is zen3 add 20
	is zen3 chase 80
	is zen3 forward 80
	is zen3 fadd 60
	is zen3 mul 60
	is zen3 div 120
	# All of 32 MB in turn, and page tables for them: were the second level's
	# lines in the third one as well, LRU would leave none of 524288.
	shuffled victims $((32 * 1024))
	[ "$(more zen3 ls_dmnd_fills_from_sys.mem_io_local victims)" -lt 16384 ]
	[ "$(more zen3 ls_dmnd_fills_from_sys.int_cache victims)" -gt 300000 ]
}

@test "intervals: what loops take by hand, and by the exact window" {
	need_engine
	loop add '.rept 20; add %rax, %rax; .endr'
	loop chase '.rept 20; mov (%rax), %rax; .endr' \
		'lea data, %rax; mov %rax, (%rax)'
	loop loads '.rept 20; mov (%rax), %rbx; .endr' 'lea data, %rax'
	loop stores '.rept 20; mov %rbx, (%rax); .endr' 'lea data, %rax'
	loop forward '.rept 10; mov %rbx, (%rax); mov (%rax), %rbx; .endr' \
		'lea data, %rax'
	loop fadd '.rept 20; addsd %xmm0, %xmm0; .endr'
	loop mul '.rept 20; imul %eax, %eax; .endr'
	loop div '.rept 10; div %esi; .endr' 'mov $1, %esi; xor %edx, %edx'
	for kind in window interval; do
		is p6 add 20
		is p6 chase 60
		is p6 loads 20		# one port
		is p6 stores 21		# and a cycle of the loop's own
		is p6 forward 50
		is p6 fadd 60
		is p6 mul 80
		is p6 div 390		# each waits for the one before
		is ev6 add 20
		is ev6 chase 60
	done
}

# apart NAME ADDRESS: loads of a line of each 4160 bytes, of which rax has
# what the one before has loaded, 0.
apart() {
	program "$1" <<-END
		.globl _start
	_start:	lea data, %rbx
		xor %eax, %eax
		mov \$TURNS / 5, %ecx
		.balign 64
	1:	mov $2, %rax
		add \$4096 + 64, %rbx
		dec %ecx
		jnz 1b
		mov \$60, %eax
		xor %edi, %edi
		syscall
		.bss
		.balign 4096
	data:	.skip 400 * 4160
	END
}

@test "intervals: misses overlap unless one needs the other" {
	need_engine
	apart alone '(%rbx)'
	apart chained '(%rbx,%rax)'
	for cpu in p6:window p6:interval ev6:window ev6:interval skylake: ; do
		kind=${cpu#*:}
		alone=$(more ${cpu%:*} cycles alone)
		chained=$(more ${cpu%:*} cycles chained)
		[ "$(more ${cpu%:*} L1-dcache-load-misses alone)" = 200 ]
		[ "$(more ${cpu%:*} L1-dcache-load-misses chained)" = 200 ]
		echo "$cpu: $alone, $chained" >&2
		[ "$chained" -gt $((2 * alone)) ]
	done
}

# Two loads of each line: the second one finds it on its way.
@test "out of order: loads that miss, and those of lines on their way" {
	need_engine
	apart twice '(%rbx), %rdx; mov 8(%rbx)'
	[ "$(more skylake MEM_LOAD_RETIRED.L1_MISS twice)" = 200 ]
	[ "$(more skylake MEM_LOAD_RETIRED.FB_HIT twice)" = 200 ]
	[ "$(more skylake MEM_LOAD_RETIRED.L1_HIT twice)" = 0 ]
	[ "$(more skylake MEM_LOAD_RETIRED.L2_MISS twice)" = 200 ]
}

@test "kinds of pipelines that a table cannot have" {
	make_loop
	run pmcsim stat --cpu skylake --pipeline window ./loop
	[ "$status" = 125 ]
	[[ $output = *"/skylake.yaml:"*": a queue has 224 entries, and a pipeline of kind \"window\" at most 127" ]]
	run pmcsim stat --cpu u74 --pipeline interval ./loop
	[ "$status" = 125 ]
	[[ $output = *"/u74.yaml:"*": its pipeline issues in order, and \"interval\" is a kind of issue out of order" ]]
	run --separate-stderr -64 pmcsim stat --pipeline foo ./loop
	output=$stderr
	[ "$output" = 'pmcsim stat: --pipeline foo: only "window" and "interval" are known' ]
}

# Pages that nothing has touched, so that page tables come from memory as well: the
# bus brings two lines for each that is copied, however they lie, and in whichever
# block their addresses are made.
@test "out of order: copies of memory, line by line" {
	local move next cpu cycles
	need_engine
	next='add $64, %rsi; add $64, %rdi'
	for offset in 0 60; do
		move="mov $offset(%rsi), %rax; mov %rax, $offset(%rdi); $next"
		loop copy$offset "$move" \
			'lea data, %rsi; lea data + (1 << 20), %rdi' \
			'2 << 20' 'TURNS * 2'
		loop twice$offset "$move; $move" \
			'lea data, %rsi; lea data + (1 << 20), %rdi' \
			'2 << 20' TURNS
	done
	while read -r cpu cycles; do
		for offset in 0 60; do
			run -0 per_turn $cpu cycles copy$offset
			[ $((output / 2)) = "$cycles" ]
			run -0 per_turn $cpu cycles twice$offset
			[ $((output / 2)) = "$cycles" ]
		done
	done <<-END
		skylake 24
		zen3 24
		cortex-a72 41
	END
}

# Lines that wait for each other, and stores to others beside them, which wait for
# nothing: the bus has time for both.
@test "out of order: what is independent does not wait" {
	need_engine
	for with in '' 'mov %rdx, 8(%rdi); add $64, %rdi'; do
		loop chase${with:+_stores} \
			"mov (%rsi,%rax), %rax; add \$64, %rsi; $with" \
			'lea data, %rsi; lea data + (1 << 20), %rdi' '2 << 20'
	done
	for cpu in skylake zen3; do
		run -0 per_turn $cpu cycles chase
		alone=$output
		run -0 per_turn $cpu cycles chase_stores
		[ "$output" -ge "$alone" ] && [ "$output" -le $((alone + 2)) ]
	done
}
