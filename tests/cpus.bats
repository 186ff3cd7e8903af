#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Machines of several CPUs: threads are spread, caches are kept coherent.

load helper
load profiles

setup_file() {
	build_threads
}

# counts CPUS EVENT EVENT PLACE N: two threads that count to N; what is
# printed of both events.
counts() {
	local program=$BATS_FILE_TMPDIR/coherent${isa:-}

	need_engine
	[ -x "$program" ] || skip "coherent does not build here"
	timeout -s KILL 60 perfex --cpu "${cpu:-r10000}" --cpus "$1" \
		-e "$2" -e "$3" -o counted "$program" "$4" 2 "$5" >output
	[ "$(cat output)" = $((2 * $5)) ]
	set -- $(awk '$1 ~ /^[0-9]+$/ { print $NF }' counted)
	first=$1 second=$2
}

@test "one CPU is asked for nothing" {
	counts 1 12 28 shared 2000
	[ "$first $second" = "0 0" ]
	counts 1 13 29 shared 2000
	[ "$first $second" = "0 0" ]
	counts 1 13 31 shared 2000
	[ "$first $second" = "0 0" ]
}

@test "words of one line go to and fro, words of their own do not" {
	for isa in "" .mipsel; do
		# A CPU that waits for the line lets the other go on with it
		# for some rounds.
		counts 3 12 28 shared 20000
		[ "$first" -gt 5000 ]
		[ "$first" -lt 40200 ]
		[ "$second" -le "$first" ]
		counts 3 12 28 private 20000
		[ "$first" -lt 200 ]
		counts 3 13 29 private 20000
		[ "$first" -lt 200 ]
		[ "$second" -le "$first" ]
	done
}

# See tests/known/asked.x86_64.S.  An R12000 adds up states: 3 of a changed line,
# 2 of one that no other has, 1 of a shared one; and 2 for each line that was
# shared and is stored to.
@test "what one CPU is asked for by another" {
	local asked first second

	need_engine
	cc -nostdlib -static -no-pie -I "$BATS_TEST_DIRNAME/known" -o asked \
		"$BATS_TEST_DIRNAME/known/asked.x86_64.S" ||
		skip "not an x86-64 host"
	while read -r cpu first second values; do
		asked=$(timeout -s KILL 60 perfex --cpu "$cpu" --cpus 2 \
			-e "$first" -e "$second" ./asked 2>&1 |
			awk '$1 ~ /^[0-9]+$/ { print $NF }' | xargs)
		[ "$asked" = "$values" ] || {
			echo "$cpu, $first and $second: $asked, not $values"
			false
		}
	done <<-'END'
	r10000 12 28 150 150
	r10000 13 29 25 25
	r10000 13 31 25 25
	r12000 12 28 150 400
	r12000 13 29 25 25
	r12000 13 31 25 50
	END
}

@test "an R12000 adds up the states of lines" {
	counts 3 12 28 shared 5000
	local hits=$second
	cpu=r12000 counts 3 12 28 shared 5000
	[ "$second" -ge $((2 * first)) ]
	[ "$second" -le $((3 * first)) ]
	[ "$hits" -gt 2500 ]
}

@test "what executes does not depend on the number of CPUs" {
	counts 1 15 18 shared 5000
	local insns=$first loads=$second
	for n in 2 3 16; do
		counts "$n" 15 18 shared 5000
		[ "$first" -ge $((insns - 200)) ]
		[ "$first" -le $((insns + 200)) ]
		[ "$second" -ge $((loads - 100)) ]
		[ "$second" -le $((loads + 100)) ]
	done
}

@test "two runs count the same" {
	for n in 2 3; do
		for events in "0 28" "13 25" "7 31"; do
			counts "$n" $events shared 5000
			local before="$first $second"
			counts "$n" $events shared 5000
			[ "$first $second" = "$before" ]
		done
	done
}

# failures CPUS THREADS N: those that the program has seen, as counted
failures() {
	local program=$BATS_FILE_TMPDIR/linked.mipsel

	need_engine
	[ -x "$program" ] || skip "linked does not build here"
	timeout -s KILL 60 perfex --cpu r12000 --cpus "$1" -e 5 -o counted \
		"$program" "$2" "$3" >output
	[ "$(awk '$1 == 5 { print $NF }' counted)" = "$(cat output)" ]
}

@test "store conditionals that fail" {
	failures 1 2 20000
	[ "$(cat output)" -gt 0 ]
	failures 3 4 500
	[ "$(cat output)" -gt 100 ]
	failures 3 1 500
	[ "$(cat output)" = 0 ]
}

