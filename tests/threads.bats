#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Programs with threads: they end, do what they do without us, and count the
# same in every run.

load helper

TIMES=${THREADS_TIMES:-3}

setup_file() {
	for source in "$BATS_TEST_DIRNAME"/threads/*.c; do
		name=$(basename "$source" .c)
		cc -O1 -pthread -mcx16 -static -o "$BATS_FILE_TMPDIR/$name" \
			"$source" -latomic 2>/dev/null ||
			rm -f "$BATS_FILE_TMPDIR/$name"
		mipsel-linux-gnu-gcc -O1 -pthread -static \
			-o "$BATS_FILE_TMPDIR/$name.mipsel" "$source" \
			-latomic 2>/dev/null ||
			rm -f "$BATS_FILE_TMPDIR/$name.mipsel"
	done
}

# Runs a program once: its output in $1.out, its counts in $1.  Nothing that
# the program sees may differ between two runs, its environment least of all.
run_counted() {
	local name=$1 status=0

	shift
	timeout -s KILL 20 pc_sweep -u --evens "0 1" --odds "2 11 25" --json \
		--output counts "$@" >output 2>errors || status=$?
	[ "$status" -eq "$expected" ] || { cat errors >&2; return 1; }
	mv counts "$name"
	mv output "$name.out"
}

# Runs PROGRAM [ARG]... several times: output and counts stay the same.
repeats() {
	local program=$BATS_FILE_TMPDIR/$1

	need_engine
	[ -x "$program" ] || skip "$1 does not build here"
	shift
	run_counted first "$program" "$@"
	for ((i = 1; i < TIMES; i++)); do
		run_counted next "$program" "$@"
		diff first.out next.out
		diff first next
	done
}

expected=0

@test "hundreds of threads, one after the other" {
	repeats spawn 150
	[ "$(sort -u first.out)" = "$("$BATS_FILE_TMPDIR/spawn" 150)" ]
}

@test "hundreds of threads of a MIPS program" {
	repeats spawn.mipsel 150
}

@test "threads wait for each other in every way" {
	repeats together 4
	[ "$(sort -u first.out)" = "$("$BATS_FILE_TMPDIR/together" 4)" ]
	repeats together.mipsel 4
}

# Runs a program that must end and write what it should; its counts may be
# others next time.
works() {
	local program=$BATS_FILE_TMPDIR/$1 direct

	need_engine
	[ -x "$program" ] || skip "$1 does not build here"
	shift
	direct=$("$program" "$@")
	run_counted first "${options[@]}" -- "$program" "$@"
	[ "$(sort -u first.out)" = "$direct" ]
}

@test "several threads want QEMU to stop all others at once: told" {
	options=()
	for ((n = 0; n < TIMES; n++)); do
		works atomics 200
	done
	grep "could not take turns; counts of another run may differ" errors
}

@test "wide atomic accesses" {
	repeats atomics.mipsel 200
}

@test "threads in parallel, as asked for" {
	options=(--threads parallel)
	works atomics 200
	works together 4
	works spawn 100
	works forks 5
	works needs
	! grep "take turns" errors
}

@test "fork while threads work" {
	repeats forks 5
	[ "$(sort -u first.out)" = "$("$BATS_FILE_TMPDIR/forks" 5)" ]
}

@test "a process waits for a child that waits for a thread" {
	options=()
	for ((n = 0; n < TIMES; n++)); do
		works needs
		[ "$(sort -u first.out)" = x ]
	done
	grep "could not take turns" errors
}

@test "another thread ends the process" {
	expected=7
	repeats ends 0
}

@test "the first thread ends before the others" {
	repeats ends 1
}

@test "the process ends while threads work and wait" {
	expected=5
	repeats ends 3
}

@test "another program is executed while threads work" {
	repeats ends 4
}

@test "a thread chooses its context, and those it starts inherit it" {
	need_engine
	program=$BATS_FILE_TMPDIR/places
	[ -x "$program" ] || skip "does not build here"
	pmcsim new m
	# Instructions of contexts 0 to 3, in user mode.
	for tc in 0 1 2 3; do
		printf '%d 0x%08x 0\n' "$tc" \
			$((tc << 22 | 2 << 20 | 1 << 5 | 8))
	done | pmcsim write m
	timeout -s KILL 20 pmcsim run m -- "$program" 3
	mapfile -t count < <(pmcsim cat m | awk '/\.Cnt/ { print $NF }')
	[ "${count[1]}" -eq 0 ]
	[ "${count[2]}" -eq 0 ]
	# 150000 turns of a loop on context 3, 50000 on context 0.
	[ "${count[3]}" -gt 500000 ]
	[ "${count[0]}" -gt 150000 ]
}
