/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "signals.h"

#include "guard.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#define SIGNALS 65
#define QUEUE 64
#define STACK_BYTES 65536
#define MASK_BYTES 8		/* of a set of the kernel's */
#define RED_ZONE 128
#define LEGACY_BYTES 512	/* of what FXSAVE saves */
#define KEPT 32			/* frames whose vector registers are kept */
#define RESTORER 0x04000000	/* SA_RESTORER */

/* As the kernel has it. */
struct action {
	u64 handler, flags, restorer, mask;
};

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

static struct action action[SIGNALS];
static stack_t alternate = {.ss_flags = SS_DISABLE};

static struct {
	siginfo_t info[QUEUE];
	volatile u32 first, n;
} queue;

/* A fault of the instruction at pc, whose registers are in the state. */
static struct {
	volatile bool is;
	siginfo_t info;
} fault;

static struct {
	u64 frame;
	u8 *vectors;
} kept[KEPT];
static unsigned kept_last;

bool
signals_wait(void)
{
	return queue.n || fault.is;
}

/* ---- System calls that a signal may keep from beginning --------------- */

/* The state's first words are not used here: rdi has the arguments. */
__asm__(
".text\n.globl signals_enter\n.hidden signals_enter\n"
".type signals_enter, @function\n"
"signals_enter:\n"		/* number, arguments, flag */
"	push %rbx\n"
"	mov %rdi, %rax\n	mov %rsi, %rbx\n	mov %rdx, %r11\n"
"	mov (%rbx), %rdi\n	mov 8(%rbx), %rsi\n"
"	mov 16(%rbx), %rdx\n	mov 24(%rbx), %r10\n"
"	mov 32(%rbx), %r8\n	mov 40(%rbx), %r9\n"
".globl signals_before\n.hidden signals_before\nsignals_before:\n"
"	cmpl $0, (%r11)\n"
"	jne signals_abort\n"
".globl signals_at\n.hidden signals_at\nsignals_at:\n"
"	syscall\n"
"	pop %rbx\n	ret\n"
".globl signals_abort\n.hidden signals_abort\nsignals_abort:\n"
"	mov $-512, %rax\n"
"	pop %rbx\n	ret\n");

s64 signals_enter(u64 number, const u64 arg[6], const volatile u32 *flag);
extern const u8 signals_before[], signals_at[], signals_abort[];

s64
signals_call(u64 number, const u64 arg[6])
{
	return signals_enter(number, arg, &queue.n);
}

/* Those that end with EINTR, whatever the handler's flags. */
static bool
never_restarts(u64 number)
{
	static const u16 list[] = {
		SYS_pause, SYS_rt_sigsuspend, SYS_rt_sigtimedwait,
		SYS_nanosleep, SYS_clock_nanosleep, SYS_poll, SYS_ppoll,
		SYS_select, SYS_pselect6, SYS_epoll_wait, SYS_epoll_pwait,
		SYS_epoll_pwait2, SYS_semop, SYS_semtimedop, SYS_msgsnd,
		SYS_msgrcv, SYS_io_getevents};

	for (unsigned i = 0; i < SIM_COUNT(list); i++)
		if (list[i] == number)
			return true;
	return false;
}

bool
signals_restart(u64 number, s64 result)
{
	if (result == SIGNALS_NOT_BEGUN)
		return true;
	return result == -EINTR && queue.n && !never_restarts(number) &&
	       action[queue.info[queue.first].si_signo].flags & SA_RESTART;
}

/* ---- The engine's handler --------------------------------------------- */

static bool
is_fault(const siginfo_t *info)
{
	switch (info->si_signo) {
	case SIGSEGV:
	case SIGBUS:
	case SIGFPE:
	case SIGILL:
	case SIGTRAP:
		return info->si_code > 0;
	default:
		return false;
	}
}

/* The order of registers in a context, by their numbers. */
static const u8 place[HOST_REGS] = {
	REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI,
	REG_RDI, REG_R8, REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14,
	REG_R15};

/* A fault of the target's code: goes back to the engine, as an exit would. */
static bool
take_fault(const siginfo_t *info, ucontext_t *uc)
{
	greg_t *g = uc->uc_mcontext.gregs;
	u64 pc = code_origin((const u8 *)(uintptr_t)g[REG_RIP]);

	if (!pc || !host_state.inside)
		return false;
	for (unsigned r = 0; r < HOST_REGS; r++)
		host_state.reg[r] = (u64)g[place[r]];
	host_state.flags = (u64)g[REG_EFL] & ~0x10000ull;
	host_state.target = pc;
	host_state.exit = CODE_FAULT;
	fault.info = *info;
	fault.is = true;
	g[REG_RIP] = (greg_t)(uintptr_t)host_left;
	return true;
}

