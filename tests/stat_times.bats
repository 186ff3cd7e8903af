#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pmcsim stat: from when on, until when, and of which runs and threads.

load helper

refused() {
	refuses "pmcsim stat" "$@"
}

# make_long CALLS: a million times around a loop, and then so many system calls
# before the one that ends it: long.
make_long() {
	cat >long.S <<-END
		.globl _start
	_start:	mov \$1000000, %ecx
	1:	dec %ecx
		jnz 1b
		mov \$$1, %ebx
	2:	dec %ebx
		js 3f
		mov \$39, %eax		# getpid
		syscall
		jmp 2b
	3:	mov \$60, %eax
		xor %edi, %edi
		syscall
	END
	cc -nostdlib -static -o long long.S || skip "no compiler"
}

# counts OPTION...: of long, "event count" each.
counts() {
	stat_counts "$@" ./long
}

@test "-D: what is counted behind a time and before it are the whole" {
	need_engine
	make_long 0
	for engine in $(engines); do
		for cpu in cortex-a53 p5 p6 mips34k; do
			with="--engine $engine --cpu $cpu -e cycles,instructions,branches,branch-misses,page-faults,syscalls"
			# shellcheck disable=SC2086 # several words
			counts $with >whole
			# shellcheck disable=SC2086
			counts $with -D 0 | same whole
			# shellcheck disable=SC2086
			{ counts $with -D 0 -I 1 --interval-count 1 >/dev/null
			awk -F, '{ print $4, $2 }' counts
			counts $with -D 1; } | awk '{ n[$1] += $2 }
				END { for (e in n) print e, n[e] }' | sort |
				same <(sort whole)
		done
	done
	# A processor of 1200 MHz.
	counts --cpu cortex-a53 -D 1 -e cycles,page-faults,syscalls >out
	same out <<-'END'
	cycles 1800258
	page-faults 0
	syscalls 1
	END
}

@test "-D: the system's accounts, and times" {
	need_engine
	all=cycles:k,system_time,user_time,duration_time
	for calls in 0 10; do
		make_long $calls
		counts --cpu cortex-a53 -e $all >whole.$calls
		counts --cpu cortex-a53 -e $all -D 1 >behind.$calls
	done
	# Ten calls cost what they do; what was before is not in it.
	paste -d' ' whole.0 whole.10 behind.0 behind.10 | awk '
		NR < 3 && ($4 - $2 != $8 - $6 || $4 <= $2 || $6 >= $2) { exit 1 }
		{ t[$1] = $6 }
		END { exit t["user_time"] + t["system_time"] - t["duration_time"] > 1 }'
	pmcsim stat --cpu cortex-a53 -D 1 -o text -e cycles ./long
	awk '/elapsed/ { all = $1 } /user|sys/ { sum += $1 }
		END { exit !(all == "0.001500" || all - sum < 2e-9 &&
			sum - all < 2e-9 && all > .0015 && all < .0016) }' text
}

@test "-D: intervals, turns, runs and processors begin behind it" {
	need_engine
	make_long 0
	pmcsim stat --cpu cortex-a53 -D 1 -I 1 --summary -x, -o out -e cycles,branches ./long
	counts --cpu cortex-a53 -D 1 -e cycles,branches >whole
	awk -F, '$1 != "         summary" { n[$4] += $2 }
		END { print "cycles", n["cycles"]; print "branches", n["branches"] }' out |
		same whole
	same <(head -n 2 out | cut -d, -f1,2,4) <<-'END'
	0.001000000,1200000,cycles
	0.001000000,400000,branches
	END
	awk -F, '$1 == "         summary" { print $4, $2 }' out | same whole
	counts --cpu cortex-a53 -D 1 --multiplex -e cycles,branches | same whole
	counts --cpu cortex-a53 -D 1 -r 2 -e cycles,branches | same whole
	pmcsim stat --cpu cortex-a53,p6 -D 1 -x, -o both -e cycles,branches ./long
	sed -n 's/^cortex-a53,//p' both | awk -F, '{ print $3, $1 }' | same whole
}

