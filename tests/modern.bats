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
	pmcsim stat -x, -o counts --cpu "$1" -e "$2" "./$3"
	cut -d, -f1 counts
}

# per_turn CPU EVENT NAME: of one turn, however it starts and ends.
per_turn() {
	echo $((($(of "$1" "$2" "$3.2000") - $(of "$1" "$2" "$3.1000")) / 1000))
}

# loop NAME BODY [BEFORE]: BODY in each turn.
loop() {
	program "$1" <<-END
		.globl _start
	_start:	$3
		mov \$TURNS, %ecx
		.balign 64
	1:	$2
		dec %ecx
		jnz 1b
		mov \$60, %eax
		xor %edi, %edi
		syscall
		.bss
		.balign 64
	data:	.skip 64
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

# more CPU EVENT NAME: how much another round takes.
more() {
	echo $(($(of "$1" "$2" "$3.2000") - $(of "$1" "$2" "$3.1000")))
}

@test "in order: a hit takes 3 cycles, a miss what the second level says" {
	need_engine
	lines small 16 64
	lines large 128 64
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

@test "in order: returns that the stack holds" {
	need_engine
	for n in 8 9 12 14; do nested $n; done
	[ "$(per_turn cortex-a53 branch-misses nested8)" = 0 ]
	[ "$(per_turn cortex-a53 branch-misses nested9)" = 1 ]
	[ "$(per_turn u74 branch-misses nested12)" = 0 ]
	[ "$(per_turn u74 branch-misses nested14)" = 2 ]
	[ "$(per_turn u74 branches nested14)" = 29 ]
}
