/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Signals: handlers, masks, stacks, frames, faults, timers, waits. */
#include "sample.h"

#include <poll.h>
#include <sys/signalfd.h>
#include <sys/time.h>
#include <sys/timerfd.h>

static volatile sig_atomic_t seen[65], order[8], n_order;
static volatile uintptr_t stack_at;

static void
note(int s)
{
	seen[s]++;
	if (n_order < 8)
		order[n_order++] = s;
}

static void
raise_all(void)
{
	for (int s = 1; s < 65; s++)
		if (s != SIGKILL && s != SIGSTOP && s != 32 && s != 33) {
			catch(s, note, 0);
			raise(s);
			SAY("%d:%d ", s, (int)seen[s]);
		}
	SAY("\n");
}

static void
mask_keeps_back(void)
{
	sigset_t set, pending;

	catch(SIGUSR1, note, 0);
	catch(SIGUSR2, note, 0);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGUSR2);
	sigprocmask(SIG_BLOCK, &set, NULL);
	raise(SIGUSR2);
	raise(SIGUSR1);
	raise(SIGUSR1);
	SAY("%d %d\n", (int)seen[SIGUSR1], (int)seen[SIGUSR2]);
	sigpending(&pending);
	SAY("pending %d %d %d\n", sigismember(&pending, SIGUSR1),
	    sigismember(&pending, SIGUSR2), sigismember(&pending, SIGHUP));
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	SAY("%d %d\n", (int)seen[SIGUSR1], (int)seen[SIGUSR2]);
}

static void
queued_in_order(void)
{
	sigset_t set;
	union sigval value = {.sival_int = 7};

	for (int s = SIGRTMIN; s < SIGRTMIN + 3; s++)
		catch(s, note, 0);
	sigfillset(&set);
	sigprocmask(SIG_BLOCK, &set, NULL);
	DO(sigqueue(getpid(), SIGRTMIN + 2, value));
	DO(sigqueue(getpid(), SIGRTMIN, value));
	DO(sigqueue(getpid(), SIGRTMIN + 1, value));
	DO(sigqueue(getpid(), SIGRTMIN, value));
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	for (int i = 0; i < n_order; i++)
		SAY("%d ", (int)order[i] - SIGRTMIN);
	SAY("\n");
}

static void
show_info(int s, siginfo_t *info, void *context)
{
	(void)context;
	SAY("signal %d code %d value %d mine %d\n", s, info->si_code,
	    info->si_value.sival_int, info->si_pid == getpid());
}

static void
value_arrives(void)
{
	union sigval value = {.sival_int = 4711};

	catch_info(SIGUSR1, show_info, 0);
	DO(sigqueue(getpid(), SIGUSR1, value));
	DO(kill(getpid(), SIGUSR1));
	DO(syscall(SYS_tgkill, getpid(), gettid(), SIGUSR1));
}

static void
where_stack(int s)
{
	int here;

	(void)s;
	stack_at = (uintptr_t)&here;
}

static void
other_stack(void)
{
	static char stack[65536];
	stack_t new = {.ss_sp = stack, .ss_size = sizeof stack}, old;

	DO(sigaltstack(&new, &old));
	SAY("before %d\n", old.ss_flags);
	catch(SIGUSR1, where_stack, SA_ONSTACK);
	raise(SIGUSR1);
	SAY("on it %d\n", stack_at >= (uintptr_t)stack &&
			  stack_at < (uintptr_t)(stack + sizeof stack));
	catch(SIGUSR1, where_stack, 0);
	raise(SIGUSR1);
	SAY("on it %d\n", stack_at >= (uintptr_t)stack &&
			  stack_at < (uintptr_t)(stack + sizeof stack));
	DO(sigaltstack(NULL, &old));
	SAY("size %zu\n", old.ss_size);
	new.ss_size = 100;
	DO(sigaltstack(&new, NULL));
	new.ss_flags = SS_DISABLE;
	DO(sigaltstack(&new, NULL));
}

static void
change_stack(int s)
{
	static char other[65536];
	stack_t new = {.ss_sp = other, .ss_size = sizeof other};

	(void)s;
	DO(sigaltstack(&new, NULL));
}

