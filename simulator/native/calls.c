/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the target asks for: system calls, and instructions that the engine
 * answers. */
#include "children.h"
#include "clocks.h"
#include "filters.h"
#include "follow.h"
#include "fork.h"
#include "guard.h"
#include "keep.h"
#include "limits.h"
#include "periods.h"
#include "proc.h"
#include "signals.h"
#include "threads.h"
#include "timers.h"
#include "vfork.h"

#include "target/affinity.h"
#include "target/channel.h"
#include "target/channel_hwperf.h"
#include "target/detour.h"
#include "target/device_file.h"
#include "target/dumpable.h"
#include "target/follow_fd.h"
#include "target/ledger_calls.h"
#include "target/mapped.h"
#include "target/places.h"
#include "target/random.h"
#include "turns/turns.h"

#include <asm/prctl.h>
#include <errno.h>
#include <linux/membarrier.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MAX_CALLS 512
#define SET_MDWE 65		/* prctl(): headers of Linux 6.1 have it not */
#define SYSCALL_BYTES 2	/* of the instruction */
#define ADDRESSES_END 0x7ffffffff000ull /* of programs: the base of a segment */

/* A call that is not the kernel's alone. */
typedef s64 call_fn(const u64 arg[6]);

static s64
call_kernel(u64 number, const u64 arg[6])
{
	timers_wait(number, arg);
	return timers_waited(children_call(number, arg));
}

/* ---- Memory ---------------------------------------------------------- */

static s64
call_mmap(const u64 arg[6])
{
	return (s64)space_map(arg[0], arg[1], (int)arg[2], (int)arg[3],
			      (int)arg[4], arg[5]);
}

static s64
call_munmap(const u64 arg[6])
{
	blocks_changed(arg[0], arg[1]);
	return call_kernel(SYS_munmap, arg);
}

/* The stack is mapped as a whole, and not as one that grows: what asks for all of it
 * down to its end, as libraries do that execute code there, has it. */
static s64
call_mprotect(const u64 arg[6])
{
	u64 at = arg[0], bytes = arg[1], prot = arg[2];
	u64 first = native.stack.first;
	s64 result;

	if (prot & PROT_GROWSDOWN && at % NATIVE_PAGE == 0 && bytes &&
	    at >= first && at < native.stack.end) {
		prot &= ~(u64)PROT_GROWSDOWN;
		bytes += at - first;
		at = first;
	}
	blocks_changed(at, bytes);
	result = call_kernel(SYS_mprotect,
			     (u64[6]){at, bytes, space_rights(prot)});
	if (!result)
		guard_mapped(at, bytes, (int)prot);
	return result;
}

/* The processor that programs see has no keys: there is none but the usual one. */
static s64
call_pkey_mprotect(const u64 arg[6])
{
	return (int)arg[3] == -1 ? call_mprotect(arg) : -EINVAL;
}

static s64
call_pkey_alloc(const u64 arg[6])
{
	return arg[0] || arg[1] & ~(u64)(PKEY_DISABLE_ACCESS | PKEY_DISABLE_WRITE)
		       ? -EINVAL : -ENOSPC;
}

static s64
call_pkey_free(const u64 arg[6])
{
	(void)arg;
	return -EINVAL;
}

static s64
call_brk(const u64 arg[6])
{
	return (s64)space_break(arg[0]);
}

/* ---- Processes ------------------------------------------------------- */

static s64
call_exit_group(const u64 arg[6])
{
	turns_exit();
	keep_save();
	periods_end();
	process_exit();
	vfork_end();
	_exit((int)arg[0]);
}

static s64
call_exit(const u64 arg[6])
{
	return threads_exit() ? 0 : call_exit_group(arg);
}

static s64
call_arch_prctl(const u64 arg[6])
{
	u64 *base = arg[0] == ARCH_SET_FS || arg[0] == ARCH_GET_FS
			    ? &host_state.fs : &host_state.gs;

	switch (arg[0]) {
	case ARCH_SET_FS:
	case ARCH_SET_GS:
		if (arg[1] >= ADDRESSES_END)
			return -EPERM;
		*base = arg[1];
		return 0;
	case ARCH_GET_FS:
	case ARCH_GET_GS:
		return guest_write(arg[1], base, sizeof *base);
	default:
		return -EINVAL;
	}
}

/* What would be true of the engine's own code, too, is refused as by a kernel that
 * has it not: the counter that is not to be read, calls that are turned into
 * signals, memory that is not to be written and executed, where the heap begins. */
