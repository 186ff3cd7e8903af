/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks the client library.  With an argument: that there is no machine
 * ("outside"), or prints how many programs were not counted ("uncounted").
 */
#include "check.h"
#include "pmcsim_channel.h"
#include "pmcsim_guest.h"

#include <string.h>

static long long
counter(void)
{
	char text[600];
	long long value;
	long n = pmcsim_guest_perf_read(text, sizeof text);

	if (n < 0 || strlen(text) != (size_t)n)
		return -1;
	return sscanf(text, "PerfCnt[0].Ctl : 0x80000028\n"
		      "PerfCnt[0].Cnt : %lld", &value) == 1 ? value : -1;
}

static void
check_perf(void)
{
	static const char good[] = "0 0x28 100\n\nsuspend\n";
	static const char bad[] = "0 0x28 200\n\n0 0x28 zero\n";
	char text[16];
	unsigned line = 99;

	CHECK(pmcsim_guest_perf_write(good, strlen(good), &line) ==
	      (long)strlen(good) && line == 0);
	CHECK(counter() == 100);
	CHECK(pmcsim_guest_perf_write(bad, strlen(bad), &line) == -1 &&
	      errno == EINVAL);
	CHECK(line == 3);
	CHECK(counter() == 200);
	CHECK(pmcsim_guest_perf_read(text, sizeof text) == -1 &&
	      errno == ENOSPC);
	CHECK(pmcsim_guest_perf_write("resume", 6, NULL) == 6);
	CHECK(counter() > 200);
}

static void
check_machine(void)
{
	uint64_t before, after;
	unsigned uid = 1;

	CHECK(pmcsim_guest_version() == PMCSIM_CHANNEL_VERSION);
	CHECK(pmcsim_guest_cycles(&before) == 0);
	CHECK(pmcsim_guest_cycles(&after) == 0 && after > before);
	CHECK(pmcsim_guest_get_uid(&uid) == 0 && uid == 0);
	CHECK(pmcsim_guest_set_uid(1000) == 0);
	CHECK(pmcsim_guest_get_uid(&uid) == 0 && uid == 1000);
	CHECK(pmcsim_guest_set_uid(0) == -1 && errno == EPERM);
	CHECK(pmcsim_guest_perf_write("resume", 6, NULL) == -1 &&
	      errno == EPERM);
	CHECK(fopen("/proc/perf", "w") == NULL && errno == EACCES);
	CHECK(fopen("/proc/perf", "r") != NULL);
}

static int
print_uncounted(void)
{
	uint64_t programs;

	if (pmcsim_guest_uncounted(&programs))
		return 1;
	printf("%llu\n", (unsigned long long)programs);
	return 0;
}

int
main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "uncounted"))
		return print_uncounted();
	if (argc > 1) {
		CHECK(pmcsim_guest_version() == -1 && errno == ENOSYS);
	} else {
		check_perf();
		check_machine();
	}
	puts("done");
	return check_failures != 0;
}
