#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# uprofile and prof: programs whose counts per function are known.

load helper

# once: 2 instructions and the loop's 2 * 1000; twice: the same with 2000;
# _start: 2 calls and 3 to end.
setup_file() {
	cd "$BATS_FILE_TMPDIR"
	cat >loops.S <<-'END'
		.globl _start, once, twice
		.type _start, @function
	_start:	call once
		call twice
		mov $60, %eax
		mov $5, %edi
		syscall
		.size _start, . - _start
		.type once, @function
	once:	mov $1000, %ecx
	1:	dec %ecx
		jnz 1b
		ret
		.size once, . - once
		.type twice, @function
	twice:	mov $2000, %ecx
	1:	dec %ecx
		jnz 1b
		ret
		.size twice, . - twice
	END
	cc -g -nostdlib -static -no-pie -o loops loops.S || rm -f loops
	cat >part.c <<-'END'
	static volatile unsigned sink;
	__attribute__((noinline)) void in_library(unsigned n)
	{
		while (n--)
			sink += n;
	}
	END
	cat >work.c <<-'END'
	#include <stdlib.h>
	#include <sys/wait.h>
	#include <unistd.h>
	static volatile unsigned sink;
	void in_library(unsigned n);
	__attribute__((noinline)) void in_program(unsigned n)
	{
		while (n--)
			sink ^= n;
	}
	int main(int argc, char **argv)
	{
		in_program(20000);
		in_library(10000);
		if (argc > 1 && fork() == 0) {
			in_program(20000);
			_exit(0);
		}
		if (write(1, "out\n", 4) != 4 || write(2, "err\n", 4) != 4)
			return 1;
		wait(NULL);
		return 7;
	}
	END
	cc -g -O1 -fPIC -shared -o libpart.so part.c &&
		cc -g -O1 -fPIE -pie -o work work.c -L. -lpart \
			-Wl,-rpath,"$BATS_FILE_TMPDIR" || rm -f work
}

need() {
	need_engine
	[ -e "$BATS_FILE_TMPDIR/$1" ] || skip "no compiler"
	target=$BATS_FILE_TMPDIR/$1
}

# The lines of a listing: percent, count, and the rest.
entries() {
	awk '/^ *[0-9.]+ +[0-9]+ +[0-9.]+ +[0-9]+  [^ ]/ {
		sub(/^ +/, ""); gsub(/  +/, " "); print }'
}

# Cost of a function in a folded file.
cost() {
	awk -v name="$1" '$1 == name { n += $2 } END { print n + 0 }' "$2"
}

sum() {
	awk '{ n += $NF } END { printf "%d\n", n }' "$1"
}

total() {
	awk -v event="$1" '$1 == "event" && $2 == event { print $5 }' umon.out
}

@test "every event is attributed" {
	need loops
	run -5 uprofile -exact retinst "$target"
	[ -z "$output" ]
	prof >listing
	entries <listing >rows
	same rows <<-'END'
	66.6 4002 66.6 4002 twice (loops.S)
	33.3 2002 99.9 6004 once (loops.S)
	0.1 5 100.0 6009 _start (loops.S)
	END
	grep -qx ' *6009  total' listing
	run ! grep 'not attributed\|not listed' listing
	prof --folded - >folded
	same folded <<-'END'
	twice 4002
	once 2002
	_start 5
	END
}

@test "lines and instructions" {
	need loops
	run -5 uprofile --exact retinst "$target"
	prof -heavy | awk '$4 ~ /^[0-9]+$/ { print $2, $4, $5 }' >lines
	same lines <<-'END'
	2000 17 twice
	2000 18 twice
	1000 11 once
	1000 12 once
	1 3 _start
	1 4 _start
	1 5 _start
	1 6 _start
	1 7 _start
	1 10 once
	1 13 once
	1 16 twice
	1 19 twice
	END
	prof -lines -only once | awk '$4 ~ /^[0-9]+$/ { print $2, $4 }' >lines
	same lines <<-'END'
	1 10
	1000 11
	1000 12
	1 13
	END
	prof -asm -only twice |
		awk '$4 ~ /^\+/ { print $2, $4, $5 }' >instructions
	same instructions <<-'END'
	1 +0 loops.S:16
	2000 +5 loops.S:17
	2000 +7 loops.S:18
	1 +9 loops.S:19
	END
}

