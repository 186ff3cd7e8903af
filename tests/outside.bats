#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What a command gets from outside: random numbers, the time.

load helper

setup_file() {
	local here=$BATS_TEST_DIRNAME/outside to=$BATS_FILE_TMPDIR

	cc -O1 -nostdlib -static -fno-stack-protector -fcf-protection=none \
		-o "$to/numbers" "$here/numbers.c" || rm -f "$to/numbers"
	cc -O1 -o "$to/outside.x86_64" "$here/outside.c" ||
		rm -f "$to/outside.x86_64"
	cc -O1 -o "$to/ticks.x86_64" "$here/ticks.c" || rm -f "$to/ticks.x86_64"
	cc -O1 -o "$to/latency" "$here/latency.c" || rm -f "$to/latency"
	alpha-linux-gnu-gcc -O1 -o "$to/ticks.alpha" "$here/ticks.c" \
		2>/dev/null || rm -f "$to/ticks.alpha"
	for isa in mips mipsel alpha; do
		$isa-linux-gnu-gcc -O1 -o "$to/outside.$isa" \
			"$here/outside.c" 2>/dev/null ||
			rm -f "$to/outside.$isa"
	done
	cc -O1 -o "$to/places" "$here/places.c" || rm -f "$to/places"
	for isa in x86_64 mips mipsel alpha; do
		$isa-linux-gnu-gcc -O1 -o "$to/waits.$isa" "$here/waits.c" \
			2>/dev/null || rm -f "$to/waits.$isa"
	done
}

# need PROGRAM
need() {
	need_engine
	[ -e "$BATS_FILE_TMPDIR/$1" ] || skip "$1 does not build here"
	program=$BATS_FILE_TMPDIR/$1
}

# numbers OPTION...: what the program has got, in hexadecimal.
numbers() {
	pc_sweep -ui --output counts "$@" -- "$program" again |
		od -An -tx1 -v -w8
}

# The digits are SplitMix64's, worked out elsewhere: each piece of up to 8
# bytes takes a word, a child's sequence begins where a word says.
@test "random numbers of a seed: every call, a child, another program" {
	need numbers
	numbers --random 42 >got
	same got <<-'END'
	 69 38 06 0a 13 d7 de 70
	 25 bf b4 0d 29 d5 b2 01
	 0e 89 01 a7 10 ec 52 6e
	 f7 93 38 75 17 92 ec 33
	 c9 f7 fd c4 b4 c4 82 47
	 52 65 92 a3 a0 cd 0c 76
	 28 9e 24 bc c2 77 bb 8d
	 14 c9 1e 14 6f f2 cc f8
	 34 61 ec 2a 9b 36 6d 99
	 b6 64 1b f7 6c 76 94 14
	END
	numbers --random 43 >other
	! diff -q got other
}

@test "without a seed they are the host's" {
	need numbers
	numbers >one
	numbers >other
	[ "$(wc -l <one)" -eq 10 ]
	! diff -q one other
}

@test "a machine that lasts gives each command the same" {
	need numbers
	pmcsim new --random 42 "$PWD/m"
	pmcsim run "$PWD/m" -- "$program" >one
	pmcsim run "$PWD/m" -- "$program" >other
	cmp one other
	[ "$(od -An -tx1 -N8 one)" = " 69 38 06 0a 13 d7 de 70" ]
}

@test "each tool gives a program the same" {
	need numbers
	"$program" >host
	for tool in "pc_sweep -ui" "perfex -e 0" "pctr --cpu p5" "pfmon" \
		"uprofile -quiet"; do
		$tool --random 42 -- "$program" >got 2>/dev/null
		[ "$(od -An -tx1 -N8 got)" = " 69 38 06 0a 13 d7 de 70" ] ||
			{ echo "$tool" >&2; return 1; }
	done
	! cmp -s host got
}

@test "a program that hashes with random numbers counts the same" {
	need_engine
	[ -x /usr/bin/python3 ] || skip "no python3"
	local count="pc_sweep -ui --once --json --random 3 --output"

	# Python lists the folder that it starts in.
	mkdir empty
	cd empty
	$count ../one /usr/bin/python3 -c 'print(hash("a"))' >../one.out
	$count ../other /usr/bin/python3 -c 'print(hash("a"))' >../other.out
	diff ../one.out ../other.out
	diff ../one ../other
}

