#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pmcsim compare: two reports in JSON, limits.

load helper

# A report of those counts and metrics.
report() {
	printf '{"schema":"%s","cpu":"%s","partial":%s,\n' \
		"${schema:-pmcsim-sweep/1}" "${cpu:-mips34k}" \
		"${partial:-false}"
	printf ' "counts":[%s],\n "metrics":[%s]}\n' "$1" "$2"
}

count() {
	printf '{"mode":"%s","tc":null,"name":"%s","value":%s}' "$@"
}

metric() {
	printf '{"name":"%s","value":%s}' "$@"
}

setup() {
	cd "$BATS_TEST_TMPDIR"
	report "$(count U CYCLES 2000),$(count K CYCLES 7),$(count U GONE 5)" \
		"$(metric ipc 0.5)" >old.json
	report "$(count U CYCLES 2021),$(count K CYCLES 7),$(count U NEW 0)" \
		"$(metric ipc 0.48)" >new.json
}

refused() {
	run "-$1" --separate-stderr pmcsim compare "${@:3}"
	[ "$stderr" = "pmcsim compare: $2" ]
}

@test "counts and metrics side by side" {
	pmcsim compare old.json new.json >out
	diff -u - out <<-'END'
	             old             new       difference
	            2000            2021              +21    +1.05%  CYCLES (mode U)
	               7               7                             CYCLES (mode K)
	               -               0                             NEW
	           0.500           0.480           -0.020    -4.00%  ipc
	               5               -                             GONE
	END
	pmcsim compare --changed old.json new.json >out
	[ "$(wc -l <out)" -eq 5 ]
	run -1 grep 'mode K' out
}

@test "counts of 63 bits differ by one" {
	report "$(count U CYCLES 9223372036854775806)" >a.json
	report "$(count U CYCLES 9223372036854775807)" >b.json
	run -0 pmcsim compare a.json b.json
	[[ ${lines[1]} == *' +1   '* ]]
	run -1 pmcsim compare --limit 0 a.json b.json
	run -0 pmcsim compare --limit -0 a.json b.json
}

@test "limits: up, down, of one name or of all counts" {
	run -0 pmcsim compare --limit CYCLES=1.05 old.json new.json
	run -0 pmcsim compare --limit IPC=-4 old.json new.json
	run -0 pmcsim compare --limit IPC=-4% old.json new.json
	run -0 pmcsim compare --limit CYCLES=1.05% old.json new.json
	refused 64 "--fail-if: it is --limit [[REGION/]NAME=]PERCENT here, such as --limit ipc=-1%" \
		--fail-if 'ipc<1' old.json new.json
	for wrong in 1.% 1%% % 1.x 1.0%0; do
		run -64 pmcsim compare --limit $wrong old.json new.json
		[ "$output" = "pmcsim compare: --limit $wrong: not [[REGION/]NAME=]PERCENT" ]
	done
	run -0 pmcsim compare --limit ipc=0 old.json new.json
	run -1 pmcsim compare --limit CYCLES=1.049999 old.json new.json
	refused 1 'ipc, from 0.500 to 0.480, is beyond the limit ipc=-3.9' \
		--limit ipc=-3.9 old.json new.json
	refused 1 'CYCLES (mode U), from 2000 to 2021, is beyond the limit cycles=+1' \
		--limit cycles=+1 old.json new.json
	refused 125 '--limit 5: new.json has no GONE' \
		--limit 5 old.json new.json
	refused 125 '--limit OTHER=5: the old report has no such figure' \
		--limit OTHER=5 old.json new.json
}

@test "limits are decimal: 0.3 % of 1000 is 3" {
	report "$(count U CYCLES 1000)" >a.json
	report "$(count U CYCLES 1003)" >b.json
	run -0 pmcsim compare --limit 0.3 a.json b.json
	run -1 pmcsim compare --limit 0.299999 a.json b.json
	run -1 pmcsim compare --limit -0.299 b.json a.json
	run -0 pmcsim compare --limit -0.3 b.json a.json
}

@test "any rise from zero is beyond a limit" {
	report "$(count U CYCLES 0)" >a.json
	report "$(count U CYCLES 1)" >b.json
	run -1 pmcsim compare --limit 1000 a.json b.json
	run -0 pmcsim compare --limit 1000 a.json a.json
}

