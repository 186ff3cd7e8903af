#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# uprofile -calls: programs whose calls are known.

load helper
load profiles

# Instructions with -period 1, by stack.  _start: 3 calls, then one with its
# argument, and 3 to end.  a: 2, a call and the return; b: a call, then a jump to
# leaf, which is not its callee so.  r: 4 each but the innermost one's 3.
make_calls() {
	need_engine
	cat >calls.S <<-'END'
		.globl _start
		.type _start, @function
	_start:	call a
		call a
		call b
		mov $3, %edi
		call r
		mov $60, %eax
		xor %edi, %edi
		syscall
		.size _start, . - _start
		.type a, @function
	a:	nop
		nop
		call leaf
		ret
		.size a, . - a
		.type b, @function
	b:	call a
		jmp leaf
		.size b, . - b
		.type leaf, @function
	leaf:	nop
		ret
		.size leaf, . - leaf
		.type r, @function
	r:	dec %edi
		jz 1f
		call r
	1:	ret
		.size r, . - r
	END
	cc -nostdlib -static -no-pie -o calls calls.S || skip "no compiler"
}

sorted() {
	prof -folded - "$@" | LC_ALL=C sort
}

@test "stacks, on every kind of pipeline" {
	make_calls
	for at in "ev67 retinst" "p6 inst_retired" "mips34k instructions" \
		"p5 instructions_executed" "r10000 instr_grad0"; do
		uprofile -cpu ${at% *} -quiet -calls -period 1 ${at#* } ./calls
		sorted >stacks
		same stacks <<-'END'
		_start 8
		_start;a 8
		_start;a;leaf 4
		_start;b 2
		_start;b;a 4
		_start;b;a;leaf 2
		_start;leaf 2
		_start;r 4
		_start;r;r 4
		_start;r;r;r 3
		END
	done
}

@test "stacks of every event, on every kind of pipeline" {
	make_calls
	for at in "ev67 retinst" "p6 inst_retired" "mips34k instructions" \
		"p5 instructions_executed" "r10000 instr_grad0"; do
		uprofile -cpu ${at% *} -quiet -calls -period 1 ${at#* } ./calls
		grep '^call ' umon.out >sampled
		sorted >stacks
		uprofile -cpu ${at% *} -quiet -calls -exact ${at#* } ./calls
		grep '^call ' umon.out | same sampled
		sorted | same stacks
		grep -qx '_start;b;a;leaf 2' stacks
	done
	uprofile -quiet -calls -exact -engine native retinst ./calls ||
		skip "no native engine"
	sorted | grep -qx '_start;r;r;r 3'
}

# Places, whatever led there: what -exact alone has, instruction by instruction
# and for each event.  Its lines have a field less.
places() {
	awk '$1 == "at" { first = version == 4 ? 7 : 6
			key = $2 " " $3 " " $4
			seen[key]
			for (i = first; i <= NF; i++) n[key, i - first] += $i }
		/^pmcsim-umon/ { version = $2 }
		$1 == "event" { print }
		END { for (key in seen) {
			line = key
			for (e = 0; e < 3; e++) line = line " " n[key, e] + 0
			if (line !~ / 0 0 0$/) print line } }' umon.out |
		LC_ALL=C sort
}

@test "all calls together have what each instruction has" {
	need work
	for at in "ev67 retinst cycles0 replay" \
		"p6 inst_retired cpu_clk_unhalted" \
		"mips34k instructions cycles" "r10000 instr_grad0 cycles0" \
		"p5 instructions_executed"; do
		set -- $at
		uprofile -cpu $1 -exact -quiet ${@:2} "$target" fork || true
		places >alone
		[ "$(wc -l <alone)" -gt 1000 ]
		uprofile -cpu $1 -exact -calls -quiet ${@:2} "$target" fork || true
		places | same alone
		prof -folded - | grep -q '^_start;.*;main;in_program '
	done
}

@test "procedures with all that they called" {
	make_calls
	uprofile -quiet -calls -period 1 retinst ./calls
	prof -inclusive | entries >rows
	same rows <<-'END'
	100.0 41 19.5 8 _start (calls)
	43.9 18 29.3 12 a (calls)
	26.8 11 26.8 11 r (calls)
	19.5 8 4.9 2 b (calls)
	19.5 8 19.5 8 leaf (calls)
	END
	[ "$(prof -inclusive -only b -quit 1 | entries)" = \
		"19.5 8 4.9 2 b (calls)" ]
	[ "$(prof -inclusive -quit 40% | entries | wc -l)" -eq 2 ]
	run -64 prof -inclusive -quit 90cum%
	run -64 prof -inclusive -Only b
	prof >listing
	[ "$(entries <listing | head -n 1)" = "29.3 12 29.3 12 a (calls)" ]
}

# b has called a and leaf alike; r's calls of itself are within its first one.
@test "callgrind's format has calls, how often, and what they cost" {
	make_calls
	uprofile -quiet -calls -period 1 retinst ./calls
	prof -callgrind cg
	awk '/^fn=/ { from = $0 } /^cfn=/ { to = $0 }
		/^calls=/ { n = $1; getline; print from, to, n, $NF }' cg |
		sed 's/c*fn=//g; s/calls=//' | LC_ALL=C sort >arcs
	same arcs <<-'END'
	_start a 1 6
	_start a 1 6
	_start b 1 8
	_start leaf 1 2
	_start r 1 11
	a leaf 3 6
	b a 1 6
	r r 2 7
	END
	command -v callgrind_annotate >/dev/null || skip "no valgrind"
	callgrind_annotate --inclusive=yes --threshold=100 cg |
		grep -q '18 (43.90%)  ???:a '
	callgrind_annotate --threshold=100 cg | grep -q '41 (100.0%)  PROGRAM'
}

@test "what is called by samples in between is what is called by all" {
	make_calls
	uprofile -quiet -calls -period 2 retinst ./calls
	[ "$(sorted | awk '{ n += $NF } END { print n }')" -eq 41 ]
	uprofile -quiet -period 1 retinst ./calls
	run -125 prof -inclusive
	[ "$output" = "prof: umon.out has no calls: it takes -calls of uprofile \
to record them" ]
}

@test "several programs, and several profiles" {
	make_calls
	uprofile -quiet -calls -period 1 retinst \
		sh -c './calls; (./calls); exec ./calls'
	[ "$(sorted | grep '^_start;b;a;leaf ')" = "_start;b;a;leaf 6" ]
	uprofile -quiet -calls -period 1 -dirname . retinst ./calls
	mv umon.out one
	uprofile -quiet -calls -period 1 retinst ./calls
	prof -merge both umon.out one
	sorted both >sum
	sorted one umon.out | same sum
	grep -qx '_start;r;r;r 6' sum
	prof -inclusive both | entries | grep -qx '100.0 82 19.5 16 _start (calls)'
}

@test "a program that is killed has its calls, but not how often" {
	need_engine
	cat >forever.S <<-'END'
		.globl _start
	_start:	call f
		nop
	f:	mov $39, %eax
		syscall
		mov %eax, %edi
		mov $9, %ecx
		call die
		ret
	die:	mov $9, %esi
	1:	dec %ecx
		jnz 1b
		mov $62, %eax
		syscall
		jmp die
	END
	cc -nostdlib -static -no-pie -o forever forever.S || skip "no compiler"
	run -137 uprofile -quiet -calls -period 1 retinst ./forever
	grep -q '^call 0 [1-9][0-9]* [0-9a-f]* 0$' umon.out
	prof -folded - | grep -qx "_start;f;die 19"
}

@test "threads, in turn and on CPUs of their own" {
	need_engine
	cat >turns.c <<-'END'
	#include <pthread.h>
	static volatile long sink[4][16];
	__attribute__((noinline)) void leaf(long k, int n)
	{
		while (n--)
			sink[k][0] += n;
	}
	__attribute__((noinline)) void odd(long k) { leaf(k, 1000); sink[k][1]++; }
	__attribute__((noinline)) void even(long k) { leaf(k, 3000); sink[k][1]++; }
	static void *run(void *arg)
	{
		long k = (long)arg;
		for (int i = 0; i < 20; i++)
			if (k & 1)
				odd(k);
			else
				even(k);
		return NULL;
	}
	int main(void)
	{
		pthread_t thread[3];
		for (long i = 0; i < 3; i++)
			pthread_create(&thread[i], NULL, run, (void *)(i + 1));
		run(NULL);
		for (int i = 0; i < 3; i++)
			pthread_join(thread[i], NULL);
		return 0;
	}
	END
	cc -O1 -pthread -static -o turns turns.c || skip "no compiler"
	uprofile -quiet -calls -period 1 retinst ./turns
	sorted | grep ';leaf ' >stacks
	# Both threads of odd() have as much; main and the even one too.
	awk '{ n = split($1, f, ";"); on[f[n - 1] (f[2] ~ /thread/)] = $2 }
		END { exit !(on["even1"] == on["even0"] && on["odd1"] && \
			!on["odd0"] && on["even0"] > 2.9 * on["odd1"] / 2) }' stacks
	for at in "mips34k instructions" "r10000 instr_grad0" \
		"p6 inst_retired"; do
		uprofile -cpu ${at% *} -quiet -calls -period 1 ${at#* } ./turns
		sorted | grep ';leaf ' | same stacks
	done
	uprofile -cpu r10000 -cpus 4 -quiet -calls -period 1 instr_grad0 ./turns
	sorted | grep ';leaf ' | same stacks
	uprofile -cpu r10000 -cpus 4 -quiet -calls -exact instr_grad0 ./turns
	sorted | grep ';leaf ' | same stacks
	uprofile -cpu mips34k -quiet -calls -exact instructions ./turns
	sorted | grep ';leaf ' | same stacks
}

# Each round leaves six calls.
@test "longjmp() ends the calls that it leaves" {
	local cc

	need_engine
	cat >jump.c <<-'END'
	#include <setjmp.h>
	#include <stdlib.h>
	#define APART __attribute__((noinline, noclone))
	static volatile long sink;
	static jmp_buf buf;
	APART void after(int n) { while (n--) sink++; }
	APART void jump(int n) { sink += n; longjmp(buf, 1); }
	APART void walk(int n)
	{
		if (n)
			walk(n - 1);
		else
			jump(n);
		sink++;
	}
	int main(int argc, char **argv)
	{
		for (int i = atoi(argv[1]); i--;) {
			if (!setjmp(buf))
				walk(3);
			after(100);
		}
		return argc != 2;
	}
	END
	for cc in cc alpha-linux-gnu-gcc mipsel-linux-gnu-gcc; do
		$cc -O1 -o jump jump.c || continue
		uprofile -quiet -calls -period 1 retinst ./jump 3
		grep -c '^call ' umon.out >three
		uprofile -quiet -calls -period 1 retinst ./jump 20
		grep -c '^call ' umon.out | same three
		sorted | grep ';after ' >stacks
		[ "$(wc -l <stacks)" -eq 1 ]
		grep -q ';main;after ' stacks
		sorted | grep -q ';main;walk;walk;walk;walk;jump '
	done
	[ -e jump ] || skip "no compiler"
}

# What a file says to unwinders is all that tells where they are caught.
@test "an exception ends the calls that it leaves" {
	local cxx

	need_engine
	cat >throw.cc <<-'END'
	#include <cstdlib>
	#define APART __attribute__((noinline))
	static volatile long sink;
	struct local {
		~local() { sink = sink + 1; }
	};
	APART void after(int n) { while (n--) sink = sink + 1; }
	APART void give_up(int n)
	{
		if (n >= 0)
			throw n;
		sink = n;
	}
	APART void walk(int n)
	{
		local here;
		if (n)
			walk(n - 1);
		else
			give_up(n);
		sink = sink + 1;
	}
	APART int one(int n)
	{
		try {
			walk(n);
		} catch (int) {
			after(100);
		}
		after(100);
		return n;
	}
	int main(int argc, char **argv)
	{
		for (int i = std::atoi(argv[1]); i--;) {
			try {
				walk(3);
			} catch (int) {
				after(100);
			}
			one(3);
		}
		return argc != 2;
	}
	END
	for cxx in g++ clang++; do
		$cxx -O2 -o throw throw.cc || continue
		uprofile -quiet -calls -period 1 retinst ./throw 3
		grep -c '^call ' umon.out >three
		uprofile -quiet -calls -period 1 retinst ./throw 20
		grep -c '^call ' umon.out | same three
		sorted | sed -n 's/;after(int) .*//p' |
			sed 's/ \[clone \.cold\]//g; s/\.cold//g' |
			awk -F ';' '{ while (NF && $1 != "main") sub(/^[^;]*;/, "")
				print }' | sort -u >stacks
		same stacks <<-'END'
		main
		main;one(int)
		END
	done
	[ -e throw ] || skip "no compiler"
}

# pthread_exit() unwinds as an exception does, in C on any instruction set.
@test "what cleans up behind a thread is called by whose it is" {
	local cc

	need_engine
	cat >clean.c <<-'END'
	#include <pthread.h>
	#define APART __attribute__((noinline, noclone))
	static volatile long sink;
	APART void after(int n) { while (n--) sink++; }
	APART void clean(int *n) { after(*n); }
	APART void end(int n)
	{
		if (n)
			pthread_exit(NULL);
		sink++;
	}
	APART void work(int n)
	{
		int local __attribute__((cleanup(clean))) = 100;
		sink += local;
		end(n);
		sink++;
	}
	static void *run(void *arg)
	{
		work(1);
		return arg;
	}
	int main(void)
	{
		pthread_t thread;
		return pthread_create(&thread, NULL, run, NULL) ||
		       pthread_join(thread, NULL);
	}
	END
	for cc in cc alpha-linux-gnu-gcc mipsel-linux-gnu-gcc \
		mips-linux-gnu-gcc; do
		$cc -O1 -fexceptions -pthread -o clean clean.c || continue
		uprofile -quiet -calls -period 1 retinst ./clean
		sorted | grep ';clean;after ' >stacks
		[ "$(wc -l <stacks)" -eq 1 ]
		grep -q ';run;work;clean;after ' stacks
	done
	[ -e clean ] || skip "no compiler"
}

@test "what calls do not go with" {
	make_calls
	run -64 uprofile -calls -system malta retinst ./calls
	# Before the program runs, not when its profile is shown.
	run -64 uprofile -inclusive retinst ./calls
	[ "$output" = "uprofile: -inclusive takes a profile of -calls of \
uprofile" ]
	run -64 kprofile -inclusive cycles ./calls
	[ ! -e umon.out ]
}
