/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "filters.h"

#include "bpf.h"
#include "children.h"
#include "keep.h"
#include "signals.h"
#include "threads.h"
#include "timers.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MOST 32768		/* instructions of all filters of a thread, */
#define EACH 4			/* and these for each one */
#define NO_CALL (~0ull)
#define ERRNO_MOST 4095

struct filter {
	const struct filter *before;
	unsigned n, all;	/* instructions; and of all, as the kernel counts */
	struct sock_filter code[];
};

/* Calls that a thread may make in the strict mode: it is a filter, too. */
static const struct filter strict;

/* ---- What they say ------------------------------------------------------- */

/* On hardware the C library reads these without the kernel. */
static bool
is_no_call(u64 number)
{
	switch (number) {
	case SYS_clock_gettime:
	case SYS_clock_getres:
	case SYS_gettimeofday:
	case SYS_time:
	case SYS_getcpu:
		return true;
	default:
		return false;
	}
}

static bool
is_strictly_allowed(u64 number)
{
	return number == SYS_read || number == SYS_write ||
	       number == SYS_exit || number == SYS_rt_sigreturn;
}

/* Actions are the more severe the smaller they are, as signed numbers. */
static u32
say(const struct filter *f, const struct seccomp_data *call)
{
	u32 says = SECCOMP_RET_ALLOW;

	for (; f; f = f->before) {
		u32 one = bpf_run(f->code, call);

		if ((s32)(one & SECCOMP_RET_ACTION_FULL) <
		    (s32)(says & SECCOMP_RET_ACTION_FULL))
			says = one;
	}
	return says;
}

struct verdict
filters_ask(u64 number, const u64 arg[6], u64 behind)
{
	const struct filter *filters = threads_filters();
	struct verdict verdict = {.action = SECCOMP_RET_ALLOW};
	struct seccomp_data call = {.nr = (int)number,
				    .arch = AUDIT_ARCH_X86_64,
				    .instruction_pointer = behind};
	u32 says;

	if (!filters)
		return verdict;
	if (filters == &strict) {
		if (!is_strictly_allowed(number))
			verdict.action = FILTERS_STRICT;
		return verdict;
	}
	if (is_no_call(number))
		return verdict;
	memcpy(call.args, arg, sizeof call.args);
	says = say(filters, &call);
	verdict.action = says & SECCOMP_RET_ACTION_FULL;
	verdict.data = says & SECCOMP_RET_DATA;
	return verdict;
}

/* ---- What comes of that --------------------------------------------------- */

bool
filters_allow(const struct verdict *says)
{
	return says->action == SECCOMP_RET_ALLOW ||
	       says->action == SECCOMP_RET_LOG;
}

static bool
ends_thread(const struct verdict *says)
{
	return says->action == SECCOMP_RET_KILL_THREAD ||
	       says->action == FILTERS_STRICT;
}

u64
filters_instead(const struct verdict *says, u64 number)
{
	return filters_allow(says) ? number :
	       ends_thread(says)   ? SYS_exit : NO_CALL;
}

/* Nothing traces the program, or listens to a filter of the engine's. */
s64
filters_refuse(const struct verdict *says, u64 number)
{
	switch (says->action) {
	case SECCOMP_RET_ERRNO:
		return says->data < ERRNO_MOST ? -(s64)says->data : -ERRNO_MOST;
	case SECCOMP_RET_TRAP:
		return (s64)number;
	case SECCOMP_RET_TRACE:
	case SECCOMP_RET_USER_NOTIF:
		return -ENOSYS;
	}
	if (!ends_thread(says) || !threads_exit())
		signals_die(says->action == FILTERS_STRICT ? SIGKILL : SIGSYS);
	return 0;
}

/* ---- Those of a thread ---------------------------------------------------- */

unsigned
filters_count(void)
{
	unsigned n = 0;

	for (const struct filter *f = threads_filters(); f; f = f->before)
		n++;
	return n;
}

bool
filters_are_among(const struct filter *older, const struct filter *all)
{
	while (all && all != older)
		all = all->before;
	return all == older;
}

/* ---- A new one ----------------------------------------------------------- */

/* The kernel has some from here on: this process makes no call that it would not
 * have made. */
static void
keep_to_them(void)
{
	keep_spoil();
	children_leave();
	timers_leave();
}

/* A program may limit its calls if another one gives it no rights, or if it has them
 * all. */
static bool
may_filter(void)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct has[_LINUX_CAPABILITY_U32S_3] = {0};

	return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 ||
	       (!syscall(SYS_capget, &header, has) &&
		has[CAP_TO_INDEX(CAP_SYS_ADMIN)].effective &
			CAP_TO_MASK(CAP_SYS_ADMIN));
}

/* One in front of those of the thread, of n instructions; NULL: no memory. */
static struct filter *
filter_new(unsigned n)
{
	const struct filter *before = threads_filters();
	struct filter *f = malloc(sizeof *f + n * sizeof f->code[0]);

	if (!f)
		return NULL;
	f->before = before;
	f->n = n;
	f->all = n + EACH + (before ? before->all : 0);
	return f;
}