static s64
call_prctl(const u64 arg[6])
{
	switch (arg[0]) {
	case PR_GET_TID_ADDRESS:
		return threads_get_tid_address(arg[1]);
	case PR_GET_DUMPABLE:
		return dumpable_get();
	case PR_SET_DUMPABLE:
		return dumpable_set(arg[1]);
	case PR_SET_TSC:
		if (arg[1] == PR_TSC_SIGSEGV)
			return -EINVAL;
		break;
	case PR_SET_MM:
	case PR_SET_SYSCALL_USER_DISPATCH:
	case SET_MDWE:
		return -EINVAL;
	case PR_SET_SECCOMP:
		return filters_prctl(arg);
	case PR_GET_SECCOMP:
		if (filters_count())
			return SECCOMP_MODE_FILTER;
		break;
	}
	return threads_kernel(SYS_prctl, arg);
}

static s64
call_unknown(const u64 arg[6])
{
	(void)arg;
	return -ENOSYS;
}

/* What is there of it depends on rseq(), which is not. */
static s64
call_membarrier(const u64 arg[6])
{
	enum {
		OF_RSEQ = MEMBARRIER_CMD_PRIVATE_EXPEDITED_RSEQ |
			  MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_RSEQ
	};
	s64 result;

	if (arg[0] & OF_RSEQ)
		return -EINVAL;
	result = host_kernel(SYS_membarrier, arg[0], arg[1], arg[2], 0);
	return arg[0] == MEMBARRIER_CMD_QUERY && result > 0
		       ? result & ~(s64)OF_RSEQ
		       : result;
}

/* As under QEMU: what a tracer sees of a program, and where it stops it, would be
 * the engine's code. */
static s64
call_ptrace(const u64 arg[6])
{
	static bool said;

	if (!said)
		fputs("pmcsim: ptrace is refused: programs cannot be traced or "
		      "debugged while they are measured\n", stderr);
	said = true;
	return call_unknown(arg);
}

/* ---- All of them ----------------------------------------------------- */

static call_fn *const answered[MAX_CALLS] = {
	[SYS_mmap] = call_mmap,
	[SYS_munmap] = call_munmap,
	[SYS_mprotect] = call_mprotect,
	[SYS_pkey_mprotect] = call_pkey_mprotect,
	[SYS_pkey_alloc] = call_pkey_alloc,
	[SYS_pkey_free] = call_pkey_free,
	[SYS_mremap] = space_move,
	[SYS_shmat] = space_attach,
	[SYS_shmdt] = space_detach,
	[SYS_brk] = call_brk,
	[SYS_exit] = call_exit,
	[SYS_exit_group] = call_exit_group,
	[SYS_set_tid_address] = threads_tid_address,
	[SYS_clone] = fork_clone,
	[SYS_fork] = fork_plainly,
	[SYS_vfork] = fork_sharing,
	[SYS_close] = vfork_close,
	[SYS_close_range] = vfork_close_range,
	[SYS_dup2] = vfork_dup2,
	[SYS_dup3] = vfork_dup3,
	[SYS_rt_sigaction] = signals_action,
	[SYS_rt_sigreturn] = signals_return,
	[SYS_sigaltstack] = signals_stack,
	[SYS_alarm] = timers_alarm,
	[SYS_setitimer] = timers_setitimer,
	[SYS_getitimer] = timers_getitimer,
	[SYS_timer_create] = timers_create,
	[SYS_timer_settime] = timers_settime,
	[SYS_timer_gettime] = timers_gettime,
	[SYS_timer_getoverrun] = timers_getoverrun,
	[SYS_timer_delete] = timers_delete,
	[SYS_time] = clocks_time,
	[SYS_getrusage] = clocks_rusage,
	[SYS_times] = clocks_times,
	[SYS_sysinfo] = clocks_sysinfo,
	[SYS_ptrace] = call_ptrace,
	[SYS_clone3] = call_unknown,
	[SYS_rseq] = call_unknown,
	[SYS_membarrier] = call_membarrier,
	[SYS_lookup_dcookie] = call_unknown,
	[SYS_arch_prctl] = call_arch_prctl,
	[SYS_prctl] = call_prctl,
	[SYS_seccomp] = filters_seccomp,
	[SYS_open] = proc_open,
	[SYS_openat] = proc_openat,
	[SYS_openat2] = proc_openat2,
	[SYS_readlink] = proc_readlink,
	[SYS_readlinkat] = proc_readlinkat,
	[SYS_stat] = proc_stat,
	[SYS_newfstatat] = proc_newfstatat,
	[SYS_statx] = proc_statx,
	[SYS_access] = proc_access,
	[SYS_faccessat] = proc_faccessat,
	[SYS_faccessat2] = proc_faccessat2,
	[SYS_prlimit64] = limits_prlimit,
	[SYS_getrlimit] = limits_get,
	[SYS_setrlimit] = limits_set,
	[SYS_execve] = follow_execve,
	[SYS_execveat] = follow_execveat,
};

static call_fn *
answer_of(u64 number)
{
	return number < MAX_CALLS ? answered[number] : NULL;
}