static void
stack_in_use(void)
{
	static char stack[65536];
	stack_t new = {.ss_sp = stack, .ss_size = sizeof stack};

	sigaltstack(&new, NULL);
	catch(SIGUSR1, change_stack, SA_ONSTACK);
	raise(SIGUSR1);
}

static void
restarts(void)
{
	int pipes[2];
	char c = 0;
	pid_t pid;

	catch(SIGUSR1, note, SA_RESTART);
	pipe(pipes);
	pid = fork();
	if (!pid) {
		usleep(20000);
		kill(getppid(), SIGUSR1);
		usleep(20000);
		write(pipes[1], "x", 1);
		_exit(0);
	}
	DO(read(pipes[0], &c, 1));
	SAY("%c %d\n", c, (int)seen[SIGUSR1]);
	say_end(pid);
}

static void
interrupts(void)
{
	int pipes[2];
	char c;
	pid_t pid;

	catch(SIGUSR1, note, 0);
	pipe(pipes);
	pid = fork();
	if (!pid)
		for (;;) {
			kill(getppid(), SIGUSR1);
			usleep(1000);
		}
	DO(read(pipes[0], &c, 1));
	kill(pid, SIGKILL);
	SAY("%d\n", seen[SIGUSR1] > 0);
	say_end(pid);
}

static void
nested(int s)
{
	if (s == SIGUSR1) {
		raise(SIGUSR2);
		SAY("inner seen %d\n", (int)seen[SIGUSR2]);
	}
	note(s);
}

static void
handlers_nest(void)
{
	struct sigaction a = {.sa_handler = nested};

	sigemptyset(&a.sa_mask);
	sigaction(SIGUSR2, &a, NULL);
	sigaction(SIGUSR1, &a, NULL);
	raise(SIGUSR1);
	sigaddset(&a.sa_mask, SIGUSR2);
	sigaction(SIGUSR1, &a, NULL);
	seen[SIGUSR2] = 0;
	raise(SIGUSR1);
	SAY("after %d\n", (int)seen[SIGUSR2]);
}

static void
once_and_default(void)
{
	catch(SIGUSR1, note, SA_RESETHAND);
	raise(SIGUSR1);
	SAY("seen %d\n", (int)seen[SIGUSR1]);
	raise(SIGUSR1);
	SAY("not reached\n");
}

static void
again(int s)
{
	if (seen[s]++ < 3)
		raise(s);
}

static void
not_deferred(void)
{
	catch(SIGUSR1, again, SA_NODEFER);
	raise(SIGUSR1);
	SAY("%d\n", (int)seen[SIGUSR1]);
}

static void
old_action(void)
{
	struct sigaction old;

	catch(SIGUSR1, note, SA_RESTART | SA_NODEFER);
	DO(sigaction(SIGUSR1, NULL, &old));
	SAY("%d %x\n", old.sa_handler == note, old.sa_flags);
	DO(sigaction(SIGKILL, &old, NULL));
	DO(sigaction(65, &old, NULL));
	DO(sigaction(SIGSEGV, NULL, &old));
	SAY("%d\n", old.sa_handler == SIG_DFL);
}

static void
waited_for(void)
{
	sigset_t set;
	siginfo_t info;
	struct timespec none = {0, 1000000};

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	DO(sigtimedwait(&set, &info, &none));
	raise(SIGUSR1);
	DO(sigwaitinfo(&set, &info));
	SAY("code %d\n", info.si_code);
}

static void
suspends(void)
{
	sigset_t set, none;

	catch(SIGUSR1, note, 0);
	sigemptyset(&none);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	raise(SIGUSR1);
	DO(sigsuspend(&none));
	SAY("%d\n", (int)seen[SIGUSR1]);
	sigprocmask(SIG_BLOCK, NULL, &none);
	SAY("blocked %d\n", sigismember(&none, SIGUSR1));
}

static void
descriptor(void)
{
	struct signalfd_siginfo info;
	sigset_t set;
	int fd;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	sigprocmask(SIG_BLOCK, &set, NULL);
	fd = signalfd(-1, &set, SFD_NONBLOCK);
	DO(read(fd, &info, sizeof info));
	raise(SIGUSR2);
	DO(read(fd, &info, sizeof info));
	SAY("%u %d\n", info.ssi_signo, info.ssi_pid == (unsigned)getpid());
}

