/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What /proc says of other processes that this engine executes: of each the kernel
 * knows the engine, whose arguments tell the program and its own. */
#include "proc_internal.h"

#include "target/task.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_LINK 4096

/* The number in "/proc/NUMBER/NAME"; 0: it is none. */
static pid_t
process_of(const char *path, const char *name)
{
	char *end;
	long n;

	if (strncmp(path, "/proc/", 6) || path[6] < '1' || path[6] > '9')
		return 0;
	n = strtol(path + 6, &end, 10);
	return n <= INT32_MAX && *end == '/' && !strcmp(end + 1, name)
		       ? (pid_t)n : 0;
}

/* Whether that file of both processes is the same. */
static bool
is_engine(pid_t pid)
{
	char path[40], own[MAX_LINK], other[MAX_LINK];
	ssize_t n = readlink("/proc/self/exe", own, sizeof own);

	snprintf(path, sizeof path, "/proc/%d/exe", (int)pid);
	return n > 0 && n < MAX_LINK &&
	       readlink(path, other, sizeof other) == n &&
	       !memcmp(own, other, (size_t)n);
}

/* The argument behind that one, which ends at end at the latest. */
static char *
behind(char *argument, const char *end)
{
	return argument < end ? argument + strlen(argument) + 1 : argument;
}

bool
proc_other(const char *path, const char *name, struct proc_other *o)
{
	pid_t pid = process_of(path, name);
	char *at, *end;
	size_t bytes;

	*o = (struct proc_other){0};
	if (!pid || !is_engine(pid))
		return false;
	o->text = task_read_all(pid, "cmdline", &bytes);
	if (!o->text)
		return false;
	end = o->text + bytes;
	for (at = behind(o->text, end); at < end && *at == '-';
	     at = behind(behind(at, end), end))
		if (!strcmp(at, "-0"))
			o->name = behind(at, end);
	o->program = at;
	o->first = behind(at, end);
	o->end = end;
	if (!o->name)
		o->name = at;
	/* One that is about to be executed has no arguments yet. */
	if (at < end && *at == '/' && o->name < end && o->first <= end)
		return true;
	free(o->text);
	o->text = NULL;
	return false;
}
