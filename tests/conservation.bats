#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What must hold for every program: totals conserve, one run with all
# counters agrees with the reruns, and two runs print the same bytes.

load helper

check=$BATS_TEST_DIRNAME/conservation/check

setup() {
	export HOME=$BATS_TEST_TMPDIR LC_ALL=C PYTHONHASHSEED=0
	cd "$BATS_TEST_TMPDIR"
	need_engine
	seq 20000 >numbers
}

# obeys NAME COMMAND...: one sweep of all events, checked
obeys() {
	local name=$1

	shift
	pc_sweep -u --all --once --json --output "$name.json" -- "$@" \
		>/dev/null
	"$check" "$name.json" ${exact:+exact} ${several:+several}
}

@test "a loop, each instruction of which issues once" {
	make_loop
	exact=yes obeys loop ./loop
}

@test "programs of the host" {
	obeys true true
	obeys sort sort -r numbers
	obeys gzip gzip -c numbers
	obeys sh sh -c 'wc -l <numbers | tr 0 1'
}

@test "a MIPS program, each instruction of which issues once" {
	command -v mipsel-linux-gnu-gcc >/dev/null || skip "no MIPS compiler"
	cat >sum.c <<-'END'
		#include <stdlib.h>
		static int cell[5000];
		int main(void)
		{
			unsigned x = 1, sum = 0;
			for (int i = 0; i < 20000; i++) {
				x = x * 1103515245 + 12345;
				cell[x % 5000] += (int)(x / 7);
				sum += (unsigned)cell[i % 5000];
			}
			return sum == 1;
		}
	END
	mipsel-linux-gnu-gcc -O1 -static -o sum sum.c
	exact=yes obeys sum ./sum
}

# Each access misses the joint TLB, which software refills, and the cache; no
# reader waits for what is loaded, or one does; one thread, and more than there
# are contexts.
@test "chains of pages" {
	cat >pages.c <<-'END'
		#include <pthread.h>
		#include <stdlib.h>
		#include <sys/mman.h>
		#define PAGES 600
		static volatile int sink;
		static void *walk(void *arg)
		{
			size_t bytes = PAGES * 8192u;
			char *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
				       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
			for (int n = 0; n < 3; n++)
				for (int i = 0; i < PAGES; i++) {
					char *at = p + i * 8192u + i % 256 * 32;
					sink = *(volatile int *)at;
					*(volatile int *)(at + 2048) = n;
				}
			return arg;
		}
		int main(int argc, char **argv)
		{
			pthread_t t[8];
			int n = atoi(argv[argc - 1]);
			for (int i = 0; i < n; i++)
				pthread_create(&t[i], NULL, walk, NULL);
			walk(NULL);
			for (int i = 0; i < n; i++)
				pthread_join(t[i], NULL);
		}
	END
	cc -O1 -pthread -o pages pages.c || skip "no compiler"
	obeys alone ./pages 0
	several=yes obeys two ./pages 1
	several=yes obeys eight ./pages 7
}

# Without -S, sort looks how much memory is free.
@test "one run of all counters agrees with the reruns" {
	pc_sweep -up --all -- sort -S 8M numbers | grep '^\[' >reruns
	pc_sweep -up --all --once -- sort -S 8M numbers | grep '^\[' >once
	[ "$(wc -l <once)" -gt 90 ]
	diff reruns once
}

@test "two runs print the same bytes" {
	for i in 1 2; do
		pc_sweep -u --all --once --json -- sort -rS 8M numbers >run$i
	done
	cmp run1 run2
}

@test "a broken law would be noticed" {
	make_loop
	pc_sweep -u --all --once --json --output ok.json -- ./loop
	sed '/"event":18,/s/"value":[0-9]*/"value":1/' ok.json >bad.json
	run -1 "$check" bad.json
	[ "${lines[0]}" = "broken: stalls are IFU's and ALU's" ]
}
