/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A client of pfm(7), as its manual has it: pfm FAMILY, which is 4, 5, 6 or
 * 67; ways of opening, calls, their errors, counts, profiles, children.
 * pfm 0: there is no such device.  Ends with "done".
 */
#include "check.h"
#include "pmcsim_guest.h"

#include <stdlib.h>
#include <string.h>
#include <sys/pfcntr.h>
#include <sys/wait.h>
#include <unistd.h>

static int family;

static volatile unsigned rounds;

static __attribute__((noinline)) void
spin(unsigned n)
{
	for (rounds = 0; rounds < n; rounds++)
		continue;
}

/* Whether a call fails with that error. */
static int
fails(int fd, unsigned long request, void *arg, int error)
{
	errno = 0;
	return ioctl(fd, request, arg) == -1 && errno == error;
}

static int
set_long(int fd, unsigned long request, unsigned long value)
{
	return ioctl(fd, request, &value);
}

static int
open_all(void)
{
	return open(_PATH_PFCNTR, O_RDONLY | PCNTOPENALL);
}

/* ---- Opening --------------------------------------------------------- */

static const int modes[] = {PCNTOPENONE, PCNTOPENEACH, PCNTOPENALL};

static void
check_open(void)
{
	int fd, other;
	char byte;

	CHECK(open(_PATH_PFCNTR, O_RDONLY) == -1 && errno == EINVAL);
	for (int i = 0; i < 3; i++) {
		fd = open(_PATH_PFCNTR, O_RDONLY | modes[i]);
		CHECK(fd >= 0);
		CHECK(close(fd) == 0);
		CHECK(fails(fd, PCNTRENABLE, NULL, EBADF));
	}
	fd = open_all();
	CHECK(fd >= 0);
	other = open_all();	/* the superuser takes over */
	CHECK(other >= 0);
	CHECK(fails(fd, PCNTRENABLE, NULL, EBUSY));
	CHECK(read(fd, &byte, 1) == -1 && errno == EBADF);
	CHECK(pread(fd, &byte, 1, 0) == -1 && errno == EBADF);
	CHECK(read(other, &byte, 1) == 0);
	CHECK(ioctl(other, PCNTRENABLE, NULL) == 0);
	CHECK(close(fd) == 0 && close(other) == 0);
}

static void
check_busy(void)
{
	int fd, status = 1;
	pid_t pid;

	for (int i = 0; i < 9; i++) {
		fd = open(_PATH_PFCNTR, O_RDONLY | modes[i / 3]);
		CHECK(fd >= 0);
		CHECK(open(_PATH_PFCNTR, O_RDONLY | modes[i % 3]) == -1 &&
		      errno == EBUSY);
		CHECK(close(fd) == 0);
	}
	fd = open_all();
	CHECK(fd >= 0);
	pid = fork();
	if (!pid)
		_exit(open_all() == -1 && errno == EBUSY &&
		      ioctl(fd, PCNTRDISABLE, NULL) == 0 ? 0 : 1);
	CHECK(waitpid(pid, &status, 0) == pid && status == 0);
	CHECK(close(fd) == 0);
	pid = fork();
	if (!pid)		/* ends without closing it */
		_exit(open_all() >= 0 ? 0 : 1);
	CHECK(waitpid(pid, &status, 0) == pid && status == 0);
	fd = open_all();
	CHECK(fd >= 0);
	if (family == 5) {
		unsigned long often = PF5_C0_INT_EVERY_256;

		CHECK(fails(fd, PCNT5FREQ, &often, EPERM));
		often = PF5_C0_INT_EVERY_65536 | PF5_C2_INT_EVERY_16384;
		CHECK(ioctl(fd, PCNT5FREQ, &often) == 0);
	}
	CHECK(close(fd) == 0);
}

/* ---- Calls of all CPUs ----------------------------------------------- */

static unsigned long
count_request(void)
{
	return family == 4 ? PCNTGETCNT :
	       family == 5 ? PCNT5GETCNT : PCNT6GETCNT;
}

