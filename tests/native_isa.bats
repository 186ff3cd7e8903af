#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# --isa: the processor that x86-64 programs see.

load helper
load engines

setup_file() {
	cc -O1 -static -o "$BATS_FILE_TMPDIR/cpu" \
		"$BATS_TEST_DIRNAME/engines/cpu.c" || true
	i686-linux-gnu-gcc -O1 -static -o "$BATS_FILE_TMPDIR/then" \
		"$BATS_TEST_DIRNAME/engines/then.c" || true
}

setup() {
	set_up_engines
	need_engine
	need_native
	unset PMCSIM_ISA
	[ -x cpu ] || skip "no compiler for x86-64"
}

v1="xcr0 0"
v2="sse4_2 popcnt cx16 lahf_lm xcr0 0"
v3="sse4_2 popcnt cx16 avx movbe fma avx2 bmi2 lahf_lm abm xcr0 7"
v4="sse4_2 popcnt cx16 avx movbe fma avx2 bmi2 avx512f avx512vl lahf_lm abm xcr0 e7"

# A host with all that programs of that level execute.
has_level() {
	local flag

	for flag in avx2 bmi2 fma; do
		grep -qw "$flag" /proc/cpuinfo || return 1
	done
	[ "$1" != v4 ] || grep -qw "adx.*avx512vl" /proc/cpuinfo
}

@test "each level, under both engines: cpuid, xgetbv and /proc/cpuinfo" {
	for level in v1 v2 v3; do
		run -0 pc_sweep -ui --isa $level --output /dev/null ./cpu
		[ "$output" = "${!level}" ]
		run -0 pc_sweep -ui --engine native --isa $level \
			--output /dev/null ./cpu list
		[ "$output" = "${!level}" ]
	done
	run -0 pc_sweep -ui --engine native --output /dev/null ./cpu list
	[ "$output" = "$v3" ]
	has_level v4 || skip "no AVX-512 here"
	run -0 pc_sweep -ui --engine native --isa v4 --output /dev/null \
		./cpu list
	[ "$output" = "$v4" ]
}

@test "all tools take it, from a variable too, and JSON has it" {
	local tool words

	for tool in "pc_sweep -ui --json -OUT --isa" "perfex --json -OUT --isa" \
		"pctr --json -OUT --isa" "pfmon --json -OUT --isa" \
		"pmcsim stat -j -OUT --isa"; do
		read -ra words <<<"${tool/ -OUT/}"
		"${words[@]}" v2 -- ./cpu &>"$HOME/json"
		grep -qx "$v2" "$HOME/json"
		grep -Eq '"isa" ?: ?"v2"' "$HOME/json"
		PMCSIM_ISA=v1 "${words[@]:0:${#words[@]}-1}" -- ./cpu \
			&>"$HOME/json"
		grep -qx "$v1" "$HOME/json"
		grep -Eq '"isa" ?: ?"v1"' "$HOME/json"
	done
	mkdir "$HOME/um"
	run -0 uprofile -isa v2 -dirname "$HOME/um" cycles ./cpu
	[[ $output = *"$v2"* ]]
	pmcsim new m
	run -0 pmcsim run --isa v2 m ./cpu
	[ "$output" = "$v2" ]
}

@test "what is no level, or no engine can show, is refused" {
	run -64 pc_sweep -ui --isa v5 ./cpu
	[ "$output" = "pc_sweep: --isa v5: the levels of x86-64 are v1, v2, v3 and v4" ]
	run -64 uprofile -isa x cycles ./cpu
	[[ $output = *"-isa x: the levels of x86-64 are"* ]]
	PMCSIM_ISA=v0 run ! pc_sweep -ui ./cpu
	[[ $output = *'$PMCSIM_ISA: v0: the levels of x86-64 are'* ]]
	PMCSIM_ENGINE=gem5 run ! pc_sweep -ui ./cpu
	[[ $output = *'$PMCSIM_ENGINE: gem5: there are'* ]]
	run ! pc_sweep -ui --engine qemu --isa v4 ./cpu
	[[ $output = *"QEMU executes no x86-64-v4"*"--engine native"* ]]
}

@test "a host without a level says what it has not" {
	has_level v4 && skip "this host has them all"
	run ! pc_sweep -ui --engine native --isa v4 ./cpu
	[[ $output = *"a processor of x86-64-v4, but this host has no "* ]]
}

@test "both engines count the same, level by level" {
	for level in v1 v2 v3; do
		export PMCSIM_ISA=$level
		same mips34k ./cpu
	done
	# The C library takes other routines.
	[ "$(PMCSIM_ISA=v1 "$signals" mips34k native sort ./cpu)" != \
	  "$(PMCSIM_ISA=v3 "$signals" mips34k native sort ./cpu)" ]
}

@test "the native engine goes on behind a program of QEMU's" {
	[ -x then ] || skip "no compiler for i386"
	run -0 pc_sweep -ui --engine native --isa v2 --output "$HOME/out" \
		./then ./cpu list
	[ "$output" = "$v2"$'\n'"$v2" ]
	run -0 pc_sweep -ui --engine native --output /dev/null \
		./then sh -c 'cat /proc/$$/comm; tr "\0" " " </proc/self/cmdline'
	[[ $output = $'sh\n'* ]]
	run -0 pc_sweep -ui --engine qemu --isa v2 --output /dev/null \
		./then ./cpu
	[ "$output" = "$v2"$'\n'"$v2" ]
}
