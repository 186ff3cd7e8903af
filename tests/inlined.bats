#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Functions that compilers have put into others get what is theirs.

load helper
load profiles

setup_file() {
	cd "$BATS_FILE_TMPDIR"
	cat >put.c <<-'END'
	#define INTO static inline __attribute__((always_inline))
	#define APART __attribute__((noinline, noclone))
	static volatile unsigned sink;
	INTO unsigned step(unsigned x)
	{
		for (int i = 0; i < 10; i++)
			x = x * 1103515245u + 12345u;
		return x;
	}
	INTO unsigned both(unsigned x)
	{
		x = step(x);
		sink ^= x;
		return x;
	}
	APART unsigned apart(unsigned n)
	{
		unsigned x = 1;
		while (n--)
			x = both(x);
		return x;
	}
	/* Put into main(), and there by itself as well. */
	unsigned twofold(unsigned n)
	{
		while (n--)
			sink += n;
		return sink;
	}
	unsigned (*volatile by_itself)(unsigned) = twofold;
	int main(void)
	{
		unsigned x = apart(100);
		for (int i = 0; i < 500; i++)
			x = step(x + i);
		sink = x;
		twofold(1000);
		by_itself(2000);
		return 0;
	}
	END
	cc -g -O2 -Wl,--build-id=0x0123456789abcdef -o put put.c ||
		rm -f put
}

# Costs by stack as eu-addr2line has them: in a file of which offsets are
# addresses, of a profile without calls.  It says twice where a function has
# been put.
oracle() {
	awk -v file="/$1" '$1 == "module" { n++
			if (index($2, file) == length($2) - length(file) + 1)
				module = n - 1 }
		$1 == "at" && $3 == module { print $4, $6 }' umon.out >places
	[ -s places ]
	# An address begins each answer.
	cut -d ' ' -f 1 places | eu-addr2line -a -i -f -C -e "$1" |
		sed 's/ inlined at .*:[0-9]* in .*//' | awk '
		NR == FNR { cost[n++] = $2; next }
		/^0x/ { put(); stack = ""; at++; row = 0; next }
		row++ % 2 == 0 { stack = $0 (stack == "" ? "" : ";" stack) }
		function put() { if (at) sum[stack] += cost[at - 1] }
		END { put(); for (s in sum) if (sum[s]) print s, sum[s] }' \
		places - | LC_ALL=C sort
}

need_oracle() {
	command -v eu-addr2line >/dev/null || skip "no elfutils"
}

@test "stacks are those that addr2line has" {
	need_oracle
	need put
	cp "$target" .
	uprofile -exact retinst ./put
	oracle put | grep -vE '[?][?]|^_(start|init|fini) ' >theirs
	grep -q '^apart;both;step [0-9]*$' theirs
	grep -q '^main;twofold [0-9]*$' theirs
	prof -folded - | grep -Fxf theirs | LC_ALL=C sort -u | same theirs
}

@test "stacks of a C++ program are those that addr2line has" {
	need_oracle
	need_engine
	cat >put.cc <<-'END'
	#include <algorithm>
	#include <cstdio>
	#include <string>
	#include <vector>
	template <class T> struct box {
		T of;
		void add(T more) { of += more; }
		T get() const { return of; }
	};
	int main()
	{
		std::vector<int> list;
		box<long> all{0};
		std::string text;
		for (int i = 0; i < 300; i++) {
			list.push_back(i * 7919 % 1000);
			text += char('a' + i % 26);
		}
		std::sort(list.begin(), list.end(),
			  [](int a, int b) { return a > b; });
		for (int i : list)
			all.add(i);
		std::printf("%ld %zu\n", all.get(), text.size());
	}
	END
	g++ -g -O2 -o put put.cc || skip "no compiler"
	uprofile -exact retinst ./put >/dev/null
	oracle put | grep -vE '[?][?]|^_(start|init|fini) ' >theirs
	# What it calls functions that are not put elsewhere is something else.
	grep '^main;' theirs >below
	mv below theirs
	[ "$(wc -l <theirs)" -gt 20 ]
	prof -folded - | grep -Fxf theirs | LC_ALL=C sort -u | same theirs
}

@test "a function is one, put elsewhere or not" {
	need put
	uprofile -exact retinst "$target"
	prof -numbers | entries >rows
	[ "$(grep -c ' twofold (put.c:2[46])' rows)" -eq 1 ]
	prof -folded folded
	into=$(sed -n 's/^main;twofold //p' folded)
	itself=$(sed -n 's/^twofold //p' folded)
	[ "$into" -gt 3000 ] && [ "$itself" -gt 6000 ]
	awk -v n=$((into + itself)) '/ twofold / { exit $2 != n }' rows
	# What all have is the total, in each listing.
	for how in -procedures -heavy -lines -asm; do
		prof $how | awk -v n="$(total retinst)" '
			/^ *[0-9.]+ +[0-9]+ / { sum += $2 }
			/^ *[0-9]+  total$/ { all = $1 }
			END { exit all != n || sum != n }'
	done
	# The code that it has itself is called once, and begins once.
	prof -invocations | grep -q ' 1 .* twofold (put.c)$'
}