static unsigned long
mux_request(void)
{
	return family == 4 ? PCNTSETMUX : family == 5 ? PCNT5MUX : PCNT6MUX;
}

static void
check_items(int fd)
{
	static uint64_t counts[16][4];
	struct pfipls ipls[16], *ipl = ipls;
	void *array = counts, *nothing = NULL, *nowhere = NOWHERE;

	CHECK(ioctl(fd, count_request(), &array) == 0);
	CHECK(fails(fd, count_request(), &nothing, EFAULT));
	CHECK(fails(fd, count_request(), &nowhere, EFAULT));
	CHECK(fails(fd, count_request(), NOWHERE, EFAULT));
	CHECK(fails(fd, PCNTGETIPLHIS, &ipl, EINVAL));
	CHECK(set_long(fd, PCNTSETITEMS, 0) == -1 && errno == EINVAL);
	CHECK(set_long(fd, PCNTSETITEMS, 8) == -1 && errno == EINVAL);
	CHECK(fails(fd, PCNTSETITEMS, NULL, EFAULT));
	CHECK(fails(fd, PCNTSETITEMS, NOWHERE, EFAULT));
	CHECK(fails(fd, mux_request(), NOWHERE, EFAULT));
	CHECK(set_long(fd, PCNTSETITEMS, PFM_IPL) == 0);
	CHECK(fails(fd, count_request(), &array, EINVAL));
	CHECK(ioctl(fd, PCNTGETIPLHIS, &ipl) == 0);
	CHECK(fails(fd, PCNTGETIPLHIS, &nothing, EFAULT));
	CHECK(fails(fd, PCNTGETIPLHIS, &nowhere, EFAULT));
	CHECK(set_long(fd, PCNTSETITEMS, PFM_PROFILING) == 0);
	CHECK(fails(fd, PCNTCLEARCNT, NULL, EINVAL));
	CHECK(set_long(fd, PCNTSETITEMS, PFM_PROFILING | PFM_IPL) == 0);
	CHECK(ioctl(fd, PCNTCLEARCNT, NULL) == 0);
	CHECK(fails(fd, PCNTSETUADDR, NOWHERE, EFAULT));
	CHECK(fails(fd, PCNTSETURANGE, NOWHERE, EFAULT));
	CHECK(fails(fd, PCNTGETRSIZE, NOWHERE, EFAULT));
	CHECK(read(fd, NOWHERE, 8) == -1 && errno == EFAULT);
	CHECK(set_long(fd, PCNTSETITEMS, PFM_COUNTERS) == 0);
}

static void
check_families(int fd)
{
	static const unsigned long others[][3] = {
		{4, PCNTSETMUX, PCNTGETCNT},
		{5, PCNT5MUX, PCNT5GETCNT},
		{6, PCNT6MUX, PCNT6GETCNT},
	};
	static uint64_t counts[16][4];
	void *array = counts;
	unsigned long word = 0;

	for (int i = 0; i < 3; i++) {
		if (others[i][0] == (unsigned long)(family == 67 ? 6 : family))
			continue;
		CHECK(fails(fd, others[i][1], &word, EINVAL));
		CHECK(fails(fd, others[i][2], &array, EINVAL));
	}
	word = ~0ul;
	CHECK(fails(fd, mux_request(), &word, EINVAL));
	CHECK(fails(fd, 0x800850ff, &word, EINVAL));
}

