/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "signals_internal.h"

#include "children.h"
#include "guard.h"
#include "turns/turns.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

struct action signals_of[SIGNALS];
u64 signals_caught;
struct signals *signals_now;
static __thread struct signals *mine;

bool
signals_wait(void)
{
	struct signals *now = signals_now;

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
	signals_now = s;
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

extern const u8 signals_before[], signals_abort[];

s64
signals_call(u64 number, const u64 arg[6])
{
	return signals_enter(number, arg, &mine->stop);
}

u64
signals_block_all(void)
{
	u64 all = ~0ull, before = 0;

	host_kernel(SYS_rt_sigprocmask, SIG_BLOCK, (u64)(uintptr_t)&all,
		    (u64)(uintptr_t)&before, MASK_BYTES);
	return before;
}

void
signals_let_come(u64 blocked)
{
	host_kernel(SYS_rt_sigprocmask, SIG_SETMASK, (u64)(uintptr_t)&blocked,
		    0, MASK_BYTES);
}

/* In between a signal may come: the word is written with all blocked. */
void
signals_may_begin(void)
{
	u64 before;

	if (mine->stop == mine->queue.n)
		return;
	before = signals_block_all();
	mine->stop = mine->queue.n;
	signals_let_come(before);
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
	struct signals *now = signals_now;

	if (result == SIGNALS_NOT_BEGUN)
		return true;
	return result == -EINTR && now->queue.n && !never_restarts(number) &&
	       signals_of[now->queue.info[now->queue.first].si_signo].flags &
		       SA_RESTART;
}

/* ---- The engine's handler --------------------------------------------- */

void
signals_die_of(int sig)
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

/* What says that a signal is the engine's, where the kernel and other programs have
 * other numbers. */
#define CALL_CODE (-0x504d)

/* It is of the turns, and not the target's. */
static bool
ends_wait(const struct signals *s, const siginfo_t *info)
{
	return info->si_signo == TURNS_END_SIGNAL &&
	       info->si_code == SI_TKILL && s->endless &&
	       info->si_pid == (pid_t)host_kernel(SYS_getpid, 0, 0, 0, 0);
}

/* The kernel keeps one of a usual signal while it is pending for the thread, one
 * for the process, and all of timers.  To the target those in the queue are
 * pending: how many there are must not depend on when this thread took them. */
static bool
is_pending(const struct signals *s, const siginfo_t *info)
{
	for (u32 i = 0; i < s->queue.n; i++) {
		const siginfo_t *other =
			&s->queue.info[(s->queue.first + i) % QUEUE];

		if (other->si_signo == info->si_signo &&
		    (other->si_code == SI_TKILL) == (info->si_code == SI_TKILL))
			return info->si_signo < USUAL_SIGNALS &&
			       info->si_code != SI_TIMER;
	}
	return false;
}

static void
put_in_queue(struct signals *s, const siginfo_t *info)
{
	if (is_pending(s, info))
		return;
	if (s->queue.n < QUEUE) {
		s->queue.info[(s->queue.first + s->queue.n) % QUEUE] = *info;
		s->queue.n++;
	}
}

bool
signals_are_pending(int sig)
{
	const struct signals *s = mine;
	u64 pending = 0;

	host_kernel(SYS_rt_sigpending, (u64)(uintptr_t)&pending, MASK_BYTES, 0,
		    0);
	for (u32 i = 0; s && i < s->queue.n; i++) {
		u32 at = (s->queue.first + i) % QUEUE;

		pending |= 1ull << (s->queue.info[at].si_signo - 1);
	}
	return pending >> (sig - 1) & 1;
}

void
signals_put(const siginfo_t *info)
{
	u64 before = signals_block_all();

	put_in_queue(mine, info);
	mine->stop = mine->queue.n;
	signals_let_come(before);
}

/* The engine's own base of FS is there meanwhile: instructions are decoded, and
 * functions of libraries may look there whether their stack is whole. */
static void
on_fault(int sig, siginfo_t *info, ucontext_t *uc)
{
	u64 at = (u64)(uintptr_t)info->si_addr;
	bool inside = host_state.inside;

	if (inside)
		host_set_fs(host_state.engine_fs);
	if (sig == SIGSEGV && guard_fault(at))
		signals_take_store(at, uc->uc_mcontext.gregs);
	else if (!signals_take_fault(info, uc))
		signals_die_of(sig);
	if (inside)
		host_set_fs(host_state.fs);
}

static void
on_signal(int sig, siginfo_t *info, void *context)
{
	struct signals *s = (struct signals *)(
		(uintptr_t)__builtin_frame_address(0) &
		~(uintptr_t)(STACK_BYTES - 1));
	greg_t *g = ((ucontext_t *)context)->uc_mcontext.gregs;

	if (signals_is_fault(info)) {
		on_fault(sig, info, context);
		return;
	}
	if (info->si_signo == TURNS_END_SIGNAL && info->si_code == CALL_CODE) {
		if (s->here)
			code_unlink();
		return;
	}
	if (ends_wait(s, info)) {
		s->ended = true;
	} else {
		const siginfo_t *told = children_tell(info, g);

		if (!told) {
			if (children_may_block())
				keep_from_beginning(s, g);
			return;
		}
		put_in_queue(s, told);
	}
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
			    (u64)(uintptr_t)&signals_of[sig], MASK_BYTES);
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
	return signals_caught >> (sig - 1) & 1;
}

