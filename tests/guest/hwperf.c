/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks the event counters of IRIX: every command with its success and its
 * errors.  Runs on a machine with tests/data/tables/irix.yaml.
 */
#include "check.h"
#include "pmcsim_guest.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/procfs.h>
#include <sys/syssgi.h>
#include <sys/wait.h>
#include <unistd.h>

static hwperf_profevctrarg_t arg;
static hwperf_cntr_t counts;

static void
count(int event, int mode)
{
	struct hwperf_ctrlreg *creg =
		&arg.hwp_evctrargs.hwp_evctrl[event].hwperf_creg;

	creg->hwp_ev = (ushort_t)(event % HWPERF_CNT1BASE);
	creg->hwp_ie = 1;
	creg->hwp_mode = (ushort_t)mode;
}

/* Graduated instructions and loads, or what else, in user mode. */
static void
count_two(int a, int b, int mode)
{
	memset(&arg, 0, sizeof arg);
	count(a, mode);
	count(b, mode);
}

static int
open_process(const char *format, int flags, int pid)
{
	char path[64];

	snprintf(path, sizeof path, format, pid);
	return open(path, flags);
}

static int
open_self(void)
{
	return open_process("/proc/%05d", O_RDWR, getpid());
}

static volatile int stored;

/* A store each time round. */
static void
work(int n)
{
	while (n--)
		stored = n;
}

static void
check_paths(void)
{
	int pid = getpid(), fd;

	fd = open_process("/proc/%05d", O_RDWR, pid);
	CHECK(fd >= 0);
	CHECK(ioctl(fd, PIOCGETEVCTRS, &counts) == -1 && errno == EINVAL);
	close(fd);
	fd = open_process("/proc/%010d", O_RDONLY, pid);
	CHECK(fd >= 0);
	CHECK(ioctl(fd, PIOCGETEVCTRS, &counts) == -1 && errno == EINVAL);
	close(fd);
	CHECK(open_process("/proc/pinfo/%05d", O_RDWR, pid) == -1 &&
	      errno == EACCES);
	fd = open_process("/proc/pinfo/%05d", O_RDONLY, pid);
	CHECK(fd >= 0);
	count_two(15, 18, HWPERF_CNTEN_U);
	CHECK(ioctl(fd, PIOCENEVCTRS, &arg) == -1 && errno == EPERM);
	CHECK(ioctl(fd, PIOCRELEVCTRS) == -1 && errno == EPERM);
	CHECK(ioctl(fd, PIOCGETEVCTRS, &counts) == -1 && errno == EINVAL);
	close(fd);
	CHECK(open_process("/proc/%010d", O_RDWR, 1) == -1 &&
	      errno == ENOENT);
	CHECK(open_process("/proc/%d", O_RDONLY | O_DIRECTORY, pid) >= 0);
}

/* What a control block must be. */
static void
check_arguments(int fd)
{
	count_two(15, 18, HWPERF_CNTEN_U);
	memset(&arg.hwp_evctrargs, 0, sizeof arg.hwp_evctrargs);
	CHECK(syssgi(SGI_EVENTCTR, HWPERF_ENSYSCNTRS, &arg) == -1);
	count_two(15, 18, 0);
	CHECK(ioctl(fd, PIOCENEVCTRS, &arg) == -1 && errno == EINVAL);
	count_two(15, 18, HWPERF_CNTEN_U);
	arg.hwp_evctrargs.hwp_evctrl[18].hwperf_creg.hwp_ev = 3;
	CHECK(ioctl(fd, PIOCENEVCTRS, &arg) == -1 && errno == EINVAL);
	count_two(15, 18, HWPERF_CNTEN_U);
	arg.hwp_ovflw_freq[15] = -1;
	CHECK(ioctl(fd, PIOCENEVCTRS, &arg) == -1 && errno == EINVAL);
	arg.hwp_ovflw_freq[15] = 0;
	arg.hwp_ovflw_sig = 33;
	CHECK(ioctl(fd, PIOCENEVCTRS, &arg) == -1 && errno == EINVAL);
	CHECK(ioctl(fd, PIOCENEVCTRS, NULL) == -1 && errno == EFAULT);
	CHECK(ioctl(fd, PIOCENEVCTRS, NOWHERE) == -1 && errno == EFAULT);
	CHECK(ioctl(fd, PIOCSETEVCTRL, NOWHERE) == -1 && errno == EFAULT);
	CHECK(ioctl(fd, 0x7100, &arg) == -1 && errno == EINVAL);
	CHECK(ioctl(fd, PIOCRELEVCTRS) == -1 && errno == EINVAL);
	CHECK(ioctl(fd, PIOCSETEVCTRL, &arg) == -1 && errno == EINVAL);
}