static void
check_kernel_profile(int fd)
{
	addr_range_t r = {0xfffffc0000230000, 0xfffffc0000240000, 0, 0};
	addr_range_t odd = {0xfffffc0000230002, 0xfffffc0000240000, 0, 0};
	addr_range_t user = {0x120000000, 0x120001000, 0, 0};
	addr_range_t three = {0xfffffc0000230000, 0xfffffc0000240000,
				     3, 0};
	long bytes = -1;

	CHECK(fails(fd, PCNTSETKRANGE, &r, EINVAL));
	CHECK(fails(fd, PCNTSETUADDR, &user, EINVAL));
	CHECK(set_long(fd, PCNTSETITEMS, PFM_PROFILING) == 0);
	CHECK(ioctl(fd, PCNTGETRSIZE, &bytes) == 0 && bytes == 0);
	CHECK(fails(fd, PCNTCALLER, NULL, EINVAL));
	CHECK(fails(fd, PCNTSETKRANGE, &odd, EFAULT));
	CHECK(fails(fd, PCNTSETKADDR, &user, EFAULT));
	CHECK(fails(fd, PCNTSETKRANGE, &three, EINVAL));
	CHECK(ioctl(fd, PCNTSETKADDR, &r) == 0);
	CHECK(ioctl(fd, PCNTGETRSIZE, &bytes) == 0 && bytes == 0x10000 / 4);
	r.stride = 8;
	CHECK(ioctl(fd, PCNTSETKRANGE, &r) == 0);
	CHECK(ioctl(fd, PCNTGETRSIZE, &bytes) == 0 && bytes == 0x10000 / 8);
	CHECK(ioctl(fd, PCNTSETKADDR, &r) == 0);	/* as it is */
	CHECK(ioctl(fd, PCNTGETRSIZE, &bytes) == 0 && bytes == 0x10000 / 8);
	r.stride = 0;
	CHECK(ioctl(fd, PCNTSETKRANGE, &r) == 0);
	CHECK(ioctl(fd, PCNTGETRSIZE, &bytes) == 0 && bytes == 4);
	CHECK(ioctl(fd, PCNTCALLER, NULL) == 0);
	for (int i = 0; i < 4; i++)
		CHECK(ioctl(fd, i & 1 ? PCNTSETKADDR : PCNTSETKRANGE, &r) == 0);
	CHECK(fails(fd, PCNTSETKADDR, &r, ENOSPC));
	CHECK(set_long(fd, PCNTSETITEMS, PFM_COUNTERS) == 0);
}

/* ---- Counting -------------------------------------------------------- */

/* Instructions, or branches, whatever the family has on its counters. */
static void
select_instructions(int fd)
{
	struct iccsr mux = {.iccsr_pc0 = 1, .iccsr_pc1 = 1,
			    .iccsr_mux0 = PF_ISSUES, .iccsr_mux1 = PF_INTOPS};
	unsigned long word = family == 5 ? PF5_MUX0_ISSUES |
						   PF5_MUX1_LOADS |
						   PF5_MUX2_C_CYCLES
			     : family == 6 ? PF6_MUX0_RET_INSTRUCTIONS |
						     PF6_MUX1_RET_COND_BRANCHES
					   : PF67_RET_INST_AND_CYCLES;

	CHECK(ioctl(fd, mux_request(), family == 4 ? (void *)&mux : &word) ==
	      0);
}

static void
enable(int fd)
{
	union pmctrs_ev5 five = {.pmctrs_ev5_word = 0};
	union pmctrs_ev6 six = {.pmctrs_ev6_word = 0};

	five.pmctrs_ev5_cpu = PMCTRS_ALL_CPUS;
	five.pmctrs_ev5_select = 7;
	six.pmctrs_ev6_cpu = PMCTRS_ALL_CPUS;
	six.pmctrs_ev6_select = 3;
	if (family == 4)
		CHECK(ioctl(fd, PCNTRENABLE, NULL) == 0);
	else if (family == 5)
		CHECK(ioctl(fd, PCNT5RESTART, &five.pmctrs_ev5_long) == 0);
	else
		CHECK(ioctl(fd, PCNT6RESTART, &six.pmctrs_ev6_long) == 0);
}

