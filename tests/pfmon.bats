#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pfmon(1) and itanium_pmu(4).

load helper
load guest

setup_file() {
	"$BATS_TEST_DIRNAME/guest/build.sh" "$BATS_FILE_TMPDIR"
	"$BATS_TEST_DIRNAME/known/build.sh" "$BATS_FILE_TMPDIR/known"
}

# value EVENT CPU PROGRAM: the count of an event
value() {
	pfmon --cpu "$2" -e "$1" --outfile "$HOME/count" -- "./$3"
	sed -n "s/^ *\([0-9]*\) $1\$/\1/p" "$HOME/count"
}

# is EVENT CPU PROGRAM COUNT
is() {
	local count

	count=$(value "$1" "$2" "$3")
	[ "$count" = "$4" ] || {
		echo "$3 on $2: $1 is $count, not $4"
		false
	}
}

# A round of the loop is one bundle, dec nop jnz.  Before it stand mov, dec
# and the first jnz: dec needs what mov makes, so these are two bundles with
# three no-ops.  The last three instructions fill one bundle.
@test "known counts: retired instructions and no-ops" {
	local cpu
	need_program spin1000.x86_64
	for cpu in itanium itanium2 madison; do
		is IA64_INST_RETIRED $cpu spin1000.x86_64 $((2004 + 999 + 3))
		is NOPS_RETIRED $cpu spin1000.x86_64 $((999 + 3))
		is INST_DISPERSED $cpu spin1000.x86_64 3006
		[ $cpu = itanium ] ||
			is IA64_INST_RETIRED_THIS $cpu spin1000.x86_64 3006
		is IA64_INST_RETIRED $cpu spin3000.x86_64 $((6004 + 2999 + 3))
	done
}

# A round issues in one cycle; Itanium loses another to the taken branch.
@test "known counts: cycles" {
	local cpu cycles short long
	need_program spin1000.x86_64
	while read -r cpu cycles; do
		short=$(value CPU_CYCLES "$cpu" spin1000.x86_64)
		long=$(value CPU_CYCLES "$cpu" spin3000.x86_64)
		[ $((long - short)) -eq $((2000 * cycles)) ]
	done <<-'END'
	itanium 2
	itanium2 1
	madison 1
	END
}

# Each round is a cycle with three slots: more than 2, not more than 3.
@test "known counts: cycles by how much retires in them" {
	local threshold rounds short long
	need_program spin1000.x86_64
	while read -r threshold rounds; do
		short=$(pfmon -e 8 --event-thresholds "$threshold" -- \
			./spin1000.x86_64 | awk '{ print $1 }')
		long=$(pfmon -e 8 --event-thresholds "$threshold" -- \
			./spin3000.x86_64 | awk '{ print $1 }')
		[ $((long - short)) -eq "$rounds" ]
	done <<-'END'
	0 6000
	1 2000
	2 2000
	3 0
	7 0
	END
}

# access.x86_64.S has the numbers: 402 loads, 400 stores, 100 branches.
# See tests/known/misaligned.x86_64.S.
@test "known counts: misaligned accesses" {
	local cpu p=known/misaligned.x86_64
	need_program $p
	for cpu in itanium itanium2 madison; do
		is MISALIGNED_LOADS_RETIRED $cpu $p 200
		is MISALIGNED_STORES_RETIRED $cpu $p 200
	done
}

@test "known counts: loads, stores, branches, predictions" {
	local p=known/access.x86_64
	need_program known/access.x86_64
	is LOADS_RETIRED itanium $p 402
	is STORES_RETIRED itanium $p 400
	is DATA_REFERENCES_RETIRED itanium $p 802
	is BRANCH_PREDICTOR_ALL_ALL_PREDICTIONS itanium $p 100
	is BRANCH_TAKEN_SLOT_2 itanium $p 99
	is BRANCH_NOT_TAKEN itanium $p 1
	is LOADS_RETIRED itanium2 $p 402
	is STORES_RETIRED itanium2 $p 400
	is BR_MISPRED_DETAIL_ALL_ALL_PRED itanium2 $p 100
	# Hints say taken: right at first, wrong at the end.
	is BR_PATH_PRED_IPREL_OKPRED_TAKEN itanium2 $p 99
	is BR_PATH_PRED_IPREL_MISPRED_NOTTAKEN itanium2 $p 1
	is BR_PATH_PRED_IPREL_MISPRED_TAKEN itanium2 $p 0
	is BR_PATH_PRED_IPREL_OKPRED_NOTTAKEN itanium2 $p 0
	is BR_MISPRED_DETAIL_ALL_WRONG_PATH itanium2 $p 1
}

# Jumps to one place through a register are wrong the first time, loops the
# last time; eight returns are remembered.
@test "known counts: right predictions by kind of branch" {
	local p=known/indirect.x86_64
	need_program $p
	is BRANCH_PREDICTOR_ALL_CORRECT_PREDICTIONS itanium $p 148
	is BR_MISPRED_DETAIL_ALL_CORRECT_PRED itanium2 $p 148
	is BR_MISPRED_DETAIL_IPREL_CORRECT_PRED itanium2 $p 99
	is BR_MISPRED_DETAIL_NTRETIND_CORRECT_PRED itanium2 $p 49
	is BR_MISPRED_DETAIL_RETURN_CORRECT_PRED itanium2 $p 0
	p=known/call.x86_64
	is BRANCH_PREDICTOR_ALL_CORRECT_PREDICTIONS itanium $p 209
	is BR_MISPRED_DETAIL_IPREL_CORRECT_PRED madison $p 109
	is BR_MISPRED_DETAIL_RETURN_CORRECT_PRED madison $p 100
}

@test "what packed programs have not is zero" {
	local p=known/access.x86_64
	need_program $p
	is ALAT_CAPACITY_MISS_ALL itanium2 $p 0
	is RSE_REFERENCES_RETIRED_ALL itanium2 $p 0
	is PREDICATE_SQUASHED_RETIRED itanium $p 0
	is BUS_LOCK_SELF itanium known/lock.x86_64 0
}

