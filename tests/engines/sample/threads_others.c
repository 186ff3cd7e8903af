/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads beside processes, signals and files. */
#include "sample.h"

#include <stdatomic.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/select.h>

#define N 4

static pthread_t thread[N];
static atomic_int number;

static void
count_signal(int s)
{
	(void)s;
	atomic_fetch_add(&number, 1);
}

static void *
wait_for_signal(void *arg)
{
	sigset_t set;
	int s;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	sigwait(&set, &s);
	return (void *)(long)(s + (long)arg);
}

static void
signals_to_threads(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	for (long i = 0; i < N; i++)
		pthread_create(&thread[i], NULL, wait_for_signal, (void *)i);
	for (int i = 0; i < N; i++)
		pthread_kill(thread[i], SIGUSR2);
	for (int i = 0; i < N; i++) {
		void *result;

		pthread_join(thread[i], &result);
		SAY("%ld\n", (long)result);
	}
	signal(SIGUSR1, count_signal);
	pthread_kill(pthread_self(), SIGUSR1);
	SAY("%d\n", number);
}

/* Where the kernel is to write when the thread ends: pthread_join() waits there. */
static void *
ask_for_end(void *arg)
{
	int *end = NULL;

	prctl(PR_GET_TID_ADDRESS, &end);
	SAY("%d\n", end && *end == gettid());
	return syscall(SYS_set_tid_address, end) == gettid() ? thread : arg;
}

static void
ends_are_told(void)
{
	void *result;

	for (int i = 0; i < N; i++) {
		pthread_create(&thread[i], NULL, ask_for_end, NULL);
		pthread_join(thread[i], &result);
		SAY("%d\n", result == thread);
	}
}

static void *
sleep_often(void *arg)
{
	while (!number)
		usleep(1000);
	return arg;
}

/* Beside another thread, so that the machine's clock ends it. */
static void
waits_are_over(void)
{
	struct timespec soon = {0, 3000000};
	struct epoll_event event = {.events = EPOLLIN}, found;
	int ends[2], set = epoll_create1(0);
	fd_set in;

	pipe(ends);
	epoll_ctl(set, EPOLL_CTL_ADD, ends[0], &event);
	pthread_create(&thread[0], NULL, sleep_often, NULL);
	DO(syscall(SYS_epoll_pwait2, set, &found, 1, &soon, NULL, 8));
	FD_ZERO(&in);
	FD_SET(ends[0], &in);
	DO(pselect(ends[0] + 1, &in, NULL, NULL, &soon, NULL));
	SAY("%d\n", FD_ISSET(ends[0], &in) != 0);
	number = 1;
	DO(pthread_join(thread[0], NULL));
}

static void *
signal_main(void *arg)
{
	pthread_kill((pthread_t)arg, SIGUSR1);
	return NULL;
}

static void
signals_interrupt_threads(void)
{
	struct sigaction a = {.sa_handler = count_signal};
	pthread_t other;

	sigaction(SIGUSR1, &a, NULL);
	pthread_create(&other, NULL, signal_main, (void *)pthread_self());
	while (!number)
		usleep(1000);
	pthread_join(other, NULL);
	SAY("%d\n", number);
}

static void
shared_mutexes(void)
{
	struct {
		pthread_mutex_t m;
		int n;
	} *s = map(PAGE, PROT_READ | PROT_WRITE, MAP_SHARED);
	pthread_mutexattr_t a;

	pthread_mutexattr_init(&a);
	pthread_mutexattr_setpshared(&a, PTHREAD_PROCESS_SHARED);
	pthread_mutex_init(&s->m, &a);
	for (int i = 0; i < 3; i++)
		if (!fork()) {
			for (int k = 0; k < 1000; k++) {
				pthread_mutex_lock(&s->m);
				s->n++;
				pthread_mutex_unlock(&s->m);
			}
			_exit(0);
		}
	while (wait(NULL) > 0)
		;
	SAY("%d\n", s->n);
}

static void *
fork_in_thread(void *arg)
{
	pid_t pid = fork();

	if (!pid)
		_exit(30);
	say_end(pid);
	return arg;
}

