/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Signals of many kinds: what comes of each is written to standard output, the
 * same in each run and under each engine. */
#define _GNU_SOURCE
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

static volatile sig_atomic_t came, child, depth;
static sigjmp_buf back;
static double kept;

static void
count(int sig)
{
	came += sig;
}

static void
on_child(int sig)
{
	(void)sig;
	child++;
}

static void
jump(int sig)
{
	siglongjmp(back, sig);
}

/* Goes on behind an instruction of two bytes, with another divisor. */
static void
correct(int sig, siginfo_t *info, void *context)
{
	ucontext_t *uc = context;

	came = sig;
	uc->uc_mcontext.gregs[REG_RCX] = 3;
	if (info->si_code != FPE_INTDIV)
		abort();
}

static void
clobber(int sig)
{
	volatile double d = sig;

	for (int i = 0; i < 10; i++)
		d = d * 1.5 + i;
	kept += d > 0;
}

static void
where(int sig)
{
	char here;
	stack_t now;

	sigaltstack(NULL, &now);
	came = sig + (now.ss_flags & SS_ONSTACK ? 100 : 0) +
	       (&here > (char *)now.ss_sp &&
		&here < (char *)now.ss_sp + now.ss_size ? 1000 : 0);
}

static void
nest(int sig)
{
	depth++;
	if (depth < 4)
		raise(sig);
}

static void
set(int sig, void (*handler)(int), int flags)
{
	struct sigaction a = {.sa_handler = handler, .sa_flags = flags};

	sigaction(sig, &a, NULL);
}

static void
loops(void)
{
	struct itimerval soon = {.it_value = {0, 20000}};
	double x = 1;
	long n = 0;

	set(SIGALRM, count, 0);
	set(SIGVTALRM, clobber, 0);
	came = 0;
	setitimer(ITIMER_REAL, &soon, NULL);
	while (!came)
		;
	printf("alarm %d\n", (int)came);
	soon.it_interval.tv_usec = 1000;
	soon.it_value.tv_usec = 1000;
	setitimer(ITIMER_VIRTUAL, &soon, NULL);
	while (kept < 20) {
		x = x * 1.0000001;
		n++;
		if (x > 1e9)
			puts("lost");
	}
	memset(&soon, 0, sizeof soon);
	setitimer(ITIMER_VIRTUAL, &soon, NULL);
	printf("timer %d\n", kept >= 20 && n > 0);
}

static void
faults(void)
{
	struct sigaction a = {.sa_sigaction = correct, .sa_flags = SA_SIGINFO};
	volatile char *none = mmap(NULL, 4096, PROT_NONE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned quotient = 0;

	set(SIGSEGV, jump, SA_NODEFER);
	set(SIGILL, jump, SA_NODEFER);
	for (int i = 0; i < 3; i++) {
		if (!sigsetjmp(back, 1))
			none[i] = 1;
		else
			printf("fault %d\n", i);
	}
	if (!sigsetjmp(back, 1))
		((void (*)(void))none)();
	printf("no code\n");
	if (!sigsetjmp(back, 1))
		__asm__ volatile("ud2");
	printf("no instruction\n");
	sigaction(SIGFPE, &a, NULL);
	__asm__ volatile("xorl %%edx, %%edx\n	divl %%ecx"
			 : "=a"(quotient) : "a"(100), "c"(0) : "edx");
	printf("quotient %u, %d\n", quotient, (int)came);
}

static void
stacks(void)
{
	static char room[65536];
	stack_t other = {.ss_sp = room, .ss_size = sizeof room};

	sigaltstack(&other, NULL);
	set(SIGUSR1, where, SA_ONSTACK);
	raise(SIGUSR1);
	printf("other stack %d\n", (int)came);
	set(SIGUSR1, where, 0);
	raise(SIGUSR1);
	printf("own stack %d\n", (int)came);
	set(SIGUSR2, nest, SA_NODEFER);
	raise(SIGUSR2);
	printf("nested %d\n", (int)depth);
	set(SIGUSR2, nest, SA_RESETHAND);
	depth = 9;
	raise(SIGUSR2);
	printf("once %d, then %d\n", (int)depth,
	       signal(SIGUSR2, SIG_IGN) == SIG_DFL);
}

static void
waits(void)
{
	struct itimerval soon = {.it_value = {0, 20000}};
	int pipes[2], status;
	sigset_t block, old;
	char byte = 0;
	pid_t pid;

	if (pipe(pipes))
		exit(1);
	came = 0;
	set(SIGALRM, count, 0);
	setitimer(ITIMER_REAL, &soon, NULL);
	printf("read %d", (int)read(pipes[0], &byte, 1));
	printf(" %d\n", errno == EINTR);
	set(SIGALRM, count, SA_RESTART);
	set(SIGCHLD, on_child, SA_RESTART);
	fflush(stdout);
	pid = fork();
	if (!pid) {
		kill(getppid(), SIGALRM);
		usleep(20000);
		if (write(pipes[1], "x", 1) != 1)
			_exit(2);
		_exit(7);
	}
	printf("again %d", (int)read(pipes[0], &byte, 1));
	printf(" %c\n", byte);
	waitpid(pid, &status, 0);
	printf("child %d %d\n", WEXITSTATUS(status), child > 0);
	sigemptyset(&block);
	sigaddset(&block, SIGUSR1);
	set(SIGUSR1, count, 0);
	sigprocmask(SIG_BLOCK, &block, &old);
	came = 0;
	raise(SIGUSR1);
	printf("blocked %d\n", (int)came);
	sigsuspend(&old);
	printf("suspended %d\n", (int)came);
	sigprocmask(SIG_SETMASK, &old, NULL);
	printf("pending %d\n", (int)came);
}

int
main(void)
{
	loops();
	faults();
	stacks();
	waits();
	fflush(stdout);
	raise(SIGTERM);
	return 0;
}
