#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pfm(7): a program that opens, calls, and compares, on each kind of Alpha;
# tests/guest/pfm.c says what it checks.

load helper
load guest

# client CPU FAMILY: finds nothing that is not as it should be
client() {
	local isa

	pmcsim new --cpu "$1" "$1"
	for isa in x86_64 alpha; do
		[ -e pfm.$isa ] || continue
		run -0 pmcsim run "$1" -- ./pfm.$isa "$2"
		[ "$output" = done ]
	done
}

@test "the calls of an EV4" {
	client ev4 4
}

@test "the calls of an EV5, EV56 and PCA56" {
	client ev5 5
	client ev56 5
	client pca56 5
}

@test "the calls of an EV6" {
	client ev6 6
}

@test "the calls of an EV67 and an EV7" {
	client ev67 67
	client ev7 67
}

@test "each statistic of ProfileMe" {
	local cpu isa

	for cpu in ev67 ev7; do
		pmcsim new --cpu $cpu each
		for isa in x86_64 alpha; do
			[ -e pfm_statistics.$isa ] || continue
			run -0 pmcsim run each -- ./pfm_statistics.$isa
			[ "$output" = done ]
		done
		pmcsim rm each
	done
}

@test "several CPUs, one by one and together" {
	cat >cpus.c <<-'END'
	#include <fcntl.h>
	#include <pthread.h>
	#include <stdio.h>
	#include <stdlib.h>
	#include <sys/ioctl.h>
	#include <sys/pfcntr.h>
	#include <unistd.h>
	static volatile unsigned turn[2][64];
	static void *spin(void *number)
	{
		unsigned i = (unsigned)(size_t)number;
		while (turn[i][0] < 400000 * (i + 1))
			turn[i][0]++;
		return NULL;
	}
	int main(int argc, char **argv)
	{
		const int mode[] = {PCNTOPENONE, PCNTOPENEACH, PCNTOPENALL};
		unsigned long word = PF6_MUX0_RET_INSTRUCTIONS |
				     PF6_MUX1_RET_COND_BRANCHES;
		union pmctrs_ev6 all = {.pmctrs_ev6_word = 0};
		struct pfcntrs_ev6 n[2] = {{0}}, *to = n;
		pthread_t thread;
		int fd = open("/dev/pfcntr", mode[atoi(argv[1])]);
		all.pmctrs_ev6_cpu = PMCTRS_ALL_CPUS;
		all.pmctrs_ev6_select = 3;
		ioctl(fd, PCNTCLEARCNT, NULL);
		ioctl(fd, PCNT6MUX, &word);
		ioctl(fd, PCNT6RESTART, &all.pmctrs_ev6_long);
		pthread_create(&thread, NULL, spin, (void *)1);
		spin(NULL);
		pthread_join(thread, NULL);
		ioctl(fd, PCNTRDISABLE, NULL);
		ioctl(fd, PCNT6READCNTRS, &to);
		return printf("%lu %lu\n", n[0].pf_cntr1, n[1].pf_cntr1) < 0;
	}
	END
	guest=$BATS_TEST_DIRNAME/../simulator/guest
	cc -O1 -pthread -I"$guest" -I"$guest/tru64" -o cpus cpus.c \
		"$guest"/client*.c "$guest/pmcsim_guest.c" ||
		skip "no compiler"
	pmcsim new --cpu ev6 --cpus 2 two
	read -r a b <<<"$(pmcsim run two -- ./cpus 1)"
	# The loops, and what threads take to begin and end.
	[ "$a" -ge 400000 ]
	[ "$a" -lt 410000 ]
	[ "$b" -ge 800000 ]
	[ "$b" -lt 810000 ]
	read -r one none <<<"$(pmcsim run two -- ./cpus 0)"
	[ "$one" -ge 400000 ]
	[ "$one" -lt 410000 ]
	[ "$none" -eq 0 ]
	read -r sum none <<<"$(pmcsim run two -- ./cpus 2)"
	[ "$sum" -ge 1200000 ]
	[ "$sum" -lt 1220000 ]
	[ "$none" -eq 0 ]
}