@test "samples are within one period of what happened" {
	need loops
	run -5 uprofile -period 100 retinst "$target"
	prof -folded samples
	for row in twice:4002 once:2002 _start:5; do
		off=$(($(cost "${row%:*}" samples) - ${row#*:}))
		[ "${off#-}" -le 100 ]
	done
	# 60 samples of 100, 9 left.
	[ "$(cost '(not' samples)" -eq 0 ]
	tail -n 1 samples | grep -qx '(not attributed) 9'
	[ "$(sum samples)" -eq 6009 ]
	prof | grep -q 'retinst: 1 sample every 100 Retired instructions '
}

@test "the device's distances" {
	need work
	run uprofile -cpu ev5 cycles0 issues pcmispredicts "$target"
	grep -qx 'event cycles0 Cycles 65536 .*' umon.out
	grep -q '^event pcmispredicts [^ ]* 16384 ' umon.out
	run uprofile -cpu ev4 cycles dualissues "$target"
	grep -q '^event cycles [^ ]* 65536 ' umon.out
	grep -q '^event dualissues [^ ]* 4096 ' umon.out
	run uprofile -cpu ev6 "$target"
	grep -q '^event cycles0 Cycles 1048576 ' umon.out
}

@test "nothing is lost on the way" {
	need work
	for how in -exact '-period 97' '-period 1000 -stride 4' \
		'-exact -stride 0'; do
		run -7 uprofile $how retinst cycles0 "$target" child
		for event in retinst cycles0; do
			prof -event $event -folded - >folded
			[ "$(sum folded)" -eq "$(total $event)" ]
			# All that a listing has, whatever is left out.
			for view in -procedures -heavy '-only main' \
				'-quit 3' '-exclude in_program' -zero; do
				prof $view -event $event |
					awk '/^ *[0-9.]+ +[0-9]+ +[0-9.]+ / {
						n += $2 }
					/not (listed|attributed)/ { n += $1 }
					/  total$/ { t = $1 }
					END { exit n != t }'
			done
		done
	done
}

@test "the same each time" {
	need work
	# The environment is part of what programs look at.  Processes that
	# run at the same time share the distance to the next sample.
	export SOURCE_DATE_EPOCH=0
	for how in '-exact retinst' '-exact retinst cycles0' \
		'-period 777 retinst cycles0'; do
		for n in one two; do
			child=
			[ "$how" != '-exact retinst' ] || child=child
			run uprofile $how "$target" $child
			prof -procedures -heavy -asm >$n
			grep -v '^process\|^end' umon.out >umon.$n
		done
		cmp one two
		cmp umon.one umon.two
	done
}

@test "no sample comes too early, whoever runs side by side" {
	need_engine
	cat >side.c <<-'END'
	#include <sys/wait.h>
	#include <unistd.h>
	static volatile unsigned sink;
	static void spin(unsigned n)
	{
		while (n--)
			sink += n;
	}
	int main(void)
	{
		for (int i = 0; i < 6; i++)
			if (!fork()) {
				spin(50000);
				_exit(0);
			}
		while (wait(NULL) > 0)
			;
		return 0;
	}
	END
	cc -O1 -o side side.c || skip "no compiler"
	for try in 1 2 3; do
		run -0 uprofile -period 5000 retinst ./side
		[ -z "$output" ]
		# All samples that are due, and no more.
		total=$(total retinst)
		[ "$(awk '$1 == "at" { n += $6 } END { print n }' umon.out)" \
			-eq $((total / 5000)) ]
		prof -totals | grep -q ", $((total % 5000)) not attributed"
	done
}

# The two numbers are not farther apart than three standard deviations of the
# samples that the first one stands for.
agree() {
	awk -v a="$1" -v b="$2" -v period="$3" 'BEGIN {
		off = a > b ? a - b : b - a
		exit off > 3 * period * (sqrt(b / period) + 1) }'
}

@test "samples and counts differ by no more than the error that is stated" {
	need work
	for cpu in ev4 ev5 ev6; do
		event=cycles
		[ "$cpu" = ev4 ] || event=cycles0
		run -7 uprofile -cpu $cpu -exact $event "$target"
		prof -folded all
		run -7 uprofile -cpu $cpu -period 101 $event "$target"
		prof | grep -qx 'The error of n samples is about 101 times .*'
		prof -folded sampled
		for f in $(sort -k2rn all | awk '{ print $1 }' |
			   grep '^[a-z_]' | head -n 5); do
			agree "$(cost $f sampled)" "$(cost $f all)" 101
		done
		agree "$(sum sampled)" "$(sum all)" 101
	done
}

@test "instructions are sampled, with all that happens to them" {
	need work
	events='retire cbr_taken mispredict cycles delay abort'
	run -7 uprofile -exact $events "$target"
	mv umon.out exact
	run -7 uprofile -period 50 $events "$target"
	[ "$(grep -c '^event [^ ]* [^ ]* 50 [0-9]* 0 instructions$' \
		umon.out)" -eq 6 ]
	for event in retire cbr_taken; do
		prof -event $event -folded sampled
		prof -event $event -folded all exact
		for f in in_program in_library; do
			agree "$(cost $f sampled)" "$(cost $f all)" 50
		done
		agree "$(sum sampled)" "$(sum all)" 50
	done
	# The same each time.
	prof >one
	run -7 uprofile -period 50 $events "$target"
	prof | tail -n +2 >two
	tail -n +2 one | same two
	# One instruction in one has all that there is.
	run -7 uprofile -period 1 $events "$target"
	for event in $events; do
		prof -event $event -folded sampled
		prof -event $event -folded all exact
		for f in in_program in_library; do
			[ "$(cost $f sampled)" -eq "$(cost $f all)" ]
		done
	done
}

# A chain of multiplications: each is in flight until those before it are
# done, and nothing else is as long as they are.
@test "the cycles that an instruction is in flight" {
	need_engine
	cat >flight.S <<-'END'
		.globl _start
	_start:	mov $20000, %ecx
		mov $3, %eax
	1:	imul %eax, %eax
		imul %eax, %eax
		imul %eax, %eax
		imul %eax, %eax
		dec %ecx
		jnz 1b
		mov $60, %eax
		xor %edi, %edi
		syscall
	END
	cc -nostdlib -static -o flight flight.S || skip "no compiler"
	# 28 cycles a turn; the queue of 20 holds five turns, and some more
	# wait for room.
	run -0 uprofile -period 64 cycles_per_ret ./flight
	prof >listing
	awk '$4 == "total" { print $1; exit !($1 > 140 && $1 < 160) }' listing
	# An instruction that nobody waits for is not.
	sed 's/imul/xor/' flight.S >fast.S
	cc -nostdlib -static -o fast fast.S
	run -0 uprofile -period 64 cycles_per_ret ./fast
	prof >listing
	awk '$4 == "total" { print $1; exit !($1 > 1 && $1 < 30) }' listing
}

@test "ratios" {
	need loops
	run -5 uprofile -exact cbr_taken_per_ret "$target"
	prof >listing
	awk '/^cbr_taken_per_ret/ { on = 1 }
		on && /loops.S|total/ { print $1, $2, $3, $4 }' listing >rows
	same rows <<-'END'
	49.9500 1999 4002 twice
	49.9001 999 2002 once
	0.0000 0 5 _start
	49.8918 2998 6009 total
	END
	prof -totals | grep -qx ' *[0-9.]*  cbr_taken_per_ret'
	prof -event cbr_taken_per_ret | grep -q ' twice (loops.S)'
	prof --json json
	grep -q '"name": "cbr_taken_per_ret", "over": 0, "over_factor": 100' \
		json
	# Any ratio of two events of any table.
	run -5 uprofile -cpu ev67 -exact ipc "$target"
	prof -totals | grep -q 'ipc$'
	run -64 uprofile -exact ipc ipc "$target"
	# Two ratios may have an event in common.
	run -5 uprofile -exact ipc cycles_per_ret mispredict_per_ret retire \
		"$target"
	[ "$(grep -c ^event umon.out)" -eq 5 ]
	[ "$(grep -c ^ratio umon.out)" -eq 3 ]
}

@test "frequencies are those of the block" {
	need loops
	run -5 uprofile -period 20 freq "$target"
	prof -asm -only twice |
		awk '$4 ~ /^\+[57]$/ { print $2 }' >rows
	[ "$(wc -l <rows)" -eq 2 ]
	[ "$(sort -u rows | wc -l)" -eq 1 ]
	agree "$(head -n 1 rows)" 2000 20
	# The same of any event.
	run -5 uprofile -cpu ev5 -average -period 20 issues "$target"
	prof -asm -only twice | awk '$4 ~ /^\+[57]$/ { print $2 }' >rows
	[ "$(sort -u rows | wc -l)" -eq 1 ]
	agree "$(head -n 1 rows)" 2000 20
	grep -q '^event issues .* estimated$' umon.out
	run -64 uprofile -exact -average issues "$target"
}

@test "where a listing ends" {
	need loops
	run -5 uprofile -exact retinst "$target"
	prof -quit 1 >listing
	[ "$(entries <listing | wc -l)" -eq 1 ]
	grep -qx ' *2007  not listed' listing
	[ "$(prof -quit 33% | entries | wc -l)" -eq 2 ]
	[ "$(prof -quit 33.4% | entries | wc -l)" -eq 1 ]
	[ "$(prof -quit 66cum% | entries | wc -l)" -eq 1 ]
	[ "$(prof -quit 67cum% | entries | wc -l)" -eq 2 ]
	[ "$(prof -q 100cum% | entries | wc -l)" -eq 3 ]
	run -64 prof -quit 101%
	run -64 prof -quit x
	run -64 prof -quit 3cum
}

@test "some procedures only" {
	need loops
	run -5 uprofile -exact retinst "$target"
	prof -only once | entries | grep -qx '33.3 2002 33.3 2002 once .*'
	prof -Only once | entries | grep -qx '100.0 2002 100.0 2002 once .*'
	prof -exclude twice | entries >rows
	same rows <<-'END'
	33.3 2002 33.3 2002 once (loops.S)
	0.1 5 33.4 2007 _start (loops.S)
	END
	prof -Exclude twice | entries >rows
	same rows <<-'END'
	99.8 2002 99.8 2002 once (loops.S)
	0.2 5 100.0 2007 _start (loops.S)
	END
	prof -only once -only _start -numbers | entries >rows
	same rows <<-'END'
	33.3 2002 33.3 2002 once (loops.S:10)
	0.1 5 33.4 2007 _start (loops.S:3)
	END
	run -64 prof -only once -exclude twice
	prof -totals | grep -qx ' *6009  retinst'
}

@test "calls" {
	need work
	run -7 uprofile -exact retinst "$target" child
	prof -invocations >listing
	calls() {
		awk -v name="$1" '$4 == name { print $2 }' listing
	}
	# The child has its own call besides those of its parent.
	[ "$(calls in_program)" -eq 2 ]
	[ "$(calls in_library)" -eq 1 ]
	[ "$(calls main)" -eq 1 ]
	[ "$(awk '/ calls$/ { print $1 }' listing)" -gt 100 ]
	[ "$(prof -invocations -only main | grep -c ' main (')" -eq 1 ]
}

@test "procedures that were not executed" {
	need work
	run uprofile -exact retinst "$target"
	prof -zero | entries >rows
	grep -qx '0.0 0 100.0 [0-9]* .*' rows
	[ "$(wc -l <rows)" -gt "$(prof | entries | wc -l)" ]
}

# The linker's relaxations make such programs crash, here and elsewhere.
@test "a program for Alpha that is linked statically" {
	need_engine
	printf '#include <stdio.h>\nint main(void) { puts("out"); return 7; }\n' \
		>static.c
	alpha-linux-gnu-gcc -O1 -static -Wl,--no-relax -o static static.c ||
		skip "no Alpha compiler"
	run -7 --separate-stderr uprofile -exact retinst ./static
	[ "$output" = out ]
	prof -invocations | grep -q ' main ('
}

@test "children, shared libraries, programs anywhere" {
	need work
	run -7 uprofile -exact retinst "$target"
	prof -folded one
	run -7 uprofile -exact retinst "$target" child
	prof -folded two
	[ "$(grep -c ^process umon.out)" -eq 2 ]
	[ "$(cost in_program one)" -gt 80000 ]
	[ "$(cost in_program two)" -eq $((2 * $(cost in_program one))) ]
	[ "$(cost in_library two)" -eq "$(cost in_library one)" ]
	[ "$(cost in_library one)" -gt 40000 ]
	prof -lines -only in_library | grep -q 'in_library (part.c)'
}

@test "streams and status are the program's" {
	need work
	run -7 --separate-stderr uprofile -period 1000 "$target"
	[ "$output" = out ]
	[ "$stderr" = err ]
	run -7 --separate-stderr uprofile -v -period 1000 "$target"
	[[ "$stderr" == *"programs in umon.out" ]]
	run -127 uprofile retinst ./nothing
	[ "$output" = "uprofile: ./nothing: no such program" ] ||
		[[ "$output" == "uprofile: ./nothing: "* ]]
}

@test "a program without symbols" {
	need loops
	strip -o bare "$target"
	run -5 uprofile -exact retinst ./bare
	prof | entries | grep -qx '100.0 6009 100.0 6009 (no symbol) (bare)'
	prof --callgrind cg --folded folded --json json
	[ "$(sum folded)" -eq 6009 ]
	# With the symbols of the program as it was.
	mkdir whole
	cp "$target" whole/bare
	prof whole/bare | entries | grep -qx '66.6 4002 66.6 4002 twice .*'
	run -125 prof whole/other
	cp whole/bare whole/other
	run -125 prof whole/other
	[ "$output" = "prof: umon.out has no profile of whole/other" ]
	# Cut off, or no program at all any more.
	for size in 0 64 700 5000; do
		truncate -s $size bare
		[ "$(prof -procedures -asm | grep -c '6009  total')" -eq 2 ]
	done
}

@test "callgrind's format" {
	need work
	run -7 uprofile -exact retinst cycles0 "$target"
	prof --callgrind cg
	awk '
		NR == 1 && $0 != "# callgrind format" { exit bad = 1 }
		NR == 1 || /^$/ { next }
		/^(version|creator|cmd|part|desc|positions):/ { next }
		/^event: [^ ]+ : / { next }
		/^events: / { n = NF - 1; next }
		/^(summary|totals):/ { if (NF != n + 1) exit bad = 1
			want[$1] = $2 " " $3; next }
		/^(ob|fl|fi|fn)=./ { next }
		/^0x[0-9a-f]+ [0-9]+( [0-9]+)+$/ {
			if (NF != n + 2) exit bad = 1
			a += $3; b += $4; next }
		{ print "unknown: " $0; exit bad = 1 }
		END { exit bad || n != 2 ||
			want["summary:"] != a " " b ||
			want["totals:"] != a " " b }' cg
	[ "$(awk '/^totals:/ { print $2 }' cg)" -eq "$(total retinst)" ]
	command -v callgrind_annotate >/dev/null || skip "no valgrind"
	callgrind_annotate --auto=no cg >annotated
	tr -d , <annotated | grep "PROGRAM TOTALS" |
		grep -q "^ *$(total retinst) "
	grep -q ':in_program \[' annotated
}

@test "JSON" {
	need loops
	run -5 uprofile -exact retinst "$target"
	prof --json json
	command -v python3 >/dev/null || skip "no python"
	python3 - json <<-'END'
	import json, sys
	p = json.load(open(sys.argv[1]))
	assert p["schema"] == "pmcsim-prof/1" and not p["partial"]
	assert p["events"][0]["total"] == 6009
	f = {f["name"]: f for f in p["functions"]}
	assert f["once"]["counts"] == [2002] and f["once"]["line"] == 10
	END
}

@test "two profiles" {
	need loops
	run -5 uprofile -exact retinst "$target"
	mv umon.out a
	run -5 uprofile -exact -stride 0 retinst "$target"
	mv umon.out b
	run -5 uprofile -exact retinst "$target"
	mv umon.out c
	prof --diff a c | grep -qx ' *6009 *6009 +0 .* total'
	[ "$(prof --diff a c | grep -c once)" -eq 0 ]
	# All is at the beginning of the file.
	prof --diff a b | grep -q '^ *4002 *0 -4002 *-100.0%  twice (loops)'
	run -64 prof --diff a
	# Added up.
	prof -merge sum a c
	prof -folded - sum | grep -qx 'once 4004'
	prof -folded - a c | grep -qx 'once 4004'
	run -125 prof a b
	[[ "$output" == *"profiles of different strides"* ]]
}

@test "files" {
	need loops
	mkdir there
	run -5 uprofile -dirname there -exact retinst "$target"
	run -5 uprofile --dirname=there -pids -exact retinst "$target"
	[ "$(ls there | wc -l)" -eq 2 ]
	ls there | grep -qx 'umon.out.[0-9]*'
	run -5 uprofile -each -exact retinst "$target"
	[ -e umon.out.0 ]
	run -125 uprofile -dirname nowhere retinst "$target"
	[[ "$output" == *nowhere/umon.out* ]]
	echo junk >bad
	run -125 prof "$target" bad
	[[ "$output" == "prof: bad: line 1: not a profile" ]]
	head -c 100 there/umon.out >bad
	run -125 prof bad
	[[ "$output" == "prof: bad: line "* ]]
}

@test "shown at once" {
	need loops
	run -5 uprofile -exact -display retinst "$target"
	[[ "$output" == *"4002"*" twice (loops.S)"* ]]
	run -5 uprofile -exact -totals retinst "$target"
	[[ "$output" == *"6009  retinst" ]]
}

make_forever() {
	cat >forever.c <<-'END'
	#include <unistd.h>
	int main(void)
	{
		if (write(1, "ready\n", 6) == 6)
			for (;;)
				;
		return 1;
	}
	END
	cc -o forever forever.c || skip "no compiler"
}

@test "an interrupted program" {
	need_engine
	make_forever
	mkfifo ready
	uprofile -period 1000 retinst ./forever >ready &
	read -r line <ready
	[ "$line" = ready ]
	kill -TERM $!
	status=0
	wait $! || status=$?
	[ "$status" -eq 143 ]
	grep -qx 'state partial' umon.out
	prof -totals >totals
	prof -asm >/dev/null
	[ "$(ls -A | grep -c 'umon')" -eq 1 ]
}

@test "killed at any time, the profile is whole or as it was" {
	need loops
	run -5 uprofile -exact retinst "$target"
	cp umon.out before
	make_forever
	mkfifo ready
	uprofile -exact retinst ./forever >ready &
	exec 7<ready
	read -r line <&7
	kill -KILL $!
	wait $! || true
	# The target does not outlive it: nobody has the pipe any more.
	[ -z "$(cat <&7)" ]
	cmp before umon.out
	for try in 1 2 3 4 5 6 7 8 9; do
		rm -f umon.out
		timeout -s KILL 0.0$try uprofile -exact -cpu ev4 cycles \
			"$target" || true
		[ ! -e umon.out ] || prof -totals >totals
	done
}

@test "a target that is killed has its profile up to then" {
	need_engine
	make_forever
	mkfifo ready
	uprofile -exact -pids retinst sh -c 'echo $$; exec ./forever' >ready &
	exec 7<ready
	read -r pid <&7
	read -r line <&7
	kill -KILL "$pid"
	status=0
	wait $! || status=$?
	[ "$status" -eq 137 ]
	mv umon.out.* umon.out
	prof --folded - | grep -qx 'main [0-9]*'
}

@test "what cannot be" {
	need loops
	run -64 uprofile
	run -64 uprofile retinst
	run -64 uprofile retinst -exact "$target"
	[[ "$output" == *"options come before statistics"* ]]
	run -64 uprofile -exact -period 3 "$target"
	run -64 uprofile -stride 3 "$target"
	run -64 uprofile retinst retinst "$target"
	run -64 uprofile -nosuch "$target"
	run -125 uprofile REPLAY "$target"
	[[ "$output" == *"replay cannot be counted: "* ]]
	run -125 uprofile interrupt "$target"
	[[ "$output" == *"interrupt is accounted "* ]]
	run -125 uprofile replay_trap_per_ret "$target"
	[[ "$output" == *"replay_trap cannot be counted: "* ]]
	run -125 uprofile -cpu mips34k -each "$target"
	[ ! -e umon.out ]
}
