# SPDX-License-Identifier: GPL-2.0-or-later
# For scripts that test the tools: they run from the build folder.

bats_require_minimum_version 1.5.0

build=${PMCSIM_BUILDDIR:-$PWD}
export PATH=$build/tests/bin:$build:$PATH
export PMCSIM_EVENTS=${PMCSIM_SRCDIR:-$BATS_TEST_DIRNAME/..}/events
unset PMCSIM_QEMU

# What executes x86-64 programs where a test does not say so.
export engine_name=${PMCSIM_ENGINE:-$(pmcsim engine --name)}

# What make gives a test may be anything, and tools tell when it is no file.
exec </dev/null

# Systems are looked for in the cache of the user that runs the tests.
user_cache=${XDG_CACHE_HOME:-$HOME/.cache}

setup() {
	export HOME=$BATS_TEST_TMPDIR XDG_STATE_HOME=$BATS_TEST_TMPDIR/state
	cd "$BATS_TEST_TMPDIR"
}

# Runs need QEMU.
need_engine() {
	local plugin=${PMCSIM_PLUGIN:-$build/.libs/pmcsim-plugin.so}

	[ -e "$plugin" ] || skip "no plugin"
	command -v qemu-x86_64 >/dev/null || skip "no qemu-user"
}

# Runs without it need a processor that has what programs find under QEMU.
need_native() {
	[ -x "$build/pmcsim-native" ] || skip "no native engine"
	grep -w avx2 /proc/cpuinfo | grep -qw adx ||
		skip "not a processor of x86-64-v3"
}

# Tools that count their own lines add them to files of theirs when they end;
# a limit of file sizes damages these, and later tests with them.
need_no_coverage() {
	[ ! -e "$build/tools/common/tool.gcno" ] || skip "coverage needs its files"
}

# Runs with a kernel need a board that has been set up.
need_board() {
	export XDG_CACHE_HOME=$user_cache
	need_engine
	pmcsim system list | grep -q "/$1-" ||
		skip "$1 is not set up: run \"pmcsim system setup $1\""
}

# A program of 2004 instructions, 1000 of them branches, 999 taken.
make_loop() {
	cat >loop.S <<-'END'
		.globl _start
	_start:	mov $1000, %ecx
	1:	dec %ecx
		jnz 1b
		mov $60, %eax
		xor %edi, %edi
		syscall
	END
	cc -nostdlib -static -o loop loop.S || skip "no compiler"
}

# How many digits process ids have now.
digits() {
	sh -c 'printf %s $$' | wc -c
}

# steadily COMMAND...: again if process ids were of another length at its end.
# A shell that starts writes its parent's down, and counts what that takes.
steadily() {
	local before after=0

	until [ "${before:-1}" = "$after" ]; do
		before=$(digits)
		"$@"
		after=$(digits)
	done
}

# Engines that there are here.
engines() {
	! (need_engine) >/dev/null || echo qemu
	! (need_native) >/dev/null || echo native
}

# stat_counts OPTION... COMMAND: "event count" each; the file counts has the rest.
stat_counts() {
	pmcsim stat -x, -o counts "$@"
	awk -F, '{ print $3, $1 }' counts
}

# Fails and shows both when the first file is not what stdin has.
same() {
	diff -u - "$1" >&2
}

# refuses TOOL STATUS SENTENCE ARGUMENT...: it says so, and prints nothing.
refuses() {
	local tool

	read -ra tool <<<"$1"
	run "-$2" --separate-stderr "${tool[@]}" "${@:4}"
	[ "$stderr" = "$1: $3" ]
	[ -z "$output" ]
}

# The programs of tests/threads, for the host and for MIPS, as far as they
# build here.
build_threads() {
	for source in "$BATS_TEST_DIRNAME"/threads/*.c; do
		name=$(basename "$source" .c)
		cc -O1 -pthread -mcx16 -static -o "$BATS_FILE_TMPDIR/$name" \
			"$source" -latomic 2>/dev/null ||
			rm -f "$BATS_FILE_TMPDIR/$name"
		mipsel-linux-gnu-gcc -O1 -pthread -static \
			-o "$BATS_FILE_TMPDIR/$name.mipsel" "$source" \
			-latomic 2>/dev/null ||
			rm -f "$BATS_FILE_TMPDIR/$name.mipsel"
	done
}

# make_phases TIMES: a loop that divides, and one that does not, so many times
make_phases() {
	cat >phases.S <<-END
		.globl _start
	_start:	mov \$$1, %esi
	1:	mov \$4000, %ecx
	2:	dec %ecx
		jnz 2b
		mov \$400, %ecx
	3:	mov \$77, %eax
		cltd
		mov \$5, %ebx
		idiv %ebx
		mov %eax, area(%rcx)
		dec %ecx
		jnz 3b
		dec %esi
		jnz 1b
		mov \$60, %eax
		xor %edi, %edi
		syscall
		.bss
	area:	.skip 8192
	END
	cc -nostdlib -static -no-pie -o phases phases.S || skip "no compiler"
}

# compare_sample FILE COMMAND...: runs each of the programs of tests/engines/sample/FILE.c
# alone, and by the command: what it prints and how it ends is the same, but for the note
# of --sampled on processes that were killed.  Says in n how many they are.
compare_sample() {
	local file=$1 name alone under

	need_native
	command -v gcc >/dev/null || skip "no compiler"
	gcc -O1 -w -pthread -o sample \
		"$PMCSIM_SRCDIR/tests/engines/sample/$file.c" -lm -lutil
	n=0
	for name in $(./sample); do
		alone=0 under=0
		timeout 120 ./sample "$name" >alone 2>alone.err || alone=$?
		timeout 120 "${@:2}" ./sample "$name" >under 2>under.err ||
			under=$?
		echo "$name: $alone $under"
		diff alone under
		grep -v '^pmcsim stat: note: a process was killed in the midst of a period of --sampled' \
			under.err |
			diff alone.err -
		[ "$alone" = "$under" ]
		n=$((n + 1))
	done
}
