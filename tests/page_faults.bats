#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later

load helper

# faults ENGINE CPU KIND: page faults of that kind, with those of the program itself.
faults() {
	pmcsim stat --engine "$1" --cpu "$2" -x, -o counts -e page-faults \
		./paging "$3" file
	cut -d, -f1 counts
}

# make_paging OPTION...: of the compiler
make_paging() {
	command -v cc >/dev/null || skip "no compiler"
	[ "$(uname -m)" = x86_64 ] || skip "no x86-64"
	cc -O1 -static -nostdlib -ffreestanding -fno-stack-protector "$@" \
		-o paging "$PMCSIM_SRCDIR/tests/engines/paging.c" ||
		skip "no compiler"
	head -c 262144 /dev/zero >file
}

# Those of Linux 6.18, by getrusage() of the program alone (paging.c with -DTOLD): 64
# pages of 4 KB.  Of a forked child, which that leaves out, there are the page of its
# stack, and 64 of its own.
@test "page faults are those that Linux counts" {
	need_engine
	make_paging
	for engine in $(engines); do
		for cpu in skylake cortex-a53 mips34k p6; do
			base=$(faults "$engine" "$cpu" n)
			for kind in m r w p a d v b V F f; do
				n=$(faults "$engine" "$cpu" $kind)
				echo "$kind $((n - base))"
			done >out
			echo "$engine, $cpu: $base"
			same out <<-'END'
			m 64
			r 4
			w 64
			p 13
			a 128
			d 96
			v 128
			b 128
			V 64
			F 65
			f 193
			END
			[ "$base" = 3 ]
		done
	done
}

# By the machine's clock, the program is told what is counted: that of a kind, and the page
# of the stack that it has been told at before.  The kernel tells the same numbers.
@test "a program sees its page faults" {
	need_engine
	make_paging -DTOLD
	for engine in $(engines); do
		for kind in n m r w a; do
			run pmcsim stat --engine "$engine" --clock machine \
				-o counts -e page-faults ./paging $kind file
			echo "$kind $status"
		done >out
		same out <<-'END'
		n 1
		m 65
		r 5
		w 65
		a 129
		END
	done
}

# Pages of 16 KB, of which four of a file are mapped at once; systems that map no page
# but the one that is touched.
@test "page faults of other pages and systems" {
	need_engine
	make_paging
	engine=$(engines | head -n 1)
	for cpu in itanium r10000 ev5; do
		base=$(faults "$engine" $cpu n)
		echo "$cpu $(($(faults "$engine" $cpu m) - base))" \
			"$(($(faults "$engine" $cpu r) - base))"
	done >out
	same out <<-'END'
	itanium 16 4
	r10000 16 16
	ev5 32 32
	END
}
