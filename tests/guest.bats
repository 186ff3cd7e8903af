#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What a measured program sees of the emulated device.

load helper
load guest

# value N: counter N of the dump on stdin
value() {
	sed -n "s/^PerfCnt\[$1\].Cnt : //p"
}

# Runs a self-checking program on a machine that counts instructions.
checks() {
	pmcsim new "$M"
	pmcsim write "$M" "0 0x28 0"
	run -0 pmcsim run "$M" -- "$@"
	[ "$output" = done ]
}

# The whole of what the manual does, for one count of spin.  The shell itself
# becomes cat: a child might read before its parent has done what it does when
# it has started one.
sequence() {
	rm -f "$M"
	pmcsim new "$M"
	pmcsim run "$M" -- sh -c 'echo "0 0x0000028 0" > /proc/perf
		./spin'"$1"'; exec cat /proc/perf' >"$BATS_TEST_TMPDIR/dump"
	grep -qx "PerfCnt\[0\].Ctl : 0x80000028" "$BATS_TEST_TMPDIR/dump"
	value 0 <"$BATS_TEST_TMPDIR/dump"
}

@test "the shell programs a counter, runs a program, reads it" {
	need_program spin1000.x86_64
	short=$(sequence 1000.x86_64)
	long=$(sequence 3000.x86_64)
	[ $((long - short)) -eq 4000 ]
	[ "$short" -gt 2004 ]
	# What was left of cat is in the machine's own figure.
	[ "$(pmcsim cat "$M" | value 0)" -gt "$long" ]
	[ "$(sequence 3000.x86_64)" -eq "$long" ]
}

@test "a shell of one instruction set counts programs of another" {
	need_program spin1000.mipsel mipsel
	short=$(sequence 1000.mipsel)
	long=$(sequence 3000.mipsel)
	[ $((long - short)) -eq 4000 ]
}

@test "a file of four lines, by cat, cp, dd and tee" {
	printf '%s\n' "0 0x8000001f 1" "1 0x8000003f 2" "2 0x8000025f 3" \
		"3 0x800002df 4" >"$BATS_TEST_TMPDIR/config"
	for copy in 'cat config > /proc/perf' 'cp config /proc/perf' \
	    'dd if=config of=/proc/perf 2>/dev/null' \
	    'tee /proc/perf <config >/dev/null'; do
		rm -f "$M"
		pmcsim new "$M"
		(cd "$BATS_TEST_TMPDIR" && pmcsim run "$M" -- sh -c "$copy")
		pmcsim cat "$M" | grep Ctl >"$BATS_TEST_TMPDIR/controls"
		same "$BATS_TEST_TMPDIR/controls" <<-'END'
		PerfCnt[0].Ctl : 0x8000001f
		PerfCnt[1].Ctl : 0x8000003f
		PerfCnt[2].Ctl : 0x8000025f
		PerfCnt[3].Ctl : 0x000002df
		END
	done
}

@test "what is read is a file to other programs too" {
	pmcsim new "$M"
	pmcsim run "$M" -- sh -c 'cd "$HOME"; echo suspend > /proc/perf
		cat /proc/perf >a; cp /proc/perf b; dd if=/proc/perf of=c bs=7 \
		2>/dev/null; cat <a >d; cat </proc/perf >e
		while read -r line; do echo "$line"; done </proc/perf >f
		cat /proc/perf /proc/perf | tail -n 8 >g
		test -f /proc/perf && ls /proc/perf >h'
	for copy in b c d e f g; do
		cmp "$HOME/a" "$HOME/$copy"
	done
	pmcsim cat "$M" | same "$HOME/a"
	[ "$(cat "$HOME/h")" = /proc/perf ]
}

@test "programs that look are told that root may write" {
	pmcsim new "$M"
	run -0 pmcsim run "$M" -- ls -l /proc/perf
	[[ $output == -rw-r--r--* ]]
	pmcsim run "$M" -- test -w /proc/perf
	pmcsim run "$M" -- sh -c '[ -w /proc/perf ]'
}

