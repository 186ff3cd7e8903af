#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pmcsim study: cells, their results, and what is made of them.

load helper

setup() {
	export HOME=$BATS_TEST_TMPDIR XDG_STATE_HOME=$BATS_TEST_TMPDIR/state
	cd "$BATS_TEST_TMPDIR"
	need_engine
}

# Instructions: 4 + 2 n, of them n branches, where n is its first argument.
make_study() {
	cat >loop.S <<-'END'
		.globl _start
	_start:	mov 16(%rsp), %rsi
		xor %ecx, %ecx
	1:	movzbl (%rsi), %eax
		sub $'0', %eax
		js 2f
		imul $10, %ecx
		add %eax, %ecx
		inc %rsi
		jmp 1b
	2:	dec %ecx
		jnz 2b
		mov $60, %eax
		xor %edi, %edi
		syscall
	END
	cc -nostdlib -static -o loop loop.S || skip "no compiler"
	cat >loops.yaml <<-'END'
	command: [./loop, "{n}"]
	parameters:
	  - name: n
	    from: 100
	    to: 800
	    times: 2
	cpus: [p6, mips34k]
	events: [instructions:u, branches:u]
	metrics: [ipc]
	END
}

# For n of three digits: 2 to begin, 7 for each digit, 3 to see the end, 2 n,
# and 3 to exit.
expected() {
	for n in 100 200 400 800; do
		for cpu in p6 mips34k; do
			echo "$n,$cpu,$((2 + 21 + 3 + 2 * n + 3)),$((3 + 1 + 3 + n))"
		done
	done
}

