#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Both engines count the same.

load helper
load engines

setup_file() {
	"$BATS_TEST_DIRNAME/known/build.sh" "$BATS_FILE_TMPDIR"
}

setup() {
	set_up_engines
	need_engine
	need_native
	[ -x "$signals" ] || skip "not built"
	[ -e loop.x86_64 ] || skip "no compiler for x86-64"
}

# each CPU...: the known programs
each() {
	for program in ./*.x86_64; do
		for cpu in "$@"; do
			same "$cpu" "$program"
		done
	done
}

@test "known programs on the 34K: all signals" {
	each mips34k
}

@test "known programs on Pentiums: all signals" {
	each p5 p55c p6
}

@test "known programs on Alphas: all signals" {
	each ev4 ev5 ev6
}

@test "known programs on a MIPS and on Itaniums: all signals" {
	each r10000 itanium itanium2
}

@test "registers that are saved and restored, and programs with shared libraries" {
	cc -O1 -static -o areas "$BATS_TEST_DIRNAME/engines/areas.c"
	for cpu in mips34k p6; do
		same $cpu ./areas
	done
	printf '%s\n' {1..300} >"$HOME/numbers"
	same mips34k gzip -c "$HOME/numbers"
	same ev6 sort -n "$HOME/numbers"
}

# ... every 3200 cycles.
@test "clock ticks that evict lines" {
	cp -r "$PMCSIM_SRCDIR/events" events
	sed -i 's/^  topology:/  tick_evicts: true\n&/' events/mips34k.yaml
	sed -i 's/^tick_hz: 100 /tick_hz: 10000 /' events/os/linux.yaml
	cc -O1 -static -pthread -o work "$BATS_TEST_DIRNAME/fuzz/work.c"
	"$signals" mips34k native ./work mix 3000 >without
	export PMCSIM_EVENTS=$PWD/events
	"$signals" mips34k native ./work mix 3000 >with
	run -1 diff -q without with
	same mips34k ./work mix 3000
	same mips34k ./work code 600
	same mips34k ./work threads 30
	printf '%s\n' {1..9999} >"$HOME/numbers"
	same mips34k gzip -c "$HOME/numbers"
}

@test "accesses by masks, vectors of indexes, bits' numbers; operands of many parts" {
	local kind cpu

	for kind in MASKLOAD MASKSTORE MASKMOV XLAT BT CX16 ENTER STRING GATHER \
		X87 FMA MOVE; do
		cc -D$kind -nostdlib -static -no-pie -o operands \
			"$BATS_TEST_DIRNAME/engines/operands.S"
		for cpu in mips34k p6 skylake; do
			same $cpu ./operands
		done
	done
}

# Of 1000 bytes there are 32 steps of 32, 63 of 16, 125 of 8; a step of as many or
# none is behind them.
@test "repeated string instructions go by steps, as a processor's table has them" {
	local cpu

	cc -O1 -static -no-pie -o strings "$BATS_TEST_DIRNAME/engines/strings.c"
	./strings >alone
	for cpu in mips34k p6 skylake u74; do
		pmcsim stat --engine native --cpu $cpu -o /dev/null ./strings |
			cmp - alone
	done
	for cpu in mips34k p6 skylake cortex-a53 u74; do
		same $cpu ./strings plain
	done
	cat >copy.S <<-'END'
		.globl _start
		_start:	mov $1000, %ecx
			lea there(%rip), %rdi
			lea there+1024(%rip), %rsi
			rep movsb
			mov $60, %eax
			xor %edi, %edi
			syscall
			.bss
			.balign 64
		there:	.skip 2048
	END
	cc -nostdlib -static -no-pie -o copy copy.S
	for cpu in skylake=32 cortex-a53=63 u74=125 p6=1000; do
		for engine in native qemu; do
			run -0 pmcsim stat --engine $engine --cpu ${cpu%=*} \
				-x, -e L1-dcache-loads:u,L1-dcache-stores:u \
				-e instructions:u ./copy
			[ "${lines[0]%%,*}" = "${cpu#*=}" ]
			[ "${lines[1]%%,*}" = "${cpu#*=}" ]
			[ "${lines[2]%%,*}" = 7 ]
		done
	done
}

@test "repeated string instructions without a model are one round" {
	local engine
	local -a events=(instructions:u branches:u mem_inst_retired.all_loads:u
		mem_inst_retired.all_stores:u)

	cc -O1 -static -no-pie -o strings "$BATS_TEST_DIRNAME/engines/strings.c"
	./strings >alone
	for engine in native qemu; do
		pmcsim stat --engine $engine --no-time -x, "${events[@]/#/-e}" \
			-o strings.$engine ./strings | cmp - alone
		run -0 pmcsim stat --engine $engine --no-time -x, \
			"${events[@]/#/-e}" ./rep.x86_64
		[ "$(cut -d, -f1 <<<"$output" | xargs)" = "1704 200 200 300" ]
	done
	diff strings.native strings.qemu
}

# QEMU has none of AVX-512.  Of 100 rounds, each has five accesses for masks and
# indexes, 9 + 4 + 4 + 2 for what it gathers, and 9 + 4 for what it scatters.
@test "gathers and scatters of AVX-512 access what their masks let them" {
	local cpu

	grep -q avx512vl /proc/cpuinfo || skip "no AVX-512 here"
	cc -DINDEXES -nostdlib -static -no-pie -o operands \
		"$BATS_TEST_DIRNAME/engines/operands.S"
	for cpu in mips34k skylake; do
		run -0 pmcsim stat --engine native --isa v4 --cpu $cpu -x, \
			-e L1-dcache-loads:u,L1-dcache-stores:u ./operands
		[ "${lines[0]%%,*}" = 2400 ]
		[ "${lines[1]%%,*}" = 1300 ]
	done
}

@test "instructions that may leave a register as it was" {
	cc -nostdlib -static -no-pie -o keep "$BATS_TEST_DIRNAME/engines/keep.S"
	./keep
	pc_sweep -ui --engine native --output /dev/null ./keep
	PMCSIM_NATIVE_CALLS=1 pc_sweep -ui --engine native \
		--output /dev/null ./keep
}

@test "handlers of faults that go on elsewhere: all registers are there" {
	cc -O1 -static -o faults "$BATS_TEST_DIRNAME/engines/faults.c"
	for calls in 0 1; do
		for cpu in mips34k p6; do
			export PMCSIM_NATIVE_CALLS=$calls
			run -0 pmcsim stat --engine native --cpu $cpu \
				-o "$HOME/out" ./faults
			[ "$output" = 204400 ]
		done
	done
}

@test "the native engine is chosen, but for threads side by side" {
	unset PMCSIM_ENGINE
	need_native
	[ "$(pmcsim engine --name)" = native ]
	[ "$(PMCSIM_ENGINE=qemu pmcsim engine --name)" = qemu ]
	PMCSIM_ENGINE=gem5 run -64 pmcsim engine --name
	run -64 pmcsim engine --name --force
	pc_sweep -ui --json ./loop.x86_64 >"$HOME/json"
	grep -q '"engine":"native"' "$HOME/json"
	pc_sweep -ui --json --threads parallel ./loop.x86_64 >"$HOME/json"
	grep -q '"engine":"qemu"' "$HOME/json"
	run ! pc_sweep -ui --threads parallel --engine native ./loop.x86_64
	[[ $output = *"without --threads=parallel"* ]]
	# A machine that lasts has it, too.
	pmcsim new --cpu r10000 --threads parallel side
	run -0 pmcsim run side ./loop.x86_64
	PMCSIM_ENGINE=native run ! pmcsim run side ./loop.x86_64
	# No QEMU is needed.
	PMCSIM_QEMU=/nowhere PMCSIM_PLUGIN=/nowhere pc_sweep -ui --json \
		./loop.x86_64 >"$HOME/json"
	grep -q '"engine":"native"' "$HOME/json"
}

@test "tools take the engine's name, and JSON has it" {
	pc_sweep -ui --json --engine native ./loop.x86_64 &>"$HOME/json"
	grep -q '"engine":"native"' "$HOME/json"
	PMCSIM_ENGINE=native pctr --json ./loop.x86_64 &>"$HOME/json"
	grep -q '"engine":"native"' "$HOME/json"
	pfmon --json --engine=native ./loop.x86_64 &>"$HOME/json"
	grep -q '"engine":"native"' "$HOME/json"
	perfex -a --json --engine native ./loop.x86_64 &>"$HOME/json"
	grep -q '"engine": "native"' "$HOME/json"
	pc_sweep -ui --json --engine qemu ./loop.x86_64 >"$HOME/json"
	grep -q '"engine":"qemu"' "$HOME/json"
	PMCSIM_ENGINE=qemu pctr --json ./loop.x86_64 &>"$HOME/json"
	grep -q '"engine":"qemu"' "$HOME/json"
	pfmon --json --engine=qemu ./loop.x86_64 &>"$HOME/json"
	grep -q '"engine":"qemu"' "$HOME/json"
	PMCSIM_ENGINE= perfex -a --json ./loop.x86_64 &>"$HOME/json"
	grep -q "\"engine\": \"$(pmcsim engine --name)\"" "$HOME/json"
	run -64 pc_sweep -ui --engine valgrind ./loop.x86_64
	[[ $output = *"there are the engines qemu and native"* ]]
}

@test "emitted code counts as the models do" {
	printf '%s\n' {1..3000} >"$HOME/numbers"
	for cpu in mips34k p5 r10000; do
		for command in "sort -n $HOME/numbers" "gzip -9c $HOME/numbers" \
			"grep -c 7 $HOME/numbers" "env true"; do
			for calls in 0 1; do
				# shellcheck disable=SC2086
				PMCSIM_NATIVE_CALLS=$calls "$signals" "$cpu" \
					native $command >"$HOME/calls$calls"
			done
			[ "$(wc -l <"$HOME/calls0")" -gt 100 ]
			diff "$HOME/calls0" "$HOME/calls1"
		done
	done
}

@test "what is written down meanwhile leaves a program's registers and memory" {
	local cpu fs

	cc -O1 -mavx2 -mno-red-zone -ffreestanding -fno-stack-protector \
		-nostdlib -static -I "$PMCSIM_SRCDIR/simulator/guest" -o apart \
		"$BATS_TEST_DIRNAME/engines/apart.c"
	./apart || skip "no AVX2 here"
	for fs in '' own; do
		for cpu in cortex-a53 skylake p6; do
			# shellcheck disable=SC2086
			run -0 pmcsim stat --engine native --cpu $cpu -I 1 \
				-o out ./apart $fs
			[ "$(grep -c instructions out)" -gt 1 ]
		done
		# shellcheck disable=SC2086
		run -0 pmcsim stat --engine native --region-function work \
			-o out ./apart $fs
		grep -q "region 'work', 5 entries" out
		grep -q " 300,005 *branches " out
		mkdir -p "$HOME/um"
		# shellcheck disable=SC2086
		run -0 uprofile -quiet -engine native -period 1000 -calls \
			-dirname "$HOME/um" cycles ./apart $fs
	done
}

@test "signals of all kinds: as without an engine" {
	for how in -static -pie; do
		cc -O1 "$how" -o signals "$BATS_TEST_DIRNAME/engines/signals_all.c"
		run -143 ./signals
		expected=$output
		run -143 pc_sweep -ui --engine native --output /dev/null \
			./signals
		[ "$output" = "$expected" ]
	done
}

@test "random instructions: as without an engine" {
	cc -O1 -no-pie -fno-pie -o random_code \
		"$BATS_TEST_DIRNAME/engines/random_code.c" -lZydis ||
		skip "no Zydis"
	for seed in 4 5; do
		./random_code $seed 5000 >"$HOME/without"
		[ "$(sort -u "$HOME/without" | wc -l)" -gt 4000 ]
		./random_code $seed 5000 | cmp - "$HOME/without"
		pc_sweep -ui --once --engine native --output /dev/null \
			./random_code $seed 5000 >"$HOME/native"
		diff "$HOME/without" "$HOME/native"
	done
}

@test "frames of handlers: as without an engine" {
	for how in -static -pie; do
		cc -O1 "$how" -o frames \
			"$BATS_TEST_DIRNAME/engines/signals_frames.c"
		run -0 ./frames
		[[ $output = *"vectors 224" ]]
		expected=$output
		run -0 pc_sweep -ui --engine native --output /dev/null ./frames
		[ "$output" = "$expected" ]
	done
}

@test "code that is written over: as without an engine" {
	cc -nostdlib -static -no-pie -Wl,-N -o low \
		"$BATS_TEST_DIRNAME/engines/changes_low.S"
	run -5 ./low
	run -5 pc_sweep -ui --engine native --output /dev/null ./low
	cc -nostdlib -static -no-pie -Wl,-N -o bare \
		"$BATS_TEST_DIRNAME/engines/changes_bare.S"
	run -5 ./bare
	run -5 pc_sweep -ui --engine native --output /dev/null ./bare
	cc -O1 -o changes "$BATS_TEST_DIRNAME/engines/changes.c"
	run -139 ./changes
	expected=$(grep -v Segmentation <<<"$output")
	[ "${lines[0]}" = "39800 19900" ]
	run -139 pc_sweep -ui --engine native --output /dev/null ./changes
	[ "$output" = "$expected" ]
}

@test "code that is written elsewhere, or by its own block: as without an engine" {
	cc -O1 -o twice "$BATS_TEST_DIRNAME/engines/changes_twice.c"
	run -0 ./twice
	expected=$output
	[ "${lines[0]%% *}" = memfd ]
	[ "${#lines[@]}" = 5 ]
	run -0 pc_sweep -ui --engine native --output /dev/null ./twice
	[ "$output" = "$expected" ]
}

# counts_of CPU N...: instructions, branches, loads and stores
counts_of() {
	pmcsim stat -x, -o "$HOME/counts" --cpu "$1" \
		-e instructions:u,branches:u,L1-dcache-loads,L1-dcache-stores \
		--region again -- ./again "${@:2}"
	cut -d, -f2 "$HOME/counts"
}

@test "code that its own block changes is counted once" {
	local cpu n engine how threads

	cc -O1 -static -pthread -I "$BATS_TEST_DIRNAME/../simulator/guest" \
		-o again "$BATS_TEST_DIRNAME/engines/again.c"
	for engine in qemu native; do
		export PMCSIM_ENGINE=$engine
		for cpu in p5 skylake mips34k r10000; do
			for n in 1 2; do
				threads=()
				[ $n = 1 ] || threads=(threads)
				counts_of $cpu 400 "${threads[@]}" >"$HOME/400"
				counts_of $cpu 100 "${threads[@]}" >"$HOME/100"
				paste "$HOME/400" "$HOME/100" |
					awk '{ print $1 - $2 }' >"$HOME/more"
				diff "$HOME/more" <(printf '%s\n' $((2550 * n)) \
					$((900 * n)) $((300 * n)) $((300 * n)))
			done
		done
		# So do profiles, and samples of each event.
		for cpu in p5:DATA_WRITE p6:INST_RETIRED; do
			for how in -exact "-period 1"; do
				# shellcheck disable=SC2086 # words
				uprofile -cpu ${cpu%%:*} $how -totals \
					"${cpu##*:}" -- ./again 100 >total
				pmcsim stat -x, -o "$HOME/counts" \
					--cpu ${cpu%%:*} -e "${cpu##*:}:u" \
					-- ./again 100
				[ "$(head -n 1 "$HOME/counts" | cut -d, -f1)" -eq \
					"$(awk -v event="${cpu##*:}" \
						'$2 ~ "^" event ",?$" { print $1
							exit }' total)" ]
			done
		done
	done
}

# See outside.bats.
@test "a cycle counter goes on within a block" {
	local cpu

	cc -O1 -o ticks "$BATS_TEST_DIRNAME/outside/ticks.c"
	cc -O1 -o latency "$BATS_TEST_DIRNAME/outside/latency.c"
	run -0 pc_sweep -ui --engine native --clock machine --output counts ./ticks
	[ "$output" = "24 no-ops, 1508 loop, 0 back" ]
	for cpu in p5 p6 r10000 ev5 skylake u74 itanium2; do
		for program in ./ticks ./latency; do
			for engine in qemu native; do
				pmcsim stat --cpu $cpu --clock machine -e cycles \
					--engine $engine -o counts $program >$engine
			done
			diff qemu native
		done
	done
}

@test "tracing is refused in a sentence" {
	cat >traces.c <<-'END'
		#include <errno.h>
		#include <sys/ptrace.h>
		int main(void)
		{
			for (int i = 0; i < 2; i++)
				if (ptrace(PTRACE_TRACEME, 0, 0, 0) != -1 || errno != ENOSYS)
					return 1;
			return 0;
		}
	END
	cc -O1 -o traces traces.c
	run -0 --separate-stderr pmcsim stat --engine native -o counts ./traces
	[ "$stderr" = "pmcsim: ptrace is refused: programs cannot be traced or debugged while they are measured" ]
	run -0 pmcsim stat --engine qemu -o counts ./traces
}

@test "pmcsim engine --explain: a block, what is emitted for it, and what for" {
	local at

	at=0x$(nm loop.x86_64 | sed -n 's/^0*\([0-9a-f]*\) . _start$/\1/p')
	run -0 pmcsim engine --explain "$at" -- ./loop.x86_64
	[[ $output = "block at $at: "* ]]
	[ "$(grep -c "^${at#0x}  " <<<"$output")" = 1 ]
	[[ $output = *"    the instruction:"* ]]
	[[ $output = *"    an exit:"* ]]
	[[ $output = *"    to the engine, until it is linked:"* ]]
	# Each instruction of the block has its copy, or an exit.
	[ "$(grep -Ec '^[0-9a-f]+  ' <<<"$output")" -le \
	  "$(grep -Ec '^    (the instruction|an exit):' <<<"$output")" ]
	run -125 pmcsim engine --explain 0x10 -- ./loop.x86_64
	[ "$output" = "pmcsim engine: no code at 0x10 was executed" ]
	run -64 pmcsim engine --explain here -- ./loop.x86_64
	[[ $output = *"--explain here: this is no address"* ]]
	run -64 pmcsim engine --explain 0x10
	[[ $output = *"no command to be run"* ]]
	run -64 pmcsim engine --cpu p5
	[[ $output = *"--cpu goes with --explain only"* ]]
}

@test "pmcsim engine --explain --no-time: a block is counted by its edge" {
	local at

	at=0x$(objdump -d loop.x86_64 | sed -n 's/^ *\([0-9a-f]*\):.*add *$0x3,%eax$/\1/p')
	run -0 pmcsim engine --explain "$at" --no-time -- ./loop.x86_64
	[[ $output = "block at 0x"* ]]
	[[ $output != *"the model"* ]]
	[[ $output != *"    an access:"* ]]
	[[ $output = *"the block is counted, behind its branch if it has one:"* ]]
	[[ $output = *"# executions of the block"* ]]
	run -64 pmcsim engine --no-time
	[[ $output = *"--no-time goes with --explain only"* ]]
}

@test "flags, random numbers and the base of FS by instructions" {
	cc -O1 -static -o special "$BATS_TEST_DIRNAME/engines/special.c"
	run -0 pc_sweep -ui --engine native --random 7 --output /dev/null \
		./special
	[ "${lines[0]}" = "alignment 1, identification 1, carry 1" ]
	[ "${lines[1]}" = "fs 1 1" ]
	expected=${lines[2]}
	[[ $expected = "random 1 "* ]]
	run -0 pc_sweep -ui --engine native --random 7 --output /dev/null \
		./special
	[ "${lines[2]}" = "$expected" ]
	run -0 pc_sweep -ui --engine native --random 8 --output /dev/null \
		./special
	[ "${lines[2]}" != "$expected" ]
}

# Libraries take membarrier()'s commands for rseq() as a sign that it exists.
@test "no rseq, and nothing of membarrier that depends on it" {
	cat >barrier.c <<-END
	#include <errno.h>
	#include <linux/membarrier.h>
	#include <stdio.h>
	#include <sys/syscall.h>
	#include <unistd.h>
	#define CALL(...) (syscall(__VA_ARGS__) < 0 ? errno : 0)
	int main(void)
	{
		long all = syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0);
		printf("%d %d %d %d %d\n", CALL(SYS_rseq, 0, 0, 0, 0),
		       !!(all & MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_RSEQ),
		       CALL(SYS_membarrier,
			    MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_RSEQ, 0, 0),
		       !!(all & MEMBARRIER_CMD_PRIVATE_EXPEDITED),
		       CALL(SYS_membarrier,
			    MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0));
		return 0;
	}
	END
	cc -static -o barrier barrier.c
	run -0 pmcsim stat --engine native -o /dev/null ./barrier
	[ "$output" = "38 0 22 1 0" ]
}

# A fault is told with the registers that the program has, not those that its
# copy needs.
@test "the base of GS is the program's" {
	for flags in -static -pie; do
		cc -O1 "$flags" -o segments \
			"$BATS_TEST_DIRNAME/engines/segments.c" -pthread
		expected=$(./segments)
		for cpu in mips34k skylake; do
			run -0 pmcsim stat --engine native --cpu $cpu \
				-o /dev/null ./segments
			[ "$output" = "$expected" ]
		done
	done
}

# What is executed until the engine cannot go on is no whole, and each tool says
# so: in its report, or beside one for programs.
@test "an instruction that is refused is told in a sentence, and counts are partial" {
	export PMCSIM_ENGINE=native
	cc -O1 -o refused "$BATS_TEST_DIRNAME/engines/refused.c"
	run -125 pc_sweep -ui ./refused
	[[ $output = *"the native engine does not execute the instruction at 0x"* ]]
	[[ $output = *"run the program with --engine qemu"* ]]
	[[ $output = *"partial: "* ]]
	for tool in "pc_sweep -ui" pctr pfmon "perfex -a"; do
		# shellcheck disable=SC2086
		run -125 $tool --json ./refused
		grep -Eq '"partial": ?true' <<<"$output"
		[[ $output = *"partial: "* ]]
	done
	run -125 pmcsim stat -j ./refused
	grep -q '"partial" : true' <<<"$output"
	[[ $output = *"partial: "* ]]
	mkdir "$HOME/um"
	run -125 uprofile -dirname "$HOME/um" cycles ./refused
	[[ $output = *"partial: "* ]]
	grep -q '^state partial' "$HOME/um/umon.out"
	run -0 pc_sweep -ui --json ./loop.x86_64
	[[ $output = *'"partial":false'* ]]
}
