/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "signals.h"

#include "guard.h"
#include "turns/turns.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
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
static u64 caught;		/* those that are the engine's in any case */

/* What a thread has of its own.  It stands below the stack of the engine's
 * handler, whose address leads to it: FS may be the target's there. */
struct signals {
	stack_t alternate;
	struct {
		siginfo_t info[QUEUE];
		volatile u32 first, n;
	} queue;
	/* A fault of an instruction, whose registers are in the state. */
	struct {
		volatile bool is;
		siginfo_t info;
	} fault;
	struct {
		u64 frame;
		u8 *vectors;
	} kept[KEPT];
	unsigned kept_last;
	volatile u32 stop;	/* no system call is to begin */
	volatile bool here;	/* its registers are in the state */
	volatile bool endless;	/* it is in a call that a signal of the turns
				   ends, */
	volatile bool ended;	/* ... which has come */
};

static struct signals *now;	/* of the thread that executes */
static __thread struct signals *mine;

bool
signals_wait(void)
{
	return now->queue.n || now->fault.is;
}

void
signals_away(struct signals *s)
{
	s->here = false;
}

void
signals_here(struct signals *s)
{
	now = s;
	s->here = true;
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
	return signals_enter(number, arg, &mine->stop);
}

s64
signals_call_endless(u64 number, const u64 arg[6])
{
	s64 result, over;

	mine->ended = false;
	mine->endless = true;
	result = signals_call(number, arg);
	mine->endless = false;
	mine->stop = mine->queue.n;
	if (mine->ended && turns_wait_ended(&over) &&
	    (result == -EINTR || result == SIGNALS_NOT_BEGUN))
		return over;
	return result;
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
	return result == -EINTR && now->queue.n && !never_restarts(number) &&
	       action[now->queue.info[now->queue.first].si_signo].flags &
		       SA_RESTART;
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
	now->fault.info = *info;
	now->fault.is = true;
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

/* A system call that is about to begin does not. */
static void
keep_from_beginning(struct signals *s, greg_t *g)
{
	const u8 *at = (const u8 *)(uintptr_t)g[REG_RIP];

	s->stop = 1;
	if (at >= signals_before && at <= signals_at)
		g[REG_RIP] = (greg_t)(uintptr_t)signals_abort;
}

/* It is of the turns, and not the target's. */
static bool
ends_wait(const struct signals *s, const siginfo_t *info)
{
	return info->si_signo == TURNS_END_SIGNAL &&
	       info->si_code == SI_TKILL && s->endless &&
	       info->si_pid == (pid_t)host_kernel(SYS_getpid, 0, 0, 0, 0);
}

static void
put_in_queue(struct signals *s, const siginfo_t *info)
{
	if (s->queue.n < QUEUE) {
		s->queue.info[(s->queue.first + s->queue.n) % QUEUE] = *info;
		s->queue.n++;
	}
}

static void
on_signal(int sig, siginfo_t *info, void *context)
{
	struct signals *s = (struct signals *)(
		(uintptr_t)__builtin_frame_address(0) &
		~(uintptr_t)(STACK_BYTES - 1));
	ucontext_t *uc = context;
	greg_t *g = uc->uc_mcontext.gregs;

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
	if (ends_wait(s, info))
		s->ended = true;
	else
		put_in_queue(s, info);
	keep_from_beginning(s, g);
	/* If it is not here, it will see that when it is. */
	if (s->here)
		code_unlink();
}

__asm__(
".text\n.globl signals_restore\n.hidden signals_restore\n"
".type signals_restore, @function\n"
"signals_restore:\n"
"	mov $15, %eax\n	syscall\n");
extern void signals_restore(void);

void
signals_begin(void)
{
	/* Those that were ignored before stay so. */
	for (u64 sig = 1; sig < SIGNALS; sig++)
		host_kernel(SYS_rt_sigaction, sig, 0,
			    (u64)(uintptr_t)&action[sig], MASK_BYTES);
}

struct signals *
signals_thread_new(void)
{
	struct signals *s;
	void *p;

	if (posix_memalign(&p, STACK_BYTES, STACK_BYTES))
		return NULL;
	s = p;
	memset(s, 0, sizeof *s);
	s->alternate.ss_flags = SS_DISABLE;
	return s;
}

void
signals_thread_begin(struct signals *s)
{
	stack_t own = {.ss_sp = s + 1, .ss_size = STACK_BYTES - sizeof *s};

	mine = s;
	if (sigaltstack(&own, NULL))
		process_die("a stack for signals", errno);
}

void
signals_thread_free(struct signals *s)
{
	static const stack_t none = {.ss_flags = SS_DISABLE};

	if (mine == s)
		sigaltstack(&none, NULL);
	free(s);
}

/* ---- What the target asks for ------------------------------------------ */

static bool
is_caught(u64 sig)
{
	return caught >> (sig - 1) & 1;
}

static s64
set_action(u64 sig, const struct action *a)
{
	struct action own = *a;

	if (a->handler > (u64)(uintptr_t)SIG_IGN || is_caught(sig)) {
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

static void
catch(u64 sig)
{
	if (is_caught(sig))
		return;
	caught |= 1ull << (sig - 1);
	set_action(sig, &action[sig]);
}

void
signals_catch_faults(void)
{
	catch(SIGSEGV);
}

void
signals_listen(void)
{
	catch(TURNS_END_SIGNAL);
}

static bool
on_alternate(void)
{
	u64 sp = host_state.reg[HOST_RSP];
	u64 from = (u64)(uintptr_t)now->alternate.ss_sp;

	return !(now->alternate.ss_flags & SS_DISABLE) && sp > from &&
	       sp - from <= now->alternate.ss_size;
}

s64
signals_stack(const u64 arg[6])
{
	stack_t old = now->alternate, new;

	if (on_alternate())
		old.ss_flags |= SS_ONSTACK;
	if (arg[0]) {
		if (guest_read(&new, arg[0], sizeof new))
			return -EFAULT;
		if (on_alternate())
			return -EPERM;
		if (!(new.ss_flags & SS_DISABLE) && new.ss_size < 2048)
			return -ENOMEM;
		now->alternate = new;
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
	u64 sp = host_state.reg[HOST_RSP] - RED_ZONE;

	if (a->flags & SA_ONSTACK && !(now->alternate.ss_flags & SS_DISABLE) &&
	    !on_alternate())
		sp = (u64)(uintptr_t)now->alternate.ss_sp + now->alternate.ss_size;
	return ((sp - sizeof(struct frame)) & ~15ull) - 8;
}

/* A handler that cannot be entered ends the program. */
static void
no_frame(void)
{
	struct action none = {0};

	caught &= ~(1ull << (SIGSEGV - 1));
	set_action(SIGSEGV, &none);
	host_kernel(SYS_kill, (u64)getpid(), SIGSEGV, 0, 0);
}

static u64
enter_handler(const siginfo_t *info, u64 pc)
{
	int sig = info->si_signo;
	struct action *a = &action[sig];
	u64 at = place_of_frame(a), block = a->mask, handler = a->handler;
	struct frame f = {.back = a->restorer, .stack = now->alternate,
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
	u8 byte;
	bool is = !guest_read(&byte, pc, 1);
	int sig = is ? SIGILL : SIGSEGV;

	if (action[sig].handler <= (u64)(uintptr_t)SIG_IGN) {
		die_of(sig);
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
		host_state.reg[r] = f.gregs[place[r]];
	host_state.flags = (f.gregs[REG_EFL] & 0xcd5) | 0x202;
	host_state.target = f.gregs[REG_RIP];
	restore_vectors(at, f.legacy);
	host_kernel(SYS_rt_sigprocmask, SIG_SETMASK, (u64)(uintptr_t)&f.mask, 0,
		    MASK_BYTES);
	return (s64)host_state.reg[HOST_RAX];
}
