#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The table that is made of this host.

load helper

# cache INDEX LEVEL TYPE SIZE WAYS: one that the kernel knows of.
cache() {
	mkdir -p "host/cpu0/cache/index$1"
	echo "$2" >"host/cpu0/cache/index$1/level"
	echo "$3" >"host/cpu0/cache/index$1/type"
	echo "$4" >"host/cpu0/cache/index$1/size"
	echo "$5" >"host/cpu0/cache/index$1/ways_of_associativity"
	echo 64 >"host/cpu0/cache/index$1/coherency_line_size"
}

setup() {
	cd "$BATS_TEST_TMPDIR"
	export PMCSIM_HOST_CPU=$PWD/host
	cache 0 1 Data 48K 12
	cache 1 1 Instruction 32K 8
	cache 2 2 Unified 1280K 20
	cache 3 3 Unified 30M 12
}

@test "caches of the kernel's folder, and what cannot be modelled" {
	pmcsim list host >host.yaml
	run -0 pmcsim check host.yaml
	[[ $output = "host.yaml: host; events "* ]]
	[ "$(grep -c '# this host$' host.yaml)" -ge 12 ]
	grep -A1 '    l1d:' host.yaml | grep -q ' size: 49152  # this host$'
	# 40960 sets of a third level are not a power of two.
	grep -q '^#   l3: 31457280 bytes are 40960 sets; modelled are 32768, of 25165824 bytes$' host.yaml
	rm -r host
	pmcsim list host >other.yaml
	grep -q '^#   l1d: not known; ' other.yaml
	pmcsim check other.yaml
}

@test "--cpu host, and the same elsewhere" {
	need_engine
	make_loop
	pmcsim stat --cpu host --cpu-out saved.yaml -x, -o out -e cycles ./loop
	pmcsim list host | cmp - saved.yaml
	pmcsim stat --cpu ./saved.yaml -x, -o again -e cycles ./loop
	cmp out again
	# A smaller cache has other counts.
	cache 0 1 Data 4K 1
	pmcsim list host | grep -q ' size: 4096  # this host$'
	run -64 pmcsim stat --cpu skylake --cpu-out other.yaml ./loop
	[ "$output" = "pmcsim stat: --cpu-out is for --cpu host" ]
	[ ! -e other.yaml ]
	run -1 pmcsim stat --cpu host --cpu-out /nonexistent/x ./loop
	[ ! -e /nonexistent/x ]
}
