#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Small programs of one thing each, alone and under the native engine: what they
# print and how they end is the same.

load helper

# The programs of tests/engines/sample/FILE.c, which are so many.
compare() {
	local file=$1 count=$2 name n=0 alone under

	need_native
	command -v gcc >/dev/null || skip "no compiler"
	gcc -O1 -w -pthread -o sample \
		"$PMCSIM_SRCDIR/tests/engines/sample/$file.c" -lm -lutil
	for name in $(./sample); do
		alone=0 under=0
		./sample "$name" >alone 2>alone.err || alone=$?
		timeout 120 pc_sweep -ui --engine native --output /dev/null \
			./sample "$name" >under 2>under.err || under=$?
		echo "$name: $alone $under"
		diff alone under
		diff alone.err under.err
		[ "$alone" = "$under" ]
		n=$((n + 1))
	done
	[ "$n" = "$count" ]
}

@test "signals, alone and under the engine" {
	compare signals 22
}

@test "faults" {
	compare faults 10
}

@test "code on the stack" {
	compare nested 2
}

@test "memory" {
	compare memory 21
}

@test "processes" {
	compare process 26
}

@test "what a process knows of itself" {
	compare self 10
}

@test "calls that a program does not let itself make" {
	compare filters 16
}

@test "threads" {
	compare threads 16
}

@test "threads beside processes, signals and files" {
	compare threads_others 16
}

@test "files, and what waits for them" {
	compare files 21
}

@test "the C library, and rare instructions" {
	compare library 21
}
