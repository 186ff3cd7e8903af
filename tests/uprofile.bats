#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# uprofile: programs whose counts per function are known.

load helper
load profiles

@test "every event is attributed" {
	need loops
	run -5 uprofile -exact retinst "$target"
	[ -z "$output" ]
	prof >listing
	entries <listing >rows
	same rows <<-'END'
	66.6 4002 66.6 4002 twice (loops.S)
	33.3 2002 99.9 6004 once (loops.S)
	0.1 5 100.0 6009 _start (loops.S)
	END
	grep -qx ' *6009  total' listing
	run ! grep 'not attributed\|not listed' listing
	prof --folded - >folded
	same folded <<-'END'
	twice 4002
	once 2002
	_start 5
	END
}

@test "what the first fetch causes is attributed, too" {
	need loops
	run -5 uprofile -cpu ev6 -exact retdtb2miss "$target"
	prof -totals | grep -qx ' *[1-9]  retdtb2miss'
}

# An EV4 counts its issues and what is not by halves; an instruction that issues
# beside another takes half a cycle without issue from that.
@test "events that are counted by halves" {
	need work
	run -7 uprofile -cpu ev4 -exact issues nonissues cycles "$target"
	for event in issues nonissues cycles; do
		prof -event $event -folded - >folded
		[ "$(sum folded)" -eq "$(total $event)" ]
		[ "$(grep -c 'not attributed' folded)" -eq 0 ] ||
			[ "$(cost '(not' folded)" -le 1 ]
	done
}

@test "cycles are the usual statistic" {
	make_loop
	for cpu in "p6 CPU_CLK_UNHALTED" "itanium2 CPU_CYCLES" \
	    "r10000 CYCLES0" "p5 DATA_READ"; do
		run uprofile -quiet -cpu ${cpu% *} ./loop
		grep -q "^event ${cpu#* } " umon.out
	done
}

# Its code is in one line.
@test "an event with a unit mask counts lines in all states" {
	make_loop
	uprofile -quiet -cpu p6 -exact L2_RQSTS L2_IFETCH ./loop
	for event in L2_RQSTS L2_IFETCH; do
		prof -totals -event $event | grep -qx " *1  $event"
	done
}