# Threads that each read 1 MB of their own, three times.
streams() {
	cat >streams.c <<-'END'
	#include <pthread.h>
	#include <stdlib.h>
	static char part[2][1 << 20];
	static volatile long sum[2][16];
	static void *reads(void *p)
	{
		long k = (long)p, s = 0;
		for (int times = 0; times < 3; times++)
			for (long i = 0; i < sizeof part[0]; i += 8)
				s += *(long *)(part[k] + i);
		sum[k][0] = s;
		return NULL;
	}
	int main(int n, char **unused)
	{
		pthread_t thread[2];
		for (long i = 0; i < n - 1; i++)
			pthread_create(&thread[i], NULL, reads, (void *)i);
		for (long i = 0; i < n - 1; i++)
			pthread_join(thread[i], NULL);
	}
	END
	cc -O1 -static -o streams streams.c -lpthread
}

# streamed CPUS [ARGUMENT...]: prefetches, fills of pages, cycles of as many
# threads as there are arguments.
streamed() {
	local cpus=$1

	shift
	pmcsim stat --cpu skylake --cpus "$cpus" --env clean -x, -o counts \
		-e L2_RQSTS.ALL_PF,dTLB-load-misses,cycles -- ./streams "$@"
	cut -d, -f1 counts | xargs
}

@test "each CPU prefetches, and takes as long as one alone" {
	local nothing one alone both

	need_engine
	streams || skip "no compiler"
	read -r -a nothing <<<"$(streamed 1)"
	read -r -a one <<<"$(streamed 1 a)"
	read -r -a alone <<<"$(streamed 2 a)"
	read -r -a both <<<"$(streamed 2 a b)"
	for i in 0 1 2; do
		one[i]=$((one[i] - nothing[i]))
		alone[i]=$((alone[i] - nothing[i]))
		both[i]=$((both[i] - nothing[i]))
		echo "$i: ${one[i]} ${alone[i]} ${both[i]}"
		[ $((one[i] * 95)) -lt $((alone[i] * 100)) ]
		[ $((one[i] * 105)) -gt $((alone[i] * 100)) ]
		[ $((2 * one[i] * 90)) -lt $((both[i] * 100)) ]
		[ $((2 * one[i] * 105)) -gt $((both[i] * 100)) ]
	done
	[ "${one[0]}" -gt 40000 ]
}

# Two threads for each argument, those behind the first in a child process of the ones
# before: sums of four chains, of which each is as long.
chains() {
	cat >chains.c <<-'END'
	#include <pthread.h>
	#include <sys/wait.h>
	#include <unistd.h>
	static void *computes(void *unused)
	{
		long a = 1, b = 2, c = 3, d = 4;
		for (int i = 0; i < 20000; i++)
			__asm__ volatile(".rept 5\n\tadd $1, %0\n\tadd $1, %1\n\t"
					 "add $1, %2\n\tadd $1, %3\n\t.endr"
					 : "+r"(a), "+r"(b), "+r"(c), "+r"(d));
		return NULL;
	}
	int main(int n, char **unused)
	{
		for (int k = 1; k < n; k++) {
			pthread_t thread[2];
			if (k > 1 && fork())
				return wait(NULL) < 0;
			for (int i = 0; i < 2; i++)
				pthread_create(&thread[i], NULL, computes, NULL);
			for (int i = 0; i < 2; i++)
				pthread_join(thread[i], NULL);
		}
	}
	END
	cc -O1 -static -o chains chains.c -lpthread
}

# computed CPU [ARGUMENT...]: cycles of two CPUs.
computed() {
	pmcsim stat --cpu "$1" --cpus 2 --env clean -x, -o counts -e cycles -- \
		./chains "${@:2}"
	cut -d, -f1 counts
}

@test "threads of a child process take as long on their CPUs as its parent's" {
	local once twice

	need_engine
	chains || skip "no compiler"
	for cpu in r10000 p6 ev6 skylake zen3 p5 cortex-a53; do
		once=$(computed "$cpu" a)
		twice=$(computed "$cpu" a b)
		echo "$cpu: $once $((twice - once))"
		[ $((twice - once)) -lt $((once * 11 / 10)) ]
		[ $((twice - once)) -gt $((once / 2)) ]
	done
}

