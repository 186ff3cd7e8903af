#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Known answers on other processors than the 34K: the programs say what they
# do, and what comes of it on these is worked out here.

load helper

setup_file() {
	"$BATS_TEST_DIRNAME/known/build.sh" "$BATS_FILE_TMPDIR"
}

setup() {
	export HOME=$BATS_TEST_TMPDIR XDG_STATE_HOME=$BATS_TEST_TMPDIR/state
	unset PMCSIM_MACHINE
	cd "$BATS_FILE_TMPDIR"
	need_engine
	[ -e branch.x86_64 ] || skip "no compiler for x86-64"
}

# counts CPU FUNCTION PROGRAM NUMBER: that function, in user mode
counts() {
	local value
	# shellcheck disable=SC2086
	pctr --cpu "$1" -s 0 -u $2 -- "./$3" 2>"$HOME/report"
	value=$(sed -n 's/^ ctr0 = *\([0-9]*\) .*/\1/p' "$HOME/report")
	[ "$value" = "$4" ] || {
		echo "$1, $3, function $2: $value, not $4"
		false
	}
}

# Five branches of 100 rounds.  A branch that is not in the buffer is predicted
# not taken; one that is taken enters it, strongly taken.
#  always taken: the first time is wrong; found 99 times
#  never taken: right, and never found
#  taken, not, ...: wrong the first time and whenever it is not taken: 51;
#    found 99 times
#  not, taken, ...: right, wrong, then wrong whenever not taken: 50; found 98
#  the loop: first and last: 2; found 99 times
@test "a Pentium's branches" {
	counts p5 12 branch.x86_64 500
	counts p5 13 branch.x86_64 395
	counts p5 14 branch.x86_64 399
	counts p5 15 branch.x86_64 104
}

# The same with patterns of four outcomes, and a decoder that takes backward
# branches: always taken 1; never taken 0, and never in the buffer; the two
# that alternate 3 each until their pattern is known; the loop is found by
# the decoder the first time, and wrong the last time.
@test "a Pentium Pro's branches" {
	counts p6 c4 branch.x86_64 500
	counts p6 c5 branch.x86_64 8
	counts p6 e2 branch.x86_64 105
	counts p6 e6 branch.x86_64 1
}

# A Pentium MMX's, whose patterns of four outcomes begin weakly taken: the two
# that alternate are predicted taken and are not behind 0001 and 0101, then never
# again, and the loop the last time.
@test "branches of a Pentium MMX that were predicted taken and were not" {
	of p55c branch.x86_64 BTB_MISPREDICTION_ON_NOT_TAKEN_BRANCH=5
}

# Ten rounds of nested calls, all returns predicted by the stack of 16; the
# loop's end is wrong once.
@test "a Pentium Pro's returns" {
	counts p6 c5 call.x86_64 1
}

@test "misaligned accesses" {
	counts p5 16 misaligned.x86_64 904
	counts p5 b misaligned.x86_64 400
	counts p6 5 misaligned.x86_64 400
}

# See tests/known/lock.x86_64.S: 200 times twice memory's latency and a beat.
@test "locked accesses of two lines lock the bus" {
	local cpu
	counts p6 63 lock.x86_64 $((200 * 2 * (38 + 3)))
	counts pii 63 lock.x86_64 $((200 * 2 * (45 + 3)))
	counts piii 63 lock.x86_64 $((200 * 2 * (95 + 6)))
	counts p5 1c lock.x86_64 400
	# Each reads two parts of lines and writes them; besides, the program's
	# two lines of code and four of data come.
	for cpu in p6 pii piii; do
		of $cpu lock.x86_64 BUS_TRAN_PWR=400 BUS_TRANS_P=800 \
			BUS_TRAN_BURST=6 BUS_DATA_RCV=$((6 * 4 + 400)) \
			BUS_TRAN_MEM=$((6 + 800)) BUS_TRAN_ANY=$((6 + 800))
	done
	# One after the other.
	pctr --cpu p6 --csv -o cycles -s 0 -u 79 -- ./lock.x86_64
	[ "$(awk -F, '$1 == "ctr0" { print $4 }' cycles)" -ge 16400 ]
}

# See tests/known/atomic.x86.S.  Stores that come while their line does are misses
# of a 34K.
@test "locked instructions load and store, with threads and without" {
	local bits thread program=atomic
	for bits in 64 32; do
		for thread in '' -DTHREAD; do
			# shellcheck disable=SC2086
			cc -m$bits -nostdlib -static -no-pie $thread \
				-o $program \
				"$BATS_TEST_DIRNAME/known/atomic.x86.S"
			of p5 $program DATA_READ=700 DATA_WRITE=700 \
				DATA_READ_MISS=700 DATA_WRITE_MISS=0 \
				LOCKED_BUS_CYCLE=700
			of p6 $program DATA_MEM_REFS=1400 DCU_LINES_IN=700
			of mips34k $program DCACHE_ACCESSES=1400 \
				DCACHE_MISSES=2800 LOAD_INSNS=700 \
				STORE_INSNS=700
		done
	done
}

# See tests/known/evict.mipsel.S: QEMU loads for a store-conditional, too.
@test "store-conditionals that miss" {
	[ -e evict.mipsel ] || skip "no compiler for MIPS"
	of p5 evict.mipsel DATA_READ=300 DATA_WRITE=100 DATA_READ_MISS=300 \
		DATA_WRITE_MISS=100
}

# See tests/known/parts.mipsel.S: QEMU stores byte by byte.
@test "a store of a part of a word is one store" {
	local program
	[ -e parts.mipsel ] || skip "no compiler for MIPS"
	for program in parts.mipsel parts.mips; do
		[ -e $program ] || continue
		of p5 $program DATA_WRITE=200 DATA_WRITE_MISS=200
		of mips34k $program DCACHE_ACCESSES=200 DCACHE_MISSES=400
	done
}

