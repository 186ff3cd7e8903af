/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks signals on overflow: as many as the counter has come round, the
 * handler seeing each; none in a child; none when they are not wanted.
 */
#include "check.h"
#include "pmcsim_guest.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PERIOD 100000

static volatile sig_atomic_t signals;
static volatile unsigned sink;

static void
on_signal(int number)
{
	(void)number;
	signals++;
}

static void
work(unsigned n)
{
	while (n--)
		sink += n;
}

static long
counter(void)
{
	char text[600], *at;

	if (pmcsim_guest_perf_read(text, sizeof text) < 0)
		return -1;
	at = strstr(text, "Cnt[0].Cnt : ");
	return at ? atol(at + 13) : -1;
}

/* So many signals as the counter has come round; it is not near one. */
static void
check_signals(void)
{
	long value;

	work(500000);
	value = counter();
	while (value % PERIOD < PERIOD / 4 || value % PERIOD > PERIOD / 2) {
		work(1000);
		value = counter();
	}
	CHECK(value / PERIOD >= 10);
	CHECK(signals == value / PERIOD);
}

static void
check_child(void)
{
	int status = 1;
	pid_t child = fork();

	if (child == 0) {
		signals = 0;
		work(500000);
		_exit(signals != 0);
	}
	CHECK(child > 0 && waitpid(child, &status, 0) == child);
	CHECK(status == 0);
}

int
main(void)
{
	struct sigaction action = {.sa_handler = on_signal};
	static const char instructions[] = "0 0x28 0\n";
	int before;

	CHECK(sigaction(SIGUSR1, &action, NULL) == 0);
	CHECK(pmcsim_guest_on_overflow(99, PERIOD, SIGUSR1) == -1 &&
	      errno == EINVAL);
	CHECK(pmcsim_guest_on_overflow(0, PERIOD, 0) == -1 &&
	      errno == EINVAL);
	CHECK(pmcsim_guest_perf_write(instructions, sizeof instructions - 1,
				      NULL) > 0);
	CHECK(pmcsim_guest_on_overflow(0, PERIOD, SIGUSR1) == 0);
	CHECK(pmcsim_guest_perf_write(instructions, sizeof instructions - 1,
				      NULL) > 0);
	check_signals();
	before = signals;
	check_child();
	CHECK(pmcsim_guest_on_overflow(0, 0, 0) == 0);
	work(500000);
	CHECK(signals <= before + 1);
	puts(check_failures ? "failed" : "done");
	return check_failures != 0;
}
