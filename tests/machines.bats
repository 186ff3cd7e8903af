#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Known answers on other processors than the 34K: the programs say what they
# do, and what comes of it on these is worked out here.

load helper

setup_file() {
	"$BATS_TEST_DIRNAME/known/build.sh" "$BATS_FILE_TMPDIR"
}

setup() {
	export HOME=$BATS_TEST_TMPDIR XDG_STATE_HOME=$BATS_TEST_TMPDIR/state
	unset PMCSIM_MACHINE
	cd "$BATS_FILE_TMPDIR"
	need_engine
	[ -e branch.x86_64 ] || skip "no compiler for x86-64"
}

# counts CPU FUNCTION PROGRAM NUMBER: that function, in user mode
counts() {
	local value
	pctr --cpu "$1" -s 0 -u "$2" -- "./$3" 2>"$HOME/report"
	value=$(sed -n 's/^ ctr0 = *\([0-9]*\) .*/\1/p' "$HOME/report")
	[ "$value" = "$4" ] || {
		echo "$1, $3, function $2: $value, not $4"
		false
	}
}

# Five branches of 100 rounds.  Who is not in the buffer is predicted not
# taken; who is taken enters it, strongly taken.
#  always taken: the first time is wrong; found 99 times
#  never taken: right, and never found
#  taken, not, ...: wrong the first time and whenever it is not taken: 51;
#    found 99 times
#  not, taken, ...: right, wrong, then wrong whenever not taken: 50; found 98
#  the loop: first and last: 2; found 99 times
@test "a Pentium's branches" {
	counts p5 12 branch.x86_64 500
	counts p5 13 branch.x86_64 395
	counts p5 14 branch.x86_64 399
	counts p5 15 branch.x86_64 104
}

# The same with patterns of four outcomes, and a decoder that takes backward
# branches: always taken 1; never taken 0, and never in the buffer; the two
# that alternate 3 each until their pattern is known; the loop is found by
# the decoder the first time, and wrong the last time.
@test "a Pentium Pro's branches" {
	counts p6 c4 branch.x86_64 500
	counts p6 c5 branch.x86_64 8
	counts p6 e2 branch.x86_64 105
	counts p6 e6 branch.x86_64 1
}

# Ten rounds of nested calls, all returns predicted by the stack of 16; the
# loop's end is wrong once.
@test "a Pentium Pro's returns" {
	counts p6 c5 call.x86_64 1
}

@test "misaligned accesses" {
	counts p5 16 misaligned.x86_64 904
	counts p5 b misaligned.x86_64 400
	counts p6 5 misaligned.x86_64 400
}

# 2048 stores, one per line of 64 kB: without allocation all miss, and none
# comes back.  16 pages of data, one of code.
@test "a Pentium's data cache and TLBs" {
	counts p5 4 write.x86_64 2048
	counts p5 3 write.x86_64 0
	counts p5 6 write.x86_64 0
	counts p5 2 write.x86_64 16
	counts p5 d write.x86_64 1
}

# With allocation the 256 lines of the cache are left at the end, and 1792
# are written back; behind it there is room for all, and one line of code.
@test "what a Pentium Pro's second level is asked for" {
	counts p6 45 write.x86_64 2048
	counts p6 46 write.x86_64 2048
	counts p6 47 write.x86_64 1792
	counts p6 24 write.x86_64 2049
	counts p6 25 write.x86_64 2048
	counts p6 26 write.x86_64 0
	counts p6 2e write.x86_64 3841
	counts p6 2e/m write.x86_64 1792
	counts p6 2a/i write.x86_64 2048
	counts p6 28 write.x86_64 1
	counts p6 66 write.x86_64 2048
	counts p6 67 write.x86_64 0
}

# count TABLE FUNCTION PROGRAM: prints the count
count() {
	pctr --cpu "$1" -s 0 -u "$2" -- "./$3" 2>&1 >"$HOME/out" |
		sed -n 's/^ ctr0 = *\([0-9]*\) .*/\1/p'
}

# Cycles with one instruction and cycles with two are all cycles that issue,
# and the instructions are theirs.
@test "a Pentium's pipes" {
	local table=$HOME/pipes.yaml one two cycles program
	sed '/^  all:/a\
    - {code: 0x30, name: ONE, label: one, text: one, precision: timing,\
       signals: [issue.1]}\
    - {code: 0x31, name: CYCLES, label: cycles, text: cycles,\
       precision: timing, signals: [cycle.issue]}' \
		"$PMCSIM_SRCDIR/events/p5.yaml" >"$table"
	for program in branch.x86_64 call.x86_64; do
		one=$(count "$table" 30 $program)
		two=$(count "$table" 17 $program)
		cycles=$(count "$table" 31 $program)
		[ "$two" -gt 0 ]
		[ $((one + two)) = "$cycles" ]
		[ $((one + 2 * two)) = "$(count "$table" 16 $program)" ]
	done
}