# waits BUFFERS BUS WRONG: cycles that 2048 stores wait for write buffers.  Each
# two cycles there is one, but behind the first a branch is wrong, and before
# each 128th one a page is looked for.
waits() {
	awk -v n="$1" -v bus="$2" -v wrong="$3" 'BEGIN {
		for (i = 0; i < 2048; i++) {
			t += i % 128 ? 0 : 20
			if (i >= n && done[i - n] > t) {
				sum += done[i - n] - t
				t = done[i - n]
			}
			free = free > t ? free : t
			done[i] = free += bus
			t += 2 + (i ? 0 : wrong)
		}
		print sum
	}'
}

# 2048 stores, one per line of 64 kB: without allocation all miss, and none
# comes back.  16 pages of data, one of code.
@test "a Pentium's data cache and TLBs" {
	counts p5 4 write.x86_64 2048
	counts p5 3 write.x86_64 0
	counts p5 19 write.x86_64 "$(waits 2 8 4)"
	counts p55c 19 write.x86_64 "$(waits 4 12 5)"
	counts p5 6 write.x86_64 0
	counts p5 2 write.x86_64 16
	counts p5 d write.x86_64 1
}

# of CPU PROGRAM NAME=NUMBER...: these events count that
of() {
	local cpu=$1 program=$2 want

	shift 2
	[ -x "$build/tests/alpha/totals" ] || skip "not built"
	"$build/tests/alpha/totals" "$HOME/totals" "$cpu" "./$program" \
		>/dev/null
	for want; do
		grep -qx "${want%=*} ${want#*=}" "$HOME/totals" || {
			echo "$cpu, $program: not $want, but"
			grep "^${want%=*} " "$HOME/totals"
			false
		}
	done
}

# tests/known has what they do.  L1D has two ways of 16 kB: three of the five
# lines share a set and miss each time, two quadwords go out with one of them.
# Multiplies and divides graduate twice.
@test "an R10000's and R12000's events" {
	local cpu
	[ -e dirty.mipsel ] || skip "no compiler for MIPS"
	of r10000 dirty.mipsel INSTR_GRAD0=1904 INSTR_GRAD1=1904 \
		LOAD_GRAD=400 STORE_GRAD=100 DCACHE_MISS=302 \
		QW_WB_DCACHE=200 SCACHE_DMISS=5 ICACHE_MISS=2 SCACHE_IMISS=1 \
		TLB_MISS=3 BRANCH_MISP=2 UPGRADE_CLEAN=0 QW_WB_SCACHE=0
	of r10000 muldiv.mipsel INSTR_GRAD0=1406
	of r10000 failsc.mipsel SC_GRAD=500 SC_FAILED=300 LOAD_GRAD=400 \
		STORE_GRAD=700
	of r10000 sync.mipsel LOAD_ISSUED=60 LOAD_GRAD=60
	for cpu in r10000 r10000v2; do
		of $cpu issued.mipsel INSTR_ISSUED=54 INSTR_GRAD0=115 \
			BRANCH_MISP=0
	done
	of r10000 issued.mipsel BRANCH_RESOLVED=30
	of r10000v2 issued.mipsel BRANCH_DECODED=30
	of r12000 issued.mipsel INSTR_DECODED=115 BRANCH_RESOLVED=30
	[ ! -e issued.alpha ] || of r10000 issued.alpha INSTR_ISSUED=22 \
		INSTR_GRAD0=53 BRANCH_RESOLVED=30
	of r12000 sync.mipsel LOAD_DECODED=20 LOAD_GRAD=30
	of r12000 prefetch.mipsel PREFETCH_EXEC=100 LOAD_GRAD=100 \
		LOAD_DECODED=0 INSTR_GRAD=406
	# Two lines of instructions, one of them from memory, and one of data.
	of r12000 failsc.mipsel MHT_MEM_ENTRIES=$((2 * 93)) \
		MHT_OCCUPANCY=$((2 * 93 + 13))
}

# See tests/known/chase.x86_64.S: a load graduates when its line comes, the
# addition a cycle later, and the subtraction in the next one, with the count and
# the branch, which have waited for it: three cycles for each of 64.  In
# far.x86_64.S the load's followers are done and graduate with it: one for each
# of 16.  The two instructions before the loop and the three behind its last
# branch, which is mispredicted, take a cycle each time.
@test "cycles in which an R10000's units get forward" {
	local cpu
	for cpu in r10000 r12000; do
		of $cpu chase.x86_64 FU_PROGRESS_CYCLES=$((1 + 64 * 3 + 1))
		of $cpu far.x86_64 FU_PROGRESS_CYCLES=$((1 + 16 + 1))
	done
}

# jumps CPU TURNS BETWEEN: the cycles of so many turns with a jump, over what is
# between it and where it leads
jumps() {
	cat >"$HOME/jumps.S" <<-END
		.globl	_start
	_start:	mov	\$$2, %ecx
		.balign	64
	1:	jmp	2f
		$3
	2:	dec	%ecx
		jnz	1b
		mov	\$60, %eax
		xor	%edi, %edi
		syscall
	END
	cc -nostdlib -static -o jumps "$HOME/jumps.S"
	if [ "$1" = p6 ]; then
		pctr --cpu p6 -s 0 -u 79 -- ./jumps 2>"$HOME/report"
		sed -n 's/^ ctr0 = *\([0-9]*\) .*/\1/p' "$HOME/report"
	else
		perfex --cpu r10000 -e 0 -o "$HOME/report" ./jumps
		awk '$1 == 0 { print $NF }' "$HOME/report"
	fi
}

# Each of the two branches of a turn is taken, and what it leads to comes a
# cycle late: four cycles, were it what comes next anyway.
@test "a jump to what comes next is a jump" {
	local between
	for between in "" nop; do
		for cpu in p6 r10000; do
			[ $(($(jumps $cpu 2000 "$between") -
			     $(jumps $cpu 1000 "$between"))) -eq 4000 ]
		done
	done
}