@test "-D: a command that ends before has counted nothing, as perf has it" {
	need_engine
	make_loop
	note="pmcsim stat: note: -D 5: the command has ended before, and nothing is counted"
	run -0 --separate-stderr pmcsim stat -D 5 -x, -o out -e task-clock,page-faults ./loop
	[ "$stderr" = "$note" ]
	# What perf of Linux 6.1.192 prints.
	same out <<-'END'
	<not counted>,msec,task-clock,0,100.00,,
	<not counted>,,page-faults,0,100.00,,
	END
	pmcsim stat -D 5 -j -o out -e task-clock ./loop
	same <(sed 's/, "model.*/}/' out) <<-'END'
	{"counter-value" : "<not counted>", "unit" : "msec", "event" : "task-clock", "event-runtime" : 0, "pcnt-running" : 100.00, "metric-value" : 0.000000, "metric-unit" : ""}
	END
	pmcsim stat -D 5 -o out -e task-clock ./loop
	grep -qx '     <not counted> msec task-clock' out
	grep -qx '       0.000000000 seconds time elapsed' out
	pmcsim stat -D 5 --csv -o out -e cycles ./loop
	tr -d '\r' <out | grep -q '^count,,cycles,,,,not counted,'
	pmcsim stat -D 5 -I 1 -x, -o out -e cycles ./loop
	same out </dev/null
}