static void
timers(void)
{
	struct itimerval t = {{0, 2000}, {0, 2000}};

	catch(SIGALRM, note, SA_RESTART);
	DO(setitimer(ITIMER_REAL, &t, NULL));
	while (seen[SIGALRM] < 5)
		;
	memset(&t, 0, sizeof t);
	DO(setitimer(ITIMER_REAL, &t, NULL));
}

static void
posix_timers(void)
{
	struct sigevent e = {.sigev_notify = SIGEV_SIGNAL,
			     .sigev_signo = SIGRTMIN + 1,
			     .sigev_value.sival_int = 9};
	struct itimerspec t = {{0, 0}, {0, 3000000}};
	timer_t id;

	catch_info(SIGRTMIN + 1, show_info, 0);
	DO(timer_create(CLOCK_MONOTONIC, &e, &id));
	DO(timer_settime(id, 0, &t, NULL));
	DO(pause());
	DO(timer_delete(id));
}

static void
timer_descriptor(void)
{
	struct itimerspec t = {{0, 0}, {0, 3000000}};
	struct pollfd p = {.events = POLLIN};
	uint64_t n = 0;

	p.fd = timerfd_create(CLOCK_MONOTONIC, 0);
	DO(timerfd_settime(p.fd, 0, &t, NULL));
	DO(poll(&p, 1, -1));
	DO(read(p.fd, &n, sizeof n));
	SAY("%d\n", (int)n);
}

static void
ignored(void)
{
	int status;
	pid_t pid;

	signal(SIGCHLD, SIG_IGN);
	pid = fork();
	if (!pid)
		_exit(3);
	DO(waitpid(pid, &status, 0) == pid);
	SAY("%s\n", strerrorname_np(errno));
	signal(SIGUSR1, SIG_IGN);
	DO(raise(SIGUSR1));
	signal(SIGPIPE, SIG_IGN);
	int pipes[2];

	pipe(pipes);
	close(pipes[0]);
	DO(write(pipes[1], "x", 1));
}

static void
show_child(int s, siginfo_t *info, void *context)
{
	(void)context;
	SAY("signal %d code %d status %d\n", s, info->si_code,
	    info->si_status);
}

static void
child_tells(void)
{
	sigset_t set, old;
	pid_t pid;

	catch_info(SIGCHLD, show_child, 0);
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, &old);
	pid = fork();
	if (!pid)
		_exit(9);
	sigsuspend(&old);
	say_end(pid);
}

static void
stops(void)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		raise(SIGSTOP);
		_exit(4);
	}
	DO(waitpid(pid, &status, WUNTRACED) == pid);
	SAY("stopped %d by %d\n", WIFSTOPPED(status), WSTOPSIG(status));
	kill(pid, SIGCONT);
	say_end(pid);
}

static void
float_survives(int s)
{
	volatile double a = 0;

	for (int i = 1; i < 100; i++)
		a += 1.0 / i;
	(void)s;
}

static void
registers_survive(void)
{
	struct itimerval t = {{0, 500}, {0, 500}};
	double sum = 0;
	uint64_t x = 1;

	catch(SIGALRM, float_survives, SA_RESTART);
	setitimer(ITIMER_REAL, &t, NULL);
	for (int i = 1; i < 20000000; i++) {
		sum += 1.0 / i;
		x = x * 6364136223846793005u + 1;
	}
	memset(&t, 0, sizeof t);
	setitimer(ITIMER_REAL, &t, NULL);
	SAY("%.12f %llx\n", sum, (unsigned long long)x);
}

static const struct sample samples[] = {
	SAMPLE(raise_all), SAMPLE(mask_keeps_back), SAMPLE(queued_in_order),
	SAMPLE(value_arrives), SAMPLE(other_stack), SAMPLE(stack_in_use),
	SAMPLE(restarts), SAMPLE(interrupts), SAMPLE(handlers_nest),
	SAMPLE(once_and_default), SAMPLE(not_deferred), SAMPLE(old_action),
	SAMPLE(waited_for), SAMPLE(suspends), SAMPLE(descriptor),
	SAMPLE(timers), SAMPLE(posix_timers), SAMPLE(timer_descriptor),
	SAMPLE(ignored), SAMPLE(child_tells), SAMPLE(stops),
	SAMPLE(registers_survive),
};

SAMPLES(samples)
