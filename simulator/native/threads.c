/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "threads.h"

#include "filters.h"
#include "periods.h"
#include "signals.h"
#include "timers.h"

#include "target/calling.h"
#include "target/procedures.h"
#include "target/built.h"
#include "turns/turns.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define STACK_BYTES (1u << 20)	/* of the engine's, for a thread */
#define FOR_EVER (1ull << 35)	/* seconds */
#define MASK_BYTES 8		/* of a set of the kernel's */

/* A thread of the target; those that have not ended, as a list. */
struct thread_state {
	struct thread_state *next;
	unsigned number;
	pid_t tid;
	bool ended;
	u64 clear_tid;		/* where its end is written, or 0 */
	struct host_thread state;
	struct signals *signals;
	const struct filter *filters; /* of its calls */
	/* It begins. */
	u64 pc;
	struct block *first;
	u64 mask;		/* signals that are blocked */
	sem_t here;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct thread_state *threads, main_thread;
static __thread struct thread_state *self;

unsigned threads_number;

static u64
address_of(const void *p)
{
	return (u64)(uintptr_t)p;
}

/* ---- Whose registers are in host_state -------------------------------- */

static void
put_aside(void)
{
	host_put_aside(&self->state);
	signals_away(self->signals);
}

static void
take_back(void)
{
	host_take_back(&self->state);
	signals_here(self->signals);
	threads_number = self->number;
}

/* The process ends while it waits: it executes no more. */
static void
wait_for_end(void)
{
	while (turns_exiting())
		poll(NULL, 0, -1);
}

/* Regions begin and end in front of a block, and behind one. */
static void
enter(struct block *t)
{
	if (core.calls)
		calling_enter(self->number, t);
	if (procedures_wanted())
		turns_followed(self->number, t);
	turns_block(self->number, t);
	wait_for_end();
	if (t->marked)
		turns_marked(self->number, t);
	if (core.calls)
		calling_entered();
	take_back();
}

void
threads_enter(struct block *t)
{
	put_aside();
	enter(t);
}

/* ---- System calls ------------------------------------------------------ */

void
threads_call(u64 number, const u64 arg[8])
{
	put_aside();
	turns_syscall(self->number, (s64)number, arg);
}

void
threads_call_over(u64 number, s64 result)
{
	/* The call may have changed them, but not if others have executed. */
	if (!turns_taken() || turns_holds(self->number))
		host_put_aside(&self->state);
	turns_syscall_return(self->number, (s64)number, result);
	take_back();
}

/* The signals that a call blocks while it waits, and where it has them. */
static const struct {
	u16 number;
	u8 arg;
	bool pair;		/* an address and a size */
} masks[] = {
	{SYS_ppoll, 3, false}, {SYS_epoll_pwait, 4, false},
	{SYS_pselect6, 5, true}, {SYS_epoll_pwait2, 4, false},
};

/* What a call gets in place of what the target has. */
struct forged {
	u64 arg[6];
	u64 time[2];
	u64 mask, pair[2];
};

static void
let_end(u64 *mask)
{
	*mask &= ~(1ull << (TURNS_END_SIGNAL - 1));
}

static void
forge_mask(u64 number, struct forged *f)
{
	for (unsigned i = 0; i < SIM_COUNT(masks); i++) {
		u64 *arg = &f->arg[masks[i].arg];
		u64 at = *arg;

		if (masks[i].number != number || !at)
			continue;
		if (masks[i].pair) {
			if (guest_read(f->pair, at, sizeof f->pair))
				return;
			at = f->pair[0];
		}
		if (!at || guest_read(&f->mask, at, sizeof f->mask))
			return;
		let_end(&f->mask);
		f->pair[0] = address_of(&f->mask);
		*arg = address_of(masks[i].pair ? (void *)f->pair
						: (void *)&f->mask);
	}
}

/* The call waits until a signal of the turns ends it. */
static s64
wait_endless(u64 number, const u64 arg[6], struct turns_endless endless)
{
	struct forged f = {.time = {FOR_EVER, 0}};
	u64 end = 0, before = 0;
	s64 result;

	memcpy(f.arg, arg, sizeof f.arg);
	f.arg[endless.arg] = endless.number ? (u64)-1 : address_of(f.time);
	forge_mask(number, &f);
	end = 1ull << (TURNS_END_SIGNAL - 1);
	host_kernel(SYS_rt_sigprocmask, SIG_UNBLOCK, address_of(&end),
		    address_of(&before), MASK_BYTES);
	result = signals_call_endless(number, f.arg);
	host_kernel(SYS_rt_sigprocmask, SIG_SETMASK, address_of(&before), 0,
		    MASK_BYTES);
	return result;
}

s64
threads_kernel(u64 number, const u64 arg[6])
{
	struct turns_endless endless;

	if (turns_taken() && turns_endless(self->number, &endless))
		return wait_endless(number, arg, endless);
	return signals_call(number, arg);
}

/* ---- Filters of calls ---------------------------------------------------- */

const struct filter *
threads_filters(void)
{
	return self->filters;
}

void
threads_filter(const struct filter *filters)
{
	self->filters = filters;
}

pid_t
threads_share_filters(const struct filter *filters)
{
	struct thread_state *t;
	pid_t other;

	pthread_mutex_lock(&lock);
	for (t = threads; t; t = t->next)
		if (!filters_are_among(t->filters, filters))
			break;
	other = t ? t->tid : 0;
	for (t = other ? NULL : threads; t; t = t->next)
		t->filters = filters;
	pthread_mutex_unlock(&lock);
	return other;
}

/* ---- A thread begins --------------------------------------------------- */

/* Of those that have not ended, none has that number. */
static unsigned
free_number(void)
{
	const struct thread_state *t = threads;
	unsigned n = 0;

	while (t)
		if (t->number == n) {
			n++;
			t = threads;
		} else {
			t = t->next;
		}
	return n;
}

static void
add(struct thread_state *t)
{
	pthread_mutex_lock(&lock);
	t->number = free_number();
	t->next = threads;
	threads = t;
	pthread_mutex_unlock(&lock);
}

static void
take_off(struct thread_state *t)
{
	struct thread_state **link = &threads;

	pthread_mutex_lock(&lock);
	while (*link != t)
		link = &(*link)->next;
	*link = t->next;
	pthread_mutex_unlock(&lock);
}

static void
set_mask(const u64 *mask, u64 *before)
{
	host_kernel(SYS_rt_sigprocmask, SIG_SETMASK, address_of(mask),
		    address_of(before), MASK_BYTES);
}

/* All signals are blocked. */
static void *
run(void *thread)
{
	struct thread_state *t = self = thread;

	t->tid = (pid_t)syscall(SYS_gettid);
	host_thread_begin(&t->state);
	signals_thread_begin(t->signals);
	sem_post(&t->here);
	set_mask(&t->mask, NULL);
	enter(t->first);
	blocks_go_on(t->pc, t->first);
	signals_thread_free(t->signals);
	host_thread_free(&t->state);
	free(t);
	return NULL;
}

/* As the one that is to be, with what clone() was told of it. */
static struct thread_state *
new_thread(const u64 arg[6], u64 pc)
{
	struct thread_state *t = calloc(1, sizeof *t);

	if (!t)
		return NULL;
	t->signals = signals_thread_new();
	if (!t->signals || host_thread_copy(&t->state)) {
		if (t->signals)
			signals_thread_free(t->signals);
		free(t);
		return NULL;
	}
	t->pc = pc;
	t->filters = self->filters;
	t->state.reg[HOST_RAX] = 0;
	t->state.reg[HOST_RCX] = pc;
	t->state.reg[11] = host_state.flags;
	if (arg[1])
		t->state.reg[HOST_RSP] = arg[1];
	if (arg[0] & CLONE_SETTLS)
		t->state.fs = arg[4];
	if (arg[0] & CLONE_CHILD_CLEARTID)
		t->clear_tid = arg[3];
	sem_init(&t->here, 0, 0);
	return t;
}

static int
start(struct thread_state *t)
{
	pthread_attr_t attr;
	pthread_t thread;
	int error;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_BYTES);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	error = pthread_create(&thread, &attr, run, t);
	pthread_attr_destroy(&attr);
	signals_take_back();
	return error;
}

