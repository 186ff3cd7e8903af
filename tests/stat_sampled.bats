#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pmcsim stat --sampled: a part of each period is modelled.

load helper

# Whatever the others are to be executed by.
export PMCSIM_ENGINE=native

refused() {
	refuses "pmcsim stat" "$@"
}

# make_work: string instructions, calls, indirect jumps, loads and stores, branches
# of a pattern, a system call in 1,024 rounds.
make_work() {
	cat >work.S <<-'END'
		.globl _start
	_start:	mov $50000, %ebp
		xor %ebx, %ebx
	1:	lea area(%rip), %rdi
		mov %ebp, %ecx
		and $63, %ecx
		rep stosb
		call 5f
		lea 2f(%rip), %rax
		jmp *%rax
	2:	test $5, %bpl
		jz 3f
		inc %ebx
	3:	test $1023, %ebp
		jnz 4f
		mov $39, %eax
		syscall
	4:	dec %ebp
		jnz 1b
		mov $60, %eax
		xor %edi, %edi
		syscall
	5:	mov %ebp, %ecx
		and $0xff, %ecx
		add %ecx, area(,%rcx,8)
		ret
		.comm area, 4096, 64
	END
	cc -nostdlib -static -o work work.S || skip "no compiler"
}

# make_chain: 3,000,000 times a chain of multiplies, three cycles each.
make_chain() {
	cat >chain.S <<-'END'
		.globl _start
	_start:	mov $3000000, %ecx
		mov $3, %eax
	1:	imul %eax, %eax
		dec %ecx
		jnz 1b
		mov $60, %eax
		xor %edi, %edi
		syscall
	END
	cc -nostdlib -static -o chain chain.S || skip "no compiler"
}

# field NAME: of the first object that the file json has.
field() {
	sed -n "1s/.*\"$1\" : \"*\([^,}\"]*\).*/\1/p" json
}

