#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Machines with other numbers than any table's: what they count obeys laws, and
# is the same however it is counted.  FUZZ_SEEDS="FIRST LAST" are others.

load helper

# The program for each instruction set that there is a compiler for.
setup_file() {
	local how=-static

	for target in '' i686-linux-gnu- mipsel-linux-gnu- mips-linux-gnu- \
		alpha-linux-gnu-; do
		case $target in
		mips* | alpha*) how= ;;
		esac
		"${target}gcc" -O1 $how -pthread \
			-o "$BATS_FILE_TMPDIR/${target}work" \
			"$BATS_TEST_DIRNAME/fuzz/work.c" 2>/dev/null || true
	done
}

@test "machines like no table's" {
	local commands=() what

	need_engine
	[ -x "$build/tests/fuzz/fuzz" ] || skip "not built"
	cd "$BATS_FILE_TMPDIR"
	for program in ./*work; do
		for what in "mix 150" "mix 500" "forks 2" "signals 20" \
			"threads 3" "spawns 2" "code 60"; do
			commands+=("$program $what")
		done
	done
	[ -e ./work ] || skip "no compiler"
	export PMCSIM_PLUGIN=${PMCSIM_PLUGIN:-$build/.libs/pmcsim-plugin.so}
	# shellcheck disable=SC2086 # two numbers
	"$build/tests/fuzz/fuzz" ${FUZZ_SEEDS:-1 42} "${commands[@]}"
}
