/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks what the event counters of IRIX do by themselves: signals and
 * buckets on overflow, events in turns; and what processes see of each
 * other.  Runs on a machine with tests/data/tables/irix.yaml.
 */
#include "check.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/procfs.h>
#include <sys/syssgi.h>
#include <sys/wait.h>
#include <unistd.h>

static hwperf_profevctrarg_t arg;
static hwperf_cntr_t counts;
static volatile int stored, signals;

static void
count(int event, int mode)
{
	struct hwperf_ctrlreg *creg =
		&arg.hwp_evctrargs.hwp_evctrl[event].hwperf_creg;

	creg->hwp_ev = (ushort_t)(event % HWPERF_CNT1BASE);
	creg->hwp_ie = 1;
	creg->hwp_mode = (ushort_t)mode;
}

static int
open_self(void)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%05d", (int)getpid());
	return open(path, O_RDWR);
}

/* A store each time round. */
static __attribute__((noinline)) void
work(int n)
{
	while (n--)
		stored = n;
}

static void
on_signal(int signal)
{
	(void)signal;
	signals++;
}

static void
check_signals(int fd)
{
	signal(SIGUSR1, on_signal);
	memset(&arg, 0, sizeof arg);
	count(19, HWPERF_CNTEN_U);
	arg.hwp_ovflw_freq[19] = 10000;
	arg.hwp_ovflw_sig = SIGUSR1;
	CHECK(ioctl(fd, PIOCENEVCTRS, &arg) > 0);
	work(95000);
	CHECK(signals == 9);
	work(10000);
	CHECK(signals == 10);
	CHECK(ioctl(fd, PIOCRELEVCTRS) == 0);
	work(30000);
	CHECK(signals == 10);
	/* Without its interrupt enabled there is no overflow. */
	arg.hwp_evctrargs.hwp_evctrl[19].hwperf_creg.hwp_ie = 0;
	CHECK(ioctl(fd, PIOCENEVCTRS, &arg) == -1 && errno == EINVAL);
}

static void
check_profile(int fd)
{
	static unsigned short bucket[256];
	struct prof prof;
	unsigned sum = 0;

	memset(&arg, 0, sizeof arg);
	count(19, HWPERF_CNTEN_U);
	prof.pr_base = (void *)bucket;
	prof.pr_size = sizeof bucket;
	prof.pr_off = (uintptr_t)work;
	prof.pr_scale = 0x10000;
	CHECK(syssgi(SGI_EVENTCTR, HWPERF_PROFENABLE, &arg, &prof, 1) == -1 &&
	      errno == EINVAL);
	arg.hwp_ovflw_freq[19] = 1000;
	CHECK(syssgi(SGI_EVENTCTR, HWPERF_PROFENABLE, &arg, &prof, 0) == -1 &&
	      errno == EINVAL);
	CHECK(syssgi(SGI_EVENTCTR, HWPERF_PROFENABLE, &arg, &prof, 1) > 0);
	work(50500);
	CHECK(ioctl(fd, PIOCRELEVCTRS) == 0);
	for (int i = 0; i < 256; i++)
		sum += bucket[i];
	CHECK(sum == 50);
	/* There is one store, and it is not the function's last address. */
	for (int i = 0; i < 32; i++)
		if (bucket[i])
			sum -= bucket[i];
	CHECK(sum == 0);
}

/* What n profiles, all of them beginning at zero, have of 50 overflows. */
static void
profile_work(int fd, struct prof *prof, int n, unsigned *sum)
{
	int i, k;

	for (i = 0; i < n; i++)
		memset(prof[i].pr_base, 0, prof[i].pr_size);
	CHECK(syssgi(SGI_EVENTCTR, HWPERF_PROFENABLE, &arg, prof, n) > 0);
	work(50500);
	CHECK(ioctl(fd, PIOCRELEVCTRS) == 0);
	for (i = 0; i < n; i++)
		for (k = 0, sum[i] = 0; k < 256; k++)
			sum[i] += ((unsigned short *)prof[i].pr_base)[k];
}

/* One that has the rest, one that is off, and those that overlap. */
static void
check_profiles(int fd)
{
	static unsigned short bucket[4][256];
	uintptr_t start = (uintptr_t)work;
	const struct {
		uintptr_t offset;
		unsigned scale;
	} want[] = {{0, 2}, {start - 64, 0x10000}, {start, 0x10000}, {0, 1}};
	struct prof prof[4];
	unsigned sum[4];
	int i;

	for (i = 0; i < 4; i++) {
		prof[i].pr_base = (void *)bucket[i];
		prof[i].pr_size = sizeof bucket[i];
		prof[i].pr_off = want[i].offset;
		prof[i].pr_scale = want[i].scale;
	}
	profile_work(fd, prof, 4, sum);
	CHECK(sum[0] == 0 && sum[1] == 0 && sum[2] == 50 && sum[3] == 0);
	prof[2].pr_scale = 0;
	profile_work(fd, prof, 4, sum);
	CHECK(sum[0] == 0 && sum[1] == 50 && sum[2] == 0 && sum[3] == 0);
	prof[1].pr_scale = 1;
	profile_work(fd, prof, 4, sum);
	CHECK(sum[0] == 50 && bucket[0][0] == 50);
	CHECK(sum[1] == 0 && sum[2] == 0 && sum[3] == 0);
}

