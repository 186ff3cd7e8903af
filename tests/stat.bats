#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pmcsim stat: events by the names of Linux, in the fields of perf stat.

load helper

refused() {
	run "-$1" --separate-stderr pmcsim stat "${@:3}"
	[ "$stderr" = "pmcsim stat: $2" ]
	[ -z "$output" ]
}

# The fields that perf has, the processor and the engine, if it is not the one
# that is expected.
fields_of_perf() {
	sed -E 's/, "engine" : "'"${2:-$engine_name}"'", .*/}/
		s/("engine" : "[a-z]+").*/\1}/' "$1"
}

# counts CPU EVENTS COMMAND...: the counts alone, one per line.
counts() {
	pmcsim stat -x, -o counts --cpu "$1" -e "$2" -- "${@:3}"
	cut -d, -f1 counts
}

@test "common names have the same counts on every table" {
	need_engine
	make_loop
	n=0
	for cpu in $(pmcsim list --names); do
		counts "$cpu" instructions,branches,branch-instructions,L1-dcache-loads,L1-dcache-stores,syscalls,page-faults ./loop >out
		same out <<-'END'
		2004
		1000
		1000
		0
		0
		1
		1
		END
		n=$((n + 1))
	done
	[ "$n" -ge 17 ]
}

@test "what a model does not have is not supported" {
	need_engine
	make_loop
	counts mips34k LLC-loads,L2-loads,context-switches,cache-references \
		./loop >out
	same out <<-'END'
	<not supported>
	<not supported>
	<not supported>
	0
	END
	counts ev5 L3-loads,L2-loads,LLC-loads ./loop >out
	same out < <(printf '0\n0\n0\n')
}

@test "CSV has the fields of perf" {
	need_engine
	make_loop
	pmcsim stat -x, -o out -e cycles,instructions,bus-cycles ./loop
	same out <<-'END'
	2279,,cycles,570,100.00,,
	2004,,instructions,570,100.00,0.88,insn per cycle
	<not supported>,,bus-cycles,0,100.00,,
	END
	pmcsim stat -x\; -o out -r 3 -e task-clock,branches ./loop
	same out <<-'END'
	0.00;msec;task-clock;0.00%;570;100.00;0.004;CPUs utilized
	1000;;branches;0.00%;570;100.00;1.754;G/sec
	END
	pmcsim stat -x, -o out --append -M ipc,cpi ./loop
	same <(tail -n 2 out) <<-'END'
	2004,,instructions,570,100.00,0.88,ipc
	2279,,cycles,570,100.00,1.14,cpi
	END
	pmcsim stat -x, -o out --metric-only -M ipc,branch-mpki ./loop
	same out <<-'END'
	ipc,branch-mpki
	0.88,1.00
	END
}

@test "JSON has the keys of perf, and tells model and engine" {
	need_engine
	make_loop
	pmcsim stat -j -o out -e '{branches,branch-misses}:u,bus-cycles' ./loop
	same <(fields_of_perf out) <<-'END'
	{"counter-value" : "1000.000000", "unit" : "", "event" : "branches:u", "event-runtime" : 570, "pcnt-running" : 100.00, "metric-value" : 0.000000, "metric-unit" : "", "model" : "skylake"}
	{"counter-value" : "2.000000", "unit" : "", "event" : "branch-misses:u", "event-runtime" : 570, "pcnt-running" : 100.00, "metric-value" : 0.200000, "metric-unit" : "of all branches", "model" : "skylake"}
	{"counter-value" : "<not supported>", "unit" : "", "event" : "bus-cycles", "event-runtime" : 0, "pcnt-running" : 100.00, "metric-value" : 0.000000, "metric-unit" : "", "model" : "skylake"}
	END
}

@test "the native engine, by name" {
	need_engine
	make_loop
	pmcsim stat --engine native -j -o out -e cycles ./loop
	same <(fields_of_perf out native) <<-'END'
	{"counter-value" : "2279.000000", "unit" : "", "event" : "cycles", "event-runtime" : 570, "pcnt-running" : 100.00, "metric-value" : 0.000000, "metric-unit" : "", "model" : "skylake"}
	END
	pmcsim stat --engine native -I 1 -x, -o out --cpu p6 -e instructions ./loop
	same out <<-'END'
	0.000010345,2004,,instructions,10345,100.00,,
	END
	refused 64 '--engine other: there are the engines qemu and native' --engine other true
}

# Numbers are N, and prefixes of rates go.
shape() {
	sed -E 's/, "model" : "[a-z0-9]+"(, "engine" : .*)?}/}/
		s/[0-9]+(\.[0-9]+)?/N/g; s/[KMG]\/sec/\/sec/; s/ +/ /g
		s/ $//; s/bus-cycles/cycles/; /^ model /d'
}