# Four loads of one set of four ways, and one store, which brings no line.
@test "known counts: reads, lines on the bus, cycles of wrong paths" {
	local p=known/dirty.x86_64
	need_program $p
	is L1D_READS_RETIRED itanium $p 400
	is L1D_READ_MISSES_RETIRED itanium $p 4
	is L2_DATA_REFERENCES_READS itanium $p 4
	is L3_READS_DATA_READS_MISS itanium $p 4
	is BUS_RD_DATA_SELF itanium $p 4
	is BUS_RD_INVAL_BST_SELF itanium $p 1
	is PIPELINE_BACKEND_FLUSH_CYCLE itanium $p 9
	is PIPELINE_BACKEND_FLUSH_CYCLE itanium known/indirect.x86_64 18
	is BRANCH_PREDICTOR_ALL_WRONG_TARGET itanium known/indirect.x86_64 1
}

# See tests/known/serial.x86_64.S.  The first page of code takes 19 cycles,
# its line 150 from memory, and the loop's branch, which the decoder
# finds, 2.  Of dirty.x86_64.S five lines are in five
# pages of the first TLB, 4 cycles each, and three of the second, 15.
@test "known counts: what serializes, and bubbles by all their names" {
	local cpu
	need_program known/serial.x86_64
	for cpu in itanium2 madison; do
		is SERIALIZATION_EVENTS $cpu known/serial.x86_64 10
		is SERIALIZATION_EVENTS $cpu known/access.x86_64 0
		is BACK_END_BUBBLE_L1D_FPU_RSE $cpu known/dirty.x86_64 65
		is BE_L1D_FPU_BUBBLE_ALL $cpu known/dirty.x86_64 65
	done
	is FE_BUBBLE_ALL itanium2 known/serial.x86_64 171
	is FE_BUBBLE_IMISS itanium2 known/serial.x86_64 150
	is FE_BUBBLE_ALLBUT_IBFULL itanium2 known/serial.x86_64 171
	is FE_BUBBLE_GROUP2 itanium2 known/serial.x86_64 $((171 - 2))
}

# all_are CPU PROGRAM: each event on stdin counts what stands behind it
all_are() {
	cat >"$HOME/want"
	# shellcheck disable=SC2046
	pfmon --cpu "$1" $(sed 's/ .*//; s/^/-e /' "$HOME/want") \
		--outfile "$HOME/counts" -- "./$2"
	awk '{ print $2, $1 }' "$HOME/counts" | same "$HOME/want"
}

# See tests/known/levels.x86_64.S.  All accesses miss the first two levels, those
# of the first walk the third as well; one line of code that is not there yet
# when the last walk begins finds the third one's.  The stores leave as many
# dirty lines as the second level has.  A page that misses the first TLB takes 4
# cycles, one that misses the second 15 more.  Each loop's branch is found by
# the decoder the first time, which takes 2 cycles, and is wrong the last time,
# which takes 6.  The system's pages are four of the first TLB's.
@test "known counts: what is behind an Itanium 2's first level" {
	local p=known/levels.x86_64
	need_program $p
	all_are itanium2 $p <<-'END'
	L1D_READS_SET0 8192
	L1D_READS_SET1 8192
	DATA_REFERENCES_SET0 12288
	DATA_REFERENCES_SET1 12288
	L1D_READ_MISSES_ALL 8192
	L1I_FILLS 2
	L2_INST_DEMAND_READS 2
	L2_REFERENCES 12290
	L2_MISSES 12290
	L2_DATA_REFERENCES_L2_ALL 12288
	L2_DATA_REFERENCES_L2_DATA_READS 8192
	L2_DATA_REFERENCES_L2_DATA_WRITES 4096
	L3_REFERENCES 14338
	L3_MISSES 4097
	L3_LINES_REPLACED 0
	L3_READS_DATA_READ_ALL 8192
	L3_READS_DATA_READ_HIT 4096
	L3_READS_DATA_READ_MISS 4096
	L3_READS_INST_FETCH_ALL 2
	L3_READS_INST_FETCH_HIT 1
	L3_READS_INST_FETCH_MISS 1
	L3_READS_DINST_FETCH_ALL 2
	L3_READS_DINST_FETCH_HIT 1
	L3_READS_DINST_FETCH_MISS 1
	L3_READS_ALL_ALL 8194
	L3_READS_ALL_HIT 4097
	L3_READS_ALL_MISS 4097
	L3_WRITES_DATA_WRITE_ALL 4096
	L3_WRITES_DATA_WRITE_HIT 4096
	L3_WRITES_L2_WB_ALL 2048
	L3_WRITES_L2_WB_HIT 2048
	L3_WRITES_ALL_ALL 6144
	L3_WRITES_ALL_HIT 6144
	BUS_DATA_CYCLE 81940
	BUS_ALL_ANY 4097
	BUS_ALL_SELF 4097
	BUS_MEM_READ_BRL_SELF 4097
	L1DTLB_TRANSFER 352
	L2DTLB_MISSES 32
	DTLB_INSERTS_HPW 32
	DTLB_INSERTS_HPW_RETIRED 32
	HPW_DATA_REFERENCES 33
	ITLB_MISSES_FETCH_ALL 1
	ITLB_MISSES_FETCH_L1ITLB 1
	ITLB_MISSES_FETCH_L2ITLB 1
	L1ITLB_INSERTS_HPW 1
	BE_L1D_FPU_BUBBLE_L1D_TLB 1536
	BE_L1D_FPU_BUBBLE_L1D_HPW 480
	FE_BUBBLE_TLBMISS 19
	FE_BUBBLE_BRANCH 6
	FE_BUBBLE_GROUP1 6
	BE_FLUSH_BUBBLE_ALL 18
	BE_FLUSH_BUBBLE_BRU 18
	BE_BR_MISPRED_DETAIL_ANY 3
	BR_PATH_PRED_ALL_MISPRED_NOTTAKEN 3
	BR_PATH_PRED_ALL_OKPRED_TAKEN 12285
	CPU_CPL_CHANGES 68
	END
}

