#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pmcsim: lists, checks, machines that last.

load helper

zeros() {
	cat <<-'END'
	PerfCnt[0].Ctl : 0x80000000
	PerfCnt[0].Cnt : 0
	PerfCnt[1].Ctl : 0x80000000
	PerfCnt[1].Cnt : 0
	PerfCnt[2].Ctl : 0x80000000
	PerfCnt[2].Cnt : 0
	PerfCnt[3].Ctl : 0x00000000
	PerfCnt[3].Cnt : 0
	END
}

refused() {
	run "-$1" --separate-stderr pmcsim "${@:3}"
	[ "$stderr" = "pmcsim $2" ]
	[ -z "$output" ]
}

@test "list: CPUs, events with scope, precision and reason" {
	run -0 pmcsim list --names
	[[ " ${lines[*]} " == *" mips34k "* ]]
	pmcsim list mips34k >out
	grep -qE '^even +0 +P +timing +CYCLES +cycles$' out
	run -1 grep -E '^odd +47' out
	grep -A 1 -E '^odd +26 +T +not-modelled +ALU_DSP_SATURATIONS ' out |
		grep -q '^ *results are not seen by the model'
	[ "$(grep -cE '^(even|odd) ' out)" -eq \
		"$(pmcsim list --names mips34k | wc -l)" ]
}

@test "list: a table that cannot be loaded says so in its place" {
	mkdir tables
	echo 'name: bad' >tables/bad.yaml
	PMCSIM_EVENTS=$PWD/tables:$PMCSIM_EVENTS run -0 pmcsim list
	[ "${lines[0]}" = "bad          $PWD/tables/bad.yaml:1: key 'description' is missing" ]
	[[ $output == *$'\np5           Intel Pentium at '* ]]
	pmcsim list --json p6 | grep -qF '{"counters":[0,1],"event":'
}

@test "list --json: every code of both lists" {
	pmcsim list --json mips34k >out
	[ "$(head -c 44 out)" = '{"schema":"pmcsim-list/1","cpu":"mips34k","t' ]
	grep -qF '{"list":"odd","event":47,"reserved":true}' out
	grep -qF '"event":1,"reserved":false,"name":"INSTRUCTIONS","label":"all instructions",' out
	run -0 pmcsim list --json
	[[ $output == '{"schema":"pmcsim-list/1","cpus":['*'"mips34k"'*']}' ]]
}

@test "check: what a table has, or the line that is wrong" {
	run -0 pmcsim check "$PMCSIM_EVENTS/mips34k.yaml"
	[[ $output == *": mips34k; events "*" (modelled "*"), groups 14, metrics "* ]]
	sed 's/vpes: 2/vpes: 99/' "$PMCSIM_EVENTS/mips34k.yaml" >bad.yaml
	line=$(grep -n 'vpes: 99' bad.yaml | cut -d: -f1)
	run -125 --separate-stderr pmcsim check ./bad.yaml
	[[ $stderr == "pmcsim check: ./bad.yaml:$line: "* ]]
	refused 64 "check: no CPU table is named; see --help" check
}

