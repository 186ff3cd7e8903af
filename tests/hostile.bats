#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Targets that damage the machine which counts them: nothing may come of it
# but wrong counts, or a sentence.

load helper

setup_file() {
	cc -O1 -static -o "$BATS_FILE_TMPDIR/hostile" \
		"$BATS_TEST_DIRNAME/hostile/hostile.c"
}

setup() {
	need_engine
	export HOME=$BATS_TEST_TMPDIR
	cd "$BATS_TEST_TMPDIR"
	hostile=$BATS_FILE_TMPDIR/hostile
}

damaged="the command has damaged the machine on which it ran"

# The tool has written its report or said a sentence, and its status is its
# own or that of the target, which kills itself; it was not killed, and has not
# written anything else.
survives() {
	run timeout -s KILL 60 "$@"
	case $status in
	125) [[ $output == *"${1}: $damaged"* ]] ;;
	137) [[ $output == *[0-9]* && $output != *"$damaged"* ]] ;;
	*) echo "status $status: $output" >&2 && false ;;
	esac
}

@test "the machine cannot be cut off" {
	run -0 pc_sweep --csv --output counts -ui "$hostile" cut
	[ "$output" = "Operation not permitted" ]
	grep -q INSTR counts
}

@test "a segment that is there in part is not touched" {
	run -0 pc_sweep --csv --output counts -ui "$hostile" extend
	[ -z "$output" ]
	grep -q INSTR counts
}

@test "a lock that is not given back is taken away, and a doubt" {
	run -137 --separate-stderr timeout -s KILL 60 \
		pc_sweep --json --output counts -ui "$hostile" hold
	[[ $stderr == *"pc_sweep: note: a process of the command has kept the machine's lock, which was taken from it; counts may be wrong"* ]]
	grep -q '"doubts":\[{"name":"lock_broken",' counts
}

@test "a machine that is not there any more is told in a sentence" {
	run -125 --separate-stderr pc_sweep -ui "$hostile" clear
	[ "$stderr" = "pc_sweep: $damaged" ]
}

@test "what tools ask of a machine is in order" {
	cat >quick.c <<-'END'
	int main(void) { return 0; }
	END
	cc -o quick quick.c
	run -0 perfex -a -mp ./quick
	run -0 pctr ./quick
	run -0 pfmon -e IA64_INST_RETIRED,CPU_CYCLES ./quick
	for what in ev4:cycles ev67:cycles ev67:retinst ev7:cycles \
	    p6:CPU_CLK_UNHALTED mips34k:CYCLES itanium2:CPU_CYCLES; do
		for exact in -quiet -exact; do
			run -0 uprofile $exact -cpu ${what%:*} ${what#*:} \
				./quick
		done
	done
	run -0 pc_sweep --balance --modes --once -ui ./quick
}

@test "words at random do no harm to any tool" {
	for seed in {1..12}; do
		for part in page head; do
			survives pc_sweep -ui "$hostile" $part $seed
		done
	done
	for seed in {1..4}; do
		survives perfex -a -mp "$hostile" head $seed
		survives pctr "$hostile" head $seed
		survives pfmon -e IA64_INST_RETIRED "$hostile" head $seed
		rm -f umon.out
		run timeout -s KILL 60 uprofile cycles "$hostile" head $seed
		[ "$status" -eq 125 ] || prof -totals umon.out
	done
}
