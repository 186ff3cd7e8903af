/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For how many milliseconds the clock goes on while the program waits in
 * several ways; and whether the accounts of the processor's time, which agree,
 * have nothing of that, and begin anew in a child.
 */
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/times.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MS 1000000

static long
clock_now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * 1000 + t.tv_nsec / MS;
}

/* Whether all have about the same, as exact as they are. */
static int
agree(void)
{
	long cpu = clock_now(CLOCK_PROCESS_CPUTIME_ID);
	struct rusage usage;
	clockid_t process, thread;
	struct tms t;

	if (clock_getcpuclockid(getpid(), &process) != 0 ||
	    pthread_getcpuclockid(pthread_self(), &thread) != 0 ||
	    labs(clock_now(process) - cpu) > 10 ||
	    labs(clock_now(thread) - cpu) > 10)
		return 0;
	getrusage(RUSAGE_SELF, &usage);
	times(&t);
	return labs(usage.ru_utime.tv_sec * 1000 +
		    usage.ru_utime.tv_usec / 1000 - cpu) <= 10 &&
	       usage.ru_stime.tv_sec == 0 && usage.ru_stime.tv_usec == 0 &&
	       labs((long)t.tms_utime * 1000 / sysconf(_SC_CLK_TCK) - cpu) <=
		       20 && t.tms_stime == 0;
}

static void
wait_in_way(int way)
{
	struct timespec t = {0, 100 * MS};
	struct timeval v = {0, 100000};

	switch (way) {
	case 0:
		nanosleep(&t, NULL);
		break;
	case 1:
		poll(NULL, 0, 100);
		break;
	case 2:
		select(0, NULL, NULL, NULL, &v);
		break;
	default:
		clock_gettime(CLOCK_MONOTONIC, &t);
		t.tv_nsec += 100 * MS;
		t.tv_sec += t.tv_nsec / (1000 * MS);
		t.tv_nsec %= 1000 * MS;
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
	}
}

int
main(void)
{
	long before, cpu;
	int status;

	for (int way = 0; way < 4; way++) {
		before = clock_now(CLOCK_MONOTONIC);
		wait_in_way(way);
		printf("%ld ", (clock_now(CLOCK_MONOTONIC) - before) / 10 * 10);
	}
	cpu = clock_now(CLOCK_PROCESS_CPUTIME_ID);
	while (clock_now(CLOCK_PROCESS_CPUTIME_ID) < cpu + 100)
		;
	printf("%d %d ", cpu < 100, agree());
	fflush(stdout);
	if (fork() == 0)
		_exit(clock_now(CLOCK_PROCESS_CPUTIME_ID) < 100 && agree());
	wait(&status);
	printf("%d\n", WEXITSTATUS(status));
	return 0;
}
