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