# What perf of Linux 6.1.192 printed where the processor has no counters, for
# true: software events are counted, cycles are not supported.
@test "fields, keys and lines are those of recorded output of perf" {
	need_engine
	make_loop
	events=task-clock,page-faults,bus-cycles
	shape <<-'END' >perf
	0.76,msec,task-clock,755733,100.00,0.492,CPUs utilized
	49,,page-faults,755733,100.00,64.838,K/sec
	<not supported>,,cycles,0,100.00,,
	0.70;msec;task-clock;5.49%;704867;100.00;0.489;CPUs utilized
	49;;page-faults;0.00%;704867;100.00;70.309;K/sec
	<not supported>;;cycles;0.00%;0;100.00;;
	{"counter-value" : "0.634081", "unit" : "msec", "event" : "task-clock", "event-runtime" : 634081, "pcnt-running" : 100.00, "metric-value" : 0.437495, "metric-unit" : "CPUs utilized"}
	{"counter-value" : "50.000000", "unit" : "", "event" : "page-faults", "event-runtime" : 634081, "pcnt-running" : 100.00, "metric-value" : 78.854279, "metric-unit" : "K/sec"}
	{"counter-value" : "<not supported>", "unit" : "", "event" : "cycles", "event-runtime" : 0, "pcnt-running" : 100.00, "metric-value" : 0.000000, "metric-unit" : ""}
	{"counter-value" : "0.588755", "unit" : "msec", "event" : "task-clock", "variance" : 6.77, "event-runtime" : 588755, "pcnt-running" : 100.00, "metric-value" : 0.455085, "metric-unit" : "CPUs utilized"}
	{"counter-value" : "49.000000", "unit" : "", "event" : "page-faults", "variance" : 0.68, "event-runtime" : 588755, "pcnt-running" : 100.00, "metric-value" : 74.257801, "metric-unit" : "K/sec"}
	{"counter-value" : "<not supported>", "unit" : "", "event" : "cycles", "variance" : 0.00, "event-runtime" : 0, "pcnt-running" : 100.00, "metric-value" : 0.000000, "metric-unit" : ""}

	 Performance counter stats for './loop':

	              0.75 msec task-clock                       #    0.424 CPUs utilized          
	                50      page-faults                      #   66.729 K/sec                  
	   <not supported>      cycles                                                      

	       0.001768066 seconds time elapsed

	       0.001844000 seconds user
	       0.000000000 seconds sys


	END
	for options in -x, "-x; -r 3" -j "-j -r 3" --big-num; do
		# shellcheck disable=SC2086
		pmcsim stat $options -e $events ./loop
	done 2>&1 | fields_of_perf - | shape >ours
	same ours <perf
}

@test "text as perf prints it" {
	need_engine
	make_loop
	pmcsim stat -e task-clock,cycles,instructions,context-switches \
		./loop 2>out
	same out <<-'END'

	 Performance counter stats for './loop':

	              0.00 msec task-clock                       #    0.004 CPUs utilized
	             2,279      cycles                           #    3.998 GHz
	             2,004      instructions                     #    0.88  insn per cycle
	   <not supported>      context-switches

	       0.000130323 seconds time elapsed

	       0.000000570 seconds user
	       0.000129754 seconds sys

	 model skylake: Intel Skylake at 4000 MHz, a Core i7-6700

	END
	pmcsim stat --no-big-num -n -r 2 ./loop 2>out
	same out <<-'END'

	 Performance counter stats for './loop' (2 runs):


	       0.000130323 +- 0.000000000 seconds time elapsed

	 model skylake: Intel Skylake at 4000 MHz, a Core i7-6700

	END
}

@test "several CPUs side by side" {
	need_engine
	make_loop
	pmcsim stat -o out --cpu p5,mips34k -e instructions,cycles,L2-loads ./loop
	same out <<-'END'

	 Performance counter stats for './loop':

	                                                     p5            mips34k

	      instructions                                2,004              2,004
	   # insn per cycle                               1.91               0.65
	      cycles                                      1,048              3,062
	      L2-loads                                        0    <not supported>

	      seconds time elapsed                  0.003910241        0.016315812

	END
	pmcsim stat -x, -o out --cpu p5 --cpu mips34k -M ipc ./loop
	cut -d, -f1-4,7- out >fields
	same fields <<-'END'
	p5,2004,,instructions,1.91,ipc
	p5,1048,,cycles,,
	mips34k,2004,,instructions,0.65,ipc
	mips34k,3062,,cycles,,
	END
}

