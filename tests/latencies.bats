#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What a load takes that each level of each CPU table has, in a ring of loads
# that wait for each other: the table's own cycles.

load helper

# of_ring TABLE LINES DISTANCE TIMES: cycles of 100 rounds, behind 100 that fill
# the largest window
of_ring() {
	local rounds
	for rounds in 100 200; do
		cc -nostdlib -static -no-pie -DROUNDS=$rounds -DLINES="$2" \
			-DDISTANCE="$3" -DTIMES="$4" -o ring \
			"$BATS_TEST_DIRNAME/latencies/ring.x86_64.S"
		"$build/tests/alpha/totals" "$rounds" "$1" ./ring
	done
	echo $(($(sed -n 's/^machine_cycles //p' 200) - \
		$(sed -n 's/^machine_cycles //p' 100)))
}

# What the loop adds is the same whatever the number of its loads.
chase() {
	local level lines distance cycles few many bad=0

	need_engine
	[ -x "$build/tests/alpha/totals" ] || skip "not built"
	[ "$(uname -m)" = x86_64 ] || skip "not an x86-64 host"
	"$BATS_TEST_DIRNAME/latencies/levels" "$PMCSIM_EVENTS/$1.yaml" \
		"$1.yaml" >levels
	[ "$(wc -l <levels)" -ge 2 ]
	while read -r level lines distance cycles; do
		few=$(of_ring "$1.yaml" "$lines" "$distance" "$lines")
		many=$(of_ring "$1.yaml" "$lines" "$distance" $((9 * lines)))
		[ $((many - few)) = $((100 * 8 * lines * cycles)) ] || {
			echo "$level: 800 x $lines loads: $((many - few))" \
				"cycles, not $cycles each"
			bad=1
		}
	done <levels
	[ "$bad" = 0 ]
}

@test "loads of cortex-a53" {
	chase cortex-a53
}

@test "loads of cortex-a72" {
	chase cortex-a72
}

@test "loads of ev4" {
	chase ev4
}

@test "loads of ev5" {
	chase ev5
}

@test "loads of ev56" {
	chase ev56
}

@test "loads of ev6" {
	chase ev6
}

@test "loads of ev67" {
	chase ev67
}

@test "loads of ev7" {
	chase ev7
}

@test "loads of itanium" {
	chase itanium
}

@test "loads of itanium2" {
	chase itanium2
}

@test "loads of madison" {
	chase madison
}

@test "loads of mips34k" {
	chase mips34k
}

@test "loads of p5" {
	chase p5
}

@test "loads of p55c" {
	chase p55c
}

@test "loads of p6" {
	chase p6
}

@test "loads of pca56" {
	chase pca56
}

@test "loads of pii" {
	chase pii
}

@test "loads of piii" {
	chase piii
}

@test "loads of r10000" {
	chase r10000
}

@test "loads of r10000v2" {
	chase r10000v2
}

@test "loads of r12000" {
	chase r12000
}

@test "loads of skylake" {
	chase skylake
}

@test "loads of u74" {
	chase u74
}

@test "each table has its test" {
	local table
	for table in "$PMCSIM_EVENTS"/*.yaml; do
		table=${table##*/}
		grep -q "^	chase ${table%.yaml}\$" "$BATS_TEST_FILENAME"
	done
}

@test "loads of zen3" {
	chase zen3
}