static void
check_user_mode(int fd)
{
	hwperf_eventctrl_t control;
	int generation;

	count_two(15, 19, HWPERF_CNTEN_U);
	generation = ioctl(fd, PIOCENEVCTRS, &arg);
	CHECK(generation > 0);
	work(1000);
	CHECK(ioctl(fd, PIOCGETEVCTRS, &counts) == generation);
	CHECK(counts.hwp_evctr[19] >= 1000 && counts.hwp_evctr[19] < 3000);
	CHECK(counts.hwp_evctr[15] > counts.hwp_evctr[19]);
	CHECK(counts.hwp_evctr[0] == 0 && counts.hwp_evctr[18] == 0);
	CHECK(ioctl(fd, PIOCGETEVCTRL, &control) == generation);
	CHECK(!memcmp(&control, &arg.hwp_evctrargs, sizeof control));
	CHECK(ioctl(fd, PIOCGETEVCTRL, NOWHERE) == -1 && errno == EFAULT);
	CHECK(ioctl(fd, PIOCGETEVCTRS, NOWHERE) == -1 && errno == EFAULT);
	CHECK(ioctl(fd, PIOCGETPREVCTRS, NOWHERE) == -1 && errno == EFAULT);
	CHECK(ioctl(fd, PIOCGETPREVCTRS, NULL) == -1 && errno == EFAULT);
	count_two(1, 19, HWPERF_CNTEN_U);
	CHECK(ioctl(fd, PIOCSETEVCTRL, &arg) == generation + 1);
	work(1000);
	CHECK(ioctl(fd, PIOCGETEVCTRS, &counts) == generation + 1);
	CHECK(counts.hwp_evctr[19] >= 2000 && counts.hwp_evctr[1] >= 2000);
	CHECK(ioctl(fd, PIOCRELEVCTRS) == 0);
	work(100000);
	CHECK(ioctl(fd, PIOCGETEVCTRS, &counts) == generation + 1);
	CHECK(counts.hwp_evctr[19] < 10000);
	/* Released counters start again from zero. */
	CHECK(ioctl(fd, PIOCSETEVCTRL, &arg) == generation + 2);
	work(1000);
	CHECK(ioctl(fd, PIOCGETEVCTRS, &counts) == generation + 2);
	CHECK(counts.hwp_evctr[19] >= 1000 && counts.hwp_evctr[19] < 2000);
	CHECK(ioctl(fd, PIOCRELEVCTRS) == 0);
}

/* As a library does that gets the counters before it knows the events, and
 * sets its own counts to zero by stopping and starting. */
static void
check_library(int fd)
{
	int generation, i;

	memset(&arg, 0, sizeof arg);
	generation = ioctl(fd, PIOCENEVCTRS, &arg);
	CHECK(generation > 0);
	for (i = 0; i < HWPERF_EVENTMAX; i++)
		arg.hwp_evctrargs.hwp_evctrl[i].hwperf_creg.hwp_mode =
			HWPERF_CNTEN_U;
	CHECK(ioctl(fd, PIOCENEVCTRS, &arg) == generation + 1);
	count_two(HWPERF_MAXEVENT, HWPERF_CNT1MAX - 13, HWPERF_CNTEN_U);
	CHECK(ioctl(fd, PIOCSETEVCTRL, &arg) == generation + 2);
	work(1000);
	CHECK(ioctl(fd, PIOCRELEVCTRS) == 0);
	CHECK(ioctl(fd, PIOCSETEVCTRL, &arg) == generation + 3);
	work(1000);
	CHECK(ioctl(fd, PIOCGETEVCTRS, &counts) == generation + 3);
	CHECK(counts.hwp_evctr[19] >= 1000 && counts.hwp_evctr[19] < 2000);
	CHECK(ioctl(fd, PIOCRELEVCTRS) == 0);
}

