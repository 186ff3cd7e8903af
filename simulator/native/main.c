/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The engine's start.  Arguments, as QEMU's where there are some:
 *
 *	-machine PATH	the machine; -fd NUMBER: it is open there
 *	-retire SLOT	of the program that this process has executed before
 *	-tc CONTEXT	that it begins on; -pin 1: which the target has chosen
 *	-qemu FOLDER	of the QEMUs for other instruction sets, with
 *	-plugin TEXT	what their option takes
 *	-sysroot-ISA FOLDER	of the libraries of that instruction set
 *	-E VAR=VALUE	for the target's environment; -U VAR: not for it
 *	-timer WHICH,DUE,PERIOD	of the program before: setitimer(), in ns
 *	-filters NUMBER	those of the program before are open there
 *	-isa v1|v2|v3|v4	of the processor that programs see
 *	-explain ADDRESS=PATH	of a block; where it is shown
 *	-0 NAME		argv[0]
 *	-s BYTES, -seed N: QEMU's, not heeded
 *	PROGRAM ARGUMENT...
 */
#include "filters.h"
#include "fork.h"
#include "guard.h"
#include "keep.h"
#include "limits.h"
#include "periods.h"
#include "proc.h"
#include "signals.h"
#include "threads.h"
#include "timers.h"

#include "target/built.h"
#include "target/cycles.h"
#include "target/mapped.h"
#include "target/regioning.h"
#include "turns/turns.h"
#include "watch/sample.h"
#include "x86_64/cpu.h"
#include "x86_64/explain.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

extern char **environ;

struct native native = {.fd = -1, .level = LEVEL_USUAL};

__attribute__((noreturn)) static void
fail(const char *what, int error)
{
	if (target.map.m)
		process_die(what, -error);
	fprintf(stderr, "pmcsim: %s: %s\n", what, strerror(-error));
	exit(1);
}

/* ---- Arguments ------------------------------------------------------- */

/* The environment as the target is to see it: what came by -E is in front, and
 * the rest was turned round for QEMU. */
static void
add_environment(const char *without)
{
	size_t n = without ? strlen(without) : 0;

	char **e = environ;

	while (*e)
		e++;
	while (e-- > environ)
		if (!without || strncmp(*e, without, n) || (*e)[n] != '=')
			strings_add(&native.env, *e);
}

/* The instruction set whose libraries an option tells of, or ISA_N. */
static enum isa
sysroot_option(const char *name)
{
	return strncmp(name, "-sysroot-", 9) ? ISA_N : isa_named(name + 9);
}

static void
explain(const char *value)
{
	char *path;
	u64 pc = strtoull(value, &path, 0);

	if (*path == '=')
		explain_begin(pc, path + 1);
}

static void
take_option(const char *name, char *value)
{
	if (!strcmp(name, "-machine"))
		native.machine = value;
	else if (!strcmp(name, "-fd"))
		native.fd = atoi(value);
	else if (!strcmp(name, "-retire"))
		native.retire = (unsigned)strtoul(value, NULL, 10);
	else if (!strcmp(name, "-tc"))
		native.tc = (unsigned)strtoul(value, NULL, 10);
	else if (!strcmp(name, "-pin"))
		native.pin = !strcmp(value, "1");
	else if (!strcmp(name, "-qemu"))
		native.qemu = value;
	else if (!strcmp(name, "-plugin"))
		native.plugin = value;
	else if (!strcmp(name, "-timer"))
		timers_inherit(value);
	else if (!strcmp(name, "-filters"))
		filters_inherit(value);
	else if (!strcmp(name, "-isa"))
		native.level = level_named(value);
	else if (!strcmp(name, "-explain"))
		explain(value);
	else if (sysroot_option(name) < ISA_N)
		native.sysroot[sysroot_option(name)] = value;
}

/* How the engine was started; which argument the program is. */
static int
read_arguments(int argc, char **argv)
{
	int i;

	for (i = 1; i + 1 < argc && argv[i][0] == '-'; i += 2)
		take_option(argv[i], argv[i + 1]);
	if (i >= argc || !native.machine || native.level == LEVEL_N)
		fail("arguments", -EINVAL);
	native.path = argv[i];
	return i;
}