# See tests/known/begun.x86_64.S.
@test "known counts: a line on an Itanium 2's bus when the program ends" {
	local p=known/begun.x86_64
	need_program $p
	all_are itanium2 $p <<-'END'
	BUS_ALL_ANY 2
	BUS_DATA_CYCLE 26
	END
}

# See tests/known/third.x86_64.S.  Of 210 lines the third level keeps the last 12.
# The one that is stored to goes to memory in each round.  No reader waits for
# loads, so the bus has lines to bring when the program ends.  The last load
# waits for the fill buffer of the 16th before it, whose line is there 150 + 3 *
# 2 cycles after it has the bus; its own has the bus 16 lines and a write, 17 *
# 20 cycles, after that one's, for 20, and the program ends 9 cycles after it
# issues (a load, a branch, 6 for its misprediction, the end).  222 * 20 - (17 *
# 20 + 20 - 156 - 9):
@test "known counts: what is behind an Itanium 2's third level" {
	local p=known/third.x86_64
	need_program $p
	all_are itanium2 $p <<-'END'
	L2_REFERENCES 213
	L2_MISSES 212
	L3_REFERENCES 222
	L3_MISSES 212
	L3_LINES_REPLACED 198
	L3_READS_DATA_READ_MISS 200
	L3_READS_ALL_MISS 202
	L3_WRITES_DATA_WRITE_MISS 10
	L3_WRITES_L2_WB_HIT 10
	L3_WRITES_L2_WB_MISS 0
	L3_WRITES_ALL_ALL 20
	L3_WRITES_ALL_MISS 10
	BUS_DATA_CYCLE 4245
	BUS_ALL_ANY 222
	BUS_MEMORY_ALL_ANY 222
	BUS_MEMORY_ALL_SELF 222
	BUS_MEMORY_EQ_128BYTE_ANY 222
	BUS_MEMORY_EQ_128BYTE_SELF 222
	BUS_MEM_READ_ALL_ANY 212
	BUS_MEM_READ_ALL_SELF 212
	BUS_MEM_READ_BRL_ANY 202
	BUS_MEM_READ_BRL_SELF 202
	BUS_MEM_READ_BRIL_ANY 10
	BUS_MEM_READ_BRIL_SELF 10
	BUS_RD_DATA_ANY 200
	BUS_WR_WB_ALL_ANY 10
	BUS_WR_WB_ALL_SELF 10
	BUS_WR_WB_EQ_128BYTE_ANY 10
	BUS_WR_WB_EQ_128BYTE_SELF 10
	BE_L1D_FPU_BUBBLE_L1D_TLB 84
	BE_L1D_FPU_BUBBLE_L1D_HPW 315
	END
}

# The same on an Itanium, with lines of 64 bytes in a second level of 96 kB, of
# which every other one holds nothing, and pages of 16 kB.  Its third level of
# four ways has lost the line that is stored to when the second one's six are
# full.
@test "known counts: what is behind an Itanium's first level" {
	local p=known/levels.x86_64
	need_program $p
	all_are itanium $p <<-'END'
	L1I_FILLS 3
	L2_INST_DEMAND_READS 3
	L2_REFERENCES 12291
	L2_MISSES 12291
	L2_DATA_REFERENCES_ALL 12288
	L3_REFERENCES 15619
	L3_MISSES 4098
	L3_READS_DATA_READS_ALL 8192
	L3_READS_DATA_READS_HIT 4096
	L3_READS_INST_READS_ALL 3
	L3_READS_INST_READS_HIT 1
	L3_READS_INST_READS_MISS 2
	L3_READS_ALL_READS_ALL 8195
	L3_READS_ALL_READS_HIT 4097
	L3_READS_ALL_READS_MISS 4098
	L3_WRITES_DATA_WRITES_ALL 4096
	L3_WRITES_DATA_WRITES_HIT 4096
	L3_WRITES_L2_WRITEBACK_ALL 3328
	L3_WRITES_L2_WRITEBACK_HIT 3328
	L3_WRITES_ALL_WRITES_ALL 7424
	L3_WRITES_ALL_WRITES_HIT 7424
	DTC_MISSES 32
	DTLB_MISSES 32
	DTLB_INSERTS_HPW 32
	ITLB_MISSES_FETCH 1
	ITLB_INSERTS_HPW 1
	CPU_CPL_CHANGES 68
	DATA_ACCESS_CYCLE 1120
	BRANCH_PATH_ALL_NT_OUTCOMES_INCORRECTLY_PREDICTED 3
	BRANCH_PATH_ALL_TK_OUTCOMES_CORRECTLY_PREDICTED 12285
	BRANCH_PREDICTOR_ALL_WRONG_PATH 3
	END
	p=known/third.x86_64
	all_are itanium $p <<-'END'
	L3_LINES_REPLACED 216
	L3_WRITES_DATA_WRITES_MISS 10
	L3_WRITES_L2_WRITEBACK_MISS 10
	L3_WRITES_ALL_WRITES_MISS 20
	BUS_ALL_ANY 223
	BUS_ALL_SELF 223
	BUS_BURST_ANY 223
	BUS_BURST_SELF 223
	BUS_MEMORY_ANY 223
	BUS_MEMORY_SELF 223
	BUS_RD_ALL_ANY 213
	BUS_RD_ALL_SELF 213
	BUS_RD_DATA_ANY 200
	BUS_RD_INVAL_BST_ANY 10
	BUS_WR_WB_ANY 10
	BUS_WR_WB_SELF 10
	END
}

