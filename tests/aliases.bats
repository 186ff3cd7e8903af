#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Code that is written through a second mapping of its memory.

load helper

setup_file() {
	local source=$BATS_TEST_DIRNAME/aliases/aliases.c

	cc -O1 -o "$BATS_FILE_TMPDIR/aliases" "$source"
	mipsel-linux-gnu-gcc -O1 -static -o "$BATS_FILE_TMPDIR/aliases.mipsel" \
		"$source" || true
	i686-linux-gnu-gcc -O1 -static -o "$BATS_FILE_TMPDIR/aliases.i386" \
		"$source" || true
}

# The native engine has no doubt: it looks at the code.
setup() {
	need_engine
	export PMCSIM_ENGINE=qemu
	export HOME=$BATS_TEST_TMPDIR
	cd "$BATS_FILE_TMPDIR"
	report=$BATS_TEST_TMPDIR/report
}

# The one doubt that the report in JSON has, if a note on standard error says
# the same, and no other; or none at all.
doubt() {
	python3 - "$report" "$stderr" <<-'END'
	import json, sys
	doubts = json.load(open(sys.argv[1]))["doubts"]
	said = [l for l in sys.argv[2].splitlines() if "mapped twice" in l]
	assert [l.split("note: ")[1] for l in said] == [d["text"] for d in doubts]
	print(" ".join(d["name"] for d in doubts))
	END
}

@test "a second mapping of code is a doubt, whichever comes first" {
	for program in aliases aliases.mipsel aliases.i386; do
		[ -e $program ] || continue
		for way in two private later segment moved; do
			run -0 --separate-stderr pc_sweep --json \
				--output "$report" -ui ./$program $way
			[ "$(doubt)" = code_twice ]
		done
	done
}

# Its number is 0, as that of memory that is of no file.
@test "the first segment that a system has is one, too" {
	unshare -ri true 2>/dev/null || skip "no namespaces"
	run -0 --separate-stderr unshare -ri pc_sweep --json \
		--output "$report" -ui ./aliases segment
	[ "$(doubt)" = code_twice ]
}

@test "one mapping, or two of different pages, are none" {
	for program in aliases aliases.mipsel aliases.i386; do
		[ -e $program ] || continue
		for way in one flipped beside gone; do
			run -0 --separate-stderr pc_sweep --json \
				--output "$report" -ui ./$program $way
			[ -z "$(doubt)" ]
		done
	done
}

@test "a program that the command executes is looked at, and a child" {
	run -0 --separate-stderr pc_sweep --json --output "$report" -ui \
		sh -c './aliases one; ./aliases two; ./aliases one'
	[ "$(doubt)" = code_twice ]
}

@test "all tools say it, in JSON too" {
	local tool

	for tool in "perfex --json -o $report -e 0" \
	    "pctr --json --output $report" \
	    "pfmon --json --outfile=$report -e IA64_INST_RETIRED"; do
		run -0 --separate-stderr $tool ./aliases two
		[ "$(doubt)" = code_twice ]
		run -0 --separate-stderr $tool ./aliases one
		[ -z "$(doubt)" ]
	done
}

@test "a profile keeps it" {
	cd "$BATS_TEST_TMPDIR"
	run -0 --separate-stderr uprofile cycles \
		"$BATS_FILE_TMPDIR/aliases" two
	[[ $stderr == *"note: the command has memory mapped twice"* ]]
	grep -qx "doubt code_twice" umon.out
	run -0 --separate-stderr prof -json "$report"
	[ "$(doubt)" = code_twice ]
}

@test "a dump keeps it" {
	run -0 --separate-stderr pc_sweep --output "$report" -ui ./aliases two
	run -0 --separate-stderr pc_parse --json "$report"
	echo "$output" >"$report"
	[ "$(doubt)" = code_twice ]
}

@test "a machine that lasts has the doubts of its last command" {
	local machine=$BATS_TEST_TMPDIR/machine

	pmcsim new "$machine"
	run -0 --separate-stderr pmcsim run "$machine" -- ./aliases two
	[[ $stderr == *"note: the command has memory mapped twice"* ]]
	run -0 --separate-stderr pmcsim run "$machine" -- ./aliases one
	[ -z "$stderr" ]
}
