# SPDX-License-Identifier: GPL-2.0-or-later
# For scripts that test profiles: programs whose counts per function are
# known, and what listings and exports say of them.

# once: 2 instructions and the loop's 2 * 1000; twice: the same with 2000;
# _start: 2 calls and 3 to end.
setup_file() {
	cd "$BATS_FILE_TMPDIR"
	cat >loops.S <<-'END'
		.globl _start, once, twice
		.type _start, @function
	_start:	call once
		call twice
		mov $60, %eax
		mov $5, %edi
		syscall
		.size _start, . - _start
		.type once, @function
	once:	mov $1000, %ecx
	1:	dec %ecx
		jnz 1b
		ret
		.size once, . - once
		.type twice, @function
	twice:	mov $2000, %ecx
	1:	dec %ecx
		jnz 1b
		ret
		.size twice, . - twice
	END
	cc -g -nostdlib -static -no-pie -o loops loops.S || rm -f loops
	cat >part.c <<-'END'
	static volatile unsigned sink;
	__attribute__((noinline)) void in_library(unsigned n)
	{
		while (n--)
			sink += n;
	}
	END
	cat >work.c <<-'END'
	#include <stdlib.h>
	#include <sys/wait.h>
	#include <unistd.h>
	static volatile unsigned sink;
	void in_library(unsigned n);
	__attribute__((noinline)) void in_program(unsigned n)
	{
		while (n--)
			sink ^= n;
	}
	int main(int argc, char **argv)
	{
		in_program(20000);
		in_library(10000);
		if (argc > 1 && fork() == 0) {
			in_program(20000);
			_exit(0);
		}
		if (write(1, "out\n", 4) != 4 || write(2, "err\n", 4) != 4)
			return 1;
		wait(NULL);
		return 7;
	}
	END
	cc -g -O1 -fPIC -shared -o libpart.so part.c &&
		cc -g -O1 -fPIE -pie -o work work.c -L. -lpart \
			-Wl,-rpath,"$BATS_FILE_TMPDIR" || rm -f work
}

need() {
	need_engine
	[ -e "$BATS_FILE_TMPDIR/$1" ] || skip "no compiler"
	target=$BATS_FILE_TMPDIR/$1
}

# The lines of a listing: percent, count, and the rest.
entries() {
	awk '/^ *[0-9.]+ +[0-9]+ +[0-9.]+ +[0-9]+  [^ ]/ {
		sub(/^ +/, ""); gsub(/  +/, " "); print }'
}

# Cost of a function in a folded file.
cost() {
	awk -v name="$1" '$1 == name { n += $2 } END { print n + 0 }' "$2"
}

sum() {
	awk '{ n += $NF } END { printf "%d\n", n }' "$1"
}

total() {
	awk -v event="$1" '$1 == "event" && $2 == event { print $5 }' umon.out
}

# The two numbers are not farther apart than four standard deviations of the
# samples that the first one stands for.
agree() {
	awk -v a="$1" -v b="$2" -v period="$3" 'BEGIN {
		off = a > b ? a - b : b - a
		exit off > 4 * period * (sqrt(b / period) + 1) }'
}