/* As QEMU: all of these, and of others only what it has. */
#define THREAD_FLAGS (CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | \
		      CLONE_THREAD | CLONE_SYSVSEM)
#define OTHER_FLAGS (CLONE_SETTLS | CLONE_PARENT_SETTID | \
		     CLONE_CHILD_CLEARTID | CLONE_CHILD_SETTID | \
		     CLONE_DETACHED | CLONE_IO)

s64
threads_create(const u64 arg[6], u64 pc)
{
	u64 flags = arg[0], all = ~0ull;
	struct thread_state *t;
	u32 tid;
	int error;

	if ((flags & THREAD_FLAGS) != THREAD_FLAGS ||
	    flags & ~(u64)(THREAD_FLAGS | OTHER_FLAGS))
		return -EINVAL;
	t = new_thread(arg, pc);
	if (!t)
		return -EAGAIN;
	t->first = blocks_first(pc);
	add(t);
	turns_vcpu_start(t->number);
	set_mask(&all, &t->mask);
	error = start(t);
	if (!error)
		while (sem_wait(&t->here))
			;
	set_mask(&t->mask, NULL);
	if (error) {
		take_off(t);
		signals_thread_free(t->signals);
		host_thread_free(&t->state);
		free(t);
		return -EAGAIN;
	}
	tid = (u32)t->tid;
	if (flags & CLONE_PARENT_SETTID)
		guest_write(arg[2], &tid, sizeof tid);
	if (flags & CLONE_CHILD_SETTID)
		guest_write(arg[3], &tid, sizeof tid);
	return (s64)tid;
}