# The accounts of Linux know calls that move data (at place 5), and the data (6):
# they are moved for those, which are system calls (0).
@test "what utility routines do is their callers'" {
	cat >callers.c <<-'END'
	#include <fcntl.h>
	#include <stdio.h>
	#include <sys/ioctl.h>
	#include <sys/pfcntr.h>
	#include <unistd.h>
	static unsigned tick[11];
	static void look(int fd, int data, int callers)
	{
		addr_range_t all = {0xfffffc0000230000, 0xfffffc000023b000,
				    0x400, 0};
		struct addr_range one = {0xfffffc0000235000,
					 0xfffffc0000236000};
		static char text[65536];
		long items = PFM_COUNTERS;
		ioctl(fd, PCNTSETITEMS, &items);
		items = PFM_PROFILING;
		ioctl(fd, PCNTSETITEMS, &items);
		ioctl(fd, PCNTSETKRANGE, &all);
		if (callers > 0)
			ioctl(fd, PCNTCALLER);
		if (callers > 1)
			ioctl(fd, PCNTSETKADDR, &one);
		ioctl(fd, PCNTRENABLE);
		for (int i = 0; i < 10; i++)
			pread(data, text, sizeof text, 0);
		ioctl(fd, PCNTRDISABLE);
		lseek(fd, 0, SEEK_SET);
		read(fd, tick, sizeof tick);
		printf("%d: %u %u %u\n", callers, tick[5], tick[6],
		       tick[0] >= 1747 && tick[0] < 1760);
	}
	int main(int argc, char **argv)
	{
		long word = PF5_MUX0_ISSUES | PF5_MUX1_LOADS |
			    PF5_MUX2_C_CYCLES;
		union pmctrs_ev5 first = {.pmctrs_ev5_word = 0};
		int fd = open("/dev/pfcntr", PCNTOPENALL);
		int data = open(argv[1], O_RDONLY);
		ioctl(fd, PCNT5MUX, &word);
		word = PF5_C0_INT_EVERY_256;
		ioctl(fd, PCNT5FREQ, &word);
		first.pmctrs_ev5_cpu = PMCTRS_ALL_CPUS;
		first.pmctrs_ev5_select = PF5_SEL_COUNTER_0;
		ioctl(fd, PCNT5RESTART, &first.pmctrs_ev5_long);
		for (int callers = 0; callers < 3; callers++)
			look(fd, data, callers);
		return argc != 2;
	}
	END
	guest=$BATS_TEST_DIRNAME/../simulator/guest
	cc -O1 -I"$guest" -I"$guest/tru64" -o callers callers.c \
		"$guest"/client*.c "$guest/pmcsim_guest.c" ||
		skip "no compiler"
	sed 's/^os: tru64/os: linux/' "$PMCSIM_SRCDIR/events/ev5.yaml" \
		>mine.yaml
	head -c 65536 /dev/zero >data
	pmcsim new --cpu ./mine.yaml mine
	pmcsim run mine -- ./callers data >ticks
	# 10 * 1719 and 10 * 1024 * 42 instructions, 256 a tick.
	same ticks <<-'END'
	0: 67 1680 0
	1: 1747 0 0
	2: 0 0 1
	END
}

@test "other machines have no such device, nor has the host" {
	[ -e pfm.x86_64 ] || skip "no compiler"
	run -0 ./pfm.x86_64 0
	[ "$output" = done ]
	pmcsim new --cpu p6 p6
	run -0 pmcsim run p6 -- ./pfm.x86_64 0
	[ "$output" = done ]
}

# The device is named in a file: a program that is not compiled for it.
@test "what any program sees of the file" {
	pmcsim new --cpu ev5 ev5
	run -0 pmcsim run ev5 -- test -r /dev/pfcntr
	run -0 pmcsim run ev5 -- cat /dev/pfcntr
	[ -z "$output" ]
}
