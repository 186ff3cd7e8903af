#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Includes and calls between the rooms go where doc/design.md lets them.

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_TMPDIR"
	# "room other": each room that the room may use, of any row below.
	awk -F'|' '/^\| `(simulator|lib|tools)/ {
		room = $2; gsub(/[` ]/, "", room)
		n = split($4, other, /[` ]+/)
		print room, room
		for (i = 1; i <= n; i++)
			if (other[i] != "") print room, other[i]
	}' "$PMCSIM_SRCDIR/doc/design.md" >direct
	awk '{ may[$1, $2]; rooms[$1]; rooms[$2] }
	     END {
		for (k in rooms) for (i in rooms) for (j in rooms)
			if ((i, k) in may && (k, j) in may) may[i, j]
		for (pair in may) { sub(SUBSEP, " ", pair); print pair }
	     }' direct | sort >allowed
}

# not_allowed <arrows: lines "room room", and what they are; those that the
# table has not.
not_allowed() {
	awk 'NR == FNR { may[$1, $2]; next } !(($1, $2) in may)' allowed -
}

@test "the table names each folder with code, and no other" {
	cd "$PMCSIM_SRCDIR"
	find simulator lib tools -name '*.[ch]' -printf '%h\n' |
		sed 's,^simulator/guest/.*,simulator/guest,' | sort -u \
		>"$BATS_TEST_TMPDIR/folders"
	cd "$BATS_TEST_TMPDIR"
	[ -s folders ]
	run -0 diff <(cut -d' ' -f1 direct | sort -u) folders
}

# Quoted names are of the file's own folder, or below lib, simulator or tools.
includes() (
	cd "$PMCSIM_SRCDIR"
	find simulator lib tools -name '*.[ch]' -o -name '*.def' \
		>"$BATS_TEST_TMPDIR/files"
	grep -rH '^#include "' --include='*.[ch]' simulator lib tools |
		awk -F'[:"]' '
			function room(path) {
				sub("/[^/]*$", "", path)
				sub("^simulator/guest/.*", "simulator/guest", path)
				return path
			}
			NR == FNR { is[$0]; next }
			{
				own = $1; sub("/[^/]*$", "", own)
				n = split(own " lib simulator tools " \
					  "simulator/guest", top, " ")
				for (i = 1; i < n && !(top[i] "/" $3 in is); i++)
					;
				print room($1), room(top[i] "/" $3), $1, $3
			}' "$BATS_TEST_TMPDIR/files" -
)

@test "includes go where the table lets them" {
	includes >arrows
	[ "$(wc -l <arrows)" -gt 500 ]
	not_allowed <arrows | diff /dev/null -
}

# What objects of the sources define and need, by folder: "D|U folder symbol".
symbols() (
	cd "$PMCSIM_SRCDIR"
	find simulator lib -name '*.c' >"$BATS_TEST_TMPDIR/sources"
	cd "$PMCSIM_BUILDDIR"
	sed -n "s,\(.*\)/\(.*\)\.c,\1/.libs/$1\2.o,p" \
		"$BATS_TEST_TMPDIR/sources" | xargs ls 2>/dev/null |
		xargs nm -A |
		sed -n -e 's,/\.libs/[^:]*:[^:]* [TDRBVW] , ,; t defined' \
			-e 's,/\.libs/[^:]*:[^:]* U ,  ,; t needed' -e d \
			-e ': defined' -e 's,^,D ,p; d' \
			-e ': needed' -e 's,  , ,; s,^,U ,p; d' | sort -u
)

@test "calls go where the table lets them" {
	for of in libcore_la- pmcsim_plugin_la-; do
		symbols $of >symbols
		[ -s symbols ] || skip "the build has no shared objects"
		[ "$(wc -l <symbols)" -gt 500 ]
		awk '$1 == "D" { at[$3] = $2 }
		     $1 == "U" { need[$2 " " $3] }
		     END {
			for (n in need) {
				split(n, a, " ")
				if (a[2] in at) print a[1], at[a[2]], a[2]
			}
		     }' symbols >arrows
		[ "$(wc -l <arrows)" -gt 100 ]
		not_allowed <arrows | diff /dev/null -
	done
}

# HACKING.md: things have names.
@test "no comment or text speaks of persons in place of things" {
	cd "$PMCSIM_SRCDIR"
	run -1 grep -rnwiE 'who|nobody|somebody|whoever' simulator lib tools \
		events man doc README.md HACKING.md
}