/* ---- A thread ends ----------------------------------------------------- */

/* A thread that waits for this one's end is woken before it is gone: the one
 * that executes next waits for that. */
bool
threads_exit(void)
{
	u64 all = ~0ull;
	u32 none = 0;

	if (!turns_ending(self->number))
		return false;
	set_mask(&all, NULL);
	if (self->clear_tid && !guest_write(self->clear_tid, &none,
					    sizeof none))
		syscall(SYS_futex, self->clear_tid, FUTEX_WAKE, INT_MAX, NULL,
			NULL, 0);
	take_off(self);
	turns_vcpu_exit(self->number);
	if (self == &main_thread)
		for (;;)
			host_kernel(SYS_exit, 0, 0, 0, 0);
	self->ended = true;
	return true;
}

bool
threads_ended(void)
{
	return self->ended;
}

s64
threads_tid_address(const u64 arg[6])
{
	self->clear_tid = arg[0];
	return (s64)syscall(SYS_gettid);
}

s64
threads_get_tid_address(u64 at)
{
	return guest_write(at, &self->clear_tid, sizeof self->clear_tid)
		       ? -EFAULT : 0;
}

/* ---- The process ------------------------------------------------------- */

void
threads_begin(bool pinned)
{
	static const struct turns_engine engine = {
		.part = built_part,
		.listen = signals_listen,
		.rung = timers_rung,
		.stretch_over = periods_over,
		.call = signals_call_out};

	self = &main_thread;
	self->signals = signals_thread_new();
	if (!self->signals)
		process_die("room for signals", ENOMEM);
	signals_thread_begin(self->signals);
	signals_here(self->signals);
	add(self);
	turns_start(&engine);
	if (pinned)
		turns_pin();
	turns_vcpu_start(self->number);
}

void
threads_fork_child(void)
{
	pthread_mutex_init(&lock, NULL);
	turns_fork_child();
	threads = self;
	self->next = NULL;
	self->tid = (pid_t)syscall(SYS_gettid);
}