# See tests/known/indirect.x86_64.S and call.x86_64.S: jumps through a register
# are taken as predicted, if not where to.  14 branches are found by the decoder
# once: 7 calls, 6 returns, the loop's.
@test "known counts: an Itanium 2's branches by kind" {
	local p=known/indirect.x86_64
	need_program $p
	all_are itanium2 $p <<-'END'
	BR_MISPRED_DETAIL_ALL_WRONG_TARGET 1
	BR_MISPRED_DETAIL_IPREL_ALL_PRED 100
	BR_MISPRED_DETAIL_IPREL_WRONG_PATH 1
	BR_MISPRED_DETAIL_IPREL_WRONG_TARGET 0
	BR_MISPRED_DETAIL_NTRETIND_ALL_PRED 50
	BR_MISPRED_DETAIL_NTRETIND_WRONG_TARGET 1
	BR_PATH_PRED_ALL_OKPRED_TAKEN 149
	BR_PATH_PRED_NRETIND_OKPRED_TAKEN 50
	BE_BR_MISPRED_DETAIL_ANY 2
	BE_FLUSH_BUBBLE_ALL 12
	FE_BUBBLE_BRANCH 4
	END
	p=known/call.x86_64
	all_are itanium2 $p <<-'END'
	BR_MISPRED_DETAIL_IPREL_ALL_PRED 110
	BR_MISPRED_DETAIL_RETURN_ALL_PRED 100
	BR_MISPRED_DETAIL_RETURN_WRONG_TARGET 0
	BR_PATH_PRED_ALL_OKPRED_TAKEN 209
	BR_PATH_PRED_RETURN_OKPRED_TAKEN 100
	FE_BUBBLE_BRANCH 28
	END
}

# See tests/known/branch.x86_64.S.  A branch that is taken enters the buffer,
# with a counter for each pattern of four outcomes that says taken first.  Three
# forward branches are wrong when they are taken first; the two that alternate
# are wrong twice when they are not, behind patterns that are new, and the loop
# at its end.
@test "known counts: paths of an Itanium's branches" {
	local p=known/branch.x86_64
	need_program $p
	all_are itanium2 $p <<-'END'
	BR_PATH_PRED_ALL_MISPRED_TAKEN 3
	BR_PATH_PRED_ALL_MISPRED_NOTTAKEN 5
	BR_PATH_PRED_ALL_OKPRED_TAKEN 296
	BR_PATH_PRED_ALL_OKPRED_NOTTAKEN 196
	END
	all_are itanium $p <<-'END'
	BRANCH_PATH_ALL_TK_OUTCOMES_INCORRECTLY_PREDICTED 3
	BRANCH_PATH_ALL_NT_OUTCOMES_INCORRECTLY_PREDICTED 5
	BRANCH_PATH_ALL_TK_OUTCOMES_CORRECTLY_PREDICTED 296
	BRANCH_PATH_ALL_NT_OUTCOMES_CORRECTLY_PREDICTED 196
	END
}

# more PROGRAM CPU: reads events, and what 200 rounds more of its loops add to them
more() {
	local event want few many

	while read -r event want; do
		few=$(value "$event" "$2" "${1}100")
		many=$(value "$event" "$2" "${1}300")
		[ $((many - few)) -eq "$want" ] || {
			echo "$2: $event is $((many - few)) more, not $want"
			false
		}
	done
}

# A load reads an address that the one before it has loaded, and an addition adds
# to the sum before it.  On an Itanium 2 that takes 2 and 4 cycles, in one of which
# something issues; on an Itanium 2 and 5, of which the taken branch has one.
@test "known counts: what instructions wait for one another" {
	local rounds
	cat >wait.S <<-'END'
		.globl _start
	_start:	lea cell, %rsi
		mov $ROUNDS, %ecx
		.balign 32
	1:	mov (%rsi), %rsi
		dec %ecx
		jnz 1b
		mov $ROUNDS, %ecx
		.balign 32
	2:	addsd %xmm1, %xmm0
		dec %ecx
		jnz 2b
		mov $60, %eax
		xor %edi, %edi
		syscall
		.data
		.balign 64
	cell:	.quad cell
	END
	for rounds in 100 300; do
		cc -nostdlib -static -no-pie -DROUNDS=$rounds \
			-o wait$rounds wait.S || skip "no compiler"
	done
	more wait itanium2 <<-'END'
	CPU_CYCLES 1200
	BACK_END_BUBBLE_ALL 800
	BE_EXE_BUBBLE_ALL 800
	BE_EXE_BUBBLE_GRALL 200
	BE_EXE_BUBBLE_FRALL 600
	BACK_END_BUBBLE_FE 0
	DISP_STALLED 800
	FP_OPS_RETIRED 200
	L1I_READS 400
	END
	more wait itanium <<-'END'
	CPU_CYCLES 1400
	UNSTALLED_BACKEND_CYCLE 400
	DEPENDENCY_ALL_CYCLE 600
	PIPELINE_ALL_FLUSH_CYCLE 400
	FP_OPS_RETIRED_LO 200
	L1I_DEMAND_READS 400
	END
}

