/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processes: fork, exec and their relatives, ends, what is told of them. */
#include "sample.h"

#include <poll.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>

extern char **environ;

static void
exits(void)
{
	static const int status[] = {0, 1, 127, 255, 256 + 3};

	for (int i = 0; i < 5; i++) {
		pid_t pid = fork();

		if (!pid)
			_exit(status[i]);
		say_end(pid);
	}
}

static void
said_at_exit(void)
{
	SAY("at exit\n");
}

static void
exit_functions(void)
{
	atexit(said_at_exit);
	if (!fork())
		exit(2);
	wait(NULL);
	exit(5);
}

static void
copies_of_memory(void)
{
	static int shared = 1;
	int pipes[2], got = 0;
	pid_t pid;

	pipe(pipes);
	pid = fork();
	if (!pid) {
		shared = 7;
		write(pipes[1], &shared, sizeof shared);
		_exit(0);
	}
	say_end(pid);
	read(pipes[0], &got, sizeof got);
	SAY("%d %d\n", shared, got);
}

static void
generations(int n)
{
	pid_t pid;

	if (!n)
		_exit(40);
	pid = fork();
	if (!pid)
		generations(n - 1);
	say_end(pid);
	if (n < 5)
		_exit(40 + n);
}

static void
nested_forks(void)
{
	generations(5);
}

static void
many_children(void)
{
	int sum = 0, status;

	for (int i = 0; i < 20; i++)
		if (!fork())
			_exit(i);
	while (wait(&status) > 0)
		sum += WEXITSTATUS(status);
	SAY("%d %s\n", sum, strerrorname_np(errno));
}

static void
vfork_shares(void)
{
	pid_t pid = vfork();

	if (!pid)
		_exit(6);
	say_end(pid);
}

/* The parent goes on when the child has ended, whatever that has closed. */
static void
vfork_waits(void)
{
	pid_t pid = vfork();

	if (!pid) {
		for (int fd = 3; fd < 1100; fd++)
			dup2(1, fd);
		for (int fd = 3; fd < 1100; fd += 2)
			close(fd);
		close_range(3, ~0u, 0);
		for (volatile int i = 0; i < 300000; i++)
			;
		if (write(1, "the child\n", 10) != 10)
			_exit(1);
		_exit(0);
	}
	SAY("the parent\n");
	say_end(pid);
}

static void
executes(void)
{
	char *const words[] = {"sh", "-c", "echo \"$0 $1 $V\"; exit 3", "a b",
			       "c", NULL};
	char *const variables[] = {"V=value", NULL};
	pid_t pid = fork();

	if (!pid) {
		execve("/bin/sh", words, variables);
		_exit(99);
	}
	say_end(pid);
}

static void
executes_not(void)
{
	char *const words[] = {"x", NULL};
	int fd = open("none", O_CREAT | O_WRONLY, 0644);

	DO(execve("/no/such/program", words, environ));
	DO(execve("/", words, environ));
	DO(execve("/etc/passwd", words, environ));
	DO(execve("none", words, environ));
	DO(execve(NULL, words, environ));
	close(fd);
	chmod("none", 0755);
	DO(execve("none", words, environ));
	unlink("none");
	DO(execl("/bin/sh/x", "x", NULL));
}

static void
write_script(const char *path, const char *text)
{
	int fd = open(path, O_CREAT | O_WRONLY | O_TRUNC, 0755);

	write(fd, text, strlen(text));
	close(fd);
}

static void
executes_scripts(void)
{
	pid_t pid;

	write_script("script", "#!/bin/sh -e\necho \"$0\" \"$@\"\n");
	write_script("nested", "#!./script with words\n");
	write_script("nowhere", "#!/no/interpreter\n");
	for (int i = 0; i < 2; i++) {
		pid = fork();
		if (!pid) {
			execl(i ? "./nested" : "./script", "zero", "one",
			      "two", NULL);
			_exit(98);
		}
		say_end(pid);
	}
	DO(execl("./nowhere", "x", NULL));
	unlink("script");
	unlink("nested");
	unlink("nowhere");
}

