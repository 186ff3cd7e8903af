#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The Alphas' tables: identities of their events on any program, and programs
# whose counts are worked out by hand (in tests/known, where they say what
# they do).

load helper

setup_file() {
	"$BATS_TEST_DIRNAME/known/build.sh" "$BATS_FILE_TMPDIR"
	cat >"$BATS_FILE_TMPDIR/sum.c" <<-'END'
		#include <stdio.h>
		static double cell[5000];
		int main(void)
		{
			unsigned x = 1;
			double sum = 0;
			for (int i = 0; i < 20000; i++) {
				x = x * 1103515245 + 12345;
				cell[x % 5000] += x / 7;
				sum += cell[i % 5000] / 3;
			}
			return printf("%g\n", sum) < 0;
		}
	END
	alpha-linux-gnu-gcc -O1 -o "$BATS_FILE_TMPDIR/sum.alpha" \
		"$BATS_FILE_TMPDIR/sum.c" 2>/dev/null || true
}

setup() {
	export HOME=$BATS_TEST_TMPDIR XDG_STATE_HOME=$BATS_TEST_TMPDIR/state
	unset PMCSIM_MACHINE
	cd "$BATS_FILE_TMPDIR"
	[ -x "$build/tests/alpha/totals" ] || skip "not built"
	need_engine
	seq 3000 >numbers
}

# count CPU COMMAND...: each event into the variable of its name
count() {
	local name value

	"$build/tests/alpha/totals" "$BATS_TEST_TMPDIR/output" "$@" \
		>"$BATS_TEST_TMPDIR/shown"
	while read -r name value; do
		declare -g "$name=$value"
	done <"$BATS_TEST_TMPDIR/output"
}

# are EXPRESSION...: each of them holds
are() {
	local e

	for e; do
		(( e )) || {
			echo "$e does not hold:"
			cat "$BATS_TEST_TMPDIR/output"
			return 1
		}
	done
}

identities_ev4() {
	count ev4 "$@"
	are 'issues * 2 - dualissues * 2 + dualissues + pipedry + pipefrozen
	     - cycles <= 1' \
	    'issues * 2 - dualissues * 2 + dualissues + pipedry + pipefrozen
	     - cycles >= -1' \
	    'cycles - issues - nonissues <= 1' 'cycles >= issues + nonissues' \
	    'cycles > 0' 'palcycles == 0'
}

identities_ev5() {
	count "$@"
	are 'singleissues + dualissues + tripleissues + quadissues +
	     nonissues + pipedry == cycles0' 'cycles0 == cycles2' \
	    'singleissues + 2 * dualissues + 3 * tripleissues +
	     4 * quadissues == issues' \
	    'splitissue <= singleissues + dualissues + tripleissues' \
	    'replay == ldureplays + fullreplays' 'cycles0 > 0'
}

# What an odd number of single issues leaves over is half a count.
@test "issues and non-issues of an EV4 make its cycles" {
	identities_ev4 sort -r numbers
	identities_ev4 gzip -c numbers
	identities_ev4 awk '{ s += $1 / 3 } END { print s }' numbers
	[ ! -e sum.alpha ] || identities_ev4 ./sum.alpha
}

@test "issues of an EV5 by their number make its cycles and instructions" {
	local cpu
	for cpu in ev5 ev56 pca56; do
		identities_ev5 $cpu sort -r numbers
		identities_ev5 $cpu gzip -c numbers
		identities_ev5 $cpu awk '{ s += $1 / 3 } END { print s }' numbers
		[ ! -e sum.alpha ] || identities_ev5 $cpu ./sum.alpha
	done
}

@test "caches behind the first level of the EV5 family" {
	count ev5 sort -r numbers
	are 'scacheacc == scachereads + scachewrites1' \
	    'scachewrites1 == scachewrites2' \
	    'scachemisses == scachereadmisses + scachewritemisses' \
	    'bcacheref == scachemisses + scachevictim' \
	    'sysreqs <= bcachemisses + bcachevictim' 'bcachemisses > 0' \
	    'sysreqs > bcachevictim'
	count pca56 sort -r numbers
	are 'bcachedreads == bcachedreadhits + bcachedreadfills' \
	    'bcachereads == bcachereadhits + bcachereadfills' \
	    'bcachewrites == bcachewritehits + bcachewritefills' \
	    'bcachecleanwritehits <= bcachewritehits' 'bcachedreadfills > 0'
}

