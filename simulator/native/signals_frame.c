/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The target's handlers are entered, and left. */
#include "signals_internal.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#define RED_ZONE 128
#define LEGACY_BYTES 512	/* of what FXSAVE saves */

/* What a handler finds, from the return address on. */
struct frame {
	u64 back;
	u64 flags, link;
	stack_t stack;
	u64 gregs[NGREG];
	u64 vectors;		/* address of them */
	u64 reserved[8];
	u64 mask;
	siginfo_t info;
	u8 legacy[LEGACY_BYTES];
};

/* Vector registers beyond what a frame has stay here. */
static void
keep_vectors(u64 frame)
{
	struct signals *now = signals_now;

	now->kept_last = (now->kept_last + 1) % KEPT;
	if (!now->kept[now->kept_last].vectors)
		now->kept[now->kept_last].vectors =
			process_alloc(host_vector_bytes());
	now->kept[now->kept_last].frame = frame;
	if (now->kept[now->kept_last].vectors)
		memcpy(now->kept[now->kept_last].vectors,
		       (void *)(uintptr_t)host_state.vectors,
		       host_vector_bytes());
}

static void
restore_vectors(u64 frame, const u8 legacy[LEGACY_BYTES])
{
	struct signals *now = signals_now;
	u8 *to = (u8 *)(uintptr_t)host_state.vectors;

	/* The last one first: handlers that jumped away have left theirs. */
	for (unsigned n = 0; n < KEPT; n++) {
		unsigned i = (now->kept_last + KEPT - n) % KEPT;

		if (now->kept[i].frame == frame && now->kept[i].vectors) {
			memcpy(to, now->kept[i].vectors, host_vector_bytes());
			now->kept[i].frame = 0;
			break;
		}
	}
	/* Behind the registers are words of the kernel's. */
	memcpy(to, legacy, 416);
}

static u64
place_of_frame(const struct action *a)
{
	struct signals *now = signals_now;
	u64 sp = host_state.reg[HOST_RSP] - RED_ZONE;

	if (a->flags & SA_ONSTACK && !(now->alternate.ss_flags & SS_DISABLE) &&
	    !signals_on_alternate())
		sp = (u64)(uintptr_t)now->alternate.ss_sp +
		     now->alternate.ss_size;
	return ((sp - sizeof(struct frame)) & ~15ull) - 8;
}

/* A handler that cannot be entered ends the program. */
static void
no_frame(void)
{
	struct action none = {0};

	signals_caught &= ~(1ull << (SIGSEGV - 1));
	signals_set(SIGSEGV, &none);
	host_kernel(SYS_kill, (u64)getpid(), SIGSEGV, 0, 0);
}

static u64
enter_handler(const siginfo_t *info, u64 pc)
{
	int sig = info->si_signo;
	struct action *a = &signals_of[sig];
	u64 at = place_of_frame(a), block = a->mask, handler = a->handler;
	struct frame f = {.back = a->restorer, .stack = signals_now->alternate,
			  .info = *info};

	for (unsigned r = 0; r < HOST_REGS; r++)
		f.gregs[signals_place[r]] = host_state.reg[r];
	f.gregs[REG_RIP] = pc;
	f.gregs[REG_EFL] = host_state.flags;
	f.gregs[REG_CSGSFS] = 0x33;
	f.vectors = at + offsetof(struct frame, legacy);
	memcpy(f.legacy, (void *)(uintptr_t)host_state.vectors, LEGACY_BYTES);
	if (!(a->flags & SA_NODEFER))
		block |= 1ull << (sig - 1);
	host_kernel(SYS_rt_sigprocmask, SIG_BLOCK, (u64)(uintptr_t)&block,
		    (u64)(uintptr_t)&f.mask, MASK_BYTES);
	if (guest_write(at, &f, sizeof f))
		no_frame();
	keep_vectors(at);
	if (a->flags & SA_RESETHAND) {
		a->handler = 0;
		signals_set((u64)sig, a);
	}
	host_state.reg[HOST_RDI] = (u64)sig;
	host_state.reg[HOST_RSI] = at + offsetof(struct frame, info);
	host_state.reg[HOST_RDX] = at + offsetof(struct frame, flags);
	host_state.reg[HOST_RAX] = 0;
	host_state.reg[HOST_RSP] = at;
	host_state.flags &= ~0x500ull;
	return handler;
}

/* One that the target has no handler for any more has its usual effect. */
static u64
deliver(const siginfo_t *info, u64 pc)
{
	int sig = info->si_signo;

	if (signals_of[sig].handler > (u64)(uintptr_t)SIG_IGN)
		return enter_handler(info, pc);
	if (signals_of[sig].handler && sig != SIGSEGV)
		return pc;
	signals_die_of(sig);
	host_kernel(SYS_tgkill, (u64)getpid(), (u64)gettid(), (u64)sig, 0);
	return pc;
}

u64
signals_deliver(u64 pc)
{
	struct signals *now = signals_now;

	if (now->fault.is) {
		now->fault.is = false;
		pc = deliver(&now->fault.info, pc);
	}
	while (now->queue.n) {
		u64 all = ~0ull, before;
		siginfo_t info;

		host_kernel(SYS_rt_sigprocmask, SIG_BLOCK,
			    (u64)(uintptr_t)&all, (u64)(uintptr_t)&before,
			    MASK_BYTES);
		info = now->queue.info[now->queue.first];
		now->queue.first = (now->queue.first + 1) % QUEUE;
		now->queue.n--;
		now->stop = now->queue.n;
		host_kernel(SYS_rt_sigprocmask, SIG_SETMASK,
			    (u64)(uintptr_t)&before, 0, MASK_BYTES);
		pc = deliver(&info, pc);
	}
	return pc;
}

void
signals_no_code(u64 pc)
{
	struct signals *now = signals_now;
	u8 byte;
	bool is = !guest_read(&byte, pc, 1);
	int sig = is ? SIGILL : SIGSEGV;

	if (signals_of[sig].handler <= (u64)(uintptr_t)SIG_IGN) {
		signals_die_of(sig);
		host_kernel(SYS_tgkill, (u64)getpid(), (u64)gettid(),
			    (u64)sig, 0);
	}
	memset(&now->fault.info, 0, sizeof now->fault.info);
	now->fault.info.si_signo = sig;
	now->fault.info.si_code = is ? ILL_ILLOPN : SEGV_MAPERR;
	now->fault.info.si_addr = (void *)(uintptr_t)pc;
	now->fault.is = true;
}

s64
signals_return(const u64 arg[6])
{
	u64 at = host_state.reg[HOST_RSP] - 8;
	struct frame f;

	(void)arg;
	if (guest_read(&f, at, sizeof f)) {
		no_frame();
		return -EFAULT;
	}
	for (unsigned r = 0; r < HOST_REGS; r++)
		host_state.reg[r] = f.gregs[signals_place[r]];
	host_state.flags = (f.gregs[REG_EFL] & 0xcd5) | 0x202;
	host_state.target = f.gregs[REG_RIP];
	restore_vectors(at, f.legacy);
	host_kernel(SYS_rt_sigprocmask, SIG_SETMASK, (u64)(uintptr_t)&f.mask, 0,
		    MASK_BYTES);
	return (s64)host_state.reg[HOST_RAX];
}
