#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The target's other programs run on the machine too, and cannot tell.

load helper
load guest

setup() {
	setup_guest
	need_program spin1000.x86_64
}

# on PROGRAM...: runs it on a new machine that counts instructions
on() {
	rm -f "$M"
	pmcsim new "$M"
	pmcsim write "$M" "0 0x28 0"
	pmcsim run "$M" -- "$@"
}

count() {
	pmcsim cat "$M" | sed -n 's/^PerfCnt\[0\].Cnt : //p'
}

# The command without the descriptors of the test's own.
bare() {
	"$@" 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
}

# both COMMAND: what it counts with spin1000 and with spin3000 for SPIN.
both() {
	on sh -c "${1//SPIN/spin1000}" >/dev/null || true
	short=$(count)
	on sh -c "${1//SPIN/spin3000}" >/dev/null || true
	long=$(count)
}

# counts N COMMAND: the difference must be 4000 for each of N executions.
counts() {
	local short long

	steadily both "$2"
	[ $((long - short)) -eq $(($1 * 4000)) ]
}

# The same command natively and on a machine: the same output and status.
same_as_native() {
	local status=0 measured=0

	"$@" >"$HOME/native" 2>"$HOME/native.err" || status=$?
	on "$@" >"$HOME/measured" 2>"$HOME/measured.err" || measured=$?
	cmp "$HOME/native" "$HOME/measured"
	cmp "$HOME/native.err" "$HOME/measured.err"
	[ "$status" -eq "$measured" ]
}

@test "one program: exactly its instructions" {
	on ./spin1000.x86_64
	[ "$(count)" -eq 2004 ]
	on ./spawn.x86_64.static fork 1 ./spin1000.x86_64
	short=$(count)
	on ./spawn.x86_64.static fork 1 ./spin3000.x86_64
	[ $(($(count) - short)) -eq 4000 ]
}

@test "fork, vfork, posix_spawn, system, popen, fexecve" {
	for how in fork vfork spawn system popen fexecve memfd; do
		counts 3 "./spawn.x86_64 $how 3 ./SPIN.x86_64"
	done
}

@test "a second thread that executes a program" {
	counts 2 "./spawn.x86_64 thread 2 ./SPIN.x86_64"
}

@test "programs of other instruction sets, to and fro" {
	need_program spin1000.mipsel mipsel
	counts 2 "./spawn.x86_64 fork 2 ./SPIN.mipsel"
	counts 2 "./spawn.mipsel fork 2 ./SPIN.x86_64"
	[ ! -e spawn.i386 ] || counts 2 "./spawn.i386 spawn 2 ./SPIN.mipsel"
	counts 1 "./spawn.mipsel.static spawn 1 ./SPIN.mipsel"
}

@test "a hundred short processes" {
	run -0 on ./spawn.x86_64.static vfork 100 ./spin1000.x86_64
	[ -z "$output" ]
	hundred=$(count)
	on ./spawn.x86_64.static vfork 100 ./spin3000.x86_64
	[ $(($(count) - hundred)) -eq 400000 ]
}

@test "what ends by a signal has been counted" {
	for signal in 6 9; do
		run -0 on ./spawn.x86_64 fork 2 ./spin1000-$signal.x86_64
		[ "$(grep -c "^signal $signal$" <<<"$output")" -eq 2 ]
		counts 2 "./spawn.x86_64 fork 2 ./SPIN-$signal.x86_64 2>&1"
	done
	run -137 on ./spin1000-9.x86_64
	[ "$(count)" -eq 2007 ]
}

@test "signals while the program computes, on processors out of order" {
	local called=$BATS_TEST_TMPDIR/called

	cc -O1 -mno-red-zone -static -o "$called" \
		"$BATS_TEST_DIRNAME/guest/called.c" || skip "no compiler"
	for i in 1 2 3; do
		run -0 timeout 60 perfex -o /dev/null "$called"
		[ "$output" = done ]
		run -0 timeout 60 pctr --cpu p6 -o /dev/null -- "$called"
		[ "$output" = done ]
		run -0 timeout 60 uprofile -cpu ev6 -dirname \
			"$BATS_TEST_TMPDIR" -exact cycles0 "$called"
		[ "$output" = done ]
	done
}

