/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugin.h"

#include "core/fast.h"
#include "follow.h"
#include "pipeline/window.h"
#include "target/affinity.h"
#include "clocks.h"
#include "target/aliases.h"
#include "target/built.h"
#include "target/call.h"
#include "target/calling.h"
#include "target/channel.h"
#include "target/channel_hwperf.h"
#include "target/detour.h"
#include "target/dumpable.h"
#include "target/ledger_calls.h"
#include "target/mapped.h"
#include "linked.h"
#include "target/places.h"
#include "target/procedures.h"
#include "target/random.h"
#include "strings.h"
#include "system.h"
#include "system_profile.h"
#include "ticks.h"
#include "turns/turns.h"
#include "waits.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

struct plugin plugin;

/* ---- Blocks ---------------------------------------------------------- */

#define ON_BLOCK(name, lines, predictor)                        \
	static void name(unsigned vcpu, void *data)             \
	{                                                       \
		if (SIM_UNLIKELY(core.told))                    \
			turns_block(vcpu, data);                \
		else                                            \
			fast_enter(&core, data, lines, predictor); \
	}

#define ON_BLOCKS(name, predictor)        \
	ON_BLOCK(name##_1, FAST_ONE, predictor)  \
	ON_BLOCK(name##_2, FAST_TWO, predictor)  \
	ON_BLOCK(name##_3, FAST_THREE, predictor)  \
	ON_BLOCK(name##_n, FAST_ANY, predictor)
#define BLOCKS_OF(name) {name##_1, name##_2, name##_3, name##_n}

ON_BLOCKS(on_block_table, FAST_TABLE)
ON_BLOCKS(on_block_history, FAST_HISTORY)
ON_BLOCKS(on_block_own, FAST_OWN)
ON_BLOCKS(on_block_icache, FAST_ICACHE)
ON_BLOCKS(on_block_buffer, FAST_BUFFER)
ON_BLOCKS(on_block_held, FAST_HELD)

/* By the lines of a block: one, two, more. */
static enter_fn *enter_window[3];

#define ON_WINDOW(name, lines)                                \
	static void name(unsigned vcpu, void *data)           \
	{                                                     \
		if (SIM_UNLIKELY(core.told))                  \
			turns_block(vcpu, data);              \
		else                                          \
			enter_window[(lines) - 1](&core, data); \
	}
ON_WINDOW(on_window_1, 1)
ON_WINDOW(on_window_2, 2)
ON_WINDOW(on_window_n, 3)

static api_exec_fn *
callback_window(const struct block *b)
{
	static api_exec_fn *const by_lines[] = {on_window_1, on_window_2,
						on_window_n};
	unsigned at = b->n_line > 2 ? 2 : b->n_line - 1u;

	enter_window[at] = window_enterer(target.config, b->n_line);
	return by_lines[at];
}

/* Nothing is modelled: only what executed is counted. */
static void
on_block_count(unsigned vcpu, void *data)
{
	struct block *t = data;

	if (SIM_UNLIKELY(core.told)) {
		turns_block(vcpu, t);
		return;
	}
	fast_count(&core, t);
}

static void
on_block_profile(unsigned vcpu, void *data)
{
	if (SIM_UNLIKELY(core.told))
		turns_block(vcpu, data);
	else
		profiler_enter(&core, data);
}

static api_exec_fn *
callback_enter(const struct block *b)
{
	static api_exec_fn *const in_order[][4] = {
		[FAST_TABLE] = BLOCKS_OF(on_block_table),
		[FAST_HISTORY] = BLOCKS_OF(on_block_history),
		[FAST_OWN] = BLOCKS_OF(on_block_own),
		[FAST_ICACHE] = BLOCKS_OF(on_block_icache),
		[FAST_BUFFER] = BLOCKS_OF(on_block_buffer),
		[FAST_HELD] = BLOCKS_OF(on_block_held),
	};

	if (!target.timing)
		return on_block_count;
	if (core.profiler)
		return on_block_profile;
	if (pipeline_is_window(&target.config->pipe))
		return callback_window(b);
	return in_order[fast_predictor_of(target.config)]
		       [b->n_line > 3 ? 3 : b->n_line - 1];
}

static void
on_block_step(unsigned vcpu, void *data)
{
	if (!core.recording)
		turns_step(vcpu, data);
	callback_enter(data)(vcpu, data);
}

static void
on_block_again(unsigned vcpu, void *data)
{
	turns_again(vcpu, data);
	callback_enter(data)(vcpu, data);
}

/*
 * Whether QEMU has made it of an instruction at which it has left another one
 * that has changed its own code: of one alone it makes a block otherwise if that
 * is a branch, or the last one of its page.
 */
static bool
is_done_again(const struct block *b)
{
	const struct insn *insn = block_insns(b);

	return b->n_insn == 1 && b->branch == BRANCH_NONE &&
	       insn->flags & INSN_STORES &&
	       b->vaddr >> PAGE_BITS == b->fall >> PAGE_BITS;
}

static api_exec_fn *
callback_any(const struct block *b)
{
	/* A system has no turns, and its own way to see that a block was left:
	 * system_halves.c. */
	if (target.map.m->system)
		return callback_enter(b);
	if (b->n_insn == 1 && b->detail->locked)
		return on_block_step;
	if (is_done_again(b))
		return on_block_again;
	return callback_enter(b);
}

static void
on_block_marked(unsigned vcpu, void *data)
{
	callback_any(data)(vcpu, data);
	turns_marked(vcpu, data);
}

static api_exec_fn *
callback_marked(const struct block *b)
{
	return b->marked ? on_block_marked : callback_any(b);
}

static void
on_block_followed(unsigned vcpu, void *data)
{
	turns_followed(vcpu, data);
	callback_marked(data)(vcpu, data);
}

static api_exec_fn *
callback_followed(const struct block *b)
{
	return procedures_wanted() ? on_block_followed : callback_marked(b);
}

static void
on_block_called(unsigned vcpu, void *data)
{
	calling_enter(vcpu, data);
	callback_followed(data)(vcpu, data);
	calling_entered();
}

api_exec_fn *
callback_whole(const struct block *b)
{
	return core.calls ? on_block_called : callback_followed(b);
}

api_exec_fn *
callback_block(const struct block *b)
{
	return strings_steps(b) ? strings_block : callback_whole(b);
}

/* ---- Programs that use the device ------------------------------------ */

static void
model_all_soon(void)
{
	if (!target.timing)
		__atomic_store_n(&target.map.m->used, 1, __ATOMIC_RELAXED);
}

static const struct api_handlers handlers;

/* Blocks are translated again from here on. */
static void
model_all(void)
{
	engine_model_all();
	linked_start();
	ticks_start();
	api_register(plugin.id, &handlers);
}

/* ---- The process ----------------------------------------------------- */

static void
on_vcpu_start(unsigned vcpu)
{
	turns_vcpu_start(vcpu);
}

/* Our client asks whether the program has some memory: that is nothing of the
 * program's, and not counted. */
static __thread bool probing;

static bool
is_probe(enum call call, const u64 arg[8])
{
	return (call == CALL_READ || call == CALL_WRITE) &&
	       (int)arg[0] == PMCSIM_PROBE;
}

/* What the target asks of a device, or would ask of the kernel about one. */
static void
on_channel(enum call call, const u64 arg[8])
{
	if (call == CALL_CHANNEL)
		channel_request(arg);
	else
		detour_before(call, arg);
}

void
syscall_returned(s64 result)
{
	detour_after(result);
	follow_fd_after();
	follow_returned();
}

static void
on_syscall(unsigned vcpu, s64 number, const u64 arg[8])
{
	enum call call = call_of(number);

	core_take_back(&core);
	linked_syscall();
	probing = is_probe(call, arg);
	if (probing)
		call = CALL_OTHER;
	else
		ledger_call(call, arg);
	places_syscall(call);
	aliases_syscall(call, arg);
	mapped_syscall(call, arg);
	follow_syscall(number, arg);
	on_channel(call_of(number), arg);
	turns_syscall(vcpu, number, arg);
	random_syscall(call, arg);
	affinity_syscall(number, arg);
}

static void
on_syscall_return(unsigned vcpu, s64 number, s64 result)
{
	enum call call = probing ? CALL_OTHER : call_of(number);

	dumpable_called(call);
	affinity_syscall_return();
	syscall_returned(result);
	channel_hwperf_returned(call, result);
	turns_syscall_return(vcpu, number, result);
	random_syscall_return(result);
	aliases_syscall_return(result);
	mapped_syscall_return(result);
	ledger_call_returned(call, result);
	if (SIM_UNLIKELY(target_is_used() && !target.timing && turns_single()))
		api_reset(plugin.id, model_all);
}

static void
on_end(void)
{
	turns_exit();
	process_exit();
}

static const struct api_handlers handlers = {
	.translate = translate,
	.vcpu_start = on_vcpu_start,
	.vcpu_exit = turns_vcpu_exit,
	.syscall = on_syscall,
	.syscall_return = on_syscall_return,
	.exit = on_end,
};

/* Arguments machine=PATH, fd=NUMBER (it is open already), retire=SLOT,
 * tc=CONTEXT, pin=1 (it was chosen). */
struct arguments {
	const char *machine;
	int fd;			/* -1: to be opened */
	unsigned retire;
	unsigned tc;
	bool pin;
};

static void
read_arguments(struct arguments *a, int argc, char **argv)
{
	for (int i = 0; i < argc; i++) {
		if (!strncmp(argv[i], "machine=", 8))
			a->machine = argv[i] + 8;
		else if (!strncmp(argv[i], "fd=", 3))
			a->fd = atoi(argv[i] + 3);
		else if (!strncmp(argv[i], "retire=", 7))
			a->retire = (unsigned)strtoul(argv[i] + 7, NULL, 10);
		else if (!strncmp(argv[i], "tc=", 3))
			a->tc = (unsigned)strtoul(argv[i] + 3, NULL, 10);
		else if (!strcmp(argv[i], "pin=1"))
			a->pin = true;
	}
}

static int
attach(const char *path, int fd)
{
	if (!path || strlen(path) >= sizeof plugin.machine_path)
		return -EINVAL;
	strcpy(plugin.machine_path, path);
	return engine_attach(path, fd);
}

static int
fail(const char *what, int error)
{
	fprintf(stderr, "pmcsim: %s: %s\n", what, strerror(-error));
	return 1;
}

static const struct turns_engine threads = {
	.part = translate_part,
	.steps = true,
	.listen = waits_listen,
	.lengthen = waits_lengthen,
	.free = true,
};

/* A process under QEMU's user emulator. */
static int
start_process(const struct arguments *a)
{
	int error = process_start(a->retire);

	if (error)
		return fail("starting to count", error);
	process_bind(a->tc);
	error = engine_watch();
	if (error)
		return fail("watching counters", error);
	turns_start(&threads);
	clocks_start();
	ticks_start();
	if (a->pin)
		turns_pin();
	block_decoder(built_again);
	api_register(plugin.id, &handlers);
	return 0;
}

static const char *
machine_path(void)
{
	return plugin.machine_path;
}

static const struct target_engine qemu = {
	.machine_path = machine_path,
	.program = api_program,
	.program_start = api_program_start,
	.model_all = model_all_soon,
	.ticks = ticks_now,
	.work_off = turns_work_off,
	.called = turns_called,
	.counts_split = turns_counts_split,
	.counts_end = turns_counts_end,
	.fork_tc = turns_fork_tc,
	.fork_child = turns_fork_child,
	.sampled = system_profile_sample,
};

API_EXPORT int
qemu_plugin_install(u64 id, const struct api_info *info, int argc,
		    char **argv)
{
	struct arguments a = {.fd = -1};
	enum isa isa = isa_named(info->target_name);
	int error;

	read_arguments(&a, argc, argv);
	error = api_install();
	if (error)
		return fail("this QEMU's plugin interface", error);
	if (isa == ISA_N)
		return fail(info->target_name, -ENOTSUP);
	error = attach(a.machine, a.fd);
	if (error)
		return fail(a.machine ? a.machine : "machine", error);
	engine = &qemu;
	target.isa = isa;
	plugin.id = id;
	error = engine_model();
	if (error)
		return fail("starting to count", error);
	linked_start();
	if (!info->system_emulation)
		return start_process(&a);
	error = system_start(id);
	return error ? fail("starting to count", error) : 0;
}
