/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Timers that send signals, by the clock that the program reads: the case that the
 * argument names says what has come, and when, in ms. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MS 1000000ll

static volatile sig_atomic_t came, overrun, value, code;
static volatile pid_t child, thread;
static int said[2];	/* the child writes there when it has said what it has */

static void
count(int sig, siginfo_t *info, void *context)
{
	(void)sig;
	(void)context;
	came++;
	code = info->si_code;
	overrun = info->si_overrun;
	value = info->si_value.sival_int;
	thread = gettid();
	/* However long the host takes to execute the child. */
	if (child && read(said[0], &(char){0}, 1) == 1)
		kill(child, SIGKILL);
}

static void
handle(int sig, int flags)
{
	struct sigaction a = {.sa_sigaction = count, .sa_flags = SA_SIGINFO | flags};

	sigaction(sig, &a, NULL);
}

static void
block(int how, int sig)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, sig);
	pthread_sigmask(how, &set, NULL);
}

static long long
now(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return ts.tv_sec * 1000 * MS + ts.tv_nsec;
}

/* Since the first call, to the nearest. */
static long long
ms(void)
{
	static long long start;

	if (!start)
		start = now(CLOCK_MONOTONIC);
	return (now(CLOCK_MONOTONIC) - start + MS / 2) / MS;
}

static void
execute(long long ns)
{
	long long end = now(CLOCK_MONOTONIC) + ns;
	volatile unsigned turns = 0;

	while (now(CLOCK_MONOTONIC) < end)
		for (turns = 0; turns < 2000; turns++)
			;
}

static void
set(int which, long long first, long long period)
{
	struct itimerval v = {{period / 1000 / MS, period / 1000 % MS},
			      {first / 1000 / MS, first / 1000 % MS}};

	setitimer(which, &v, NULL);
}

static int
nap(long long ns, struct timespec *rest)
{
	struct timespec ts = {ns / 1000 / MS, ns % (1000 * MS)};

	return nanosleep(&ts, rest);
}

/* ---- Interval timers ------------------------------------------------------ */

/* A loop that asks for nothing. */
static void
loops(void)
{
	volatile unsigned long turns = 0;

	handle(SIGALRM, 0);
	ms();
	set(ITIMER_REAL, MS, MS);
	while (came < 20)
		turns++;
	printf("%d at %lld, code %d\n", (int)came, ms(), (int)code);
	fprintf(stderr, "%lu\n", turns);
}

static void
waits(void)
{
	struct timespec rest;
	int result;

	handle(SIGALRM, SA_RESTART);
	ms();
	set(ITIMER_REAL, 20 * MS, 0);
	result = pause();
	printf("pause %d %d at %lld\n", result, errno, ms());
	set(ITIMER_REAL, 20 * MS, 0);
	result = nap(50 * MS, &rest);
	printf("sleep %d %d at %lld, left %lld\n", result, errno, ms(),
	       (rest.tv_nsec + MS / 2) / MS);
	set(ITIMER_REAL, 50 * MS, 0);
	result = nap(20 * MS, NULL);
	printf("sleep %d at %lld, came %d\n", result, ms(), (int)came);
	execute(31 * MS);
	printf("at %lld came %d\n", ms(), (int)came);
}

static void
blocked(void)
{
	struct itimerval v;

	handle(SIGALRM, 0);
	block(SIG_BLOCK, SIGALRM);
	ms();
	set(ITIMER_REAL, 5 * MS, 0);
	nap(20 * MS, NULL);
	printf("at %lld came %d\n", ms(), (int)came);
	block(SIG_UNBLOCK, SIGALRM);
	printf("came %d\n", (int)came);
	set(ITIMER_REAL, 1700 * MS, 0);
	printf("alarm %u", alarm(7));
	getitimer(ITIMER_REAL, &v);
	printf(", %lld", (v.it_value.tv_sec * MS + v.it_value.tv_usec + 500) / 1000);
	printf(", alarm %u", alarm(0));
	getitimer(ITIMER_REAL, &v);
	printf(", %lld\n", (long long)v.it_value.tv_usec);
}

