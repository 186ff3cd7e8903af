/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "timers_internal.h"

#include "signals_internal.h"
#include "waits.h"

#include "turns/turns.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static struct timer interval[TIMERS_INTERVAL] = {
	{.next = &interval[1], .which = ITIMER_REAL, .clock = CLOCK_MONOTONIC,
	 .info = {.si_signo = SIGALRM, .si_code = SI_KERNEL}},
	{.next = &interval[2], .which = ITIMER_VIRTUAL,
	 .clock = CLOCK_PROCESS_CPUTIME_ID,
	 .info = {.si_signo = SIGVTALRM, .si_code = SI_KERNEL}},
	{.which = ITIMER_PROF, .clock = CLOCK_PROCESS_CPUTIME_ID,
	 .info = {.si_signo = SIGPROF, .si_code = SI_KERNEL}},
};
static struct timer *first = interval;

static struct timer *armed;	/* of the kernel's, in a call that waits */
static bool left;		/* all are the kernel's */

/* Of the program before: ns. */
static struct {
	u64 due, period;
} inherited[TIMERS_INTERVAL];

static u64
address_of(const void *p)
{
	return (u64)(uintptr_t)p;
}

bool
timers_are_ours(void)
{
	return target.map.m->machine_clock && target.timing && !left;
}

/* ---- The list ---------------------------------------------------------- */

struct timer *
timers_interval(unsigned which)
{
	return &interval[which];
}

struct timer *
timers_find(int id)
{
	for (struct timer *t = first; t; t = t->next)
		if (t->which < 0 && t->id == id)
			return t;
	return NULL;
}

void
timers_add(struct timer *t)
{
	t->next = first;
	first = t;
}

static void
take_off(struct timer *t)
{
	struct timer **link = &first;

	while (*link != t)
		link = &(*link)->next;
	*link = t->next;
	free(t);
}

/* ---- The kernel's ------------------------------------------------------- */

/* What was left of it, in ns. */
static u64
set_in_kernel(const struct timer *t, u64 ns, u64 period)
{
	struct itimerspec new = {
		{(time_t)(period / TIMERS_SECOND), (long)(period % TIMERS_SECOND)},
		{(time_t)(ns / TIMERS_SECOND), (long)(ns % TIMERS_SECOND)}};
	struct itimerspec old = {0};
	struct itimerval value, before = {0};

	if (t->which < 0) {
		host_kernel(SYS_timer_settime, (u64)t->id, 0, address_of(&new),
			    address_of(&old));
		return (u64)old.it_value.tv_sec * TIMERS_SECOND +
		       (u64)old.it_value.tv_nsec;
	}
	ns = (ns + 999) / 1000;
	period = (period + 999) / 1000;
	value = (struct itimerval){
		{(time_t)(period / 1000000), (suseconds_t)(period % 1000000)},
		{(time_t)(ns / 1000000), (suseconds_t)(ns % 1000000)}};
	host_kernel(SYS_setitimer, (u64)t->which, address_of(&value),
		    address_of(&before), 0);
	return (u64)before.it_value.tv_sec * TIMERS_SECOND +
	       (u64)before.it_value.tv_usec * 1000;
}

/* ---- When they are due -------------------------------------------------- */

static void
set_alarm(void)
{
	u64 alarm = 0;

	for (const struct timer *t = first; t; t = t->next) {
		u64 cycle;

		if (!t->due || !t->info.si_signo)
			continue;
		cycle = turns_clock_cycle(t->clock, t->due);
		if (!alarm || cycle < alarm)
			alarm = cycle + !cycle;
	}
	turns_alarm(alarm);
}

void
timers_set(struct timer *t, u64 ns, u64 period)
{
	t->due = ns ? turns_clock_ns(t->clock) + ns : 0;
	t->period = period;
	t->overrun = 0;
	set_alarm();
}

void
timers_free(struct timer *t)
{
	take_off(t);
	set_alarm();
}

u64
timers_left(const struct timer *t)
{
	u64 now = turns_clock_ns(t->clock);

	return !t->due ? 0 : t->due > now ? t->due - now : 1;
}

/* It was due, and is from now on when it is next; how often it was. */
static u64
go_past(struct timer *t)
{
	u64 now = turns_clock_ns(t->clock), n = 1;

	if (t->period && now > t->due)
		n += (now - t->due) / t->period;
	t->due = t->period ? t->due + n * t->period : 0;
	return n;
}

static bool
is_blocked_here(int sig)
{
	u64 mask = 0;

	host_kernel(SYS_rt_sigprocmask, SIG_BLOCK, 0, address_of(&mask),
		    MASK_BYTES);
	return mask >> (sig - 1) & 1;
}

/* Threads but the first may not send what says that the kernel has: the timer of
 * the kernel's does, and it is known when; of those for the processor's time, it is
 * not said. */