@test "modes: kernel mode is accounted, or not supported" {
	need_engine
	make_loop
	counts p6 instructions:u,instructions:k,instructions:uk,L2-loads:k \
		./loop >out
	{
		read -r user
		read -r kernel
		read -r both
		read -r unknown
	} <out
	[ "$user" -eq 2004 ]
	[ "$kernel" -gt 0 ]
	[ "$both" -eq $((user + kernel)) ]
	[ "$unknown" = "<not supported>" ]
}

@test "events of a CPU's own table, beside those of Linux" {
	need_engine
	make_loop
	counts p6 INST_RETIRED,inst_retired,instructions ./loop >out
	same out < <(printf '2004\n2004\n2004\n')
	counts p6,mips34k INST_RETIRED ./loop
	cut -d, -f1,2 counts >out
	same out < <(printf 'p6,2004\nmips34k,<not supported>\n')
}

@test "an event of a table by its code" {
	need_engine
	make_loop
	counts skylake rc0,r00C0:u,r01c4,INST_RETIRED.ANY_P ./loop >out
	same out < <(printf '2004\n2004\n1000\n2004\n')
	counts cortex-a53 r8,r12 ./loop >out
	same out < <(printf '2004\n1000\n')
	refused 64 '-e: there is no event r13000; "pmcsim list p6" and "pmcsim list --linux p6" list them' --cpu p6 -e r13000 true
}

@test "top-down: four kinds of cycles are all of them, on every table" {
	need_engine
	make_loop
	for cpu in $(pmcsim list --names); do
		counts $cpu topdown-retiring,topdown-bad-spec,topdown-fe-bound,topdown-be-bound,cycles ./loop >out
		[ $(($(head -n 4 out | paste -sd+))) -eq "$(tail -n 1 out)" ]
	done
	pmcsim stat --topdown -x, -o out ./loop
	same out <<-'END'
	%  retiring,%  bad-speculation,%  frontend-bound,%  backend-bound
	43.92,1.36,54.59,0.13
	END
}