/* Signals that no handler gets. */
static void
asked(void)
{
	struct signalfd_siginfo read_info = {0};
	siginfo_t info;
	sigset_t alarm;
	int fd, sig;

	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	block(SIG_BLOCK, SIGALRM);
	ms();
	set(ITIMER_REAL, 10 * MS, 0);
	sig = sigwaitinfo(&alarm, &info);
	printf("wait %d, code %d at %lld\n", sig, info.si_code, ms());
	fd = signalfd(-1, &alarm, 0);
	set(ITIMER_REAL, 10 * MS, 0);
	if (read(fd, &read_info, sizeof read_info) < 0)
		perror("read");
	printf("read %u at %lld\n", read_info.ssi_signo, ms());
	set(ITIMER_REAL, 10 * MS, 0);
	execute(11 * MS);
	sig = sigwaitinfo(&alarm, NULL);
	printf("wait %d at %lld\n", sig, ms());
}

/* Of the processor's time. */
static void
processor(void)
{
	static const int which[] = {ITIMER_VIRTUAL, ITIMER_PROF};

	handle(SIGVTALRM, 0);
	handle(SIGPROF, 0);
	ms();
	for (int i = 0; i < 2; i++) {
		came = 0;
		set(which[i], 5 * MS, 0);
		nap(20 * MS, NULL);
		execute(4 * MS);
		printf("at %lld came %d\n", ms(), (int)came);
		execute(2 * MS);
		printf("at %lld came %d\n", ms(), (int)came);
	}
}

static void
ends(void)
{
	set(ITIMER_REAL, 5 * MS, 0);
	for (;;)
		execute(MS);
}

/* ---- Timers that are made --------------------------------------------------- */

static timer_t
make(clockid_t clock, int notify, int sig)
{
	struct sigevent e = {.sigev_notify = notify, .sigev_signo = sig,
			     .sigev_value.sival_int = 42};
	timer_t timer;

	if (timer_create(clock, &e, &timer))
		perror("timer_create");
	return timer;
}

static void
set_made(timer_t timer, int flags, long long first, long long period)
{
	struct itimerspec v = {{period / 1000 / MS, period % (1000 * MS)},
			       {first / 1000 / MS, first % (1000 * MS)}};

	if (timer_settime(timer, flags, &v, NULL))
		perror("timer_settime");
}

static long long
left_of(timer_t timer)
{
	struct itimerspec v;

	timer_gettime(timer, &v);
	return (v.it_value.tv_sec * 1000 * MS + v.it_value.tv_nsec + MS / 2) / MS;
}

static void
made(void)
{
	timer_t t = make(CLOCK_MONOTONIC, SIGEV_SIGNAL, SIGRTMIN + 3);
	timer_t day = make(CLOCK_REALTIME, SIGEV_SIGNAL, SIGUSR1);
	timer_t silent = make(CLOCK_MONOTONIC, SIGEV_NONE, 0);
	timer_t cpu = make(CLOCK_PROCESS_CPUTIME_ID, SIGEV_SIGNAL, SIGUSR2);
	int result;

	handle(SIGRTMIN + 3, 0);
	handle(SIGUSR1, 0);
	handle(SIGUSR2, 0);
	ms();
	block(SIG_BLOCK, SIGRTMIN + 3);
	set_made(t, 0, MS, MS);
	set_made(silent, 0, 100 * MS, 0);
	execute(10 * MS + MS / 2);
	block(SIG_UNBLOCK, SIGRTMIN + 3);
	printf("came %d code %d overrun %d %d value %d at %lld\n", (int)came,
	       (int)code, (int)overrun, timer_getoverrun(t), (int)value, ms());
	set_made(t, 0, 30 * MS, 0);
	printf("left %lld %lld\n", left_of(t), left_of(silent));
	timer_delete(t);
	result = timer_delete(t);
	printf("again %d %d\n", result, errno);
	came = 0;
	set_made(day, TIMER_ABSTIME, now(CLOCK_REALTIME) + 20 * MS, 0);
	pause();
	printf("came %d at %lld\n", (int)came, ms());
	set_made(day, TIMER_ABSTIME, 1, 0);
	execute(MS);
	printf("came %d\n", (int)came);
	set_made(cpu, 0, 5 * MS, 0);
	nap(20 * MS, NULL);
	execute(4 * MS);
	printf("came %d\n", (int)came);
	execute(2 * MS);
	printf("came %d\n", (int)came);
}

static void
call_back(union sigval v)
{
	value = v.sival_int;
	came++;
}

static void
calls(void)
{
	struct sigevent e = {.sigev_notify = SIGEV_THREAD,
			     .sigev_notify_function = call_back,
			     .sigev_value.sival_int = 7};
	timer_t t;

	ms();
	timer_create(CLOCK_MONOTONIC, &e, &t);
	set_made(t, 0, 5 * MS, 5 * MS);
	while (came < 4)
		nap(MS, NULL);
	timer_delete(t);
	printf("came %d value %d at %lld\n", (int)came, (int)value, ms());
}

