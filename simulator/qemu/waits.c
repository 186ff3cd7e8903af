/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "waits.h"

#include "turns/turns.h"

#include <errno.h>
#include <ucontext.h>
#include <unistd.h>

static struct sigaction before;	/* what QEMU does with the signal */

/* The signal has interrupted a system call: it returns something else. */
static void
on_signal(int number, siginfo_t *info, void *context)
{
	greg_t *reg = ((ucontext_t *)context)->uc_mcontext.gregs;
	const u8 *pc = (const u8 *)(uintptr_t)reg[REG_RIP];
	s64 result;

	if (info->si_code != SI_TKILL || info->si_pid != getpid() ||
	    !turns_wait_ended(&result))
		wait_not_ours(&before, number, info, context);
	else if (reg[REG_RAX] == -EINTR && pc[-2] == 0x0f && pc[-1] == 0x05)
		reg[REG_RAX] = result;
}

void
waits_listen(void)
{
	wait_listen(TURNS_END_SIGNAL, on_signal, &before);
}

void
wait_listen(int number, wait_handler *handler, struct sigaction *others)
{
	struct sigaction now, ours = {.sa_sigaction = handler,
				      .sa_flags = SA_SIGINFO | SA_ONSTACK};
	sigset_t set;

	sigfillset(&ours.sa_mask);
	if (sigaction(number, NULL, &now))
		return;
	if (now.sa_sigaction != handler) {
		*others = now;
		sigaction(number, &ours, NULL);
	}
	sigemptyset(&set);
	sigaddset(&set, number);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

void
wait_not_ours(const struct sigaction *others, int number, siginfo_t *info,
	      void *context)
{
	if (others->sa_flags & SA_SIGINFO)
		others->sa_sigaction(number, info, context);
}