@test "what blocks and calls tell is exact, on every kind of processor" {
	need_native
	make_work
	for of in skylake:INST_RETIRED.ANY_P zen3 cortex-a53 u74 p5:BRANCHES \
		mips34k:LOAD_INSNS,STORE_INSNS,J_JAL_INSNS,JR_31_INSNS \
		p6:BR_TAKEN_RETIRED r10000:INSTR_GRAD0 ev4 ev6:retcondbranch \
		itanium2; do
		cpu=${of%%:*}
		events=instructions,branches
		[ "$cpu" = "$of" ] || events=$events,${of#*:}
		stat_counts --cpu "$cpu" --no-time -e "$events" ./work >all
		stat_counts --cpu "$cpu" --sampled 3,2000,1000 \
			-e "$events,cycles" ./work | grep -v ^cycles >part
		diff all part
		pmcsim stat -j -o json --cpu "$cpu" --sampled 3,2000,1000 \
			-e cycles ./work
		[ "$(field periods)" -gt 10 ]
	done
}

@test "system calls are exact, and each run counts the same" {
	need_native
	make_work
	stat_counts -e syscalls ./work >all
	stat_counts --sampled 3,2000,1000 -e syscalls,cycles ./work |
		grep -v ^cycles >part
	diff all part
	pmcsim stat --sampled 3,2000,1000 -d -d -o once ./work
	pmcsim stat --sampled 3,2000,1000 -d -d -o again ./work
	cmp once again
}

# estimate CPU ONE_IN: what is estimated, and how well it is said to be known.
estimate() {
	pmcsim stat -j -o json --cpu "$1" --sampled "$2" -e cycles ./chain
	echo "$(field value) $(field variance) $(field measured-percent)"
}

@test "a program of one kind takes what it takes" {
	need_native
	make_chain
	for of in skylake:9 zen3:9 p6:12 ev6:21; do
		estimate "${of%:*}" 20,20000,10000 >out
		awk -v want="${of#*:}e6" '
			{ off = $1 / want - 1 }
			off > 0.002 || off < -0.002 || $2 > 0.2 || $3 > 12 {
				print; exit 1
			}' out
	done
}

# ratio EVENT COMMAND: what is estimated to what the whole model counts.
ratio() {
	stat_counts -e "$1" "$2" >all
	stat_counts --sampled 20,5000,5000 -e "$1" "$2" >part
	cat all part | awk '{ n[NR] = $2 } END { print n[2] / n[1] }'
}

@test "what is used while nothing is modelled is in the caches" {
	need_native
	# Sixteen areas of half a megabyte, each read twenty times: those that
	# are not told of would miss the last level 30 times as often.
	cat >areas.S <<-'END'
		.globl _start
	_start:	lea area(%rip), %r8
		mov $16, %ebp
	1:	mov $20, %edx
	2:	mov %r8, %rdi
		mov $8192, %ecx
	3:	mov (%rdi), %rax
		add $64, %rdi
		dec %ecx
		jnz 3b
		dec %edx
		jnz 2b
		add $524288, %r8
		dec %ebp
		jnz 1b
		mov $60, %eax
		xor %edi, %edi
		syscall
		.comm area, 8388608, 64
	END
	cc -nostdlib -static -o areas areas.S || skip "no compiler"
	ratio LLC-load-misses ./areas | awk '$1 > 4 { print; exit 1 }'

	# The same of code, a quarter of a megabyte each: eight times the cycles.
	cat >code.S <<-'END'
		.globl _start
		.macro part
		mov $20, %edx
	1:
		.rept 4096
		jmp 2f
		.balign 64
	2:
		.endr
		dec %edx
		jnz 1b
		.endm
	_start:
		.rept 8
		part
		.endr
		mov $60, %eax
		xor %edi, %edi
		syscall
	END
	cc -nostdlib -static -o code code.S
	ratio cycles ./code | awk '$1 > 2 || $1 < 0.5 { print; exit 1 }'
}

@test "in text, CSV and JSON" {
	need_native
	make_chain
	pmcsim stat --sampled 20,20000,10000 -o text ./chain
	grep -Eq '^ +9,[0-9,]+ +cycles .*\( \+- +0\.[0-9]+% \)  \([0-9.]+%\)$' text
	grep -Eq '^ +9,000,005 +instructions +# +1\.00  insn per cycle$' text
	grep -Eq '^ +<not counted> +page-faults$' text
	grep -Eq '^ measured: [0-9.]+% of what was executed, in [0-9]+ periods; counts with an error are$' text
	grep -qx ' estimates' text
	grep -q 'seconds user$' text
	! grep -q 'elapsed\|seconds sys' text
	pmcsim stat --sampled 20,20000,10000 -x, -o csv -e cycles,instructions ./chain
	grep -Eq '^9[0-9]{6},,cycles,0\.[0-9]+%,[0-9]+,[0-9.]+,,$' csv
	grep -Eq '^9000005,,instructions,0\.00%,[0-9]+,100\.00,1\.00,insn per cycle$' csv
	pmcsim stat --sampled 20,20000,10000 -j -o json -e cycles ./chain
	[ "$(field pcnt-running | cut -d. -f1)" -lt 13 ]
	[ "$(field periods)" -gt 10 ]
	pmcsim stat --sampled 20,20000,10000 --csv -o tidy -e cycles ./chain
	grep -Eq '^count,,cycles,9[0-9]{6},events,0\.[0-9]+,' tidy
}

@test "a short program is modelled, and so are threads that share a pipeline" {
	need_native
	make_loop
	stat_counts -e cycles,instructions ./loop >all
	stat_counts --sampled 20 -e cycles,instructions ./loop >part
	diff all part
	pmcsim stat --sampled 20 -o text ./loop
	grep -q '^ all of it is modelled: ' text

	cat >threads.c <<-'END'
	#include <pthread.h>
	static volatile long n;
	static void *run(void *arg)
	{
		for (int i = 0; i < 200000; i++)
			n++;
		return arg;
	}
	int main(void)
	{
		pthread_t t;

		run(0);
		pthread_create(&t, 0, run, 0);
		pthread_join(t, 0);
		return n != 400000;
	}
	END
	cc -O1 -pthread -static -o threads threads.c || skip "no compiler"
	stat_counts --cpu mips34k -e instructions ./threads >all
	stat_counts --cpu mips34k --sampled 20,2000,1000 \
		-e instructions,cycles ./threads | grep -v ^cycles >part
	diff all part
	pmcsim stat -j -o json --cpu mips34k --sampled 20,2000,1000 \
		-e cycles ./threads
	awk -v percent="$(field measured-percent)" \
		'BEGIN { exit !(percent > 50 && percent < 60) }'
}

@test "threads that take turns: what blocks and calls tell is exact" {
	need_native
	cat >turns.c <<-'END'
	#include <pthread.h>
	#include <string.h>
	static char area[2][4096];
	static volatile long sum;
	static void *run(void *p)
	{
		int last = p == area[0] ? 10000 : 40000;

		for (int i = 1; i <= last; i++) {
			memset(p, i, (size_t)i % 3000);
			for (int k = 0; k < i % 50; k++)
				sum += k % 7 == 3;
		}
		return 0;
	}
	int main(void)
	{
		pthread_t t[2];

		pthread_create(&t[0], 0, run, area[0]);
		pthread_create(&t[1], 0, run, area[1]);
		pthread_join(t[0], 0);
		pthread_join(t[1], 0);
		return 0;
	}
	END
	cc -O1 -pthread -static -o turns turns.c || skip "no compiler"
	for cpu in skylake cortex-a53 u74 p5 p6 r10000 ev4 ev6 itanium2; do
		stat_counts --cpu "$cpu" --no-time -e instructions,branches \
			./turns >all
		stat_counts --cpu "$cpu" --sampled 3,2000,1000 \
			-e instructions,branches,cycles ./turns |
			grep -v ^cycles >part
		diff all part
		pmcsim stat -j -o json --cpu "$cpu" --sampled 3,2000,1000 \
			-e cycles ./turns
		[ "$(field periods)" -gt 10 ]
	done
}

@test "threads that take turns, and sleep: what they take" {
	need_native
	# A chain of multiplies in each of two; the other one sleeps now and then.
	cat >chains.c <<-'END'
	#include <pthread.h>
	#include <time.h>
	static void chain(long n)
	{
		int x = 3;

		__asm__ volatile("1: imul %1, %1\n dec %0\n jnz 1b"
				 : "+r"(n), "+r"(x));
	}
	static void *sleeper(void *arg)
	{
		struct timespec t = {0, 3000000};

		for (int i = 0; i < 100; i++) {
			chain(15000);
			nanosleep(&t, 0);
		}
		return arg;
	}
	int main(void)
	{
		pthread_t t;

		pthread_create(&t, 0, sleeper, 0);
		chain(1500000);
		pthread_join(t, 0);
		return 0;
	}
	END
	cc -O1 -pthread -static -o chains chains.c || skip "no compiler"
	for cpu in skylake zen3 p6 ev6 cortex-a53 p5; do
		pmcsim stat -j -o json --cpu "$cpu" -e cycles ./chains
		want=$(field value)
		pmcsim stat -j -o json --cpu "$cpu" --sampled 5,20000,10000 \
			-e cycles ./chains
		awk -v n="$(field value)" -v want="$want" 'BEGIN {
			off = n / want - 1
			if (off > 0.01 || off < -0.01) { print n, want; exit 1 }
		}'
		[ "$(field periods)" -gt 10 ]
	done
}

