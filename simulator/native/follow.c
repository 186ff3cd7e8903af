/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Following the target through execve: this process executes the engine of the
 * next program itself, with the same machine.  What fails is left to the
 * kernel, whose own attempt gives the target the right errno.
 */
#include "follow.h"
#include "filters.h"
#include "keep.h"
#include "periods.h"
#include "timers.h"

#include "program/engine_args.h"
#include "program/program.h"
#include "target/calling.h"
#include "target/follow_path.h"
#include "target/guest_strings.h"
#include "target/hwperf_watch.h"
#include "target/libraries.h"
#include "turns/turns.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define OWN_PROGRAM "/proc/self/exe"

/* Where libraries are, if the tool was told. */
static void
add_sysroots(struct strings *args)
{
	char name[32];

	for (enum isa isa = 0; isa < ISA_N; isa++) {
		if (!native.sysroot[isa])
			continue;
		snprintf(name, sizeof name, "-sysroot-%s", isa_row[isa].name);
		strings_add(args, name);
		strings_add(args, native.sysroot[isa]);
	}
}

/* The command line of this engine for the next program. */
static void
own_command(bool inherit, struct strings *args)
{
	bool chosen;
	unsigned tc = turns_tc(&chosen);

	strings_add(args, "pmcsim-native");
	strings_add(args, "-machine");
	strings_add(args, native.machine);
	if (inherit)
		strings_add_number(args, "-fd", (unsigned)target.map.fd);
	strings_add_number(args, "-retire", target.slot);
	strings_add_number(args, "-tc", tc);
	strings_add_number(args, "-pin", chosen);
	strings_add(args, "-isa");
	strings_add(args, level_name(native.level));
	timers_give(args);
	add_sysroots(args);
	if (native.qemu) {
		strings_add(args, "-qemu");
		strings_add(args, native.qemu);
		strings_add(args, "-plugin");
		strings_add(args, native.plugin);
	}
}

/* ... and of QEMU; its path, the caller's, or NULL. */
static char *
qemu_command(enum isa isa, bool inherit, struct strings *args)
{
	const char *sysroot = native.sysroot[isa] ? native.sysroot[isa]
						  : isa_sysroot(isa);
	char *path, *text, fd[24] = "";
	bool chosen;
	unsigned tc = turns_tc(&chosen);

	if (!native.qemu ||
	    asprintf(&path, "%s/qemu-%s", native.qemu, isa_row[isa].name) < 0)
		return NULL;
	strings_add(args, path);
	strings_add(args, "-plugin");
	if (inherit)
		snprintf(fd, sizeof fd, ",fd=%d", target.map.fd);
	strings_own(args, asprintf(&text, "%s%s,retire=%u,tc=%u%s",
				   native.plugin, fd, target.slot, tc,
				   chosen ? ",pin=1" : "") < 0
				  ? NULL : text);
	if (isa_row[isa].cpu) {
		strings_add(args, "-cpu");
		strings_add(args, isa_row[isa].cpu);
	}
	if (sysroot) {
		strings_add(args, "-L");
		strings_add(args, sysroot);
	}
	return path;
}

/* Returns only if the engine could not be executed. */
static void
execute(const struct program *p, const struct strings *target_env)
{
	struct strings args = {0}, env = {0};
	char *none[] = {NULL}, *path;
	bool inherit = follow_machine();

	if (p->isa == ISA_X86_64) {
		own_command(inherit, &args);
		path = filters_give(&args) ? NULL : strdup(OWN_PROGRAM);
	} else {
		path = qemu_command(p->isa, inherit, &args);
	}
	engine_split_environment(target_env->s, &args, &env);
	engine_add_program(&args, p);
	if (path && !args.failed && !env.failed) {
		target_settle();
		periods_end();
		keep_save();
		calling_end();
		turns_counts_end();
		hwperf_watch_keep();
		if (p->isa != ISA_X86_64) {
			timers_lend();
			filters_lend();
		}
		execve(path, args.s, env.s ? env.s : none);
		timers_take_back();
		periods_begin();
	}
	filters_take_back();
	fcntl(target.map.fd, F_SETFD, FD_CLOEXEC);
	free(path);
	strings_free(&args);
	strings_free(&env);
}

/* A program that no engine executes is the host's. */
static s64
leave_to_kernel(u64 number, const u64 arg[6], bool odd)
{
	long result;

	if (odd) {
		__atomic_fetch_add(&target.map.m->uncounted, 1,
				   __ATOMIC_RELAXED);
		filters_lend();
	}
	timers_lend();
	result = syscall((long)number, arg[0], arg[1], arg[2], arg[3],
			 arg[4]);
	timers_take_back();
	if (odd)
		__atomic_fetch_sub(&target.map.m->uncounted, 1,
				   __ATOMIC_RELAXED);
	return result < 0 ? -errno : result;
}

/* Takes the path over; NULL: leave it. */
static s64
follow(u64 number, const u64 arg[6], char *path, u64 argv, u64 envp)
{
	struct program p = {.path = path};
	struct strings env = {0};
	enum program_kind kind = PROGRAM_NONE;
	s64 result;

	if (path && !guest_vector(&p.argv, argv) && !guest_vector(&env, envp))
		kind = program_look(&p);
	if (kind == PROGRAM_ELF && libraries_are_there())
		execute(&p, &env);
	program_free(&p);
	strings_free(&env);
	result = leave_to_kernel(number, arg, kind != PROGRAM_NONE);
	follow_path_after();
	return result;
}

s64
follow_execve(const u64 arg[6])
{
	char *path = guest_string(arg[0]);

	return follow(SYS_execve, arg, path ? follow_path(path) : NULL, arg[1],
		      arg[2]);
}

s64
follow_execveat(const u64 arg[6])
{
	char *path = guest_string(arg[1]);

	if (path)
		path = follow_path_at((int)arg[0], path, (int)arg[4]);
	return follow(SYS_execveat, arg, path, arg[2], arg[3]);
}