# In a round 24 loads of one register, one a cycle, ask for lines that are in no
# cache, and the last is waited for.  An Itanium 2 has 16 buffers: the line of load
# k comes k * 20 + 150 cycles behind the first load, its buffer is free 6 later, so
# that the last issues at 296 and not 23, and what needs it at 610 and not 297.
# Each round is on another page of the first TLB, and four are on one of the
# second.  An Itanium has 8: k * 24 + 120 and 9, 489 and not 23, and 672 and not 491;
# its page takes 35 cycles.
@test "known counts: loads that fill an Itanium's buffers" {
	local rounds
	cat >many.S <<-'END'
		.globl _start
	_start:	lea area, %rsi
		mov $ROUNDS, %ecx
		.balign 64
	1:	.set at, 0
		.rept 24
		mov at(%rsi), %rdx
		.set at, at + 128
		.endr
		lea 4096(%rsi,%rdx), %rsi
		dec %ecx
		jnz 1b
		mov $60, %eax
		xor %edi, %edi
		syscall
		.bss
		.balign 16384
	area:	.space 4096 * (ROUNDS + 1)
	END
	for rounds in 100 300; do
		cc -nostdlib -static -no-pie -DROUNDS=$rounds \
			-o many$rounds many.S || skip "no compiler"
	done
	more many itanium2 <<-END
	BE_L1D_FPU_BUBBLE_L1D_L2BPRESS $((200 * (296 - 23)))
	BE_L1D_FPU_BUBBLE_L1D_TLB $((200 * 4))
	BE_L1D_FPU_BUBBLE_L1D_HPW $((50 * 15))
	BE_EXE_BUBBLE_GRALL $((200 * (610 - 297)))
	CPU_CYCLES $((200 * (25 + 296 - 23 + 610 - 297 + 4) + 50 * 15))
	END
	more many itanium <<-END
	MEMORY_CYCLE $((200 * (489 - 23 + 672 - 491) + 50 * 35))
	DATA_ACCESS_CYCLE $((200 * (672 - 491) + 50 * 35))
	END
}

# A jump that changes between two targets in each of ten rounds, and two that do
# not: of the first one the target of the round before is known, which is wrong
# nine times; the loop's branch is wrong at its end.
@test "known counts: direct jumps that an Itanium 2 predicts wrongly" {
	cat >changes.S <<-'END'
		.globl _start
	_start:	mov $10, %ecx
	1:	xorb $1, jump + 1
		jmp jump
		.balign 4096
	jump:	jmp 2f
	2:	nop
		dec %ecx
		jnz 1b
		mov $60, %eax
		xor %edi, %edi
		syscall
	END
	cc -nostdlib -static -no-pie -Wl,-N -o changes changes.S ||
		skip "no compiler"
	all_are itanium2 changes <<-'END'
	BR_MISPRED_DETAIL_IPREL_ALL_PRED 30
	BR_MISPRED_DETAIL_IPREL_CORRECT_PRED 20
	BR_MISPRED_DETAIL_IPREL_WRONG_PATH 1
	BR_MISPRED_DETAIL_IPREL_WRONG_TARGET 9
	END
	is BRANCH_PREDICTOR_ALL_WRONG_TARGET itanium changes 9
}

# Each of 2048 stores is the only one of its block; the last one is written
# behind the end.
@test "known counts: stores that the second level gets" {
	local p=known/write.x86_64
	need_program $p
	is STORES_RETIRED itanium $p 2048
	is L2_DATA_REFERENCES_WRITES itanium $p 2048
	is L2_REFERENCES itanium $p 2049
}

@test "the same in other instruction sets" {
	need_program known/access.mipsel
	is BRANCH_TAKEN_SLOT_2 itanium known/loop.mipsel 999
	is BRANCH_NOT_TAKEN itanium known/loop.mipsel 1
}

@test "what is lost of cycles adds up, what caches get as well" {
	need_program spin1000.x86_64
	pfmon --cpu itanium --outfile "$HOME/count" \
		-e CPU_CYCLES,UNSTALLED_BACKEND_CYCLE,MEMORY_CYCLE \
		-e DEPENDENCY_ALL_CYCLE,INST_ACCESS_CYCLE,PIPELINE_ALL_FLUSH_CYCLE \
		--no-cmd-output -- ls /
	awk '{ sum += $2 == "CPU_CYCLES" ? -$1 : $1 } END { exit sum != 0 }' \
		"$HOME/count"
	pfmon --outfile "$HOME/count" -e BACK_END_BUBBLE_ALL,BACK_END_BUBBLE_FE \
		-e BE_EXE_BUBBLE_ALL,BE_FLUSH_BUBBLE_ALL,BE_L1D_FPU_BUBBLE_ALL \
		--no-cmd-output -- ls /
	awk '{ sum += NR == 1 ? -$1 : $1 } END { exit sum != 0 }' \
		"$HOME/count"
	pfmon --outfile "$HOME/count" -e BE_L1D_FPU_BUBBLE_L1D \
		-e BE_L1D_FPU_BUBBLE_L1D_FULLSTBUF,BE_L1D_FPU_BUBBLE_L1D_L2BPRESS \
		-e BE_L1D_FPU_BUBBLE_L1D_TLB,BE_L1D_FPU_BUBBLE_L1D_HPW \
		--no-cmd-output -- ls /
	awk '{ sum += NR == 1 ? -$1 : $1 } END { exit sum != 0 }' \
		"$HOME/count"
	pfmon --outfile "$HOME/count" -e FE_BUBBLE_ALL,FE_BUBBLE_IMISS \
		-e FE_BUBBLE_TLBMISS,FE_BUBBLE_BRANCH --no-cmd-output -- ls /
	awk '{ sum += NR == 1 ? -$1 : $1 } END { exit sum != 0 }' \
		"$HOME/count"
	pfmon --outfile "$HOME/count" -e L3_READS_ALL_ALL,L3_READS_ALL_HIT \
		-e L3_READS_ALL_MISS --no-cmd-output -- ls /
	awk 'NR == 1 { all = $1 } NR > 1 { parts += $1 }
		END { exit !all || all != parts }' "$HOME/count"
}