@test "pipelines and redirections" {
	same_as_native sh -c 'seq 300 | sort -r | head -n 3 | tr 0-9 a-j
		ls /nowhere; echo out; echo err >&2; exit 3'
	counts 2 './SPIN.x86_64 </dev/null >/dev/null 2>&1; ./SPIN.x86_64'
}

@test "scripts, their arguments, and scripts that start scripts" {
	cd "$HOME"
	printf '#!/bin/sh -u\necho "$0 $# $1 $2 $3 $4 $-"\n' >inner
	printf '#!./inner one two  \n' >middle
	printf '#!/usr/bin/env -S sh -e\n./middle a "b c"\n' >outer
	printf '#!/nowhere\n' >broken
	printf '#!./loop\n' >loop
	printf 'echo no first line $1\n' >plain
	chmod +x inner middle outer broken loop plain
	same_as_native sh -c './outer x'
	same_as_native sh -c './broken; echo $?'
	same_as_native sh -c './plain x; echo $?'
	same_as_native sh -c './nothing; echo $?'
	same_as_native sh -c '. /etc/hostname 2>/dev/null; ./; echo $?'
	run on sh -c './loop 2>/dev/null; echo $?'
	[ "$output" -ne 0 ]
}

@test "five scripts start each other, the first one or a later one, not six" {
	cd "$HOME"
	printf '#!/bin/echo 1\n' >s1
	for n in 2 3 4 5 6; do
		printf '#!./s%d %d\n' $((n - 1)) "$n" >"s$n"
	done
	chmod +x s?
	same_as_native ./s5 x
	same_as_native sh -c './s5 x'
	same_as_native sh -c './s6 2>/dev/null || echo none'
	run ! on ./s6
	[ "$output" = "pmcsim run: ./s6: too many scripts start each other" ]
}