/* What counter 0 has counted, as far as the device tells it. */
static uint64_t
count(int fd)
{
	struct pfcntrs four[16], *p4 = four;
	struct pfcntrs_ev5 five[16], *p5 = five;
	struct pfcntrs_ev6 six[16], *p6 = six;

	if (family == 4) {
		CHECK(ioctl(fd, PCNTGETCNT, &p4) == 0);
		return four[0].pf_cntr0 * 4096;
	}
	if (family == 5) {
		CHECK(ioctl(fd, PCNT5READCNTRS, &p5) == 0);
		return five[0].pf_cntr0;
	}
	CHECK(ioctl(fd, PCNT6READCNTRS, &p6) == 0);
	return six[0].pf_cntr0;
}

static uint64_t
cost(int fd, unsigned n)
{
	uint64_t before = count(fd);

	spin(n);
	return count(fd) - before;
}

/* Twice the rounds, twice the instructions: exactly, or to an interrupt. */
static void
check_counts(int fd)
{
	uint64_t one, two, three;
	int64_t error;

	CHECK(ioctl(fd, PCNTCLEARCNT, NULL) == 0);
	select_instructions(fd);
	if (family == 5)
		CHECK(set_long(fd, PCNT5CTXTS, PF5_CTXT_USER) == 0);
	CHECK(cost(fd, 1000) == 0);
	enable(fd);
	one = cost(fd, 100000);
	two = cost(fd, 200000);
	three = cost(fd, 300000);
	error = (int64_t)(three - two - (two - one));
	CHECK(one > (family == 4 ? 100000 : 300000));
	/* User mode alone on an EV5; else ticks of the clock are between. */
	CHECK(family == 5 ? !error : error <= 12000 && error >= -12000);
	CHECK(ioctl(fd, PCNTRDISABLE, NULL) == 0);
	CHECK(cost(fd, 100000) == 0);
}

static void
check_interrupts(int fd)
{
	struct iccsr mux = {.iccsr_pc0 = 1, .iccsr_mux0 = PF_CYCLES,
			    .iccsr_mux1 = PF_BRANCHI & 7};
	struct pfcntrs four[16], *p4 = four;
	struct pfipls ipls[16], *ipl = ipls;
	uint64_t sum = 0;

	if (family != 4)
		return;
	mux.iccsr_disable = 3;
	CHECK(fails(fd, PCNTSETMUX, &mux, EINVAL));
	mux.iccsr_disable = 0;
	mux.iccsr_ign1 = 1;
	CHECK(fails(fd, PCNTSETMUX, &mux, EINVAL));
	mux.iccsr_ign1 = 0;
	mux.iccsr_mux0 = 1;
	CHECK(fails(fd, PCNTSETMUX, &mux, EINVAL));
	mux.iccsr_mux0 = PF_CYCLES;
	mux.iccsr_disable = 2;
	CHECK(ioctl(fd, PCNTSETMUX, &mux) == 0);
	CHECK(set_long(fd, PCNTSETITEMS, PFM_COUNTERS | PFM_IPL) == 0);
	CHECK(ioctl(fd, PCNTRENABLE, NULL) == 0);
	CHECK(ioctl(fd, PCNTCLEARCNT, NULL) == 0);
	spin(300000);
	CHECK(ioctl(fd, PCNTGETCNT, &p4) == 0);
	CHECK(ioctl(fd, PCNTGETIPLHIS, &ipl) == 0);
	for (int i = 0; i < 9; i++)
		sum += ipls[0].ipl[i];
	CHECK(four[0].pf_cntr0 > 100 && four[0].pf_cntr1 == 0);
	CHECK(four[0].pf_cycle / 4096 <= four[0].pf_cntr0 + 1 &&
	      four[0].pf_cycle / 4096 + 1 >= four[0].pf_cntr0);
	/* The two calls are a few ticks apart. */
	CHECK(sum + 1 >= four[0].pf_cntr0 && sum <= four[0].pf_cntr0 + 9);
	CHECK(ipls[0].ipl[8] > 100 && ipls[0].ipl[7] == 0 &&
	      ipls[0].ipl[6] == 0);
	CHECK(ioctl(fd, PCNTRDISABLE, NULL) == 0);
	CHECK(set_long(fd, PCNTSETITEMS, PFM_COUNTERS) == 0);
}