@test "the layout, to the character; numbers and header" {
	need_program spin1000.x86_64
	pfmon -e ia64_inst_retired,LOADS_RETIRED -- ./spin1000.x86_64 \
		>"$HOME/out"
	same "$HOME/out" <<-'END'
	                      3006 IA64_INST_RETIRED
	                         0 LOADS_RETIRED
	END
	pfmon --us-counter-format -e 8 -- ./spin1000.x86_64 >"$HOME/out"
	same "$HOME/out" <<-'END'
	                     3,006 IA64_INST_RETIRED
	END
	pfmon --eu-counter-format -e 8 -- ./spin1000.x86_64 >"$HOME/out"
	same "$HOME/out" <<-'END'
	                     3.006 IA64_INST_RETIRED
	END
	pfmon --hex-counter-format --cpu itanium -e L3_READS:DATA_READS:ALL,8 \
		--with-header -- ./spin1000.x86_64 $'a\nb' >"$HOME/out"
	sed -i '1s/ [0-9.]*$/ N/' "$HOME/out"
	same "$HOME/out" <<-'END'
	# pfmon: pmcsim N
	# CPU: itanium
	# command: ./spin1000.x86_64 a?b
	# set0: PMC4=0xb7d08 L3_READS_DATA_READS_ALL, plm=0x8, structural
	# set0: PMC5=0x808 IA64_INST_RETIRED, plm=0x8, structural
	        0x0000000000000000 L3_READS_DATA_READS_ALL
	        0x0000000000000bbe IA64_INST_RETIRED
	END
	pfmon --show-time -e ISB_BUNPAIRS_IN -- ./spin1000.x86_64 \
		>"$HOME/out"
	same "$HOME/out" <<-'END'
	real 0h00m00.001s user 0h00m00.000s sys 0h00m00.001s
	              not modelled ISB_BUNPAIRS_IN
	END
}

@test "gzip: cycles and instructions, the same each time" {
	head -c 20000 "$BATS_TEST_DIRNAME/pfmon.bats" >"$HOME/text"
	for n in 1 2; do
		pfmon -e CPU_CYCLES,IA64_INST_RETIRED --outfile "$HOME/$n" -- \
			gzip -c "$HOME/text" >"$HOME/gz"
		gzip -dc "$HOME/gz" | cmp - "$HOME/text"
	done
	cmp "$HOME/1" "$HOME/2"
	[ "$(wc -l <"$HOME/1")" -eq 2 ]
	grep -qE '^ {0,25}[0-9]{5,26} CPU_CYCLES$' "$HOME/1"
	grep -qE '^ {0,25}[0-9]{5,26} IA64_INST_RETIRED$' "$HOME/1"
}

@test "levels: user, kernel, both, and those of each event" {
	need_program spin1000.x86_64
	pfmon -e CPU_CYCLES,CPU_CYCLES,CPU_CYCLES,CPU_CYCLES \
		--priv-levels u,k,uk,12 -- ./spin1000.x86_64 >"$HOME/out"
	awk '{ n[NR] = $1 } END { exit !(n[1] > 0 && n[2] > 0 &&
		n[1] + n[2] == n[3] && n[4] == 0) }' "$HOME/out"
	[ "$(pfmon -k -- ./spin1000.x86_64)" = "$(sed -n 2p "$HOME/out")" ]
	[ "$(pfmon -u -k -- ./spin1000.x86_64)" = "$(sed -n 3p "$HOME/out")" ]
}

@test "kernel mode that nothing is known of" {
	need_program spin1000.x86_64
	unknown="the ledger has nothing of kernel mode; with --system, its code"
	unknown+=" is executed"
	run -0 --separate-stderr pfmon --priv-levels k,uk,k,k -e \
		L2_MISSES,L3_MISSES,UC_LOADS_RETIRED,BUS_RD_HIT \
		-- ./spin1000.x86_64
	[ "${lines[0]}" = "              not modelled L2_MISSES" ]
	[[ ${lines[1]} =~ ^" "+[1-9][0-9]*" L3_MISSES"$ ]]
	[ "${lines[2]}" = "              not modelled UC_LOADS_RETIRED" ]
	[ "${lines[3]}" = "                         0 BUS_RD_HIT" ]
	[ "${stderr_lines[1]}" = \
		"pfmon: note: L3_MISSES is of user mode only: $unknown" ]
	run -0 --separate-stderr pfmon -k -e 8 -e 18 -- ./spin1000.x86_64
	[ "$stderr" = "pfmon: note: kernel modes are accounts of the ledger; with --system, kernel code is executed" ]
	pfmon -k --csv -e L2_MISSES -- ./spin1000.x86_64 | tr -d '\r' >"$HOME/out"
	[ "$(tail -n 1 "$HOME/out")" = "0,L2_MISSES,203,1,0,,structural,\"$unknown\",./spin1000.x86_64,itanium2,$engine_name,1" ]
}

@test "one processor is asked for nothing in kernel mode, too" {
	need_program spin1000.x86_64
	run -0 --separate-stderr pfmon --cpu itanium -k -e \
		BUS_RD_HITM,BUS_SNOOPS_ANY,BUS_RD_INVAL_SELF -- ./spin1000.x86_64
	[ "$(awk '{ print $1 }' <<<"$output" | xargs)" = "0 0 0" ]
}

@test "sets are runs, and each reads the standard input" {
	echo text >"$HOME/text"
	run -0 --separate-stderr pfmon --outfile "$HOME/out" -e CPU_CYCLES \
		-e IA64_INST_RETIRED -- cat <"$HOME/text"
	[ "$output" = $'text\ntext' ]
	[ "$(awk '{ print $2 }' "$HOME/out")" = \
		$'CPU_CYCLES\nIA64_INST_RETIRED' ]
	pfmon --append --outfile "$HOME/out" --no-cmd-output -- cat \
		<"$HOME/text" >"$HOME/nothing"
	[ ! -s "$HOME/nothing" ]
	[ "$(wc -l <"$HOME/out")" -eq 3 ]
}

