#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Timers that send signals, where the program reads the machine's clock and the
# native engine executes it: they come when that clock is there.

bats_require_minimum_version 1.5.0

load helper
load engines

setup_file() {
	compile_program timers
}

setup() {
	need_program timers
	unset PMCSIM_ENGINE
}

# told CASE: what the case of tests/engines/timers.c says is what is expected
told() {
	run --separate-stderr timeout -s KILL 120 pmcsim stat -o /dev/null \
		--clock machine --cpu p5 ./timers "$1"
	[ "$status" -eq 0 ]
	diff - <(printf "%s\n" "$output")
}

@test "a loop is interrupted once in each period" {
	told loops <<-EOF
	20 at 20, code 128
	EOF
}

@test "a timer ends pauses and sleeps; what is left is the machine's time" {
	told waits <<-EOF
	pause -1 4 at 20
	sleep -1 4 at 40, left 30
	sleep 0 at 60, came 2
	at 91 came 3
	EOF
}

@test "blocked signals wait; alarm() says what was left" {
	told blocked <<-EOF
	at 20 came 0
	came 1
	alarm 2, 7000, alarm 7, 0
	EOF
}

@test "signals that are waited for or read, without a handler" {
	told asked <<-EOF
	wait 14, code 128 at 10
	read 14 at 20
	wait 14 at 31
	EOF
}

@test "timers of the processor's time stand still in sleeps" {
	told processor <<-EOF
	at 24 came 0
	at 26 came 1
	at 50 came 0
	at 52 came 1
	EOF
}

@test "timers that are made: values, overruns, absolute times, clocks" {
	told made <<-EOF
	came 1 code -2 overrun 9 9 value 42 at 11
	left 30 89
	again -1 22
	came 1 at 31
	came 2
	came 2
	came 3
	EOF
}

@test "timers that call a function in a thread" {
	told calls <<-EOF
	came 4 value 7 at 20
	EOF
}

@test "child processes have none; waiting for them is interrupted" {
	told children <<-EOF
	child 0
	wait 4 9 came 1 at 30
	EOF
}

@test "the next program of a process goes on with them" {
	told executes <<-EOF
	every 30
	at 80
	EOF
}

@test "threads that execute are interrupted on time" {
	told threads <<-EOF
	came 10 at 10
	came 10 at 20
	EOF
}

@test "while all threads sleep the clock does not pass a timer" {
	told asleep <<-EOF
	rest 0
	came 0 at 10000
	came 1
	EOF
	told wakes <<-EOF
	came 1 at 20, other
	EOF
}

@test "a signal without a handler ends the program, with its counts" {
	run timeout -s KILL 120 pmcsim stat -x, -e instructions:u \
		-o "$HOME/ends" --clock machine --cpu p5 ./timers ends
	[ "$status" -eq 142 ]
	grep -q '^[1-9][0-9]*,,instructions:u,' "$HOME/ends"
}

@test "counts are the same in each run" {
	local case

	for case in loops waits made threads calls; do
		for run in 1 2; do
			timeout -s KILL 120 pmcsim stat -x, -o "$HOME/$run" \
				--clock machine --cpu p5,mips34k,skylake -d \
				./timers $case >/dev/null 2>&1
		done
		diff "$HOME/1" "$HOME/2"
	done
}
