#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Reads of pipes under the native engine: what they get is not the host's timing.

bats_require_minimum_version 1.5.0

load helper
load engines

setup_file() {
	compile_program pipes
}

setup() {
	need_program pipes
}

# reads CASE: what it says under the engine
reads() {
	timeout 120 "$build/pmcsim" stat --engine native --cpu mips34k \
		-e instructions -o "$HOME/counts" ./pipes "$1"
}

@test "a read gets all that is written until all others rest" {
	[ "$(reads one)" = "1 reads, 200 bytes" ]
	[ "$(reads two)" = "1 reads, 400 bytes" ]
}

@test "... through another process, too" {
	[ "$(reads chain)" = "1 reads, 200 bytes" ]
}

@test "a read that has as much as it asks for does not wait" {
	[ "$(reads enough)" = "20 reads, 200 bytes" ]
}

@test "a writer that is busy for long is not waited for" {
	[ "$(reads busy)" = "2 reads, 20 bytes" ]
}

@test "a descriptor that does not wait" {
	[[ "$(reads loose)" = *" reads, 200 bytes" ]]
}

@test "all signals are the same each time, at all CPUs of the host" {
	for name in one two chain; do
		for i in 0 1 1 1 1 1; do
			"$signals" mips34k native ./pipes "$name" >"$HOME/$i"
			diff "$HOME/0" "$HOME/$i"
		done
		[ "$(wc -l <"$HOME/0")" -gt 100 ]
	done
}