@test "--interval-count: the first intervals, and the command to its end" {
	need_engine
	make_long 0
	pmcsim stat --cpu p6 -I 1 -x, -o all -e cycles,branches ./long
	[ "$(wc -l <all)" -gt 6 ]
	pmcsim stat --cpu p6 -I 1 --interval-count 2 --summary -x, -o out -e cycles,branches ./long
	same <(head -n 4 out) < <(head -n 4 all)
	# Their counts alone, and the time of all.
	for event in cycles branches; do
		[ "$(awk -F, -v e=$event 'NR < 5 && $4 == e { n += $2 }
			END { print n }' out)" = \
			"$(awk -F, -v e=$event '$1 == "         summary" && $4 == e {
				print $2 }' out)" ]
	done
	pmcsim stat --cpu p6 -I 1 --interval-count 2 --summary -o out -e cycles ./long
	pmcsim stat --cpu p6 -o whole -e cycles ./long
	grep elapsed whole | same <(grep elapsed out)
	pmcsim stat --cpu p6 -I 1 --interval-count 1000 -x, -o out -e cycles,branches ./long
	same out <all
	run -3 pmcsim stat -I 1 --interval-count 1 -o out -e cycles sh -c './long; echo end; exit 3'
	[ "$output" = end ]
}

@test "--timeout: the command is asked to end at a time of the machine" {
	need_engine
	make_long 0
	pmcsim stat --cpu cortex-a53 -I 1 -x, -o intervals -e cycles,instructions ./long
	for engine in $(engines); do
		run -143 pmcsim stat --engine "$engine" --cpu cortex-a53 --timeout 1 \
			-x, -o out -e cycles,instructions ./long
		[ -z "$output" ]
		same <(cut -d, -f1,3 out) < <(head -n 2 intervals | cut -d, -f2,4)
		run -143 pmcsim stat --engine "$engine" --cpu cortex-a53 -D 1 \
			--timeout 1 -x, -o out -e cycles ./long
		[ "$(cut -d, -f1,3 out)" = 1200000,cycles ]
		# It has ended before.
		run -0 pmcsim stat --engine "$engine" --cpu cortex-a53 --timeout 3 \
			-x, -o out -e instructions ./long
		[ "$(cut -d, -f1,3 out)" = 2000007,instructions ]
	done
	grep -q seconds <(pmcsim stat --timeout 1 --cpu cortex-a53 -r 2 ./long 2>&1 || true)
}

@test "--timeout: a command may handle it, and is counted to its end" {
	need_engine
	cat >handler.c <<-'END'
		#include <signal.h>
		#include <unistd.h>
		static volatile int got;
		static void handle(int signal)
		{
			got = signal == SIGTERM;
		}
		int main(void)
		{
			signal(SIGTERM, handle);
			for (volatile long i = 0; i < 9000000 && !got; i++)
				;
			write(1, got ? "got\n" : "not\n", 4);
			for (volatile long i = 0; i < 100000; i++)
				;
			return 7;
		}
	END
	cc -O1 -static -o handler handler.c || skip "no compiler"
	# Behind a signal the engines may differ by some cycles.
	for engine in $(engines); do
		run -7 pmcsim stat --engine "$engine" --cpu cortex-a53 --timeout 1 \
			-x, -o counts -e instructions,branches,cycles:k,cycles \
			./handler
		[ "$output" = got ]
		head -n 3 counts | cut -d, -f1,3 >"$engine"
		same "$engine" <qemu
		[ "$(tail -n 1 counts | cut -d, -f1)" -gt 1200000 ]
		[ "$(tail -n 1 counts | cut -d, -f1)" -lt 12000000 ]
	done
}

@test "--timeout: no process of the command goes on without it" {
	need_engine
	make_long 0
	for engine in $(engines); do
		run -143 --separate-stderr pmcsim stat --engine "$engine" --cpu cortex-a53 \
			--timeout 2 -x, -o out -e cycles sh -c './long; ./long; echo end'
		[ -z "$output$stderr" ]
	done
}

@test "-i: the first thread alone, whatever it executes" {
	need_engine
	make_long 0
	events=cycles,instructions,branches,page-faults,syscalls
	counts --cpu p6 -e $events >whole
	counts --cpu p6 -e $events -i | same whole
	counts --cpu p6 -e cycles:k >whole
	counts --cpu p6 -e cycles:k -i | same whole
	cat >threads.c <<-'END'
		#include <pthread.h>
		#include <sys/wait.h>
		#include <unistd.h>
		static void *work(void *arg)
		{
			for (volatile int i = 0; i < 50000; i++)
				;
			return arg;
		}
		int main(int argc, char **argv)
		{
			pthread_t t[3];

			for (int i = 0; i < 3; i++)
				pthread_create(&t[i], NULL, work, NULL);
			for (int i = 0; i < 3; i++)
				pthread_join(t[i], NULL);
			if (!fork())
				_exit(!work(argv));
			wait(NULL);
			if (argc > 1)
				execv(argv[1], argv + 1);
			return argc;
		}
	END
	cc -O1 -pthread -static -o threads threads.c || skip "no compiler"
	for engine in $(engines); do
		pmcsim stat --engine $engine --cpu p5 -x, -e instructions:u,branches:u \
			--per-thread -o each ./threads ./long
		# threads-1, threads-1.2 ..., its child, and what it executes.
		[ "$(cut -d, -f1 each | uniq | grep -c '^threads')" -eq 5 ]
		awk -F, '$1 ~ /^threads-1$|^long/ { n[$4] += $2 }
			END { for (e in n) print e, n[e] }' each | sort >sums
		pmcsim stat --engine $engine --cpu p5 -x, -e instructions:u,branches:u \
			-i -o first ./threads ./long
		awk -F, '{ print $3, $1 }' first | sort | same sums
		[ "$(awk '/instr/ { print $2 }' sums)" -gt 2000007 ]
		[ "$(awk '/instr/ { print $2 }' sums)" -lt 2100000 ]
	done
}

@test "--table: the time of each run, as perf prints it" {
	need_engine
	for n in 1000 9000 1500; do
		make_loop
		sed -i "s/\\\$1000/\$$n/" loop.S
		cc -nostdlib -static -o loop.$n loop.S
		pmcsim stat -o out --cpu p6 ./loop.$n
		awk '/elapsed/ { printf "%.9f\n", $1 }' out
	done >times
	printf '%s\n' 1000 9000 1500 >left
	ln -s loop.1000 next
	pmcsim stat -r 3 --table -o out --cpu p6 \
		--pre 'ln -sf loop.$(head -n 1 left) next; sed -i 1d left' ./next
	# Runs as those of one alone, in as many digits; and what they are off.
	awk '/^ *# Table/ { on = 1; next } !NF { on = 0 } on' out >runs
	[ "$(wc -l <runs)" -eq 3 ]
	paste -d' ' times runs | awk '
		{ n[NR] = $1; shown[NR] = $2; off[NR] = $3; signs[NR] = length($4)
		sum += $1 }
		END { mean = sum / 3
		for (i = 1; i <= 3; i++) {
			d = n[i] - mean; gsub(/[()]/, "", off[i])
			percent = int(100 * (d < 0 ? -d : d) / n[i] / 5)
			if (n[i] - shown[i] > 1e-6 || shown[i] - n[i] > 1e-6 ||
			    off[i] - d > 1e-6 || d - off[i] > 1e-6 ||
			    signs[i] != 1 + percent) exit 1
		} }'
	grep -q '^ *# Final result:$' out
	# perf's lines, of others' times.
	sed -E 's/[0-9]+/N/g; s/#+$/#/; s/ +/ /g; s/[-+]N/N/' out |
		awk '/Table/, /elapsed/' >shape
	same shape <<-'END'
	 # Table of individual measurements:
	 N.N (N.N) #
	 N.N (N.N) #
	 N.N (N.N) #

	 # Final result:
	 N.N +- N.N seconds time elapsed ( +- N.N% )
	END
	# A command that repeats itself has a mean without a deviation.
	pmcsim stat -r 3 --table -o out --cpu p6 ./loop.1000
	[ "$(grep -c ' (+0.000000000) #$' out)" -eq 3 ]
	grep -q ' +- 0.000000000 seconds time elapsed$' out
}

@test "what these options refuse" {
	refused 64 "-D -1: there is no --control by which events could be enabled later; --region counts a part of a command" -D -1 true
	refused 64 "-D x: not a number from 0 to 1000000" -D x true
	refused 64 "--timeout 0: not a number from 1 to 1000000" --timeout 0 true
	refused 64 "--interval-count 1.5: not a number from 1 to 2147483647" -I 1 --interval-count 1.5 true
	refused 64 "--interval-count is for -I" --interval-count 1 true
	refused 64 "-I and --timeout exclude each other; --interval-count prints so many intervals" -I 1 --timeout 1 true
	refused 64 "--table is for -r" --table true
	refused 64 "--table: only text has a place for it" --table -r 2 -j true
	refused 64 "--table: processors side by side have no place for it, --no-merge prints them one after the other" --table -r 2 --cpu p5,p6 true
	refused 64 "-i excludes -I, --region and --per-thread" -i -I 1 true
	refused 64 "-D excludes -i, --region and --per-thread" -D 1 --no-inherit true
	refused 64 "--multiplex is for one run on one processor, all of it, and events" -i --multiplex true
	for option in -a --all-cpus -A --no-aggr "-C 0" "-G here" --per-core --per-cache; do
		# shellcheck disable=SC2086
		refused 64 "-a, -A, -C, -G and --per-core are of perf's counts of a whole system, and here a command is counted; --per-thread has counts of each thread" $option true
	done
	for option in -p --pid -t; do
		refused 64 "-p and -t: what executes already cannot be counted, but a command from its beginning on" $option 1
	done
	refused 64 "--control: events cannot be enabled from outside; --region counts a part of a command" --control fd:0 true
	for option in --smi-cost --iostat -T "-b 1" --bpf-counters; do
		# shellcheck disable=SC2086
		refused 64 "--smi-cost, --iostat, -T and -b are of a host's hardware and kernel, of which nothing is counted here" $option true
	done
	refused 64 "--td-level: --topdown has the first level alone; leave --td-level out" --td-level 2 true
	for option in -c --scale --no-scale; do
		refused 64 "-c and --no-scale: counts are of the whole run and are not scaled; --multiplex shows what counters in turns would say" $option true
	done
	refused 64 "-v: pmcsim list NAME shows what a processor's events are, and pmcsim engine what executes a command" -v true
	refused 64 "-S: --pre sync calls it before each run" --sync true
	refused 64 "--interval-clear: counts of intervals are lines, one behind the other" --interval-clear true
	for option in "-D 1" "--timeout 1" -i; do
		# shellcheck disable=SC2086 # two words
		run -64 --separate-stderr pmcsim stat --system malta $option true
		[[ "$stderr" == *"${option% *}"* ]]
	done
}