@test "arguments and environment arrive as given, in order" {
	for args in ./args.*; do
		engine=${args#./args.} engine=${engine%.static}
		command -v "qemu-$engine" >/dev/null || continue
		run -0 on env -i Z=1 A=2 'C=a,b' 'E=' 'S= x  y' "$args" "" -x 'a b'
		same <(echo "$output") <<-END
		[$args][][-x][a b]
		Z=1
		A=2
		C=a,b
		E=
		S= x  y
		END
	done
}

@test "variables that QEMU or its linker would heed are the target's" {
	run -0 --separate-stderr on env -i A=1 QEMU_STRACE=1 LD_DEBUG=all \
		LD_LIBRARY_PATH=/nowhere GLIBC_TUNABLES=x=1 QEMU_CPU=none \
		MALLOC_PERTURB_=3 ./args.x86_64.static -q
	sort <<<"$output" >"$HOME/sorted"
	LC_ALL=C sort >"$HOME/wanted" <<-'END'
	[./args.x86_64.static][-q]
	A=1
	QEMU_STRACE=1
	LD_DEBUG=all
	LD_LIBRARY_PATH=/nowhere
	GLIBC_TUNABLES=x=1
	QEMU_CPU=none
	MALLOC_PERTURB_=3
	END
	LC_ALL=C sort -o "$HOME/sorted" "$HOME/sorted"
	cmp "$HOME/sorted" "$HOME/wanted"
	[ -z "$stderr" ]
}

@test "an argv[0] and a path that look like options" {
	cp args.x86_64.static "$HOME/-plugin"
	same_as_native bash -c \
		'cd "$HOME"; exec -a -cpu env -i A=1 ./-plugin x'
	run -0 on bash -c '(cd "$HOME"; PATH=; exec -a -L -- ./-plugin y)'
	[ "${lines[0]}" = "[-L][y]" ]
}

@test "paths of the machine and of libraries, handed on with commas" {
	need_program args.mipsel mipsel
	M=$HOME/a,,b,c
	ln -s /usr/mipsel-linux-gnu "$HOME/libraries,of,mipsel"
	export PMCSIM_SYSROOT_MIPSEL=$HOME/libraries,of,mipsel
	run -0 on env -i sh -c 'env -i sh -c "./args.mipsel 1; ./args.mipsel 2"'
	[ "${lines[0]}" = "[./args.mipsel][1]" ]
	[ "${lines[-2]}" = "[./args.mipsel][2]" ]
	export PMCSIM_SYSROOT_MIPSEL=$HOME
	run on env -i sh -c 'env -i sh -c "./args.mipsel 1"'
	[ "$status" -ne 0 ]
	[[ $output == *"Could not open"*ld.so* ]]
}

@test "signals, limits, umask, priority, folder, descriptors are kept" {
	same_as_native sh -c 'trap "" INT USR1; umask 027; cd /tmp
		ulimit -n 200; ulimit -c 0; exec 5</dev/null 7</dev/null
		exec "$0"' "$PWD/state.x86_64"
	same_as_native nice -n 3 setsid -w ./state.x86_64.static
}

# 64 MB; QEMU's own stack has 8.
@test "a stack without limit" {
	cat >"$BATS_TEST_TMPDIR/deep.S" <<-'END'
		.globl _start
	_start:	xor %edi, %edi
		mov $60, %eax
		movb $1, -0x4000000(%rsp)
		syscall
	END
	cc -nostdlib -static -o "$BATS_TEST_TMPDIR/deep" \
		"$BATS_TEST_TMPDIR/deep.S" || skip "no compiler"
	ulimit -s unlimited || skip "not allowed here"
	on "$BATS_TEST_TMPDIR/deep"
	[ "$(count)" -eq 4 ]
	on env "$BATS_TEST_TMPDIR/deep"
}

@test "the machine's descriptor is out of the way" {
	for how in up down listed range over; do
		run -0 bare on ./fds.x86_64.static $how ./spin1000.x86_64
		[ -z "$output" ]
		short=$(count)
		bare on ./fds.x86_64.static $how ./spin3000.x86_64
		[ $(($(count) - short)) -eq 4000 ]
		run -0 bare on sh -c 'ulimit -n 64; "$@"' sh \
			./fds.x86_64.static $how ./spin1000.x86_64
		[ -z "$output" ]
		bare counts 1 \
			"ulimit -n 64; ./fds.x86_64.static $how ./SPIN.x86_64"
	done
}

@test "programs that the host runs without engine are told apart" {
	run -0 --separate-stderr bare on sh -c 'ulimit -n 64; ./nothing; ./fds.x86_64 full /etc/passwd
		./spin1000.x86_64; ./client.x86_64.static uncounted'
	[ "${lines[-1]}" = 0 ]
	[[ $stderr != *note:* ]]
	run -0 --separate-stderr bare on sh -c 'ulimit -n 64
		./fds.x86_64.static full ./spin1000.x86_64
		./fds.x86_64.static full ./spin1000.x86_64
		./client.x86_64.static uncounted'
	[ "${lines[-1]}" = 2 ]
}

@test "a machine that is gone: no further program, status 125" {
	run -125 --separate-stderr on sh -c 'rm "$0"; exec ./spin1000.x86_64' \
		"$M"
	[[ $stderr == "pmcsim: the machine $M is gone, so no further program"* ]]
}

# A tool's machine has a path that only the tool's own user and processes find.
@test "another user, another PID namespace" {
	local counting="pc_sweep -ui --output counts"

	cd "$HOME"
	[ "$(id -u)" -eq 0 ] || skip "not root"
	setpriv --reuid 65534 --clear-groups \
		test -r "${PMCSIM_PLUGIN:-$build/.libs/pmcsim-plugin.so}" &&
		setpriv --reuid 65534 --clear-groups \
			qemu-x86_64 -version >version ||
		skip "another user cannot read the plugin, or run QEMU"
	run -0 $counting setpriv --reuid 65534 --clear-groups \
		sh -c '/bin/echo one; exec /usr/bin/id -u'
	[ "$output" = "one"$'\n'65534 ]
	unshare -pf --mount-proc true || skip "no namespaces"
	run -0 $counting unshare -pf --mount-proc \
		sh -c '/bin/echo two; exec sh -c "echo \$\$"'
	[ "$output" = "two"$'\n'1 ]
}

@test "what the command leaves behind goes on when the tool has ended" {
	cd "$HOME"
	mkfifo go done
	pc_sweep -ui --output counts \
		sh -c '(read x <go; exec /bin/echo "late $x" >done) & exit 3' \
		2>notes || [ $? = 3 ]
	[ "$(cat notes)" = "pc_sweep: note: the command left processes\
 running; what they do after its end is not counted" ]
	echo on >go
	[ "$(timeout 60 cat done)" = "late on" ]
}