@test "a descriptor opened before gives the values of the moment" {
	need_program spin1000.x86_64
	pmcsim new "$M"
	pmcsim run "$M" -- sh -c 'echo "0 0x28 0" > /proc/perf
		exec 3</proc/perf; ./spin3000.x86_64; cat <&3' >"$HOME/dump"
	[ "$(value 0 <"$HOME/dump")" -gt 6004 ]
}

@test "suspend and resume" {
	need_program spin1000.x86_64
	for count in 1000 3000; do
		rm -f "$M"
		pmcsim new "$M"
		pmcsim run "$M" -- sh -c 'echo "0 0x28 0" > /proc/perf
			echo suspend > /proc/perf; cat /proc/perf
			./spin'$count'.x86_64; cat /proc/perf
			echo resume > /proc/perf; ./spin'$count'.x86_64
			exec cat /proc/perf' | value 0 >"$HOME/$count"
	done
	mapfile -t short <"$HOME/1000"
	mapfile -t long <"$HOME/3000"
	[ "${short[0]}" -eq "${short[1]}" ]
	[ "${short[0]}" -eq "${long[0]}" ]
	[ "${long[0]}" -eq "${long[1]}" ]
	[ $((long[2] - short[2])) -eq 4000 ]
}

# Cycles of 2000 rounds more, as the program reads them: two instructions and
# the bubble behind a taken branch.
@test "a program may count what its tool does not" {
	need_program file.x86_64
	cycles() {
		pc_sweep -u $event --output "$HOME/dump" \
			./file.x86_64 rounds "$1" | value 0
	}
	for event in '--odds 1' '--evens 0'; do
		[ $(($(cycles 3000) - $(cycles 1000))) -eq 6000 ]
	done
}

@test "bad lines: the write fails, lines before take effect" {
	pmcsim new "$M"
	run -1 pmcsim run "$M" -- sh -c \
		'printf "1 0x28 5\nsuspend\n2 0x28 6 6\n3 0x28 7\n" > /proc/perf'
	[ "$(pmcsim cat "$M" | value 1)" -eq 5 ]
	[ "$(pmcsim cat "$M" | value 3)" -eq 0 ]
	echo "0 0x28" >"$HOME/bad"
	run -1 --separate-stderr pmcsim run "$M" -- cp "$HOME/bad" /proc/perf
	[ "$stderr" = "cp: error writing '/proc/perf': Invalid argument" ]
}

