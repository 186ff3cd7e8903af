/* SPDX-License-Identifier: GPL-2.0-or-later */
/* System calls that make timers, and set them. */
#include "timers_internal.h"

#include "children.h"

#include "turns/turns.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define LONGEST 4000000000u	/* seconds; more is as good as for ever */

/* As the kernel has them: seconds, and millionths or ns. */
struct value {
	s64 seconds, part;
};

struct setting {
	struct value period, left;
};

/* ---- Values -------------------------------------------------------------- */

static bool
is_valid(const struct value *v, unsigned parts)
{
	return v->seconds >= 0 && v->part >= 0 && v->part < (s64)parts;
}

static u64
in_ns(const struct value *v, unsigned parts)
{
	u64 seconds = v->seconds < LONGEST ? (u64)v->seconds : LONGEST;

	return seconds * TIMERS_SECOND + (u64)v->part * (TIMERS_SECOND / parts);
}

/* What is left is never told as nothing while the timer is set. */
static struct value
from_ns(u64 ns, unsigned parts)
{
	u64 unit = TIMERS_SECOND / parts, n = (ns + unit - 1) / unit;

	return (struct value){(s64)(n / parts), (s64)(n % parts)};
}

static struct setting
setting_of(const struct timer *t, unsigned parts)
{
	return (struct setting){from_ns(t->period, parts),
				from_ns(timers_left(t), parts)};
}

/* ---- Interval timers ------------------------------------------------------- */

#define MICRO 1000000u

s64
timers_setitimer(const u64 arg[6])
{
	struct setting new = {0}, old;
	struct timer *t;

	if (!timers_are_ours())
		return children_call(SYS_setitimer, arg);
	if (arg[0] >= TIMERS_INTERVAL)
		return -EINVAL;
	if (arg[1] && guest_read(&new, arg[1], sizeof new))
		return -EFAULT;
	if (!is_valid(&new.period, MICRO) || !is_valid(&new.left, MICRO))
		return -EINVAL;
	t = timers_interval((unsigned)arg[0]);
	old = setting_of(t, MICRO);
	timers_set(t, in_ns(&new.left, MICRO), in_ns(&new.period, MICRO));
	if (arg[2] && guest_write(arg[2], &old, sizeof old))
		return -EFAULT;
	return 0;
}

s64
timers_getitimer(const u64 arg[6])
{
	struct setting s;

	if (!timers_are_ours())
		return children_call(SYS_getitimer, arg);
	if (arg[0] >= TIMERS_INTERVAL)
		return -EINVAL;
	s = setting_of(timers_interval((unsigned)arg[0]), MICRO);
	return guest_write(arg[1], &s, sizeof s) ? -EFAULT : 0;
}

/* As the kernel rounds: what is left of a second is one if there is no other, or
 * if it is half of it. */
s64
timers_alarm(const u64 arg[6])
{
	struct timer *t = timers_interval(0);
	struct value old;

	if (!timers_are_ours())
		return children_call(SYS_alarm, arg);
	old = from_ns(timers_left(t), MICRO);
	timers_set(t, (u64)(u32)arg[0] * TIMERS_SECOND, 0);
	if ((!old.seconds && old.part) || old.part >= MICRO / 2)
		old.seconds++;
	return old.seconds;
}

/* ---- Timers that are made --------------------------------------------------- */

#define NANO TIMERS_SECOND

/* As the kernel has it. */
struct event {
	u64 value;
	s32 sig, notify, tid;
};

static bool
has_clock(struct timer *t, unsigned clock)
{
	t->named = turns_clock_plain(clock);
	switch (t->named) {
	case CLOCK_PROCESS_CPUTIME_ID:
	case CLOCK_THREAD_CPUTIME_ID:
		t->clock = CLOCK_PROCESS_CPUTIME_ID;
		return true;
	case CLOCK_REALTIME:
	case CLOCK_MONOTONIC:
	case CLOCK_BOOTTIME:
	case CLOCK_TAI:
	case CLOCK_REALTIME_ALARM:
	case CLOCK_BOOTTIME_ALARM:
		t->clock = CLOCK_MONOTONIC;
		return true;
	default:
		return false;
	}
}

static void
fill(struct timer *t, s32 id, const struct event *e)
{
	t->id = id;
	t->which = -1;
	t->tid = e->notify & SIGEV_THREAD_ID ? e->tid : 0;
	if ((e->notify & ~SIGEV_THREAD_ID) == SIGEV_NONE)
		return;
	t->info.si_signo = e->sig;
	t->info.si_code = SI_TIMER;
	t->info.si_timerid = id;
	t->info.si_value.sival_ptr = (void *)(uintptr_t)e->value;
}

/* The kernel has it, too, but sets it only where a call waits.  One of a clock
 * that the machine does not have is the kernel's alone. */
s64
timers_create(const u64 arg[6])
{
	struct event e = {.sig = SIGALRM};
	struct timer *t;
	s64 result;
	s32 id;

	result = children_call(SYS_timer_create, arg);
	if (result || !timers_are_ours() || guest_read(&id, arg[2], sizeof id))
		return result;
	e.value = (u64)id;
	t = calloc(1, sizeof *t);
	if (!t || (arg[1] && guest_read(&e, arg[1], 20))) {
		free(t);
		host_kernel(SYS_timer_delete, (u64)id, 0, 0, 0);
		return -EAGAIN;
	}
	fill(t, id, &e);
	if (has_clock(t, (unsigned)arg[0]))
		timers_add(t);
	else
		free(t);
	return 0;
}

static struct timer *
find(const u64 arg[6])
{
	return timers_are_ours() ? timers_find((int)arg[0]) : NULL;
}

static u64
until(const struct timer *t, u64 ns)
{
	u64 now = turns_clock_ns(t->named);

	return ns > now ? ns - now : 1;
}

s64
timers_settime(const u64 arg[6])
{
	struct timer *t = find(arg);
	struct setting new, old;
	u64 ns;

	if (!t)
		return children_call(SYS_timer_settime, arg);
	if (!arg[2])
		return -EINVAL;
	if (guest_read(&new, arg[2], sizeof new))
		return -EFAULT;
	if (!is_valid(&new.period, NANO) || !is_valid(&new.left, NANO))
		return -EINVAL;
	old = setting_of(t, NANO);
	ns = in_ns(&new.left, NANO);
	if (ns && arg[1] & TIMER_ABSTIME)
		ns = until(t, ns);
	timers_set(t, ns, in_ns(&new.period, NANO));
	if (arg[3] && guest_write(arg[3], &old, sizeof old))
		return -EFAULT;
	return 0;
}

s64
timers_gettime(const u64 arg[6])
{
	const struct timer *t = find(arg);
	struct setting s;

	if (!t)
		return children_call(SYS_timer_gettime, arg);
	s = setting_of(t, NANO);
	return guest_write(arg[1], &s, sizeof s) ? -EFAULT : 0;
}

s64
timers_getoverrun(const u64 arg[6])
{
	const struct timer *t = find(arg);

	return t ? (s64)t->overrun : children_call(SYS_timer_getoverrun, arg);
}

s64
timers_delete(const u64 arg[6])
{
	struct timer *t = find(arg);

	if (t)
		timers_free(t);
	return children_call(SYS_timer_delete, arg);
}