@test "the machine's clock and memory in every call, a program's first random bytes" {
	for isa in x86_64 mips mipsel alpha; do
		need outside.$isa
		for seed in 1 1 2; do
			pc_sweep -ui --clock machine --random $seed \
				--output counts "$program"
		done >got
		[ "$(sed -n 1p got)" = "946684800 946684800 946684800 946684800" ]
		[ "$(sed -n 2p got)" = "1000 0 1" ]
		[ "$(sed -n 3p got)" = "$(sed -n 6p got)" ]
		[ "$(sed -n 3p got)" != "$(sed -n 9p got)" ]
	done
}

# On a P5 rdtsc takes 6 cycles and mov, which waits for it, one; no-ops go in
# pairs, and so do decl and jnz.
@test "instructions that read a cycle counter" {
	need ticks.x86_64
	for only in "-ui" "-u --odds 1"; do
		run -0 pc_sweep $only --clock machine --output counts "$program"
		[ "$output" = "24 no-ops, 1508 loop, 0 back" ]
	done
	run -0 --separate-stderr pctr --cpu p5 -- "$program"
	[ "${lines[0]}" = "17 no-ops, 511 loop, 0 back" ]
	need ticks.alpha
	run -0 pc_sweep -ui --clock machine --output counts "$program"
	[ "$output" = "21 no-ops, 1505 loop, 0 back" ]
	run -0 uprofile -cpu ev4 -quiet "$program"
	[ "$output" = "20 no-ops, 1507 loop, 0 back" ]
}

# A prefix changes nothing, and a program can give it any number.
@test "instructions with prefixes that read a cycle counter" {
	need ticks.x86_64
	for prefix in "rep; rdtsc" ".byte 0x66, 0x0f, 0x31" \
	    ".byte 0x48, 0x0f, 0x31" ".byte 0x66, 0x0f, 0x01, 0xf9"; do
		sed "s/\"rdtsc/\"$prefix/" "$BATS_TEST_DIRNAME/outside/ticks.c" \
			>prefixed.c
		cc -O1 -o prefixed prefixed.c
		run -0 pc_sweep -ui --clock machine --json --output counts \
			./prefixed
		[[ $output == "24 no-ops, 1508 loop, 0 back" ]]
		grep -q '"doubts":\[\]' counts
	done
}

# In a window: a multiply takes 4 cycles on a P6, 6 on an R10000.
@test "what is between two reads of a cycle counter, out of order" {
	need latency
	run -0 --separate-stderr pctr --cpu p6 -- "$program"
	[ "$output" = 80 ]
	run -0 perfex --cpu r10000 --clock machine -o counts "$program"
	[ "$output" = 120 ]
	need ticks.x86_64
	run -0 --separate-stderr pctr --cpu p6 -- "$program"
	[[ $output == *" 0 back" ]]
	need ticks.alpha
	run -0 uprofile -cpu ev6 -quiet "$program"
	[[ $output == *" 0 back" ]]
}

@test "waits of a program without threads, and the processor's time" {
	for isa in x86_64 mips mipsel alpha; do
		need waits.$isa
		run -0 pc_sweep -ui --clock machine --output counts "$program"
		[ "$output" = "100 100 100 100 1 1 1" ]
	done
}

@test "memory is mapped at the same addresses" {
	need places
	setarch -R true || skip "the host does not let addresses be fixed"
	one=$(pc_sweep -ui --output counts "$program")
	for _ in 1 2; do
		[ "$(pc_sweep -ui --output counts "$program")" = "$one" ]
	done
}

@test "what cannot be given from outside is refused" {
	run -64 pc_sweep -ui --random -1 true
	[ "$output" = "pc_sweep: --random -1: not a number from 0 to 18446744073709551615" ]
	run -64 pfmon --clock host true
	[ "$output" = 'pfmon: --clock host: only "machine" is known' ]
	run -64 uprofile -random 1 -system malta true
	[ "$output" = "uprofile: -random has no meaning with -system" ]
	run -64 pctr --system pc --clock machine -- true
	[ "$output" = "pctr: --clock has no meaning with --system" ]
	pmcsim new --cpu p6 "$PWD/m"
	run -64 pctr --machine "$PWD/m" --random 1 -- true
	[ "$output" = "pctr: --random is for a command; a machine that lasts has its own" ]
}

@test "a machine with a clock or random numbers is not for a board" {
	need_board malta
	pmcsim new --random 1 "$PWD/seeded"
	run -125 --separate-stderr pmcsim run --system malta "$PWD/seeded" -- true
	[ "${stderr_lines[-1]}" = "pmcsim run: a board has a clock and random numbers of its own, not this machine's: make one without" ]
}
