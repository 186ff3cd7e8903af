#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pmcsim stat: events by the names of Linux, in the fields of perf stat.

load helper

refused() {
	refuses "pmcsim stat" "$@"
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
	0.00;msec;task-clock;0.00%;570;100.00;0.008;CPUs utilized
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

	              0.00 msec task-clock                       #    0.008 CPUs utilized
	             2,279      cycles                           #    3.998 GHz
	             2,004      instructions                     #    0.88  insn per cycle
	   <not supported>      context-switches

	       0.000067982 seconds time elapsed

	       0.000000570 seconds user
	       0.000067412 seconds sys

	 model skylake: Intel Skylake at 4000 MHz, a Core i7-6700

	END
	pmcsim stat --no-big-num -n -r 2 ./loop 2>out
	same out <<-'END'

	 Performance counter stats for './loop' (2 runs):


	       0.000067982 +- 0.000000000 seconds time elapsed

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

	      seconds time elapsed                  0.006527180        0.027192469

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
	refused 64 "-e cycles:x: \":x\" is not of u, k and D" -e cycles:x true
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

@test "an event by its fields, and by a name of its own" {
	need_engine
	make_loop
	counts skylake 'cpu/event=0xc4,umask=0x20/,cpu/event=0x3c,name=clk/u,{cpu/INST_RETIRED.ANY_P/,branches}:u,cpu/event=0xc4/k' ./loop >out
	counts skylake 'r20c4,r3c,rc0,branches,rc4:k' ./loop | same out
	# By the codes that are listed.
	pmcsim list skylake | grep -q '^0,1,2,3 r20c4  .* BR_INST_RETIRED.NEAR_TAKEN '
	pmcsim stat -x';' -o fields --cpu skylake \
		-e 'cpu/event=0xc4,umask=0x20/,cpu/event=0x3c,name=clk/u,{cpu/INST_RETIRED.ANY_P/}:u' ./loop
	same <(cut -d';' -f3 fields) <<-'END'
	cpu/event=0xc4,umask=0x20/
	clk:u
	cpu/INST_RETIRED.ANY_P/u
	END
	refused 64 "-e cpu/event=0x3c: not two slashes" -e cpu/event=0x3c ./loop
	refused 64 "-e cpu/a/b/: not two slashes" -e cpu/a/b/ ./loop
	refused 64 "-e foo/a/: the counters of the processor are called cpu" -e foo/a/ ./loop
	refused 64 "-e cpu/umask=1/: either a name or event= is needed" -e cpu/umask=1/ ./loop
	refused 64 "-e cpu/event=256,umask=256/: umask=256 is no number up to 0xff" -e cpu/event=256,umask=256/ ./loop
	refused 64 "-e cpu/event=1,cmask=1/: only a name, or event=, umask= and name= are known" -e cpu/event=1,cmask=1/ ./loop
}

@test "times, and modes of all events" {
	need_engine
	make_loop
	pmcsim stat -x, -o out --cpu p6 -e user_time,system_time,duration_time,task-clock:k,task-clock ./loop
	awk -F, '{ t[$3] = $1 }
		END { user = t["user_time"]; kernel = t["system_time"]
		exit !(user && user + kernel == t["duration_time"] &&
			sprintf("%.2f", kernel / 1e6) == t["task-clock:k"]) }' out
	pmcsim stat -o text --cpu p6 -e duration_time ./loop
	# Seconds to the nanosecond, as far as both are rounded.
	awk '/duration_time/ { gsub(",", ""); t = $1 / 1e9 }
		/elapsed/ { if (t - $1 < 2e-9 && $1 - t < 2e-9) good = 1 }
		END { exit !good }' text
	pmcsim stat -M IPC --metric-only -x, -o out ./loop
	[ "$(head -n 1 out)" = ipc ]
	refused 64 "-e user_time:k: user_time has modes of its own" -e user_time:k ./loop
	refused 64 "-e duration_time: -I counts user mode only" -I 1 -e duration_time ./loop
	for modes in user:u kernel:k; do
		counts p6 "cycles:${modes#*:},cycles:u" ./loop >out
		pmcsim stat -x, -o counts --cpu p6 --all-${modes%:*} -e cycles,cycles:u ./loop
		cut -d, -f1 counts | same out
	done
	counts p6 cycles:uk ./loop >out
	pmcsim stat -x, -o counts --cpu p6 --all-user --all-kernel -e cycles ./loop
	cut -d, -f1 counts | same out
}

@test "several processors one behind the other; a summary; a descriptor" {
	need_engine
	make_loop
	pmcsim stat --no-merge --cpu p6,u74 -o out -e cycles,instructions ./loop
	for cpu in p6 u74; do
		pmcsim stat --cpu $cpu -o one -e cycles,instructions ./loop
		sed 1,3d one
	done >both
	sed 1,3d out | same both
	refused 64 "--per-thread excludes --no-merge" --per-thread --no-merge ./loop
	make_phases 300
	pmcsim stat --cpu p6 -I 10 --summary -x, -o out -e branches ./phases
	pmcsim stat --cpu p6 -x, -o whole -e branches ./phases
	same <(tail -n 1 out) < <(sed 's/^/         summary,/' whole)
	[ "$(awk -F, '$1 != "         summary" { n += $2 } END { print n }' out)" -eq \
		"$(cut -d, -f1 whole)" ]
	pmcsim stat --cpu p6 -I 10 --summary -j -o out -e branches ./phases
	pmcsim stat --cpu p6 -j -o whole -e branches ./phases
	tail -n 1 out | same whole
	pmcsim stat --cpu p6 -I 10 --summary -o out -e branches ./phases
	pmcsim stat --cpu p6 -o whole -e branches ./phases
	sed '/^[# ] .*time  \|^ .*[0-9]\.[0-9]* .*branches$/d' out | same whole
	refused 64 "--summary is for -I" --summary ./loop
	pmcsim stat --log-fd 7 -x, --cpu p6 -e branches ./loop 7>out 2>nothing
	same <(cut -d, -f1,3 out) <<<1000,branches
	same nothing </dev/null
	# The command has it as well, and no other.
	pmcsim stat --log-fd 7 -x, ./loop 7>out
	refused 64 "--log-fd 7: Bad file descriptor" --log-fd 7 ./loop 7>&-
	refused 64 "-o and --log-fd exclude each other" --log-fd 2 -o x ./loop
}

@test "what is done before and behind each run is not counted" {
	need_engine
	make_loop
	pmcsim stat -r 2 -x, -o out --cpu p6 -e instructions,branches \
		--pre 'echo before >>log' --post 'echo behind >>log' ./loop
	same <(cut -d, -f1,4 out) <<-'END'
	2004,0.00%
	1000,0.00%
	END
	same log < <(printf 'before\nbehind\nbefore\nbehind\n')
	refused 125 "--pre exit 3: it has failed" --pre "exit 3" ./loop
	refused 125 "--post false: it has failed" --cpu p6 --post false ./loop
}
