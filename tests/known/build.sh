#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# build.sh DIR: builds the known-answer programs into DIR.  Without a cross
# compiler those for MIPS are left out, which is said.
set -eu

if [ $# -ne 1 ]; then
	echo "usage: build.sh DIR" >&2
	exit 64
fi
here=$(dirname "$0")
mipsel=${MIPSEL_CC:-mipsel-linux-gnu-gcc}
mkdir -p "$1"

# build COMPILER SUFFIX FLAG...
build()
{
	compiler=$1
	suffix=$2
	shift 2
	for source in "$here"/*."$suffix".S; do
		"$compiler" -nostdlib -static -I"$here" "$@" \
			-Wl,--build-id=none \
			-o "$out/$(basename "$source" .S)" "$source"
	done
}

out=$1
if [ "$(uname -m)" = x86_64 ]; then
	build "${CC:-cc}" x86_64 -no-pie
else
	echo "build.sh: not an x86-64 host: no x86-64 programs" >&2
fi
if command -v "$mipsel" >/dev/null; then
	build "$mipsel" mipsel -march=34kc -mno-abicalls -fno-pic -no-pie \
		-Wa,-mno-fix-loongson3-llsc -Wl,-z,max-page-size=65536
else
	echo "build.sh: no $mipsel: no MIPS programs" >&2
fi
