#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Regions: what is counted between two markers, or during a procedure's calls.

load helper

# The programs for each instruction set that there is a compiler for.  QEMU does
# not execute an Alpha's static C library.
setup_file() {
	local common="-O1 -static -I$BATS_TEST_DIRNAME/../simulator/guest"
	local alone="-nostdlib -nostartfiles -fno-pic -no-pie -Wl,-e,entry"
	for target in x86_64:cc i386:i686-linux-gnu-gcc \
		mipsel:mipsel-linux-gnu-gcc mips:mips-linux-gnu-gcc \
		alpha:alpha-linux-gnu-gcc; do
		isa=${target%%:*}
		case $isa in
		mips*) own=-mno-abicalls ;;
		*) own= ;;
		esac
		# shellcheck disable=SC2086 # several words each
		{
			"${target#*:}" $common $alone $own \
				-o "$BATS_FILE_TMPDIR/bare.$isa" \
				"$BATS_TEST_DIRNAME/regions/bare.c"
			[ "$isa" = alpha ] || "${target#*:}" $common -pthread \
				-o "$BATS_FILE_TMPDIR/marked.$isa" \
				"$BATS_TEST_DIRNAME/regions/marked.c"
			[ "$isa" = alpha ] || "${target#*:}" $common -pthread \
				-o "$BATS_FILE_TMPDIR/each.$isa" \
				"$BATS_TEST_DIRNAME/regions/each.c"
		} 2>/dev/null || rm -f "$BATS_FILE_TMPDIR"/*."$isa"
	done
}

# The instruction sets of what was built; rounds of a loop are of 2
# instructions, or 3.
built() {
	for file in "$BATS_FILE_TMPDIR/${program:-marked}".*; do
		echo "${file##*.}"
	done
}

# counts ISA CPU PART...: lines "region instructions branches" of the parts of
# $program.
counts() {
	need_engine
	local isa=$1 cpu=$2

	shift 2
	pmcsim stat -x, -o counts -e instructions:u,branches:u --cpu "$cpu" \
		"${options[@]}" -- "$BATS_FILE_TMPDIR/${program:-marked}.$isa" "$@"
	awk -F, '$NF != "" || NF > 7 { if ($4 ~ /^instructions/) n = $2
		if ($4 ~ /^branches/) print $1, n, $2 }' counts
}

options=()

# expect ISA: the lines on stdin, "name loops markers entries": instructions and
# branches of so many loops, and of so many markers that are inside.
expect() {
	case $1 in
	mips*) awk '{ print $1, $2 * 3001 + $3 * 2, $2 * 1000 + $3 }' ;;
	*) awk '{ print $1, $2 * 2001 + $3, $2 * 1000 + $3 }' ;;
	esac
}

@test "a loop of known length, on each instruction set and each pipeline" {
	for isa in $(built); do
		for cpu in skylake mips34k p5 ev6 r10000 u74; do
			counts "$isa" "$cpu" loops self overlapping >out
			same out < <(expect "$isa" <<-'END'
			empty 0 0
			first 2 1
			loop 3 0
			second 3 1
			self 2 2
			END
			)
		done
	done
	[ -n "$isa" ]
}

@test "the same of a program without a library, on Alpha, too" {
	program=bare
	for isa in $(built); do
		for cpu in skylake mips34k p5 ev4 ev6; do
			counts "$isa" "$cpu" >out
			same out < <(expect "$isa" <<-'END'
			empty 0 0
			inner 1 0
			outer 3 4
			END
			)
		done
	done
	[ "$isa" = x86_64 ]
	[ -x "$BATS_FILE_TMPDIR/bare.alpha" ] || skip "no compiler for Alpha"
}

@test "threads have regions of their own" {
	for isa in $(built); do
		for cpu in skylake mips34k; do
			counts "$isa" "$cpu" threads >out
			same out < <(expect "$isa" <<<"thread 321 0")
		done
	done
	options=(--cpus 4)
	for isa in $(built); do
		counts "$isa" r10000 threads >out
		same out < <(expect "$isa" <<<"thread 321 0")
	done
}

@test "a child of a fork is where its parent was" {
	need_engine
	for isa in $(built); do
		counts "$isa" skylake forks | grep -v before >out
		same out < <(expect "$isa" <<-'END'
		behind 2 0
		child 1 0
		END
		)
	done
}

@test "both engines count the same" {
	need_native
	for cpu in skylake p5 mips34k r10000; do
		counts x86_64 "$cpu" loops nested overlapping self forks >qemu
		grep -v '^[0-9]' counts >all
		options=(--engine native)
		counts x86_64 "$cpu" loops nested overlapping self forks >native
		options=()
		same native <qemu
		same <(grep -v '^[0-9]' counts) <all
	done
}

@test "many short entries are counted without a loss" {
	counts x86_64 skylake many >out
	same out <<<"many 100000 0"
}

@test "a name is anything that a string can be" {
	need_engine
	pmcsim stat -x, -o counts -e instructions:u -- \
		"$BATS_FILE_TMPDIR/marked.x86_64" nested
	same <(grep outer counts | cut -d, -f1-3) <<-'END'
	"an outer ""one"", 100 %",4004
	END
	pmcsim stat -j -o counts -e instructions:u -- \
		"$BATS_FILE_TMPDIR/marked.x86_64" nested
	grep -F '"region" : "an outer \"one\", 100 %", "entries" : 1, "never-ended" : 0, "never-begun" : 0, "counter-value" : "4004.000000"' counts
}

@test "what begins and never ends is said, and the other way round" {
	need_engine
	run -0 --separate-stderr pmcsim stat -j -o counts -e instructions:u -- \
		"$BATS_FILE_TMPDIR/marked.x86_64" wrong
	same <(echo "$stderr") <<-'END'
	pmcsim stat: note: region unbegun: 1 end without a beginning
	pmcsim stat: note: region unended: 1 entry never ended: it is counted to the end of its thread
	END
	grep -F '"region" : "unbegun", "entries" : 0, "never-ended" : 0, "never-begun" : 1, "counter-value" : "0.000000"' counts
	grep -F '"region" : "unended", "entries" : 1, "never-ended" : 1, "never-begun" : 0' counts
}

@test "one region alone" {
	need_engine
	program=$BATS_FILE_TMPDIR/marked.x86_64
	pmcsim stat -x, -o counts -e instructions:u,branches:u --region loop \
		-- "$program" loops self
	same <(cut -d, -f1-4 counts) <<-'END'
	loop,6003,,instructions:u
	loop,3000,,branches:u
	END
	pmcsim stat -e instructions:u --region loop -- "$program" loops \
		2>&1 | sed "s,'[^ ]*marked,'marked," | head -n 4 >out
	same out <<-'END'

	 Performance counter stats for 'marked.x86_64 loops', region 'loop', 3 entries:

	             6,003      instructions:u
	END
	run -0 --separate-stderr pmcsim stat -x, -o counts -e instructions:u \
		--region lop -- "$program" loops
	[ "$stderr" = "pmcsim stat: note: region lop: the command never began it" ]
	same <(cut -d, -f1-2 counts) <<<"lop,0"
}

@test "calls of a procedure" {
	need_engine
	for isa in $(built); do
		options=(--region-function recurse)
		counts "$isa" skylake procedures >out
		n=$(cut -d' ' -f2 out)
		# Four loops: a call that calls itself three times, and one
		# that longjmp() leaves; besides, a few instructions each.
		case $isa in
		mips*) [ "$n" -gt 15005 ] && [ "$n" -lt 15200 ] ;;
		*) [ "$n" -gt 10005 ] && [ "$n" -lt 10200 ] ;;
		esac
	done
	pmcsim stat -j -o counts -e instructions:u --region-function recurse \
		-- "$BATS_FILE_TMPDIR/marked.x86_64" procedures
	grep -F '"region" : "recurse", "entries" : 2, "never-ended" : 0' counts
	run -0 --separate-stderr pmcsim stat -x, -o counts -e instructions:u \
		--region-function none -- "$BATS_FILE_TMPDIR/marked.x86_64"
	[ "$stderr" = "pmcsim stat: note: no file that the command has executed has a procedure none" ]
}

@test "to count regions changes nothing of the whole" {
	need_engine
	for part in loops threads; do
		pmcsim new --cpu mips34k m
		pmcsim write m "0 0x28 0" "1 0x28 0"
		pmcsim run m -- "$BATS_FILE_TMPDIR/marked.x86_64" "$part"
		pmcsim cat m >without
		pmcsim rm m
		pmcsim stat -x, -o with -e instructions:u --cpu mips34k -- \
			"$BATS_FILE_TMPDIR/marked.x86_64" "$part"
		grep -w "$(head -n 1 with | cut -d, -f1)" without
	done
}

@test "pc_sweep and perfex count regions" {
	need_engine
	program=$BATS_FILE_TMPDIR/marked.x86_64
	pc_sweep -u -e instructions --output dump "$program" loops 2>notes
	grep -qFx "pc_sweep: note: the command's regions are in text, JSON and CSV; --region NAME counts one alone" notes
	# Records have the names of regions, and the counts that JSON has of them.
	pc_sweep -u -e instructions --csv --output sweep "$program" loops
	pc_sweep -u -e instructions --json --output sweep.json "$program" loops
	perfex -e 17 --csv -o perfex "$program" loops
	perfex -e 17 --json -o perfex.json "$program" loops
	python3 - <<-'END'
	import csv, json
	for tool, column in ("sweep", "value"), ("perfex", "count"):
	    report = json.load(open(tool + ".json"))
	    counts = {r["name"]: [c["value"] for c in r["counts"]]
	              for r in report["regions"]}
	    counts[""] = [c["value"] for c in report["counts"]]
	    found = {}
	    for r in csv.DictReader(open(tool, newline="")):
	        if r.get("kind") != "metric":
	            found.setdefault(r["region"], []).append(int(r[column]))
	    assert counts == found and len(found) > 1, (tool, counts, found)
	END
	for how in "" "--evens 0 --odds 11"; do
		# shellcheck disable=SC2086 # several words
		pc_sweep -u -e instructions $how --json "$program" loops >counts
		grep -A2 '"name":"loop","entries":3,"never_ended":0,"never_begun":0' counts |
			grep -q '"event":1,"name":"INSTRUCTIONS","label":"all instructions","value":6003,' ||
			grep -A3 '"name":"loop","entries":3,"never_ended":0,"never_begun":0' counts |
			grep -q '"value":6003,'
	done
	pc_sweep -u -e instructions --region loop --json "$program" loops >counts
	grep -qF '"region":{"name":"loop","entries":3,"never_ended":0,"never_begun":0},' counts
	grep -qF '"value":6003,' counts
	pc_sweep -up -e instructions "$program" nested >counts
	grep -A2 '^region inner, 1 entry:$' counts | grep -qE ' 2001 '
	perfex -e 17 --json -o counts "$program" loops
	grep -A1 '"name": "loop", "entries": 3' counts |
		grep -qF '"value": 6003, "count": 6003, "counted": 6003'
	perfex -a --region loop --json -o counts "$program" loops
	grep -qF '"event": 17, "name": "INSTR_GRAD1", "label": "Graduated instructions", "value": 6003,' counts
	perfex -e 17 --region-function loops -o counts "$program" loops
	grep -qE '^Region loops, 1 entry$' counts
	run -64 perfex -mp --region loop "$program"
	[ "$output" = "perfex: loop: a region excludes -mp, -s, -p and --exact" ]
}

@test "options of regions are refused where they mean nothing" {
	run -64 --separate-stderr pmcsim stat --region a --region b true
	[ "$stderr" = "pmcsim stat: --region b: --region a is asked for already, and one region is counted alone" ]
	run -64 --separate-stderr pmcsim stat --region '' true
	[ "$stderr" = "pmcsim stat: --region: the name is empty" ]
	run -64 --separate-stderr pmcsim stat -I 1 --region a true
	[ "$stderr" = "pmcsim stat: -I and --region exclude each other" ]
}

# threads CPU EVENTS OPTION... -- COMMAND...: lines "thread event count".
threads() {
	pmcsim stat -x, --per-thread -o threads --cpu "$1" -e "$2" "${@:3}"
	awk -F, '{ print $1, $4, $2 }' threads
}

@test "threads add up to the command, to the last cycle" {
	need_engine
	events=instructions:u,cycles:u,branches:u,page-faults,syscalls
	for cpu in skylake p5 mips34k ev6 r10000 itanium2; do
		for more in "" "--cpus 3"; do
			[ "$cpu$more" != "mips34k--cpus 3" ] || continue
			each=("$BATS_FILE_TMPDIR/each.x86_64" /bin/true)
			# shellcheck disable=SC2086 # two words
			threads "$cpu" $events $more -- "${each[@]}" |
				awk '{ n[$2] += $3 } END { for (e in n)
					print e, n[e] }' | sort >sums
			# shellcheck disable=SC2086
			pmcsim stat -x, -o whole --cpu "$cpu" -e $events $more \
				-- "${each[@]}"
			same sums < <(awk -F, '{ print $3, $1 }' whole | sort)
		done
	done
}

@test "each thread has what it executes, on each instruction set" {
	need_engine
	for isa in $(program=each built); do
		for cpu in skylake mips34k; do
			threads $cpu instructions:u -- \
				"$BATS_FILE_TMPDIR/each.$isa" >out
			[ "$(awk '{ print $1 }' out | tr '\n' ' ')" = \
				"each.$isa-1 each.$isa-1.2 each.$isa-1.3 each.$isa-1.4 each.$isa-1.5 " ]
			# A loop, and the three or four instructions around it.
			awk 'NR > 2 && NR < 5 { print $3 - last > "more" }
				{ last = $3 }' out
			[ "$(sort -u more | wc -l)" -eq 1 ]
			case $isa in
			mips*) [ "$(($(head -n 1 more) - 3001))" -le 4 ] ;;
			*) [ "$(($(head -n 1 more) - 2001))" -le 4 ] ;;
			esac
		done
	done
	[ -n "$isa" ]
}

@test "a forked child is a thread of its own, and so is what it executes" {
	need_engine
	threads p5 instructions:u -- "$BATS_FILE_TMPDIR/each.x86_64" \
		/bin/true >out
	[ "$(awk '{ print $1 }' out | head -n 4 | tr '\n' ' ')" = \
		"each.x86_64-1 each.x86_64-2 true-3 each.x86_64-1.2 " ]
}

@test "a program whose code is there from a process before is a thread, too" {
	need_native
	make_loop
	threads p5 instructions:u --engine native -- \
		sh -c './loop; ./loop; exec ./loop' | grep loop >out
	[ "$(grep -c '^loop-[0-9]* instructions:u 2004$' out)" -eq 3 ]
	[ "$(wc -l <out)" -eq 3 ]
}

@test "threads as text, most first; as JSON; and what excludes them" {
	need_engine
	each=$BATS_FILE_TMPDIR/each.x86_64
	pmcsim stat --per-thread -e instructions:u,branches:u -o out "$each"
	[ "$(grep -c ' each.x86_64-1' out)" -eq 10 ]
	same <(awk '/instructions/ { gsub(",", "", $2); print $2 }' out) < <(
		awk '/instructions/ { gsub(",", "", $2); print $2 }' out |
			sort -rn)
	pmcsim stat --per-thread -e instructions:u -j -o out "$each"
	grep -q '^{"thread" : "each.x86_64-1.5", "counter-value" : ' out
	[ "$(wc -l <out)" -eq 5 ]
	run -64 --separate-stderr pmcsim stat --per-thread --region x true
	[ "$stderr" = "pmcsim stat: --per-thread excludes -I and --region" ]
	run -64 --separate-stderr pmcsim stat --per-thread -I 1 true
	[ "$stderr" = "pmcsim stat: --per-thread excludes -I and --region" ]
}

@test "both engines have the same threads" {
	need_native
	for cpu in skylake ev5 mips34k; do
		for what in loops forward fence; do
			threads $cpu cycles,instructions:u,branch-misses -- \
				"$BATS_FILE_TMPDIR/each.x86_64" $what >qemu
			threads $cpu cycles,instructions:u,branch-misses \
				--engine native -- \
				"$BATS_FILE_TMPDIR/each.x86_64" $what >native
			same native <qemu
		done
	done
}

# Each load waits for the store before it on a machine with a window, and an EV5's
# barriers for lines that are stored to.
@test "threads on CPUs of their own wait for stores as one alone does" {
	need_engine
	each=$BATS_FILE_TMPDIR/each.x86_64
	for case in skylake:forward p6:forward ev6:forward r10000:forward \
		ev5:fence; do
		cpu=${case%%:*} what=${case##*:}
		threads "$cpu" cycles:u -- "$each" "$what" |
			awk 'NR == 3 { print $3 }' >one
		threads "$cpu" cycles:u --cpus 4 -- "$each" "$what" |
			awk 'NR == 3 { print $3 }' >own
		# Within 5 %: caches and predictors are cold ones.
		[ $(($(cat one) * 95)) -le $(($(cat own) * 100)) ]
		[ $(($(cat own) * 95)) -le $(($(cat one) * 100)) ]
	done
}

# profiled CPU EVENT OPTION... -- COMMAND...: what a profile has, and how much of
# that is of no instruction
profiled() {
	uprofile -quiet -cpu "$1" -exact "${@:3}" >/dev/null
	awk -v event="$2" '$1 == "event" && $2 == event { print $5, $6 }' umon.out
}

# profile CPU EVENT NAME ARGUMENT...: a profile of a region has what is counted
# in it, each at an instruction.
profile() {
	pmcsim stat -x, -o counts --cpu "$1" -e "$2:u" --region "$3" -- \
		"$BATS_FILE_TMPDIR/marked.x86_64" "${@:4}"
	[ "$(profiled "$1" "$2" -region "$3" "$2" -- \
		"$BATS_FILE_TMPDIR/marked.x86_64" "${@:4}")" = \
		"$(cut -d, -f2 counts) 0" ]
}

@test "a profile of one region" {
	need_engine
	need_native
	for engine in qemu native; do
		export PMCSIM_ENGINE=$engine
		for event in p5:INSTRUCTIONS_EXECUTED p5:BRANCHES \
			p5:CODE_CACHE_MISS p6:CPU_CLK_UNHALTED \
			p6:INST_RETIRED mips34k:CYCLES mips34k:ALL_STALLS \
			ev5:nonissues ev67:retinst \
			r10000:CYCLES0; do
			for region in loop second self; do
				profile ${event%%:*} ${event##*:} $region \
					loops overlapping self
			done
			# A cycle at a boundary between contexts may be of none.
			case $event in
			mips34k:*) profile mips34k INSTRUCTIONS thread threads ;;
			*) profile ${event%%:*} ${event##*:} thread threads ;;
			esac
			profile ${event%%:*} ${event##*:} child forks
		done
	done
}

@test "a profile of a procedure's calls; of what is not there" {
	need_engine
	marked=$BATS_FILE_TMPDIR/marked.x86_64
	read -r n rest < <(profiled p5 INSTRUCTIONS_EXECUTED \
		-region-function overlapping INSTRUCTIONS_EXECUTED -- \
		"$marked" loops overlapping)
	pmcsim stat -x, -o counts --cpu p5 -e instructions:u \
		--region-function overlapping -- "$marked" loops overlapping
	[ "$n $rest" = "$(cut -d, -f2 counts) 0" ]
	uprofile -quiet -cpu p5 -exact -region-function overlapping \
		-procedures INSTRUCTIONS_EXECUTED -- "$marked" loops overlapping |
		grep -q overlapping
	run -0 --separate-stderr uprofile -quiet -cpu p5 -exact -region no \
		BRANCHES -- "$marked" loops
	[ "$(profiled p5 BRANCHES -region no BRANCHES -- "$marked" loops)" = "0 0" ]
	run -64 --separate-stderr uprofile -cpu p5 -region loop BRANCHES -- "$marked"
	[ "$stderr" = "uprofile: -region is for profiles of every event: -exact" ]
}

# all_of_profile ISA CPU PART...: lines "region instructions branches" as a
# profile has them.
all_of_profile() {
	need_engine
	local isa=$1 cpu=$2 events

	case $2 in
	p5) events='INSTRUCTIONS_EXECUTED BRANCHES' ;;
	skylake) events='INST_RETIRED.ANY_P BR_INST_RETIRED.ALL_BRANCHES' ;;
	esac
	shift 2
	# shellcheck disable=SC2086 # several words
	uprofile -cpu "$cpu" "${options[@]}" $events -- \
		"$BATS_FILE_TMPDIR/${program:-marked}.$isa" "$@" 2>notes >/dev/null
	awk '$1 == "region" { print $2, $8, $9 }' umon.out
}

@test "a profile has a table of all regions, on each instruction set" {
	options=(-exact)
	for isa in $(built); do
		for cpu in p5 skylake; do
			all_of_profile "$isa" "$cpu" loops self overlapping threads >out
			same out < <(expect "$isa" <<-'END'
			empty 0 0
			first 2 1
			loop 3 0
			second 3 1
			self 2 2
			thread 321 0
			END
			)
		done
	done
	program=bare
	for isa in $(built); do
		all_of_profile "$isa" p5 >out
		same out < <(expect "$isa" <<-'END'
		empty 0 0
		inner 1 0
		outer 3 4
		END
		)
	done
	[ -x "$BATS_FILE_TMPDIR/bare.alpha" ] || skip "no compiler for Alpha"
}

@test "regions of a profile are exact with samples and calls, too, and in forks" {
	need_engine
	for options in "-period 1009" "-calls -exact" "-engine qemu -exact"; do
		# shellcheck disable=SC2206 # several words
		options=($options)
		all_of_profile x86_64 skylake loops forks threads | grep -v before >out
		same out < <(expect x86_64 <<-'END'
		behind 2 0
		child 1 0
		empty 0 0
		loop 3 0
		thread 321 0
		END
		)
	done
}

@test "what prof shows of regions" {
	need_engine
	marked=$BATS_FILE_TMPDIR/marked.x86_64
	run -0 --separate-stderr uprofile -exact -totals -cpu p5 BRANCHES -- \
		"$marked" loops nested wrong
	same <(echo "$stderr") <<-'END'
	uprofile: note: region unbegun: 1 end without a beginning
	uprofile: note: region unended: 1 entry never ended: it is counted to the end of its thread
	END
	all=$(awk '$1 == "event" { print $(NF - 2) }' umon.out)
	unended=$(awk '$2 == "unended" { print $NF }' umon.out)
	same <(sed '1,4d' <<<"$output") < <(
		row() {
			printf '%15d %7.1f %15d  %s\n' "$1" \
				"$(awk "BEGIN { print 100 * $1 / $all }")" "$2" "$3"
		}
		printf '%15d  BRANCHES\n\nBranches in regions, with what is nested in them\n\n' "$all"
		printf '%15s %7s %15s  region\n\n' BRANCHES % entries
		row 2002 1 'an outer "one", 100 %'
		row 0 3 empty
		row 1000 1 inner
		row 3000 3 loop
		row 0 0 unbegun
		row "$unended" 1 unended
		printf '\n%15d %7s %15s  all of the program\n' "$all" '' ''
	)
	# The same in files, and of two profiles together.
	prof -markdown - | sed -n '/^| region/,$p' | grep -qx "| loop | 3 | 3000 | [0-9.]* |"
	prof -json - | tr -d '\n' | grep -qF '{"name": "loop", "entries": 3, "never_ended": 0, "never_begun": 0, "counts": [    {"name": "BRANCHES", "value": 3000, '
	cp umon.out one
	prof -merge both one umon.out
	grep -qx 'region loop part 6 0 0 0 6000' both
	prof -json one.json one
	prof -json both.json both
	pmcsim compare one.json both.json |
		grep -qE '^ *3000 +6000 +\+3000 +\+100.00%  BRANCHES \(region loop\)$'
	# A ratio of two events, and one region alone.
	uprofile -exact -totals -cpu ev67 ipc -- "$marked" loops |
		sed -n '/^ipc: /,$p' >out
	read -r _ cycles _ < <(awk '$2 == "loop" { print $8, $9 }' umon.out)
	grep -q "^ *$(awk "BEGIN { printf \"%.4f\", 6003 / $cycles }") .* 3  loop$" out
	uprofile -exact -region loop -totals -cpu p5 BRANCHES -- "$marked" loops >out
	grep -qx '           3000   100.0               3  loop' out
	grep 'all of the program' out && false
	[ "$(grep -c '^region' umon.out)" -eq 1 ]
}
