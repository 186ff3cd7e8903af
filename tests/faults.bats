#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Calls of the C library that fail: one sentence, a status, and files that are
# as they were or complete.  See tests/faults/fault.c.

load helper

setup_file() {
	cc -O1 -shared -fPIC -o "$BATS_FILE_TMPDIR/fault.so" \
		"$BATS_TEST_DIRNAME/faults/fault.c" -ldl || true
}

# fault WHAT AT TOOL ARGUMENT...: the tool's status; false if no call failed
fault() {
	local tool=$3

	status=0
	env LD_PRELOAD="$BATS_FILE_TMPDIR/fault.so" FAULT="$1" FAULT_AT="$2" \
		FAULT_IN="$tool" "${@:3}" >output 2>errors 9>hit || status=$?
	[ -s hit ]
}

# What is wrong with it, if anything: out is old, or as long as when all is well.
verdict() {
	if [ "$status" -ge 128 ]; then
		echo "status $status"
	elif [ "$status" -ne 0 ] && ! grep -q "^$1" errors; then
		echo "status $status, and says: $(head -1 errors)"
	elif [ "$(cat out)" != old ] && [ "$(wc -c <out)" -ne "$2" ]; then
		echo "status $status, out has $(wc -c <out) bytes"
	elif [ "$(echo out.*)" != "out.*" ]; then
		echo "status $status, left: $(echo out.*)"
	fi
}

# faults WHAT TOOL ARGUMENT...: each of the first calls fails, then some
faults() {
	local what=$1 length wrong at=1
	shift

	[ -e "$BATS_FILE_TMPDIR/fault.so" ] || skip "no compiler"
	echo old >out
	"$@" >/dev/null 2>&1
	length=$(wc -c <out)
	echo old >out
	while fault "$what" "$at" "$@"; do
		wrong=$(verdict "$1" "$length")
		[ -z "$wrong" ] || {
			echo "$*, $what $at: $wrong"
			return 1
		}
		echo old >out
		at=$((at + 1 + at / 20))
	done
	[ "$at" -gt 1 ]
}

@test "no memory" {
	need_engine
	make_loop
	pc_sweep -u --evens 0 --output sweep ./loop
	pc_sweep -ui --once --json --output json ./loop
	uprofile -cpu ev5 -exact -quiet cycles0 ./loop
	pmcsim new ./machine
	faults memory pc_sweep -u --evens 0 --output out ./loop
	faults memory pc_parse sweep
	faults memory perfex -e 0 -o out ./loop
	faults memory pctr --cpu p5 -- ./loop
	faults memory pfmon -e CPU_CYCLES --outfile=out ./loop
	faults memory prof umon.out
	faults memory prof -asm umon.out
	faults memory prof -diff umon.out umon.out
	faults memory pmcsim write ./machine "0 0x28 0"
	faults memory pmcsim cat ./machine
	faults memory pmcsim compare json json
	faults memory pmcsim check "$PMCSIM_EVENTS/p5.yaml"
}

@test "a file appended to that cannot be looked at" {
	need_engine
	make_loop
	echo before >log
	pc_sweep -u --evens 0 --append log ./loop
	cp log first
	for at in 1 2 3 4 5 6 7 8; do
		fault stat "$at" pc_sweep -u --evens 0 --append log ./loop ||
			break
		[ "$status" -eq 0 ] || [ "$(cat log)" = "$(cat first)" ]
		[ "$status" -ne 0 ] || [ "$(wc -l <log)" -eq \
			$((2 * $(wc -l <first) - 1)) ]
		cp first log
	done
	[ "$at" -gt 1 ]
}
