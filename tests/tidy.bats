#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# CSV with a record for each count and what it is of; tables of Markdown.

load helper

# What the records name; engines.bats has the other one.
export PMCSIM_ENGINE=qemu

setup() {
	export HOME=$BATS_TEST_TMPDIR XDG_STATE_HOME=$BATS_TEST_TMPDIR/state
	cd "$BATS_TEST_TMPDIR"
	need_engine
	make_loop
}

# As tools write it, with the option for a file in the end.
tools=(
	"pc_sweep -u --odds 1 --csv --append"
	"perfex -e 17 --csv --append -o"
	"pctr -s 0 -u c0 --csv --append -o"
	"pfmon -e ia64_inst_retired --csv --append --outfile"
	"pmcsim stat -e instructions:u --csv --append -o"
)

@test "each record says of what it is, and files are appended to" {
	command -v python3 >/dev/null || skip "no python3"
	for tool in "${tools[@]}"; do
		rm -f all.csv
		$tool all.csv ./loop
		$tool all.csv --engine qemu -- ./loop "a b" '"c",d'
		python3 - all.csv <<-'END'
			import csv, sys
			rows = list(csv.DictReader(open(sys.argv[1], newline="")))
			value = "value" if "value" in rows[0] else "count"
			counts = [r for r in rows if r[value] in ("2004", "3006")]
			assert [r["run"] for r in counts] == ["1", "2"], rows
			assert [r["command"] for r in counts] == [
			    "./loop", "./loop 'a b' '\"c\",d'"], rows
			assert all(r["engine"] == "qemu" and None not in r
			           and None not in r.values() for r in rows)
			assert len({r["cpu"] for r in rows}) == 1
			assert {r["run"] for r in rows} == {"1", "2"}
		END
	done
}

@test "a file of other columns is not appended to, and nothing runs" {
	for tool in "${tools[@]}"; do
		read -ra name <<<"${tool%% -*}"
		printf 'a,b\r\n1,2\r\n' >other.csv
		run -125 $tool other.csv -- touch ran
		[ "$output" = "${name[*]}: other.csv: its columns are not those that would be appended" ]
		printf 'a,b\r\n1,2,3\r\n' >other.csv
		run -125 $tool other.csv -- touch ran
		[ "$output" = "${name[*]}: other.csv:2: a record that is not of as many fields as the first line" ]
		[ "$(wc -c <other.csv)" = 12 ]
		[ ! -e ran ]
	done
	run -64 perfex --append true
	[ "$output" = "perfex: --append is for -o FILE" ]
	run -64 pctr --append -- true
	[ "$output" = "pctr: --append is for -o FILE" ]
}

@test "several processors, and several dumps, in one table" {
	pmcsim stat --cpu skylake,p6 -e instructions:u --csv -o all.csv ./loop
	diff -u - <(tr -d '\r' <all.csv) <<-'END'
	kind,region,name,value,unit,deviation_percent,reason,command,cpu,engine,run
	count,,instructions:u,2004,events,0.00,,./loop,skylake,qemu,1
	count,,instructions:u,2004,events,0.00,,./loop,p6,qemu,1
	END
	pc_sweep -u --odds 1 ./loop >dump
	pc_parse --csv dump dump | tr -d '\r' | cut -d, -f7,9,18- >out
	diff -u - out <<-'END'
	name,value,region,command,cpu,engine,run
	INSTRUCTIONS,2004,,./loop,mips34k,,1
	INSTRUCTIONS,2004,,./loop,mips34k,,2
	END
}

@test "regions of a command have records and tables of their own" {
	cat >parts.c <<-'END'
		#include <pmcsim/region.h>
		int main(void)
		{
			PMCSIM_REGION_BEGIN("one");
			__asm__ volatile("mov $100, %%ecx\n1: dec %%ecx\n"
					 "jnz 1b" ::: "ecx", "cc");
			PMCSIM_REGION_END("one");
			return 0;
		}
	END
	cc -O1 -static -I"$PMCSIM_SRCDIR/simulator/guest" -o parts parts.c ||
		skip "no compiler"
	pmcsim stat --cpu p6 -e branches:u --csv -o counts ./parts
	[ "$(grep -c '^kind,' counts)" = 1 ]
	tr -d '\r' <counts | grep -qx 'count,one,branches:u,100,events,0.00,,./parts,p6,qemu,1'
	[ "$(grep -c '^count,,branches:u,' counts)" = 1 ]
	pmcsim stat --cpu p6 -e branches:u --markdown -o counts ./parts
	grep -qx './parts, region one (qemu)' counts
	grep -qx '| branches:u | 100 |' counts
}

@test "tables of Markdown: columns that have something" {
	pc_sweep -i --markdown ./loop 'a|b' >out
	diff -u - out <<-'END'
	./loop 'a\|b' on mips34k (qemu)

	| mode | list | event | name | value | unit | precision |
	|---|---|--:|---|--:|---|---|
	| U | even | 0 | CYCLES | 3062 | events | timing |
	| U | odd | 1 | INSTRUCTIONS | 2004 | events | exact |
	| U |  |  | ipc | 0.654474 | ratio |  |
	END
	pmcsim stat --cpu p5,p6 -e branches:u,branch-misses:u,bus-cycles \
		--markdown -o out ./loop
	diff -u - out <<-'END'
	./loop (qemu)

	| | p5 | p6 |
	|---|--:|--:|
	| branches:u | 1000 | 1000 |
	| branch-misses:u | 2 | 1 |
	| of all branches | 0.20% | 0.10% |
	| bus-cycles | not supported | not supported |
	END
	pfmon -e ia64_inst_retired --markdown ./loop >out
	grep -qx '| set | name | code | plm | threshold | value | precision |' out
	pctr --cpu p6 -s 0 -u c0 --markdown -o out -- ./loop
	grep -q '^| ctr0 | .* | 2004 | ' out
	perfex -e 17 --markdown -o out ./loop
	grep -q '^| 17 | .* | 2004 | ' out
	pc_sweep -u --odds 1 ./loop >dump
	pc_parse --markdown dump >out
	grep -qx '| U | odd | 1 | INSTRUCTIONS | 2004 | events | exact |' out
	for tool in pc_parse pc_sweep pctr perfex pfmon; do
		run -64 $tool --markdown --csv
		[ "$output" = "$tool: --json, --csv and --markdown exclude each other" ]
	done
}