static void
executes_at(void)
{
	char *const words[] = {"sh", "-c", "echo here", NULL};
	pid_t pid;
	int fd;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		fd = open("/bin", O_PATH);
		execveat(fd, "sh", words, environ, 0);
		_exit(97);
	}
	say_end(pid);
	pid = fork();
	if (!pid) {
		fd = open("/bin/sh", O_RDONLY | O_CLOEXEC);
		execveat(fd, "", words, environ, AT_EMPTY_PATH);
		_exit(97);
	}
	say_end(pid);
	pid = fork();
	if (!pid) {
		fexecve(open("/bin/sh", O_RDONLY), words, environ);
		_exit(97);
	}
	say_end(pid);
}

static void
spawns(void)
{
	char *const words[] = {"sh", "-c", "exit 12", NULL};
	pid_t pid;

	SAY("%d\n", posix_spawn(&pid, "/bin/sh", NULL, NULL, words, environ));
	say_end(pid);
	SAY("%d\n", posix_spawnp(&pid, "sh", NULL, NULL, words, environ));
	say_end(pid);
}

static void
spawns_not(void)
{
	char *const words[] = {"x", NULL};
	pid_t pid;

	SAY("%s\n", strerrorname_np(posix_spawn(&pid, "/no/such", NULL, NULL,
						words, environ)));
	SAY("%s\n", strerrorname_np(posix_spawnp(&pid, "no-such-program", NULL,
						 NULL, words, environ)));
	DO(waitpid(-1, NULL, 0));
}

static void
spawns_with_actions(void)
{
	char *const words[] = {"sh", "-c", "cat; echo error >&2", NULL};
	posix_spawn_file_actions_t a;
	posix_spawnattr_t attributes;
	char text[64];
	int pipes[2];
	pid_t pid;
	ssize_t n;

	pipe(pipes);
	posix_spawn_file_actions_init(&a);
	posix_spawn_file_actions_addopen(&a, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&a, pipes[1], 2);
	posix_spawn_file_actions_addclose(&a, pipes[0]);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setpgroup(&attributes, 0);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP |
				 POSIX_SPAWN_SETSIGDEF);
	SAY("%d\n", posix_spawn(&pid, "/bin/sh", &a, &attributes, words,
				environ));
	n = read(pipes[0], text, sizeof text);
	SAY("%.*s", (int)n, text);
	say_end(pid);
}

static void
runs_commands(void)
{
	char line[100];
	FILE *f;

	SAY("%d\n", WEXITSTATUS(system("exit 4")));
	f = popen("echo from a pipe", "r");
	fgets(line, sizeof line, f);
	SAY("%s%d\n", line, pclose(f));
	f = popen("cat", "w");
	fputs("to a pipe\n", f);
	SAY("%d\n", pclose(f));
}

static void
closed_on_exec(void)
{
	int kept = open("/dev/null", O_RDONLY);
	int closed = open("/dev/null", O_RDONLY | O_CLOEXEC);
	char command[200];

	snprintf(command, sizeof command, "[ -e /proc/self/fd/%d ]; echo $?; "
		 "[ -e /proc/self/fd/%d ]; echo $?", kept, closed);
	system(command);
}

static void
pid_descriptor(void)
{
	struct pollfd p = {.events = POLLIN};
	siginfo_t info = {0};
	pid_t pid = fork();

	if (!pid) {
		pause();
		_exit(0);
	}
	p.fd = (int)syscall(SYS_pidfd_open, pid, 0);
	DO(poll(&p, 1, 0));
	DO(syscall(SYS_pidfd_send_signal, p.fd, SIGTERM, NULL, 0));
	DO(poll(&p, 1, -1));
	DO(waitid(P_PIDFD, (id_t)p.fd, &info, WEXITED));
	SAY("%d %d\n", info.si_code, info.si_status);
}

