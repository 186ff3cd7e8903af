#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What is shown while runs go by, on a terminal only.

load helper

setup() {
	export HOME=$BATS_TEST_TMPDIR XDG_STATE_HOME=$BATS_TEST_TMPDIR/state
	cd "$BATS_TEST_TMPDIR"
	need_engine
	command -v script >/dev/null || skip "no script"
	export TERM=xterm
	make_loop
}

# On a terminal of script(1), which writes what is shown to "shown".
on_terminal() {
	script -qefc "$*" shown </dev/null >/dev/null
}

# shown_during TOOL...: whether there was a line before the command has ended,
# which it does when that has been seen, or is not to be.
shown_during() {
	rm -f shown
	mkfifo go
	on_terminal "$*" sh -c "'read x <go'" &
	until grep -q "million a second" shown 2>/dev/null; do :; done
	echo >go
	wait
	rm go
}

@test "how far a run is, in a line that is erased" {
	for tool in "pc_sweep -ui --output counts" "pctr -o counts --" \
		"pmcsim stat -o counts" "perfex -o counts" \
		"pfmon --outfile counts"; do
		shown_during $tool
		grep -q $'\r\033\\[K[0-9]* million instructions, [0-9.]* million a second\r' shown
		[[ $(tr -d '\n' <shown) == *$'million a second\r\r\033[K'* ]]
	done
	shown_during pc_sweep -ui --repeat 2 --jobs 2 --output counts
	grep -q 'run 1 of 2: [0-9]* million' shown
	grep -q '; run 2 of 2: [0-9]* million' shown
}

@test "runs that could be one are said at the start; not with --quiet" {
	on_terminal pc_sweep -ua --output counts ./loop
	grep -q 'pc_sweep: 27 runs; --once counts the same in one' shown
	on_terminal pc_sweep -ua --quiet --output counts ./loop
	[ "$(grep -c 'runs' shown)" = 0 ]
	on_terminal pc_sweep -ua --once --output counts ./loop
	[ "$(grep -c 'runs' shown)" = 0 ]
	on_terminal env TERM=dumb pc_sweep -ua --output counts ./loop
	[ "$(grep -c 'runs' shown)" = 0 ]
	run -0 --separate-stderr pc_sweep -ua --output counts ./loop
	[ -z "$stderr" ]
}