static void
send_as_kernel(const struct timer *t)
{
	struct itimerval now;

	if (t->which != ITIMER_REAL) {
		host_kernel(SYS_kill, (u64)getpid(), (u64)t->info.si_signo, 0, 0);
		return;
	}
	set_in_kernel(t, 1, 0);
	do
		host_kernel(SYS_getitimer, ITIMER_REAL, address_of(&now), 0, 0);
	while (now.it_value.tv_sec || now.it_value.tv_usec);
}

/* To the thread that executes, if it may be; this may end the process, and then
 * nothing that has been executed is uncounted. */
static void
send(const struct timer *t)
{
	u64 pid = (u64)getpid(), info = address_of(&t->info);
	int sig = t->info.si_signo;
	pid_t tid = t->tid;

	if (signals_of[sig].handler == (u64)(uintptr_t)SIG_DFL) {
		core_take_back(&core);
		turns_work_off();
	}
	if (!tid && !is_blocked_here(sig))
		tid = gettid();
	if (tid)
		host_kernel(SYS_rt_tgsigqueueinfo, pid, (u64)tid, (u64)sig,
			    info);
	else if (t->which >= 0 && gettid() != getpid())
		send_as_kernel(t);
	else
		host_kernel(SYS_rt_sigqueueinfo, pid, (u64)sig, info, 0);
}

void
timers_rung(void)
{
	for (struct timer *t = first; t; t = t->next) {
		u64 n;

		if (!t->due || !t->info.si_signo ||
		    t->due > turns_clock_ns(t->clock))
			continue;
		n = go_past(t);
		if (signals_are_pending(t->info.si_signo)) {
			t->overrun += (u32)n;
		} else {
			t->overrun = (u32)n - 1;
			send(t);
		}
	}
	set_alarm();
}

void
timers_tell(siginfo_t *info)
{
	const struct timer *t = info->si_code == SI_TIMER
					? timers_find(info->si_timerid) : NULL;

	if (t)
		info->si_overrun = (int)t->overrun;
}

/* ---- Calls that wait ----------------------------------------------------- */

/* The first one that is due while a call waits. */
static struct timer *
first_to_wait_for(void)
{
	struct timer *best = NULL;

	for (struct timer *t = first; t; t = t->next)
		if (t->due && t->info.si_signo && t->clock == CLOCK_MONOTONIC &&
		    (!best || t->due < best->due))
			best = t;
	return best;
}

/* Threads that take turns, and block, are the turns' to look at. */
static bool
may_wait(u64 number, const u64 arg[6])
{
	return waits_for_child(number, arg) ||
	       (turns_single() && waits_now(number, arg, 0));
}

void
timers_wait(u64 number, const u64 arg[6])
{
	armed = first_to_wait_for();
	if (!armed)
		return;
	if (may_wait(number, arg))
		set_in_kernel(armed, timers_left(armed), 0);
	else
		armed = NULL;
}

/* If time was over first, the call has waited for that, whether it had begun or
 * not. */
s64
timers_waited(s64 result)
{
	if (!armed || set_in_kernel(armed, 0, 0))
		return result;
	turns_clock_wait(turns_clock_cycle(armed->clock, armed->due));
	armed->overrun = (u32)go_past(armed) - 1;
	set_alarm();
	return result == SIGNALS_NOT_BEGUN ? -EINTR : result;
}

/* ---- Processes ----------------------------------------------------------- */

void
timers_inherit(const char *text)
{
	unsigned long long due, period;
	unsigned which;

	if (sscanf(text, "%u,%llu,%llu", &which, &due, &period) != 3 ||
	    which >= TIMERS_INTERVAL)
		return;
	inherited[which].due = due;
	inherited[which].period = period;
}

void
timers_begin(void)
{
	for (unsigned i = 0; i < TIMERS_INTERVAL; i++)
		if (inherited[i].due)
			timers_set(&interval[i], inherited[i].due,
				   inherited[i].period);
}

void
timers_forked(void)
{
	while (first != interval)
		take_off(first);
	for (unsigned i = 0; i < TIMERS_INTERVAL; i++)
		interval[i].due = 0;
	armed = NULL;
	turns_alarm(0);
}

void
timers_give(struct strings *args)
{
	char *text;

	for (unsigned i = 0; i < TIMERS_INTERVAL; i++) {
		const struct timer *t = &interval[i];

		if (!t->due)
			continue;
		strings_add(args, "-timer");
		strings_own(args, asprintf(&text, "%u,%llu,%llu", i,
					   (unsigned long long)timers_left(t),
					   (unsigned long long)t->period) < 0
					  ? NULL : text);
	}
}

static void
lend(const struct timer *from, bool is)
{
	for (const struct timer *t = from; t; t = t->next)
		if (t->due)
			set_in_kernel(t, is ? timers_left(t) : 0,
				      is ? t->period : 0);
}

void
timers_lend(void)
{
	lend(interval, true);
}

void
timers_take_back(void)
{
	lend(interval, false);
}

void
timers_leave(void)
{
	if (left || !timers_are_ours())
		return;
	lend(first, true);
	left = true;
	turns_alarm(0);
}
