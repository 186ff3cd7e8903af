/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spawn HOW TIMES PROGRAM [ARGUMENT...]: starts a program that many times,
 * one after the other, and prints how each ended if not with 0.
 *
 * HOW: fork, vfork, spawn (posix_spawn), system, popen, fexecve, memfd (a copy
 * without a path), thread (a child executes the program in its second thread)
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static pid_t
by_fork(char **argv)
{
	pid_t pid = fork();

	if (pid == 0) {
		execv(argv[0], argv);
		_exit(127);
	}
	return pid;
}

static pid_t
by_vfork(char **argv)
{
	pid_t pid = vfork();

	if (pid == 0) {
		execv(argv[0], argv);
		_exit(127);
	}
	return pid;
}

static pid_t
by_spawn(char **argv)
{
	pid_t pid;
	int error = posix_spawn(&pid, argv[0], NULL, NULL, argv, environ);

	return error ? -1 : pid;
}

/* Of a file, in memory. */
static int
copy_of(int file)
{
	int fd = memfd_create("copy", MFD_CLOEXEC);
	char data[4096];
	ssize_t n;

	while ((n = read(file, data, sizeof data)) > 0)
		if (write(fd, data, (size_t)n) != n)
			break;
	close(file);
	return fd;
}

/* Through a descriptor that is closed on exec. */
static pid_t
by_fexecve(char **argv, int copied)
{
	int fd = open(argv[0], O_RDONLY | O_CLOEXEC);
	pid_t pid;

	if (copied)
		fd = copy_of(fd);
	pid = fork();

	if (pid == 0) {
		fexecve(fd, argv, environ);
		_exit(127);
	}
	close(fd);
	return pid;
}

static void *
execute(void *argv)
{
	execv(((char **)argv)[0], argv);
	_exit(127);
}

static pid_t
by_thread(char **argv)
{
	pid_t pid = fork();
	pthread_t thread;

	if (pid == 0) {
		if (pthread_create(&thread, NULL, execute, argv))
			_exit(1);
		pthread_join(thread, NULL);
		_exit(2);
	}
	return pid;
}

static int
wait_for(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return status;
}

static int
by_popen(const char *command)
{
	FILE *f = popen(command, "r");
	int c;

	if (!f)
		return -1;
	while ((c = getc(f)) != EOF)
		putchar(c);
	return pclose(f);
}

static int
start(const char *how, char **argv)
{
	if (!strcmp(how, "fork"))
		return wait_for(by_fork(argv));
	if (!strcmp(how, "vfork"))
		return wait_for(by_vfork(argv));
	if (!strcmp(how, "spawn"))
		return wait_for(by_spawn(argv));
	if (!strcmp(how, "fexecve") || !strcmp(how, "memfd"))
		return wait_for(by_fexecve(argv, *how == 'm'));
	if (!strcmp(how, "thread"))
		return wait_for(by_thread(argv));
	if (!strcmp(how, "system"))
		return system(argv[0]);
	return by_popen(argv[0]);
}

int
main(int argc, char **argv)
{
	int times = argc > 3 ? atoi(argv[2]) : 0;

	if (times < 1)
		return 64;
	for (int i = 0; i < times; i++) {
		int status = start(argv[1], argv + 3);

		if (WIFSIGNALED(status))
			printf("signal %d\n", WTERMSIG(status));
		else if (status)
			printf("status %d\n", WEXITSTATUS(status));
	}
	return 0;
}