@test "an emulated user that is not root may read only" {
	pmcsim new --uid 1000 "$M"
	run -0 pmcsim run "$M" -- cat /proc/perf
	[ "${#lines[@]}" -eq 8 ]
	run -2 --separate-stderr pmcsim run "$M" -- sh -c \
		'echo "0 0x28 0" > /proc/perf'
	[[ $stderr == *"cannot create /proc/perf: Permission denied" ]]
	for program in file.x86_64 file.x86_64.static file.mipsel file.mips; do
		isa=${program#file.} isa=${isa%.static}
		[ -e "$program" ] && command -v "qemu-$isa" >/dev/null ||
			continue
		run -0 pmcsim run "$M" -- "./$program" refused
		[ "$output" = done ]
	done
	run -0 pmcsim run "$M" -- ls -l /proc/perf
	[[ $output == -r--r--r--* ]]
}

@test "the file, from dynamic and static programs of each set" {
	for program in file.*; do
		case ${program#file.} in
		x86_64*) engine=x86_64 ;;
		*) engine=${program#file.} engine=${engine%.static} ;;
		esac
		command -v "qemu-$engine" >/dev/null || continue
		rm -f "$M"
		checks "./$program"
	done
}

@test "the file, where there are few descriptors" {
	need_program file.x86_64
	few() {
		(exec 3>&- 4>&-; ulimit -n "$1"
			timeout -s KILL 60 pmcsim run "$M" -- "$2")
	}
	for n in 64 16 8; do
		rm -f "$M"
		pmcsim new "$M"
		pmcsim write "$M" "0 0x28 0"
		run -0 few "$n" ./file.x86_64
		[ "$output" = done ]
	done
	# Not enough for the device, but what the target has stays as it is.
	run -1 few 7 ./file.x86_64
	[[ $output == *"file.c:135: "* ]]
}

# process_vm_readv() and process_vm_writev().
@test "the file and programs, where a container refuses to look at memory" {
	local isa

	cc -o "$BATS_TEST_TMPDIR/refuse" "$BATS_TEST_DIRNAME/guest/refuse.c" ||
		skip "no compiler"
	bound() {
		rm -f "$M"
		pmcsim new "$M"
		pmcsim write "$M" "0 0x28 0"
		run -0 --separate-stderr "$BATS_TEST_TMPDIR/refuse" 310 311 \
			-- pmcsim run "$M" -- "$@"
	}
	for isa in x86_64 i386 mips mipsel alpha; do
		[ -e "file.$isa" ] && command -v "qemu-$isa" >/dev/null ||
			continue
		bound "./file.$isa"
		[ "$output" = done ]
	done
	need_program fds.x86_64.static
	bound sh -c 'exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-; ulimit -n 64
		./fds.x86_64.static full ./spin1000.x86_64
		./client.x86_64.static uncounted'
	[ "$output" = 1 ]
}

@test "the file, where files may have few bytes" {
	run -0 pc_sweep -ui bash -c 'ulimit -f 0
		read -r line </proc/perf; echo "<$line>"; echo kept'
	[ "${lines[0]} ${lines[1]}" = "<> kept" ]
}

@test "the client library, from programs of each set" {
	for program in client.*; do
		engine=${program#client.} engine=${engine%.static}
		command -v "qemu-$engine" >/dev/null || continue
		rm -f "$M"
		checks "./$program"
	done
	need_program client.x86_64
	run -0 ./client.x86_64 outside
	[ "$output" = done ]
}

@test "ioctl() of the client library leaves the kernel what is its own" {
	for program in ioctl.*; do
		engine=${program#ioctl.} engine=${engine%.static}
		command -v "qemu-$engine" >/dev/null || continue
		rm -f "$M"
		checks "./$program"
	done
	need_program ioctl.x86_64
	run -0 ./ioctl.x86_64 outside
	[ "$output" = done ]
}

@test "a signal each time that a counter overflows" {
	for isa in x86_64 x86_64.static i386.static mipsel mips.static alpha; do
		[ -e "overflow.$isa" ] || continue
		rm -f "$M"
		pmcsim new "$M"
		run -0 pmcsim run "$M" -- "./overflow.$isa"
		[ "$output" = done ]
	done
}

# One command as it is, one without process_vm_readv() and process_vm_writev().
free_and_bound() {
	counts "$BATS_TEST_TMPDIR/refuse" -- >"$BATS_TEST_TMPDIR/free"
	counts "$BATS_TEST_TMPDIR/refuse" 310 311 -- >"$BATS_TEST_TMPDIR/bound"
}

@test "what a container refuses changes no count" {
	need_program spin1000.x86_64
	counts() {
		rm -f "$M"
		pmcsim new "$M"
		pmcsim write "$M" "0 0x28 0"
		"$@" pmcsim run "$M" -- sh -c './spin1000.x86_64
			exec cat /proc/perf'
	}
	cc -o "$BATS_TEST_TMPDIR/refuse" "$BATS_TEST_DIRNAME/guest/refuse.c" ||
		skip "no compiler"
	steadily free_and_bound
	grep -q "PerfCnt\[0\].Cnt" "$BATS_TEST_TMPDIR/free"
	diff "$BATS_TEST_TMPDIR/free" "$BATS_TEST_TMPDIR/bound"
}
