/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fork.h"

#include "children.h"
#include "native.h"
#include "periods.h"
#include "premade.h"
#include "threads.h"
#include "timers.h"
#include "vfork.h"

#include "target/at_fork.h"
#include "turns/turns.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A process is forked by the C library, so that its state and the engine's are
 * right in the child.  What it cannot ask for: */
#define KERNEL_FLAGS (CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | \
		      CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | \
		      CLONE_NEWNET | CLONE_PARENT | CLONE_FS | CLONE_FILES)

/* What the engine does itself; the last four say what is so anyway, or what has no
 * effect on what is executed.  All others are refused, not left out. */
#define PROCESS_FLAGS (CLONE_VM | CLONE_VFORK | CLONE_SETTLS | CLONE_PIDFD | \
		       CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID | \
		       CLONE_CHILD_SETTID | CLONE_DETACHED | CLONE_UNTRACED | \
		       CLONE_SYSVSEM | CLONE_IO)

/* ---- Without the C library ----------------------------------------------- */

/* How far behind a thread's own word the C library has its id; 0: not known. */
static ptrdiff_t id_place;

void
fork_begin(void)
{
	pid_t *id = NULL;

	if (!prctl(PR_GET_TID_ADDRESS, &id, 0, 0, 0) && id && *id == gettid())
		id_place = (char *)id - (char *)pthread_self();
}

static bool
needs_kernel(u64 flags)
{
	return flags & KERNEL_FLAGS || (flags & CSIGNAL) != SIGCHLD;
}

/* What fork() does beside: the id, the list of locks, and what is to be done around
 * it.  There is a single thread, so that no other one holds a lock. */
static pid_t
clone_by_kernel(u64 flags)
{
	void *locks = NULL;
	size_t bytes = 0;
	long pid;

	at_fork_before();
	syscall(SYS_get_robust_list, 0, &locks, &bytes);
	pid = syscall(SYS_clone,
		      flags | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID, NULL,
		      NULL, (char *)pthread_self() + id_place, NULL);
	if (pid) {
		at_fork_parent();
	} else {
		syscall(SYS_set_robust_list, locks, bytes);
		at_fork_child();
	}
	return (pid_t)pid;
}

pid_t
fork_process(u64 flags)
{
	pid_t pid;

	premade_before();
	pid = needs_kernel(flags) ? clone_by_kernel(flags) : fork();
	if (!pid)
		premade_forked();
	return pid;
}

/* ---- What the target asks for -------------------------------------------- */

/* In the child, what clone() was asked for. */
static void
begin_child(u64 flags, const u64 arg[6])
{
	u32 tid = (u32)getpid();

	children_forked();
	timers_forked();
	periods_forked();
	if (flags & CLONE_CHILD_SETTID)
		guest_write(arg[3], &tid, sizeof tid);
	if (flags & CLONE_CHILD_CLEARTID)
		syscall(SYS_set_tid_address, arg[3]);
	if (flags & CLONE_SETTLS)
		host_state.fs = arg[4];
	if (arg[1])
		host_state.reg[HOST_RSP] = arg[1];
}

/* In the parent: the child has no descriptor of itself, as from the kernel. */
static void
tell_parent(u64 flags, u64 at, pid_t pid)
{
	u32 word = (u32)pid;

	if (flags & CLONE_PIDFD)
		word = (u32)syscall(SYS_pidfd_open, pid, 0);
	if (flags & (CLONE_PIDFD | CLONE_PARENT_SETTID))
		guest_write(at, &word, sizeof word);
}

/* A child that shares memory until it executes a program has a copy instead, as
 * under QEMU; see vfork.h. */
s64
fork_clone(const u64 arg[6])
{
	u64 flags = arg[0] & ~(u64)CSIGNAL;
	u64 kernel = arg[0] & (KERNEL_FLAGS | CSIGNAL);
	pid_t pid;

	if (flags & CLONE_VM && !(flags & CLONE_VFORK))
		return threads_create(arg, host_state.target);
	if (flags & ~(u64)(PROCESS_FLAGS | KERNEL_FLAGS) ||
	    (needs_kernel(kernel) && !(id_place && turns_single())) ||
	    (flags & CLONE_PIDFD && flags & (CLONE_PARENT_SETTID | CLONE_DETACHED)))
		return -EINVAL;
	pid = flags & CLONE_VFORK ? vfork_begin(kernel, flags & CLONE_VM)
				  : fork_process(kernel);
	if (pid < 0)
		return -errno;
	if (pid) {
		tell_parent(flags, arg[2], pid);
		return pid;
	}
	if (!(flags & CLONE_VFORK))
		vfork_forget();
	begin_child(flags, arg);
	return 0;
}

s64
fork_plainly(const u64 arg[6])
{
	static const u64 plain[6] = {SIGCHLD};

	(void)arg;
	return fork_clone(plain);
}

s64
fork_sharing(const u64 arg[6])
{
	static const u64 sharing[6] = {CLONE_VFORK | CLONE_VM | SIGCHLD};

	(void)arg;
	return fork_clone(sharing);
}
