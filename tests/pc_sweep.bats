#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pc_sweep: options, runs, reports, and how it ends.

load helper

# pc_sweep with arguments $3... ends with status $1 and the sentence $2.
refused() {
	refuses pc_sweep "$@"
}

@test "wrong options: one sentence naming the value, exit status 64" {
	refused 64 "no events: a group such as --ipc (-i), -e, --evens or --odds is needed; see --list" -u true
	refused 64 "no mode and no events: -uic, for one, counts the user's cycles, instructions and caches; see --help" true
	refused 64 "-e LLC-loads: no event of that name that a counter of mips34k counts; \"pmcsim list mips34k\" lists them" -u -e LLC-loads true
	refused 64 "--evens DCACHE_WRITEBACKS: no event of that name that this counter of mips34k counts; \"pmcsim list mips34k\" lists them" -u --evens DCACHE_WRITEBACKS true
	refused 64 "no command to be measured" -ui
	refused 64 "there is no option -Z; see --help" -uiZ true
	refused 64 "there is no option --stals; see --help" -u --stals true
	refused 64 "option --evens needs an argument; see --help" -u --evens
	refused 64 "option --user takes no argument; see --help" --user=1 true
	refused 64 "--repeat 0: not a number from 1 to 100000" -ui --repeat 0 true
	refused 64 "--repeat \"\": not a number from 1 to 100000" -ui --repeat= true
	refused 64 "--tc x: not a number from 0 to 255" -ui -tx true
	refused 64 "-t, -v and --balance exclude each other" -ui -t1 -v0 true
	refused 64 "--threads serial: only \"parallel\" is known" -ui --threads serial true
	refused 64 "--json, --csv and --markdown exclude each other" -ui --csv --json true
	refused 64 "--precision: only the table of --parse (-p) has room for it" -ui --precision true
	refused 64 "--list: true is not run" --list true
	for option in --json --csv --output=f --append=f; do
		refused 64 '--list writes text to standard output; "pmcsim list --json CPU" writes JSON' --list $option
	done
	refused 64 "two output files, a and b: there can be one" -ui --output a --append b true
}

@test "wrong events and contexts: one sentence, exit status 64" {
	refused 64 '--evens x7: no event of that name that this counter of mips34k counts; "pmcsim list mips34k" lists them' -u --evens "18 x7" true
	refused 64 '--odds ", ": no event numbers' -u --odds ", " true
	refused 64 "event 60 is reserved" -u --evens 60 true
	refused 64 "event 44 is reserved on the odd list; on the even list it is CACHE_INSN_STALLS" -u --odds 44 true
	refused 64 "event 300 is unknown to mips34k" -u --evens 300 true
	refused 64 "mips34k has no group of events nice; see --list" -u --group nice true
	refused 64 "there is no TC 9: mips34k has TCs 0 to 4" -uit9 true
	refused 64 "there is no VPE 2: mips34k has VPEs 0 to 1" -uiv 2 true
}

@test "no such CPU or output folder: exit status 125, nothing is run" {
	run -125 --separate-stderr pc_sweep -ui --cpu vax touch ran
	[[ $stderr == *vax* ]]
	refused 125 "no/where: No such file or directory" -ui --output no/where touch ran
	mkdir folder
	refused 125 "folder: Is a directory" -ui --append folder touch ran
	[ ! -e ran ]
}

not_started() {
	refused "$1" "$2" -uip "${@:3}"
}

@test "a command that cannot be run: 127 not found, 126 not executable" {
	not_started 127 '"": no such program' ""
	not_started 127 "nosuchprogram: no such program" nosuchprogram
	not_started 127 "./gone: no such program" ./gone
	echo plain >plain
	not_started 126 "./plain: not executable: permission denied or no regular file" ./plain
	chmod +x plain
	not_started 126 "./plain: neither an ELF program nor a script with a #! line" ./plain
	for size in 300 3000; do
		head -c $size /bin/true >short
		chmod +x short
		not_started 126 "./short: an ELF program that is cut off" ./short
	done
	not_started 126 "/: not executable: permission denied or no regular file" /
	printf '#!/no/interpreter\n' >script
	chmod +x script
	not_started 127 "./script: its interpreter /no/interpreter cannot be executed" ./script
	printf '#!/bin/sh\r\necho\r\n' >script
	not_started 127 "./script: its interpreter /bin/sh cannot be executed: its #! line ends in a carriage return" ./script
	printf '#!./loop1\n' >loop1
	chmod +x loop1
	not_started 126 "./loop1: too many scripts start each other" ./loop1
}