static void
forks_in_threads(void)
{
	pthread_create(&thread[0], NULL, fork_in_thread, NULL);
	pthread_join(thread[0], NULL);
}

static void *
execute_in_thread(void *arg)
{
	execl("/bin/sh", "sh", "-c", "echo executed; exit 7", NULL);
	return arg;
}

static void
executes_in_thread(void)
{
	pthread_create(&thread[0], NULL, execute_in_thread, NULL);
	pause();
}

static void *
end_all(void *arg)
{
	(void)arg;
	exit(9);
}

static void
thread_ends_process(void)
{
	pthread_create(&thread[0], NULL, end_all, NULL);
	pause();
}

static void *
outlive(void *arg)
{
	usleep(2000);
	SAY("still here\n");
	return arg;
}

static void
main_ends_first(void)
{
	pthread_create(&thread[0], NULL, outlive, NULL);
	pthread_exit(NULL);
}

static void *
fault_in_thread(void *arg)
{
	*(volatile int *)arg = 1;
	return NULL;
}

static void
faults_child(void)
{
	pthread_create(&thread[0], NULL, fault_in_thread, (void *)16);
	pause();
}

static void
faults_in_threads(void)
{
	in_child(faults_child);
}

static void *
name_itself(void *arg)
{
	char name[16];

	prctl(PR_SET_NAME, "worker");
	pthread_getname_np(pthread_self(), name, sizeof name);
	SAY("%s %d\n", name, gettid() != getpid());
	return arg;
}

static void
names_of_threads(void)
{
	char name[16];

	pthread_create(&thread[0], NULL, name_itself, NULL);
	pthread_join(thread[0], NULL);
	pthread_getname_np(pthread_self(), name, sizeof name);
	SAY("%s\n", name);
}

static void *
pass_on(void *arg)
{
	int *fd = arg, value;

	while (read(fd[0], &value, sizeof value) == sizeof value) {
		value++;
		write(fd[1], &value, sizeof value);
	}
	return NULL;
}

static void
pipes_between_threads(void)
{
	int to[2], from[2], ends[2], value = 0;

	pipe(to);
	pipe(from);
	ends[0] = to[0];
	ends[1] = from[1];
	pthread_create(&thread[0], NULL, pass_on, ends);
	for (int i = 0; i < 200; i++) {
		write(to[1], &value, sizeof value);
		read(from[0], &value, sizeof value);
	}
	close(to[1]);
	pthread_join(thread[0], NULL);
	SAY("%d\n", value);
}

/* ---- What /proc has of a thread ------------------------------------------- */

static atomic_int of_thread;

static void *
has_a_name(void *unused)
{
	prctl(PR_SET_NAME, "named");
	of_thread = (int)syscall(SYS_gettid);
	while (of_thread)
		usleep(1000);
	return unused;
}

/* Its name and state, or that it is not there. */
static void
say_of_thread(int tid, const char *file)
{
	char path[64], line[64] = "", *end;
	FILE *f;

	snprintf(path, sizeof path, "/proc/self/task/%d/%s", tid, file);
	f = fopen(path, "r");
	if (!f) {
		SAY("%s: %s\n", file, strerrorname_np(errno));
		return;
	}
	fgets(line, sizeof line, f);
	fclose(f);
	end = strchr(line, ')');
	SAY("%s: %s\n", file, end ? strndup(strchr(line, ' '),
					    (size_t)(end - strchr(line, ' ')))
				   : line);
}

static void
threads_in_proc(void)
{
	static const char *const file[] = {"comm", "stat", "status"};
	pthread_t thread;
	int tid;

	pthread_create(&thread, NULL, has_a_name, NULL);
	while (!of_thread)
		usleep(1000);
	tid = of_thread;
	for (unsigned i = 0; i < 3; i++)
		say_of_thread(tid, file[i]);
	of_thread = 0;
	pthread_join(thread, NULL);
	for (unsigned i = 0; i < 3; i++)
		say_of_thread(0x3fffff, file[i]);
	for (int i = 0; i < 1000 && !syscall(SYS_tgkill, getpid(), tid, 0); i++)
		usleep(1000);
	say_of_thread(tid, "stat");
	say_of_thread(tid, "maps");
}

