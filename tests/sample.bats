#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Small programs of one thing each, alone and under the native engine: what they
# print and how they end is the same.

load helper

# The programs of tests/engines/sample/FILE.c, which are so many.
compare() {
	local n

	compare_sample "$1" pc_sweep -ui --engine native --output /dev/null
	[ "$n" = "$2" ]
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

@test "branches that only a register or a word knows" {
	compare branches 6
}

@test "memory" {
	compare memory 23
}

@test "processes" {
	compare process 26
}

@test "children that go one way" {
	compare forks 6
}

@test "what a process knows of itself" {
	compare self 10
}

@test "calls that a program does not let itself make" {
	compare filters 16
}

@test "threads" {
	compare threads 17
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

# What a program with a sanitizer prints, but for numbers that differ each time, and
# its status.
found() {
	local status=0

	"$@" >out 2>err || status=$?
	cat out
	sed -nE 's/==[0-9]*==//; s/\(pid=[0-9]*\)//; s/0x[0-9a-f]*//g
		/(ERROR|WARNING|SUMMARY): |runtime error/p' err | sort -u
	echo "status $status"
}

@test "programs with sanitizers" {
	need_native
	# Leaks are looked for by tracing the program.
	export ASAN_OPTIONS=detect_leaks=0
	for kind in thread address undefined; do
		gcc -O1 -g -w -pthread -fsanitize=$kind -o "$kind" \
			"$PMCSIM_SRCDIR/tests/engines/sanitized.c" 2>/dev/null ||
			skip "no sanitizers"
	done
	for each in "thread race" "thread lock" "address beyond" \
		"address none" "undefined overflow" "undefined none"; do
		set -- $each
		found "./$1" "$2" >alone
		found pc_sweep -ui --engine native --output /dev/null \
			"./$1" "$2" >under
		cat alone
		diff alone under
	done
}