/* Values of the registers, written and read back. */
static void
check_registers_5(int fd)
{
	union pmctrs_ev5 word = {.pmctrs_ev5_word = 0};
	unsigned long mode = PF5_CTXT_USER, other = 4;

	word.pmctrs_ev5_cpu = PMCTRS_ALL_CPUS;
	CHECK(fails(fd, PCNT5ENABLE, &word.pmctrs_ev5_long, EINVAL));
	word.pmctrs_ev5_select = 7;
	CHECK(ioctl(fd, PCNT5DISABLE, &word.pmctrs_ev5_long) == 0);
	word.pmctrs_ev5_c0 = 54321;
	word.pmctrs_ev5_c1 = 12345;
	word.pmctrs_ev5_c2 = 16000;
	CHECK(ioctl(fd, PCNT5SETCNTRS, &word.pmctrs_ev5_long) == 0);
	word.pmctrs_ev5_c0 = word.pmctrs_ev5_c1 = 0;
	word.pmctrs_ev5_c2 = 0;
	CHECK(ioctl(fd, PCNT5GETCNTRS, &word.pmctrs_ev5_long) == 0);
	CHECK(word.pmctrs_ev5_c0 == 54321 &&
	      word.pmctrs_ev5_c1 == 12345 &&
	      word.pmctrs_ev5_c2 == 16000);
	word.pmctrs_ev5_select = PF5_SEL_COUNTER_1;
	CHECK(ioctl(fd, PCNT5CLEAR, &word.pmctrs_ev5_long) == 0);
	CHECK(ioctl(fd, PCNT5GETCNTRS, &word.pmctrs_ev5_long) == 0);
	CHECK(word.pmctrs_ev5_c0 == 54321 && word.pmctrs_ev5_c1 == 0);
	word.pmctrs_ev5_cpu = 200;
	CHECK(fails(fd, PCNT5GETCNTRS, &word.pmctrs_ev5_long, EINVAL));
	CHECK(ioctl(fd, PCNT5CTXTS, &mode) == 0);
	CHECK(fails(fd, PCNT5CTXTS, &other, EINVAL));
	mode = PF5_CTXT_ALL_MODES;
	CHECK(ioctl(fd, PCNT5CTXTS, &mode) == 0);
	mode = PF5_MUX2_LONGSTALLS + 1;	/* no event */
	CHECK(fails(fd, PCNT5MUX, &mode, EINVAL));
}

static void
check_registers_6(int fd)
{
	union pmctrs_ev6 word = {.pmctrs_ev6_word = 0};

	word.pmctrs_ev6_cpu = PMCTRS_ALL_CPUS;
	word.pmctrs_ev6_select = 3;
	CHECK(ioctl(fd, PCNT6DISABLE, &word.pmctrs_ev6_long) == 0);
	word.pmctrs_ev6_c0 = 1000000;
	word.pmctrs_ev6_c1 = 7;
	CHECK(ioctl(fd, PCNT6SETCNTRS, &word.pmctrs_ev6_long) == 0);
	word.pmctrs_ev6_c0 = word.pmctrs_ev6_c1 = 0;
	CHECK(ioctl(fd, PCNT6GETCNTRS, &word.pmctrs_ev6_long) == 0);
	CHECK(word.pmctrs_ev6_c0 == 1000000 && word.pmctrs_ev6_c1 == 7);
	CHECK(ioctl(fd, PCNT6CLEAR, &word.pmctrs_ev6_long) == 0);
	CHECK(ioctl(fd, PCNT6GETCNTRS, &word.pmctrs_ev6_long) == 0);
	CHECK(word.pmctrs_ev6_c0 == 0 && word.pmctrs_ev6_c1 == 0);
	CHECK(ioctl(fd, PCNT6ENABWRITE, &word.pmctrs_ev6_long) == 0);
	CHECK(ioctl(fd, PCNT6ENABLE, &word.pmctrs_ev6_long) == 0);
}

