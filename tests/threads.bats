#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Programs with threads: they end, and do what they do without us.

load helper

setup_file() {
	build_threads
}

# Runs a program under all options in $options; it ends by itself, with the
# status and the output that it has without us.
works() {
	local program=$BATS_FILE_TMPDIR/$1 status=0

	need_engine
	[ -x "$program" ] || skip "$1 does not build here"
	shift
	timeout -s KILL 60 pc_sweep -u --evens "0 1" --odds "2 11 25" --json \
		--output counts "${options[@]}" -- "$program" "$@" >output ||
		status=$?
	[ "$status" -eq "${expected:-0}" ]
	[ -z "${shown:=}" ] || [ "$(sort -u output)" = "$shown" ]
}

# What the host's own program prints.
shows() {
	"$BATS_FILE_TMPDIR/$1" "${@:2}"
}

options=()

@test "a thousand threads, one after the other" {
	shown=$(shows spawn 1000) works spawn 1000
	shown=$(shows spawn 1000) works spawn.mipsel 1000
}

@test "threads wait for each other in every way" {
	shown=$(shows together 4)
	works together 4
	works together.mipsel 4
}

@test "several threads want QEMU to stop all others at once" {
	shown=$(shows atomics 200)
	for n in 1 2 3; do
		works atomics 200
	done
	works atomics.mipsel 200
}

@test "threads in parallel, as asked for" {
	options=(--threads parallel)
	shown=$(shows together 4) works together 4
	shown=$(shows spawn 100) works spawn 100
	shown=$(shows forks 5) works forks 5
}

@test "fork while threads work" {
	shown=$(shows forks 5) works forks 5
}

@test "a process waits for a child that waits for a thread" {
	shown=x works needs
}

@test "however the process ends while threads work" {
	expected=7 works ends 0
	works ends 1
	expected=5 works ends 3
	works ends 4
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