/* Whether the target may read the byte there, or write it. */
static bool
has_byte(u64 at, bool writes)
{
	u8 byte;

	if (guest_read(&byte, at, 1))
		return false;
	if (!writes || !guest_write(at, &byte, 1))
		return true;
	/* Unless it only seems that it may not: code is there. */
	if (!guard_lift())
		return false;
	blocks_forget();
	return !guest_write(at, &byte, 1);
}

/* A device looks at the buffer before it has nothing to read; the file behind it
 * does not. */
static bool
reads_nowhere(u64 number, const u64 arg[6], s64 result)
{
	return number == SYS_read && result == 0 && arg[2] &&
	       device_file_of((int)arg[0], NULL) && !has_byte(arg[1], true);
}

static s64
answer(u64 number, const u64 arg[6])
{
	call_fn *fn = answer_of(number);
	s64 result;

	result = fn ? fn(arg) : call_kernel(number, arg);

	/* The kernel may have been told to write where code is. */
	if (result == -EFAULT && !fn && !turns_taken() && guard_lift()) {
		blocks_forget();
		result = call_kernel(number, arg);
	}
	return reads_nowhere(number, arg, result) ? -EFAULT : result;
}

/* ---- Our client's questions ------------------------------------------- */

/* As QEMU, which looks at the buffer first, not at the descriptor. */
static s64
probe(u64 at, u64 bytes, bool writes)
{
	u64 end = at + bytes;

	if (end < at)
		return -EFAULT;
	while (at < end) {
		if (!has_byte(at, writes))
			return -EFAULT;
		at = (at | (NATIVE_PAGE - 1)) + 1;
	}
	return -EBADF;
}

/* The client asks whether the program has some memory: that is nothing of the
 * program's, and not counted. */
static bool
is_probe(enum call call, const u64 arg[6])
{
	return (call == CALL_READ || call == CALL_WRITE) &&
	       (int)arg[0] == PMCSIM_PROBE;
}

/* ---- From the target -------------------------------------------------- */

/* The target uses a device now: all is modelled from here on. */
static void
look_at_use(void)
{
	if (target.timing || !target_is_used() || !turns_single())
		return;
	engine_model_all();
	keep_spoil();
	count_begin();
	code_choose(count_enter());
	blocks_forget();
}

static void
return_to_target(s64 result)
{
	host_state.reg[HOST_RAX] = (u64)result;
	host_state.reg[HOST_RCX] = host_state.target;
	host_state.reg[11] = host_state.flags;
}

/* Those that have to do with calls of that kind are told of one, */
static void
tell_before(enum call call, u64 number, const u64 arg[8])
{
	ledger_call(call, arg);
	mapped_syscall(call, arg);
	places_syscall(call);
	if (call == CALL_CHANNEL)
		channel_request(arg);
	else
		detour_before(call, arg);
	follow_fd_before(call, arg);
	periods_call(number, arg);
	threads_call(number, arg);
	random_syscall(call, arg);
	affinity_syscall((s64)number, arg);
}

/* ... and of what came of it. */
static void
tell_behind(enum call call, u64 number, s64 result)
{
	dumpable_called(call);
	affinity_syscall_return();
	detour_after(result);
	follow_fd_after();
	channel_hwperf_returned(call, result);
	threads_call_over(number, result);
	random_syscall_return(result);
	ledger_call_returned(call, result);
	mapped_syscall_return(result);
}

/* Whether the call is to be made again: behind a signal, or because the kernel was to
 * write to a page of code. */
static bool
is_again(u64 number, s64 result)
{
	return (signals_wait() && signals_restart(number, result)) ||
	       (result == -EFAULT && turns_taken() && !answer_of(number) &&
		guard_lift());
}

void
calls_kernel(void)
{
	u64 *reg = host_state.reg, asked = reg[HOST_RAX];
	const u64 arg[8] = {reg[HOST_RDI], reg[HOST_RSI], reg[HOST_RDX],
			    reg[10], reg[8], reg[9]};
	struct verdict says = filters_ask(asked, arg, host_state.target);
	u64 number = filters_instead(&says, asked);
	enum call call = call_of((s64)number);
	s64 result;

	if (is_probe(call, arg)) {
		return_to_target(probe(arg[1], arg[2], call == CALL_READ));
		return;
	}
	core_take_back(&core);
	tell_before(call, number, arg);
	result = filters_allow(&says) ? answer(number, arg)
				      : filters_refuse(&says, asked);
	if (threads_ended())
		return;
	tell_behind(call, number, result);
	look_at_use();
	if (number == SYS_rt_sigreturn)
		return;
	if (!filters_allow(&says)) {
		if (says.action == SECCOMP_RET_TRAP)
			signals_trap_call(asked, says.data, host_state.target);
		return_to_target(result);
		return;
	}
	if (is_again(number, result)) {
		host_state.target -= SYSCALL_BYTES;
		return;
	}
	return_to_target(result == SIGNALS_NOT_BEGUN ? -EINTR : result);
}
