/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks that ioctl() of the client library does for the kernel's files what
 * it always does, and that a machine of another system has no event counters
 * of IRIX.  With an argument: outside, without a machine.
 */
#include "check.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/procfs.h>
#include <sys/syssgi.h>
#include <unistd.h>

int
main(int argc, char **argv)
{
	hwperf_cntr_t counters;
	int pair[2], ready = 0, fd;

	(void)argv;
	CHECK(pipe(pair) == 0);
	CHECK(write(pair[1], "four", 4) == 4);
	CHECK(ioctl(pair[0], FIONREAD, &ready) == 0 && ready == 4);
	CHECK(ioctl(-1, FIONREAD, &ready) == -1 && errno == EBADF);
	CHECK(ioctl(99, FIONREAD, &ready) == -1 && errno == EBADF);
	fd = argc > 1 ? open("/dev/null", O_RDWR) : open("/proc/perf", O_RDWR);
	CHECK(fd >= 0);
	CHECK(ioctl(fd, TIOCGWINSZ, &ready) == -1 && errno == ENOTTY);
	CHECK(ioctl(fd, PIOCGETEVCTRS, &counters) == -1 && errno == ENOTTY);
	CHECK(ioctl(99, PIOCGETEVCTRS, &counters) == -1 && errno == EBADF);
	CHECK(ioctl(-1, PIOCGETEVCTRS, &counters) == -1 && errno == EBADF);
	CHECK(syssgi(SGI_EVENTCTR, HWPERF_GET_SYSCNTRS, &counters) == -1 &&
	      errno == ENOSYS);
	CHECK(syssgi(SGI_EVENTCTR, 99) == -1 && errno == EINVAL);
	CHECK(syssgi(99) == -1 && errno == EINVAL);
	puts("done");
	return check_failures != 0;
}