/* ---- Generations of processes ----------------------------------------------- */

static void *
naps(void *unused)
{
	usleep(300000);
	return unused;
}

static void
generations(unsigned n)
{
	int status = 0;

	if (!n) {
		usleep(400000);
		_exit(7);
	}
	if (!fork())
		generations(n - 1);
	wait(&status);
	_exit(WEXITSTATUS(status));
}

/* One thread waits for a process whose children's children sleep, another one for time
 * to pass. */
static void
waits_for_generations(void)
{
	pthread_t other;
	int status = 0;

	pthread_create(&other, NULL, naps, NULL);
	usleep(10000);
	if (!fork())
		generations(7);
	wait(&status);
	pthread_join(other, NULL);
	SAY("%d\n", WEXITSTATUS(status));
}

/* ---- Users ----------------------------------------------------------------- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int rounds;

static void *
goes_round(void *unused)
{
	for (int i = 0; i < 200; i++) {
		pthread_mutex_lock(&lock);
		rounds++;
		pthread_cond_signal(&changed);
		pthread_mutex_unlock(&lock);
		if (i % 50 == 0)
			usleep(1000);
	}
	return unused;
}

static void *
waits_for_ever(void *unused)
{
	for (;;)
		pause();
	return unused;
}

static void
wait_for_rounds(void)
{
	pthread_t thread;

	rounds = 0;
	pthread_create(&thread, NULL, goes_round, NULL);
	pthread_mutex_lock(&lock);
	while (rounds < 200)
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
	pthread_join(thread, NULL);
	SAY("%d\n", rounds);
}

/* The C library changes that of each thread, by a signal of its own. */
static void
users_of_threads(void)
{
	pthread_t thread;
	gid_t group = getegid();

	for (int i = 0; i < 3; i++)
		pthread_create(&thread, NULL, waits_for_ever, NULL);
	for (int i = 0; i < 20; i++) {
		DO(setegid(group));
		DO(setresuid(getuid(), geteuid(), -1));
	}
	wait_for_rounds();
	DO(setegid(65534));
	DO(setegid(group));
	DO(setresuid(-1, 65534, -1));
	wait_for_rounds();
	DO(setresuid(65534, 65534, 65534));
	wait_for_rounds();
	DO(setuid(0));
}

/* A process that gives up its rights, or says that it has secrets, has threads all
 * the same. */
static void
threads_of_another_user(void)
{
	DO(prctl(PR_GET_DUMPABLE));
	DO(setresgid(65534, 65534, 65534));
	DO(setresuid(65534, 65534, 65534));
	DO(prctl(PR_GET_DUMPABLE) == 1);
	wait_for_rounds();
	DO(prctl(PR_SET_DUMPABLE, 0));
	DO(prctl(PR_GET_DUMPABLE));
	wait_for_rounds();
	DO(prctl(PR_SET_DUMPABLE, 2));
	DO(prctl(PR_SET_DUMPABLE, 1));
	DO(prctl(PR_GET_DUMPABLE));
	fflush(stdout);
	if (!fork()) {
		DO(prctl(PR_GET_DUMPABLE));
		execlp("cat", "cat", "/dev/null", (char *)NULL);
	}
	wait(NULL);
}

static const struct sample samples[] = {
	SAMPLE(signals_to_threads), SAMPLE(signals_interrupt_threads),
	SAMPLE(ends_are_told), SAMPLE(waits_are_over),
	SAMPLE(shared_mutexes), SAMPLE(forks_in_threads),
	SAMPLE(executes_in_thread), SAMPLE(thread_ends_process),
	SAMPLE(main_ends_first), SAMPLE(faults_in_threads),
	SAMPLE(names_of_threads), SAMPLE(pipes_between_threads),
	SAMPLE(threads_in_proc), SAMPLE(waits_for_generations),
	SAMPLE(users_of_threads),
	SAMPLE(threads_of_another_user),
};

SAMPLES(samples)
