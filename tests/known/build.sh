#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# build.sh DIR: builds the known-answer programs into DIR.  Without a cross
# compiler those for its processor are left out, which is said.  Those for
# little-endian MIPS are built for big-endian MIPS as well.
set -eu

if [ $# -ne 1 ]; then
	echo "usage: build.sh DIR" >&2
	exit 64
fi
here=$(dirname "$0")
mipsel=${MIPSEL_CC:-mipsel-linux-gnu-gcc}
mips=${MIPS_CC:-mips-linux-gnu-gcc}
alpha=${ALPHA_CC:-alpha-linux-gnu-gcc}
mips_flags="-march=34kc -mno-abicalls -fno-pic -no-pie
	-Wa,-mno-fix-loongson3-llsc -Wl,-z,max-page-size=65536"
mkdir -p "$1"

# build COMPILER SUFFIX SOURCES FLAG...: SOURCES is the suffix of those
build()
{
	compiler=$1
	suffix=$2
	sources=$3
	shift 3
	for source in "$here"/*."$sources".S; do
		"$compiler" -nostdlib -static -I"$here" "$@" \
			-Wl,--build-id=none \
			-o "$out/$(basename "$source" ".$sources.S").$suffix" \
			"$source"
	done
}

# cross COMPILER SUFFIX SOURCES FLAG...: the same if there is a compiler
cross()
{
	if command -v "$1" >/dev/null; then
		build "$@"
	else
		echo "build.sh: no $1: no programs for $2" >&2
	fi
}

out=$1
if [ "$(uname -m)" = x86_64 ]; then
	build "${CC:-cc}" x86_64 x86_64 -no-pie
	build "${CC:-cc}" i386 i386 -m32 -no-pie
else
	echo "build.sh: not an x86-64 host: no x86 programs" >&2
fi
# shellcheck disable=SC2086 # several words each
cross "$mipsel" mipsel mipsel $mips_flags
# shellcheck disable=SC2086
cross "$mips" mips mipsel $mips_flags
cross "$alpha" alpha alpha -Wl,--section-start=.bss=0x20000000