/* Sixteen events of one counter have a sixteenth of the time each. */
static void
check_turns(int fd)
{
	memset(&arg, 0, sizeof arg);
	for (int i = 0; i < HWPERF_CNT1BASE; i++)
		count(i, HWPERF_CNTEN_U);
	count(19, HWPERF_CNTEN_U);
	CHECK(ioctl(fd, PIOCENEVCTRS, &arg) > 0);
	work(1000000);
	CHECK(ioctl(fd, PIOCGETEVCTRS, &counts) > 0);
	CHECK(ioctl(fd, PIOCRELEVCTRS) == 0);
	CHECK(counts.hwp_evctr[19] >= 1000000);
	CHECK(counts.hwp_evctr[15] > counts.hwp_evctr[19] / 8);
	CHECK(counts.hwp_evctr[15] < counts.hwp_evctr[19] / 3);
	CHECK(counts.hwp_evctr[3] > counts.hwp_evctr[19] / 18);
	CHECK(counts.hwp_evctr[3] < counts.hwp_evctr[19] / 14);
}

/* They count no more, whatever they do, until they begin again. */
static int
begin_again(int fd, int first)
{
	unsigned long long before;
	int generation = ioctl(fd, PIOCGETEVCTRS, &counts);

	before = counts.hwp_evctr[19];
	work(1000);
	if (generation != first + 1 ||
	    ioctl(fd, PIOCGETEVCTRS, &counts) != generation ||
	    counts.hwp_evctr[19] != before)
		return 4;
	generation = ioctl(fd, PIOCENEVCTRS, &arg);
	if (generation <= first + 1)
		return 5;
	work(1000);
	return ioctl(fd, PIOCGETEVCTRS, &counts) == generation &&
	       counts.hwp_evctr[19] >= 1000 &&
	       counts.hwp_evctr[19] < 50000 ? 0 : 6;
}

/* Each by a pipe of its own: from one, the first may read twice. */
static void
tell_both(int go[2][2])
{
	CHECK(write(go[0][1], "", 1) == 1 && write(go[1][1], "", 1) == 1);
}

/*
 * Two processes count; a third takes the counters away and gives them back.
 * Both see it by their generation.
 */
static int
user_process(int ready, int go)
{
	int fd = open_self(), first;
	char c = 0;

	memset(&arg, 0, sizeof arg);
	count(19, HWPERF_CNTEN_U);
	first = ioctl(fd, PIOCENEVCTRS, &arg);
	work(1000);
	if (first <= 0 || ioctl(fd, PIOCGETEVCTRS, &counts) != first ||
	    write(ready, &c, 1) != 1 || read(go, &c, 1) != 1)
		return 1;
	work(100000);
	if (ioctl(fd, PIOCGETEVCTRS, &counts) != first + 1 ||
	    counts.hwp_evctr[19] > 50000)
		return 2;
	if (ioctl(fd, PIOCENEVCTRS, &arg) != -1 || errno != EBUSY ||
	    write(ready, &c, 1) != 1 || read(go, &c, 1) != 1)
		return 3;
	return begin_again(fd, first);
}

static void
check_sharing(void)
{
	int ready[2], go[2][2], status, tries = 0;
	long generation;
	pid_t pid[2];
	char c[2] = {0};

	CHECK(pipe(ready) == 0);
	for (int i = 0; i < 2; i++) {
		CHECK(pipe(go[i]) == 0);
		pid[i] = fork();
		if (pid[i] == 0)
			_exit(user_process(ready[1], go[i][0]));
	}
	close(ready[1]);
	CHECK(read(ready[0], c, 1) == 1 && read(ready[0], c, 1) == 1);
	/* Free as soon as both wait; through /proc, none is forced. */
	memset(&arg, 0, sizeof arg);
	count(19, HWPERF_CNTEN_U | HWPERF_CNTEN_K);
	do {
		generation = ioctl(open_self(), PIOCENEVCTRS, &arg);
		poll(NULL, 0, 1);
	} while (generation < 0 && errno == EBUSY && ++tries < 5000);
	CHECK(generation > 0);
	tell_both(go);
	CHECK(read(ready[0], c, 1) == 1 && read(ready[0], c, 1) == 1);
	CHECK(ioctl(open_self(), PIOCGETEVCTRS, &counts) == generation);
	CHECK(counts.hwp_evctr[19] > 200000);
	CHECK(ioctl(open_self(), PIOCRELEVCTRS) == 0);
	tell_both(go);
	for (int i = 0; i < 2; i++) {
		CHECK(waitpid(pid[i], &status, 0) == pid[i]);
		CHECK(status == 0);
	}
}

int
main(void)
{
	int fd = open_self();

	CHECK(fd >= 0);
	check_signals(fd);
	check_profile(fd);
	check_profiles(fd);
	check_turns(fd);
	check_sharing();
	puts("done");
	return check_failures != 0;
}