@test "cells are planned, run once, and put into a table" {
	make_study
	run -0 pmcsim study plan loops.yaml
	[ "${#lines[@]}" = 9 ]
	[[ ${lines[0]} =~ ^[0-9a-f]{32}\ to\ do\ n\ 100,\ cpu\ p6$ ]]
	[ "${lines[8]}" = "8 of 8 cells, 0 of them there" ]
	run -0 pmcsim study run --jobs 2 loops.yaml
	[ "$output" = "8 cells: 8 executed, 0 were there, 0 failed" ]
	run -0 pmcsim study run loops.yaml
	[ "$output" = "8 cells: 0 executed, 8 were there, 0 failed" ]
	pmcsim study table --csv loops.yaml | tr -d '\r' >table
	[ "$(head -n 1 table)" = "n,cpu,instructions:u,ipc,branches:u,cycles" ]
	diff -u <(expected) <(tail -n +2 table | cut -d, -f1-3,5)
	[ "$(sqlite3 loops.results/study.sqlite 'SELECT sum(value) FROM figure
		WHERE name = "branches:u"')" = 3056.0 ] ||
		! command -v sqlite3
}

@test "a table as text, JSON and Markdown; what is missing is said" {
	make_study
	pmcsim study run --shard 1/8 loops.yaml >/dev/null
	run -0 --separate-stderr pmcsim study table --markdown loops.yaml
	[ "$stderr" = "pmcsim study: note: 7 of 8 cells are not there yet" ]
	[[ ${lines[0]} == "| n | cpu | instructions:u | ipc | branches:u | cycles |" ]]
	[[ ${lines[1]} == "|---|---|--:|--:|--:|--:|" ]]
	[[ ${lines[2]} == "| 100 | p6 | 229 | 0.56 | 107 | 410 |" ]]
	[ "${#lines[@]}" = 3 ]
	pmcsim study table --json -o table loops.yaml
	python3 - <<-'END'
		import json
		t = json.load(open("table"))
		assert t["schema"] == "pmcsim-study/1" and t["missing"] == 7
		[cell] = t["cells"]
		assert cell["parameters"] == {"n": "100", "cpu": "p6"}
		assert cell["figures"]["instructions:u"] == 229
	END
	run -0 --separate-stderr pmcsim study table loops.yaml
	[ "${lines[0]}" = "  n  cpu  instructions:u   ipc  branches:u  cycles" ]
	[ "${lines[1]}" = "100   p6             229  0.56         107     410" ]
}

@test "what changes is run again, and nothing else" {
	make_study
	pmcsim study run loops.yaml
	sed -i 's/metrics: .*/repeat: 2/' loops.yaml
	run -0 pmcsim study run loops.yaml
	[ "$output" = "8 cells: 8 executed, 0 were there, 0 failed" ]
	sed -i 's/repeat: 2/metrics: [ipc]/' loops.yaml
	run -0 pmcsim study run loops.yaml
	[ "$output" = "8 cells: 0 executed, 8 were there, 0 failed" ]
	# One more value: its cells alone.
	sed -i 's/to: 800/to: 1600/' loops.yaml
	run -0 pmcsim study run loops.yaml
	[ "$output" = "10 cells: 2 executed, 8 were there, 0 failed" ]
	# The program.
	sed -i 's/mov \$60/nop; mov $60/' loop.S
	cc -nostdlib -static -o loop loop.S
	run -0 pmcsim study run loops.yaml
	[ "$output" = "10 cells: 10 executed, 0 were there, 0 failed" ]
	# A variable, the caller's of which is none.
	run -0 env SOME=1 pmcsim study run loops.yaml
	[ "$output" = "10 cells: 0 executed, 10 were there, 0 failed" ]
	echo 'environment: [SOME=1]' >>loops.yaml
	run -0 pmcsim study run loops.yaml
	[ "$output" = "10 cells: 10 executed, 0 were there, 0 failed" ]
	# A table, of one CPU.
	cp -R "$PMCSIM_EVENTS" tables
	echo '# changed' >>tables/p6.yaml
	export PMCSIM_EVENTS=$PWD/tables
	run -0 pmcsim study run loops.yaml
	[ "$output" = "10 cells: 5 executed, 5 were there, 0 failed" ]
}

@test "an input that varies is part of a cell" {
	seq 10 >short
	seq 20 >long
	cat >words.yaml <<-'END'
	command: [cat]
	input: "{input}"
	parameters:
	  - {name: input, values: [short, long]}
	cpus: [mips34k]
	events: [instructions]
	END
	run -0 pmcsim study run words.yaml
	[ "$output" = "2 cells: 2 executed, 0 were there, 0 failed" ]
	seq 30 >long
	run -0 pmcsim study run words.yaml
	[ "$output" = "2 cells: 1 executed, 1 were there, 0 failed" ]
}

@test "shards, and lines for a shell, make the same table" {
	make_study
	pmcsim study run loops.yaml
	pmcsim study table --csv loops.yaml >one
	cp -R . ../copy
	rm -R loops.results
	for i in 1 2 3; do
		pmcsim study run --shard $i/3 loops.yaml
	done
	pmcsim study table --csv loops.yaml | cmp - one
	rm -R loops.results
	pmcsim study jobs --shard 1/2 loops.yaml >jobs
	[ "$(wc -l <jobs)" = 4 ]
	(cd / && sh "$OLDPWD/jobs")
	[ "$(pmcsim study jobs loops.yaml | wc -l)" = 4 ]
	command -v parallel >/dev/null || skip "no parallel"
	pmcsim study jobs loops.yaml | parallel --will-cite -j 2
	pmcsim study table --csv loops.yaml | cmp - one
	# Two computers that share the folder, by a login that says which it is, and
	# sets SHELL as any does: without it parallel's part there executes nothing.
	rm -R loops.results
	cat >login <<-'END'
		#!/bin/sh
		host=$1
		shift
		[ "$1" != -- ] || shift
		echo "$host" >>hosts
		SHELL=/bin/sh exec sh -c "$*"
	END
	chmod +x login
	pmcsim study jobs loops.yaml |
		parallel --will-cite --ssh ./login --sshlogin 1/one,1/two
	[ "$(sort -u hosts | xargs)" = "one two" ]
	pmcsim study table --csv loops.yaml | cmp - one
}

@test "one that is stopped leaves nothing running, and goes on where it was" {
	make_study
	sed -i 's,\./loop,./some,' loops.yaml
	cat >some <<-'END'
	#!/bin/sh
	[ "$1" != 400 ] || [ -e again ] || {
		echo $$ >cell
		kill "$(cat study)"
		sleep 60
	}
	END
	chmod +x some
	pmcsim study run --jobs 1 loops.yaml >said &
	echo $! >study
	status=0
	wait $! || status=$?
	[ "$status" = 143 ]
	[ "$(cat said)" = "8 cells: 4 executed, 0 were there, 1 failed" ]
	while kill -0 "$(cat cell)" 2>/dev/null; do :; done
	touch again
	# What a part of a result is left by is no result.
	echo "count,insn" >"$(pmcsim study plan loops.yaml |
		sed -n 's,\([^ ]*\) to do n 400.*,loops.results/\1.csv.part,p;T;q')"
	run -0 pmcsim study run loops.yaml
	[ "$output" = "8 cells: 4 executed, 4 were there, 0 failed" ]
}

