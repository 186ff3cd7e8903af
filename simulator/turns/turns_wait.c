/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waits for some time.  They end when the machine's clock says so, not when
 * the host's does: for the time of the call the target's memory says "for
 * ever", and when time is over a signal of ours lets the host's call return
 * what it returns then.  A time in a register is made "for ever" too, if the
 * engine can do that; one that can change what calls are given leaves memory
 * alone.  Where it cannot, where memory cannot be written, and where the signal
 * is refused (seccomp), time stays the host's; a thread that is back too early
 * waits for the machine's clock, the thread that sleeps too long is woken as
 * above.
 *
 * No thread goes on before the host's clock is there, too, unless the target
 * reads the machine's: it would find that no time has passed.  Threads that
 * execute meanwhile would have to wait for that; so they look later, when the
 * host, which executes a cycle in a nanosecond at best, has got there - or
 * when they have made many system calls, as a thread that waits for the
 * sleeper does.
 */
#include "turns_internal.h"

#include "target/guest_strings.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define LOOK_NS 1000000u
#define END_LOOKS 64		/* before the signal is taken for lost */
#define RETRY_NS 10000000u

/* ---- The signal ------------------------------------------------------ */

bool
turns_wait_ended(s64 *result)
{
	const struct thread *th = turns_self();

	if (!th || !__atomic_load_n(&th->ended, __ATOMIC_ACQUIRE))
		return false;
	*result = th->wait.result;
	return true;
}

void
turns_wait_lengthened(bool is)
{
	turns_self()->lengthened = is;
}

bool
turns_endless(unsigned vcpu, struct turns_endless *endless)
{
	const struct thread *th = turns.vcpu[vcpu % TURNS_VCPUS];

	if (!th || th->state != THREAD_BLOCKED || !th->wait.timed ||
	    !th->lengthened)
		return false;
	*endless = (struct turns_endless){th->wait.arg, !th->wait.bytes};
	return true;
}

bool
wait_may_end(void)
{
	static enum { UNKNOWN, MAY, MAY_NOT } answer;

	if (answer == UNKNOWN)
		answer = syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), 0)
				 ? MAY_NOT : MAY;
	return answer == MAY;
}

static void
send_end(struct thread *th)
{
	__atomic_store_n(&th->ended, true, __ATOMIC_RELEASE);
	syscall(SYS_tgkill, getpid(), th->tid, TURNS_END_SIGNAL);
}

/* ---- The target's memory --------------------------------------------- */

/* As good as for ever, and until the end of time. */
static u64
for_ever(unsigned bytes)
{
	return bytes == 4 ? 0x7fffffff : 1ull << 35;
}

static void
lengthen(struct thread *th)
{
	const struct turn_wait *w = &th->wait;

	if (!turns_engine->lengthen) {
		th->lengthened = true;
		return;
	}
	if (!w->bytes || guest_read(th->saved, guest_address(w->address),
				    2u * w->bytes))
		return;
	if (turn_number_set(w->address, w->bytes, for_ever(w->bytes)))
		return;
	th->lengthened = th->kept = true;
}

void
wait_restore(struct thread *th)
{
	if (th->kept)
		guest_write(guest_address(th->wait.address), th->saved,
			    2u * th->wait.bytes);
	th->kept = false;
}

/* ---- A wait ---------------------------------------------------------- */

static u64
overdue(u64 until)
{
	u64 now = core_cycle(&core), left = until > now ? until - now : 0;
	u64 ns = target.map.m->machine_clock ? 0 : clock_ns(left);

	return now + (ns > left ? ns : left);
}

static u64
host_due(const struct turn_wait *w)
{
	u64 now = clock_host(CLOCK_MONOTONIC), there;

	if (!w->absolute)
		return now + w->ns;
	if (target.map.m->machine_clock)
		return now;
	there = clock_host(w->clock);
	return now + (w->ns > there ? w->ns - there : 0);
}

void
wait_begin(struct thread *th, const struct turn_wait *w)
{
	th->wait = *w;
	th->lengthened = th->kept = th->ended = false;
	th->until = 0;
	if (w->timed) {
		th->until = w->absolute ? clock_cycle_at(w->clock, w->ns)
					: core_cycle(&core) +
						  clock_cycles(w->ns);
		th->until += !th->until;
		th->host_due = host_due(w);
		turns_engine->listen();
		if (wait_may_end())
			lengthen(th);
	}
	th->wake = th->until;
	th->overdue = overdue(th->until);
	th->calls_before = turns.calls;
}

void
wait_back(struct thread *th, s64 result)
{
	wait_restore(th);
	th->interrupted = result == -EINTR;
	th->over = th->ended && result == th->wait.result;
	if (th->lengthened || result != th->wait.result)
		th->wake = 0;
}

