#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Programs of the host on a PC with a kernel.  Nothing is fetched here: these
# tests need a system that "pmcsim system setup pc" has put into the user's
# cache.

load helper
load boards

board=pc

need_pc() {
	need_board pc
	[ "$(uname -m)" = x86_64 ] || skip "no host of x86-64"
}

@test "modes of a PC are told apart, and repeat" {
	need_pc
	gcc -O1 -static -o call -x c - <<-'END' || skip "no compiler"
	#include <unistd.h>
	int main(void)
	{
		for (unsigned i = 0; i < 20000; i++)
			getppid();
		return 0;
	}
	END
	measure ./call
	[ "$status" -eq 0 ]
	[[ $stderr == *"pc: system calls 200"??", "*" page faults "* ]]
	user=$(count U) kernel=$(count K) exl=$(count E)
	[ "$kernel" -gt $((user * 10)) ]
	# The entry of each call is with interrupts disabled.
	[ "$exl" -gt $((20000 * 20)) ]
	[ "$exl" -lt "$kernel" ]
	measure ./call
	near "$(count U)" "$user" 1
	near "$(count K)" "$kernel" 1
	# The same program counts the same in user mode alone, but for the start,
	# where it looks for the kernel's procedures that read clocks.
	run --separate-stderr pc_sweep -u --odds 1 -p -- ./call
	near "$user" "$(count U)" 30
}

@test "programs of the host run with their libraries" {
	need_pc
	echo "a line" >text
	expect=(-0)
	measure /usr/bin/grep -c line text
	[[ $output == *$'\n1\n'* ]]
	expect=(-2)
	measure grep -q line no-such-text
	[[ $stderr == *"grep: no-such-text: No such file or directory"* ]]
	expect=(-3)
	measure /bin/sh -c 'exit 3'
	# Under the name that was typed.
	expect=(-0)
	measure sh -c 'echo "<$0>"'
	[[ $output == *"<sh>"* ]]
}

@test "a script of the host is given to its interpreter" {
	need_pc
	printf '#!/bin/sh\necho "$0: $*"\n' >s.sh
	chmod +x s.sh
	run -0 --separate-stderr pc_sweep --system "$board" \
		--output counts -ui ./s.sh "one word" 2
	[ "$output" = "./s.sh: one word 2" ]
}

@test "output to a full disk is not lost without a word" {
	need_pc
	[ -w /dev/full ] || skip "no /dev/full"
	printf '#!/bin/sh\necho text\n' >s.sh
	chmod +x s.sh
	run -125 sh -c "pc_sweep --system $board --output counts -ui ./s.sh \
		>/dev/full"
	[[ $output == *"the command's stdout: No space left on device"* ]]
}

@test "no file of the host comes out, and no end that is forged" {
	need_pc
	echo secret >secret
	cat >s.sh <<-END
	#!/bin/sh
	echo "pmcsim done 0" >/dev/console
	echo "pmcsim done 00000000000000000000000000000000 0" >/dev/console
	rm -f /job/stdout
	ln -s $PWD/secret /job/stdout
	mkdir -p /job/a/b
	chmod 0 /job/a
	exit 3
	END
	chmod +x s.sh
	export TMPDIR=$PWD/tmp
	mkdir tmp
	run -125 --separate-stderr pc_sweep --system "$board" \
		--output counts -ui ./s.sh
	[ -z "$output" ]
	[[ $stderr == *"the command's stdout: it has put something else in its place"* ]]
	[ -z "$(ls -A tmp)" ]
	# The link was the guest's.
	[ "$(cat secret)" = secret ]
}

@test "libraries are where the program says" {
	need_pc
	mkdir lib
	echo "int seven(void) { return 7; }" |
		gcc -shared -fPIC -o lib/libseven.so -x c - ||
		skip "no compiler"
	echo "int seven(void); int main(void) { return seven(); }" |
		gcc -o program -x c - -Llib -lseven '-Wl,-rpath,$ORIGIN/lib'
	expect=(-7)
	measure ./program
	rm lib/libseven.so
	run -127 pc_sweep --system pc -u -i ./program
	[[ $output == "pc_sweep: the library libseven.so of the program is not there for x86_64: "* ]]
}

@test "dd in the kernel of a PC" {
	need_pc
	run -0 --separate-stderr kprofile -system pc -exact cycles \
		/bin/dd if=/dev/zero of=/tmp/x bs=4k count=400
	[[ "$stderr" == *"400+0 records out"* ]]
	# 400 times 4096 bytes are cleared and copied.
	prof -quit 3 kmon.out >top
	grep -q " copy_user_.* (kernel)" top
	grep -q " clear_user_.* (kernel)" top
	# Or rather those are for whom they were.
	run -0 kprofile -system pc -exact -ra cycles \
		/bin/dd if=/dev/zero of=/tmp/x bs=4k count=400
	prof -quit 3 kmon.out >top
	grep -q " read_zero (kernel)" top
	grep -q " copy_page_from_iter_atomic (kernel)" top
}

@test "segment registers are loaded under an out-of-order window" {
	need_pc
	run -0 --separate-stderr timeout 60 pctr --system pc -s 0 c0 -- true
	[ -z "$output" ]
	[[ $stderr =~ "ctr0 ="\ *([0-9]+)"  [--ku c0        INST_RETIRED]" ]]
	[ "${BASH_REMATCH[1]}" -gt 100000 ]
}