@test "a part is compared, but not held to a limit" {
	partial=true report "$(count U CYCLES 1)" >part.json
	refused 0 'note: part.json is of a part: the run was stopped' \
		old.json part.json
	run -125 --separate-stderr pmcsim compare --limit 1 old.json part.json
	[[ $stderr == *$'\n''pmcsim compare: what is of a part is not held to a limit' ]]
}

@test "what is no report, or of another machine" {
	cpu=p6 report "$(count U CYCLES 1)" >p6.json
	schema=pmcsim-pctr/1 report "$(count U CYCLES 1)" >pctr.json
	report "$(count U CYCLES -1)" >minus.json
	report "$(count U CYCLES 9223372036854775808)" >much.json
	report 7 >seven.json
	report '' "$(metric ipc nan)" >nan.json
	report '' "$(metric ipc true)" >half.json
	echo '[]' >list.json
	printf '{"schema":\n[}' >bad.json
	: >empty
	refused 125 'the reports have not the same CPU: mips34k and p6' \
		old.json p6.json
	refused 125 'the reports have not the same schema: pmcsim-sweep/1 and pmcsim-pctr/1' \
		old.json pctr.json
	refused 125 'minus.json: counts[0] has no count from 0 to 2^63 - 1' \
		old.json minus.json
	refused 125 "much.json:2: no JSON: too big integer near '9223372036854775808'" \
		old.json much.json
	refused 125 'seven.json: counts[0] is no object' old.json seven.json
	refused 125 "nan.json:3: no JSON: invalid token near 'nan'" \
		old.json nan.json
	refused 125 'half.json: metrics[0] has no number' old.json half.json
	refused 125 "empty:1: no JSON: '[' or '{' expected near end of file" \
		old.json empty
	refused 125 'list.json: no report of counts in JSON' old.json list.json
	refused 125 '.: Is a directory' old.json .
	refused 125 'none: No such file or directory' old.json none
	run -125 --separate-stderr pmcsim compare bad.json new.json
	[[ $stderr == 'pmcsim compare: bad.json:2: no JSON: '* ]]
}

@test "options that are wrong" {
	for limit in '' = x A= =1 A=1x 1e3 . 1. .5 --1 A=- 0.1234567 1234567890; do
		refused 64 "--limit $limit: not [[REGION/]NAME=]PERCENT" \
			--limit "$limit" old.json new.json
	done
	refused 64 'two reports are needed; see --help' old.json
	refused 64 'two reports are needed; see --help' a b c
}

@test "reports of each tool with itself" {
	pc_sweep -u -i --modes --json --output sweep.json true
	perfex -e 0 -e 26 --mp --json -o perfex.json true
	pctr --cpu p6 --json -s 0 -u 79 -s 1 -uk 43 -o pctr.json true
	pfmon --json --outfile pfmon.json -e CPU_CYCLES -e IA64_INST_RETIRED \
		true
	for tool in sweep perfex pctr pfmon; do
		pmcsim compare --limit 0 $tool.json $tool.json >$tool
	done
	run -0 grep -c 'CYCLES (mode [USKE], list even)$' sweep
	[ "$output" -ge 4 ]
	grep -q ' SCACHE_DMISS$' perfex
	grep -q ' CPU_CLK_UNHALTED$' pctr
	grep -q ' IA64_INST_RETIRED$' pfmon
}

@test "JSON as its standard has it: what YAML takes besides is refused" {
	(cat old.json; echo '}') >behind.json
	refused 125 "behind.json:4: no JSON: end of file expected near '}'" \
		behind.json new.json
	sed 's/"value":2000/"value":1,"value":2000/' old.json >twice.json
	refused 125 'twice.json:2: no JSON: duplicate object key near '\''"value"'\' \
		twice.json new.json
	sed 's/"cpu":/cpu:/' old.json >bare.json
	refused 125 "bare.json:1: no JSON: string or '}' expected near 'cpu'" \
		bare.json new.json
}