# See tests/known/third.x86_64.S: the line that is stored to leaves a board's cache
# of one way and 2 MB.
@test "lines that leave a PCA56's cache" {
	local cpu
	[ -e third.x86_64 ] || skip "no compiler for x86-64"
	count pca56 ./third.x86_64
	are 'bcachevictims == 10' 'bcachedreads == 200' 'bcachewrites == 10' \
	    'bcachedreadfills == 200' 'bcachedreadhits == 0' \
	    'bcachewritefills == 10' 'bcachecleanwritehits == 0'
	count pca56 ./levels.x86_64
	are 'bcachevictims == 0' 'bcachedreadhits == 4096' \
	    'bcachedreadfills == 4096' 'bcachecleanwritehits == 4096' \
	    'bcachewritehits == 4096' 'bcachereads == 8192 + 3' \
	    'bcachereadhits == 4096 + 1' 'bcachereadfills == 4096 + 2'
	# The board's 4 MB behind a second level.
	for cpu in ev5 ev56; do
		count $cpu ./third.x86_64
		are 'bcachevictim == 10'
	done
}

@test "a count of the EV6 goes for both its cycles" {
	count ev6 gzip -c numbers
	are 'cycles0 == cycles1' 'retinst > 0' 'retdtb1miss % 2 == 0'
	count ev67 gzip -c numbers
	are 'cycles0 == cycles1' 'retire == retinst' 'valid == retire'
}

need_alpha() {
	[ -e loop.alpha ] || skip "no Alpha compiler"
}

# Integer operations: lda, a round of three, two at the end; half of the
# instructions is what an EV4 calls issues.  An EV5 fetches four in a group, the
# branch in another one than the rest, which issue two, one and one; but lda with
# the first and the other two of the first round together, and behind the last
# one, two and one.  A group that issues in parts is split once.  The pipe is dry
# while the line comes from memory, behind each branch that is taken, and behind
# the one that is wrong.
@test "a loop, instruction by instruction" {
	need_alpha
	count ev4 ./loop.alpha
	are 'issues == 2002' 'branches == 1000' 'loads == 0' 'stores == 0' \
	    'intops == 3003' 'floatops == 0' 'icache == 1' 'dcache == 0' \
	    'mispredicts == 1' 'novictims == 1' 'victims == 0' \
	    'dualissues == 1' 'pipedry == 44 + 999 + 4' 'pipefrozen == 0' \
	    'nonissues == 4002 / 2 + pipedry' 'cycles == 4003 + pipedry'
	count ev5 ./loop.alpha
	are 'issues == 4004' 'flowchanges == 1000' 'loads == 0' \
	    'stores == 0' 'intops == 3003' 'floatops == 0' \
	    'icachemisses == 1' 'itbmisses == 1' 'dtbmisses == 0' \
	    'pcmispredicts == 0' 'branchmispredicts == 1' 'dcacheacc == 0' \
	    'icacheacc == 2000' 'singleissues == 2000' 'dualissues == 1002' \
	    'tripleissues == 0' 'quadissues == 0' 'splitissue == 1001' \
	    'lockedloads == 0' 'scacheacc == 1' 'bcacheref == 1' \
	    'sysreqs == 1' 'longstalls == 1' \
	    'pipedry == 112 + 999 + 5' 'cycles0 == 3002 + pipedry'
	count ev6 ./loop.alpha
	are 'retinst == 4004' 'retcondbranch == 1000' 'retunaltrap == 0' \
	    'retdtb1miss == 0' 'retitbmiss == 1'
}

# 401 loads; 100 no-ops take 50 cycles on an EV5, so that the four loads of
# the first round find the line on its way, and 100 on an EV4, where it is
# there.  The first load is counted twice there.
@test "loads and stores of one line" {
	need_alpha
	count ev4 ./access.alpha
	are 'loads == 402' 'stores == 200' 'dcache == 1' 'issues == 453' \
	    'intops == 204' 'floatops == 0'
	count ev5 ./access.alpha
	are 'loads == 401' 'stores == 200' 'dcacheacc == 601' \
	    'dcacheldmisses == 5' 'ldsmerged == 4' 'dtbmisses == 1' \
	    'issues == 906' 'intops == 204'
	count ev6 ./access.alpha
	are 'retinst == 906' 'retdtb1miss == 2'
}

# Five deep fits the return stack of an EV5, not that of an EV4.
@test "calls and returns" {
	need_alpha
	count ev4 ./call.alpha
	are 'branches == 210' 'mispredicts == 21'
	count ev5 ./call.alpha
	are 'flowchanges == 210' 'pcmispredicts == 0' 'branchmispredicts == 1'
	count ev6 ./call.alpha
	are 'retcondbranch == 10'
}