static void
check_usage(int fd)
{
	hwperf_prusage_t u;
	int generation;

	count_two(0, 19, HWPERF_CNTEN_U);
	generation = ioctl(fd, PIOCENEVCTRS, &arg);
	work(100000);
	memset(&u, 0xff, sizeof u);
	CHECK(ioctl(fd, PIOCGETPREVCTRS, &u) == generation);
	CHECK(u.pu_cpu_mon.hwp_evctr[19] >= 100000);
	CHECK(u.pu_cpu_mon.hwp_evctr[0] >= 200000);
	CHECK(u.pu_utime.tv_sec * 1000000000ll + u.pu_utime.tv_nsec >=
	      200000000);
	CHECK(u.pu_tstamp.tv_sec >= u.pu_utime.tv_sec);
	CHECK(u.pu_sysc > u.pu_syscw + u.pu_syscr);
	CHECK(u.pu_minf > 0 && u.pu_minf == u.pu_vfault);
	CHECK(u.pu_graphfifo == 0 && u.pu_graph_wait[7] == 0);
	CHECK(ioctl(fd, PIOCRELEVCTRS) == 0);
}

/* Runs a child that works; how many stores the parent has then. */
static unsigned long long
with_child(int fd, int save, int killed)
{
	int pair[2];
	pid_t pid;
	char c;

	count_two(15, 19, HWPERF_CNTEN_U);
	CHECK(ioctl(fd, PIOCENEVCTRS, &arg) > 0);
	CHECK(pipe(pair) == 0);
	pid = fork();
	if (pid == 0) {
		int own = open_self();

		if (save && ioctl(own, PIOCSAVECCNTRS))
			_exit(1);
		work(1000000);
		if (killed)
			raise(SIGKILL);
		_exit(0);
	}
	close(pair[1]);
	CHECK(read(pair[0], &c, 1) == 0);
	if (!save)
		CHECK(waitpid(pid, NULL, 0) == pid);
	else
		CHECK(kill(pid, 0) == 0);
	CHECK(ioctl(fd, PIOCGETEVCTRS, &counts) > 0);
	CHECK(ioctl(fd, PIOCRELEVCTRS) == 0);
	close(pair[0]);
	if (save)
		CHECK(waitpid(pid, NULL, 0) == pid);
	return counts.hwp_evctr[19];
}

static void
check_children(int fd)
{
	unsigned long long n = with_child(fd, 0, 0);

	CHECK(n > 1000000 && n < 1100000);
	n = with_child(fd, 0, 1);
	CHECK(n > 1000000 && n < 1100000);
	n = with_child(fd, 1, 0);
	CHECK(n > 1000000 && n < 1100000);
}

/* A child has its own counters, from zero, and they are zero at first. */
static void
check_child_of_its_own(int fd)
{
	int status;
	pid_t pid;

	count_two(15, 19, HWPERF_CNTEN_U);
	CHECK(ioctl(fd, PIOCENEVCTRS, &arg) > 0);
	work(1000000);
	pid = fork();
	if (pid == 0) {
		int own = open_self();

		if (ioctl(own, PIOCGETEVCTRS, &counts) <= 0 ||
		    counts.hwp_evctr[19] > 100000)
			_exit(1);
		if (ioctl(fd, PIOCGETEVCTRS, &counts) <= 0 ||
		    counts.hwp_evctr[19] < 1000000)
			_exit(2);
		_exit(0);
	}
	CHECK(waitpid(pid, &status, 0) == pid && status == 0);
	CHECK(ioctl(fd, PIOCRELEVCTRS) == 0);
}

/* A parent that does not count itself has what its child has counted, once
 * and without waiting for it; the parent has started the child's counters. */
