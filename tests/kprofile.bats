#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Profiles of a kernel.  Nothing is fetched here: most of these tests need a
# system that "pmcsim system setup" has put into the user's cache.

load helper
load boards

dd="dd if=/dev/zero of=/tmp/x bs=4k count=200"

total() {
	awk -v event="$1" '$1 == "event" && $2 == event { print $5 }' kmon.out
}

# Cost of a function.
cost() {
	prof --folded - kmon.out |
		awk -v name="$1" '$1 == name { n += $NF } END { print n + 0 }'
}

@test "what is not set up is told in a sentence" {
	export XDG_CACHE_HOME=$HOME/.cache
	command -v qemu-system-mipsel >/dev/null || skip "no QEMU for MIPS"
	run -125 kprofile true
	[ "$output" = "kprofile: the system malta is not set up: run \"pmcsim system setup malta\"" ]
	[ ! -e kmon.out ]
}

@test "wrong usage" {
	run -64 kprofile -exact -period 5 true
	run -64 kprofile -stride 3 true
	run -64 kprofile -utility a -utility b -utility c -utility d \
		-utility e true
	[ "$output" = "kprofile: -utility e: 4 are the most" ]
	run -64 kprofile cycles cycles true
	run -64 kprofile cycles -exact true
	[[ "$output" == *"options come before statistics" ]]
	run -64 kprofile -system vax true
	[ "$output" = 'kprofile: there is no board vax; see "pmcsim system list"' ]
}

@test "dd is what the kernel does for it" {
	need_board malta
	run -0 --separate-stderr kprofile -exact instructions cycles $dd
	[ -z "$output" ]
	[[ "$stderr" == *"200+0 records out"* ]]
	grep -qx 'pmcsim-umon 3' kmon.out
	# 200 times 4096 bytes are cleared, copied and written to new pages.
	prof -event instructions -quit 3 >top
	for name in __bzero __raw_copy_from_user clear_page; do
		grep -q " $name (kernel)" top
	done
	# At least one instruction for a word of each.
	[ "$(cost __bzero)" -gt 204800 ]
	[ "$(cost clear_page)" -gt 204800 ]
	# Everything has a name; and all is there.
	prof -event instructions kmon.out >all
	[ "$(grep -c 'no symbol\|no file' all)" = 0 ]
	sum=$(prof -event instructions --folded - kmon.out |
		awk '{ n += $NF } END { printf "%d", n }')
	[ "$sum" -eq "$(total INSTRUCTIONS)" ]
}

@test "find, and counts of pc_sweep" {
	need_board malta
	run -0 kprofile -exact instructions find /bin /sys/class
	prof -quit 30 kmon.out >top
	for name in link_path_walk step_into __d_lookup_rcu; do
		grep -q " $name[. ].*(kernel)" top
	done
	run -0 pc_sweep --system malta --kernel --exl --odds 1 --csv \
		find /bin /sys/class
	count=$(awk -F, '/INSTRUCTIONS/ { for (i = 1; i <= NF; i++)
		if ($i ~ /^[0-9]+$/ && $i > n) n = $i } END { print n }' \
		<<<"$output")
	near "$(total INSTRUCTIONS)" "$count" 10
}

@test "samples tell the same" {
	need_board malta
	run -0 kprofile -exact cycles $dd
	exact=$(cost clear_page)
	all=$(total CYCLES)
	run -0 kprofile -period 100 cycles $dd
	near "$(cost clear_page)" "$exact" 50
	near "$(total CYCLES)" "$all" 10
	[ "$(awk '$1 == "event" { print $6 }' kmon.out)" -lt 100 ]
	run -0 kprofile $dd
	grep -q '^event CYCLES cycles 65536 ' kmon.out
}

@test "processors out of order" {
	need_board malta
	run -0 kprofile -cpu r10000 -exact cycles0 $dd
	exact=$(cost clear_page)
	all=$(total CYCLES0)
	run -0 kprofile -cpu r10000 -period 100 cycles0 $dd
	near "$(total CYCLES0)" "$all" 10
	near "$(cost clear_page)" "$exact" 50
}

@test "stride: so many instructions have one place" {
	need_board malta
	run -0 kprofile -exact -stride 16 instructions $dd
	grep -qx 'stride 64' kmon.out
	places=$(awk '$1 == "at" { print $2, $3, $5 }' kmon.out)
	# Each state has it at most once, at its beginning.
	[ -z "$(sort <<<"$places" | uniq -d)" ]
	run ! grep -v '[048c]0$' <<<"$places"
	[ "$(wc -l <<<"$places")" -gt 1000 ]
	[ "$(prof --folded - kmon.out | awk '{ n += $NF } END { print n }')" \
		-eq "$(total INSTRUCTIONS)" ]
	# Kernel, modules and vectors, in two states and at exception level.
	run -0 kprofile -exact -stride 0 instructions $dd
	places=$(awk '$1 == "at" { print $2, $3, $4 }' kmon.out)
	[ -z "$(sort <<<"$places" | uniq -d)" ]
	run ! grep -v ' 0$' <<<"$places"
}

