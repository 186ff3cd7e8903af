/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The target's clocks, and the machine's cycles.
 *
 * The target reads the host's clocks.  When it asks to be woken at a time,
 * it has worked that out from what it read before: so the clock shows what
 * it did then, and moves on with the machine's cycles.
 *
 * On request the target reads the machine's clock instead: it starts at the
 * same time in every run, and only cycles and waits that are over move it on.
 * The time of the processor is all user time.
 */
#include "turns_internal.h"

#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#define CLOCKS 12u
#define MACHINE_EPOCH 946684800u	/* 2000-01-01, of the machine's clock */
#define SECOND 1000000000u

/* In the lowest bits of a clock's id that has been made, of Linux. */
#define CLOCK_OF_FILE 3u
#define CLOCK_OF_THREAD 4u

/* What the target last read from each clock, and when. */
static struct reading {
	bool known;
	u64 ns;
	u64 cycle;
} reading[CLOCKS];

u64
clock_cycles(u64 ns)
{
	return (u64)(((unsigned __int128)ns * target.config->clock_hz +
		      SECOND - 1) / SECOND);
}

u64
clock_host(unsigned clock)
{
	struct timespec ts = {0};

	clock_gettime((clockid_t)clock, &ts);
	return (u64)ts.tv_sec * SECOND + (u64)ts.tv_nsec;
}

/* Cycles of the machine's clock in which this process did not execute. */
static u64 away;

void
turns_clock_wait(u64 cycle)
{
	u64 now = core_cycle(&core);

	if (cycle <= now)
		return;
	core_skip(&core, cycle - now);
	away += cycle - now;
	alarm_set();
}

u64
turns_busy(void)
{
	return core_cycle(&core) - away;
}

void
clock_fork_child(void)
{
	away = core_cycle(&core);
}

u64
clock_ns(u64 cycles)
{
	return (u64)((unsigned __int128)cycles * SECOND /
		     target.config->clock_hz);
}

/* What a clock of the machine shows now, in ns. */
u64
turns_clock_ns(unsigned clock)
{
	u64 ns = clock_ns(core_cycle(&core));

	switch (clock) {
	case CLOCK_REALTIME:
	case CLOCK_REALTIME_COARSE:
	case CLOCK_TAI:
		return ns + (u64)MACHINE_EPOCH * SECOND;
	case CLOCK_PROCESS_CPUTIME_ID:
	case CLOCK_THREAD_CPUTIME_ID:
		return clock_ns(turns_busy());
	default:
		return ns + (u64)MACHINE_UPTIME * SECOND;
	}
}

u64
turns_clock_cycle(unsigned clock, u64 ns)
{
	u64 now = turns_clock_ns(clock), since = core_cycle(&core);

	if (clock == CLOCK_PROCESS_CPUTIME_ID)
		return away + clock_cycles(ns);
	return ns > now ? clock_cycles(clock_ns(since) + ns - now) : since;
}

static u64
time_now(unsigned clock)
{
	return target.map.m->machine_clock ? turns_clock_ns(clock)
					   : clock_host(clock);
}

time_t
turns_time(time_t *seconds)
{
	time_t now = (time_t)(turns_clock_ns(CLOCK_REALTIME) / SECOND);

	if (seconds)
		*seconds = now;
	return now;
}

/* Page faults of the process since it has executed this program. */
static u64
page_faults(void)
{
	u64 sum[SIG_N], n = 0;

	for (u32 tc = 0; tc < contexts_number(target.config); tc++) {
		process_look(tc, false, sum);
		n += sum[SIG_OS_PAGE];
	}
	return n;
}

int
turns_rusage(int which, struct rusage *usage)
{
	u64 ns = turns_clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	int error = getrusage(which, usage);

	if (error || which == RUSAGE_CHILDREN)
		return error;
	usage->ru_utime.tv_sec = (time_t)(ns / SECOND);
	usage->ru_utime.tv_usec = (suseconds_t)(ns % SECOND / 1000u);
	usage->ru_stime = (struct timeval){0};
	if (which == RUSAGE_SELF && target.timing &&
	    !target.map.m->periods.one_in) {
		usage->ru_minflt = (long)page_faults();
		usage->ru_majflt = 0;
	}
	return 0;
}

clock_t
turns_times(struct tms *t)
{
	u64 tick = SECOND / (u64)sysconf(_SC_CLK_TCK);

	times(t);
	t->tms_utime = (clock_t)(turns_clock_ns(CLOCK_PROCESS_CPUTIME_ID) / tick);
	t->tms_stime = 0;
	return (clock_t)(turns_clock_ns(CLOCK_MONOTONIC) / tick);
}

/* A machine on which nothing else runs. */
int
turns_sysinfo(struct sysinfo *info)
{
	int error = sysinfo(info);

	if (error)
		return error;
	info->uptime = (long)(turns_clock_ns(CLOCK_BOOTTIME) / SECOND);
	memset(info->loads, 0, sizeof info->loads);
	info->procs = 1;
	info->freeram = info->totalram;
	info->freeswap = info->totalswap;
	info->freehigh = info->totalhigh;
	info->sharedram = info->bufferram = 0;
	return 0;
}

static void
remember(unsigned clock, u64 ns)
{
	reading[clock] = (struct reading){true, ns, core_cycle(&core)};
}

u64
clock_cycle_at(unsigned clock, u64 ns)
{
	struct reading *r = &reading[clock < CLOCKS ? clock : 0];

	if (!r->known)
		remember((unsigned)(r - reading),
			 time_now((unsigned)(r - reading)));
	return r->cycle + (ns > r->ns ? clock_cycles(ns - r->ns) : 0);
}

/* What the host's clock shows when the machine's shows that. */
u64
clock_on_host(unsigned clock, u64 ns)
{
	u64 now = turns_clock_ns(clock);

	return clock_host(clock) + (ns > now ? ns - now : 0);
}

/* A clock that has the processor's time of this process or of a thread of its,
 * by an id that is made of theirs, is the one without; on the machine's clock
 * all have the same. */
unsigned
turns_clock_plain(unsigned clock)
{
	pid_t id = ~((s32)clock >> 3), self;

	if ((s32)clock >= 0 || (clock & CLOCK_OF_FILE) == CLOCK_OF_FILE ||
	    !target.map.m->machine_clock)
		return clock;
	self = getpid();
	if (id == 0 || id == self ||
	    (clock & CLOCK_OF_THREAD && !syscall(SYS_tgkill, self, id, 0)))
		return CLOCK_PROCESS_CPUTIME_ID;
	return clock;
}

void
clock_read(s64 number, const u64 arg[2])
{
	struct turn_clock_call call;
	u64 seconds, part, scale;

	if (!turn_call_clock(number, arg, &call))
		return;
	call.clock = turns_clock_plain(call.clock);
	if (call.clock >= CLOCKS)
		return;
	scale = call.micro ? 1000u : 1u;
	if (target.map.m->machine_clock) {
		u64 ns = turns_clock_ns(call.clock);

		turn_number_set(call.address, call.bytes, ns / SECOND);
		turn_number_set(call.address + call.bytes, call.bytes,
				ns % SECOND / scale);
	}
	seconds = turn_number_there(call.address, call.bytes);
	part = turn_number_there(call.address + call.bytes, call.bytes);
	remember(call.clock, seconds * SECOND + part * scale);
}