@test "a cell that fails is named, and tried again" {
	make_study
	sed -i 's,\./loop,./some,' loops.yaml
	printf '#!/bin/sh\n[ "$1" != 400 ]\n' >some
	chmod +x some
	run -125 --separate-stderr pmcsim study run --jobs 1 loops.yaml
	[ "$output" = "8 cells: 6 executed, 0 were there, 2 failed" ]
	[ "$stderr" = "pmcsim study: n 400, cpu p6: ended with status 1
pmcsim study: n 400, cpu mips34k: ended with status 1" ]
	run -125 --separate-stderr pmcsim study run --jobs 1 loops.yaml
	[ "$output" = "8 cells: 0 executed, 6 were there, 2 failed" ]
}

@test "a job array of Slurm" {
	make_study
	pmcsim study sbatch --jobs 4 loops.yaml >script
	grep -qx '#SBATCH --array=1-4' script
	for task in 1 2 3 4; do
		SLURM_ARRAY_TASK_ID=$task SLURM_CPUS_ON_NODE=1 sh script
	done >said
	[ "$(sort -u said)" = "2 cells: 2 executed, 0 were there, 0 failed" ]
	run -0 pmcsim study run loops.yaml
	[ "$output" = "8 cells: 0 executed, 8 were there, 0 failed" ]
}

@test "two states of a program, with limits" {
	make_study
	pmcsim study run --results old loops.yaml
	pmcsim study table --results old loops.yaml >/dev/null
	sed -i 's/mov \$60/nop; mov $60/' loop.S
	cc -nostdlib -static -o loop loop.S
	pmcsim study run --results new loops.yaml
	pmcsim study table --results new loops.yaml >/dev/null
	run -0 pmcsim study compare --changed --limit branches:u=0 \
		--limit instructions:u=0.5 old new
	grep -q '^ *229 *230 *+1 *+0.44%  instructions:u (n 100, cpu p6)$' <<<"$output"
	run -1 --separate-stderr pmcsim study compare --limit instructions:u=0.2 old new
	[ "${#stderr_lines[@]}" = 4 ]
	[ "${stderr_lines[0]}" = "pmcsim study: instructions:u (n 100, cpu p6), from 229 to 230, is beyond the limit instructions:u=0.2" ]
	run -0 pmcsim study compare --changed --markdown old new
	[ "${lines[0]}" = "| | old | new | difference | percent |" ]
	run -125 pmcsim study compare old .
	[[ $output == "pmcsim study: ./study.sqlite: "* ]]
}

# marks FILE N...: those of the x axis, whose labels are centred.
marks() {
	[ "$(grep -A1 'text-anchor="middle"' "$1" | grep -oE '> ?[0-9]+<' |
		tr -d '<> ' | xargs)" = "${*:2}" ]
}

@test "estimates have their error beside them" {
	need_native
	cat >long.yaml <<-'END'
	command: [sh, -c, "i=0; while [ $i -lt 3000 ]; do i=$((i + 1)); done"]
	cpus: [p6]
	events: [instructions, cycles]
	engine: native
	options: [--sampled, "3,2000,1000"]
	END
	pmcsim study run long.yaml
	pmcsim study table --csv -o table long.yaml
	tr -d '\r' <table | awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) place[$i] = i }
		NR == 2 { error = $place["cycles +-"] }
		END { exit !(place["cycles +-"] && error > 0 && error < 20) }'
	! head -1 table | grep -qF 'instructions +-'
}

