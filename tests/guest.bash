# SPDX-License-Identifier: GPL-2.0-or-later
# For scripts that run the programs of tests/guest: they are in the current
# folder.  $M is a machine's name.

setup_file() {
	"$BATS_TEST_DIRNAME/guest/build.sh" "$BATS_FILE_TMPDIR"
}

setup_guest() {
	export HOME=$BATS_TEST_TMPDIR XDG_STATE_HOME=$BATS_TEST_TMPDIR/state
	unset PMCSIM_MACHINE
	cd "$BATS_FILE_TMPDIR"
	M=$BATS_TEST_TMPDIR/machine
	need_engine
}

setup() {
	setup_guest
}

# need_program PROGRAM [ISA]: it could be built, and can be run.
need_program() {
	local engine=qemu-${2:-x86_64}

	[ -e "$1" ] || skip "no compiler for $1"
	command -v "$engine" >/dev/null || skip "no $engine"
}