@test "utility routines are their callers'" {
	need_board malta
	run -0 kprofile -exact instructions $dd
	[ "$(cost read_zero)" -lt "$(cost __bzero)" ]
	bzero=$(cost __bzero)
	run -0 kprofile -exact -ra instructions $dd
	[ "$(cost __bzero)" -eq 0 ]
	[ "$(cost clear_page)" -eq 0 ]
	# It is read_zero() for which most is cleared.
	[ "$(cost read_zero)" -gt $((bzero / 2)) ]
	run -0 kprofile -period 1000 -ra instructions $dd
	[ "$(cost __bzero)" -eq 0 ]
	[ "$(cost read_zero)" -gt $((bzero / 2)) ]
	run -0 kprofile -exact -utility read_zero instructions $dd
	[ "$(cost read_zero)" -eq 0 ]
	[ "$(cost vfs_read)" -gt $((bzero / 2)) ]
	run -125 kprofile -utility no_such true
	[ "$output" = "kprofile: the kernel has no function no_such" ]
}

@test "interrupt levels add up" {
	need_board malta
	run -0 kprofile -exact -ipl -u instructions $dd
	[[ "$output" == *"user code"* ]]
	sum=$(awk '/ % +(user|kernel|exception)/ { n += $1 }
		END { print n }' <<<"$output")
	[ "$sum" -eq $(($(total INSTRUCTIONS) - $(awk \
		'$1 == "event" { print $7 }' kmon.out))) ]
	# All code of each has its state.
	awk '$1 == "at" && $2 == 1 && $5 >= "80000000" { bad = 1 }
		END { exit bad }' kmon.out
	grep -q '^function [0-9]* 80[0-9a-f]* [0-9a-f]* clear_page$' kmon.out
}

@test "profiles of one kernel are added up and compared" {
	need_board malta
	run -0 kprofile -exact instructions true
	mv kmon.out one
	run -0 kprofile -exact instructions $dd
	prof -merge both one kmon.out
	a=$(prof --folded - one | awk '$1 == "do_exit" { print $2 }')
	b=$(cost do_exit)
	[ "$(prof --folded - both | awk '$1 == "do_exit" { print $2 }')" \
		-eq $((a + b)) ]
	prof --diff one kmon.out | grep -q '+.* __bzero (kernel)'
	# All of the kernel's functions are known.
	[ "$(prof -zero one | wc -l)" -gt 10000 ]
}

@test "status is the program's" {
	need_board malta
	run -3 kprofile sh -c 'exit 3'
	run -127 kprofile no-such-program
}

# Sets child to the only child of process $1.
find_child() {
	read -rd ' ' child </proc/"$1"/task/"$1"/children
}

# Waits until QEMU, a child of a grandchild of process $1, has run for so long
# that the kernel is idle; its id is in child.
qemu_runs() {
	local line used=0 limit=$((SECONDS + 300))

	until [ "$used" -gt 120 ]; do
		[ "$SECONDS" -lt "$limit" ] || return
		find_child "$1" && find_child "$child" &&
			find_child "$child" &&
			read -r line </proc/"$child"/stat || continue
		read -ra line <<<"${line##*) }"
		used=${line[11]}
	done 2>/dev/null
}

@test "QEMU is bounded, and dies with its tool" {
	need_board malta
	export TMPDIR=$BATS_TEST_TMPDIR/tmp
	mkdir tmp
	kprofile instructions sh -c 'while :; do :; done' >out 2>err 3>&- &
	pid=$!
	runs=0
	qemu_runs "$pid" || runs=$?
	limits=$(</proc/"$child"/limits) || limits=
	kill -KILL "$pid"
	[ "$runs" -eq 0 ]
	[[ $limits =~ "Max cpu time "\ *"7200 "\ *"7200 " ]]
	[[ $limits =~ "Max address space "\ *"6442450944 "\ *"6442450944 " ]]
	[[ $limits =~ "Max core file size "\ *"0 "\ *"0 " ]]
	wait "$pid" || true
	limit=$((SECONDS + 60))
	while [ -e /proc/"$child" ] || [ -n "$(ls tmp)" ]; do
		[ "$SECONDS" -lt "$limit" ]
	done
	[ ! -e kmon.out ]
}

@test "an idle kernel, until it is stopped" {
	need_board malta
	kprofile -exact -quit 1 instructions >out 2>err 3>&- &
	pid=$!
	runs=0
	qemu_runs "$pid" || runs=$?
	kill -TERM "$pid"
	wait "$pid"
	[ "$runs" -eq 0 ]
	grep -q ' not listed$' out
	grep -qx 'state partial' kmon.out
	[ ! -s err ]
}

@test "a limit of file sizes that leaves no room for the command's files" {
	need_no_coverage
	need_board malta
	for tool in kprofile "uprofile -system malta" \
		"pc_sweep -ui --system malta"; do
		run -125 bash -c "ulimit -f 0; exec $tool true"
		[ "$output" = "${tool%% -*}: the command's files cannot be copied" ]
	done
}
