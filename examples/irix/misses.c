/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The example of r10k_evcntrs(5): counts the misses of both first-level
 * caches while this program does something, here: adds up a matrix by
 * columns.
 *
 *	cc $(pkg-config --cflags --libs pmcsim-irix) misses.c
 *
 * What is printed in the manual differs in these: event 25 is asked for by
 * its own number, so that it is counted at all; exit() has its parentheses,
 * and lines end.  Counts have 64 bits.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/hwperfmacros.h>
#include <sys/hwperftypes.h>
#include <sys/procfs.h>
#include <sys/types.h>
#include <unistd.h>

#define ICACHE_MISSES 9
#define DCACHE_MISSES (HWPERF_CNT1BASE + 9)
#define N 512

static hwperf_profevctrarg_t evctr_args;
static hwperf_cntr_t cnts;
static volatile int matrix[N][N];

static void
count_event(int i, int counter_base)
{
	hwperf_ctrl_t *ctrl = &evctr_args.hwp_evctrargs.hwp_evctrl[i];

	ctrl->hwperf_creg.hwp_mode = HWPERF_CNTEN_U;
	ctrl->hwperf_creg.hwp_ie = 1;
	ctrl->hwperf_creg.hwp_ev = (ushort_t)(i - counter_base);
	evctr_args.hwp_ovflw_freq[i] = 0;
}

static void
do_not_count(int i)
{
	evctr_args.hwp_evctrargs.hwp_evctrl[i].hwperf_spec = 0;
	evctr_args.hwp_ovflw_freq[i] = 0;
}

static int
body_of_program(void)
{
	int sum = 0;

	for (int column = 0; column < N; column++)
		for (int row = 0; row < N; row++)
			sum += matrix[row][column];
	return sum;
}

static void
give_up(const char *what)
{
	int error = errno;

	perror(what);
	exit(error);
}

int
main(void)
{
	int fd, generation1, generation2;
	char pfile[32];

	sprintf(pfile, "/proc/%05d", (int)getpid());
	fd = open(pfile, O_RDWR);
	if (fd < 0)
		give_up(pfile);
	for (int i = 0; i < HWPERF_CNTEVENTMAX; i++) {
		if (i == ICACHE_MISSES)
			count_event(i, 0);
		else
			do_not_count(i);
	}
	for (int i = HWPERF_CNT1BASE; i < HWPERF_EVENTMAX; i++) {
		if (i == DCACHE_MISSES)
			count_event(i, HWPERF_CNT1BASE);
		else
			do_not_count(i);
	}
	evctr_args.hwp_ovflw_sig = 0;
	generation1 = ioctl(fd, PIOCENEVCTRS, (void *)&evctr_args);
	if (generation1 < 0)
		give_up("failed to acquire counters");

	if (body_of_program())
		return 1;

	/* Now read the counter values. */
	generation2 = ioctl(fd, PIOCGETEVCTRS, (void *)&cnts);
	if (generation2 < 0)
		give_up("PIOCGETEVCTRS returns error");

	/* The generation number should be the same. */
	if (generation1 != generation2) {
		printf("program lost event counters\n");
		exit(0);
	}

	/* Release the counters. */
	if (ioctl(fd, PIOCRELEVCTRS) < 0)
		give_up("PIOCRELEVCTRS returns error");

	printf("instruction cache misses: %llu\n",
	       (unsigned long long)cnts.hwp_evctr[ICACHE_MISSES]);
	printf("data cache misses: %llu\n",
	       (unsigned long long)cnts.hwp_evctr[DCACHE_MISSES]);
	return 0;
}