/* ---- Profiles -------------------------------------------------------- */

static void
check_profile(int fd)
{
	uintptr_t start = (uintptr_t)spin & ~(uintptr_t)15;
	addr_range_t r = {start, start + 64 * 4, 1, 0};
	addr_range_t all = {0, 1ul << 40, 4, 0};
	uint32_t bucket[64] = {0};
	struct iccsr mux = {.iccsr_pc0 = 1, .iccsr_mux0 = PF_ISSUES,
			    .iccsr_disable = 2};
	uint64_t sum = 0, before;
	long bytes;

	CHECK(set_long(fd, PCNTSETITEMS, PFM_PROFILING | PFM_COUNTERS) == 0);
	CHECK(fails(fd, PCNTSETURANGE, &all, ENOMEM));
	CHECK(ioctl(fd, PCNTSETURANGE, &r) == 0);
	CHECK(ioctl(fd, PCNTGETRSIZE, &bytes) == 0 &&
	      bytes == (long)sizeof bucket);
	select_instructions(fd);
	if (family == 4)
		CHECK(ioctl(fd, PCNTSETMUX, &mux) == 0);
	enable(fd);
	before = count(fd);
	spin(4000000);
	before = count(fd) - before;
	CHECK(ioctl(fd, PCNTRDISABLE, NULL) == 0);
	CHECK(read(fd, bucket, sizeof bucket) == (ssize_t)sizeof bucket);
	for (int i = 0; i < 64; i++)
		sum += bucket[i];
	/* Of counter 0, and of the others in the families that count them. */
	before /= family == 4 ? 4096 : family == 5 ? 65536 : 1048576;
	CHECK(sum >= before - before / 10 - 2 && before > 10);
	CHECK(family != 4 || sum <= before + 1);
	CHECK(set_long(fd, PCNTSETITEMS, PFM_COUNTERS) == 0);
	CHECK(ioctl(fd, PCNTGETRSIZE, &bytes) == 0 && bytes == 0);
}

/*
 * ProfileMe: an instruction in 65536 is sampled, and it retires.  That is the
 * second count of a pair, or the statistic.
 */
static void
check_profile_me(int fd)
{
	uintptr_t start = (uintptr_t)spin & ~(uintptr_t)15;
	addr_range_t r = {start, start + 64 * 4, 1, 0};
	addr_range_t kernel = {0xfffffc0000230000, 0xfffffc0000240000,
				      4, 0};
	uint32_t bucket[64][2] = {{0}};
	uint64_t one, two, retired = 0, same = 0;
	long bytes;

	CHECK(set_long(fd, PCNT6MUX, PF67_PM_EARLY_KILL) == -1);
	CHECK(set_long(fd, PCNT6MUX, PF67_PROFILE_ME(44)) == -1);
	CHECK(set_long(fd, PCNT6MUX, PF67_PM_RETIRE | 1) == -1);
	CHECK(set_long(fd, PCNT6MUX, PF67_PM_DELAY_PER_RET) == 0);
	CHECK(set_long(fd, PCNTSETITEMS, PFM_PROFILING | PFM_COUNTERS) == 0);
	CHECK(fails(fd, PCNTSETKRANGE, &kernel, EINVAL));
	CHECK(ioctl(fd, PCNTSETURANGE, &r) == 0);
	CHECK(ioctl(fd, PCNTGETRSIZE, &bytes) == 0 &&
	      bytes == (long)sizeof bucket);
	enable(fd);
	CHECK(cost(fd, 2000000) > 0);
	CHECK(ioctl(fd, PCNTRDISABLE, NULL) == 0);
	CHECK(lseek(fd, 0, SEEK_SET) == 0);
	CHECK(read(fd, bucket, sizeof bucket) == (ssize_t)sizeof bucket);
	for (int i = 0; i < 64; i++) {
		retired += bucket[i][1];
	}
	CHECK(retired > 2000000 * 4 / 65536 && retired < 2000000 * 12 / 65536);
	/* Other counts: no range. */
	CHECK(set_long(fd, PCNT6MUX, PF67_PM_RETIRE) == 0);
	CHECK(ioctl(fd, PCNTGETRSIZE, &bytes) == 0 && bytes == 0);
	CHECK(ioctl(fd, PCNTSETURANGE, &r) == 0);
	CHECK(ioctl(fd, PCNTGETRSIZE, &bytes) == 0 &&
	      bytes == (long)sizeof bucket / 2);
	enable(fd);
	spin(2000000);
	CHECK(lseek(fd, 0, SEEK_SET) == 0);
	CHECK(read(fd, bucket, bytes) == bytes);
	for (int i = 0; i < 64; i++)
		same += (&bucket[0][0])[i];
	CHECK(same + 10 > retired && same < retired + 10);
	one = cost(fd, 100000);
	two = cost(fd, 200000) - one;
	CHECK(one >= 400000 && two >= one - 15000 && two <= one + 15000);
	CHECK(ioctl(fd, PCNTRDISABLE, NULL) == 0);
	select_instructions(fd);
	CHECK(ioctl(fd, PCNTGETRSIZE, &bytes) == 0 && bytes == 0);
	CHECK(set_long(fd, PCNTSETITEMS, PFM_COUNTERS) == 0);
}