static void
check_idle_parent(int fd)
{
	int ready[2], go[2], other, status;
	pid_t pid;
	char c = 0;

	CHECK(ioctl(fd, PIOCGETEVCTRS, &counts) == -1 && errno == EINVAL);
	CHECK(pipe(ready) == 0 && pipe(go) == 0);
	pid = fork();
	if (pid == 0) {
		if (read(go[0], &c, 1) != 1)
			_exit(1);
		work(100000);
		_exit(0);
	}
	close(ready[1]);
	other = open_process("/proc/%05d", O_RDWR, pid);
	count_two(15, 19, HWPERF_CNTEN_U);
	CHECK(ioctl(other, PIOCENEVCTRS, &arg) == 1);
	CHECK(ioctl(other, PIOCSAVECCNTRS) == 0);
	CHECK(write(go[1], &c, 1) == 1);
	CHECK(read(ready[0], &c, 1) == 0);
	CHECK(ioctl(fd, PIOCGETEVCTRS, &counts) == 1);
	CHECK(counts.hwp_evctr[19] >= 100000 && counts.hwp_evctr[19] < 102000);
	CHECK(waitpid(pid, &status, 0) == pid && status == 0);
	work(100000);
	CHECK(ioctl(fd, PIOCGETEVCTRS, &counts) == 1);
	CHECK(counts.hwp_evctr[19] < 102000);
	CHECK(ioctl(fd, PIOCRELEVCTRS) == -1 && errno == EINVAL);
}

/* Nor are there profiles while the counters are in use in system mode. */
static void
check_profile_busy(void)
{
	static unsigned short bucket[16];
	struct prof prof = {
		.pr_base = (void *)bucket,
		.pr_size = sizeof bucket,
		.pr_scale = 0x10000,
	};
	hwperf_profevctrarg_t profile = arg;

	profile.hwp_ovflw_freq[19] = 1000;
	CHECK(syssgi(SGI_EVENTCTR, HWPERF_PROFENABLE, &profile, NOWHERE, 1) ==
		      -1 && errno == EFAULT);
	CHECK(syssgi(SGI_EVENTCTR, HWPERF_PROFENABLE, NOWHERE, &prof, 1) ==
		      -1 && errno == EFAULT);
	CHECK(syssgi(SGI_EVENTCTR, HWPERF_PROFENABLE, &profile, &prof, 1) ==
		      -1 && errno == EBUSY);
}

static void
check_system_mode(int fd)
{
	hwperf_eventctrl_t control;
	long generation;
	int mine;

	CHECK(syssgi(SGI_EVENTCTR, HWPERF_GET_SYSCNTRS, &counts) == -1 &&
	      errno == EINVAL);
	CHECK(syssgi(SGI_EVENTCTR, HWPERF_GET_SYSEVCTRL, &control) == -1 &&
	      errno == EINVAL);
	CHECK(syssgi(SGI_EVENTCTR, HWPERF_RELSYSCNTRS) == -1 &&
	      errno == EINVAL);
	count_two(15, 19, HWPERF_CNTEN_U);
	mine = ioctl(fd, PIOCENEVCTRS, &arg);
	CHECK(syssgi(SGI_EVENTCTR, HWPERF_ENSYSCNTRS, &arg) == -1 &&
	      errno == EINVAL);
	count_two(15, 19, HWPERF_CNTEN_U | HWPERF_CNTEN_K);
	CHECK(ioctl(fd, PIOCENEVCTRS, &arg) == -1 && errno == EBUSY);
	CHECK(syssgi(SGI_EVENTCTR, HWPERF_SET_SYSEVCTRL, &arg) == -1 &&
	      errno == EINVAL);
	CHECK(syssgi(SGI_EVENTCTR, HWPERF_ENSYSCNTRS, NOWHERE) == -1 &&
	      errno == EFAULT);
	generation = syssgi(SGI_EVENTCTR, HWPERF_ENSYSCNTRS, &arg);
	CHECK(generation > 0);
	CHECK(syssgi(SGI_EVENTCTR, HWPERF_GET_SYSCNTRS, NOWHERE) == -1 &&
	      errno == EFAULT);
	CHECK(syssgi(SGI_EVENTCTR, HWPERF_GET_SYSEVCTRL, NOWHERE) == -1 &&
	      errno == EFAULT);
	CHECK(syssgi(SGI_EVENTCTR, HWPERF_ENSYSCNTRS, &arg) == -1 &&
	      errno == EBUSY);
	CHECK(syssgi(SGI_EVENTCTR, HWPERF_GET_SYSEVCTRL, &control) ==
	      generation);
	CHECK(!memcmp(&control, &arg.hwp_evctrargs, sizeof control));
	/* What was lost shows in the generation. */
	CHECK(ioctl(fd, PIOCGETEVCTRS, &counts) == mine + 1);
	count_two(15, 19, HWPERF_CNTEN_U);
	CHECK(ioctl(fd, PIOCENEVCTRS, &arg) == -1 && errno == EBUSY);
	check_profile_busy();
	work(100000);
	CHECK(syssgi(SGI_EVENTCTR, HWPERF_GET_SYSCNTRS, &counts) ==
	      generation);
	CHECK(counts.hwp_evctr[19] >= 100000);
	CHECK(syssgi(SGI_EVENTCTR, HWPERF_GET_CPUCNTRS, 0, &counts) ==
	      generation);
	CHECK(counts.hwp_evctr[19] >= 100000);
	CHECK(syssgi(SGI_EVENTCTR, HWPERF_GET_CPUCNTRS, 1, &counts) ==
	      generation);
	CHECK(counts.hwp_evctr[19] == 0);
	CHECK(syssgi(SGI_EVENTCTR, HWPERF_GET_CPUCNTRS, 2, &counts) == 0);
	count_two(14, 19, HWPERF_CNTEN_K);
	CHECK(syssgi(SGI_EVENTCTR, HWPERF_SET_SYSEVCTRL, &arg) ==
	      generation + 1);
	CHECK(syssgi(SGI_EVENTCTR, HWPERF_RELSYSCNTRS) == 0);
	count_two(15, 19, HWPERF_CNTEN_U);
	CHECK(ioctl(fd, PIOCENEVCTRS, &arg) > mine + 1);
	CHECK(ioctl(fd, PIOCRELEVCTRS) == 0);
}

