#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Programs whose counts are worked out by hand, compared digit by digit.
# PC_SWEEP names the tool to test; without it, the one in PMCSIM_BUILDDIR or
# in the PATH.

setup_file()
{
	known=$BATS_TEST_DIRNAME/known
	: "${PC_SWEEP:=${PMCSIM_BUILDDIR:+$PMCSIM_BUILDDIR/pc_sweep}}"
	[ -x "$PC_SWEEP" ] || PC_SWEEP=$(command -v pc_sweep || true)
	export known PC_SWEEP
	"$known/build.sh" "$BATS_FILE_TMPDIR"
}

need_tool()
{
	[ -n "$PC_SWEEP" ] || skip "no pc_sweep"
}

# need_qemu ISA: what executes programs of an instruction set that the native
# engine does not.
need_qemu()
{
	command -v "qemu-$1" >/dev/null || skip "no qemu-user"
}

@test "known counts of x86-64 programs" {
	need_tool
	[ -e "$BATS_FILE_TMPDIR/loop.x86_64" ] || skip "not an x86-64 host"
	"$known/compare" "$PC_SWEEP" "$BATS_FILE_TMPDIR" x86_64
}

@test "known counts of MIPS programs" {
	need_tool
	need_qemu mipsel
	[ -e "$BATS_FILE_TMPDIR/loop.mipsel" ] || skip "no MIPS compiler"
	"$known/compare" "$PC_SWEEP" "$BATS_FILE_TMPDIR" mipsel
}

@test "known counts of big-endian MIPS programs" {
	need_tool
	need_qemu mips
	[ -e "$BATS_FILE_TMPDIR/loop.mips" ] || skip "no MIPS compiler"
	"$known/compare" "$PC_SWEEP" "$BATS_FILE_TMPDIR" mips
}

@test "known counts of i386 programs" {
	need_tool
	need_qemu i386
	[ -e "$BATS_FILE_TMPDIR/loop.i386" ] || skip "not an x86-64 host"
	"$known/compare" "$PC_SWEEP" "$BATS_FILE_TMPDIR" i386
}

@test "known counts of Alpha programs" {
	need_tool
	need_qemu alpha
	[ -e "$BATS_FILE_TMPDIR/loop.alpha" ] || skip "no Alpha compiler"
	"$known/compare" "$PC_SWEEP" "$BATS_FILE_TMPDIR" alpha
}

@test "a wrong number would be noticed" {
	tool=$BATS_TEST_TMPDIR/pc_sweep
	cat >"$tool" <<'TOOL'
#!/bin/sh
while [ "$1" != --output ]; do shift; done
echo '{"counts":[{"mode":"U","list":"odd","event":1,"value":1}]}' >"$2"
TOOL
	chmod +x "$tool"
	run "$known/compare" "$tool" "$BATS_FILE_TMPDIR" x86_64
	[ "$status" -eq 1 ]
	[[ "$output" == *"loop.x86_64: odd event 1: expected 6004, counted 1"* ]]
}
