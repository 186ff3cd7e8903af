#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Statistics of ProfileMe: instructions that are sampled.

load helper
load order
load profiles

@test "instructions are sampled, with all that happens to them" {
	need work
	events='retire cbr_taken mispredict cycles delay abort'
	run -7 uprofile -exact $events "$target"
	mv umon.out exact
	run -7 uprofile -period 50 $events "$target"
	[ "$(grep -c '^event [^ ]* [^ ]* 50 [0-9]* 0 instructions$' \
		umon.out)" -eq 6 ]
	for event in retire cbr_taken; do
		prof -event $event -folded sampled
		prof -event $event -folded all exact
		for f in in_program in_library; do
			agree "$(cost $f sampled)" "$(cost $f all)" 50
		done
		agree "$(sum sampled)" "$(sum all)" 50
	done
	# The same each time.
	prof >one
	run -7 uprofile -period 50 $events "$target"
	prof | tail -n +2 >two
	tail -n +2 one | same two
	# One instruction in one has all that there is.
	run -7 uprofile -period 1 $events "$target"
	for event in $events; do
		prof -event $event -folded sampled
		prof -event $event -folded all exact
		for f in in_program in_library; do
			[ "$(cost $f sampled)" -eq "$(cost $f all)" ]
		done
	done
}

# A chain of multiplications: each is in flight until those before it are
# done, and nothing else is as long as they are.
@test "the cycles that an instruction is in flight" {
	need_engine
	cat >flight.S <<-'END'
		.globl _start
	_start:	mov $20000, %ecx
		mov $3, %eax
	1:	imul %eax, %eax
		imul %eax, %eax
		imul %eax, %eax
		imul %eax, %eax
		dec %ecx
		jnz 1b
		mov $60, %eax
		xor %edi, %edi
		syscall
	END
	cc -nostdlib -static -o flight flight.S || skip "no compiler"
	# 28 cycles a turn; the queue of 20 holds five turns, and some more
	# wait for room.
	run -0 uprofile -period 64 cycles_per_ret ./flight
	prof >listing
	awk '$4 == "total" { print $1; exit !($1 > 140 && $1 < 160) }' listing
	# An instruction that is not waited for is not.
	sed 's/imul/xor/' flight.S >fast.S
	cc -nostdlib -static -o fast fast.S
	run -0 uprofile -period 64 cycles_per_ret ./fast
	prof >listing
	awk '$4 == "total" { print $1; exit !($1 > 1 && $1 < 30) }' listing
	# The word means another thing elsewhere.
	said="uprofile: note: cycles are those that instructions are in flight, added up; the processor's are cycles0"
	run -0 --separate-stderr uprofile -period 64 cycles ./fast
	[ "$stderr" = "$said" ]
	for words in "-quiet cycles" cycles0 "-cpu ev4 -period 64 cycles"; do
		run -0 --separate-stderr uprofile $words ./fast
		[[ $stderr != *"in flight"* ]]
	done
}

@test "ratios" {
	need loops
	run -5 uprofile -exact cbr_taken_per_ret "$target"
	prof >listing
	awk '/^cbr_taken_per_ret/ { on = 1 }
		on && /loops.S|total/ { print $1, $2, $3, $4 }' listing >rows
	same rows <<-'END'
	49.9500 1999 4002 twice
	49.9001 999 2002 once
	0.0000 0 5 _start
	49.8918 2998 6009 total
	END
	prof -totals | grep -qx ' *[0-9.]*  cbr_taken_per_ret'
	prof -event cbr_taken_per_ret | grep -q ' twice (loops.S)'
	prof --json json
	grep -q '"name": "cbr_taken_per_ret", "over": 0, "over_factor": 100' \
		json
	# Any ratio of two events of any table.
	run -5 uprofile -cpu ev67 -exact ipc "$target"
	prof -totals | grep -q 'ipc$'
	run -64 uprofile -exact ipc ipc "$target"
	# Two ratios may have an event in common.
	run -5 uprofile -exact ipc cycles_per_ret mispredict_per_ret retire \
		"$target"
	[ "$(grep -c ^event umon.out)" -eq 5 ]
	[ "$(grep -c ^ratio umon.out)" -eq 3 ]
}

@test "frequencies are those of the block" {
	need loops
	run -5 uprofile -period 20 freq "$target"
	prof -asm -only twice |
		awk '$4 ~ /^\+[57]$/ { print $2 }' >rows
	[ "$(wc -l <rows)" -eq 2 ]
	[ "$(sort -u rows | wc -l)" -eq 1 ]
	agree "$(head -n 1 rows)" 2000 20
	# The same of any event.
	run -5 uprofile -cpu ev5 -average -period 20 issues "$target"
	prof -asm -only twice | awk '$4 ~ /^\+[57]$/ { print $2 }' >rows
	[ "$(sort -u rows | wc -l)" -eq 1 ]
	agree "$(head -n 1 rows)" 2000 20
	grep -q '^event issues .* estimated$' umon.out
	run -64 uprofile -exact -average issues "$target"
}

# 97 happenings are no whole number for each instruction of most blocks.
@test "what blocks share adds up to what was sampled" {
	need work
	run -7 uprofile -period 97 retire freq "$target" child
	[ "$(total freq)" -gt 0 ]
	[ "$(total freq)" -eq "$(total retire)" ]
	run -7 uprofile -cpu ev5 -average -period 97 issues cycles0 "$target"
	for event in issues cycles0; do
		read -r all rest <<<"$(awk -v e=$event '$1 == "event" && \
			$2 == e { print $5, $6 }' umon.out)"
		[ "$rest" -eq $((all % 97)) ]
		prof -event $event -folded folded
		[ "$(sum folded)" -eq "$all" ]
	done
}

# A thousand turns whose accesses the multiplications hold up, or not; the page
# comes in the first.  Loads that have passed a store wait for the next 16384
# cycles, of 30000.
replays() {
	build_order "$1" "$2"
	run -0 uprofile -exact replay ldst_order ./order
	prof -totals | awk '/ replay| ldst_order/ { print $1 }' | xargs
}

@test "loads and stores that pass each other" {
	need_engine
	[ "$(replays 'mov %ecx, (%rsi,%rdx)' 'mov (%rsi), %edi')" = "2 2" ]
	[ "$(replays 'mov (%rsi,%rdx), %edi' 'mov (%rsi), %edi')" = "999 0" ]
	[ "$(replays 'mov %cl, (%rsi)' 'mov (%rsi), %rdi')" = "999 0" ]
	[ "$(replays 'mov %rcx, (%rsi)' 'mov (%rsi), %rdi')" = "0 0" ]
	[ "$(replays 'mov %ecx, (%rsi,%rdx)' 'mov 8(%rsi), %edi')" = "0 0" ]
	# The second load has it.
	replays 'mov (%rsi,%rdx), %edi' 'mov (%rsi), %edi'
	prof -event replay -asm | grep -q ' 999 .* +25 '
	# Such are traps, too.
	run -0 uprofile -exact replay_trap trap ./order
	prof -totals | awk '/ replay_trap/ { n = $1 } / trap$/ { t = $1 }
		END { exit !(n == 999 && t >= 999 && t < 1100) }'
}
