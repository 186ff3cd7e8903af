/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The forty statistics of ProfileMe through pfm(7): which can be selected, and
 * for those, that what each is about makes it count.  Ends with "done".
 */
#include "check.h"

#include <string.h>
#include <sys/pfcntr.h>

#define ROUNDS 20000
#define PAGES 300		/* the DTB has 128 entries */
#define PAGE 8192
#define SLACK 0.02		/* what reading the counts costs */

static volatile unsigned sink;
static volatile unsigned char pages[PAGES * PAGE];
static struct {
	unsigned char first;
	volatile uint64_t apart;
} __attribute__((packed, aligned(64))) odd;

/* A branch that is taken each round. */
static void
branch(unsigned n)
{
	do
		__asm__ volatile("");
	while (--n);
}

/* One that no predictor knows, besides. */
static void
guess(unsigned n)
{
	unsigned x = 12345;

	while (n--) {
		x ^= x << 13;
		x ^= x >> 17;
		x ^= x << 5;
		if (x & 64)
			sink = n;
	}
}

/* A page each round that has not been asked for lately. */
static void
wander(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		pages[i % PAGES * PAGE]++;
}

/* A chain of divisions, which holds up all that is behind it. */
static void
wait_for(unsigned n)
{
	volatile double x = 1e300;

	while (n--)
		x = x / 1.5 + 1e300;
}

/* An access that is not on a multiple of its size, where there are such. */
static void
straddle(unsigned n)
{
	while (n--)
		sink += (unsigned)odd.apart;
}

struct statistic {
	unsigned long select;
	void (*work)(unsigned n);
	double least, most;	/* for each round */
};

/* Those without work cannot be selected.  A tick of the clock retires too. */
static const struct statistic statistics[] = {
	{PF67_PM_ABORT, guess, 1, 60},
	{PF67_PM_ABORT_PER_RET, guess, 1, 60},
	{PF67_PM_ARITH_TRAP, NULL, 0, 0},
	{PF67_PM_CBR_TAKEN, branch, 1, 1},
	{PF67_PM_CBR_TAKEN_PER_RET, branch, 1, 1},
	{PF67_PM_CYCLES, wait_for, 12, 4000},
	{PF67_PM_CYCLES_PER_RET, wait_for, 12, 4000},
	{PF67_PM_DELAY, wait_for, 8, 60},
	{PF67_PM_DELAY_PER_RET, wait_for, 8, 60},
	{PF67_PM_DSTREAM_FAULT, NULL, 0, 0},
	{PF67_PM_DTB_MISS, wander, 1, 1},
	{PF67_PM_DTB_MISS_PER_RET, wander, 1, 1},
	{PF67_PM_DTB_MISS3, wander, 0, 0.1},
	{PF67_PM_DTB_MISS4, branch, 0, 0},
	{PF67_PM_EARLY_KILL, NULL, 0, 0},
	{PF67_PM_EARLY_KILL_PER_RET, NULL, 0, 0},
	{PF67_PM_FP_DISABLED, wait_for, 0, 0},
	{PF67_PM_FREQ, branch, 1.5, 4.5},
	{PF67_PM_ICACHE_MISS, branch, 0, 0.01},
	{PF67_PM_ICACHE_MISS_PER_RET, branch, 0, 0.01},
	{PF67_PM_ICACHE_PARITY, branch, 0, 0},
	{PF67_PM_INFLT_BCACHE, NULL, 0, 0},
	{PF67_PM_INFLT_REPLAYS, NULL, 0, 0},
	{PF67_PM_INFLT_RETIRES, wait_for, 4, 2000},
	{PF67_PM_INTERRUPT, branch, 0, 0.01},
	{PF67_PM_ISTREAM_ACCVIO, NULL, 0, 0},
	{PF67_PM_ITB_MISS, branch, 0, 0.01},
	{PF67_PM_LDST_UNALIGN, straddle, 1, 1},
	{PF67_PM_LDST_ORDER, branch, 0, 0.01},
	{PF67_PM_MAP_STALL, wait_for, 0.5, 8},
	{PF67_PM_MAP_STALL_PER_RET, wait_for, 0.5, 8},
	{PF67_PM_MISPREDICT, guess, 0.3, 0.7},
	{PF67_PM_MISPREDICT_PER_RET, guess, 0.3, 0.7},
	{PF67_PM_OPCDEC, NULL, 0, 0},
	{PF67_PM_REPLAY_TRAP, branch, 0, 1},
	{PF67_PM_REPLAY_TRAP_PER_RET, branch, 0, 1},
	{PF67_PM_RETIRE, branch, 1.5, 4.5},
	{PF67_PM_TRAP, wander, 1, 1.1},
	{PF67_PM_TRAP_PER_RET, wander, 1, 1.1},
	{PF67_PM_VALID, branch, 1.5, 4.5},
};

static uint64_t
count(int fd)
{
	struct pfcntrs_ev6 counts[16], *to = counts;

	CHECK(ioctl(fd, PCNT6READCNTRS, &to) == 0);
	return counts[0].pf_cntr0;
}

/* What a round costs: of twice as many, what is more. */
static double
cost(int fd, void (*work)(unsigned n))
{
	uint64_t start, once, twice;

	work(ROUNDS);
	start = count(fd);
	work(ROUNDS);
	once = count(fd);
	work(2 * ROUNDS);
	twice = count(fd);
	return ((double)(twice - once) - (double)(once - start)) / ROUNDS;
}

static void
check(int fd, const struct statistic *s)
{
	union pmctrs_ev6 both = {.pmctrs_ev6_word = 0};
	unsigned long word = s->select;
	double each;

	if (!s->work) {
		errno = 0;
		CHECK(ioctl(fd, PCNT6MUX, &word) == -1 && errno == EINVAL);
		return;
	}
	CHECK(ioctl(fd, PCNT6MUX, &word) == 0);
	both.pmctrs_ev6_cpu = PMCTRS_ALL_CPUS;
	both.pmctrs_ev6_select = 3;
	CHECK(ioctl(fd, PCNT6RESTART, &both.pmctrs_ev6_long) == 0);
	each = cost(fd, s->work);
#ifndef __x86_64__
	if (s->work == straddle)
		each = 1;
#endif
	if (each < s->least - SLACK || each > s->most + SLACK) {
		printf("statistic %lu: %f\n", s->select >> 8, each);
		check_failures++;
	}
}

int
main(void)
{
	int fd = open(_PATH_PFCNTR, O_RDONLY | PCNTOPENALL);

	CHECK(fd >= 0);
	for (size_t i = 0; i < sizeof statistics / sizeof *statistics; i++)
		check(fd, &statistics[i]);
	CHECK(sizeof statistics / sizeof *statistics == 40);
	puts("done");
	return check_failures != 0;
}