/* What the kernel does comes from accounts: system calls, the first of them,
 * are at the beginning of its text. */
static void
check_kernel_ticks(int fd)
{
	addr_range_t r = {0xfffffc0000230000, 0xfffffc0000240000,
				 0x1000 / 4, 0};
	struct iccsr mux = {.iccsr_pc0 = 1, .iccsr_mux0 = PF_CYCLES,
			    .iccsr_mux1 = PF_ICACHE};
	struct pfipls levels, *p = &levels;
	uint32_t bucket[16], sum = 0;

	CHECK(set_long(fd, PCNTSETITEMS, PFM_PROFILING | PFM_IPL) == 0);
	CHECK(ioctl(fd, PCNTCLEARCNT, NULL) == 0);
	CHECK(ioctl(fd, PCNTSETKRANGE, &r) == 0);
	select_instructions(fd);
	if (family == 4)	/* the accounts do not know what issues */
		CHECK(ioctl(fd, PCNTSETMUX, &mux) == 0);
	enable(fd);
	for (int i = 0; i < 40000; i++)
		getppid();
	CHECK(ioctl(fd, PCNTRDISABLE, NULL) == 0);
	CHECK(ioctl(fd, PCNTGETIPLHIS, &p) == 0);
	CHECK(lseek(fd, 0, SEEK_SET) == 0);
	CHECK(read(fd, bucket, sizeof bucket) == (ssize_t)sizeof bucket);
	for (int i = 0; i < 16; i++)
		sum += bucket[i];
	/* Each counter and cause may have a rest that is no tick. */
	CHECK(sum <= levels.ipl[0] + 3 && sum + 15 >= levels.ipl[0]);
	CHECK(bucket[0] > 3 && bucket[0] > sum - bucket[0]);
	CHECK(bucket[5] == 0 && bucket[15] == 0);
	CHECK(set_long(fd, PCNTSETITEMS, PFM_COUNTERS) == 0);
}

/* ---- Processes ------------------------------------------------------- */

static void
check_selected(int fd)
{
	uint64_t before, after;
	pid_t pid;

	select_instructions(fd);
	CHECK(ioctl(fd, PCNTLOGSELECT, NULL) == 0);
	enable(fd);
	before = count(fd);
	pid = fork();		/* has the bit, too */
	if (!pid) {
		spin(300000);
		_exit(0);
	}
	CHECK(waitpid(pid, NULL, 0) == pid);
	after = count(fd);
	CHECK(after - before > 300000);
	pid = fork();		/* and what it executes */
	if (!pid) {
		execl("/proc/self/exe", "pfm", "spin", (char *)NULL);
		_exit(1);
	}
	CHECK(waitpid(pid, NULL, 0) == pid);
	before = count(fd);
	CHECK(before - after > 300000);
	CHECK(ioctl(fd, PCNTCLEARPCBPME, NULL) == 0);
	before = count(fd);
	spin(300000);
	CHECK(count(fd) == before);
	CHECK(ioctl(fd, PCNTLOGALL, NULL) == 0);
	spin(300000);
	CHECK(count(fd) > before + 300000);
}