# As a user that may not read all files, whichever user runs the tests.
@test "a folder of PATH that cannot be searched has no programs" {
	local user=

	if [ "$(id -u)" = 0 ]; then
		user="setpriv --bounding-set=-dac_override,-dac_read_search"
		$user true || skip "cannot give up root's powers"
	fi
	mkdir closed
	chmod 0 closed
	PATH=$PWD/closed:$PATH run -127 --separate-stderr $user \
		pc_sweep -ui nosuchprogram
	[ "$stderr" = "pc_sweep: nosuchprogram: no such program" ]
	run -126 --separate-stderr $user pc_sweep -ui closed/program
	[ "$stderr" = "pc_sweep: closed/program: not executable: permission denied or no regular file" ]
	chmod 700 closed
}

@test "an instruction set that there is no engine for is named" {
	# A 64-bit ARM program's ELF header.
	printf '\177ELF\2\1\1\0\0\0\0\0\0\0\0\0\2\0\267\0\1\0\0\0' >arm
	printf '%040d' 0 | tr 0 '\0' >>arm
	chmod +x arm
	not_started 126 "./arm: no engine for its instruction set (ELF machine 183, 64 bits, little endian): x86-64, i386, MIPS o32 and Alpha programs can be run" ./arm
}

@test "the plugin is found beside the library" {
	need_engine
	make_loop
	run -0 env -u PMCSIM_PLUGIN pc_sweep -up --odds 1 ./loop
	[[ $output == *"all instructions:          2004  100.0%"* ]]
}

@test "no plugin: says how to name it" {
	make_loop
	PMCSIM_ENGINE=qemu PMCSIM_PLUGIN=/no/plugin not_started 125 \
		'$PMCSIM_PLUGIN: /no/plugin: No such file or directory' ./loop
}

@test "a processor without groups is listed by its events" {
	run -0 pc_sweep --list --cpu p5
	[ "$output" = 'p5 has no groups; "pmcsim list p5" lists its events' ]
	run -0 pc_sweep --list --cpu ev4
	[ "$output" = 'ev4 has no groups; "pmcsim list ev4" lists its events' ]
}

@test "the union of groups, once each and in order" {
	run -0 pc_sweep --list
	[[ $output == *"--stalls, -s: "*$'\n  even  18 24 25 41 45\n  odd   18 25 41 45 46\n'* ]]
	need_engine
	make_loop
	run -0 pc_sweep -p -u --misses --tlb --evens "9, 5" ./loop
	[ "${lines[0]}" = "Even-counter events: 5 6 7 8 9 10 11 21 22 39" ]
	[ "${lines[1]}" = "Odd-counter events: 5 6 7 8 9 10 11 21 22 39" ]
	pc_sweep -p -u --misses --tlb --evens "9, 5" ./loop |
		awk '/^\[U\]/ && /\// { print $4 $5 $6 }' | head -n 5 | xargs \
		>order
	[ "$(cat order)" = "(0/5) (1/5) (0/6) (1/6) (0/7)" ]
}

@test "known counts, laid out as in the manual" {
	need_engine
	make_loop
	pc_sweep -up --evens "1 2" --odds "1 16 26" ./loop >out
	same out <<'END'
Even-counter events: 1 2
Odd-counter events: 1 16 26
[mode] [VPE TC] (event)          event description:         value
[U]    [      ] (0 / 1)           all instructions:          2004  100.0%
[U]    [      ] (1 / 1)           all instructions:          2004  100.0%
[U]    [      ] (0 / 2)                   branches:          1000   49.9%
[U]    [      ] (1 / 16)      MIPS16e instructions:             0    0.0%
[U]    [      ] (1 / 26)           ALU saturations: not modelled: results are not seen by the model, so it cannot tell whether one saturated

mips34k model: 4 exact, 1 not-modelled
END
}

