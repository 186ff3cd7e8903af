/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands that fetching needs, which end with it. */
#include "engine_fetch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* What env(1) ends with if there is no such program. */
#define NOT_FOUND 127
#define LOOK_NS 20000000	/* where a process cannot be waited for */
#define PATIENCE_NS 3000000000	/* for one that is asked to end */

extern char **environ;

static bool
is_stopped(const struct fetch *f)
{
	return f->how->stop && *f->how->stop;
}

int
fetch_ended(struct fetch *f, int rc)
{
	return rc && is_stopped(f)
		? engine_fail(f->error, -EINTR, "stopped; what has been "
			      "fetched is removed") : rc;
}

/* In a group of its own, with the signals as they were. */
static int
start(struct fetch *f, const char *const argv[], const sigset_t *mask,
      pid_t *pid)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	int rc = posix_spawn_file_actions_init(&files);

	if (rc)
		return -rc;
	rc = posix_spawnattr_init(&attr);
	if (rc) {
		posix_spawn_file_actions_destroy(&files);
		return -rc;
	}
	posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&files, 1, f->log,
					 O_WRONLY | O_CREAT | O_TRUNC, 0666);
	posix_spawn_file_actions_adddup2(&files, 1, 2);
	posix_spawnattr_setpgroup(&attr, 0);
	posix_spawnattr_setsigmask(&attr, mask);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETPGROUP |
				 POSIX_SPAWN_SETSIGMASK);
	rc = posix_spawnp(pid, argv[0], &files, &attr, (char **)argv, environ);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&files);
	return -rc;
}

/* Until it has ended, a signal comes (only now are they let in), or the time is
 * over; true if it has ended. */
static bool
wait_some_time(int fd, pid_t pid, long long ns, const sigset_t *mask)
{
	struct pollfd ended = {.fd = fd, .events = POLLIN};
	const struct timespec t = {ns / 1000000000, ns % 1000000000};
	siginfo_t info = {.si_pid = 0};

	if (fd < 0) {
		const struct timespec look = {0, LOOK_NS};

		ppoll(NULL, 0, &look, mask);
	} else {
		ppoll(&ended, 1, ns ? &t : NULL, mask);
	}
	return !waitid(P_PID, (id_t)pid, &info,
		       WEXITED | WNOHANG | WNOWAIT) && info.si_pid == pid;
}

/* Its status, when it and all that it has started have ended. */
static int
wait_for(const struct fetch *f, pid_t pid, const sigset_t *mask)
{
	int fd = (int)syscall(SYS_pidfd_open, pid, 0), status;
	bool asked = false;

	while (!wait_some_time(fd, pid, asked ? PATIENCE_NS : 0, mask)) {
		if (!is_stopped(f))
			continue;
		kill(-pid, asked ? SIGKILL : SIGTERM);
		asked = true;
	}
	if (asked)
		kill(-pid, SIGKILL);
	if (fd >= 0)
		close(fd);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	if (asked)
		return -EINTR;
	if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_FOUND)
		return -ENOENT;
	return WIFEXITED(status) && !WEXITSTATUS(status) ? 0 : -EIO;
}

int
fetch_run_in(struct fetch *f, const char *folder, const char *const argv[])
{
	const char *full[32] = { "env", "-C", folder, "LC_ALL=C", NULL };
	sigset_t signals, before;
	pid_t pid;
	int rc;

	for (size_t n = 4; *argv && n < 31; n++)
		full[n] = *argv++;
	if (*argv)
		return -E2BIG;
	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGHUP);
	sigprocmask(SIG_BLOCK, &signals, &before);
	rc = is_stopped(f) ? -EINTR : start(f, full, &before, &pid);
	if (!rc)
		rc = wait_for(f, pid, &before);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return rc;
}

int
fetch_run(struct fetch *f, const char *const argv[])
{
	return fetch_run_in(f, ".", argv);
}