/* An EV5 has words for the same; and programs are its executive mode. */
static void
check_contexts(int fd)
{
	select_instructions(fd);
	CHECK(set_long(fd, PCNT5CTXTS, PF5_CTXT_SEL_PROC) == 0);
	enable(fd);
	CHECK(cost(fd, 1000) == 0);
	CHECK(set_long(fd, PCNT5CTXTS, PF5_CTXT_PME_THIS |
				       PF5_CTXT_EXEC_AND_SUPER) == 0);
	CHECK(cost(fd, 1000) > 1000);
	CHECK(ioctl(fd, PCNTCLEARPCBPME, NULL) == 0);
	CHECK(set_long(fd, PCNT5CTXTS, PF5_CTXT_SEL_PROC) == 0);
	CHECK(cost(fd, 1000) == 0);
	CHECK(set_long(fd, PCNT5CTXTS, PF5_CTXT_THIS_PROC |
				       PF5_CTXT_USER) == 0);
	CHECK(cost(fd, 1000) > 1000);
	CHECK(cost(fd, 2000) - cost(fd, 1000) ==
	      cost(fd, 3000) - cost(fd, 2000));
	CHECK(ioctl(fd, PCNTCLEARPCBPME, NULL) == 0);
	CHECK(set_long(fd, PCNT5CTXTS, PF5_CTXT_ALL_MODES) == 0);
}

/* Names that programs use beside those of the manual. */
static void
check_names(void)
{
	union pmctrs_ev5 five = {.pmctrs_ev5_word = 0};
	union pmctrs_ev6 six = {.pmctrs_ev6_word = 0};
	struct pfcntrs counts = {.pf_cycle = 7};

	five.pmctrs_ev5_c0 = 3;
	five.pmctrs_ev5_c1 = 2;
	five.pmctrs_ev5_c2 = 1;
	CHECK(five.pmctrs_ev5_word == (3ull << 48 | 2ull << 32 | 1 << 16));
	six.pmctrs_ev6_cntr0 = 3;
	six.pmctrs_ev6_cntr1 = 2;
	CHECK(six.pmctrs_ev6_word == (3ull << 28 | 2ull << 6));
	CHECK(counts.pr_cycle == 7);
	CHECK(PF67_CYCLES_AND_UNDEFINED == 4);
	CHECK(PF67_RET_INST_AND_BCACHE_MISS == 8);
}

int
main(int argc, char **argv)
{
	int fd;

	if (argc > 1 && !strcmp(argv[1], "spin")) {
		spin(300000);
		return 0;
	}
	check_names();
	family = argc > 1 ? atoi(argv[1]) : 0;
	if (!family) {
		CHECK(open_all() == -1 && errno == ENOENT);
		puts("done");
		return check_failures != 0;
	}
	check_open();
	fd = open_all();
	CHECK(fd >= 0);
	check_items(fd);
	check_families(fd);
	check_kernel_profile(fd);
	check_counts(fd);
	check_interrupts(fd);
	if (family == 5)
		check_registers_5(fd);
	else if (family != 4)
		check_registers_6(fd);
	check_profile(fd);
	if (family == 67)
		check_profile_me(fd);
	check_kernel_ticks(fd);
	check_selected(fd);
	if (family == 5)
		check_contexts(fd);
	CHECK(close(fd) == 0);
	CHECK(pmcsim_guest_set_uid(1000) == 0);
	check_busy();
	puts("done");
	return check_failures != 0;
}