/* The filter that the target has there: 0, or -errno. */
static s64
read_filter(u64 at, struct filter **filter)
{
	struct sock_fprog program;
	struct filter *f;
	s64 error = 0;

	if (guest_read(&program, at, sizeof program))
		return -EFAULT;
	if (!program.len || program.len > BPF_MAXINSNS)
		return -EINVAL;
	if (!may_filter())
		return -EACCES;
	f = filter_new(program.len);
	if (!f)
		return -ENOMEM;
	if (guest_read(f->code, (u64)(uintptr_t)program.filter,
		       program.len * sizeof f->code[0]))
		error = -EFAULT;
	else if (!bpf_is_filter(f->code, f->n))
		error = -EINVAL;
	else if (f->all > MOST)
		error = -ENOMEM;
	if (error)
		free(f);
	else
		*filter = f;
	return error;
}

/* All threads get those of the calling one, unless one has others: which. */
static s64
share(const struct filter *f, u64 flags)
{
	s64 other = threads_share_filters(f);

	return other && flags & SECCOMP_FILTER_FLAG_TSYNC_ESRCH ? -ESRCH
								: other;
}

#define FLAGS (SECCOMP_FILTER_FLAG_TSYNC | SECCOMP_FILTER_FLAG_LOG |       \
	       SECCOMP_FILTER_FLAG_SPEC_ALLOW |                            \
	       SECCOMP_FILTER_FLAG_TSYNC_ESRCH)

static s64
add_filter(u64 flags, u64 at)
{
	struct filter *f;
	s64 result;

	if (flags & ~(u64)FLAGS || threads_filters() == &strict)
		return -EINVAL;
	result = read_filter(at, &f);
	if (result)
		return result;
	if (flags & SECCOMP_FILTER_FLAG_TSYNC)
		result = share(f, flags);
	else
		threads_filter(f);
	if (result)
		free(f);
	return result;
}

static s64
be_strict(void)
{
	if (threads_filters())
		return -EINVAL;
	threads_filter(&strict);
	return 0;
}

/* ---- System calls -------------------------------------------------------- */

s64
filters_prctl(const u64 arg[6])
{
	switch (arg[1]) {
	case SECCOMP_MODE_STRICT:
		return be_strict();
	case SECCOMP_MODE_FILTER:
		return add_filter(0, arg[2]);
	default:
		return -EINVAL;
	}
}

s64
filters_seccomp(const u64 arg[6])
{
	switch ((u32)arg[0]) {
	case SECCOMP_SET_MODE_STRICT:
		return arg[1] || arg[2] ? -EINVAL : be_strict();
	case SECCOMP_SET_MODE_FILTER:
		if (!(arg[1] & SECCOMP_FILTER_FLAG_NEW_LISTENER))
			return add_filter((u32)arg[1], arg[2]);
		keep_to_them();
	}
	return threads_kernel(SYS_seccomp, arg);
}

/* ---- Another program ----------------------------------------------------- */

static int inherited = -1, given = -1;

void
filters_inherit(const char *text)
{
	inherited = atoi(text);
}

/* The first one that was added is written first. */
static bool
write_filter(int fd, const struct filter *f)
{
	size_t bytes = f ? sizeof *f + f->n * sizeof f->code[0] : 0;

	return !f || (write_filter(fd, f->before) &&
		      write(fd, f, bytes) == (ssize_t)bytes);
}

int
filters_give(struct strings *args)
{
	const struct filter *filters = threads_filters();
	int fd;

	if (!filters)
		return 0;
	fd = memfd_create("filters", 0);
	if (fd < 0)
		return -1;
	if (!write_filter(fd, filters) || lseek(fd, 0, SEEK_SET)) {
		close(fd);
		return -1;
	}
	given = fd;
	strings_add_number(args, "-filters", (unsigned)fd);
	return 0;
}

void
filters_take_back(void)
{
	if (given >= 0)
		close(given);
	given = -1;
}

/* The next one there; false: there is none. */
static bool
read_next(int fd)
{
	struct filter head, *f;
	size_t bytes;

	if (read(fd, &head, sizeof head) != sizeof head)
		return false;
	f = filter_new(head.n);
	bytes = head.n * sizeof f->code[0];
	if (!f || read(fd, f->code, bytes) != (ssize_t)bytes)
		process_die("limits of calls", EIO);
	threads_filter(f);
	return true;
}

void
filters_begin(void)
{
	if (inherited < 0)
		return;
	while (read_next(inherited))
		;
	close(inherited);
	inherited = -1;
}

static void
lend(const struct filter *f)
{
	struct sock_fprog program;

	if (!f)
		return;
	lend(f->before);
	program.len = (unsigned short)f->n;
	program.filter = (struct sock_filter *)f->code;
	syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}

void
filters_lend(void)
{
	const struct filter *filters = threads_filters();

	if (!filters)
		return;
	keep_to_them();
	lend(filters);
}