@test "listings by line and instruction name it" {
	need put
	uprofile -exact retinst "$target"
	in_step=$(prof -only step | awk '/ step \(/ { print $2 }')
	[ "$in_step" -gt 20000 ]
	prof -heavy -only step | awk -v n="$in_step" '
		$4 ~ /^[0-9]+$/ { if ($4 < 4 || $4 > 9) bad = 1; sum += $2 }
		END { exit bad || sum != n }'
	prof -asm -only step >listing
	grep -q '^main in ' listing
	grep -q '^apart in ' listing
	awk -v n="$in_step" '/put.c:/ { sum += $2; bad += $NF != "[step]" }
		END { exit bad || sum != n }' listing
	prof -json - | grep -q "\"name\": \"step\", .*\"counts\": \\[$in_step\\]"
}

@test "callgrind's format has it with what called it" {
	need put
	uprofile -quiet -calls -period 1 retinst "$target"
	prof -callgrind cg
	in_step=$(prof -only step | awk '/ step \(/ { print $2 }')
	awk '/^fn=/ { from = $0 } /^cfn=/ { to = $0 }
		/^calls=/ { n = $1; getline; print from, to, n, $NF }' cg |
		sed 's/c*fn=//g; s/calls=//' >arcs
	awk -v n="$in_step" '$2 == "step" { sum += $4; other += $3 != 1 }
		END { exit sum != n || other }' arcs
	grep -q '^both step 1 ' arcs
	grep -q '^main apart 1 ' arcs
	prof -inclusive | grep -q " main (put.c)"
	inclusive=$(prof -inclusive | awk '$5 == "both" { print $2 }')
	grep -qx "apart both 1 $inclusive" arcs
	command -v callgrind_annotate >/dev/null || skip "no valgrind"
	callgrind_annotate --threshold=100 cg | tr -d , |
		grep -q "^ *$in_step .*put.c:step"
}

# The same program, of which all debug information is elsewhere.
lines() {
	prof -quit 5 2>&1 | entries
	prof -lines -only step 2>/dev/null | grep 'step (put.c)' || true
}

@test "debug information in another file, and what dwz has made common" {
	need put
	mkdir store
	cp "$target" put
	uprofile -exact retinst ./put
	lines >whole
	grep -q ' step (put.c)' whole
	cp put right
	objcopy --only-keep-debug --compress-debug-sections=zlib put put.debug
	strip put
	objcopy --add-gnu-debuglink=put.debug put
	lines | same whole
	command -v dwz >/dev/null || skip "no dwz"
	# Two files that have the same in common.
	cp right a.debug
	cp right b.debug
	dwz -m shared.debug -M shared.debug a.debug b.debug
	readelf -S a.debug | grep -q gnu_debugaltlink
	mv a.debug put.debug
	lines | same whole
	# Without it, or with another build's in its place, there is no DWARF.
	cp shared.debug kept
	rm shared.debug
	run ! grep -q ' step (put.c)' <(lines)
	objcopy --remove-section .note.gnu.build-id kept shared.debug
	run ! grep -q ' step (put.c)' <(lines)
	# Nor does a file of another kind make it wait.
	rm shared.debug
	mkfifo shared.debug
	timeout 20 prof -quit 1 >/dev/null
}

@test "debug information from a server, if one is named" {
	need put
	ldconfig -p | grep -q libdebuginfod || skip "no libdebuginfod"
	cp "$target" put
	uprofile -exact retinst ./put
	lines >whole
	mkdir -p store/buildid/0123456789abcdef
	objcopy --only-keep-debug put store/buildid/0123456789abcdef/debuginfo
	strip put
	export DEBUGINFOD_CACHE_PATH=$PWD/cache DEBUGINFOD_TIMEOUT=5
	unset DEBUGINFOD_URLS
	lines >without
	run ! cmp -s without whole
	DEBUGINFOD_URLS= lines | same without
	[ ! -e cache ]
	DEBUGINFOD_URLS=file://$PWD/store lines | same whole
	rm -r cache
	DEBUGINFOD_URLS=file://$PWD/none lines | same without
	# What dwz has made common is asked for as well.
	command -v dwz >/dev/null || skip "no dwz"
	cp "$target" a.debug
	cp "$target" b.debug
	dwz -m shared.debug -M /nowhere/shared.debug a.debug b.debug
	mv a.debug store/buildid/0123456789abcdef/debuginfo
	build=$(readelf -n shared.debug | sed -n 's/.*Build ID: //p')
	rm -rf cache
	DEBUGINFOD_URLS=file://$PWD/store lines >part
	run ! cmp -s part whole
	mkdir store/buildid/$build
	mv shared.debug store/buildid/$build/debuginfo
	rm -rf cache
	DEBUGINFOD_URLS=file://$PWD/store lines | same whole
}