# All 900 loads chase one another out of a cache with one way; the next
# instruction reads what each has loaded.  9 lines of data, and 4 of code; 7
# lines of 64 bytes.  Each round of 4 or 5 loads waits for memory the first
# time.
@test "lines that chase one another out" {
	need_alpha
	count ev4 ./conflict.alpha
	are 'dcache == 900' 'loads == 1800' 'novictims == 13' 'victims == 0'
	count ev5 ./conflict.alpha
	are 'dcacheldmisses == 900' 'loads == 900' 'ldureplays == 900' \
	    'fullreplays == 0' 'replay == 900' 'ldsmerged == 0' \
	    'dtbmisses == 5' 'scachemisses == 7' 'bcachemisses == 7' \
	    'longstalls == 7' 'branchmispredicts == 2' \
	    'scachereads == 900 + 4' 'scachereadmisses == 7'
	count ev6 ./conflict.alpha
	are 'retdtb1miss == 10' 'retcondbranch == 200'
}

# What an EV67's ProfileMe has of loop.alpha.S: a round's first three instructions
# arrive together, its branch a cycle later.  Each issues a cycle behind that,
# is done in the next one and retires in the one behind: 3 cycles in flight.  In
# the first round the count waits for lda, and what is behind it for the count.
# Behind a branch that was wrong all has retired: 1 + 2 + 3 + 4 retire while the
# four are in flight; otherwise those of the round before do, too, but none for
# the branch but that round's: 5 + 6 + 7 + 5; 15 in the first round.  Local
# histories of none to ten outcomes are new, so the first eleven are wrong,
# and the last one.  A wrong one delays what is behind it for 8 cycles; the page of
# code 7, its line 100, and 3 until something retires.
@test "instructions in flight" {
	need_alpha
	count ev67 ./loop.alpha
	are 'mispredict == 12' 'trap == 12 + 1' \
	    'cycles == 3 + 3 + 4 + 4 + 4 + 999 * 4 * 3 + 3 * 3' \
	    'inflt_retires == 15 + 11 * 10 + 988 * 23 + 6' \
	    'abort == 3 * 4 + 11 * 2 * 4' 'delay == 7 + 100 + 3 + 12 * 8' \
	    'cycles0 == delay + 3 + 999 * 2 + 1'
}

# Jumps through a register are never predicted; loads that are locked are four a
# round; the rest behind each group of barrier.alpha.S has two FP operations.
# The last round's three are the only ones that issue so, as its branch ends a
# group.
@test "locked loads, jumps, FP operations, triple issues" {
	local cpu
	need_alpha
	for cpu in ev5 ev56 pca56; do
		count $cpu ./failsc.alpha
		are 'lockedloads == 400'
		count $cpu ./barrier.alpha
		are 'floatops == (10 + 700 + 1) * 2' 'tripleissues == 1' \
		    'dualissues == 1' 'singleissues == 101' \
		    'issues == 4 * 710 + 3 + 2 + 101'
		[ -e indirect.x86_64 ] || continue
		count $cpu ./indirect.x86_64
		are 'pcmispredicts == 50' 'branchmispredicts == 1' \
		    'flowchanges == 150'
	done
	count ev4 ./barrier.alpha
	are 'floatops == (10 + 700 + 1) * 2'
}

# On an EV5 a load issues a cycle before its barrier, which waits for the rest
# of memory's latency, twice.  The second of three stores sets the write buffer
# going: two cycles for each of them, the last of which are over four cycles
# behind the barrier.  On an EV4 they are three cycles apart, and each takes
# five: the barrier, nine cycles behind the first store, comes before 18.
@test "memory barriers wait for loads and the write buffer" {
	local cpu few
	need_alpha
	for cpu in ev5:112 ev56:100 pca56:96; do
		count ${cpu%:*} ./barrier.alpha
		are "memorybarriers == 2 * (${cpu#*:} - 1) + 100 * 4" \
		    'memorybarriers <= nonissues' 'quadissues == 710' \
		    'cycles0 == singleissues + dualissues + tripleissues +
		     quadissues + nonissues + pipedry'
	done
	count ev4 ./barrier.alpha
	few=$pipefrozen
	alpha-linux-gnu-gcc -nostdlib -static -DROUNDS=200 \
		-Wl,--section-start=.bss=0x20000000 -o barriers.alpha \
		"$BATS_TEST_DIRNAME/known/barrier.alpha.S"
	count ev4 ./barriers.alpha
	are "pipefrozen - $few == 100 * 9"
}

# What a third pass takes: each of 4096 lines of 64 bytes, or 8192 of 32, as
# long as the level behind the first one, or the board's cache behind an EV5's
# S-cache, takes to read it.
@test "lines come from behind one after the other" {
	local cpu few missed
	need_alpha
	alpha-linux-gnu-gcc -nostdlib -static -DPASSES=3 \
		-Wl,--section-start=.bss=0x20000000 -o streams.alpha \
		"$BATS_TEST_DIRNAME/known/stream.alpha.S"
	count ev4 ./stream.alpha
	few=$cycles
	count ev4 ./streams.alpha
	are "cycles - $few == 8192 * 10"
	for cpu in pca56:8192*8 ev6:4096*10 ev7:4096*4; do
		count ${cpu%:*} ./stream.alpha
		few=$cycles0
		count ${cpu%:*} ./streams.alpha
		are "cycles0 - $few == ${cpu#*:}"
	done
	for cpu in ev5:20 ev56:24; do
		count ${cpu%:*} ./stream.alpha
		few=$cycles0 missed=$scachemisses
		count ${cpu%:*} ./streams.alpha
		are "cycles0 - $few == ${cpu#*:} * (scachemisses - $missed)" \
		    "scachemisses - $missed > 3000"
	done
}

