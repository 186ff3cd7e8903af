/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Following the target through execve: before QEMU acts on the call, this
 * process executes QEMU for the next program itself, with the same machine.
 * What fails is left to QEMU, whose own attempt gives the target the right
 * errno.
 *
 * A program that the host could execute but no engine can is executed by the
 * host; machine.uncounted says how many there were.
 */
#include "follow.h"

#include "target/calling.h"
#include "target/channel.h"
#include "target/hwperf_watch.h"
#include "target/places_program.h"
#include "turns.h"

#include "program/engine_args.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

extern char **environ;

static __thread bool unsure;	/* whether an uncounted program started */
static __thread int held = -1;	/* a file to be executed that has no path */

/* ---- What the target asks for ---------------------------------------- */

/* A memfd or a file that has been removed: by a descriptor that stays. */
static char *
path_of_copy(const char *path)
{
	char *copy, *end;
	long fd = strtol(strstr(path, "/fd/") + 4, &end, 10);

	if (*end)
		return NULL;
	held = follow_fd_aside((int)fd);
	if (held < 0 || fcntl(held, F_SETFD, 0) ||
	    asprintf(&copy, "/proc/self/fd/%d", held) < 0)
		return NULL;
	return copy;
}

/*
 * A descriptor may be closed by execve, and QEMU opens the program after it:
 * the path of the file, if it still has that one.
 */
static char *
path_of_descriptor(const char *path)
{
	char *real = realpath(path, NULL);
	struct stat a, b;

	if (real && !stat(path, &a) && !stat(real, &b) &&
	    a.st_ino == b.st_ino && a.st_dev == b.st_dev)
		return real;
	free(real);
	return path_of_copy(path);
}

/* The file that a path means; takes the path over. */
static char *
resolve(char *path)
{
	char *other = NULL;

	if (!strcmp(path, "/proc/self/exe")) {
		other = program_file();
	} else if (!strncmp(path, "/proc/self/fd/", 14) ||
		   !strncmp(path, "/dev/fd/", 8)) {
		other = path_of_descriptor(path);
	} else if (*path == '-' && asprintf(&other, "./%s", path) < 0) {
		other = NULL;
	}
	if (!other)
		return path;
	free(path);
	return other;
}

/* The path that execveat means; takes the path over; NULL: leave it. */
static char *
resolve_at(int dirfd, char *path, int flags)
{
	char *other;

	if (flags & AT_SYMLINK_NOFOLLOW || (!*path && !(flags & AT_EMPTY_PATH))) {
		free(path);
		return NULL;
	}
	if (*path == '/' || (dirfd == AT_FDCWD && *path))
		return resolve(path);
	if (asprintf(&other, "/proc/self/fd/%d%s%s", dirfd, *path ? "/" : "",
		     path) < 0)
		other = NULL;
	free(path);
	return other ? resolve(other) : NULL;
}

/* ---- What is executed instead ---------------------------------------- */

/*
 * The next program opens the machine by its path.  What belongs to a tool
 * (/proc/PID/fd/N) it may not find there, in another namespace or as another
 * user, or when the tool has ended: it inherits the descriptor.
 */
static void
require_machine(void)
{
	bool lasts = strncmp(plugin.machine_path, "/proc/", 6);

	plugin.inherit = false;
	if (lasts && !access(plugin.machine_path, R_OK | W_OK))
		return;
	if ((!lasts || errno == EACCES) &&
	    !fcntl(target.map.fd, F_SETFD, 0)) {
		plugin.inherit = true;
		return;
	}
	if (!access(plugin.machine_path, R_OK | W_OK))
		return;
	dprintf(STDERR_FILENO, "pmcsim: the machine %s is gone, so no further "
		"program can be started: %s\n", plugin.machine_path,
		strerror(errno));
	process_exit();
	_exit(125);
}

/* Returns only if the engine could not be executed. */
static void
execute(const struct engine *e, const char *path, const struct program *p,
	const struct strings *target_env)
{
	struct strings args = {0}, env = {0};
	char *none[] = {NULL};

	require_machine();
	strings_add(&args, path);
	engine_options(e, p->isa, &args);
	engine_split_environment(target_env->s, &args, &env);
	engine_add_program(&args, p);
	if (!args.failed && !env.failed) {
		target_settle();
		calling_end();
		turns_counts_end();
		hwperf_watch_keep();
		execve(path, args.s, env.s ? env.s : none);
	}
	fcntl(target.map.fd, F_SETFD, FD_CLOEXEC);
	strings_free(&args);
	strings_free(&env);
}

static void
follow_program(const struct program *p, const struct strings *env)
{
	struct engine e;
	char *path = engine_read(&e) ? NULL : engine_for(&e, p->isa);

	if (path)
		execute(&e, path, p, env);
	free(path);
	engine_free(&e);
}

/* Takes the path over. */
static void
follow(char *path, u64 argv, u64 envp)
{
	struct program p = {.path = path};
	struct strings env = {0};
	enum program_kind kind = PROGRAM_NONE;

	if (!guest_vector(&p.argv, argv) && !guest_vector(&env, envp))
		kind = program_look(&p);
	if (kind == PROGRAM_ELF)
		follow_program(&p, &env);
	if (kind != PROGRAM_NONE) {
		__atomic_fetch_add(&target.map.m->uncounted, 1,
				   __ATOMIC_RELAXED);
		unsure = true;
	}
	program_free(&p);
	strings_free(&env);
}

void
follow_returned(void)
{
	if (unsure)
		__atomic_fetch_sub(&target.map.m->uncounted, 1,
				   __ATOMIC_RELAXED);
	unsure = false;
	if (held >= 0)
		close(held);
	held = -1;
}

void
follow_syscall(s64 number, const u64 arg[8])
{
	enum call call = call_of(number);
	char *path;

	syscall_returned(-EINTR);
	follow_fd_before(call, arg);
	if (call == CALL_EXECVE) {
		path = guest_string(guest_address(arg[0]));
		if (path)
			follow(resolve(path), guest_address(arg[1]),
			       guest_address(arg[2]));
	} else if (call == CALL_EXECVEAT) {
		path = guest_string(guest_address(arg[1]));
		if (path)
			path = resolve_at((int)arg[0], path, (int)arg[4]);
		if (path)
			follow(path, guest_address(arg[2]),
			       guest_address(arg[3]));
	}
}