/* Raw: FS may be the target's. */
static void
die_of(int sig)
{
	struct action none = {0};

	host_kernel(SYS_rt_sigaction, (u64)sig, (u64)(uintptr_t)&none, 0,
		    MASK_BYTES);
}

static void
on_signal(int sig, siginfo_t *info, void *context)
{
	ucontext_t *uc = context;
	greg_t *g = uc->uc_mcontext.gregs;
	const u8 *at = (const u8 *)(uintptr_t)g[REG_RIP];

	if (sig == SIGSEGV && is_fault(info) &&
	    guard_fault((u64)(uintptr_t)info->si_addr)) {
		blocks_forget();
		code_unlink();
		return;
	}
	if (is_fault(info)) {
		if (!take_fault(info, uc))
			die_of(sig);
		return;
	}
	if (queue.n < QUEUE) {
		queue.info[(queue.first + queue.n) % QUEUE] = *info;
		queue.n++;
	}
	if (at >= signals_before && at <= signals_at)
		g[REG_RIP] = (greg_t)(uintptr_t)signals_abort;
	code_unlink();
}

__asm__(
".text\n.globl signals_restore\n.hidden signals_restore\n"
".type signals_restore, @function\n"
"signals_restore:\n"
"	mov $15, %eax\n	syscall\n");
extern void signals_restore(void);

int
signals_begin(void)
{
	void *p = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	stack_t own = {.ss_sp = p, .ss_size = STACK_BYTES};

	if (p == MAP_FAILED || sigaltstack(&own, NULL))
		return -errno;
	/* Those that were ignored before stay so. */
	for (u64 sig = 1; sig < SIGNALS; sig++)
		host_kernel(SYS_rt_sigaction, sig, 0,
			    (u64)(uintptr_t)&action[sig], MASK_BYTES);
	return 0;
}

/* ---- What the target asks for ------------------------------------------ */

static bool catches;		/* SIGSEGV, with or without a handler */

static s64
set_action(u64 sig, const struct action *a)
{
	struct action own = *a;

	if (a->handler > (u64)(uintptr_t)SIG_IGN ||
	    (sig == SIGSEGV && catches)) {
		own.handler = (u64)(uintptr_t)on_signal;
		own.flags = SA_SIGINFO | SA_ONSTACK | RESTORER |
			    (a->flags & (SA_NOCLDSTOP | SA_NOCLDWAIT));
		own.restorer = (u64)(uintptr_t)signals_restore;
		own.mask = ~0ull;
	}
	return host_kernel(SYS_rt_sigaction, sig, (u64)(uintptr_t)&own, 0,
			   MASK_BYTES);
}

s64
signals_action(const u64 arg[6])
{
	struct action a, before;
	u64 sig = arg[0];
	s64 result;

	if (arg[3] != MASK_BYTES || !sig || sig >= SIGNALS)
		return -EINVAL;
	before = action[sig];
	if (arg[1]) {
		if (guest_read(&a, arg[1], sizeof a))
			return -EFAULT;
		result = set_action(sig, &a);
		if (result)
			return result;
		action[sig] = a;
	}
	if (arg[2] && guest_write(arg[2], &before, sizeof before))
		return -EFAULT;
	return 0;
}

void
signals_catch_faults(void)
{
	if (catches)
		return;
	catches = true;
	set_action(SIGSEGV, &action[SIGSEGV]);
}

static bool
on_alternate(void)
{
	u64 sp = host_state.reg[HOST_RSP];
	u64 from = (u64)(uintptr_t)alternate.ss_sp;

	return !(alternate.ss_flags & SS_DISABLE) && sp > from &&
	       sp - from <= alternate.ss_size;
}

s64
signals_stack(const u64 arg[6])
{
	stack_t old = alternate, new;

	if (on_alternate())
		old.ss_flags |= SS_ONSTACK;
	if (arg[0]) {
		if (guest_read(&new, arg[0], sizeof new))
			return -EFAULT;
		if (on_alternate())
			return -EPERM;
		if (!(new.ss_flags & SS_DISABLE) && new.ss_size < 2048)
			return -ENOMEM;
		alternate = new;
	}
	if (arg[1] && guest_write(arg[1], &old, sizeof old))
		return -EFAULT;
	return 0;
}

/* ---- Handlers ---------------------------------------------------------- */

