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
#include "target/libraries.h"
#include "target/places_program.h"
#include "turns/turns.h"

#include "program/engine_args.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

extern char **environ;

static __thread bool unsure;	/* whether an uncounted program started */

/* ---- What is executed instead ---------------------------------------- */

/* Returns only if the engine could not be executed. */
static void
execute(const struct engine *e, const char *path, bool is_native,
	const struct program *p, const struct strings *target_env)
{
	struct strings args = {0}, env = {0};
	char *none[] = {NULL};

	plugin.inherit = follow_machine();
	strings_add(&args, path);
	if (is_native)
		follow_native_options(e, &args);
	else
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
	bool known = !engine_read(&e);
	char *native = known ? follow_native(&e, p->isa) : NULL;
	char *path = known && !native ? engine_for(&e, p->isa) : NULL;

	if (native || path)
		execute(&e, native ? native : path, native, p, env);
	free(native);
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
	if (kind == PROGRAM_ELF && libraries_are_there())
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
	follow_path_after();
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
			follow(follow_path(path), guest_address(arg[1]),
			       guest_address(arg[2]));
	} else if (call == CALL_EXECVEAT) {
		path = guest_string(guest_address(arg[1]));
		if (path)
			path = follow_path_at((int)arg[0], path, (int)arg[4]);
		if (path)
			follow(path, guest_address(arg[2]),
			       guest_address(arg[3]));
	}
}