/* What is left of a wait, where the call says that. */
static void
say_left(const struct thread *th, bool interrupted)
{
	const struct turn_wait *w = &th->wait;
	u64 now = core_cycle(&core), left = 0;
	u64 at = w->updated ? w->address : interrupted ? w->rest : 0;

	if (!at)
		return;
	if (th->until > now)
		left = clock_ns(th->until - now);
	turn_number_set(at, w->bytes, left / 1000000000u);
	turn_number_set(at + w->bytes, w->bytes,
			left % 1000000000u / (w->micro ? 1000u : 1u));
}

/* Zeros from there on. */
static void
clear(u64 address, u64 bytes)
{
	static const u8 zero[64];

	for (u64 n; bytes; address += n, bytes -= n) {
		n = bytes < sizeof zero ? bytes : sizeof zero;
		if (guest_write(guest_address(address), zero, n))
			return;
	}
}

/* As many as there can be open: the kernel looks at no more. */
static u64
files_at_most(u64 n)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) || n < limit.rlim_cur)
		return n;
	return limit.rlim_cur;
}

static void
clear_sets(const u64 set[3], u64 files)
{
	u64 word = guest_word_size();
	u64 words = (files_at_most(files) + 8 * word - 1) / (8 * word);

	for (unsigned i = 0; i < 3; i++)
		if (set[i])
			clear(set[i], words * word);
}

static void
clear_events(u64 list, u64 files)
{
	u64 n = files_at_most(files);

	for (u64 i = 0; i < n; i++)
		clear(list + i * sizeof(struct pollfd) +
			      offsetof(struct pollfd, revents),
		      sizeof(short));
}

/* No file is ready: the kernel, for which time is not over, has not said so. */
static void
say_none(const struct turn_wait *w)
{
	if (w->found == FOUND_SETS)
		clear_sets(&w->files[1], (u32)w->files[0]);
	else if (w->found == FOUND_EVENTS)
		clear_events(w->files[0], (u32)w->files[1]);
}

void
wait_over(struct thread *th)
{
	if (th->lengthened)
		say_left(th, th->interrupted);
	if (th->lengthened && th->over)
		say_none(&th->wait);
	th->lengthened = false;
	th->until = 0;
}

void
wait_alone(struct thread *th, const struct turn_wait *w)
{
	u64 host;

	th->wait = *w;
	th->kept = false;
	th->until = 0;
	if (!target.map.m->machine_clock || !w->timed)
		return;
	th->until = w->absolute ? clock_cycle_at(w->clock, w->ns)
				: core_cycle(&core) + clock_cycles(w->ns);
	if (!w->absolute || guest_read(th->saved, guest_address(w->address),
				       2u * w->bytes))
		return;
	host = clock_on_host(w->clock, w->ns);
	th->kept = !turn_number_set(w->address, w->bytes, host / 1000000000u) &&
		   !turn_number_set(w->address + w->bytes, w->bytes,
				    host % 1000000000u);
}

void
wait_alone_over(struct thread *th, s64 result)
{
	wait_restore(th);
	if (!th->until)
		return;
	if (result == th->wait.result)
		turns_clock_wait(th->until);
	say_left(th, result == -EINTR);
	th->until = 0;
}

bool
wait_due_on_host(const struct thread *th)
{
	return target.map.m->machine_clock ||
	       clock_host(CLOCK_MONOTONIC) >= th->host_due;
}

void
wait_end(struct thread *th)
{
	static const struct timespec pause = {.tv_nsec = LOOK_NS / 10};
	unsigned looks = 0;

	while (!wait_due_on_host(th) && !turns_is_back(th) && !free_now())
		nanosleep(&pause, NULL);
	if (turns_is_back(th) || free_now())
		return;
	send_end(th);
	while (!turns_is_back(th) && !free_now()) {
		nanosleep(&pause, NULL);
		if (!wait_may_end())
			continue;
		looks = watch_asleep(th) ? looks + 1 : 0;
		if (looks < END_LOOKS || turns_is_back(th))
			continue;
		pthread_mutex_lock(&turns.lock);
		free_begin();
		pthread_mutex_unlock(&turns.lock);
	}
}

u64
wait_end_overdue(void)
{
	u64 now = clock_host(CLOCK_MONOTONIC), next = 0, due;

	for (struct thread *th = turns.first; th; th = th->next) {
		if (!th->lengthened || th->state != THREAD_BLOCKED ||
		    turns_is_back(th))
			continue;
		due = th->host_due;
		if (due <= now) {
			send_end(th);
			due = now + RETRY_NS;
		}
		if (!next || due < next)
			next = due;
	}
	return next;
}
