#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Programs with threads count the same in every run, however busy the host is.
# THREADS_TIMES says how often each is run.

load helper

TIMES=${THREADS_TIMES:-2}

setup_file() {
	build_threads
}

# C libraries from glibc 2.39 on write a thread's id into the name of its
# stack: other ids, other digits, other counts.  Where all processes are new,
# ids are the same each time.
namespace=(unshare --map-root-user --pid --fork --mount-proc --kill-child)

# Runs a program once: its output in $1.out, its counts in $1.  Nothing that
# the program sees may differ between two runs, its environment least of all.
run_counted() {
	local name=$1 status=0

	shift
	timeout -s KILL 60 "${before[@]}" "${within[@]}" \
		pc_sweep -u --once "${counted[@]}" --json --output counts \
		"$@" >output \
		2>errors || status=$?
	[ "$status" -eq "$expected" ] || { cat errors >&2; return 1; }
	[ ! -s errors ] || { cat errors >&2; return 1; }
	mv counts "$name"
	mv output "$name.out"
}

# Runs PROGRAM [ARG]... several times: output and counts stay the same.
repeats() {
	local program=$BATS_FILE_TMPDIR/$1

	need_engine
	[ -x "$program" ] || skip "$1 does not build here"
	within=()
	if grep -q __set_vma_name "$program"; then
		"${namespace[@]}" true ||
			skip "its C library puts threads' ids to use"
		within=("${namespace[@]}")
	fi
	shift
	run_counted first "$program" "$@"
	for ((i = 1; i < TIMES; i++)); do
		run_counted next "$program" "$@"
		diff first.out next.out
		diff first next
	done
}

expected=0
before=()
counted=(--clock machine --evens "0 1" --odds "2 11 25")

@test "hundreds of threads, one after the other" {
	repeats spawn 100
	[ "$(sort -u first.out)" = "$("$BATS_FILE_TMPDIR/spawn" 100)" ]
}

@test "hundreds of threads of a MIPS program" {
	repeats spawn.mipsel 100
}

@test "threads wait for each other in every way" {
	repeats together 2
	[ "$(cat first.out)" = 32 ]
	repeats together.mipsel 2
}

# Nothing else is modelled then, and threads take turns otherwise.
@test "where only instructions are counted" {
	counted=(--evens 1 --odds "14 15")
	repeats together 2
	repeats together.mipsel 2
	repeats spawn 100
	repeats forks 5
}

@test "waits for some time" {
	repeats timed 10
	repeats timed.mipsel 10
}

# A millisecond is 32000 cycles of a 34K; of a host, which has to have got there
# as well, 1000000.
@test "a thread that sleeps again and again beside one that executes" {
	for program in beats beats.mipsel; do
		counted=(--clock machine --evens "0 1" --odds "2 11 25")
		repeats "$program"
		machine=$(cat first.out)
		counted=(--evens "0 1" --odds "2 11 25")
		repeats "$program"
		host=$(cat first.out)
		[ "$host" -ge 50 ]
		[ $((machine / host)) -ge 25 ]
		[ $((machine / host)) -le 35 ]
	done
}

@test "a loop that ends when a thread has slept" {
	repeats spins
	repeats spins.mipsel
}

# On the host, time is over before anybody writes.
# The host's clock ends waits then.
@test "waits for some time where tgkill() is refused" {
	cc -o refuse "$BATS_TEST_DIRNAME/guest/refuse.c" || skip "no compiler"
	before=(./refuse 234 --)
	repeats timed 10
}

@test "waits whose time is in a register" {
	printf "5.11\n%s\n" "$(uname -r)" | sort -VC ||
		skip "the kernel does not hand system calls back"
	for program in polls polls.mipsel; do
		repeats "$program"
		[ "$(xargs <first.out)" = "1 1 -1 1 1" ]
	done
}

@test "wide atomic accesses" {
	repeats atomics.mipsel 200
}

@test "fork while threads work" {
	repeats forks 5
	[ "$(sort -u first.out)" = "$("$BATS_FILE_TMPDIR/forks" 5)" ]
}

@test "another thread ends the process" {
	expected=7
	repeats ends 0
}

@test "the first thread ends before the others" {
	repeats ends 1
}

@test "the process ends while threads work and wait" {
	expected=5
	repeats ends 3
}

@test "another program is executed while threads work" {
	repeats ends 4
}

# How many of a signal's handlers run must not depend on when the host lets a
# thread, which waits for its turn, take it.
@test "threads that send each other signals" {
	need_native
	gcc -O1 -static -pthread -o "$BATS_FILE_TMPDIR/signals_threads" \
		"$PMCSIM_SRCDIR/tests/engines/signals_threads.c" ||
		skip "no static C library"
	expected=143
	counted=(--engine native --evens "0 1" --odds "2 11 25")
	TIMES=$((3 * TIMES)) repeats signals_threads
}