@test "turns are as long as without a model" {
	need_native
	# Each of the other threads begins when the first one's turn is over.
	cat >spins.c <<-'END'
	#include <pthread.h>
	static volatile long n, gone;
	static void *other(void *arg)
	{
		gone++;
		return arg;
	}
	int main(void)
	{
		pthread_t t;

		for (int k = 1; k <= 20; k++) {
			for (int i = 0; i < 100000; i++)
				n++;
			pthread_create(&t, 0, other, 0);
			while (gone < k)
				;
			pthread_join(t, 0);
		}
		return 0;
	}
	END
	cc -O1 -pthread -static -o spins spins.c || skip "no compiler"
	stat_counts --cpu r10000 --no-time -e instructions ./spins >all
	stat_counts --cpu r10000 --sampled 20,20000,10000 \
		-e instructions,cycles ./spins | grep -v ^cycles >part
	cat all part | awk '{ n[NR] = $2 }
		END { off = n[2] / n[1] - 1; exit !(off > -0.001 && off < 0.001) }'
}

@test "a thread whose wait is over goes on beside one that makes no call" {
	need_native
	cat >woken.c <<-'END'
	#include <pthread.h>
	#include <stdio.h>
	#include <time.h>
	static volatile int over, woken;
	static void *sleeper(void *arg)
	{
		struct timespec t = {0, 1000000};

		while (!over) {
			nanosleep(&t, 0);
			woken++;
		}
		return arg;
	}
	int main(void)
	{
		long n = 20000000;
		pthread_t t;
		int x = 3;

		pthread_create(&t, 0, sleeper, 0);
		__asm__ volatile("1: imul %1, %1\n dec %0\n jnz 1b"
				 : "+r"(n), "+r"(x));
		over = 1;
		pthread_join(t, 0);
		printf("%d\n", woken);
		return 0;
	}
	END
	cc -O1 -pthread -static -o woken woken.c || skip "no compiler"
	all=$(pmcsim stat -o all --cpu p5 -e cycles ./woken)
	part=$(pmcsim stat -o part --cpu p5 --sampled 20 -e cycles ./woken)
	echo "$all $part"
	[ "$all" -gt 5 ]
	[ "$part" -ge $((all - 1)) ]
	[ "$part" -le $((all + 1)) ]
}