static void
pid_descriptor_of_clone(void)
{
	static const unsigned long flags[] = {
		CLONE_PIDFD | SIGCHLD, CLONE_PIDFD | CLONE_VFORK | SIGCHLD,
		CLONE_PIDFD | CLONE_UNTRACED | CLONE_SYSVSEM | SIGCHLD};

	for (unsigned i = 0; i < sizeof flags / sizeof *flags; i++) {
		siginfo_t info = {0};
		int fd = -1;
		long pid = syscall(SYS_clone, flags[i], 0, &fd, 0, 0);

		if (!pid)
			_exit(fd == -1 ? 21 : 22);
		SAY("%d\n", fcntl(fd, F_GETFD));
		DO(waitid(P_PIDFD, (id_t)fd, &info, WEXITED));
		SAY("%d %d %d\n", info.si_code, info.si_status,
		    info.si_pid == pid);
		close(fd);
	}
}

static long
clone_with(unsigned long flags)
{
	return syscall(SYS_clone, flags, 0, 0, 0, 0);
}

static volatile int got;

static void
get_signal(int s)
{
	got = s;
}

/* What a child shares with its parent, or tells it. */
static void
kinds_of_clone(void)
{
	int fd = dup(1), status = 0;
	char folder[64];
	long pid;

	if (!clone_with(CLONE_FS | SIGCHLD)) {
		chdir("/usr");
		_exit(0);
	}
	DO(wait(NULL) > 0);
	SAY("%s\n", getcwd(folder, sizeof folder));
	if (!clone_with(CLONE_FILES | SIGCHLD)) {
		close(fd);
		_exit(0);
	}
	DO(wait(NULL) > 0);
	DO(fcntl(fd, F_GETFD));
	signal(SIGUSR1, get_signal);
	pid = clone_with(SIGUSR1);
	if (!pid)
		_exit(4);
	DO(waitpid((pid_t)pid, &status, 0));
	while (waitpid((pid_t)pid, &status, __WALL) != pid)
		;
	DO(WEXITSTATUS(status));
	DO(got);
	pid = clone_with(0);
	if (!pid) {
		malloc(100);
		system("echo of none");
		_exit(5);
	}
	DO(waitpid((pid_t)pid, &status, __WCLONE) == pid);
	DO(WEXITSTATUS(status));
	if (!fork()) {
		if (!clone_with(CLONE_PARENT | SIGCHLD))
			_exit(6);
		_exit(wait(NULL) == -1 ? 6 : 7);
	}
	DO(wait(&status) > 0 && WEXITSTATUS(status) == 6);
	DO(wait(&status) > 0 && WEXITSTATUS(status) == 6);
	DO(wait(&status));
	DO(clone_with(CLONE_NEWNS | CLONE_FS | SIGCHLD));
}

static void
say_process(void)
{
	char name[16] = "";

	SAY("%d\n", getpid());
	sethostname("other", 5);
	gethostname(name, sizeof name);
	SAY("%s\n", name);
	if (!fork()) {
		SAY("%d\n", getpid());
		_exit(0);
	}
	wait(NULL);
	execlp("sh", "sh", "-c", "echo $$", (char *)NULL);
}

/* Of a user that may, in spaces of its own. */
static void
spaces_of_clone(void)
{
	static const unsigned long spaces[] = {
		CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWUTS,
		CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWUTS | CLONE_NEWNS |
			CLONE_NEWIPC | CLONE_NEWNET | CLONE_NEWCGROUP};

	for (unsigned i = 0; i < 4; i++) {
		long pid = clone_with(spaces[i / 2] | SIGCHLD |
				      (i & 1 ? CLONE_VFORK : 0));

		if (!pid) {
			say_process();
			_exit(1);
		}
		if (pid < 0)
			SAY("%s\n", strerrorname_np(errno));
		else
			DO(waitpid((pid_t)pid, NULL, 0) == pid);
	}
}

static void
waits_in_ways(void)
{
	siginfo_t info = {0};
	struct rusage usage;
	pid_t pid = fork();
	int status;

	if (!pid)
		_exit(11);
	DO(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT));
	SAY("%d %d\n", info.si_code, info.si_status);
	DO(wait4(pid, &status, 0, &usage) == pid);
	SAY("%d\n", WEXITSTATUS(status));
	DO(waitpid(pid, &status, 0));
	DO(waitpid(-1, &status, WNOHANG));
	DO(waitpid(1, &status, 0));
}

