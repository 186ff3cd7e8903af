/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Small programs of one thing each, for engines: what they print and how they end
 * has to be the same under an engine as without one.  A file has many, in a table;
 * without an argument it prints their names, else it does the one of that name.
 */
#ifndef TESTS_SAMPLE_H
#define TESTS_SAMPLE_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct sample {
	const char *name;
	void (*run)(void);
};

#define SAMPLE(function) {#function, function}
#define PAGE 4096u

/* The call, and what came of it: a number, or the name of an error. */
#define DO(call)                                                          \
	({                                                                \
		long result_;                                             \
									  \
		errno = 0;                                                \
		result_ = (long)(call);                                   \
		if (result_ == -1)                                        \
			printf("%s: %s\n", #call,                         \
			       strerrorname_np(errno));                   \
		else                                                      \
			printf("%s: %ld\n", #call, result_);              \
		fflush(stdout);                                           \
		result_;                                                  \
	})

/* The same of one whose result is not the same in each run: whether it fails. */
#define WORKS(call)                                                       \
	({                                                                \
		__auto_type result_ = (call);                             \
									  \
		printf("%s: %s\n", #call,                                 \
		       (long)result_ == -1 ? strerrorname_np(errno)       \
					   : "works");                    \
		fflush(stdout);                                           \
		result_;                                                  \
	})

#define SAY(...) (printf(__VA_ARGS__), (void)fflush(stdout))

/* How a child has ended. */
static inline void
say_end(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid)
		SAY("no child: %s\n", strerrorname_np(errno));
	else if (WIFEXITED(status))
		SAY("exit %d\n", WEXITSTATUS(status));
	else
		SAY("signal %d\n", WTERMSIG(status));
}

/* Runs it in a child, and says how that has ended. */
static inline void
in_child(void (*run)(void))
{
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		run();
		fflush(stdout);
		_exit(0);
	}
	say_end(pid);
}

static inline void
catch(int s, void (*handler)(int), int flags)
{
	struct sigaction a = {.sa_handler = handler, .sa_flags = flags};

	sigemptyset(&a.sa_mask);
	sigaction(s, &a, NULL);
}

static inline void
catch_info(int s, void (*handler)(int, siginfo_t *, void *), int flags)
{
	struct sigaction a = {.sa_sigaction = handler,
			      .sa_flags = flags | SA_SIGINFO};

	sigemptyset(&a.sa_mask);
	sigaction(s, &a, NULL);
}

static inline void *
map(size_t size, int protection, int flags)
{
	return mmap(NULL, size, protection, flags | MAP_ANONYMOUS, -1, 0);
}

static inline int
sample_main(int argc, char **argv, const struct sample *table, size_t n)
{
	alarm(60);
	for (size_t i = 0; i < n; i++)
		if (argc < 2) {
			puts(table[i].name);
		} else if (!strcmp(table[i].name, argv[1])) {
			table[i].run();
			return 0;
		}
	return argc < 2 ? 0 : 64;
}

#define SAMPLES(table)                                                    \
	int                                                               \
	main(int argc, char **argv)                                       \
	{                                                                 \
		return sample_main(argc, argv, table,                     \
				   sizeof table / sizeof *table);         \
	}

#endif