# Each interval of two milliseconds of a processor of 1200 MHz, up to a block,
# and the rest: together they are all of it, however many processes there are.
@test "-I: counts of intervals add up to those of the whole" {
	need_engine
	make_loop
	sed -e 's/\$1000/$1000000/' loop.S >long.S
	cc -nostdlib -static -o long long.S || skip "no compiler"
	cut_up() {
		pmcsim stat --cpu cortex-a53 -x, -o out "$@"
		pmcsim stat --cpu cortex-a53 -x, -o parts -I 2 "$@"
		for event in cycles instructions branch-misses; do
			[ "$(grep -c ",$event," parts)" -gt 1 ]
			[ "$(awk -F, -v e=$event '$4 == e { n += $2 }
				END { print n }' parts)" = \
				"$(awk -F, -v e=$event '$3 == e { print $1 }' out)" ]
		done
	}
	cut_up -e cycles,instructions,branch-misses ./long
	same <(cut -d, -f1,2,4 parts | grep cycles) <<-'END'
	0.002000003,2400004,cycles
	0.002500209,600247,cycles
	END
	cat >two.S <<-'END'
		.globl _start
	_start:	mov $57, %eax		# fork
		syscall
		mov %eax, %ebx
		mov $1000000, %ecx
	1:	dec %ecx
		jnz 1b
		test %ebx, %ebx
		jz 2f
		mov $61, %eax		# the parent: wait4
		mov $-1, %rdi
		xor %esi, %esi
		xor %edx, %edx
		xor %r10d, %r10d
		syscall
	2:	mov $60, %eax
		xor %edi, %edi
		syscall
	END
	cc -nostdlib -static -o two two.S
	cut_up -e cycles,instructions,branch-misses ./two
	grep -q '^4000[0-9]*,,instructions,' out
	pmcsim stat -j -I 1 -o out --cpu cortex-a53 -M ipc ./long
	grep -c '^{"interval" : 0.00[0-9]*, "counter-value" : "' out | grep -qx 6
	pmcsim stat -I 1 -o out --cpu cortex-a53 --topdown ./long
	[ "$(wc -l <out)" = 4 ]
	grep -qE '^#          time +%  retiring ' out
	refused 64 "-I is for one run on one processor, and events" -I 2 -r 2 ./long
	refused 64 "-e cycles:k: -I counts user mode only" -I 2 -e cycles:k ./long
}

@test "the command's status and streams are its own" {
	need_engine
	echo input >file
	run -3 pmcsim stat -o out -r 2 sh -c 'cat; echo err >&2; exit 3' <file
	[ "$output" = $'input\nerr\ninput\nerr' ]
	run -143 pmcsim stat -o out -e instructions sh -c 'kill -TERM $$'
	grep -q '  instructions$' out
}

@test "an interrupted run reports what was counted" {
	need_engine
	mkfifo fifo
	pmcsim stat -o out -e instructions sh -c 'echo >fifo; while :; do :; done' &
	read -r _ <fifo
	kill -TERM $!
	wait $! || status=$?
	[ "$status" -eq 143 ]
	grep -qE '^ +[0-9,]+ +instructions$' out
	grep -qx ' partial: stopped before the end' out
}

@test "options that are wrong" {
	refused 64 "no command to be measured" -e cycles
	refused 64 "-e cycles:x: \":x\" is not of u and k" -e cycles:x true
	refused 64 "-e {cycles: a brace does not end" -e '{cycles' true
	refused 64 "-x, -j, --csv and --markdown exclude each other" -j -x, true
	refused 64 "--append is for -o FILE" --append true
	refused 64 '-e: there is no event foo; "pmcsim list skylake" and "pmcsim list --linux skylake" list them' -e foo true
	refused 64 '-M: there is no metric foo; "pmcsim list --linux skylake" lists them' -M foo true
}

@test "list --linux: names, precision on that CPU, metrics" {
	pmcsim list --linux mips34k >out
	grep -qx 'instructions              exact         Instructions completed.' out
	grep -q '^LLC-loads  *not-modelled  ' out
	grep -q '^ipc  *metric  *instructions of a cycle$' out
	pmcsim list --linux p6 | grep -q '^LLC-loads  *structural  '
}

# make_phases TIMES: a loop that divides, and one that does not, so many times
make_phases() {
	cat >phases.S <<-END
		.globl _start
	_start:	mov \$$1, %esi
	1:	mov \$4000, %ecx
	2:	dec %ecx
		jnz 2b
		mov \$400, %ecx
	3:	mov \$77, %eax
		cltd
		mov \$5, %ebx
		idiv %ebx
		mov %eax, area(%rcx)
		dec %ecx
		jnz 3b
		dec %esi
		jnz 1b
		mov \$60, %eax
		xor %edi, %edi
		syscall
		.bss
	area:	.skip 8192
	END
	cc -nostdlib -static -no-pie -o phases phases.S || skip "no compiler"
}

# by_hand GROUPS FIT: what events count in turns, worked out in another way, from
# what -I prints, in "intervals":
# GROUPS has the number of each one's group, and FIT how many count at once in a
# turn that begins with the first, with the second...
by_hand() {
	awk -F, -v groups="$1" -v fit="$2" '
		BEGIN { events = split(groups, group, " ")
			n = split(fit, fits, " ") }
		{ turn = int((NR - 1) / events); e = (NR - 1) % events
		name[e] = $4
		if ((group[e + 1] - turn % n + n) % n < fits[turn % n + 1]) {
			count[e] += $2; time[e] += $1 - at }
		if (e == events - 1) at = $1 }
		END { for (e = 0; e < events; e++) printf "%s %.0f %.2f\n",
			name[e], count[e] * at / time[e], 100 * time[e] / at }' \
		intervals
}

# same_turns: "turns" has what stands in "naive"; the ends of intervals are
# printed to the nanosecond.
same_turns() {
	awk -F, '{ printf "%s %.0f %.2f\n", $3, $1, $5 }' turns >ours
	[ "$(wc -l <naive)" -gt 3 ]
	paste -d ' ' naive ours | awk '{ if ($1 != $4 || $2 > $5 * 1.00001 ||
		$5 > $2 * 1.00001 || $3 - $6 > .01 || $6 - $3 > .01) print }' >bad
	same bad </dev/null
}

@test "events in turns: what the counters would say, and by how much it is wrong" {
	need_engine
	make_phases 300
	events=instructions,branches,L1-dcache-stores,cycles
	pmcsim stat --cpu p6 -I 1 -x, -o intervals -e $events ./phases
	pmcsim stat --cpu p6 -x, -o exact -e $events ./phases
	pmcsim stat --cpu p6 --mux-interval 1 -x, -o turns -e $events ./phases
	[ "$(wc -l <intervals)" -ge 60 ]
	by_hand "0 1 2 3" "2 2 2 2" >naive
	same_turns
	# Stores are in a phase of their own.
	pmcsim stat --cpu p6 --mux-interval 1 -j -o turns -e $events ./phases
	for event in instructions L1-dcache-stores; do
		n=$(awk -F, -v e=$event '$3 == e { print $1 }' exact)
		grep "\"event\" : \"$event\"" turns | grep -q "\"exact\" : $n, "
	done
}

