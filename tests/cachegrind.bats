#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Caches beside cachegrind's: cachegrind/compare says what may differ.

load helper

setup_file() {
	local source=$BATS_TEST_DIRNAME dir=$BATS_FILE_TMPDIR name

	[ "$(uname -m)" = x86_64 ] || return 0
	for name in "$source"/cachegrind/{nothing,words,code} \
		"$source"/../bench/{matmul,chase}; do
		cc -O2 -static -no-pie -mstringop-strategy=libcall \
			-o "$dir/${name##*/}" "$name.c" || true
	done
	cc -O2 -o "$dir/nothing.shared" "$source/cachegrind/nothing.c" || true
}

# compare LINES NOTHING PROGRAM [ARGUMENT...]
compare() {
	need_engine
	command -v valgrind >/dev/null || skip "no valgrind"
	[ -e "$2" ] || skip "no compiler"
	[ -e "$3" ] || skip "no static C library"
	"$BATS_TEST_DIRNAME/cachegrind/compare" "$build/pc_sweep" "$@" >&2
}

near() {
	compare 40 "$BATS_FILE_TMPDIR/nothing" "$BATS_FILE_TMPDIR/$1"
}

# near_shared PROGRAM [ARGUMENT...]: one that is installed, and to which the
# file text is given, of lines as long as the caches': an access of two lines
# that misses both is one miss to cachegrind and two here.
near_shared() {
	local program

	program=$(type -P "$1") || skip "no $1"
	for ((i = 1; i <= 8000; i++)); do
		printf '%04d line %-21d\n' $((i * 7919 % 8000)) "$i"
	done >text
	compare 150 "$BATS_FILE_TMPDIR/nothing.shared" "$program" "${@:2}"
}

@test "cachegrind agrees on much code" {
	near code
}

@test "cachegrind agrees on words in small pieces of memory" {
	near words
}

@test "cachegrind agrees on a product of matrices" {
	near matmul
}

@test "cachegrind agrees on a chase of pointers" {
	near chase
}

@test "cachegrind agrees on gzip" {
	near_shared gzip -c text
}

@test "cachegrind agrees on sort" {
	near_shared sort --parallel=1 text
}

@test "cachegrind agrees on mawk" {
	near_shared mawk '{ sum += $3 } END { print sum }' text
}

@test "cachegrind's figures of another program are noticed" {
	need_engine
	command -v valgrind >/dev/null || skip "no valgrind"
	[ -e "$BATS_FILE_TMPDIR/code" ] || skip "no static C library"
	cat >other <<-END
		#!/bin/bash
		exec "$build/pc_sweep" "\${@/%\/code//nothing}"
	END
	chmod +x other
	run "$BATS_TEST_DIRNAME/cachegrind/compare" "$PWD/other" 20 \
		"$BATS_FILE_TMPDIR/nothing" "$BATS_FILE_TMPDIR/code"
	[ "$status" -eq 1 ]
	[[ "$output" == *"I1 misses"*-*" %"* ]]
}
