#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Ends of child processes under the native engine: what is counted does not tell
# whether a child has ended before its parent came to wait for it.

bats_require_minimum_version 1.5.0

load helper
load engines

setup_file() {
	compile_program children
}

setup() {
	need_program children
	mkfifo "$HOME/go" "$HOME/pids"
}

# becomes STATE PROCESS: when the kernel says that it is in that state, or gone
becomes() {
	local stat

	while read -r stat <"/proc/$2/stat"; do
		stat=${stat##*) }
		[ "${stat%% *}" != "$1" ] || return 0
	done 2>/dev/null
}

# let_end ORDER: lets the child of tests/engines/children.c end before its parent
# goes on, or when that sleeps
let_end() {
	local parent child

	read -r parent child < <(timeout 60 od -An -td4 -N8 "$HOME/pids")
	becomes T "$parent"
	case $1 in
	before)
		: >"$HOME/go"
		becomes Z "$child"
		kill -CONT "$parent"
		;;
	behind)
		kill -CONT "$parent"
		becomes S "$parent"
		: >"$HOME/go"
		;;
	esac
}

# counted ORDER CPU CASE: all signals
counted() {
	let_end "$1" 3>&- &
	timeout -s KILL 120 "$signals" "$2" native ./children "$3" "$HOME" \
		>"$HOME/$1"
	wait $!
}

# either_way CPU CASE...: the same for both orders, and the handler was called once
either_way() {
	local cpu=$1 name

	shift
	for name; do
		counted before "$cpu" "$name"
		counted behind "$cpu" "$name"
		[ "$(wc -l <"$HOME/before")" -gt 100 ]
		echo "$cpu: $name"
		grep -qx 'status 0' "$HOME/before"
		diff "$HOME/before" "$HOME/behind"
	done
}

@test "a wait for a child: all signals, whether it ended before or not" {
	either_way mips34k wait any wait-once waitid
	either_way skylake wait
	either_way ev6 wait
}

@test "... with SIGCHLD blocked meanwhile" {
	either_way mips34k block suspend
}

@test "a call that sleeps is interrupted by the end of a child, early or late" {
	either_way mips34k pause read poll select
}

@test "what can be read is read, and the end is told by the wait" {
	either_way mips34k read-there
}

@test "with nothing kept of code, the same" {
	PMCSIM_NATIVE_KEEP=0 either_way mips34k wait pause
}

@test "a loop that waits for its handler goes on" {
	for name in loop guarded; do
		counted before mips34k "$name"
		grep -qx 'status 0' "$HOME/before"
	done
}