@test "options of the manual's examples" {
	need_engine
	make_loop
	pc_sweep --parse -cui ./loop >figure5
	for form in "-uicp" "-parse -c -u -i" "-p --user --cache --ipc" \
		"-u -i --group cache -parse"; do
		pc_sweep $form -- ./loop >out
		same out <figure5
	done
	pc_sweep -uicpt0 ./loop | sed 's/\[   TC0\]/[      ]/' >out
	same out <figure5
	pc_sweep -uip --evens "18 37 39" --odds "18 37 39" -- ./loop >out
	[ "$(head -n 1 out)" = "Even-counter events: 0 18 37 39" ]
}

@test "--once, --jobs, --repeat and pc_parse give the same table" {
	need_engine
	make_loop
	pc_sweep -up --all ./loop >reruns
	grep -q '(0 / 55)' reruns
	pc_sweep -up --all --once ./loop >out
	same out <reruns
	pc_sweep -up --all --jobs 4 ./loop >out
	same out <reruns
	pc_sweep -u --all ./loop >dump
	pc_parse dump >out
	same out <reruns
	pc_sweep -u --all --once ./loop | pc_parse >out
	same out <reruns
	pc_sweep -up --all --once --repeat 3 ./loop |
		sed 's/  +- 0.0 (3 of 3 kept)$//' >out
	same out <reruns
}

@test "JSON: as the schema has it, the same twice" {
	need_engine
	make_loop
	pc_sweep -u --evens 2 --json --env clean ./loop >direct
	sed 's/"engine":"'"$engine_name"'",//' direct >out
	same out <<'END'
{"schema":"pmcsim-sweep/1","cpu":"mips34k","command":["./loop"],"isa":"v3","environment":"352aac32532dcee6","partial":false,"doubts":[],"runs":1,
 "counts":[
  {"mode":"U","vpe":null,"tc":null,"list":"even","event":2,"name":"BRANCH_INSNS","label":"branches","value":1000,"precision":"exact","reason":null,"ledger":false,"wrapped":false}],
 "metrics":[]}
END
	pc_sweep -ua --json ./loop >one
	pc_sweep -ua --json ./loop >two
	cmp one two
}