# See tests/known/wrong.x86_64.S: what fills the list is of the same mix as the
# rest, 50 of 206 loads, stores and branches; all of the 206 but a no-op, a jump
# and a system call go to a unit.  All branches share an EV6's counter for those
# without a history, so only the first is wrong.
@test "instructions of wrong paths" {
	local cpu other=$((50 * 32 * 50 / 206))
	of r10000 wrong.x86_64 BRANCH_MISP=50 INSTR_ISSUED=$((203 + 50 * 32)) \
		LOAD_ISSUED=$((50 + other)) STORE_ISSUED=$((50 + other)) \
		BRANCH_RESOLVED=$((50 + other)) LOAD_GRAD=50
	of r10000v2 wrong.x86_64 BRANCH_DECODED=$((50 + other))
	of r10000 failsc.mipsel SC_ISSUED=500
	other=$((50 * 48 * 50 / 206))
	of r12000 wrong.x86_64 BRANCH_MISP=50 INSTR_DECODED=$((206 + 50 * 48)) \
		LOAD_DECODED=$((50 + other)) STORE_DECODED=$((50 + other)) \
		BRANCH_RESOLVED=$((50 + other))
	other=$((50 * 40 * 50 / 206))
	for cpu in p6 pii piii; do
		of $cpu wrong.x86_64 BR_MISS_PRED_RETIRED=50 \
			INST_DECODER=$((206 + 50 * 40)) \
			BR_INST_DECODED=$((51 + other)) L2_LD=50 \
			BUS_TRAN_BRD=50
	done
	for cpu in ev67 ev7; do
		of $cpu wrong.x86_64 mispredict=1 abort=80
	done
}

# See tests/known/ways.x86_64.S.
@test "ways of a second level that are looked at first" {
	of r10000 ways.x86_64 ICACHE_MISS=601 DCACHE_MISS=600 \
		SCACHE_IWAY_MISP=$((6 * 99)) SCACHE_DWAY_MISP=$((6 * 99))
	of r12000 ways.x86_64 ICACHE_MISS=601 DCACHE_MISS=600 \
		SCACHE_IWAY_MISP=0 SCACHE_DWAY_MISP=0
}

# See tests/known/float.x86_64.S: a P6 divides integers for 37 cycles, and what
# the x87 has, too.
@test "floating point, and what shares its unit" {
	local cpu
	of p5 float.x86_64 FLOATING_POINT_OPERATIONS=$((39 + 5))
	of p55c float.x86_64 FLOATING_POINT_OPERATIONS=$((39 + 5)) \
		FLOATING_POINT_STALLS_DURATION=312
	for cpu in p6 pii piii; do
		of $cpu float.x86_64 MUL=25 DIV=5 FLOPS=39 \
			FP_COMP_OPS_EXE=$((39 + 7)) \
			CYCLES_DIV_BUSY=$((5 * 37)) INST_RETIRED=54
	done
	for cpu in r10000 r12000; do
		of $cpu float.x86_64 FP_GRAD=39
		of $cpu float.mipsel FP_GRAD=700 LOAD_GRAD=300
		of $cpu sign.mipsel FP_GRAD=20
	done
	of p6 muldiv.x86_64 FLOPS=0 FP_COMP_OPS_EXE=500
}

# See tests/known/full.x86_64.S.  The instructions of the first round come from
# memory as well, line by line, so that its list does not fill.
@test "instructions that a full list keeps out" {
	local cpu
	cc -DSTRIDE=0 -nostdlib -static -no-pie -o full0 \
		"$BATS_TEST_DIRNAME/known/full.x86_64.S" \
		-I "$BATS_TEST_DIRNAME/known"
	for cpu in ev67 ev7; do
		of $cpu full.x86_64 map_stall=39
		of $cpu full0 map_stall=0
	done
}

