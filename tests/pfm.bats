#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pfm(7): a program that opens, calls, and compares, on each kind of Alpha;
# tests/guest/pfm.c says what it checks.

load helper

setup_file() {
	"$BATS_TEST_DIRNAME/guest/build.sh" "$BATS_FILE_TMPDIR"
}

setup() {
	export HOME=$BATS_TEST_TMPDIR XDG_STATE_HOME=$BATS_TEST_TMPDIR/state
	unset PMCSIM_MACHINE
	cd "$BATS_FILE_TMPDIR"
	need_engine
}

# client CPU FAMILY: finds nothing that is not as it should be
client() {
	local isa

	pmcsim new --cpu "$1" "$1"
	for isa in x86_64 alpha; do
		[ -e pfm.$isa ] || continue
		run -0 pmcsim run "$1" -- ./pfm.$isa "$2"
		[ "$output" = done ]
	done
}

@test "the calls of an EV4" {
	client ev4 4
}

@test "the calls of an EV5, EV56 and PCA56" {
	client ev5 5
	client ev56 5
	client pca56 5
}

@test "the calls of an EV6" {
	client ev6 6
}

@test "the calls of an EV67 and an EV7" {
	client ev67 67
	client ev7 67
}

@test "other machines have no such device, nor has the host" {
	[ -e pfm.x86_64 ] || skip "no compiler"
	run -0 ./pfm.x86_64 0
	[ "$output" = done ]
	pmcsim new --cpu p6 p6
	run -0 pmcsim run p6 -- ./pfm.x86_64 0
	[ "$output" = done ]
}

# The device is named in a file: a program that is not compiled for it.
@test "what any program sees of the file" {
	pmcsim new --cpu ev5 ev5
	run -0 pmcsim run ev5 -- test -r /dev/pfcntr
	run -0 pmcsim run ev5 -- cat /dev/pfcntr
	[ -z "$output" ]
}