@test "threads that fork, and a program that cannot be executed" {
	need_native
	cat >forks.c <<-'END'
	#include <pthread.h>
	#include <sys/wait.h>
	#include <unistd.h>
	static volatile long n;
	static void *work(void *arg)
	{
		for (int i = 0; i < 100000; i++)
			n++;
		return arg;
	}
	static void beside(void)
	{
		pthread_t t;

		pthread_create(&t, 0, work, 0);
		if (!fork()) {
			work(0);
			_exit(0);
		}
		execl("/nonexistent", "nonexistent", (char *)0);
		work(0);
		pthread_join(t, 0);
		wait(0);
	}
	int main(void)
	{
		work(0);
		beside();
		execl("/nonexistent", "nonexistent", (char *)0);
		work(0);
		beside();
		return n != 600000;
	}
	END
	cc -O1 -pthread -static -o forks forks.c || skip "no compiler"
	stat_counts -e instructions ./forks >all
	pmcsim stat -j -o json --sampled 20,2000,1000 -e instructions ./forks
	[ "instructions $(field value)" = "$(cat all)" ]
	awk -v percent="$(field measured-percent)" \
		'BEGIN { exit !(percent > 2 && percent < 50) }'

	pmcsim stat -j -o json --cpu mips34k --sampled 20,2000,1000 \
		-e instructions ./forks
	[ "instructions $(field value)" = "$(cat all)" ]
	# Half of it is beside a thread, or of a child of such a process.
	awk -v percent="$(field measured-percent)" \
		'BEGIN { exit !(percent > 60 && percent < 95) }'
}

@test "a program that marks regions: all of it is counted" {
	need_native
	cat >marked.c <<-'END'
	#include <pmcsim/region.h>
	static volatile long n;
	int main(void)
	{
		for (int k = 0; k < 20; k++) {
			PMCSIM_REGION_BEGIN("one");
			for (int i = 0; i < 2000; i++)
				n++;
			PMCSIM_REGION_END("one");
		}
		return 0;
	}
	END
	cc -O1 -static -I"$PMCSIM_SRCDIR/simulator/guest" -o marked marked.c ||
		skip "no compiler"
	stat_counts --no-time ./marked | grep ^instructions >all
	stat_counts --sampled 3,2000,1000 -e instructions,cycles ./marked |
		grep -v ^cycles >part
	diff all part
	pmcsim stat --sampled 3,2000,1000 -o text -e cycles ./marked
	! grep -q Region text
}

@test "processes side by side, and one behind the other" {
	need_native
	make_work
	instructions() {
		pmcsim stat -x, -o counts "$@" -e instructions,cycles sh -c \
			'./work; ./work & wait; exec ./work'
		sed -n 's/^\([0-9]*\),,instructions.*/\1/p' counts
	}
	steadily eval 'all=$(instructions); part=$(instructions --sampled 3,2000,1000)'
	[ "$all" = "$part" ]
}

@test "programs do what they do alone" {
	for file in branches signals faults memory process self library threads \
		threads_others forks; do
		compare_sample "$file" pmcsim stat --sampled 3,2000,1000 -o counts
	done
}

@test "a process that is killed in the midst of it" {
	need_native
	run --separate-stderr -137 pmcsim stat --sampled 3,2000,1000 -o counts \
		sh -c 'kill -9 $$'
	[ "$stderr" = "pmcsim stat: note: a process was killed in the midst of a period of --sampled; cycles, misses and all else that is estimated are not counted from the beginning of that period on" ]
	[ -s counts ]
}

@test "wrong usage" {
	need_native
	for option in -n "-r 2" "-I 1" "-D 1" -i --no-time "--timeout 1" \
		--multiplex "--cpus 2" "--region x" --per-thread \
		"--clock machine" "--threads=parallel"; do
		refused 64 "--sampled is for one run, all of it, and events: it excludes -n, -r, -I, -D, -i, --no-time, --timeout, --multiplex, --cpus, --region, --per-thread, --clock and --threads" \
			--sampled 20 $option true
	done
	refused 64 "--sampled: --markdown has no place for errors" \
		--sampled 20 --markdown true
	refused 64 "--sampled: processors side by side have no place for errors, --no-merge prints them one after the other" \
		--sampled 20 --cpu skylake,zen3 true
	refused 64 "-e cycles:k: --sampled counts user mode only" \
		--sampled 20 -e cycles:k true
	refused 64 "--sampled 20,1000: not ONE_IN or ONE_IN,WARM,MEASURED" \
		--sampled 20,1000 true
	refused 64 "--sampled 20,1000,1000,5: not ONE_IN or ONE_IN,WARM,MEASURED" \
		--sampled 20,1000,1000,5 true
	refused 64 "--sampled 1: not a number from 2 to 100000" --sampled 1 true
	refused 64 "--sampled x: not a number from 2 to 100000" --sampled x true
	refused 64 "--sampled: the command is executed by QEMU, under which all is modelled" \
		--sampled 20 --engine qemu true
}
