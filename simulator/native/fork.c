/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fork.h"

#include "children.h"
#include "native.h"
#include "threads.h"
#include "timers.h"
#include "vfork.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A process is forked by the C library, so that its state and the engine's are
 * right in the child: what it cannot ask for is refused, not left out.  Of these,
 * the last four say what is so anyway, or what has no effect on what is executed. */
#define PROCESS_FLAGS (CLONE_VM | CLONE_VFORK | CLONE_SETTLS | CLONE_PIDFD | \
		       CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID | \
		       CLONE_CHILD_SETTID | CLONE_DETACHED | CLONE_UNTRACED | \
		       CLONE_SYSVSEM | CLONE_IO)

/* In the child, what clone() was asked for. */
static void
begin_child(u64 flags, const u64 arg[6])
{
	u32 tid = (u32)getpid();

	children_forked();
	timers_forked();
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
	pid_t pid;

	if (flags & CLONE_VM && !(flags & CLONE_VFORK))
		return threads_create(arg, host_state.target);
	if (flags & ~(u64)PROCESS_FLAGS || (arg[0] & CSIGNAL) != SIGCHLD ||
	    (flags & CLONE_PIDFD && flags & (CLONE_PARENT_SETTID | CLONE_DETACHED)))
		return -EINVAL;
	pid = flags & CLONE_VFORK ? vfork_begin(flags & CLONE_VM) : fork();
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