/* ---- Processes -------------------------------------------------------------- */

static void
children(void)
{
	struct itimerval v;
	int status, result;

	handle(SIGALRM, 0);
	if (pipe(said))
		exit(1);
	ms();
	set(ITIMER_REAL, 30 * MS, 0);
	child = fork();
	if (!child) {
		getitimer(ITIMER_REAL, &v);
		printf("child %lld\n", (long long)v.it_value.tv_usec);
		fflush(stdout);
		if (write(said[1], "", 1) != 1)
			exit(1);
		for (;;)
			pause();
	}
	result = waitpid(child, &status, 0);
	printf("wait %d", result == -1 ? errno : 0);
	if (result == -1)
		waitpid(child, &status, 0);
	printf(" %d came %d at %lld\n", WTERMSIG(status), (int)came, ms());
}

static void
executes(char **argv)
{
	set(ITIMER_REAL, 60 * MS, 30 * MS);
	execlp("/nowhere/at/all", "all", NULL);
	argv[1] = "executed";
	execv("/proc/self/exe", argv);
}

static void
executed(void)
{
	struct itimerval v;
	long long start = now(CLOCK_MONOTONIC);

	getitimer(ITIMER_REAL, &v);
	printf("every %lld\n", (long long)v.it_interval.tv_usec / 1000);
	handle(SIGALRM, 0);
	while (came < 2)
		;
	/* What executing a program takes is not nothing. */
	printf("at %lld\n", (now(CLOCK_MONOTONIC) - start) / 10 / MS * 10);
}

/* ---- Threads ---------------------------------------------------------------- */

static void *
work(void *arg)
{
	volatile unsigned long turns = 0;

	(void)arg;
	while (came < 10)
		turns++;
	return NULL;
}

static void *
await(void *arg)
{
	(void)arg;
	pause();
	return NULL;
}

static void *
rest(void *arg)
{
	(void)arg;
	printf("rest %d\n", nap(10000 * MS, NULL));
	return NULL;
}

static void
run(void *(*fn)(void *), int n)
{
	pthread_t t[2];

	for (int i = 0; i < n; i++)
		pthread_create(&t[i], NULL, fn, NULL);
	for (int i = 0; i < n; i++)
		pthread_join(t[i], NULL);
}

static void
threads(void)
{
	handle(SIGALRM, SA_RESTART);
	ms();
	set(ITIMER_REAL, MS, MS);
	run(work, 2);
	printf("came %d at %lld\n", (int)came, ms());
	came = 0;
	run(work, 1);
	printf("came %d at %lld\n", (int)came, ms());
	set(ITIMER_REAL, 0, 0);
}

/* None of them executes. */
static void
asleep(void)
{
	handle(SIGALRM, 0);
	ms();
	block(SIG_BLOCK, SIGALRM);
	set(ITIMER_REAL, 1000 * MS, 0);
	run(rest, 1);
	printf("came %d at %lld\n", (int)came, ms());
	block(SIG_UNBLOCK, SIGALRM);
	printf("came %d\n", (int)came);
}

static void *
await_unblocked(void *arg)
{
	block(SIG_UNBLOCK, SIGALRM);
	return await(arg);
}

static void
wakes(void)
{
	handle(SIGALRM, 0);
	ms();
	block(SIG_BLOCK, SIGALRM);
	set(ITIMER_REAL, 20 * MS, 0);
	run(await_unblocked, 1);
	printf("came %d at %lld, %s\n", (int)came, ms(),
	       thread == getpid() ? "first" : "other");
}

static const struct {
	const char *name;
	void (*fn)(void);
} cases[] = {
	{"loops", loops}, {"waits", waits}, {"blocked", blocked},
	{"asked", asked}, {"processor", processor}, {"ends", ends},
	{"made", made}, {"calls", calls}, {"children", children},
	{"executed", executed}, {"threads", threads}, {"asleep", asleep},
	{"wakes", wakes},
};

int
main(int argc, char **argv)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (argc > 1 && !strcmp(argv[1], "executes"))
		executes(argv);
	for (unsigned i = 0; argc > 1 && i < sizeof cases / sizeof *cases; i++)
		if (!strcmp(cases[i].name, argv[1]))
			return cases[i].fn(), 0;
	return 2;
}
