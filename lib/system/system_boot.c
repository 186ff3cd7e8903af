/* SPDX-License-Identifier: GPL-2.0-or-later */
/* QEMU's system emulator as a child: started, listened to, ended. */
#include "engine/clock.h"
#include "engine/engine.h"
#include "system_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MEMORY_LIMIT (6ull << 30)	/* of addresses */
#define CPU_SECONDS 7200
#define END_MS 3000
#define MAX_ARGS 64
#define FILE_VERSION 9		/* of QEMU; 8.2 would do */

/* Options of all boards. */
static const char *const usual[] = {
	"-accel", "tcg,thread=single,tb-size=256", "-display", "none",
	"-nodefaults", "-no-user-config", "-no-reboot", "-net", "none",
	"-monitor", "none", "-serial", "stdio", NULL
};

/* A command line that is put together; text keeps what is made for it. */
struct line {
	const char *argv[MAX_ARGS];
	unsigned n;
	char kernel[PATH_MAX], initrd[PATH_MAX], share[PATH_MAX + 64];
	char in[32], monitor[64];
};

static void
add(struct line *l, const char *option, const char *value)
{
	if (l->n + 3 > MAX_ARGS)
		return;
	l->argv[l->n++] = option;
	if (value)
		l->argv[l->n++] = value;
}

/* How QEMU reads the snapshot: from a descriptor, which newer ones complain
 * about, or by its name, which older ones do not know. */
static void
add_snapshot(struct line *l, const struct system_boot *b, int snapshot)
{
	struct engine_info info;

	if (!pmcsim_engine_inspect(b->qemu, &info) &&
	    strtoul(info.version, NULL, 10) >= FILE_VERSION)
		snprintf(l->in, sizeof l->in, "file:" SYSTEM_SNAPSHOT);
	else
		snprintf(l->in, sizeof l->in, "fd:%d", snapshot);
	add(l, "-incoming", l->in);
}

static void
make_line(struct line *l, const struct system_boot *b, int snapshot,
	  int monitor)
{
	add(l, b->qemu, NULL);
	for (const char *const *o = usual; *o; o++)
		add(l, *o, NULL);
	for (const char *const *o = b->board->machine; *o; o++)
		add(l, *o, NULL);
	snprintf(l->kernel, PATH_MAX, "%s/" SYSTEM_KERNEL, b->folder);
	snprintf(l->initrd, PATH_MAX, "%s/" SYSTEM_INITRD, b->folder);
	snprintf(l->share, sizeof l->share,
		 "local,id=job,security_model=none,path=%s", b->job);
	add(l, "-kernel", l->kernel);
	add(l, "-initrd", l->initrd);
	add(l, "-append", b->board->append);
	add(l, "-fsdev", l->share);
	add(l, "-device", "virtio-9p-pci,fsdev=job,mount_tag=job");
	if (b->plugin)
		add(l, "-plugin", b->plugin);
	if (b->restore)
		add_snapshot(l, b, snapshot);
	snprintf(l->monitor, sizeof l->monitor, "socket,id=qmp,fd=%d",
		 monitor);
	add(l, "-chardev", l->monitor);
	add(l, "-mon", "chardev=qmp,mode=control");
	l->argv[l->n] = NULL;
}

static void
bound(void)
{
	const struct rlimit memory = {MEMORY_LIMIT, MEMORY_LIMIT};
	const struct rlimit cpu = {CPU_SECONDS, CPU_SECONDS};
	const struct rlimit core = {0, 0};

	setrlimit(RLIMIT_AS, &memory);
	setrlimit(RLIMIT_CPU, &cpu);
	setrlimit(RLIMIT_CORE, &core);
}