@test "sets read a pipe one after the other, or each all of what is kept" {
	local sets="-e CPU_CYCLES -e IA64_INST_RETIRED --outfile $HOME/count"

	run -0 --separate-stderr bash -c "echo a | pfmon $sets cat"
	[ "$output" = a ]
	[[ "${stderr_lines[0]}" =~ ^"pfmon: note: the runs differ, from "[0-9]+" to "[0-9]+" instructions, so figures of different runs do not match exactly"$ ]]
	[ "${stderr_lines[1]}" = "pfmon: note: standard input is no file: each run reads what those before it have left; --keep-input lets each read all of it" ]
	run -0 --separate-stderr bash -c "echo a | pfmon --keep-input $sets cat"
	[ "$output" = $'a\na' ]
	[ -z "$stderr" ]
	run -64 --separate-stderr pfmon --keep-input --no-cmd-output true
	[ "$stderr" = "pfmon: --keep-input: with --no-cmd-output the command has no input" ]
}

@test "events that cannot be, or not together" {
	local words sentence
	while IFS='|' read -r words sentence; do
		# shellcheck disable=SC2086
		run -1 pfmon $words -- true
		[ "$output" = "pfmon: $sentence" ] || {
			echo "$words: $output"
			false
		}
	done <<-'END'
	-e NO_SUCH_EVENT|event NO_SUCH_EVENT not found
	-e CPU_CYCLES:FOO|event CPU_CYCLES:FOO not found
	-e CPU_CYCLES,CPU_CYCLES,CPU_CYCLES,CPU_CYCLES,CPU_CYCLES|cannot configure events: set0 events incompatible or too many events
	--cpu itanium -e CPU_CYCLES -e 8,8,8|cannot configure events: set1 events incompatible or too many events
	END
	run -0 pfmon --cpu itanium --check-events-only -e CPU_CYCLES,8,8
	[ -z "$output" ]
	run -0 pfmon --cpu itanium --check-events-only --verbose \
		-e CPU_CYCLES,CPU_CYCLES,8,8
	[ "${lines[0]}" = "pfmon: set0: PMC6=0x1208 CPU_CYCLES" ]
	[ "${lines[2]}" = "pfmon: set0: PMC4=0x808 IA64_INST_RETIRED" ]
}

@test "options that make no sense here are refused by name" {
	local words sentence
	while IFS='|' read -r words sentence; do
		# shellcheck disable=SC2086
		run -64 pfmon $words -- true
		[ "$output" = "pfmon: $sentence" ] || {
			echo "$words: $output"
			false
		}
	done <<-'END'
	--system-wide|--system-wide: a machine has no processes but those of the command, and one CPU
	--attach-task 1|--attach-task: a machine has no processes but those of the command, and one CPU
	-t 5|--session-timeout: the events of a set are counted from the command's start to its end
	--smpl-module x|--smpl-module: pfmon of pmcsim counts and takes no samples
	--trigger-code-stop-address 1|--trigger-code-stop-address: breakpoints start and stop nothing here
	--follow-fork|--follow-fork: all processes and threads of the command are counted
	--irange 0-16|--irange: no monitor is bound to addresses here: events count wherever they happen
	--opc-match8=0x1|--opc-match8: no monitor is bound to opcodes here: events count whatever the instruction
	--insn-set ia32|--insn-set: the command has one instruction set, and its events are counted
	--excl-idle|--excl-idle: a machine has no idle task that could be excluded
	--excl-intr|--excl-intr: events are not told apart by whether an interrupt is served
	--dont-start|--dont-start: the events of a set are counted from the command's start to its end
	--smpl-per-function|--smpl-per-function: pfmon of pmcsim counts and takes no samples
	--debug|--debug: there is nothing to show; see --verbose
	--priv-levels x|--priv-levels: x is not letters of 0123uk
	--priv-levels u,k|--priv-levels says more than there are events
	--event-thresholds 8|--event-thresholds: 8 is not 0 to 7
	--event-thresholds 1|--event-thresholds: the model does not tell in which cycles CPU_CYCLES happens
	--us-counter-format --hex-counter-format|two formats of numbers are asked for
	--append|--append: behind what? --outfile says it
	--json --csv|--json, --csv and --markdown exclude each other
	--json --show-time|--json, --csv and --markdown have a form of their own
	-l -e CPU_CYCLES|-l, -L, -i and -I count nothing
	-l -i CPU_CYCLES|-l, -L, -i and -I exclude each other
	-i CPU_CYCLES|true: nothing is run
	--check-events-only -e CPU_CYCLES|true: nothing is run
	-e CPU_CYCLES,,CPU_CYCLES|a list has nothing between two commas
	--cpu p6|p6 is not a CPU with the monitors of Itanium
	END
}

@test "results are of all CPUs and processes, asked for or not" {
	need_engine
	make_loop
	run -0 pfmon -e IA64_INST_RETIRED -- ./loop
	counts=$output
	[[ $counts == *" IA64_INST_RETIRED" ]]
	run -0 pfmon --aggr -e IA64_INST_RETIRED -- ./loop
	[ "$output" = "$counts" ]
	run -0 pfmon --aggregate-results \
		-e IA64_INST_RETIRED -- ./loop
	[ "$output" = "$counts" ]
}

@test "as many sets as there are, and no more" {
	local sets=() i
	for ((i = 0; i < 64; i++)); do
		sets+=(-e CPU_CYCLES)
	done
	run -0 pfmon --check-events-only "${sets[@]}"
	run -64 pfmon --check-events-only "${sets[@]}" -e CPU_CYCLES
	[ "$output" = "pfmon: more than 64 sets" ]
}

