#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pmcsim stat --no-time: what needs no model of a processor.

load helper

refused() {
	refuses "pmcsim stat" "$@"
}

# region_count OPTION... COMMAND...: the instructions of the region "one".
region_count() {
	pmcsim stat -x, -o counts --region one -e instructions "$@"
	sed -n 's/^one,\([0-9]*\),.*/\1/p' counts
}

# make_mix: a hundred times a call, its return, an indirect jump, a direct one
# and a conditional branch.
make_mix() {
	cat >mix.S <<-'END'
		.globl _start
	_start:	mov $100, %ebx
	1:	call 2f
		lea 3f(%rip), %rax
		jmp *%rax
	2:	ret
	3:	jmp 4f
		nop
	4:	dec %ebx
		jnz 1b
		mov $60, %eax
		xor %edi, %edi
		syscall
	END
	cc -nostdlib -static -o mix mix.S || skip "no compiler"
}

@test "instructions and branches by kind" {
	need_engine
	make_mix
	for engine in $(engines); do
		stat_counts --engine "$engine" --no-time ./mix >out
		same out <<-'END'
		instructions 704
		branches 500
		END
	done
}

@test "the same counts as with a time, of all that a table has" {
	need_engine
	make_mix
	for of in skylake:INST_RETIRED.ANY_P,BR_INST_RETIRED.ALL_BRANCHES \
		mips34k:BRANCH_INSNS,J_JAL_INSNS,JR_31_INSNS,JR_NON_31_INSNS \
		p5:BRANCHES,LOCKED_BUS_CYCLE r10000:INSTR_GRAD0,LOAD_GRAD \
		ev6:retcondbranch p6:BR_INST_RETIRED,BR_TAKEN_RETIRED; do
		cpu=${of%:*}
		events=instructions,branches,${of#*:}
		stat_counts --cpu "$cpu" -e "$events" ./mix >timed
		grep -F 'branches 500' timed
		stat_counts --cpu "$cpu" -e "$events" --no-time ./mix >untimed
		same untimed <timed
	done
}

@test "no time is printed" {
	need_engine
	make_mix
	pmcsim stat --no-time -o text ./mix
	sed -n '/instructions/,$p' text >out
	same out <<-'END'
	               704      instructions
	               500      branches

	 time is not modelled: --no-time

	 model skylake: Intel Skylake at 4000 MHz, a Core i7-6700

	END
	pmcsim stat --no-time --cpu p5,ev6 -o table ./mix
	sed -n '/branches/,$p' table >out
	same out <<-'END'
	      branches                                      500                500

	 time is not modelled: --no-time

	END
	pmcsim stat --no-time -r 2 -x, -e branches -o csv ./mix
	grep -Fx '500,,branches,0.00%,,100.00,,' csv
	pmcsim stat --no-time -j -e branches -o json ./mix
	grep -F '"event" : "branches", "pcnt-running" : 100.00' json
	! grep runtime json
}

@test "of a region, and of each thread" {
	need_engine
	make_mix
	pmcsim stat -x, -o counts --no-time --region-function _start ./mix
	same counts <<-'END'
	_start,704,,instructions,,100.00,,
	_start,500,,branches,,100.00,,
	END
	pmcsim stat -x, -o counts --no-time --per-thread -e branches ./mix
	same counts <<-'END'
	mix-1,500,,branches,,100.00,,
	END
}

@test "of a region that a return, or an indirect jump, leads to" {
	need_native
	cat >region.c <<-'END'
	#include <pmcsim/region.h>
	__attribute__((noinline)) static int next(int n)
	{
		__asm__ volatile("" : "+r"(n));
		return n + 1;
	}
	int main(void)
	{
		int n = 0;
		while (n < 50) {
			n = next(n);
			PMCSIM_REGION_BEGIN("one");
			__asm__ volatile(".rept 20; nop; .endr");
			PMCSIM_REGION_END("one");
		}
		return 0;
	}
	END
	cc -O1 -static -I"$PMCSIM_SRCDIR/simulator/guest" -o region region.c ||
		skip "no compiler"
	for engine in $(engines); do
		region_count --engine "$engine" ./region >timed
		region_count --engine "$engine" --no-time ./region >untimed
		same untimed <timed
		[ "$(cat untimed)" = 1000 ]
	done
}

@test "threads: one that is waited for in a loop sleeps to its end" {
	need_engine
	cat >spin.c <<-'END'
	#include <pthread.h>
	#include <time.h>
	static volatile int over;
	static void *sleep_some(void *p)
	{
		struct timespec t = {0, 1000000};
		nanosleep(&t, 0);
		over = 1;
		return p;
	}
	int main(void)
	{
		pthread_t t;
		pthread_create(&t, 0, sleep_some, 0);
		while (!over)
			;
		return pthread_join(t, 0);
	}
	END
	cc -O1 -pthread -static -o spin spin.c || skip "no compiler"
	for cpu in skylake p5 ev6; do
		for engine in $(engines); do
			stat_counts --cpu "$cpu" --engine "$engine" --no-time \
				./spin >once
			stat_counts --cpu "$cpu" --engine "$engine" --no-time \
				./spin >again
			same again <once
		done
	done
	# 4,000,000 cycles of an instruction each, at least.
	stat_counts --cpu skylake --no-time -e instructions ./spin >out
	read -r _ n <out
	[ "$n" -ge 4000000 ]
}

@test "threads: blocks are counted as they execute, and for regions from the first marker on" {
	need_native
	cat >several.c <<-'END'
	#include <pmcsim/region.h>
	#include <pthread.h>
	#include <stddef.h>
	static int one(int n) { return n + 1; }
	static int two(int n) { return n + 2; }
	static int (*const next[])(int) = {one, two};
	static void *work(void *marks)
	{
		volatile int odd = 0;
		for (int n = 0; n < 30000; n = next[n & 1](n))
			if (n % 3)
				odd++;
		if (!marks)
			return NULL;
		PMCSIM_REGION_BEGIN("one");
		for (int n = 0; n < 5000; n++)
			__asm__ volatile(".rept 20; nop; .endr");
		PMCSIM_REGION_END("one");
		return NULL;
	}
	int main(int argc, char **argv)
	{
		pthread_t t[3];
		for (int i = 0; i < 3; i++)
			pthread_create(&t[i], NULL, work, argc > 1 ? argv : NULL);
		for (int i = 0; i < 3; i++)
			pthread_join(t[i], NULL);
		return 0;
	}
	END
	cc -O1 -static -pthread -I"$PMCSIM_SRCDIR/simulator/guest" -o several \
		several.c || skip "no compiler"
	for marks in "" marks; do
		# Variables of one length: a program goes through all of them.
		PMCSIM_NATIVE_CALLX=1 stat_counts --engine native --no-time \
			./several $marks >inline
		PMCSIM_NATIVE_CALLS=1 stat_counts --engine native --no-time \
			./several $marks >calls
		same inline <calls
		grep -E 'branches [0-9]{6}' inline
	done
	region_count --engine native ./several marks >timed
	region_count --engine native --no-time ./several marks >untimed
	same untimed <timed
	grep -E '^330[0-9]{3}$' untimed
}

@test "threads: one that is waited for in a loop is woken from outside" {
	need_native
	cc -O1 -pthread -static -o called \
		"$BATS_TEST_DIRNAME/threads/called.c" || skip "no compiler"
	for cpu in skylake p5 mips34k; do
		run -0 timeout 120 pmcsim stat --cpu "$cpu" --engine native \
			--no-time -o counts ./called
		[ "${lines[0]}" = called ]
	done
}

@test "what takes a time is refused" {
	needs_a_model() {
		refused 64 "--no-time: $1 takes a model of the processor: only instructions and branches in user mode do not" \
			--no-time "${@:2}" true
	}
	for event in cycles branch-misses L1-dcache-loads instructions:k; do
		needs_a_model "$event" -e "$event"
	done
	needs_a_model cycles -M ipc
	needs_a_model task-clock -e instructions,task-clock
	for option in -n "-I 1" "-D 1" "--timeout 1" --multiplex \
		"-r 2 --table"; do
		refused 64 "--no-time excludes -n, -I, -D, --timeout, --multiplex and --table, which are of the time" \
			--no-time $option true
	done
	for option in "--clock machine" "--pipeline interval"; do
		refused 64 "--no-time excludes --clock machine and --pipeline" \
			--no-time $option true
	done
	for option in --metric-only --topdown; do
		refused 64 "--no-time excludes --metric-only and --topdown: there are no metrics of instructions and branches alone" \
			--no-time $option true
	done
	refused 64 "--no-time has no meaning with --system" --no-time \
		--system pc true
}

@test "programs do what they do alone" {
	for file in branches signals faults memory nested process self library \
		files filters threads threads_others forks; do
		compare_sample "$file" pmcsim stat --no-time --engine native \
			-o counts
	done
}