@test "plots: lines, bars, a heat map; a page" {
	command -v gnuplot >/dev/null || skip "no gnuplot"
	make_study
	pmcsim study run loops.yaml
	pmcsim study plot --value branches:u -o lines.svg loops.yaml
	# A line and a key for each processor.
	[ "$(grep -o 'cpu p6\|cpu mips34k' lines.svg | sort | xargs)" = "cpu mips34k cpu p6" ]
	# n doubles: its axis goes by factors, with a mark for each value.
	marks lines.svg 100 200 400 800
	sed 's/times: 2/values: [100, 120, 160]/; /from:\|to:/d' loops.yaml >near.yaml
	pmcsim study run near.yaml
	pmcsim study plot --value branches:u -o near.svg near.yaml
	marks near.svg 100 110 120 130 140 150 160
	pmcsim study plot --x cpu --value branches:u -o bars.svg loops.yaml
	[ "$(grep -o 'n [0-9]*00\b' bars.svg | xargs)" = "n 100 n 200 n 400 n 800" ]
	pmcsim study plot --x n --y cpu --value branches:u -o map.svg loops.yaml
	grep -q '<image' map.svg
	pmcsim study html --value branches:u -o page.html loops.yaml
	[ "$(grep -c '<svg' page.html)" = 1 ]
	[ "$(grep -c '<tr>' page.html)" = 9 ]
	[ "$(grep -cE '(src|href)="?http' page.html)" = 0 ]
	run -64 pmcsim study plot --value some -o x.svg loops.yaml
	[ "$output" = "pmcsim study: some: there is no such figure" ]
	run -64 pmcsim study plot --x m --value branches:u -o x.svg loops.yaml
	[ "$output" = "pmcsim study: m: there is no such parameter" ]
	[ ! -e x.svg ]
}

# Two states, v1 and v2, whose programs execute n instructions more in v2.
make_states() {
	make_study
	pmcsim study run --results states/v1 loops.yaml
	pmcsim study table --results states/v1 loops.yaml >/dev/null
	mv states/v1 .
	sed -i 's/2:	dec/2:	nop; dec/' loop.S
	cc -nostdlib -static -o loop loop.S
	pmcsim study run --results v2 loops.yaml
	pmcsim study table --results v2 loops.yaml >/dev/null
}

@test "a history: a figure over the states of a program" {
	make_states
	run -0 pmcsim study history --csv --value instructions:u v1 ./v2/
	[ "${lines[0]}" = $'state,cell,instructions:u\r' ]
	[ "${lines[1]}" = $'v1,"n 100, cpu p6",229\r' ]
	[ "${lines[16]}" = $'v2,"n 800, cpu mips34k",2429\r' ]
	[ "${#lines[@]}" = 17 ]
	refused 125 "v2: there is no cats in it" history --value cats v2
	refused 64 "history: --value says of what" history v1 v2
	refused 64 "history: folders of results are needed; see --help" \
		history --value cycles
	command -v gnuplot >/dev/null || skip "no gnuplot"
	pmcsim study history --value branches:u -o history.svg v1 v2
	[ "$(grep -oE '>(v1|v2|cell n [0-9]*, cpu [a-z0-9]*)' history.svg | wc -l)" = 10 ]
}

@test "exports: what other programs read" {
	make_study
	pmcsim study run loops.yaml
	for format in github bencher hyperfine; do
		pmcsim study export --format $format --value instructions:u \
			-o $format.json loops.yaml
	done
	pmcsim study export --format github -o all.json loops.yaml
	python3 - <<-'END'
	import json
	github, bencher, hyperfine, all = (
	    json.load(open(name + ".json"))
	    for name in ("github", "bencher", "hyperfine", "all"))
	assert github[0] == {"name": "n 100, cpu p6: instructions:u",
	                     "unit": "events", "value": 229}
	assert len(github) == 8 and len(all) == 8 * 4
	assert bencher == {g["name"][:-16]: {"instructions:u":
	                   {"value": g["value"]}} for g in github}
	for g, h in zip(github, hyperfine["results"]):
	    assert set(h) == {"command", "mean", "stddev", "median", "user",
	                      "system", "min", "max", "times", "exit_codes",
	                      "parameters"}
	    assert h["mean"] == h["min"] == h["max"] == g["value"]
	    assert h["times"] == [g["value"]] and h["stddev"] is None
	    assert g["name"].startswith("n " + h["parameters"]["n"])
	END
	if command -v hyperfine >/dev/null; then
		hyperfine -r 2 -P n 1 1 --export-json own.json 'true {n}' \
			>/dev/null 2>&1
		python3 - <<-'END'
		import json
		ours, own = (json.load(open(name)) for name in
		             ("hyperfine.json", "own.json"))
		assert set(own) == set(ours) == {"results"}
		assert set(own["results"][0]) - {"memory_usage_byte"} == \
		    set(ours["results"][0])
		END
	fi
	refused 64 "export: --format says for what" export loops.yaml
	refused 64 "--format xml: there are github, bencher and hyperfine" \
		export --format xml loops.yaml
	refused 64 "export: hyperfine has one figure of a command; --value says which" \
		export --format hyperfine loops.yaml
}

refused() {
	run "-$1" pmcsim study "${@:3}"
	[ "$output" = "pmcsim study: $2" ]
}

@test "files and options that are wrong" {
	make_study
	refused 64 "no command; see --help"
	refused 64 'there is no "study walk"; see --help' walk loops.yaml
	refused 64 "plan: one study file is needed; see --help" plan
	refused 64 "compare: two folders of results are needed; see --help" compare a
	refused 64 "run: it takes no --csv" run --csv loops.yaml
	refused 64 "compare: it takes no --results" compare --results r a b
	for shard in 0/1 2/1 1 / x/2 1/0; do
		refused 64 "--shard $shard: not I/N, I from 1 to N" plan --shard $shard loops.yaml
	done
	refused 64 "--json, --csv and --markdown exclude each other" table --csv --json loops.yaml
	refused 125 "none.yaml: No such file or directory" plan none.yaml
	refused 125 "loop/some: Not a directory" plan --results loop/some loops.yaml
	sed 's/{n}/{m}/' loops.yaml >unknown.yaml
	refused 125 'unknown: "{m}" names no parameter' plan unknown.yaml
	sed 's/times: 2/step: 0/' loops.yaml >step.yaml
	refused 125 "step.yaml: parameter n: its range does not go from 100 up to 800" plan step.yaml
	sed 's/times: 2/values: [1]/' loops.yaml >both.yaml
	refused 125 "both.yaml: parameter n: it has values, or from, to and a step or times" plan both.yaml
	sed 's/p6/p7/' loops.yaml >cpu.yaml
	refused 125 "no CPU table is called 'p7'; \"pmcsim list\" shows those that there are" plan cpu.yaml
	sed 's/name: n/name: cpu/' loops.yaml >twice.yaml
	refused 125 "twice.yaml: two parameters are called cpu" plan twice.yaml
	echo 'colour: red' >>loops.yaml
	run -125 pmcsim study plan loops.yaml
	[[ $output == "pmcsim study: loops.yaml: Unexpected key: colour"* ]]
}

@test "ten thousand cells are planned in no time that matters" {
	make_study
	sed -i 's/to: 800/to: 5099/; s/times: 2/step: 1/' loops.yaml
	run -0 pmcsim study plan loops.yaml
	[ "${lines[-1]}" = "10000 of 10000 cells, 0 of them there" ]
	[ "$(printf '%s\n' "${lines[@]}" | cut -c1-32 | sort -u | wc -l)" = 10001 ]
}

# same_as_sweep EVENT...: what a study's second row has of them, in "table", is
# what pc_sweep counts, in "sweep".
same_as_sweep() {
	local event one other

	for event; do
		one=$(awk -F, -v e="$event" '$7 == e { print $9 }' sweep)
		other=$(awk -F, -v e="$event:u" 'NR == 1 {
			for (i = 1; i <= NF; i++) if ($i == e) c = i }
			NR == 2 { print $c }' table)
		[ -n "$one" ]
		[ "$one" = "$other" ]
	done
}

@test "the mergesort study as a file counts what pc_sweep counts" {
	command -v mipsel-linux-gnu-gcc >/dev/null || skip "no compiler for MIPS"
	examples=$PMCSIM_SRCDIR/examples
	mipsel-linux-gnu-gcc -std=c17 -D_GNU_SOURCE -O2 -static -pthread \
		-o mergesort.mipsel "$examples/mergesort/mergesort.c"
	cc -O2 -o random-ints "$examples/mergesort/random-ints.c"
	./random-ints 4096 >random
	sed 's/"1048576"/"4096"/; s/to: 2048/to: 128/' \
		"$examples/mergesort.yaml" >mergesort.yaml
	run -0 pmcsim study run mergesort.yaml
	[ "$output" = "2 cells: 2 executed, 0 were there, 0 failed" ]
	pmcsim study table --csv mergesort.yaml | tr -d '\r' >table
	pc_sweep -u --once --csv --env clean --evens "0 18 10 39" \
		--odds "1 25 10 11 37" ./mergesort.mipsel -v -s 3 random 4096 \
		64 4 | tr -d '\r' >sweep
	same_as_sweep CYCLES INSTRUCTIONS ALL_STALLS ALU_STALLS \
		DCACHE_ACCESSES DCACHE_WRITEBACKS DCACHE_MISSES \
		DCACHE_MISS_STALLS DCACHE_MISS_CYCLES
}

# The decoder of the thread study by that name, and what it decodes.
make_decoder() {
	local vdec=$PMCSIM_SRCDIR/examples/vdec

	mipsel-linux-gnu-gcc -std=c17 -D_GNU_SOURCE -O2 -static -pthread \
		-o "$1" "$vdec"/{vdec,codec,tables}.c
	cc -std=c17 -D_GNU_SOURCE -O2 -o vdec-make \
		"$vdec"/{vdec-make,codec,tables}.c
	./vdec-make >stream
}

@test "the thread study as a file counts what pc_sweep counts" {
	command -v mipsel-linux-gnu-gcc >/dev/null || skip "no compiler for MIPS"
	make_decoder vdec.mipsel
	sed 's/from: 1/from: 3/; s/to: 5/to: 3/' \
		"$PMCSIM_SRCDIR/examples/threads.yaml" >threads.yaml
	run -0 pmcsim study run threads.yaml
	[ "$output" = "1 cells: 1 executed, 0 were there, 0 failed" ]
	pmcsim study table --csv threads.yaml | tr -d '\r' >table
	pc_sweep -u --once --csv --env clean --evens "0 18 24 25 37" \
		--odds "1 18 25 37" --output sweep.csv \
		./vdec.mipsel -b stream -n 3 >/dev/null
	tr -d '\r' <sweep.csv >sweep
	same_as_sweep CYCLES INSTRUCTIONS ALL_STALLS CACHE_FIXUPS IFU_STALLS \
		REPLAY_TRAPS ALU_STALLS ICACHE_MISS_STALLS DCACHE_MISS_STALLS
}

# Squares that fit into a cache miss less than rows and columns that do not.
@test "the study of blocks" {
	mkdir blocking
	cc -O2 -static -o blocking/blocking \
		"$PMCSIM_SRCDIR/examples/blocking/blocking.c" ||
		skip "no compiler"
	run -0 blocking/blocking 40 7
	sum=$output
	run -0 blocking/blocking 40 40
	[ "$output" = "$sum" ]
	sed 's/\[128\]/[96]/; s/from: 4/from: 12/; s/to: 128/to: 96/
		s/times: 2/times: 8/' \
		"$PMCSIM_SRCDIR/examples/blocking.yaml" >blocking.yaml
	pmcsim study run blocking.yaml
	pmcsim study table --csv blocking.yaml | tr -d '\r' >table
	[ "$(wc -l <table)" = 9 ]
	for cpu in p5 cortex-a53 skylake; do
		awk -F, -v cpu=$cpu 'NR == 1 {
			for (i = 1; i <= NF; i++)
				if ($i == "L1-dcache-load-misses") c = i }
			$3 == cpu { n[$2] = $c }
			END { exit !(n[12] > 0 && n[12] * 2 < n[96]) }' table
	done
	# What does not vary is no axis, and tells no lines apart.
	command -v gnuplot >/dev/null || skip "no gnuplot"
	pmcsim study plot --value cycles -o cycles.svg blocking.yaml
	[ "$(grep -oE '>(block|n|cpu [a-z0-9-]*)<' cycles.svg | sort | xargs)" = \
		">block< >cpu cortex-a53< >cpu p5< >cpu r10000< >cpu skylake<" ]
}

# The same decoder under another name counts the same; what is wrong is told.
@test "the thread study takes another decoder" {
	command -v mipsel-linux-gnu-gcc >/dev/null || skip "no compiler for MIPS"
	study=$PMCSIM_SRCDIR/examples/study-threads
	run -2 "$study" --decoder ./none
	[[ $output = *"--decoder and --stream need each other" ]]
	run -2 "$study" --decoder ./none --stream ./none
	[[ $output = *"none is no file" ]]
	make_decoder other
	"$study" --quick --decoder ./other --stream stream >table
	[ "$(grep -c '^| ours |' table)" -ge 10 ]
	grep -A1 '^| All instructions, manual' table | tail -n 1 |
		grep -qE '^\| ours \| 151,[0-9]{3},[0-9]{3} \| 151,'
}
