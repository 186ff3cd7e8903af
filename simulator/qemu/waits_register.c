/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waits whose time is in a register: poll() and epoll_wait().  The plugin
 * cannot change what a call has there.  But the kernel can be asked to hand a
 * thread's next call back to it by a signal (system call user dispatch, Linux
 * 5.11), and with another time the handler lets it be made once more.  Calls
 * that the C library makes, the return from handlers among them, are left
 * alone: those that may block QEMU makes itself.
 */
#include "waits.h"

#include "turns/turns.h"

#include <link.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>

#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#define PR_SYS_DISPATCH_OFF 0
#define PR_SYS_DISPATCH_ON 1
#endif
#ifndef SYS_USER_DISPATCH
#define SYS_USER_DISPATCH 2
#endif

static struct sigaction before;	/* what QEMU does with the signal */

/* The C library's code. */
static struct {
	uintptr_t start, bytes;
} library;

/* True if the call waits for ever now. */
static bool
change_time(long call, greg_t *reg)
{
	switch (call) {
	case SYS_ppoll:
		reg[REG_RDX] = 0;
		return true;
	case SYS_poll:
		reg[REG_RDX] = -1;
		return true;
	case SYS_epoll_wait:
	case SYS_epoll_pwait:
		reg[REG_R10] = -1;
		return true;
	default:
		return false;
	}
}

static void
on_call(int number, siginfo_t *info, void *context)
{
	greg_t *reg = ((ucontext_t *)context)->uc_mcontext.gregs;

	if (info->si_code != SYS_USER_DISPATCH) {
		wait_not_ours(&before, number, info, context);
		return;
	}
	prctl(PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_OFF, 0, 0, 0);
	turns_wait_lengthened(change_time(info->si_syscall, reg));
	reg[REG_RAX] = info->si_syscall;
	reg[REG_RIP] -= 2;	/* at the instruction again */
}

/* The segment that has the address to which handlers return. */
static int
find_library(struct dl_phdr_info *info, size_t size, void *handler_return)
{
	uintptr_t inside = (uintptr_t)handler_return;

	(void)size;
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uintptr_t start = info->dlpi_addr + p->p_vaddr;

		if (p->p_type != PT_LOAD || inside - start >= p->p_memsz)
			continue;
		library.start = start;
		library.bytes = p->p_memsz;
		return 1;
	}
	return 0;
}

void
waits_lengthen(void)
{
	struct sigaction now;

	wait_listen(SIGSYS, on_call, &before);
	if (!library.bytes &&
	    (sigaction(SIGSYS, NULL, &now) ||
	     !dl_iterate_phdr(find_library, (void *)now.sa_restorer)))
		return;
	prctl(PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON, library.start,
	      library.bytes, NULL);
}