# The same with no-ops, which have no port to wait for.  16 bytes are fetched at a
# time, three instructions of them in a cycle: 15 in the first 5 cycles, 16 in the
# next 6, so that the 40th comes 13 cycles behind the load, the last of its cycle.
# The load issues in the next cycle, has its line when memory's latency is over
# and leaves a cycle later: what would come 14 cycles behind it can two cycles
# behind the latency.  The 33rd line is the first of a page, and 10 later.  The other
# 82 take 28 cycles, so that a round takes 30 more than memory.
@test "cycles that a Pentium Pro's full list keeps instructions out" {
	local cpu latency rounds
	for rounds in 20 30 40; do
		cc -DFILLER=nop -DROUNDS=$rounds -nostdlib -static -no-pie \
			-I "$BATS_TEST_DIRNAME/known" -o noops$rounds \
			"$BATS_TEST_DIRNAME/known/full.x86_64.S"
	done
	for cpu in p6:38 pii:45 piii:95; do
		latency=${cpu#*:} cpu=${cpu%:*}
		counts $cpu a2 noops40 $((39 * (latency + 2 - 14) + 10))
		[ $(($(count $cpu 79 noops30) - $(count $cpu 79 noops20))) \
			-eq $((10 * (latency + 30))) ]
	done
}

# See tests/known/long.x86_64.S.  A Pentium MMX takes 2 cycles for the first round
# and 2 behind the last one, 5 for each of two branches that are wrong, 20 for a
# page of code and 24 for its line.  Clocks tick 100 times a second, Tru64's 1024:
# each 1.33 million cycles, 2, 2, 3 and 7.33 million, 651367.
@test "cycles, those without an instruction, and ticks of the clock" {
	of p55c long.x86_64 CYCLES_NOT_HALTED=$((7300000 + 1 + 2 + 54)) \
		D1_STARVATION_FIFO_EMPTY=$((2 * 5 + 20 + 24)) \
		HARDWARE_INTERRUPTS=3
	of p5 long.x86_64 HARDWARE_INTERRUPTS=5
	of p6 long.x86_64 HW_INT_RX=7
	of pii long.x86_64 HW_INT_RX=4
	of piii long.x86_64 HW_INT_RX=1
	of ev67 long.x86_64 interrupt=11
}

# See tests/known/third.x86_64.S: all lines are in one set, of four ways or eight.
# A Pentium II loses the line that is stored to from both levels at once, so that
# it comes to the second one again.
@test "lines that leave a second level" {
	local cpu
	of p6 third.x86_64 L2_LINES_OUT=$((210 - 4)) L2_M_LINES_OUTM=10
	of pii third.x86_64 L2_LINES_OUT=$((210 + 10 - 4))
	of piii third.x86_64 L2_LINES_OUT=$((210 - 8))
	for cpu in r10000 r12000; do
		of $cpu third.x86_64 QW_WB_SCACHE=$((10 * 8))
	done
}

# The last store has its buffer when one of two or four is free, so that two or
# four writes are still to come, and the program ends 9 cycles later: the store,
# two instructions that pair, a branch and what its misprediction takes (3
# cycles, 4 with MMX), two that pair, and the end (2 for its prefix, 1).
@test "multiplies, branches taken, segments and lines on Pentiums" {
	of p6 third.x86_64 L2_LD=200 BUS_TRAN_BRD=200 \
		BUS_TRAN_ANY=$((200 + 10 + 10 + 5))
	of p6 call.x86_64 UOPS_RETIRED=$((224 + 100 * 3 + 100 * 3))
	of p6 muldiv.x86_64 MUL=300 DIV=200 CYCLES_DIV_BUSY=$((200 * 37)) \
		BUS_TRAN_IFETCH=2 BUS_DATA_RCV=8 ITLB_MISS=1
	of p6 branch.x86_64 BR_TAKEN_RETIRED=$((100 + 50 + 50 + 99))
	of p6 indirect.x86_64 BR_TAKEN_RETIRED=149 BR_MISS_PRED_TAKEN_RET=1
	of p6 call.x86_64 BR_TAKEN_RETIRED=209 BR_MISS_PRED_TAKEN_RET=0
	of p6 write.x86_64 L2_ADS=$((2049 + 1792)) BUS_TRAN_RFO=2048 \
		BUS_TRAN_BURST=2049 BUS_TRAN_MEM=2049 L2_M_LINES_OUTM=0
	of p5 write.x86_64 BUS_UTILIZATION_CLOCKS=$((2047 * 8 + 9)) \
		AGI_ADDRESS_GENERATION_INTERLOCK=1 CODE_CACHE_MISS=1
	of p55c branch.x86_64 TAKEN_BRANCHES=299
	of p55c write.x86_64 BUS_UTILIZATION_BY_PROCESSOR=$((2045 * 12 + 9)) \
		DATA_TLB_MISS_STALL_DURATION=$((16 * 20))
}

# See tests/known/levels.x86_64.S: 64 pages of 8 kB, whose table is another one, and
# 4 MB behind two lines of code.
@test "what happens to instructions that ProfileMe samples" {
	local cpu
	for cpu in ev67 ev7; do
		of $cpu levels.x86_64 retire=49161 valid=49161 dtb_miss=64 \
			dtb_miss3=1 itb_miss=1 icache_miss=2 cbr_taken=12285 \
			ldst_unalign=0
		of $cpu write.x86_64 retire=8197 dtb_miss=8 cbr_taken=2047
		of $cpu misaligned.x86_64 ldst_unalign=400
	done
	of ev67 levels.x86_64 bcachemisses=4098
}

# The loop is in bytes 12 to 21, and what ends the program goes on in its last
# group, 32 bytes on a Pentium, 16 on a Pentium Pro.
@test "groups of instructions that are fetched" {
	counts p5 c write.x86_64 2048
	counts p6 80 write.x86_64 4096
}

# One line of code, or two; each is waited for as long as memory takes.
@test "lines of code that a Pentium Pro waits for" {
	counts p6 81 write.x86_64 1
	counts p6 86 write.x86_64 38
	counts p6 81 branch.x86_64 2
	counts p6 86 branch.x86_64 76
}

# 2049 lines come in, and 1792 go out of a cache of 256 lines, 1536 of one of
# 512; the bus to the second level has each for 4, 8 or 2 cycles.
@test "lines between the caches of a Pentium Pro, II and III" {
	counts p6 23 write.x86_64 $((2049 * 4))
	counts p6 22 write.x86_64 $(((2049 + 1792) * 4))
	counts pii 23 write.x86_64 $((2049 * 8))
	counts pii 22 write.x86_64 $(((2049 + 1536) * 8))
	counts piii 23 write.x86_64 $((2049 * 2))
	counts piii 22 write.x86_64 $(((2049 + 1536) * 2))
}

# What counts what of MMX code: see tests/known/mmx.x86_64.S.
@test "MMX and SSE instructions of a Pentium MMX, II and III" {
	counts p55c 16 mmx.x86_64 1006
	counts p55c 2d mmx.x86_64 100
	counts p55c 31 mmx.x86_64 100
	counts p55c 34 mmx.x86_64 100
	counts p55c 5 mmx.x86_64 100
	counts pii b0 mmx.x86_64 500
	counts pii ce mmx.x86_64 500
	counts pii cd mmx.x86_64 100
	counts piii cd mmx.x86_64 100
	counts piii d8 mmx.x86_64 200
	counts piii c0 mmx.x86_64 1006
}

# second FUNCTION PROGRAM NUMBER: the same of a Pentium MMX's second counter
second() {
	pctr --cpu p55c -s 1 -u "$1" -- "./$2" 2>"$HOME/report"
	grep -q "^ ctr1 = *$3 " "$HOME/report" || {
		cat "$HOME/report"
		false
	}
}

# Each loop's branch is wrong twice: when it is not known, and at the end.
@test "a Pentium MMX's pipes" {
	counts p55c 2f saturate.x86_64 700
	counts p55c 2b saturate.x86_64 1100
	second 2b saturate.x86_64 100
	counts p55c 2b mmx.x86_64 400
	second 2b mmx.x86_64 100
	counts p55c 35 saturate.x86_64 4
	second 35 saturate.x86_64 2
}

# See tests/known/mmxkinds.x86_64.S.  A unit mask of bits selects all kinds if
# none is given, one that is a number the first.
@test "kinds of MMX and SSE instructions, prefetches, segment registers" {
	local cpu
	second 2d mmxkinds.x86_64 202
	counts p5 f mmxkinds.x86_64 10
	counts pii b0 mmxkinds.x86_64 2504
	for cpu in pii piii; do
		counts $cpu b1 mmxkinds.x86_64 300
		counts $cpu b2 mmxkinds.x86_64 4516
		counts $cpu b3/1 mmxkinds.x86_64 100
		counts $cpu b3/2 mmxkinds.x86_64 200
		counts $cpu b3/4 mmxkinds.x86_64 300
		counts $cpu b3/8 mmxkinds.x86_64 400
		counts $cpu b3/10 mmxkinds.x86_64 601
		counts $cpu b3/20 mmxkinds.x86_64 700
		counts $cpu b3 mmxkinds.x86_64 2301
		counts $cpu cc mmxkinds.x86_64 101
		counts $cpu cc/1 mmxkinds.x86_64 101
		counts $cpu d5/1 mmxkinds.x86_64 2
		counts $cpu d5/2 mmxkinds.x86_64 3
		counts $cpu d5/4 mmxkinds.x86_64 1
		counts $cpu d5/8 mmxkinds.x86_64 4
		counts $cpu d6 mmxkinds.x86_64 10
		counts $cpu 6 mmxkinds.x86_64 10
	done
	counts piii 7 mmxkinds.x86_64 5
	counts piii 7/1 mmxkinds.x86_64 6
	counts piii 7/2 mmxkinds.x86_64 7
	counts piii 7/3 mmxkinds.x86_64 3
	counts piii d8 mmxkinds.x86_64 71
	counts piii d8/1 mmxkinds.x86_64 30
	counts piii d9 mmxkinds.x86_64 50
	counts piii d9/1 mmxkinds.x86_64 20
	grep -q '\[---u d9/1      EMON_KNI_COMP_INST_RET\]' "$HOME/report"
}

# See tests/known/mmxwait.x86_64.S; and in the other one, the sum is stored in
# the cycle behind that in which it is made.
@test "what MMX instructions of a Pentium MMX wait for" {
	counts p55c 38 mmxwait.x86_64 300
	second 38 mmxwait.x86_64 100
	second 38 mmx.x86_64 100
	counts p55c 38 mmx.x86_64 0
}

# See tests/known/mmxdata.x86_64.S.
@test "accesses of a Pentium MMX's MMX instructions" {
	counts p55c 31 mmxdata.x86_64 114
	second 31 mmxdata.x86_64 64
	counts p55c 34 mmxdata.x86_64 32
	second 34 mmxdata.x86_64 32
	counts p55c 36 mmxdata.x86_64 50
	counts p55c b mmxdata.x86_64 100
	counts p55c 4 mmxdata.x86_64 64
	second 36 mmxdata.x86_64 1937
}

# A Pentium waits for what it loads, whether anybody reads it or not.  Ten walks
# of 1024 loads, see tests/known/fit.x86_64.S: a round has two cycles in which
# it issues; a load waits until the line before it has been filled, three beats
# behind its first word, and then for its own first word.  From memory: 16 - 1,
# with the buffer's 6 - 1, 20 in all; of the 8 that are the first of a page 20 for
# the page tables, by when the buffer is free: 35; from the second level: 8 - 1
# and 5, 12.  What a wrong branch takes is gone when the load behind it waits: 5
# before the first of each later walk, 4 before the second load of all.
# 8 * 35 + 1016 * 20 - 4 + 9 * (1024 * 12 - 5).
# With MMX: 24 - 1 and 9 - 1, 31; 43; 12 - 1 and 8, 19; 8 and 5.
@test "a Pentium's loads that miss, and that are not read" {
	counts p5 3 fit.x86_64 10240
	counts p5 1a fit.x86_64 131143
	counts p55c 1a fit.x86_64 206867
}

# See tests/known/order.x86_64.S: 512 + 60 * 7, 768 + 660.
@test "a Pentium's stores that hit behind stores that do not" {
	counts p5 1b order.x86_64 932
	counts p55c 1b order.x86_64 1428
	counts p55c 3b order.x86_64 0
	second 3b order.x86_64 660
}

# As write.x86_64.S, by MMX instructions.
@test "a Pentium MMX's stores of MMX instructions that find no write buffer" {
	sed 's/movl.*%ecx, (/movq %mm0, (/' \
		"$BATS_TEST_DIRNAME/known/write.x86_64.S" >mmxwrite.S
	cc -nostdlib -static -no-pie -I "$BATS_TEST_DIRNAME/known" \
		-o mmxwrite mmxwrite.S
	counts p55c 3b mmxwrite "$(waits 4 12 5)"
	counts p55c 3b write.x86_64 0
}

# See tests/known/blocked.x86_64.S.
@test "a Pentium Pro's loads behind stores" {
	local cpu
	for cpu in p6 pii piii; do
		of $cpu blocked.x86_64 LD_BLOCKS=170
		of $cpu write.x86_64 LD_BLOCKS=0
	done
}

# A load behind a store whose address five multiplications yield, which the next
# ones wait for: 3 + 5 * 4 cycles a round.  Where loads pass such stores, rounds
# overlap.
@test "loads wait for the addresses of stores on a Pentium Pro, II and III" {
	cat >await.S <<-'END'
		.globl _start
	_start:	leaq area(%rip), %rsi
		movl $3, %ebx
		movl $ROUNDS, %ecx
	1:	movl 64(%rsi), %eax
		.rept 5
		imull %ebx, %eax
		.endr
		movl %ecx, (%rsi,%rax)
		decl %ecx
		jnz 1b
		movl $60, %eax
		xorl %edi, %edi
		syscall
		.bss
		.balign 8192
	area:	.space 256
	END
	cycles() {
		cc -nostdlib -static -DROUNDS="$2" -o await await.S
		"$build/pmcsim" stat -x, -e cycles:u --cpu "$1" ./await 2>&1 |
			cut -d, -f1
	}
	for cpu in p6 pii piii; do
		[ $(($(cycles $cpu 2000) - $(cycles $cpu 1000))) = 23000 ]
	done
	for cpu in ev6 cortex-a72 skylake; do
		[ $(($(cycles $cpu 2000) - $(cycles $cpu 1000))) -lt 7000 ]
	done
}

# See tests/known/partial.x86_64.S.
@test "a Pentium Pro's partial register stalls" {
	for cpu in p6 pii piii; do
		counts $cpu d2 partial.x86_64 2400
	done
}

# See tests/known/segment.x86_64.S.  A unit mask of none selects all registers.
@test "a Pentium II's loads of segment registers that wait" {
	for cpu in pii piii; do
		counts $cpu d4/1 segment.x86_64 1200
		counts $cpu d4/2 segment.x86_64 0
		counts $cpu d4/4 segment.x86_64 995
		counts $cpu d4/8 segment.x86_64 2400
		counts $cpu d4 segment.x86_64 4595
	done
}

# Of the calls that are nested six deep, the stack forgets two.  Branches that are
# not taken are predicted taken: the two that alternate twice each until their
# pattern is known, the loop's the last time.
@test "a Pentium MMX's returns" {
	second 3a branch.x86_64 5
	second 3a loop.x86_64 1
	counts p55c 39 call.x86_64 100
	counts p55c 37 call.x86_64 20
	second 37 call.x86_64 80
	grep -q '\[-u- 37 Predicted returns\]' "$HOME/report"
}

# 65536 bytes written, line by line: 2048 lines of 32 bytes.  Of the 512
# that the data cache has room for all are left.
@test "larger first-level caches of later processors" {
	counts p55c 4 write.x86_64 2048
	for cpu in pii piii; do
		counts $cpu 45 write.x86_64 2048
		counts $cpu 47 write.x86_64 1536
	done
}

# See tests/known/banks.x86_64.S; without banks the same takes a cycle less
# for each of the conflicts.
@test "a Pentium's bank conflicts" {
	local tsc
	counts p5 16 banks.x86_64 908
	counts p5 17 banks.x86_64 453
	counts p5 '-c 16' banks.x86_64 455
	counts p5 9 banks.x86_64 301
	counts p5 a banks.x86_64 200
	counts p55c a banks.x86_64 200
	tsc=$(sed -n 's/^  tsc = *//p' "$HOME/report")
	sed '/^ *banks:/d; /^ *bank_bytes:/d' \
		"$PMCSIM_SRCDIR/events/p55c.yaml" >"$HOME/no-banks.yaml"
	counts "$HOME/no-banks.yaml" a banks.x86_64 0
	[ "$(sed -n 's/^  tsc = *//p' "$HOME/report")" -eq $((tsc - 200)) ]
}

# What is stored to without having been loaded stays outside; what has been
# loaded is hit.
@test "a Pentium's stores that hit" {
	counts p5 5 write.x86_64 0
	counts p5 5 access.x86_64 400
	counts p5 4 access.x86_64 0
	counts p5 5 mmx.x86_64 100
}

# by_perfex CPU EVENT: its count, of the program in $program
by_perfex() {
	perfex --cpu "$1" -e "$2" -- "./$program" 2>&1 >"$HOME/out" |
		awk -v n="$2" '$1 == n { print $NF }'
}

# 512 lines of 128 bytes come for data and one for code, and each is waited
# for as long as memory takes; what waits for memory is a miss of the first
# level as well.
@test "misses of an R12000 that wait, and those that wait for memory" {
	local program=write.x86_64 all memory
	all=$(by_perfex r12000 4)
	memory=$(by_perfex r12000 30)
	[ "$(by_perfex r12000 26)" = 512 ]
	[ "$memory" -ge $((513 * 93)) ]
	[ "$all" -gt "$memory" ]
}

# 64 kB, twice the primary cache, are loaded, by 32 bytes or by 128, and stored to:
# going back, or right behind each load.  Each of the 512 lines of the secondary
# cache is clean once.  An R12000 counts requests as well, for lines that came to
# the primary cache when it was: going back, all 1024 that are still there, else
# the first one of each 128 bytes.
@test "stores to clean lines of an R10000's secondary cache" {
	local program=clean stride behind misses requests
	cd "$HOME"
	while read -r stride behind misses requests; do
		cat >clean.S <<-END
			.globl _start
		_start:	lea area(%rip), %rsi
			xor %ecx, %ecx
		1:	mov (%rsi,%rcx), %eax
			.if $behind
			mov %ecx, (%rsi,%rcx)
			.endif
			add \$$stride, %ecx
			cmp \$65536, %ecx
			jne 1b
		2:	sub \$$stride, %ecx
			.if !$behind
			mov %ecx, (%rsi,%rcx)
			.endif
			jnz 2b
			mov \$60, %eax
			xor %edi, %edi
			syscall
			.bss
			.balign 65536
		area:	.space 65536
		END
		cc -nostdlib -static -o clean clean.S ||
			skip "no compiler"
		[ "$(by_perfex r10000 30)" = 512 ]
		[ "$(by_perfex r10000 31)" = 0 ]
		[ "$(by_perfex r12000 31)" = 512 ]
		[ "$(by_perfex r10000 25)" = "$misses" ]
		[ "$(by_perfex r12000 25)" = $((misses + requests)) ]
	done <<-'END'
	32 0 3072 1024
	32 1 2048 512
	128 1 512 512
	END
}

# With allocation the 256 lines of the cache are left at the end, and 1792
# are written back; behind it there is room for all, and one line of code.
@test "what a Pentium Pro's second level is asked for" {
	counts p6 45 write.x86_64 2048
	counts p6 46 write.x86_64 2048
	counts p6 47 write.x86_64 1792
	counts p6 24 write.x86_64 2049
	counts p6 25 write.x86_64 2048
	counts p6 26 write.x86_64 0
	counts p6 2e write.x86_64 3841
	counts p6 2e/m write.x86_64 1792
	counts p6 2a/i write.x86_64 2048
	counts p6 28 write.x86_64 1
	counts p6 66 write.x86_64 2048
	counts p6 67 write.x86_64 0
}

# See tests/known/chase.x86_64.S and far.x86_64.S: 64 and 16 lines of data from
# memory, one after the other; their code has two lines and one, which take the
# bus as long.
@test "misses of a Pentium Pro, II and III, and its bus" {
	local cpu latency bus
	while read -r cpu latency bus; do
		counts "$cpu" 48 chase.x86_64 $((64 * latency))
		counts "$cpu" 48 far.x86_64 $((16 * latency))
		counts "$cpu" 62 chase.x86_64 $(((64 + 2) * bus))
		counts "$cpu" 62 far.x86_64 $(((16 + 1) * bus))
	done <<-'END'
	p6 38 12
	pii 45 12
	piii 95 22
	END
}

# Lines that loads ask for, until the last of their four beats of three cycles,
# not those for stores or instructions.
@test "what a Pentium Pro's bus waits for" {
	counts p6 60 write.x86_64 0
	counts p6 60 chase.x86_64 $((64 * (38 + 3 * 3)))
}

# told FLAGS FUNCTION: what counter 0 of a Pentium Pro counts of the program
told() {
	pctr --cpu p6 -s 0 "$1" "$2" -- ./chase.x86_64 2>"$HOME/report"
	sed -n 's/^ ctr0 = *\([0-9]*\) .*/\1/p' "$HOME/report"
}

# 64 misses of 38 cycles, never two at a time: cycles with one, with none,
# and how often one begins; the bus takes 12 cycles for each line, and for
# two of code.
@test "edges, cycles and inverted cycles of a Pentium Pro's misses" {
	[ "$(told -u 45)" = 64 ]
	[ "$(told -u 48)" = $((64 * 38)) ]
	[ "$(told -u 48+1)" = $((64 * 38)) ]
	[ "$(told -eu 48)" = 64 ]
	[ "$(told -eu 48+1)" = 64 ]
	[ "$(told -iu 48+1)" = $(($(told -u 79) - 64 * 38)) ]
	# The first waits for the page tables as well; then one is asked for each 38
	# cycles and two additions, before all of the line before is here.  The program
	# ends four cycles behind the last: its code has come before, between those of
	# two loads.
	[ "$(told -u 60+1)" = $((2 * (38 + 3 * 3) + 62 * 40 - 5)) ]
	[ "$(told -eu 60)" = 2 ]
	[ "$(told -eu 62)" = 65 ]
	[ "$(told -u 62)" = $((66 * 12)) ]
	run -64 pctr --cpu p6 -s 0 -u 48+2 -- true
	run -64 pctr --cpu p6 -s 0 -eu 48+2 -- true
}

# Ten turns and thirty: each of stosb and movsb takes a cycle, of lodsb three, of
# scasb four, and none waits for the address that the one before has moved on.
@test "a Pentium's string instructions that repeat themselves" {
	local kind each turns
	while read -r kind each; do
		for turns in 10 30; do
			cat >turns.S <<-END
				.globl _start
			_start:	lea area(%rip), %rdi
				lea area+64(%rip), %rsi
				mov \$$turns, %ecx
				xor %eax, %eax
				mov (%rdi), %edx
				mov (%rsi), %edx
				rep $kind
				mov \$60, %eax
				xor %edi, %edi
				syscall
				.bss
				.balign 4096
			area:	.skip 4096
			END
			cc -nostdlib -static -no-pie -o turns$turns turns.S
		done
		counts p55c 1f turns30 0
		[ $(($(count p55c 30 turns30) - $(count p55c 30 turns10))) \
			-eq $((20 * each)) ]
	done <<-'END'
	stosb 1
	movsb 1
	lodsb 3
	scasb 4
	END
	counts p5 1f rep.x86_64 0
}

# count TABLE FUNCTION PROGRAM: prints the count
count() {
	pctr --cpu "$1" -s 0 -u "$2" -- "./$3" 2>&1 >"$HOME/out" |
		sed -n 's/^ ctr0 = *\([0-9]*\) .*/\1/p'
}

# Cycles with one instruction and cycles with two are all cycles that issue,
# and the instructions are theirs.
@test "a Pentium's pipes" {
	local table=$HOME/pipes.yaml one two cycles program
	sed '/^  all:/a\
    - {code: 0x30, name: ONE, label: one, text: one, precision: timing,\
       signals: [issue.1]}\
    - {code: 0x31, name: CYCLES, label: cycles, text: cycles,\
       precision: timing, signals: [cycle.issue]}' \
		"$PMCSIM_SRCDIR/events/p5.yaml" >"$table"
	for program in branch.x86_64 call.x86_64; do
		one=$(count "$table" 30 $program)
		two=$(count "$table" 17 $program)
		cycles=$(count "$table" 31 $program)
		[ "$two" -gt 0 ]
		[ $((one + two)) = "$cycles" ]
		[ $((one + 2 * two)) = "$(count "$table" 16 $program)" ]
	done
}

# Each turn of a string instruction is an access: 4096 stores of eight bytes
# and 4096 of one, as many loads.  The data cache is empty and stays so but for
# the loaded 128 lines.
@test "a Pentium's accesses are hits and misses" {
	cat >strings.S <<-'END'
		.globl _start
	_start:	lea to(%rip), %rdi
		mov $4096, %ecx
		xor %eax, %eax
		rep stosq
		lea to(%rip), %rdi
		lea from(%rip), %rsi
		mov $4096, %ecx
		rep movsb
		mov $60, %eax
		xor %edi, %edi
		syscall
		.bss
		.align 64
	to:	.skip 65536
	from:	.skip 65536
	END
	cc -nostdlib -static -o strings strings.S
	counts p5 0 strings 4096
	counts p5 1 strings 8192
	counts p5 3 strings 128
	counts p5 4 strings 8192
	counts p5 5 strings 0
	counts p5 28 strings 12288
	counts p5 29 strings 8320
	counts p55c 1 strings 8192
	counts p5 0 access.x86_64 402
	counts p5 1 access.x86_64 400
}

# cycles_more CPU PROGRAM: those that 3000 rounds take more than 1000, of PROGRAM3000
# and PROGRAM1000
cycles_more() {
	local rounds

	for rounds in 1000 3000; do
		"$build/tests/alpha/totals" "$HOME/totals$rounds" "$1" \
			"./$2$rounds"
	done
	echo $(($(sed -n 's/^machine_cycles //p' "$HOME/totals3000") - \
		$(sed -n 's/^machine_cycles //p' "$HOME/totals1000")))
}

# 1000 and 3000 rounds of a multiply and mflo, each of what the one before has
# brought: 6 cycles.
@test "a chain of multiplies and mflo on an R10000" {
	local cpu rounds
	[ -x "$build/tests/alpha/totals" ] || skip "not built"
	[ -e muldiv.mipsel ] || skip "no compiler for MIPS"
	for rounds in 1000 3000; do
		cat >chain.S <<-END
			.globl __start
			.set noreorder
		__start:
			li \$8, $rounds
			li \$9, 3
		1:	mult \$9, \$9
			mflo \$9
			bne \$8, \$0, 1b
			addiu \$8, \$8, -1
			li \$4, 0
			li \$2, 4001
			syscall
		END
		mipsel-linux-gnu-gcc -nostdlib -static -mno-abicalls -fno-pic \
			-no-pie -o chain$rounds chain.S
	done
	for cpu in r10000 r10000v2 r12000; do
		[ "$(cycles_more $cpu chain)" = $((2000 * 6)) ]
	done
}

# round CPU INSTRUCTIONS: what a round of four of them takes, in hundredths of a
# cycle each
round() {
	local rounds

	for rounds in 1000 3000; do
		cat >round.S <<-END
			.globl _start
		_start:	lea area(%rip), %rsi
			mov \$$rounds, %ecx
			.balign 64
		1:	.rept 4
			$2
			.endr
			dec %ecx
			jnz 1b
			mov \$60, %eax
			xor %edi, %edi
			syscall
			.bss
			.balign 64
		area:	.space 256
		END
		cc -nostdlib -static -no-pie -o round$rounds round.S
	done
	echo $(($(cycles_more "$1" round) / 80))
}

# Chains through memory: a value, and what one more instruction makes of it; what
# is stored in part; another word of the line.  Then what takes long whether
# anything waits for it or not.
@test "loads get what stores in front of them write" {
	local cpu instructions cycles took bad=0
	[ -x "$build/tests/alpha/totals" ] || skip "not built"
	while IFS=: read -r cpu instructions cycles; do
		took=$(round "$cpu" "$instructions")
		[ "$took" = "$cycles" ] || {
			echo "$cpu, $instructions: $took, not $cycles"
			bad=1
		}
	done <<-'END'
	p6:addl $1, (%rsi):600
	p6:mov %rax, (%rsi); mov (%rsi), %rax:500
	p6:mov %al, (%rsi); mov (%rsi), %eax:1200
	p6:mov %eax, (%rsi); mov 8(%rsi), %ebx:150
	pii:addl $1, (%rsi):600
	piii:mov %rax, (%rsi); mov (%rsi), %rax:500
	ev6:addl $1, (%rsi):400
	ev67:mov %rax, (%rsi); mov (%rsi), %rax:400
	ev7:mov %al, (%rsi); mov (%rsi), %eax:1600
	r10000:addl $1, (%rsi):300
	r12000:mov %rax, (%rsi); mov (%rsi), %rax:300
	r10000v2:mov %al, (%rsi); mov (%rsi), %eax:800
	p6:lock incl (%rsi):2000
	pii:xchg %eax, (%rsi):2000
	p6:mov 60(%rsi), %rax:900
	piii:mov %rax, 60(%rsi):900
	END
	[ "$bad" = 0 ]
}

# precise CPU WORD INSTRUCTION HOW [FLAG]: what each of 2000 more of it takes in a
# chain, once that control word is loaded; -m32: in code of the i386
precise() {
	local end="mov \$60, %eax; xor %edi, %edi; syscall" rounds

	[ "${5:-}" != -m32 ] ||
		end="mov \$1, %eax; xor %ebx, %ebx; int \$0x80"
	for rounds in 1000 3000; do
		cat >precise.S <<-END
			.globl _start
		_start:	fninit
			$4
			mov \$$rounds, %ecx
			fld1
			fld1
			.balign 64
		1:	$3
			dec %ecx
			jnz 1b
			$end
			.data
			.balign 64
		word:	.short $2
			.balign 64
		room:	.space 128
		END
		cc ${5:-} -nostdlib -static -no-pie -o precise$rounds \
			precise.S
	done
	echo $(($(cycles_more "$1" precise) / 2000))
}

# The last of the words rounds another way, in 64 bits.
@test "divides and roots of the x87 take what their precision asks for" {
	local cpu instruction single double extended word cycles took bad=0
	[ -x "$build/tests/alpha/totals" ] || skip "not built"
	while IFS=: read -r cpu instruction single double extended; do
		for word in "0x037f $extended" "0x027f $double" \
		    "0x007f $single" "0x0f7f $extended"; do
			cycles=${word#* }
			took=$(precise "$cpu" "${word% *}" "$instruction" \
				"fldcw word")
			[ "$took" = "$cycles" ] || {
				echo "$cpu, $instruction, $word: $took"
				bad=1
			}
		done
	done <<-'END'
	p5:fdiv %st, %st(1):19:33:39
	p6:fdiv %st(1), %st:18:32:38
	pii:fsqrt:29:58:69
	p55c:fsqrt:70:70:70
	END
	[ "$bad" = 0 ]
}

@test "the x87's control word is known however it is loaded" {
	local flag divide="fdiv %st(1), %st"
	[ -x "$build/tests/alpha/totals" ] || skip "not built"
	for flag in '' -m32; do
		[ "$(precise p6 0x027f "$divide" "fldcw word" $flag)" = 32 ]
		[ "$(precise p6 0x007f "$divide" "fnstenv room;
			movw word, %ax; movw %ax, room; fldenv room" \
			$flag)" = 18 ]
		[ "$(precise p6 0x007f "$divide" "fldcw word; fnsave room" \
			$flag)" = 38 ]
		[ "$(precise p6 0x007f "$divide" "fldcw word; fninit" \
			$flag)" = 38 ]
	done
}

@test "another precision between divides is a doubt" {
	cat >between.S <<-'END'
		.globl _start
	_start:	fld1
		fld1
		fdiv %st(1), %st
		fldcw word
		jmp 1f
	1:	fdiv %st(1), %st
		mov $60, %eax
		xor %edi, %edi
		syscall
		.data
	word:	.short 0x27f
	END
	cc -nostdlib -static -no-pie -o between between.S
	pctr --cpu p6 --json -o counts -s 0 -u 79 -- ./between 2>note
	grep -q "precision" counts
	grep -q "note: the command has changed the x87's precision" note
	sed -i 's/0x27f/0xf7f/' between.S
	cc -nostdlib -static -no-pie -o between between.S
	pctr --cpu p6 --json -o counts -s 0 -u 79 -- ./between 2>note
	grep -q '"doubts":\[\]' counts
}