/* In system mode through /proc: the whole machine counts. */
static void
check_system_process(int fd)
{
	int generation, status;
	pid_t pid;

	count_two(15, 19, HWPERF_CNTEN_U | HWPERF_CNTEN_K);
	generation = ioctl(fd, PIOCENEVCTRS, &arg);
	CHECK(generation > 0);
	pid = fork();
	if (pid == 0) {
		work(1000000);
		_exit(0);
	}
	CHECK(waitpid(pid, &status, 0) == pid && status == 0);
	CHECK(ioctl(fd, PIOCGETEVCTRS, &counts) == generation);
	CHECK(counts.hwp_evctr[19] >= 1000000);
	CHECK(syssgi(SGI_EVENTCTR, HWPERF_GET_SYSCNTRS, &counts) ==
	      generation);
	CHECK(ioctl(fd, PIOCRELEVCTRS) == 0);
	CHECK(ioctl(fd, PIOCGETEVCTRS, &counts) == generation);
	CHECK(counts.hwp_evctr[19] >= 1000000);
}

static void *
store_many(void *unused)
{
	work(300000);
	return unused;
}

/* Each CPU has its own counts, and they add up to the system's. */
static void
check_cpus(void)
{
	hwperf_cntr_t sum, cpu[2];
	pthread_t thread[2];
	long generation;

	count_two(15, 19, HWPERF_CNTEN_U | HWPERF_CNTEN_K);
	generation = syssgi(SGI_EVENTCTR, HWPERF_ENSYSCNTRS, &arg);
	CHECK(generation > 0);
	for (int i = 0; i < 2; i++)
		CHECK(pthread_create(&thread[i], NULL, store_many, NULL) == 0);
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	for (int i = 0; i < 2; i++)
		CHECK(syssgi(SGI_EVENTCTR, HWPERF_GET_CPUCNTRS, i, &cpu[i]) ==
		      generation);
	CHECK(syssgi(SGI_EVENTCTR, HWPERF_GET_SYSCNTRS, &sum) == generation);
	CHECK(syssgi(SGI_EVENTCTR, HWPERF_GET_CPUCNTRS, 2, &counts) == 0);
	CHECK(syssgi(SGI_EVENTCTR, HWPERF_RELSYSCNTRS) == 0);
	for (int event = 15; event <= 19; event += 4) {
		unsigned long long both = cpu[0].hwp_evctr[event] +
					  cpu[1].hwp_evctr[event];

		CHECK(cpu[0].hwp_evctr[event] >= 300000);
		CHECK(cpu[1].hwp_evctr[event] >= 300000);
		/* Reading them costs a few more. */
		CHECK(sum.hwp_evctr[event] >= both);
		CHECK(sum.hwp_evctr[event] - both < 20000);
	}
}