@test "an argument with an emoji, as Python writes it" {
	command -v python3 >/dev/null || skip "no python3"
	python3 - old.json emoji.json <<-'END'
		import json, sys
		report = json.load(open(sys.argv[1]))
		report["command"] = ["echo", "\U0001f600", "\u00e4"]
		json.dump(report, open(sys.argv[2], "w"))
	END
	grep -q 'ud83d.ude00' emoji.json
	run -0 --separate-stderr pmcsim compare --limit 0 old.json emoji.json
	[ -z "$stderr" ]
}

# of COMMAND ENVIRONMENT <report: the same with these.
of() {
	sed 's/,"partial"/,"command":["'"$1"'"],"environment":"'"$2"'"&/'
}

@test "two reports that differ by environment alone are said to" {
	of true 0001 <old.json >a.json
	of true 0002 <new.json >b.json
	of false 0002 <new.json >c.json
	refused 0 'note: the command is the same, its environment is not, which alone may make the difference; --env clean gives it one that is always the same' \
		a.json b.json
	for other in a.json c.json new.json; do
		run -0 --separate-stderr pmcsim compare a.json $other
		[ -z "$stderr" ]
	done
}

@test "a table of Markdown" {
	pmcsim compare --changed --markdown old.json new.json >out
	diff -u - out <<-'END'
	| | old | new | difference | percent |
	|---|--:|--:|--:|--:|
	| CYCLES (mode U) | 2000 | 2021 | +21 | +1.05% |
	| NEW | - | 0 |  |  |
	| ipc | 0.500 | 0.480 | -0.020 | -4.00% |
	| GONE | 5 | - |  |  |
	END
}

# On a terminal of script(1).
on_terminal() {
	script -qec "$*" /dev/null </dev/null | tr -d '\r'
}

@test "colours for what is far off, on a terminal that may have them" {
	command -v script >/dev/null || skip "no script"
	report "$(count U FAR 100),$(count U NEAR 100),$(count U LESS 100)" >a.json
	report "$(count U FAR 105),$(count U NEAR 104),$(count U LESS 95)" >b.json
	export TERM=xterm
	unset NO_COLOR
	on_terminal pmcsim compare a.json b.json >out
	[ "$(grep -c $'\033' out)" = 2 ]
	grep -q $'105\033\\[31m .* +5.00%\033\\[0m  FAR$' out
	grep -q $'95\033\\[32m .* -5.00%\033\\[0m  LESS$' out
	for plain in TERM=dumb NO_COLOR=1; do
		on_terminal env $plain pmcsim compare a.json b.json >out
		[ "$(grep -c $'\033' out)" = 0 ]
		[ "$(grep -c % out)" = 3 ]
	done
	run -0 pmcsim compare a.json b.json
	[ "$(grep -c $'\033' <<<"$output")" = 0 ]
}

@test "figures of regions, and limits for them" {
	need_engine
	for n in 1000 1010; do
		cat >regions.c <<-END
		#include <pmcsim/region.h>
		int main(void)
		{
			volatile int x = 0;

			PMCSIM_REGION_BEGIN("hot");
			for (int i = 0; i < $n; i++)
				x++;
			PMCSIM_REGION_END("hot");
			return x != $n;
		}
		END
		cc -O1 -static -I"$PMCSIM_SRCDIR/simulator/guest" -o regions \
			regions.c || skip "no compiler"
		pc_sweep -ui --once --json --output $n.json ./regions
	done
	run -0 pmcsim compare 1000.json 1010.json
	[[ $output =~ \ 5[0-9]{3}\ .*\ \+50\ .*INSTRUCTIONS\ \(region\ hot,\ mode\ U,\ list\ odd\) ]]
	run -0 pmcsim compare --limit INSTRUCTIONS=0.2 \
		--limit hot/INSTRUCTIONS=1.1 1000.json 1010.json
	run -1 --separate-stderr pmcsim compare --limit hot/instructions=0.5 \
		1000.json 1010.json
	[[ $stderr == "pmcsim compare: INSTRUCTIONS (region hot, mode U, list odd), from 5"*", is beyond the limit hot/instructions=0.5" ]]
	run -125 --separate-stderr pmcsim compare --limit cold/INSTRUCTIONS=1 \
		1000.json 1010.json
	[ "$stderr" = "pmcsim compare: --limit cold/INSTRUCTIONS=1: the old report has no such figure" ]
}
