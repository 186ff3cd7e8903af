/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * To be loaded before the C library: in the program called FAULT_IN, call
 * FAULT_AT of malloc(), calloc() and realloc(), or of stat(), as FAULT says,
 * fails, and a byte is written to descriptor 9 then.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);

static long memory_at, stat_at;

__attribute__((constructor)) static void
begin(void)
{
	const char *in = getenv("FAULT_IN"), *what = getenv("FAULT");

	if (!in || !what || strcmp(in, program_invocation_short_name) != 0)
		return;
	*(strcmp(what, "stat") == 0 ? &stat_at : &memory_at) =
		atol(getenv("FAULT_AT"));
}

static bool
fails(long *at, int error)
{
	if (*at == 0 || --*at > 0)
		return false;
	(void)!write(9, "", 1);
	errno = error;
	return true;
}

void *
malloc(size_t n)
{
	return fails(&memory_at, ENOMEM) ? NULL : __libc_malloc(n);
}

void *
calloc(size_t n, size_t size)
{
	return fails(&memory_at, ENOMEM) ? NULL : __libc_calloc(n, size);
}

void *
realloc(void *p, size_t n)
{
	return fails(&memory_at, ENOMEM) ? NULL : __libc_realloc(p, n);
}

int
stat(const char *path, struct stat *st)
{
	int (*real)(const char *, struct stat *) =
		(int (*)(const char *, struct stat *))dlsym(RTLD_NEXT, "stat");

	return fails(&stat_at, ESTALE) ? -1 : real(path, st);
}
