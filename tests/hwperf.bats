#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The event counters of IRIX, as programs use them.

load helper
load guest

table=${PMCSIM_SRCDIR:-$BATS_TEST_DIRNAME/..}/tests/data/tables/irix.yaml

setup_file() {
	"$BATS_TEST_DIRNAME/guest/build.sh" "$BATS_FILE_TMPDIR" irix
}

# Runs each instruction set's build of a program on a new machine.
each() {
	local name=$1 program engine
	shift
	for program in "$name".*; do
		engine=${program#"$name".} engine=${engine%.static}
		command -v "qemu-$engine" >/dev/null || continue
		rm -f "$M"
		pmcsim new --cpu "$table" "$M"
		run -0 pmcsim run "$M" -- "./$program" "$@"
		echo "$program: $output"
		check "$program"
	done
}

@test "every command of /proc and syssgi, with its errors" {
	check() { [ "$output" = done ]; }
	each hwperf
}

@test "what only the superuser may" {
	check() { [ "$output" = done ]; }
	each hwperf user
}

@test "a parent that does not count gets its child's counts" {
	check() { [ "$output" = done ]; }
	each hwperf idle
}

@test "each of several CPUs has counts of its own" {
	check() { [ "$output" = done ]; }
	each hwperf cpus
	[ -e hwperf.x86_64 ] || skip "no compiler"
	rm -f "$M"
	pmcsim new --cpu r10000 --cpus 2 "$M"
	run -0 pmcsim run "$M" -- ./hwperf.x86_64 cpus
	[ "$output" = done ]
}

@test "signals, profiles, turns, and processes that share the counters" {
	check() { [ "$output" = done ]; }
	each overflow_irix
}

@test "the manual's example prints its two counts" {
	check() {
		[ "${#lines[@]}" -eq 2 ]
		[[ ${lines[0]} =~ ^instruction\ cache\ misses:\ [0-9]+$ ]]
		# 512 columns of a line per row: 512 times 512 misses.
		misses=${lines[1]#data cache misses: }
		[ "$misses" -ge 262144 ]
		[ "$misses" -lt 262400 ]
	}
	each misses
}

@test "without a machine there are no counters" {
	[ -e hwperf.x86_64 ] || skip "no compiler"
	run ! ./misses.x86_64
	[[ $output == "/proc/"*": "* ]]
}

@test "the example builds with what pkg-config says" {
	command -v pkg-config >/dev/null || skip "no pkg-config"
	for p in "$build/libpmcsim-client.a" "$build/pmcsim-irix.pc" \
		"$build/.libs/libpmcsim-client.so"; do
		[ -e "$p" ] || skip "not a build folder"
	done
	guest=$PMCSIM_SRCDIR/simulator/guest
	example=$PMCSIM_SRCDIR/examples/irix/misses.c
	# As installed, but for the folders; before the program's source as well
	# as behind it, and with a linker that drops what it does not need.
	config() {
		pkg-config --define-variable=guestdir="$guest" \
			--define-variable=libdir="$@" "$build/pmcsim-irix.pc"
	}
	flags=$(config "$build/.libs" --cflags --libs)
	cc -Wl,--as-needed -o before $flags "$example"
	cc -Wl,--as-needed -o behind "$example" $flags
	flags=$(config "$build" --cflags --libs --static)
	cc -static -o static-before $flags "$example"
	cc -static -o static-behind "$example" $flags
	cc -o along $(config "$build" --cflags) "$example" \
		$(config "$build" --variable=source)
	for program in before behind static-before static-behind along; do
		rm -f "$M"
		pmcsim new --cpu "$table" "$M"
		run -0 pmcsim run "$M" -- \
			env LD_LIBRARY_PATH="$build/.libs" "./$program"
		[ "${#lines[@]}" -eq 2 ]
	done
}

@test "the shared library can be preloaded" {
	[ -e "$build/.libs/libpmcsim-client.so" ] || skip "not a build folder"
	cc -I"$PMCSIM_SRCDIR/simulator/guest/irix" -o plain \
		"$PMCSIM_SRCDIR/examples/irix/misses.c"
	pmcsim new --cpu "$table" "$M"
	run ! pmcsim run "$M" -- ./plain
	run -0 pmcsim run "$M" -- \
		env LD_PRELOAD="$build/.libs/libpmcsim-client.so" ./plain
	[ "${#lines[@]}" -eq 2 ]
}

@test "a program's counters count, whatever perfex has been asked for" {
	[ -e misses.x86_64 ] || skip "no compiler"
	run -0 --separate-stderr perfex -e 9 ./misses.x86_64
	[[ ${lines[1]} =~ ^"data cache misses: 2621" ]]
	printf '%s\n' "${lines[@]}" >"$HOME/modelled"
	run -0 --separate-stderr perfex -e 15 ./misses.x86_64
	same <(printf '%s\n' "${lines[@]}") <"$HOME/modelled"
	run -0 --separate-stderr perfex --cpu "$table" -e 15 \
		./overflow_irix.x86_64
	[ "$output" = done ]
}

@test "counters go along with execve and are one's own after fork" {
	[ -e misses.x86_64 ] || skip "no compiler"
	pmcsim new --cpu "$table" "$M"
	run -0 pmcsim run "$M" -- sh -c './misses.x86_64 & ./misses.x86_64
		wait'
	[ "${#lines[@]}" -eq 4 ]
}
