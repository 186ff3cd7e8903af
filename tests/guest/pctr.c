/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A client of pctr(4), as its manual has it: functions, counters, time, and
 * what the device refuses.  Ends with "done".
 */
#include "check.h"

#include <fcntl.h>
#include <machine/cpu.h>
#include <machine/pctr.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

/* 4 instructions a round, at least, on any machine. */
static volatile unsigned rounds;

static void
functionx(void)
{
	for (rounds = 0; rounds < 10000; rounds++)
		continue;
}

static pctrval
time_functionx(void)
{
	pctrval tsc;

	tsc = rdtsc();
	functionx();
	return rdtsc() - tsc;
}

static u_int
count_instructions(void)
{
	return __hasp6ctr(__cpuid()) ? P6CTR_U | P6CTR_EN | 0xc0
				     : P5CTR_U | 0x16;
}

static void
check_counts(int fd)
{
	u_int function = count_instructions(), nothing = 0;
	struct pctrst before, after;
	pctrval count, cycles;

	CHECK(ioctl(fd, PCIOCS1, &function) == 0);
	CHECK(ioctl(fd, PCIOCS0, &function) == 0);
	CHECK(ioctl(fd, PCIOCRD, &before) == 0);
	cycles = time_functionx();
	CHECK(ioctl(fd, PCIOCRD, &after) == 0);
	CHECK(after.pctr_fn[0] == function && after.pctr_fn[1] == function);
	count = after.pctr_hwc[1] - before.pctr_hwc[1];
	CHECK(count > 40000 && count < 400000);
	CHECK(cycles > 10000 && cycles < 10000000);
	CHECK(after.pctr_tsc - before.pctr_tsc >= cycles);
	CHECK(after.pctr_hwc[0] - before.pctr_hwc[0] == count);
	CHECK(after.pctr_idl == 0);
	count = rdpmc(1);
	CHECK(count > after.pctr_hwc[1] && rdpmc(1) > count);
	CHECK(ioctl(fd, PCIOCS1, &nothing) == 0);
	CHECK(rdpmc(1) == 0);
}

/* Arguments that are not the program's, or not all of them, or constant. */
static void
check_addresses(int fd)
{
	static const struct pctrst constant;
	char *end = mmap(NULL, 65536, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	CHECK(end != MAP_FAILED && munmap(end + 32768, 32768) == 0);
	end += 32768;
	CHECK(ioctl(fd, PCIOCRD, NULL) == -1 && errno == EFAULT);
	CHECK(ioctl(fd, PCIOCRD, NOWHERE) == -1 && errno == EFAULT);
	CHECK(ioctl(fd, PCIOCRD, &constant) == -1 && errno == EFAULT);
	CHECK(ioctl(fd, PCIOCRD, end - 8) == -1 && errno == EFAULT);
	CHECK(ioctl(fd, PCIOCRD, end - sizeof constant) == 0);
	CHECK(ioctl(fd, PCIOCS0, NULL) == -1 && errno == EFAULT);
	CHECK(ioctl(fd, PCIOCS1, NOWHERE) == -1 && errno == EFAULT);
	CHECK(ioctl(fd, PCIOCS1, end) == -1 && errno == EFAULT);
	CHECK(ioctl(fd, PCIOCS1, end - 4) == 0);
}

static void
check_errors(int fd)
{
	u_int p5 = 0x200, p6 = P6CTR_EN | 0x80000 | 0xc0;
	u_int good = count_instructions();
	int reader = open(_PATH_PCTR, O_RDONLY), copy;
	struct pctrst state;

	CHECK(ioctl(fd, PCIOCS0, __hasp6ctr(__cpuid()) ? &p6 : &p5) == -1 &&
	      errno == EINVAL);
	CHECK(reader >= 0);
	CHECK(ioctl(reader, PCIOCS0, &good) == -1 && errno == EPERM);
	CHECK(ioctl(reader, PCIOCRD, &state) == 0);
	copy = dup(fd);
	CHECK(ioctl(copy, PCIOCS0, &good) == 0);
	CHECK(ioctl(fd, 0x40046307ul, &state) == -1 && errno == EINVAL);
	check_addresses(fd);
	CHECK(ioctl(reader, PCIOCS0, NOWHERE) == -1 && errno == EFAULT);
	CHECK(ioctl(0, PCIOCS0, NOWHERE) == -1 && errno != EFAULT);
	CHECK(close(reader) == 0 && close(copy) == 0);
}

int
main(int argc, char **argv)
{
	int fd;

	(void)argv;
	if (argc > 1) {
		CHECK(open(_PATH_PCTR, O_RDWR) == -1 && errno == ENOENT);
		CHECK(__cpuid() == 0 && rdtsc() == 0 && rdpmc(0) == 0);
	} else {
		fd = open(_PATH_PCTR, O_RDWR);
		CHECK(fd >= 0);
		CHECK(__hastsc(__cpuid()));
		CHECK(__cpufamily() == (__hasp6ctr(__cpuid()) ? 6 : 5));
		check_counts(fd);
		check_errors(fd);
	}
	puts("done");
	return check_failures != 0;
}