@test "groups in turns: all of their events or none, beside fixed counters" {
	need_engine
	make_phases 6000
	# Two, two and one of four counters, as cycles and instructions have
	# their own: two groups at once.  With no fixed ones it would be one.
	flat=cycles,branches,L1-dcache-stores,instructions,L1-dcache-loads,L1-icache-loads,branch-misses
	groups={cycles,branches,L1-dcache-stores},{instructions,L1-dcache-loads,L1-icache-loads},branch-misses
	run_with="--cpu skylake -x,"
	pmcsim stat $run_with -I 1 -o intervals -e $flat ./phases
	pmcsim stat $run_with --mux-interval 1 -o turns -e "$groups" ./phases
	[ "$(wc -l <intervals)" -ge 60 ]
	by_hand "0 0 0 1 1 1 2" "2 2 2" >naive
	same_turns
	# Each for itself: those that need the four, up to the fifth of these.
	pmcsim stat $run_with --mux-interval 1 -o turns -e $flat ./phases
	by_hand "0 1 2 3 4 5 6" "6 5 6 6 5 6 6" >naive
	same_turns
}

@test "groups in turns: too large ones never count, and what the system counts needs none" {
	need_engine
	make_loop
	parts() {
		pmcsim stat --multiplex --cpu "$1" -x, -o turns -e "$2" ./loop
		cut -d, -f3,5 turns
	}
	# One turn is all that there is time for.
	parts skylake '{branches,branch-misses,L1-dcache-loads,LLC-loads,L1-icache-loads},cycles' >out
	same out <<-'END'
	branches,0.00
	branch-misses,0.00
	L1-dcache-loads,0.00
	LLC-loads,0.00
	L1-icache-loads,0.00
	cycles,100.00
	END
	# The operating system's have turns with their group.
	parts u74 '{branches,branch-misses},{L1-dcache-loads,page-faults},page-faults,{page-faults,syscalls}' >out
	same out <<-'END'
	branches,100.00
	branch-misses,100.00
	L1-dcache-loads,0.00
	page-faults,0.00
	page-faults,100.00
	page-faults,100.00
	syscalls,100.00
	END
	# Fixed counters are one of a kind: where only they count it, one at a time.
	parts u74 '{cycles,instructions,branches,branch-misses},cycles' >out
	same out <<-'END'
	cycles,100.00
	instructions,100.00
	branches,100.00
	branch-misses,100.00
	cycles,0.00
	END
	parts skylake '{ref-cycles,ref-cycles},{cycles,cycles,cycles,cycles,cycles}' >out
	same out <<-'END'
	ref-cycles,0.00
	ref-cycles,0.00
	cycles,100.00
	cycles,100.00
	cycles,100.00
	cycles,100.00
	cycles,100.00
	END
	parts zen3 '{cycles,instructions,branches,branch-misses,L1-dcache-loads,L1-icache-loads},ref-cycles' >out
	[ "$(grep -c ',100.00$' out)" -eq 6 ]
	parts cortex-a53 '{cycles,instructions,branches,branch-misses,L1-dcache-loads,L1-icache-loads,LLC-loads},cycles' >out
	[ "$(grep -c ',100.00$' out)" -eq 7 ]
}

@test "events in turns: there are counters enough, or not the time" {
	need_engine
	make_loop
	pmcsim stat --multiplex -x, -o turns -e cycles,instructions,page-faults ./loop
	pmcsim stat -x, -o exact -e cycles,instructions,page-faults ./loop
	same turns <exact
	pmcsim stat --multiplex --cpu p6 -x, -o turns \
		-e cycles,instructions,branches,page-faults ./loop
	same <(cut -d, -f1,3-5 turns) <<-END
	$(pmcsim stat --cpu p6 -x, -e cycles:u ./loop 2>&1 | cut -d, -f1),cycles,$(cut -d, -f4 turns | head -n 1),100.00
	2004,instructions,$(cut -d, -f4 turns | head -n 1),100.00
	<not counted>,branches,0,0.00
	1,page-faults,$(cut -d, -f4 turns | head -n 1),100.00
	END
	pmcsim stat --multiplex --cpu p6 -o turns -e cycles,instructions,branches ./loop
	grep -q '<not counted>      branches$' turns
	refused 64 "--multiplex is for one run on one processor, all of it, and events" --multiplex -r 2 true
	refused 64 "-e branches:k: --multiplex counts user mode only" --multiplex -e branches:k true
	refused 64 "--multiplex: --csv and --markdown have no place for errors" --multiplex --csv true
}