/* What only the superuser may. */
static void
check_privileges(int fd)
{
	CHECK(pmcsim_guest_set_uid(1000) == 0);
	count_two(15, 19, HWPERF_CNTEN_K);
	CHECK(ioctl(fd, PIOCENEVCTRS, &arg) == -1 && errno == EPERM);
	count_two(15, 19, HWPERF_CNTEN_S);
	CHECK(ioctl(fd, PIOCENEVCTRS, &arg) == -1 && errno == EPERM);
	count_two(15, 19, HWPERF_CNTEN_K);
	CHECK(syssgi(SGI_EVENTCTR, HWPERF_ENSYSCNTRS, &arg) == -1 &&
	      errno == EPERM);
	CHECK(syssgi(SGI_EVENTCTR, HWPERF_SET_SYSEVCTRL, &arg) == -1 &&
	      errno == EPERM);
	CHECK(syssgi(SGI_EVENTCTR, HWPERF_RELSYSCNTRS) == -1 &&
	      errno == EPERM);
	count_two(15, 19, HWPERF_CNTEN_U | HWPERF_CNTEN_E);
	CHECK(ioctl(fd, PIOCENEVCTRS, &arg) > 0);
	CHECK(ioctl(fd, PIOCRELEVCTRS) == 0);
}

/* A process of another group, for the superuser and for others. */
static void
check_other_process(void)
{
	int pair[2], fd;
	pid_t pid;
	char c = 0;

	CHECK(pipe(pair) == 0);
	pid = fork();
	if (pid == 0) {
		setpgid(0, 0);
		while (write(pair[1], &c, 1) == 1)
			work(1000);
		_exit(0);
	}
	CHECK(read(pair[0], &c, 1) == 1);
	fd = open_process("/proc/%05d", O_RDWR, pid);
	CHECK(fd >= 0);
	count_two(15, 19, HWPERF_CNTEN_U);
	CHECK(ioctl(fd, PIOCENEVCTRS, &arg) > 0);
	for (int i = 0; i < 70000; i++)
		CHECK(read(pair[0], &c, 1) == 1);
	CHECK(ioctl(fd, PIOCGETEVCTRS, &counts) > 0);
	CHECK(counts.hwp_evctr[19] >= 1000);
	CHECK(pmcsim_guest_set_uid(1000) == 0);
	CHECK(ioctl(fd, PIOCGETEVCTRS, &counts) == -1 && errno == EPERM);
	CHECK(ioctl(fd, PIOCRELEVCTRS) == -1 && errno == EPERM);
	CHECK(open_process("/proc/%05d", O_RDWR, pid) == -1 &&
	      errno == EACCES);
	kill(pid, SIGKILL);
	CHECK(waitpid(pid, NULL, 0) == pid);
	CHECK(ioctl(fd, PIOCGETEVCTRS, &counts) == -1 && errno == ENOENT);
	close(fd);
	CHECK(open_process("/proc/%010d", O_RDONLY, pid) == -1 &&
	      errno == ENOENT);
}

int
main(int argc, char **argv)
{
	int fd;

	check_paths();
	fd = open_self();
	if (argc > 1 && strcmp(argv[1], "cpus") == 0) {
		check_cpus();
	} else if (argc > 1 && strcmp(argv[1], "idle") == 0) {
		check_idle_parent(fd);
	} else if (argc > 1) {
		check_privileges(fd);
	} else {
		check_arguments(fd);
		check_user_mode(fd);
		check_library(fd);
		check_usage(fd);
		check_children(fd);
		check_child_of_its_own(fd);
		check_system_mode(fd);
		check_system_process(fd);
		check_other_process();
	}
	puts("done");
	return check_failures != 0;
}