@test "CSV: counts, then metrics" {
	need_engine
	make_loop
	pc_sweep -ui --csv ./loop | tr -d '\r' >out
	[ "$(wc -l <out)" -eq 4 ]
	[ "$(sed -n 3p out)" = "count,U,,,odd,1,INSTRUCTIONS,all instructions,2004,events,exact,,0,0,,,,,./loop,mips34k,$engine_name,1" ]
	[ "$(sed -n 4p out)" = "metric,U,,,,,ipc,IPC,$(awk -F, '
		$1 == "count" { n[$5] = $9 }
		END { printf "%.6f", n["odd"] / n["even"] }' out),ratio,,,,,,,,,./loop,mips34k,$engine_name,1" ]
}

@test "a dump keeps the command, whatever is in it" {
	need_engine
	make_loop
	words=($'a\tb\n' 'quo"te\\' 'café' '' $'\x01\xff' '# Run')
	pc_sweep -u --evens 2 --json ./loop "${words[@]}" >direct
	grep -qF '["./loop","a\u0009b\u000a","quo\"te\\\\","café","","\u0001�","# Run"]' direct
	pc_sweep -u --evens 2 ./loop "${words[@]}" | pc_parse --json >out
	sed 's/"engine":"'"$engine_name"'","isa":"v3","environment":"[0-9a-f]*",//' direct | same out
}

@test "--balance and --modes: each for itself" {
	need_engine
	make_loop
	pc_sweep -up --balance --odds 1 ./loop >out
	same out <<'END'
Even-counter events:
Odd-counter events: 1
[mode] [VPE TC] (event)          event description:         value
[U]    [  VPE0] (1 / 1)           all instructions:          2004  100.0%
[U]    [  VPE1] (1 / 1)           all instructions:             0
[U]    [   TC0] (1 / 1)           all instructions:          2004  100.0%
[U]    [   TC1] (1 / 1)           all instructions:             0
[U]    [   TC2] (1 / 1)           all instructions:             0
[U]    [   TC3] (1 / 1)           all instructions:             0
[U]    [   TC4] (1 / 1)           all instructions:             0

mips34k model: 7 exact
END
	pc_sweep -p --modes --odds 1 ./loop >out
	grep -qF '[U]    [      ] (1 / 1)           all instructions:          2004  100.0%' out
	[ "$(grep -c ' ledger$' out)" -eq 3 ]
	# The manual's syntax asks for a mode in any case.
	pc_sweep -up --modes --odds 1 ./loop >both
	same both <out
	# 104 events in 4 modes, on 7 contexts, in one run.
	pc_sweep -p -a --modes --balance --once ./loop >every
	grep -qxF '[U]    [   TC0] (1 / 1)           all instructions:          2004  100.0%' every
	[ "$(grep -cE '^\[[USKE]\] .* \([01] / [0-9]+\)' every)" -eq 2912 ]
}

# The ledger has no branches of refills; nothing runs in supervisor mode.
@test "modes that the ledger has nothing of" {
	need_engine
	make_loop
	pc_sweep -p --modes --evens "33 2" ./loop >out
	unknown="not modelled: the ledger has nothing of exception level; with"
	unknown+=" --system, its code is executed"
	grep -v '^.[KU].*(0 / 2)' out >rest
	same rest <<END
Even-counter events: 2 33
Odd-counter events:
[mode] [VPE TC] (event)          event description:         value
[U]    [      ] (0 / 33)            uncached loads:             0
[S]    [      ] (0 / 2)                   branches:             0  ledger
[S]    [      ] (0 / 33)            uncached loads:             0  ledger
[K]    [      ] (0 / 33)            uncached loads: not modelled: in kernel \
mode it is not looked at
[E]    [      ] (0 / 2)                   branches: $unknown
[E]    [      ] (0 / 33)            uncached loads: not modelled: at \
exception level it is not looked at

mips34k model: 1 exact, 1 zero, 3 ledger (accounted, not executed), \
3 not-modelled
END
	grep -qE '^.K.*\(0 / 2\) .* [1-9][0-9]*  ledger$' out
	pc_sweep -u --exl --evens 2 ./loop >dump
	pc_parse <dump >out
	grep -qxF '[UE]   [      ] (0 / 2)                   branches:          1000  user mode only' out
	pc_sweep -u --exl --json --evens 2 ./loop >out
	grep -qF "\"value\":1000,\"precision\":\"exact\",\"reason\":\"${unknown#*: }\",\"ledger\":false" out
	pc_sweep --exl --csv --evens 2 ./loop >out
	grep -qF "BRANCH_INSNS,branches,,events,not-modelled,\"${unknown#*: }\",0,0" out
}

@test "the target's streams and exit status are its own" {
	need_engine
	run -7 --separate-stderr pc_sweep -ui --output f sh -c 'echo out; echo err >&2; exit 7'
	[ "$output" = out ]
	[ "$stderr" = err ]
	run -137 pc_sweep -ui --output f sh -c 'kill -9 $$'
	pc_sweep -uip --output f sh -c 'echo "$X $LD_X"; cat' <<<text >out
	X='a b' LD_X=1,2 pc_sweep -uip --output f sh -c 'echo "$X/$LD_X"' >out
	[ "$(cat out)" = "a b/1,2" ]
	LD_X=plain pc_sweep -uip --output f sh -c 'echo "$LD_X"' >out
	[ "$(cat out)" = plain ]
}

@test "a script runs through its interpreter, with the kernel's arguments" {
	need_engine
	printf '#!/bin/sh -e  \necho "$0" "$@"; false; echo no\n' >script
	chmod +x script
	run -1 --separate-stderr pc_sweep -ui --output f ./script a 'b c'
	[ "$output" = "./script a b c" ]
	# What is behind the 255th byte of its line does not count.
	printf '#!/bin/echo %0300d\n' 0 >long
	chmod +x long
	[ "$(pc_sweep -ui --output f ./long)" = "$(./long)" ]
	[ "$(pc_sweep -ui --output f env ./long)" = "$(./long)" ]
	printf '#!%0300d\n' 0 >long
	run -126 --separate-stderr pc_sweep -ui ./long
	[ "$stderr" = "pc_sweep: ./long: its #! line names no interpreter" ]
}

@test "each run reads the same input; its output comes once per run" {
	need_engine
	printf 'b\na\n' >input
	pc_sweep -uic --output f sort <input >out
	same out < <(printf 'a\nb\na\nb\na\nb\n')
	pc_sweep -uic --output f --jobs 3 sort <input >out
	same out < <(printf 'a\nb\na\nb\na\nb\n')
	{ read -r _; pc_sweep -ui --output f sort; } <input >out
	same out <<<a
}

@test "each run reads all of a pipe that is kept" {
	need_engine
	printf 'b\na\n' >input
	for runs in -uic "-uic --jobs 3" "-uic --once --repeat 3"; do
		run -0 --separate-stderr bash -c "cat input |
			pc_sweep $runs --keep-input --output f sort -S 1M"
		[ "$output" = $'a\nb\na\nb\na\nb' ]
		[ -z "$stderr" ]
	done
	head -c 300000 /dev/zero >input
	mkdir kept
	export TMPDIR=$PWD/kept
	pc_sweep -uip --keep-input --output f wc -c < <(cat input) >out
	same out <<<300000
	pc_sweep -uip --output g wc -c <input >out
	same f <g
	[ -z "$(ls kept)" ]
}

@test "a pipe that is not kept: a run reads what is left, and a note says so" {
	need_engine
	run -0 --separate-stderr bash -c "printf 'b\na\n' |
		pc_sweep -uic --output f sort -S 1M"
	[ "$output" = $'a\nb' ]
	[[ "${stderr_lines[0]}" == "pc_sweep: note: the runs differ, from "* ]]
	[ "${stderr_lines[1]}" = "pc_sweep: note: standard input is no file: each run reads what those before it have left; --keep-input lets each read all of it" ]
	run -0 --separate-stderr bash -c "printf 'b\na\n' |
		pc_sweep -uic --jobs 3 --output f sort -S 1M"
	[ -z "$output" ]
	[ "$stderr" = "pc_sweep: note: standard input is no file: runs side by side do not read it; --keep-input lets each read all of it" ]
	run -0 --separate-stderr bash -c "printf 'b\na\n' |
		pc_sweep -uic --output f true"
	[ -z "$stderr" ]
}

@test "input that cannot be kept: exit status 125, nothing is run" {
	need_engine
	run -125 --separate-stderr env TMPDIR=none \
		pc_sweep -ui --keep-input touch ran < <(:)
	[ "$stderr" = "pc_sweep: standard input cannot be kept in none: No such file or directory" ]
	refused 125 "standard input cannot be kept: Is a directory" -ui --keep-input touch ran </
	[ ! -e ran ]
}

@test "input that is larger than the disk: exit status 125" {
	need_engine
	mkdir small
	unshare -rm mount -t tmpfs none small 2>/dev/null ||
		skip "no mounts in a namespace"
	run -125 --separate-stderr unshare -rm sh -c '
		mount -t tmpfs -o size=64k none small
		export TMPDIR=$PWD/small
		head -c 200000 /dev/zero |
			pc_sweep -ui --keep-input touch ran'
	[ "$stderr" = "pc_sweep: standard input cannot be kept in $PWD/small: No space left on device" ]
	[ ! -e ran ]
}

# It reads when more was written than a pipe holds.
@test "SIGTERM while input is kept: nothing is run, 143" {
	need_engine
	mkfifo input
	pc_sweep -uip --keep-input touch ran <input >out 3>&- &
	tool=$!
	exec 4>input
	head -c 200000 /dev/zero >&4
	kill -TERM $tool
	status=0
	wait $tool || status=$?
	exec 4>&-
	[ $status -eq 143 ]
	[ "$(tail -n 1 out)" = \
		"partial: stopped before the end, figures are too low or missing" ]
	[ ! -e ran ]
}

@test "runs that are not the same are remarked upon" {
	need_engine
	cat >unlike <<-'END'
	#!/bin/sh
	test -e mark || for i in 1 2 3 4 5 6 7 8 9; do echo $i; done
	: >mark
	END
	chmod +x unlike
	run -0 --separate-stderr pc_sweep -uicp ./unlike
	[[ $stderr == "pc_sweep: note: the runs differ, from "* ]]
}

# The first of them touches one line of a cache 64 times, the others 64 lines:
# as many instructions, but not as many cycles.
@test "runs that differ by one instruction, or only in cycles" {
	need_engine
	cat >unlike.S <<-'END'
		.globl _start
	_start:	mov $2, %eax
		lea name(%rip), %rdi
		mov $0301, %esi
		mov $0600, %edx
		syscall
		xor %ebx, %ebx
		mov $64, %ecx
		test %eax, %eax
		cmovs %ecx, %ebx
	#ifdef MORE
		js 1f
		nop
	#endif
	1:	mov $64, %ecx
		lea lines(%rip), %rsi
	2:	mov (%rsi), %eax
		add %rbx, %rsi
		dec %ecx
		jnz 2b
		mov $60, %eax
		xor %edi, %edi
		syscall
	name:	.asciz "mark"
		.bss
		.balign 64
	lines:	.skip 4096
	END
	cc -nostdlib -static -o unlike unlike.S || skip "no compiler"
	cc -nostdlib -static -DMORE -o more unlike.S
	run -0 --separate-stderr pc_sweep -uicp ./more
	[ "${stderr_lines[0]}" = "pc_sweep: note: the runs differ, from 271 to 272 instructions, so figures of different runs do not match exactly; --once counts all events in one" ]
	[ "${stderr_lines[1]}" = "pc_sweep: note: if the command asks for random numbers, the time or how much memory is free, --random SEED and --clock machine give it the same in each run" ]
	rm mark
	run -0 --separate-stderr pc_sweep -uicp ./unlike
	[[ "${stderr_lines[0]}" =~ ^"pc_sweep: note: the runs differ, from "[0-9]+" to "[0-9]+" cycles, so figures of different runs do not match exactly; --once counts all events in one"$ ]]
	run -0 --separate-stderr pc_sweep -uicp ./unlike
	[ -z "$stderr" ]
	rm mark
	run -0 --separate-stderr pc_sweep -uip --once --repeat 2 ./more
	[ "${stderr_lines[0]}" = "pc_sweep: note: the runs differ, from 271 to 272 instructions, so figures of different runs do not match exactly" ]
}

@test "--output and --append: complete files with their permissions" {
	need_engine
	make_loop
	umask 027
	pc_sweep -up --odds 1 --output f ./loop >out
	[ ! -s out ]
	[ "$(stat -c %a f)" = 640 ]
	pc_sweep -up --odds 1 ./loop >table
	same f <table
	chmod 600 f
	ln -s f link
	pc_sweep -up --odds 1 --append link ./loop
	cat table table >twice
	same f <twice
	[ -L link ]
	[ "$(stat -c %a f)" = 600 ]
	pc_sweep -up --odds 1 --output f ./loop
	same f <table
	[ "$(ls)" = $'f\nlink\nloop\nloop.S\nout\ntable\ntwice' ]
	# A link to a file that is not there yet.
	mkdir below
	ln -s g below/h
	ln -s below/h new
	pc_sweep -up --odds 1 --output new ./loop
	same below/g <table
	[ -L new ]
	[ -L below/h ]
	ln -s nowhere/g none
	run -125 --separate-stderr pc_sweep -up --odds 1 --output none ./loop
	[ "$stderr" = "pc_sweep: none: No such file or directory" ]
	[ -L none ]
}

@test "--output to a stream that is a file adds to it" {
	need_engine
	make_loop
	pc_sweep -up --odds 1 ./loop >table
	for stream in out err; do
		{
			echo before >&2
			pc_sweep -up --odds 1 --output /dev/std$stream ./loop
			echo after >&2
		} >log 2>&1
		same log < <(echo before; cat table; echo after)
	done
}

@test "a full disk: exit status 125" {
	need_engine
	make_loop
	run -125 --separate-stderr pc_sweep -ui --output /dev/full ./loop
	[[ $stderr == "pc_sweep: /dev/full: "* ]]
	run -125 bash -c 'pc_sweep -uip ./loop >/dev/full'
}

# Starts pc_sweep with "$@" and waits until its target says so.
start() {
	mkfifo ready
	exec 4<>ready
	pc_sweep "$@" >out 2>err 3>&- 4>&- &
	tool=$!
	read -r -t 20 -u 4 _
}

@test "SIGTERM: target stopped, partial report, 143, no process left" {
	need_engine
	start -uicp sh -c 'sleep 1000 & echo $! >child; echo go >ready; wait'
	child=$(cat child)
	kill -TERM $tool
	status=0
	wait $tool || status=$?
	[ $status -eq 143 ]
	[ "$(tail -n 1 out)" = \
		"partial: stopped before the end, figures are too low or missing" ]
	grep -qF "(0 / 10)          D-cache accesses: not measured: its run was not reached" out
	[ ! -d /proc/$child ]
}

@test "a program that is gone when it is to run again: a partial report, 127" {
	need_engine
	printf '#!/bin/sh\nrm "$0"\n' >once
	chmod +x once
	run -127 --separate-stderr pc_sweep -uicp ./once
	[[ $stderr == "pc_sweep: "*"./once"* ]]
	[ "${lines[-1]}" = \
		"partial: stopped before the end, figures are too low or missing" ]
	[[ $output == *"(0 / 10)          D-cache accesses: not measured: its run was not reached"* ]]
}

@test "SIGKILL of the tool leaves no target behind" {
	need_engine
	start -ui sh -c 'echo $$ >child; echo go >ready; exec sleep 1000'
	child=$(cat child)
	kill -KILL $tool
	wait $tool || true
	timeout 20 tail --pid="$child" -f /dev/null
}

@test "a target that ignores SIGTERM is killed" {
	need_engine
	start -ui --output f sh -c 'trap "" TERM; echo go >ready; while :; do :; done'
	kill -TERM $tool
	status=0
	wait $tool || status=$?
	[ $status -eq 143 ]
	[ "$(tail -n 1 f)" = "# Partial" ]
}

@test "--help and --version" {
	run -0 pc_sweep --help
	[ "${lines[0]}" = "Usage: pc_sweep [MODE] [OPTION...] [--] COMMAND [ARGUMENT...]" ]
	for option in -u --supervisor --kernel --exl -p --output --append \
		--all -i -s -q -c -b --stalls_all --instructions --tlb --l2 \
		--itc --evens --odds --balance --modes; do
		[[ $output == *"$option"* ]]
	done
	run -0 pc_sweep --version
	[[ $output =~ ^"pc_sweep (pmcsim) "[0-9]+\.[0-9]+\.[0-9]+$ ]]
}

@test "user mode is the mode that is meant" {
	need_engine
	make_loop
	pc_sweep --output said -ui -- ./loop
	pc_sweep --output meant -i -- ./loop
	grep -v '^# Command\|^# Date' said >a
	grep -v '^# Command\|^# Date' meant >b
	cmp a b
	grep -q 2004 b
}

@test "completion of zsh and fish" {
	local tool shell
	for tool in pc_sweep pmcsim prof; do
		for shell in zsh fish; do
			run -0 --separate-stderr "$tool" --completion "$shell"
			[ -z "$stderr" ]
			echo "$output" >"$tool.$shell"
			! grep -F '(null)' "$tool.$shell"
			command -v "$shell" >/dev/null || continue
			"$shell" -n "$tool.$shell"
		done
	done
	# Each option that help has.
	pc_sweep --help | grep -o -- ' --[a-z0-9_-]*' | tr -d ' ' | sort -u >help
	grep -o -- "'[*]--[a-z0-9_-]*" pc_sweep.zsh | tr -d "'*" | sort -u >zsh
	sed -n 's/.* -l \([a-z0-9_-]*\) .*/--\1/p' pc_sweep.fish | sort -u >fish
	comm -23 help zsh >missing
	comm -23 help fish >>missing
	[ ! -s missing ]
	run -64 pc_sweep --completion tcsh
	[ "$output" = \
		"pc_sweep: no completion for tcsh: only bash, zsh, fish" ]
	command -v fish >/dev/null || skip "no fish"
	complete() {
		fish -c "source $1.fish; complete -C '$2'" | cut -f1
	}
	[ "$(complete pc_sweep "pc_sweep --jo")" = --jobs ]
	[ "$(complete pc_sweep "pc_sweep --system ")" = $'malta\npc' ]
	complete pc_sweep "pc_sweep --cpu p5" | grep -qx p55c
	[ "$(complete pmcsim "pmcsim compare --li")" = --limit ]
	[ "$(complete prof "prof -inco")" = -incobj ]
}

@test "completion knows every long option that help has" {
	pc_sweep --completion bash >script
	bash -n script
	run -0 bash -c '. ./script
		COMP_WORDS=(pc_sweep --st) COMP_CWORD=1
		_pc_sweep; echo "${COMPREPLY[@]}"'
	[ "$output" = "--stalls --stalls_all" ]
	run -0 bash -c '. ./script
		for option in --threads --clock --system; do
			COMP_WORDS=(pc_sweep $option "") COMP_CWORD=2
			_pc_sweep; echo "${COMPREPLY[@]}"
		done'
	[ "$output" = "$(printf 'parallel\nmachine\nmalta pc')" ]
}

@test "completion knows names of groups, events and metrics, of the CPU" {
	pc_sweep --completion bash >script
	run -0 bash -c '. ./script
		COMP_WORDS=(pc_sweep --group st) COMP_CWORD=2
		_pc_sweep; echo "${COMPREPLY[@]}"'
	[ "$output" = "stalls stalls_all" ]
	pmcsim --completion bash >script
	run -0 bash -c '. ./script
		for words in "-e cycles,instr" "--metrics ip" \
			"--cpu p6,p5 -e ic" "--cpu ev6 -e cycles,ICAC"; do
			COMP_WORDS=(pmcsim stat $words)
			COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
			_pmcsim; echo "${COMPREPLY[@]}"
		done'
	diff -u - <(echo "$output") <<-'END'
	cycles,instructions
	ipc
	END
}

# Rows of text are those of the records and of JSON.
@test "several processors side by side, as records and as JSON" {
	need_engine
	make_loop
	for format in csv json; do
		pc_sweep -ib --cpus p5,p6 --$format --output $format ./loop
	done
	pc_sweep -ib --cpus p5,p6 --csv --append csv ./loop
	pc_sweep -ib --cpus p5,p6 ./loop >text
	python3 - <<-'END'
	import csv, json, os
	table = [line.split() for line in open("text")]
	report = json.load(open("json"))
	records = list(csv.DictReader(open("csv", newline="")))
	assert report["cpus"] == table[0] == ["p5", "p6"]
	assert [[f["name"], *f["values"]] for f in report["figures"]] == [
	    [r[0], *map(float, r[1:])] for r in table[1:]]
	assert len(records) == 2 * 2 * 7
	assert [r["run"] for r in records] == ["1"] * 14 + ["2"] * 14
	for i, r in enumerate(records):
	    f = report["figures"][i % 7]
	    assert r["name"] == f["name"] and r["unit"] == f["unit"]
	    assert float(r["value"]) == f["values"][i // 7 % 2]
	    assert r["cpu"] == ["p5", "p6"][i // 7 % 2]
	    assert r["engine"] == os.environ["engine_name"] and r["command"] == "./loop"
	END
}

@test "several processors side by side" {
	need_engine
	make_loop
	run -0 --separate-stderr pc_sweep -ib --cpus p5,p6,mips34k ./loop
	[ -z "$stderr" ]
	diff -u - <(echo "$output" | awk '{ print $1, $2, $3, $4 }' | grep -v 'cycles\|ipc') <<-'END'
	p5 p6 mips34k 
	instructions 2004 2004 2004
	branches 1000 1000 1000
	branch-misses 2 1 2
	branch-miss-rate 0.200 0.100 0.200
	branch-mpki 0.998 0.499 0.998
	END
	for cpu in p5 p6 mips34k; do
		pmcsim stat --cpu $cpu -e cycles:u --csv -o counts ./loop
		grep -o '^count,,cycles:u,[0-9]*' counts | cut -d, -f4
	done | xargs >cycles
	[ "$(awk '$1 == "cycles" { print $2, $3, $4 }' <<<"$output")" = "$(cat cycles)" ]
	pc_sweep -i --cpus p5,p6 --markdown ./loop >out
	[ "$(sed -n 1p out)" = "| | p5 | p6 |" ]
	grep -qx '| instructions | 2004 | 2004 |' out
	run -64 pc_sweep -s --cpus p5,p6 ./loop
	[ "$output" = "pc_sweep: --cpus: the events of group stalls are one processor's alone" ]
	run -64 pc_sweep -i --cpus p5,p6 --repeat 2 ./loop
	[ "$output" = 'pc_sweep: --cpus: --repeat is of one processor; "pmcsim stat --cpu p5,p6" has more of several' ]
	run -125 pc_sweep -i --cpus p5,p7 touch ran
	[ ! -e ran ]
}