@test "samples are within one period of what happened" {
	need loops
	run -5 uprofile -period 100 retinst "$target"
	prof -folded samples
	for row in twice:4002 once:2002 _start:5; do
		off=$(($(cost "${row%:*}" samples) - ${row#*:}))
		[ "${off#-}" -le 100 ]
	done
	# 60 samples of 100, 9 left.
	[ "$(cost '(not' samples)" -eq 0 ]
	tail -n 1 samples | grep -qx '(not attributed) 9'
	[ "$(sum samples)" -eq 6009 ]
	prof | grep -q 'retinst: 1 sample every 100 Retired instructions '
}

@test "samples of every happening are what -exact attributes" {
	need loops
	for row in "ev4 issues" "ev5 cycles0" "ev6 retinst" "p6 BR_INST_RETIRED" \
	    "r10000 CYCLES0" "itanium2 CPU_CYCLES" "mips34k CYCLES"; do
		run -5 uprofile -cpu ${row% *} -period 1 ${row#* } "$target"
		prof -folded samples
		run -5 uprofile -cpu ${row% *} -exact ${row#* } "$target"
		prof -folded - | same samples
	done
	# The last one is of the last block.
	run -5 uprofile -cpu ev6 -period 6009 retinst "$target"
	[ "$(prof -folded -)" = "_start 6009" ]
}

@test "too few samples are said, with the period that would do" {
	need loops
	few="uprofile: note: of 6009 retinst only"
	run -5 uprofile -period 6010 retinst "$target"
	[ "$output" = "$few 0 were sampled: -period 5 takes 1201, -exact all" ]
	run -5 uprofile -period 6009 retinst "$target"
	[ "$output" = "$few 1 was sampled: -period 5 takes 1201, -exact all" ]
	run -5 uprofile -period 31 retinst "$target"
	[ "$output" = "$few 193 were sampled: -period 5 takes 1201, -exact all" ]
	run -5 uprofile -period 30 retinst "$target"
	[ -z "$output" ]
	run -5 uprofile -quiet -period 6009 retinst "$target"
	[ -z "$output" ]
	# The rarest event counts; no period has 1000 samples of it.
	run -5 uprofile -cpu p6 -period 30 inst_retired l2_ifetch "$target"
	[[ $output =~ of\ [0-9]+\ L2_IFETCH\ only\ 0\ were\ sampled:\ -exact\ takes\ all$ ]]
	run -5 uprofile -period 1 retinst "$target"
	[ -z "$output" ]
	run -5 uprofile -cpu ev67 -period 1000000 retire "$target"
	[ "$output" = "uprofile: note: no instruction was sampled: the program has fewer than are between two; see -period and -exact" ]
	run -5 uprofile -cpu ev6 -exact retdtb2miss retunaltrap "$target"
	[ -z "$output" ]
}

@test "the device's distances" {
	need work
	run uprofile -cpu ev5 cycles0 issues pcmispredicts "$target"
	grep -qx 'event cycles0 Cycles 65536 .*' umon.out
	grep -q '^event pcmispredicts [^ ]* 16384 ' umon.out
	run uprofile -cpu ev4 cycles dualissues "$target"
	grep -q '^event cycles [^ ]* 65536 ' umon.out
	grep -q '^event dualissues [^ ]* 4096 ' umon.out
	run uprofile -cpu ev6 "$target"
	grep -q '^event cycles0 Cycles 1048576 ' umon.out
}

@test "nothing is lost on the way" {
	need work
	for how in -exact '-period 97' '-period 1000 -stride 4' \
		'-exact -stride 0'; do
		run -7 uprofile $how retinst cycles0 "$target" child
		for event in retinst cycles0; do
			prof -event $event -folded - >folded
			[ "$(sum folded)" -eq "$(total $event)" ]
			# All that a listing has, whatever is left out.
			for view in -procedures -heavy '-only main' \
				'-quit 3' '-exclude in_program' -zero; do
				prof $view -event $event |
					awk '/^ *[0-9.]+ +[0-9]+ +[0-9.]+ / {
						n += $2 }
					/not (listed|attributed)/ { n += $1 }
					/  total$/ { t = $1 }
					END { exit n != t }'
			done
		done
	done
}

@test "the same each time" {
	need work
	# The environment is part of what programs look at.  Processes that
	# run at the same time share the distance to the next sample.
	export SOURCE_DATE_EPOCH=0
	for how in '-exact retinst' '-exact retinst cycles0' \
		'-period 777 retinst cycles0'; do
		for n in one two; do
			child=
			[ "$how" != '-exact retinst' ] || child=child
			run uprofile $how "$target" $child
			prof -procedures -heavy -asm >$n
			grep -v '^process\|^end' umon.out >umon.$n
		done
		cmp one two
		cmp umon.one umon.two
	done
}

@test "no sample comes too early, whatever runs side by side" {
	need_engine
	cat >side.c <<-'END'
	#include <sys/wait.h>
	#include <unistd.h>
	static volatile unsigned sink;
	static void spin(unsigned n)
	{
		while (n--)
			sink += n;
	}
	int main(void)
	{
		for (int i = 0; i < 6; i++)
			if (!fork()) {
				spin(50000);
				_exit(0);
			}
		while (wait(NULL) > 0)
			;
		return 0;
	}
	END
	cc -O1 -o side side.c || skip "no compiler"
	for try in 1 2 3; do
		run -0 uprofile -period 5000 retinst ./side
		[ -z "$output" ] || { echo "$output"; false; }
		# All samples that are due, and no more.
		total=$(total retinst)
		[ "$(awk '$1 == "at" { n += $6 } END { print n }' umon.out)" \
			-eq $((total / 5000)) ]
		prof -totals | grep -q ", $((total % 5000)) not attributed"
	done
}

@test "samples and counts differ by no more than the error that is stated" {
	need work
	for cpu in ev4 ev5 ev6; do
		event=cycles
		[ "$cpu" = ev4 ] || event=cycles0
		run -7 uprofile -cpu $cpu -exact $event "$target"
		prof -folded all
		run -7 uprofile -cpu $cpu -period 101 $event "$target"
		prof | grep -qx 'The error of n samples is about 101 times .*'
		prof -folded sampled
		for f in $(sort -k2rn all | awk '{ print $1 }' |
			   grep '^[a-z_]' | head -n 5); do
			agree "$(cost $f sampled)" "$(cost $f all)" 101
		done
		agree "$(sum sampled)" "$(sum all)" 101
	done
}

# The linker's relaxations make such programs crash, here and elsewhere.
@test "a program for Alpha that is linked statically" {
	need_engine
	printf '#include <stdio.h>\nint main(void) { puts("out"); return 7; }\n' \
		>static.c
	alpha-linux-gnu-gcc -O1 -static -Wl,--no-relax -o static static.c ||
		skip "no Alpha compiler"
	run -7 --separate-stderr uprofile -exact retinst ./static
	[ "$output" = out ]
	prof -invocations | grep -q ' main ('
}

# Of a page of which a file has less than the host's page, QEMU makes a copy:
# of a small program wherever it is, and of the end of a larger one, which
# changes its maps to be looked at again.
@test "code of Alpha programs that is not mapped" {
	need_engine
	cat >far.S <<-'END'
		.globl _start, far
		.ent _start
	_start:	.prologue 0
		br $26, far
		lda $0, 1
		clr $16
		call_pal 0x83
		.end _start
		.space GAP
		.ent far
	far:	.prologue 0
		lda $1, 1000
	1:	subq $1, 1, $1
		bne $1, 1b
		clr $16
		lda $17, 8192
		lda $18, 3
		lda $19, 0x12
		lda $20, -1
		clr $21
		lda $0, 71
		call_pal 0x83
		br 2f
	2:	ret $31, ($26), 1
		.end far
	END
	for gap in 0 8192; do
		alpha-linux-gnu-gcc -DGAP=$gap -nostdlib -static -o far far.S ||
			skip "no Alpha compiler"
		alpha-linux-gnu-gcc -DGAP=$gap -c far.S
		alpha-linux-gnu-ld -pie --no-dynamic-linker -z norelro \
			-z max-page-size=8192 -o moved far.o
		for program in ./far ./moved; do
			run uprofile -exact retinst $program
			prof --folded folded
			same folded <<-'END'
			far 2011
			_start 4
			END
		done
	done
}

@test "children, shared libraries, programs anywhere" {
	need work
	run -7 uprofile -exact retinst "$target"
	prof -folded one
	run -7 uprofile -exact retinst "$target" child
	prof -folded two
	[ "$(grep -c ^process umon.out)" -eq 2 ]
	[ "$(cost in_program one)" -gt 80000 ]
	[ "$(cost in_program two)" -eq $((2 * $(cost in_program one))) ]
	[ "$(cost in_library two)" -eq "$(cost in_library one)" ]
	[ "$(cost in_library one)" -gt 40000 ]
	prof -lines -only in_library | grep -q 'in_library (part.c)'
}

@test "a program with a newline in its name" {
	need work
	cp "$target" $'odd\nname'
	run -7 uprofile -exact retinst $'./odd\nname'
	prof -lines -only in_program | grep -q 'in_program ('
	grep -q '^module .*/odd\\012name' umon.out
}

@test "streams and status are the program's" {
	need work
	run -7 --separate-stderr uprofile -period 1000 "$target"
	[ "$output" = out ]
	[ "$stderr" = err ]
	run -7 --separate-stderr uprofile -v -period 1000 "$target"
	[[ "$stderr" == *"umon.out: programs "*", places "* ]]
	run -127 uprofile retinst ./nothing
	[ "$output" = "uprofile: ./nothing: no such program" ] ||
		[[ "$output" == "uprofile: ./nothing: "* ]]
}

@test "a word that is neither a statistic nor a program" {
	need_engine
	run -127 uprofile -cpu ev5 issues retInst true
	[ "$output" = "uprofile: retInst: no such program; it is a statistic\
 not of ev5, but of ev6, ev67, ev7: see -cpu" ]
	run -127 uprofile abort_per_ret nosuch true
	[ "$output" = "uprofile: nosuch: no such program; nor is it a statistic\
 of ev67" ]
	run -127 uprofile -- retinst true
	[ "$output" = "uprofile: retinst: no such program" ]
}

@test "files" {
	need loops
	mkdir there
	run -5 uprofile -dirname there -exact retinst "$target"
	run -5 uprofile --dirname=there -pids -exact retinst "$target"
	[ "$(ls there | wc -l)" -eq 2 ]
	ls there | grep -qx 'umon.out.[0-9]*'
	run -5 uprofile -each -exact retinst "$target"
	[ -e umon.out.0 ]
	run -125 uprofile -dirname nowhere retinst "$target"
	[[ "$output" == *nowhere/umon.out* ]]
	echo junk >bad
	run -125 prof "$target" bad
	[[ "$output" == "prof: bad: line 1: not a profile" ]]
	echo "pmcsim-umon 9" >bad
	run -125 prof "$target" bad
	[[ "$output" == *": line 1: a profile of a version that is not known" ]]
	head -c 100 there/umon.out >bad
	run -125 prof bad
	[[ "$output" == "prof: bad: line "* ]]
}

@test "shown at once" {
	need loops
	run -5 uprofile -exact -display retinst "$target"
	[[ "$output" == *"4002"*" twice (loops.S)"* ]]
	run -5 uprofile -exact -totals retinst "$target"
	[[ "$output" == *"6009  retinst" ]]
	# The command as it was given, but in a line.
	cp "$target" $'a\nb'
	run -5 uprofile -exact -totals retinst $'./a\nb'
	[ "${lines[1]}" = "   uprofile -exact -totals retinst ./a?b" ]
	cp umon.out $'u\nv'
	run -0 prof -totals $'u\nv'
	[ "${lines[2]}" = "   of u?v, on ev67: ./a?b" ]
}

make_forever() {
	cat >forever.c <<-'END'
	#include <unistd.h>
	int main(void)
	{
		if (write(1, "ready\n", 6) == 6)
			for (;;)
				;
		return 1;
	}
	END
	cc -o forever forever.c || skip "no compiler"
}

@test "an interrupted program" {
	need_engine
	make_forever
	mkfifo ready
	uprofile -period 1000 retinst ./forever >ready &
	read -r line <ready
	[ "$line" = ready ]
	kill -TERM $!
	status=0
	wait $! || status=$?
	[ "$status" -eq 143 ]
	grep -qx 'state partial' umon.out
	prof -totals >totals
	prof -asm >/dev/null
	[ "$(ls -A | grep -c 'umon')" -eq 1 ]
}

@test "killed at any time, the profile is whole or as it was" {
	need loops
	run -5 uprofile -exact retinst "$target"
	cp umon.out before
	make_forever
	mkfifo ready
	uprofile -exact retinst ./forever >ready &
	exec 7<ready
	read -r line <&7
	kill -KILL $!
	wait $! || true
	# The target does not outlive it: the pipe is closed.
	[ -z "$(cat <&7)" ]
	cmp before umon.out
	for try in 1 2 3 4 5 6 7 8 9; do
		rm -f umon.out
		timeout -s KILL 0.0$try uprofile -exact -cpu ev4 cycles \
			"$target" || true
		[ ! -e umon.out ] || prof -totals >totals
	done
}

@test "stopped at any time, the profile is one, if it is empty" {
	need loops
	for try in {1..200}; do
		rm -f umon.out
		timeout -s TERM "$(printf 0.%04d $((try * 2)))" \
			uprofile cycles "$target" >stopped 2>&1 || true
		[ ! -e umon.out ] || prof -totals >totals 2>errors ||
			{ cat errors umon.out >&2 && false; }
	done
}

@test "a target that is killed has its profile up to then" {
	need_engine
	make_forever
	mkfifo ready
	uprofile -exact -pids retinst sh -c 'echo $$; exec ./forever' >ready &
	exec 7<ready
	read -r pid <&7
	read -r line <&7
	kill -KILL "$pid"
	status=0
	wait $! || status=$?
	[ "$status" -eq 137 ]
	mv umon.out.* umon.out
	prof --folded - | grep -qx 'main [0-9]*'
}

@test "what cannot be" {
	need loops
	run -64 uprofile
	run -64 uprofile retinst
	run -64 uprofile retinst -exact "$target"
	[[ "$output" == *"options come before statistics"* ]]
	run -64 uprofile -exact -period 3 "$target"
	run -64 uprofile -stride 3 "$target"
	run -64 uprofile retinst retinst "$target"
	run -64 uprofile -nosuch "$target"
	run -125 uprofile INFLT_REPLAYS "$target"
	[[ "$output" == *"inflt_replays cannot be counted: "* ]]
	run -125 uprofile interrupt "$target"
	[[ "$output" == *"interrupt is accounted "* ]]
	run -125 uprofile early_kill_per_ret "$target"
	[[ "$output" == *"early_kill cannot be counted: "* ]]
	run -64 uprofile -cpu mips34k -each "$target"
	run -64 uprofile -cpus 2 -one "$target"
	run -64 uprofile -each -cpus 2 "$target"
	run -64 uprofile -cpus 17 "$target"
	run -64 uprofile -cpu mips34k -cpus 2 "$target"
	[ "$output" = "uprofile: a CPU of several hardware contexts is the\
 only one (of at most 16), not one of 2" ]
	run -64 uprofile -exact -average "$target"
	[ "$output" = "uprofile: -exact and -average exclude each other" ]
	run -64 uprofile -quiet -v "$target"
	[ "$output" = "uprofile: -quiet and -v exclude each other" ]
	run -64 uprofile -pixie "$target"
	[[ "$output" == *"-exact of uprofile has the frequency"* ]]
	for option in pixstats testcoverage disassemble; do
		run -64 prof -$option
		[[ "$output" == "prof: -"*"$option: "* ]]
	done
	[ ! -e umon.out ]
}

@test "each option has one line of help" {
	for tool in uprofile kprofile prof; do
		$tool --help | sed -n 's/^   *\(-[a-zA-Z], \)\?\(-[a-z-]\+\).*/\2/p' >words
		grep -qx -- -heavy words
		[ -z "$(sort words | uniq -d)" ]
	done
}

@test "options are completed with one dash" {
	uprofile --completion bash >script
	run -0 bash -c '. ./script
		COMP_WORDS=(uprofile -cp) COMP_CWORD=1
		_uprofile; echo "${COMPREPLY[@]}"
		COMP_WORDS=(uprofile -cpu ev6) COMP_CWORD=2
		_uprofile; echo "${COMPREPLY[@]}"'
	[ "$output" = $'-cpu -cpus\nev6 ev67' ]
}

@test "what help shows is completed, and no more" {
	for tool in pc_sweep pc_parse pctr perfex pfmon uprofile kprofile prof; do
		$tool --help | grep -oP '^ {2,6}(-\w, +)?\K--?[\w-]{2,}(?=[= ]|$)' |
			sort >words
		$tool --completion bash | grep -oP -- "COMP|w=\(-W '\K-[^']+" |
			grep -- ^- | tr ' ' '\n' | sort | same words
	done
}

@test "threads on CPUs of their own" {
	need_engine
	cat >apart.c <<-'END'
	#include <pthread.h>
	static void *spin(void *arg)
	{
		for (volatile unsigned i = 0; i < 20000; i++)
			;
		return arg;
	}
	int main(void)
	{
		pthread_t thread[2];
		for (int i = 0; i < 2; i++)
			pthread_create(&thread[i], 0, spin, 0);
		for (int i = 0; i < 2; i++)
			pthread_join(thread[i], 0);
	}
	END
	cc -O1 -pthread -o apart apart.c || skip "no compiler"
	for cpu in ev5 ev6; do
		run -0 uprofile -cpu $cpu -cpus 2 -exact cycles0 ./apart
		prof --folded folded
		[ "$(sum folded)" -eq "$(total cycles0)" ]
		[ "$(cost spin folded)" -gt 80000 ]
		# The same with samples, which look at instructions when threads begin.
		cycles=$(total cycles0)
		run -0 uprofile -cpu $cpu -cpus 2 -period 100 cycles0 ./apart
		[ "$(total cycles0)" -eq "$cycles" ]
	done
	# A child asks the CPU that its parent goes on with for 32 lines and more.
	cat >child.c <<-'END'
	#include <pthread.h>
	#include <string.h>
	#include <sys/wait.h>
	#include <unistd.h>
	static volatile char area[4096];
	static void *child(void *arg)
	{
		if (!fork()) {
			for (int i = 0; i < 4096; i += 128)
				(void)area[i];
			_exit(0);
		}
		wait(NULL);
		return arg;
	}
	int main(void)
	{
		pthread_t thread;
		memset((char *)area, 1, sizeof area);
		pthread_create(&thread, 0, child, 0);
		pthread_join(thread, 0);
	}
	END
	cc -O1 -pthread -o child child.c
	run -0 uprofile -cpu r10000 -cpus 2 -exact EXT_INTERV ./child
	[ "$(total EXT_INTERV)" -ge 32 ]
	run -0 prof --totals
	[[ $output != *"not attributed"* ]]
	# On one CPU, as many cycles, watched or not.
	for cpu in ev5 ev6; do
		run -0 uprofile -cpu $cpu -exact cycles0 ./apart
		cycles=$(total cycles0)
		run -0 uprofile -cpu $cpu -period 100 cycles0 ./apart
		[ "$(total cycles0)" -eq "$cycles" ]
		run -0 uprofile -cpu $cpu -period 10000000 cycles0 ./apart
		[ "$(total cycles0)" -eq "$cycles" ]
	done
}

# 32 lines that one CPU has written are read by another, and written again.
@test "what processors of a 21164 ask each other for" {
	need_engine
	cat >share.c <<-'END'
	#include <pthread.h>
	static volatile char area[32][128] __attribute__((aligned(8192)));
	static void *look(void *arg)
	{
		for (int i = 0; i < 32; i++)
			(void)area[i][0];
		return arg;
	}
	int main(void)
	{
		pthread_t thread;
		for (int i = 0; i < 32; i++)
			area[i][0] = 1;
		pthread_create(&thread, 0, look, 0);
		pthread_join(thread, 0);
		for (int i = 0; i < 32; i++)
			area[i][0] = 2;
	}
	END
	cc -O1 -pthread -static -o share share.c || skip "no compiler"
	local event
	for event in ev5:systemreadrequests ev5:scachesharedwrites \
		ev56:systeminvalidates pca56:sysreadflushhits; do
		run -0 uprofile -cpu ${event%:*} -cpus 2 -exact \
			${event#*:} ./share
		[ "$(total ${event#*:})" -ge 32 ]
		[ "$(total ${event#*:})" -lt 150 ]
		run -0 uprofile -cpu ${event%:*} -exact ${event#*:} ./share
		[ "$(total ${event#*:})" -eq 0 ]
	done
	run -0 uprofile -cpu pca56 -cpus 2 -exact sysreadflushhits \
		sysreadflushmisses ./share
	# Two of each line: to share it, and to give it up.
	[ "$(total sysreadflushmisses)" -ge 64 ]
	[ "$(total sysreadflushhits)" -le "$(total sysreadflushmisses)" ]
}

# The first thread stores to blocks, which wait in its CPU's write buffer while
# the second one, on the other CPU, forks: the child has a copy that is not its.
@test "what waits on another CPU is counted once when a process forks" {
	need_engine
	cat >waits.S <<-'END'
	#include "start.x86_64.inc"
		begin
		movl	$56, %eax		/* clone: a thread, as asked has */
		movl	$0x350f00, %edi
		leaq	number(%rip), %rdx
		movq	%rdx, %r10
		leaq	(%rdx), %rsi
		xorl	%r8d, %r8d
		syscall
		testl	%eax, %eax
		jz	2f
		leaq	blocks(%rip), %rsi
		.rept	BLOCKS
		movl	%eax, (%rsi)
		subq	$-64, %rsi
		.endr
		movl	%eax, %edx		/* futex: wait for its end */
		movq	%r10, %rdi
		xorl	%esi, %esi
		xorl	%r10d, %r10d
		movl	$202, %eax
		syscall
		finish
	2:	movl	$1000, %ecx
	3:	decl	%ecx
		jnz	3b
		movl	$57, %eax		/* fork */
		syscall
		finish
		.bss
		.balign	8192
	blocks:	.space	4096
	number:	.space	128
	END
	local none waits
	for blocks in 0 1 2 3; do
		cc -nostdlib -static -no-pie -DBLOCKS=$blocks \
			-I "$BATS_TEST_DIRNAME/known" -o waits waits.S ||
			skip "not an x86-64 host"
		run -0 uprofile -cpu ev5 -cpus 2 -exact scachewrites1 ./waits
		waits=$(total scachewrites1)
		[ $((waits - ${none:=$waits})) -eq "$blocks" ]
	done
}
