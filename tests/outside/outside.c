/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What time() says, asked in both ways, gettimeofday() and a clock; since when
 * the machine runs, with how much of its memory in use, and how many processes;
 * and the random bytes that a program starts with. */
#include <stdio.h>
#include <sys/auxv.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <time.h>

int
main(void)
{
	const unsigned char *start = (void *)getauxval(AT_RANDOM);
	struct sysinfo info;
	struct timespec ts;
	struct timeval tv;
	time_t t;

	printf("%ld", (long)time(NULL));
	time(&t);
	gettimeofday(&tv, NULL);
	clock_gettime(CLOCK_REALTIME, &ts);
	printf(" %ld %ld %ld\n", (long)t, (long)tv.tv_sec, (long)ts.tv_sec);
	sysinfo(&info);
	printf("%ld %ld %d\n", (long)info.uptime,
	       (long)(info.totalram - info.freeram + info.bufferram),
	       info.procs);
	for (int i = 0; i < 16; i++)
		printf("%02x", start[i]);
	putchar('\n');
	return 0;
}