@test "new, write, cat, rm: a machine by name" {
	pmcsim new m
	pmcsim cat m >out
	same out < <(zeros)
	[ "$(pmcsim list --machines)" = m ]
	pmcsim write m "0 0x28 0" "3 2e 7"
	echo "1 0x80000028 5" | pmcsim write m
	pmcsim cat m >out
	same out < <(zeros | sed '1s/0x80000000/0x80000028/
		3s/0x80000000/0x80000028/; 4s/0$/5/
		7s/0x00000000/0x0000002e/; 8s/0$/7/')
	refused 125 "new: $XDG_STATE_HOME/pmcsim/machines/m: there is one already" \
		new m
	pmcsim rm m
	[ -z "$(pmcsim list --machines)" ]
	refused 125 'cat: there is no machine m; "pmcsim new m" makes it' cat m
	XDG_STATE_HOME=relative pmcsim new m
	[ -e .local/state/pmcsim/machines/m ]
	[ ! -e relative ]
}

@test "a machine in a file; what is none is left alone" {
	pmcsim new ./file
	pmcsim cat ./file >out
	same out < <(zeros)
	pmcsim rm ./file
	[ ! -e file ]
	echo text >text
	refused 125 'cat: there is no machine ./a?b; "pmcsim new ./a?b" makes it' \
		cat $'./a\nb'
	refused 125 "rm: ./text: no machine of this version of pmcsim,\
 or a damaged one" rm ./text
	[ -e text ]
	refused 64 'new: ".m" cannot be the name of a machine' new .m
	refused 64 "new: b: one machine is enough; see --help" new a b
	refused 64 "list: --json: options come before the CPU" list ev5 --json
}

# A byte of ./file at offset $1 is $2, octal: a command on it does what it does
# always, or refuses the file in a sentence.
damage() {
	cp --sparse=always file damaged
	printf "\\$2" |
		dd of=damaged bs=1 seek="$1" conv=notrunc status=none
	run timeout -s KILL 60 pmcsim cat ./damaged
	[ "$status" -eq 0 ] || { [ "$status" -eq 125 ] &&
		[ "$output" = "pmcsim cat: ./damaged: no machine of this version of pmcsim, or a damaged one" ]; }
}

@test "a machine's file that is damaged" {
	local seed=1 last=8000000

	pmcsim new ./file
	# The lock: no thread has that number, but one of these may.
	damage 18 101
	[ "$status" -eq 125 ]
	for at in 16 17 19 20; do
		damage $at 377
	done
	for ((n = 0; n < 100; n++)); do
		seed=$(((seed * 1103515245 + 12345) % 2147483648))
		damage $((seed % (n < 50 ? 8192 : last))) 377
	done
}

# What "pmcsim write" says about a line.
wrong() {
	refused 125 "write: line 1, \"$1\": $2" write root "$1"
}

@test "only root may write; bad lines are named" {
	pmcsim new --uid 1000 m
	refused 125 "write: only root may write /proc/perf, and the machine's user is 1000" \
		write m "0 0x28 0"
	pmcsim new root
	refused 125 'write: line 2, "4 0x28 0": there is no such counter' \
		write root "0 0x28 0" "4 0x28 0"
	wrong "0 0x1028 0" \
		"bits 30 and 15 to 12 of the control word must be zero"
	wrong "0 0x300028 0" "MT_EN, bits 21 and 20, is 3, which is reserved"
	wrong "0 0x120028 0" "there is no such TC or VPE"
	wrong "0 0x1600028 0" "there is no such TC or VPE"
	# The last line of the manual's perfcnt_config.
	wrong "3 0x800002ff 0" "the event is reserved on this counter"
	wrong "0 0x200008 0" "the event cannot be counted for one TC or VPE"
	wrong "0 0x28 -1" 'not "num control value"'
	wrong "0 0x28" 'not "num control value"'
	wrong "0 zz 0" 'not "num control value"'
	wrong "0 0x28 18446744073709551616" \
		"the value is too wide for a counter of 64 bits"
	wrong "0 0x28 1 1" 'not "num control value"'
	pmcsim new --no-range-extension narrow
	refused 125 'write: line 1, "1 0x28 0x100000000": the value is too wide for a counter of 32 bits' \
		write narrow "1 0x28 0x100000000"
	pmcsim write narrow "1 0x28 4294967295"
	printf 'x' >bad
	refused 125 'write: line 1, "x": not "num control value"' \
		write root <bad
	pmcsim cat root | grep -qF 'PerfCnt[0].Ctl : 0x80000028'
}

@test "run: the manual's sequence counts over several commands" {
	need_engine
	make_loop
	pmcsim new m
	pmcsim write m "0 0x80000048 0" "1 0x80000028 100"
	pmcsim run m -- ./loop
	pmcsim run m ./loop
	pmcsim cat m >out
	same out < <(zeros | sed '1s/0x80000000/0x80000048/; 2s/0$/2000/
		3s/0x80000000/0x80000028/; 4s/0$/4108/')
}

@test "a 32-bit counter without range extension wraps around" {
	need_engine
	make_loop
	pmcsim new --no-range-extension m
	pmcsim write m "0 0x28 4294967000" "1 0x28 1"
	pmcsim run m ./loop
	run -0 pmcsim cat m
	[ "${lines[1]}" = "PerfCnt[0].Cnt : 1708" ]
	[ "${lines[3]}" = "PerfCnt[1].Cnt : 2005" ]
	pmcsim new wide
	pmcsim write wide "0 0x28 4294967000"
	pmcsim run wide ./loop
	run -0 pmcsim cat wide
	[ "${lines[1]}" = "PerfCnt[0].Cnt : 4294969004" ]
}

@test "run: status and streams are the command's" {
	need_engine
	pmcsim new m
	run -5 pmcsim run m sh -c 'cat; exit 5' <<<input
	[ "$output" = input ]
	run -127 --separate-stderr pmcsim run m nosuchprogram
	[ "$stderr" = "pmcsim run: nosuchprogram: no such program" ]
	refused 64 "run: no command to be run" run m --
	refused 125 'run: there is no machine n; "pmcsim new n" makes it' \
		run n true
}

@test "commands and their options" {
	run -64 --separate-stderr pmcsim
	[ "$stderr" = "pmcsim: no command; see --help" ]
	run -64 --separate-stderr pmcsim fly
	[ "$stderr" = "pmcsim: there is no command fly; see --help" ]
	run -64 --separate-stderr pmcsim ""
	[ "$stderr" = 'pmcsim: there is no command ""; see --help' ]
	refused 64 "list: there is no option --all; see --help" list --all
	refused 64 "list: --json, --names, --linux, --machines, --events, --metrics and --groups exclude each other" \
		list --json --names
	refused 64 "list: p6: --machines lists no CPU" list --machines p6
	refused 64 "new: --uid x: not a user id" new --uid x m
	refused 64 "write: no machine is named; see --help" write
	refused 64 "run: no machine is named; see --help" run
	pmcsim new m
	refused 64 "run: no command to be run" run m --
	commands="list check new write cat run rm engine system compare stat study"
	for command in $commands; do
		run -0 pmcsim $command --help
		[[ ${lines[0]} == "Usage: pmcsim $command "* ]]
	done
	pmcsim --completion bash >script
	bash -n script
	run -0 bash -c '. ./script
		COMP_WORDS=(pmcsim new --th) COMP_CWORD=2
		_pmcsim; echo "${COMPREPLY[@]}"
		COMP_WORDS=(pmcsim ch) COMP_CWORD=1
		_pmcsim; echo "${COMPREPLY[@]}"
		COMP_WORDS=(pmcsim "") COMP_CWORD=1
		_pmcsim; echo "${COMPREPLY[@]}"'
	[ "$output" = "--threads
check
--help --version $commands" ]
	pmcsim new of_three_letters
	run -0 bash -c '. ./script
		COMP_WORDS=(pmcsim run of_th) COMP_CWORD=2
		_pmcsim; echo "${COMPREPLY[@]}"'
	[ "$output" = of_three_letters ]
}
