# SPDX-License-Identifier: GPL-2.0-or-later
# For scripts that hold the native engine to QEMU's.

# Both engines, of this build, in the folder with the file's programs.
set_up_engines() {
	export HOME=$BATS_TEST_TMPDIR XDG_STATE_HOME=$BATS_TEST_TMPDIR/state
	unset PMCSIM_MACHINE PMCSIM_ENGINE
	cd "$BATS_FILE_TMPDIR"
	export PMCSIM_PLUGIN=${PMCSIM_PLUGIN:-$build/.libs/pmcsim-plugin.so}
	export PMCSIM_NATIVE=${PMCSIM_NATIVE:-$build/pmcsim-native}
	signals=$build/tests/engines/signals
}

# same CPU COMMAND...: all signals of both engines
same() {
	local cpu=$1

	shift
	"$signals" "$cpu" qemu "$@" >"$HOME/qemu"
	"$signals" "$cpu" native "$@" >"$HOME/native"
	[ "$(wc -l <"$HOME/qemu")" -gt 100 ]
	diff "$HOME/qemu" "$HOME/native" || {
		echo "$cpu: $*"
		false
	}
}

# compile_program NAME: of tests/engines, for setup_file
compile_program() {
	cd "$BATS_FILE_TMPDIR"
	command -v gcc >/dev/null || return 0
	gcc -O1 -o "$1" "$PMCSIM_SRCDIR/tests/engines/$1.c"
}

# need_program NAME: both engines, if there is the native one, for that program
need_program() {
	set_up_engines
	need_native
	[ -x "$signals" ] || skip "not built"
	[ -x "$1" ] || skip "no compiler"
}