/* In the child: its signals are usual ones, its streams the console. */
static _Noreturn void
become_qemu(struct line *l, const char *folder, int in, int out, pid_t parent)
{
	static const int usual_ones[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT,
					 SIGPIPE, SIGCHLD};
	sigset_t none;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(127);
	for (size_t i = 0; i < sizeof usual_ones / sizeof *usual_ones; i++)
		signal(usual_ones[i], SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	setpgid(0, 0);
	bound();
	if (dup2(in, 0) < 0 || dup2(out, 1) < 0 || chdir(folder))
		_exit(127);
	execv(l->argv[0], (char **)l->argv);
	_exit(127);
}

/* Pipes to and from the console, and a socket for the monitor. */
static int
open_ends(int to[2], int from[2], int qmp[2])
{
	if (pipe2(to, O_CLOEXEC) || pipe2(from, O_CLOEXEC))
		return -errno;
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, qmp) ||
	    fcntl(qmp[0], F_SETFD, FD_CLOEXEC))
		return -errno;
	return 0;
}

static void
close_all(const int *fd, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (fd[i] >= 0)
			close(fd[i]);
}

int
system_boot(const struct system_boot *b, struct system_qemu *q)
{
	/* to, from, monitor; snapshot */
	int fd[7] = {-1, -1, -1, -1, -1, -1, -1};
	struct line line = {.n = 0};
	char path[PATH_MAX];
	pid_t parent = getpid();
	int rc = open_ends(fd, fd + 2, fd + 4);

	*q = (struct system_qemu){.pid = -1, .console = {-1, -1},
				  .monitor = -1};
	snprintf(path, sizeof path, "%s/" SYSTEM_SNAPSHOT, b->folder);
	if (!rc && b->restore) {
		fd[6] = open(path, O_RDONLY);
		rc = fd[6] < 0 ? -errno : 0;
	}
	make_line(&line, b, fd[6], fd[5]);
	if (!rc) {
		q->pid = fork();
		rc = q->pid < 0 ? -errno : 0;
	}
	if (!rc && !q->pid)
		become_qemu(&line, b->folder, fd[0], fd[3], parent);
	if (rc) {
		close_all(fd, 7);
		return rc;
	}
	close(fd[0]);
	close(fd[3]);
	close_all(fd + 5, 2);
	q->console[0] = fd[2];
	q->console[1] = fd[1];
	q->monitor = fd[4];
	return 0;
}

/* Adds a character of the console; true if a line is complete. */
static bool
take(struct system_qemu *q, char c)
{
	if (c != '\n' && c != '\r' && q->n < sizeof q->line - 1) {
		q->line[q->n++] = c;
		return false;
	}
	q->line[q->n] = '\0';
	q->n = 0;
	return true;
}

int
system_await(struct system_qemu *q, const char *text, int seconds,
	     const volatile int *stop, char *rest, size_t size)
{
	struct pollfd poll_fd = {.fd = q->console[0], .events = POLLIN};
	long until = clock_ms() + seconds * 1000l;
	size_t length = strlen(text);

	while (!stop || !*stop) {
		long left = until - clock_ms();
		ssize_t n = 0;
		char c;

		if (left <= 0)
			return -ETIMEDOUT;
		n = poll(&poll_fd, 1, left > 1000 ? 1000 : (int)left);
		if (n <= 0)
			continue;
		if (read(q->console[0], &c, 1) != 1)
			return -EPIPE;
		if (take(q, c) && !strncmp(q->line, text, length)) {
			snprintf(rest, size, "%s", q->line + length);
			return 0;
		}
	}
	return -EINTR;
}

int
system_send(struct system_qemu *q, const char *line)
{
	size_t n = strlen(line);

	return write(q->console[1], line, n) == (ssize_t)n ? 0 : -EPIPE;
}

void
system_end(struct system_qemu *q)
{
	const struct timespec pause = {0, 5000000};
	const int fd[3] = {q->console[0], q->console[1], q->monitor};
	long until = clock_ms() + END_MS;

	if (q->pid > 0) {
		if (system_quit(q))
			kill(q->pid, SIGTERM);
		while (waitpid(q->pid, NULL, WNOHANG) == 0) {
			if (clock_ms() > until)
				kill(q->pid, SIGKILL);
			nanosleep(&pause, NULL);
		}
	}
	close_all(fd, 3);
	q->pid = -1;
}