static void
daemons(void)
{
	int pipes[2];
	char text[8] = "";

	pipe(pipes);
	fflush(stdout);
	if (!fork()) {
		setsid();
		if (!fork()) {
			usleep(1000);
			write(pipes[1], "daemon", 7);
			_exit(0);
		}
		_exit(0);
	}
	wait(NULL);
	DO(read(pipes[0], text, sizeof text));
	SAY("%s\n", text);
}

static void
orphans_are_adopted(void)
{
	int status, sum = 0;

	DO(prctl(PR_SET_CHILD_SUBREAPER, 1));
	if (!fork()) {
		if (!fork())
			_exit(21);
		_exit(20);
	}
	while (wait(&status) > 0)
		sum += WEXITSTATUS(status);
	SAY("%d\n", sum);
}

static void
death_signal(void)
{
	int pipes[2], set[2];
	char c = 0;

	pipe(pipes);
	pipe(set);
	if (!fork()) {
		if (!fork()) {
			int signal = 0;

			prctl(PR_SET_PDEATHSIG, SIGTERM);
			prctl(PR_GET_PDEATHSIG, &signal);
			write(pipes[1], signal == SIGTERM ? "y" : "n", 1);
			write(set[1], "x", 1);
			pause();
		}
		read(set[0], &c, 1);
		_exit(0);
	}
	close(pipes[1]);
	DO(read(pipes[0], &c, 1));
	SAY("%c\n", c);
	DO(read(pipes[0], &c, 1));
	wait(NULL);
}

static void
removed_program(void)
{
	char path[64];
	int status;
	pid_t pid;

	system("cp /bin/true removed-program");
	pid = fork();
	if (!pid) {
		int fd = open("removed-program", O_RDONLY);

		unlink("removed-program");
		snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
		execl(path, "true", NULL);
		_exit(77);
	}
	waitpid(pid, &status, 0);
	SAY("%d\n", WEXITSTATUS(status));
}

/* What /proc says of a child that has executed another program. */
static void
others_are_told(void)
{
	char path[64], text[4096] = "", *slash;
	struct stat is, seen;
	int ends[2];
	pid_t pid;
	ssize_t n;

	DO(pipe2(ends, O_CLOEXEC));
	pid = fork();
	if (!pid) {
		execl("/bin/sleep", "another name", "100", NULL);
		_exit(77);
	}
	close(ends[1]);
	DO(read(ends[0], text, 1));
	snprintf(path, sizeof path, "/proc/%d/cmdline", pid);
	/* Descriptors are closed before it has its arguments. */
	do {
		int fd = open(path, O_RDONLY);

		n = read(fd, text, sizeof text);
		close(fd);
	} while (!n);
	for (ssize_t i = 0; i < n; i++)
		putchar(text[i] ? text[i] : '|');
	snprintf(path, sizeof path, "/proc/%d/exe", pid);
	n = readlink(path, text, sizeof text - 1);
	text[n > 0 ? n : 0] = '\0';
	slash = strrchr(text, '/');
	SAY("\n%s\n", slash ? slash + 1 : text);
	DO(stat("/bin/sleep", &is));
	DO(!stat(path, &seen) && seen.st_ino == is.st_ino);
	kill(pid, SIGKILL);
	DO(waitpid(pid, NULL, 0) == pid);
}

static const struct sample samples[] = {
	SAMPLE(exits), SAMPLE(exit_functions), SAMPLE(copies_of_memory),
	SAMPLE(nested_forks), SAMPLE(many_children), SAMPLE(vfork_shares),
	SAMPLE(vfork_waits),
	SAMPLE(executes), SAMPLE(executes_not), SAMPLE(executes_scripts),
	SAMPLE(executes_at), SAMPLE(spawns), SAMPLE(spawns_not),
	SAMPLE(spawns_with_actions), SAMPLE(runs_commands),
	SAMPLE(closed_on_exec), SAMPLE(pid_descriptor),
	SAMPLE(pid_descriptor_of_clone), SAMPLE(kinds_of_clone),
	SAMPLE(spaces_of_clone), SAMPLE(waits_in_ways),
	SAMPLE(daemons), SAMPLE(orphans_are_adopted), SAMPLE(death_signal),
	SAMPLE(removed_program), SAMPLE(others_are_told),
};

SAMPLES(samples)