s64
signals_set(u64 sig, const struct action *a)
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

#define OF_LIBRARY 33		/* of glibc's */

void
signals_take_back(void)
{
	signals_set(OF_LIBRARY, &signals_of[OF_LIBRARY]);
}

/* A handler of faults is there: code that was made without one is forgotten. */
static void
expect_faults(u64 sig)
{
	static bool expected;

	if (expected || signals_of[sig].handler <= (u64)(uintptr_t)SIG_IGN ||
	    (sig != SIGSEGV && sig != SIGBUS && sig != SIGFPE))
		return;
	expected = true;
	if (host_tells_faults)
		return;
	host_faults_are_told();
	blocks_forget();
}

s64
signals_action(const u64 arg[6])
{
	struct action a, before;
	u64 sig = arg[0];
	s64 result;

	if (arg[3] != MASK_BYTES || !sig || sig >= SIGNALS)
		return -EINVAL;
	before = signals_of[sig];
	if (arg[1]) {
		if (guest_read(&a, arg[1], sizeof a))
			return -EFAULT;
		result = signals_set(sig, &a);
		if (result)
			return result;
		signals_of[sig] = a;
		expect_faults(sig);
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
	signals_caught |= 1ull << (sig - 1);
	signals_set(sig, &signals_of[sig]);
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

void
signals_call_out(pid_t tid)
{
	siginfo_t info = {.si_signo = TURNS_END_SIGNAL, .si_code = CALL_CODE};

	signals_listen();
	host_kernel(SYS_rt_tgsigqueueinfo,
		    host_kernel(SYS_getpid, 0, 0, 0, 0), (u64)tid,
		    TURNS_END_SIGNAL, (u64)(uintptr_t)&info);
}

bool
signals_on_alternate(void)
{
	struct signals *now = signals_now;
	u64 sp = host_state.reg[HOST_RSP];
	u64 from = (u64)(uintptr_t)now->alternate.ss_sp;

	return !(now->alternate.ss_flags & SS_DISABLE) && sp > from &&
	       sp - from <= now->alternate.ss_size;
}

s64
signals_stack(const u64 arg[6])
{
	struct signals *now = signals_now;
	stack_t old = now->alternate, new;

	if (signals_on_alternate())
		old.ss_flags |= SS_ONSTACK;
	if (arg[0]) {
		if (guest_read(&new, arg[0], sizeof new))
			return -EFAULT;
		if (signals_on_alternate())
			return -EPERM;
		if (!(new.ss_flags & SS_DISABLE) && new.ss_size < 2048)
			return -ENOMEM;
		now->alternate = new;
	}
	if (arg[1] && guest_write(arg[1], &old, sizeof old))
		return -EFAULT;
	return 0;
}