@test "numbers of CPUs that make no sense" {
	for n in 0 17 x; do
		run -64 --separate-stderr perfex --cpus "$n" true
		[ "$stderr" = "perfex: --cpus $n: not a number from 1 to 16" ]
	done
	run -64 --separate-stderr pmcsim new --cpu r10000 --cpus 0 ./machine
	[ "$stderr" = "pmcsim new: a machine has 1 to 16 CPUs, not 0" ]
	run -64 --separate-stderr pmcsim new --cpus 17 ./machine
	[ "$stderr" = "pmcsim new: --cpus 17: not a number from 1 to 16" ]
	run -64 --separate-stderr pmcsim new --cpus 2 ./machine
	[ "$stderr" = "pmcsim new: a CPU of several hardware contexts is the only one (of at most 16), not one of 2" ]
	[ ! -e machine ]
}

build_asked() {
	need_engine
	cc -nostdlib -static -no-pie -I "$BATS_TEST_DIRNAME/known" -o asked \
		"$BATS_TEST_DIRNAME/known/asked.x86_64.S" ||
		skip "not an x86-64 host"
}

# pentium CPU CPUS FUNCTION FUNCTION: what both counters have of ./asked.
pentium() {
	rm -f two
	pmcsim new --cpu "$1" --cpus "$2" ./two
	pctr --machine ./two -s 0 -u "$3"
	pctr --machine ./two -s 1 -u "$4"
	pmcsim run ./two -- ./asked
	pctr --machine ./two --json | grep -o '"value":[^,]*' | head -n 2 |
		cut -d: -f2 | xargs
}

# The same program on a bus.  A Pentium is asked for the line of code that the
# second thread begins in, too; its data cache has the 50 lines that were loaded,
# as stores that miss go past it.  Stores to shared lines are requests to the
# second level unless the line is still in the first one, which has places for
# the last 64 of the thread's 150 lines in a Pentium Pro, for 128 in later ones:
# all of the 25 have left it, or 22.
@test "what Pentiums on a bus ask each other for" {
	build_asked
	while read -r cpu first second values; do
		[ "$(pentium "$cpu" 2 "$first" "$second")" = "$values" ]
		[ "$(pentium "$cpu" 1 "$first" "$second")" = "0 0" ]
	done <<-'END'
	p5 07 08 176 50
	p55c 2c 08 100 50
	p6 69 69/a 25 25
	p6 69 2a/s 25 25
	pii 69 2a/s 25 22
	piii 69 2e/s 25 22
	END
	# 170 stores miss, and those to lines that are shared are found as such.
	[ "$(pentium p6 2 2a/i 2a/mesi)" = "170 195" ]
	[ "$(pentium p6 1 69 7b)" = "0 0" ]
	[ "$(pentium p6 2 69 7b)" = "25 null" ]
	pctr --machine ./two | grep -q "^ ctr1 = *not modelled .*at once here"
}

# As on a Pentium: 60 of the reads find a line changed, 20 one that is not, and
# so does that of the line of code.
@test "what Itaniums on a bus ask each other for" {
	build_asked
	while read -r event count; do
		uprofile -cpu itanium -cpus 2 -exact "$event" ./asked
		[ "$(total "$event")" -eq "$count" ]
		uprofile -cpu itanium -exact "$event" ./asked
		[ "$(total "$event")" -eq 0 ]
	done <<-'END'
	BUS_RD_HIT 21
	BUS_RD_HITM 60
	BUS_RD_INVAL_BST_HITM 40
	BUS_HITM 100
	BUS_SNOOPS_ANY 176
	BUS_SNOOPS_HITM_ANY 100
	BUS_RD_INVAL_SELF 25
	BUS_ALL_IO 0
	END
	uprofile -cpu itanium -exact BUS_SNOOPQ_REQ ./asked
	[ "$(total BUS_SNOOPQ_REQ)" -eq 0 ]
	run -125 --separate-stderr uprofile -cpu itanium -cpus 2 -exact \
		BUS_SNOOPQ_REQ ./asked
	[ "$stderr" = "uprofile: BUS_SNOOPQ_REQ cannot be counted: CPUs answer each other at once here, and no looks into caches wait" ]
}

@test "what is zero because there is one CPU says what several have" {
	run awk '/^    - code:/ { if (alone) print name; alone = 0 }
		/^      name:/ { name = FILENAME " " $2 }
		/one processor|no other agent/ { alone = 1 }
		/^      of_several:/ { alone = 0 }
		END { if (alone) print name }' "$PMCSIM_SRCDIR"/events/*.yaml
	[ "$output" = "" ]
}