/* Vector registers beyond what a frame has stay here. */
static void
keep_vectors(u64 frame)
{
	kept_last = (kept_last + 1) % KEPT;
	if (!kept[kept_last].vectors)
		kept[kept_last].vectors =
			process_alloc(host_vector_bytes());
	kept[kept_last].frame = frame;
	if (kept[kept_last].vectors)
		memcpy(kept[kept_last].vectors,
		       (void *)(uintptr_t)host_state.vectors,
		       host_vector_bytes());
}

static void
restore_vectors(u64 frame, const u8 legacy[LEGACY_BYTES])
{
	u8 *to = (u8 *)(uintptr_t)host_state.vectors;

	/* The last one first: handlers that jumped away have left theirs. */
	for (unsigned n = 0; n < KEPT; n++) {
		unsigned i = (kept_last + KEPT - n) % KEPT;

		if (kept[i].frame == frame && kept[i].vectors) {
			memcpy(to, kept[i].vectors, host_vector_bytes());
			kept[i].frame = 0;
			break;
		}
	}
	/* Behind the registers are words of the kernel's. */
	memcpy(to, legacy, 416);
}

static u64
place_of_frame(const struct action *a)
{
	u64 sp = host_state.reg[HOST_RSP] - RED_ZONE;

	if (a->flags & SA_ONSTACK && !(alternate.ss_flags & SS_DISABLE) &&
	    !on_alternate())
		sp = (u64)(uintptr_t)alternate.ss_sp + alternate.ss_size;
	return ((sp - sizeof(struct frame)) & ~15ull) - 8;
}

/* A handler that cannot be entered ends the program. */
static void
no_frame(void)
{
	struct action none = {0};

	catches = false;
	set_action(SIGSEGV, &none);
	host_kernel(SYS_kill, (u64)getpid(), SIGSEGV, 0, 0);
}

static u64
enter_handler(const siginfo_t *info, u64 pc)
{
	int sig = info->si_signo;
	struct action *a = &action[sig];
	u64 at = place_of_frame(a), block = a->mask, handler = a->handler;
	struct frame f = {.back = a->restorer, .stack = alternate,
			  .info = *info};

	for (unsigned r = 0; r < HOST_REGS; r++)
		f.gregs[place[r]] = host_state.reg[r];
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
		set_action((u64)sig, a);
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

	if (action[sig].handler > (u64)(uintptr_t)SIG_IGN)
		return enter_handler(info, pc);
	if (action[sig].handler && sig != SIGSEGV)
		return pc;
	die_of(sig);
	host_kernel(SYS_tgkill, (u64)getpid(), (u64)gettid(), (u64)sig, 0);
	return pc;
}

u64
signals_deliver(u64 pc)
{
	if (fault.is) {
		fault.is = false;
		pc = deliver(&fault.info, pc);
	}
	while (queue.n) {
		u64 all = ~0ull, before;
		siginfo_t info;

		host_kernel(SYS_rt_sigprocmask, SIG_BLOCK,
			    (u64)(uintptr_t)&all, (u64)(uintptr_t)&before,
			    MASK_BYTES);
		info = queue.info[queue.first];
		queue.first = (queue.first + 1) % QUEUE;
		queue.n--;
		host_kernel(SYS_rt_sigprocmask, SIG_SETMASK,
			    (u64)(uintptr_t)&before, 0, MASK_BYTES);
		pc = deliver(&info, pc);
	}
	return pc;
}

void
signals_no_code(u64 pc)
{
	u8 byte;
	bool is = !guest_read(&byte, pc, 1);
	int sig = is ? SIGILL : SIGSEGV;

	if (action[sig].handler <= (u64)(uintptr_t)SIG_IGN) {
		die_of(sig);
		host_kernel(SYS_tgkill, (u64)getpid(), (u64)gettid(),
			    (u64)sig, 0);
	}
	memset(&fault.info, 0, sizeof fault.info);
	fault.info.si_signo = sig;
	fault.info.si_code = is ? ILL_ILLOPN : SEGV_MAPERR;
	fault.info.si_addr = (void *)(uintptr_t)pc;
	fault.is = true;
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
		host_state.reg[r] = f.gregs[place[r]];
	host_state.flags = (f.gregs[REG_EFL] & 0xcd5) | 0x202;
	host_state.target = f.gregs[REG_RIP];
	restore_vectors(at, f.legacy);
	host_kernel(SYS_rt_sigprocmask, SIG_SETMASK, (u64)(uintptr_t)&f.mask, 0,
		    MASK_BYTES);
	return (s64)host_state.reg[HOST_RAX];
}