/* What the program is to see.  Behind what is allocated for the machine, which is
 * to be at the same places in each process: keep.h. */
static void
read_program(int argc, char **argv, int program)
{
	const char *name0 = argv[program], *without = NULL;

	for (int i = 1; i < program; i += 2)
		if (!strcmp(argv[i], "-E"))
			strings_push(&native.env, argv[i + 1]);
		else if (!strcmp(argv[i], "-U"))
			without = argv[i + 1];
		else if (!strcmp(argv[i], "-0"))
			name0 = argv[i + 1];
	strings_add(&native.argv, name0);
	for (int i = program + 1; i < argc; i++)
		strings_add(&native.argv, argv[i]);
	add_environment(without);
	if (native.argv.failed || native.env.failed)
		fail("arguments", -ENOMEM);
}

/* ---- The seam to the rooms below ------------------------------------- */

static char *
program(void)
{
	return strdup(native.path);
}

static bool
program_start(u64 *address)
{
	*address = native.entry;
	return true;
}

static void
model_all(void)
{
	if (!target.timing)
		__atomic_store_n(&target.map.m->used, 1, __ATOMIC_RELAXED);
}

static u64
ticks(void)
{
	return cycles_read(core_cycle(&core));
}

static const char *
machine_path(void)
{
	return native.machine;
}

static const struct target_engine seam = {
	.machine_path = machine_path,
	.program = program,
	.program_start = program_start,
	.model_all = model_all,
	.ticks = ticks,
	.work_off = turns_work_off,
	.called = turns_called,
	.counts_split = turns_counts_split,
	.counts_end = turns_counts_end,
	.fork_tc = turns_fork_tc,
	.fork_child = threads_fork_child,
};

/* Samples are told from code of the target's. */
static const struct sample_apart apart = {host_library_begin, host_library_end};

/* ---- Start ----------------------------------------------------------- */

static void
start_target(void)
{
	int error;

	engine = &seam;
	target.isa = ISA_X86_64;
	target.guest_base_known = true;
	keep_places();
	error = engine_model();
	if (!error)
		error = process_start(native.retire);
	if (error)
		fail("starting to count", error);
	process_bind(native.tc);
	error = engine_watch();
	if (error)
		fail("watching counters", error);
	sample_calls_apart(&apart);
	cycles_start();
	block_decoder(built_again);
	host_may_change = guard_change;
}

/* What programs are to see, and whether this host can execute that; else it is
 * said.  The engine of the program before has looked. */
static bool
can_execute(void)
{
	const char *lacks;

	cpu_show(native.level);
	lacks = native.retire ? NULL : level_lacks(native.level);
	if (lacks)
		fprintf(stderr, "pmcsim: programs are shown a processor of "
			"x86-64-%s, but this host has no %s: run the program "
			"with --isa of a lower level, or with --engine qemu\n",
			level_name(native.level), lacks);
	return !lacks;
}

int
main(int argc, char **argv)
{
	int error, program = read_arguments(argc, argv);
	u64 start, pointer;

	if (!can_execute())
		return 1;
	error = engine_attach(native.machine, native.fd);
	if (error)
		fail(native.machine, error);
	if (target.map.m->parallel) {
		fprintf(stderr, "pmcsim: under the native engine threads take "
			"turns: run the program with --engine qemu, or "
			"without --threads=parallel\n");
		return 1;
	}
	proc_begin();
	start_target();
	count_begin();
	error = host_begin(count_calls(), native.level > LEVEL_V3);
	signals_begin();
	fork_begin();
	threads_begin(native.pin);
	filters_begin();
	if (!error)
		error = code_begin(NATIVE_FIRST, NATIVE_LISTS, count_enter());
	code_calls_only = count_calls_only();
	if (error)
		fail("the code cache", error);
	read_program(argc, argv, program);
	keep_begin();
	limits_begin();
	timers_begin();
	periods_begin();
	error = loader_run(&start, &pointer);
	if (error)
		fail(native.path, error);
	regioning_program();
	mapped_begin();
	host_state.reg[HOST_RSP] = pointer;
	blocks_run(start);
	return 0;
}