@test "lists and descriptions" {
	run -0 pfmon --cpu itanium -l
	[ "${#lines[@]}" -eq 230 ]
	run -0 pfmon -l
	[ "${#lines[@]}" -eq 497 ]
	run -64 pfmon -l '['
	[ "$output" = "pfmon: [: not a regular expression" ]
	run -64 pfmon -l a b
	[ "$output" = "pfmon: b: one expression only" ]
	run -64 pfmon -la b
	[ "$output" = "pfmon: b: one expression only" ]
	run -64 pfmon
	[ "$output" = "pfmon: no command to run; see --help" ]
	# Behind the option, as Linux' command has it, or as a word of its own.
	for option in '-l ^cpu_' '-l^cpu_' '--show-events=^cpu_'; do
		# shellcheck disable=SC2086
		run -0 pfmon $option
		[ "$output" = $'CPU_CYCLES\nCPU_CPL_CHANGES' ]
	done
	[ "$(pfmon -Lcpu_cyc)" = "$(pfmon -L cpu_cyc)" ]
	run -0 pfmon --cpu itanium -L L3_READS_DATA_READS_HIT
	[ "$output" = "L3_READS_DATA_READS_HIT                        code=0x7d umask=0x09" ]
	run -0 pfmon --cpu itanium -i nops_retired
	[ "${lines[0]}" = "Name      : NOPS_RETIRED" ]
	[ "${lines[1]}" = "Code      : 0x30" ]
	[ "${lines[2]}" = "Umask     : 0x0" ]
	[ "${lines[3]}" = "Counters  : [ 4 5 ]" ]
	run -0 pfmon -i ISB_BUNPAIRS_IN
	[[ ${lines[6]} == "Reason    : "*streaming* ]]
	run -0 pfmon -i 'CPU_C.*'
	[ "$(grep -c ^Name <<<"$output")" -eq 2 ]
	run -1 pfmon -i FOO
	[ "$output" = "pfmon: event FOO not found" ]
	run -0 pfmon --info
	[ "${lines[0]}" = "CPU       : itanium2" ]
	[ "${lines[2]}" = \
		"Monitors  : PMC4 to PMC7, PMD4 to PMD7 of 47 bits" ]
}

@test "JSON and CSV; the exit status is the command's" {
	command -v python3 >/dev/null || skip "no python3"
	need_program spin1000.x86_64
	run -0 pfmon --json -e 8,ISB_BUNPAIRS_IN -- ./spin1000.x86_64
	python3 - "$output" <<-'END'
	import json, sys
	r = json.loads(sys.argv[1])
	assert r["schema"] == "pmcsim-pfmon/1" and r["cpu"] == "itanium2"
	assert r["command"] == ["./spin1000.x86_64"] and not r["partial"]
	a, b = r["counts"]
	assert a["value"] == 3006 and a["pmc"] == 4 and a["plm"] == 8
	assert b["value"] is None and "streaming" in b["reason"]
	END
	run -0 pfmon --csv -e 8,ISB_BUNPAIRS_IN -- ./spin1000.x86_64
	[ "${lines[0]}" = $'set,name,code,plm,threshold,value,precision,reason,command,cpu,engine,run\r' ]
	[ "${lines[1]}" = $'0,IA64_INST_RETIRED,8,8,0,3006,structural,,./spin1000.x86_64,itanium2,'"$engine_name"$',1\r' ]
	[[ "${lines[2]}" == \
		"0,ISB_BUNPAIRS_IN,"*,8,0,,not-modelled,*streaming*,./spin1000.x86_64,itanium2,$engine_name,1$'\r' ]]
	run -0 pfmon --csv --event-thresholds 2,0 -e 8,8 -- ./spin1000.x86_64
	[[ ${lines[1]} == 0,IA64_INST_RETIRED,8,8,2,*,structural,,./spin1000.x86_64,itanium2,$engine_name,1$'\r' ]]
	[ "${lines[2]}" = $'0,IA64_INST_RETIRED,8,8,0,3006,structural,,./spin1000.x86_64,itanium2,'"$engine_name"$',1\r' ]
	run -0 --separate-stderr pfmon --csv -ku -e 8 -- ./spin1000.x86_64
	[[ ${lines[1]} == 0,IA64_INST_RETIRED,8,9,0,*,ledger,,./spin1000.x86_64,itanium2,$engine_name,1$'\r' ]]
	run -3 pfmon --outfile "$HOME/out" -- sh -c 'exit 3'
	run -127 pfmon -- no-such-command
}

@test "stopped: sets without a run have no counts" {
	local stop='read -r _ _ _ tool _ </proc/$PPID/stat; kill $tool; sleep 9'

	need_engine
	run -143 pfmon -e 8 -e 8,18 --show-time -- sh -c "$stop"
	[ "${#lines[@]}" -eq 5 ]
	[[ ${lines[0]} == "real "* ]]
	[ "${lines[2]}" = "               not reached IA64_INST_RETIRED" ]
	[ "${lines[4]}" = "partial: the command was stopped" ]
	# The table has a reason for event 1, which is always zero.
	run -143 pfmon --json -e 8 -e 8,1 -- sh -c "$stop"
	[[ ${lines[3]} == *'"value":null,'*'"reason":"not reached"},' ]]
	[[ ${lines[4]} == *'"value":null,'*'"reason":"not reached"}]}' ]]
}

@test "programs of the registers, of each instruction set" {
	local program engine cpu
	for program in ia64.*; do
		engine=${program#ia64.} engine=${engine%.static}
		command -v "qemu-$engine" >/dev/null || continue
		for cpu in itanium itanium2; do
			run -0 --separate-stderr pfmon --cpu $cpu \
				--outfile "$HOME/out" "./$program"
			[ "$output" = done ] || {
				echo "$program on $cpu: $output"
				false
			}
		done
	done
	need_program ia64.x86_64
	run -0 ./ia64.x86_64 outside
	[ "$output" = done ]
	pfmon --outfile "$HOME/out" ./ia64.x86_64 2>"$HOME/err" >&2
	grep -qx 'pfmon: CPU_CYCLES: the command has programmed PMC4 for itself' \
		"$HOME/err"
}

@test "an emulated user that is not root stays at level 3" {
	need_program ia64.x86_64
	pmcsim new --cpu itanium --uid 1000 it
	run -1 pmcsim run it -- ./ia64.x86_64
	[[ $output == *"ia64_set_cpl(cpl) == 0"* ]]
}