# reads LOADS: a program that loads from so many lines of one page, and waits
# for none of them.
reads() {
	{
		echo '.globl _start; .align 6'
		echo '_start: ldah $1,0x2000($31)'
		for i in $(seq "$1"); do
			echo "ldq \$$((i + 1)),$((i * 256))(\$1)"
		done
		echo 'lda $0,1; clr $16; callsys'
		echo '.bss; .skip 8192'
	} >reads.S
	alpha-linux-gnu-gcc -nostdlib -static \
		-Wl,--section-start=.bss=0x20000000 -o "reads$1.alpha" reads.S
	count pca56 "./reads$1.alpha"
}

# The first finds nothing on its way, the second one, all others two or more.
@test "misses of a PCA56 while others are on their way" {
	need_alpha
	reads 1
	are 'readmisstwo == 0' 'readmissthree == 0'
	reads 2
	are 'readmisstwo == 1' 'readmissthree == 0'
	reads 5
	are 'readmisstwo == 1' 'readmissthree == 3' 'fullreplays == 0'
	# Six have room.
	reads 8
	are 'fullreplays == 2' 'replay == 2'
}

# Each of 2048 stores is the only one of its block, and the level behind has a
# line of 64 bytes for two of them.  The last ones are written behind the end;
# what waits when a process forks is written once.
@test "each store that waits in a write buffer is written" {
	local cpu
	[ -e write.x86_64 ] || skip "no compiler"
	count ev4 ./write.x86_64
	are 'novictims == 2049' 'victims == 0'
	for cpu in ev5 ev56; do
		count $cpu ./write.x86_64
		are 'scachewrites1 == 2048' 'scachewritemisses == 1024'
	done
	count pca56 ./write.x86_64
	are 'bcachewrites == 2048' 'bcachewritefills == 1024'
	cat >fork.S <<-'END'
		.globl _start
	_start:	mov %eax, area
		mov %eax, area+32
		mov %eax, area+64
		mov $57, %eax
		syscall
		mov $-1, %rdi
		xor %esi, %esi
		xor %edx, %edx
		xor %r10d, %r10d
		mov $61, %eax
		syscall
		mov $60, %eax
		xor %edi, %edi
		syscall
		.bss
		.balign 4096
	area:	.skip 4096
	END
	cc -nostdlib -static -no-pie -o fork fork.S
	count ev5 ./fork
	are 'stores == 3' 'scachewrites1 == 3'
}

# built NAME BODY: chain-ROUNDS-COUNT.NAME
built() {
	local rounds n

	for rounds in 1000 2000; do
		for n in 32 64; do
			alpha-linux-gnu-gcc -nostdlib -static \
				-Wl,--section-start=.bss=0x20000000 \
				-DROUNDS=$rounds -DCOUNT=$n ${2:+-DBODY="$2"} \
				-o "chain-$rounds-$n.$1" \
				"$BATS_TEST_DIRNAME/alpha/chain.S"
		done
	done
}

# cycles_of CPU NAME: what 32 more instructions a round take
cycles_of() {
	local rounds n sum=0 value sign=1

	for rounds in 2000 1000; do
		for n in 64 32; do
			count "$1" "./chain-$rounds-$n.$2"
			value=$(awk '$1 ~ /^cycles0?$/ { print $2 }' \
				"$BATS_TEST_TMPDIR/output")
			sum=$((sum + sign * value))
			sign=$((-sign))
		done
		sign=-1
	done
	echo $((sum / 1000)) $((sum % 1000))
}

# The micro-tests that have one answer: cycles of 32 instructions.
@test "chains of instructions take their latencies" {
	need_alpha
	local name body cpu want
	while IFS='|' read -r name body ev4 ev5 ev6; do
		built "$name" "$body"
		for cpu in ev4 ev5 ev6; do
			want=${!cpu}
			run -0 cycles_of $cpu "$name"
			[ "$output" = "$want 0" ] || {
				echo "$name on $cpu: $output, not $want"
				false
			}
		done
	done <<-'END'
	independent||32|16|8
	add|addq $10,1,$10|32|32|32
	load|ldq $10,0($10)|96|64|96
	multiply|mull $10,$10,$10|672|256|224
	addt|addt $f2,$f31,$f2|192|128|128
	divt|divt $f2,$f3,$f2|2016|704|480
	END
}
