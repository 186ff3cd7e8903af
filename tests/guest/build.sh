#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# build.sh DIR: builds the programs that are measured by guest.bats and
# follow.bats into DIR, as NAME.ISA, and statically linked as NAME.ISA.static.
# build.sh DIR irix: those of hwperf.bats.  What there is no compiler for is
# left out.
set -eu

here=$(dirname "$0")
guest=$here/../../simulator/guest
out=$1
system=${2-}
mkdir -p "$out"

# spin ISA COMPILER FLAG...: programs of 2 * COUNT + 4 instructions
spin()
{
	isa=$1
	shift
	[ -z "$system" ] || return 0
	for count in 1000 3000; do
		"$@" -nostdlib -static -DCOUNT=$count \
			-o "$out/spin$count.$isa" "$here/spin.$isa.S"
		for signal in 6 9; do
			"$@" -nostdlib -static -DCOUNT=$count \
				-DSIGNAL=$signal \
				-o "$out/spin$count-$signal.$isa" \
				"$here/spin.$isa.S"
		done
	done
}

# programs SUFFIX COMPILER FLAG...
programs()
{
	suffix=$1
	shift
	if [ "$system" = irix ]; then
		for source in "$here/hwperf.c" "$here/overflow_irix.c" \
		    "$here/../../examples/irix/misses.c"; do
			"$@" -O1 -pthread -I"$guest" -I"$guest/irix" \
				-o "$out/$(basename "$source" .c).$suffix" \
				"$source" "$guest"/*.c
		done
		return
	fi
	for name in args state spawn fds file; do
		"$@" -O1 -pthread -o "$out/$name.$suffix" "$here/$name.c"
	done
	for name in client ia64 ioctl overflow pctr; do
		"$@" -O1 -I"$guest" -I"$guest/irix" -I"$guest/openbsd" \
			-I"$guest/ia64" \
			-o "$out/$name.$suffix" "$here/$name.c" "$guest"/*.c
	done
}

# pfm SUFFIX COMPILER: it takes words of 64 bits.
pfm()
{
	suffix=$1
	shift
	[ -z "$system" ] || return 0
	for name in pfm pfm_statistics; do
		"$@" -O1 -I"$guest" -I"$guest/tru64" -o "$out/$name.$suffix" \
			"$here/$name.c" "$guest"/client*.c \
			"$guest/pmcsim_guest.c"
	done
}

have()
{
	command -v "$1" >/dev/null
}

if [ "$(uname -m)" = x86_64 ]; then
	spin x86_64 "${CC:-cc}"
	programs x86_64 "${CC:-cc}"
	programs x86_64.static "${CC:-cc}" -static
	pfm x86_64 "${CC:-cc}"
fi
# QEMU 7.2 itself loops for ever after fork in a dynamic i386 program that it
# loads from a folder of its own (-L), with or without us: static ones only.
if have i686-linux-gnu-gcc; then
	programs i386.static i686-linux-gnu-gcc -static
elif "${CC:-cc}" -m32 -o "$out/args.i386" "$here/args.c" 2>/dev/null; then
	programs i386 "${CC:-cc}" -m32
	programs i386.static "${CC:-cc}" -m32 -static
fi
for isa in mipsel mips; do
	if have $isa-linux-gnu-gcc; then
		programs $isa $isa-linux-gnu-gcc
		programs $isa.static $isa-linux-gnu-gcc -static
	fi
done
if have mipsel-linux-gnu-gcc; then
	spin mipsel mipsel-linux-gnu-gcc -mno-abicalls -fno-pic -no-pie
fi
if have alpha-linux-gnu-gcc; then
	programs alpha alpha-linux-gnu-gcc
	pfm alpha alpha-linux-gnu-gcc
fi
