/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugin.h"

#include "../fast.h"
#include "../mmx.h"
#include "../near.h"
#include "../pipeline/window.h"
#include "affinity.h"
#include "call.h"
#include "channel.h"
#include "channel_hwperf.h"
#include "channel_ia64.h"
#include "hwperf_watch.h"
#include "ledger_calls.h"
#include "linked.h"
#include "pfm_watch.h"
#include "places.h"
#include "profiling.h"
#include "random.h"
#include "sampling.h"
#include "system.h"
#include "ticks.h"
#include "turns.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct plugin plugin;
struct core core __attribute__((aligned(4096)));

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
	ON_BLOCK(name##_1, 1, predictor)  \
	ON_BLOCK(name##_2, 2, predictor)  \
	ON_BLOCK(name##_n, 3, predictor)
#define BLOCKS_OF(name) {name##_1, name##_2, name##_n}

ON_BLOCKS(on_block_table, FAST_TABLE)
ON_BLOCKS(on_block_history, FAST_HISTORY)
ON_BLOCKS(on_block_own, FAST_OWN)
ON_BLOCKS(on_block_icache, FAST_ICACHE)
ON_BLOCKS(on_block_buffer, FAST_BUFFER)
ON_BLOCKS(on_block_held, FAST_HELD)

static void
on_block_window(unsigned vcpu, void *data)
{
	if (SIM_UNLIKELY(core.told))
		turns_block(vcpu, data);
	else
		window_enter(&core, data);
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
	static api_exec_fn *const in_order[][3] = {
		[FAST_TABLE] = BLOCKS_OF(on_block_table),
		[FAST_HISTORY] = BLOCKS_OF(on_block_history),
		[FAST_OWN] = BLOCKS_OF(on_block_own),
		[FAST_ICACHE] = BLOCKS_OF(on_block_icache),
		[FAST_BUFFER] = BLOCKS_OF(on_block_buffer),
		[FAST_HELD] = BLOCKS_OF(on_block_held),
	};

	if (!plugin.timing)
		return on_block_count;
	if (core.profiler)
		return on_block_profile;
	if (plugin.config->pipe.kind == PIPELINE_WINDOW)
		return on_block_window;
	return in_order[fast_predictor_of(plugin.config)]
		       [b->n_line > 2 ? 2 : b->n_line - 1];
}

static void
on_block_step(unsigned vcpu, void *data)
{
	if (!core.recording)
		turns_step(vcpu, data);
	callback_enter(data)(vcpu, data);
}

api_exec_fn *
callback_block(const struct block *b)
{
	if (b->n_insn == 1 && b->detail->locked)
		return on_block_step;
	return callback_enter(b);
}

/* ---- Accesses -------------------------------------------------------- */

/*
 * A callback is given its access with clock_back above the address, so that a
 * hit looks nothing up: accesses of large programs are in no cache of the
 * host's that is near.
 */
#define CLOCK_BACK_SHIFT 48

void *
access_data(const struct block_access *a)
{
	return (void *)((uintptr_t)a |
			(uintptr_t)a->clock_back << CLOCK_BACK_SHIFT);
}

SIM_INLINE const struct block_access *
access_of(const void *data)
{
	return (const void *)((uintptr_t)data &
			      (((uintptr_t)1 << CLOCK_BACK_SHIFT) - 1));
}

static void
look(const struct block_access *a)
{
	core_look(&core, a);
}

void
plugin_count_at(const struct block_access *a, unsigned signal)
{
	core.sig[signal]++;
	look(a);
}

/* An access that somebody else wants to know of, or does. */
static SIM_NOINLINE void
indirect_access(unsigned vcpu, u32 what, u64 va, const void *data)
{
	const struct block_access *a = access_of(data);
	unsigned bytes = what >> 1;
	bool store = what & 1;

	if (core.recording) {
		turns_access(vcpu, a, va, bytes, store);
		return;
	}
	core_data(&core, a, va, bytes, store);
	look(a);
}

/* The same where a sampler is told at its deadline only. */
static SIM_NOINLINE void
sampled_access(u32 what, u64 va, const void *data)
{
	const struct block_access *a = access_of(data);

	core.access(&core, what, va, a);
	if (SIM_UNLIKELY(core.now >= core.deadline))
		look(a);
}

static SIM_NOINLINE void
slow_access(unsigned vcpu, u32 what, u64 va, const void *data)
{
	if (SIM_LIKELY(!core.indirect))
		core.access(&core, what, va, access_of(data));
	else if (core.recording || core.profiler)
		indirect_access(vcpu, what, va, data);
	else
		sampled_access(what, va, data);
}

/* The time of an access. */
SIM_INLINE u32
clock_of(const void *data)
{
	return (u32)core.now -
	       (u32)((uintptr_t)data >> CLOCK_BACK_SHIFT);
}

SIM_INLINE void
on_access(unsigned vcpu, const void *data, u64 va, unsigned size_log2,
	  bool store)
{
	struct fast_place at;

	if (SIM_UNLIKELY(!fast_data_shown(&core, va, size_log2, &at)))
		slow_access(vcpu, ACCESS_WHAT(1u << size_log2, store), va,
			    data);
	else
		fast_data_hit(&core, &at, clock_of(data), store, false);
}

/* The same on a machine that counts stores which find their line
 * unchanged. */
static SIM_NOINLINE void
on_changing(unsigned vcpu, const void *data, u64 va, unsigned size_log2)
{
	u64 known = core.sig[SIG_DCACHE_CHANGED];
	struct fast_place at;

	if (SIM_UNLIKELY(!fast_data_shown(&core, va, size_log2, &at))) {
		slow_access(vcpu, ACCESS_WHAT(1u << size_log2, true), va,
			    data);
		return;
	}
	fast_data_hit(&core, &at, clock_of(data), true, true);
	if (core.sig[SIG_DCACHE_CHANGED] != known)
		look(access_of(data));
}

/* The same of whatever kind. */
SIM_INLINE void
on_some(unsigned vcpu, const void *data, u64 va, unsigned size_log2,
	bool store)
{
	if (store && plugin.changes)
		on_changing(vcpu, data, va, size_log2);
	else
		on_access(vcpu, data, va, size_log2, store);
}

/* Where nothing is modelled: only that it happened matters (turns_step.c). */
static void
on_access_count(unsigned vcpu, u32 info, u64 va, void *data)
{
	if (core.recording)
		turns_access(vcpu, access_of(data), va,
			     1u << api_mem_size_log2(info),
			     api_mem_is_store(info));
}

static SIM_NOINLINE void
misaligned_access(const struct block_access *a, u64 va, unsigned size_log2)
{
	if (core.recording)
		return;
	core_misaligned(&core, a, va, 1u << size_log2);
	look(a);
}

/* A store that may hit behind some that have not. */
static SIM_NOINLINE void
ordered_store(const struct block_access *a, u64 va)
{
	if (core.recording)
		return;
	core_order(&core, a, va);
	look(a);
}

/* What a machine looks at besides; the last two may be all of it. */
enum access_extra { ACCESS_PLAIN, ACCESS_ALIGN, ACCESS_BANKED,
		    ACCESS_ORDERED };

/* ACCESS_ORDERED, which not all that come here have to be. */
SIM_INLINE bool
is_banked(const struct block_access *a)
{
	return a->flags & ACCESS_BANK;
}

/* An access of that extra, with something to do besides. */
SIM_INLINE bool
is_odd(const void *data, u64 va, unsigned size_log2, bool store,
       enum access_extra extra)
{
	const struct block_access *a = access_of(data);

	if (extra == ACCESS_PLAIN)
		return false;
	if (va & ((1u << size_log2) - 1))
		return true;
	if (extra == ACCESS_ORDERED && store && core_may_order(&core, a))
		return true;
	return (extra == ACCESS_BANKED ||
		(extra == ACCESS_ORDERED && is_banked(a))) &&
	       !core.recording && !fast_bank(&core, a, va);
}

static SIM_NOINLINE void
odd_access(unsigned vcpu, u32 what, u64 va, const void *data)
{
	const struct block_access *a = access_of(data);
	unsigned size_log2 = (unsigned)__builtin_ctz(what >> 1);
	bool store = what & 1;

	if (is_banked(a) && !core.recording)
		core_bank(&core, a, va);
	if (va & ((1u << size_log2) - 1))
		misaligned_access(a, va, size_log2);
	if (store && plugin.config->mem.ordered && core_may_order(&core, a))
		ordered_store(a, va);
	on_access(vcpu, data, va, size_log2, store);
}

/* All calls are the last thing, so that no registers need to be kept. */
#define ON_ACCESS(name, size_log2, store, extra)                             \
	static void name(unsigned vcpu, u32 info, u64 va, void *data)        \
	{                                                                    \
		(void)info;                                                  \
		if (SIM_UNLIKELY(is_odd(data, va, size_log2, store, extra))) \
			odd_access(vcpu, ACCESS_WHAT(1u << (size_log2),      \
						     store), va, data);      \
		else                                                         \
			on_access(vcpu, data, va, size_log2, store);         \
	}
#define ON_ACCESSES(name, extra)                                             \
	ON_ACCESS(name##_load_1, 0, false, extra)                            \
	ON_ACCESS(name##_load_2, 1, false, extra)                            \
	ON_ACCESS(name##_load_4, 2, false, extra)                            \
	ON_ACCESS(name##_load_8, 3, false, extra)                            \
	ON_STORES(name, extra)
#define ON_STORES(name, extra)                                               \
	ON_ACCESS(name##_store_1, 0, true, extra)                            \
	ON_ACCESS(name##_store_2, 1, true, extra)                            \
	ON_ACCESS(name##_store_4, 2, true, extra)                            \
	ON_ACCESS(name##_store_8, 3, true, extra)
#define ACCESSES_OF(name)                                                    \
	{{name##_load_1, name##_load_2, name##_load_4, name##_load_8},       \
	 {name##_store_1, name##_store_2, name##_store_4, name##_store_8}}

ON_ACCESSES(on_plain, ACCESS_PLAIN)
ON_ACCESSES(on_align, ACCESS_ALIGN)
ON_ACCESSES(on_bank, ACCESS_BANKED)
ON_STORES(on_order, ACCESS_ORDERED)

/* [enum access_extra][stores][size_log2] */
static api_access_fn *const on_known[4][2][4] = {
	ACCESSES_OF(on_plain),
	ACCESSES_OF(on_align),
	ACCESSES_OF(on_bank),
	{{NULL}, {on_order_store_1, on_order_store_2, on_order_store_4,
		  on_order_store_8}},
};

/* The information word says which way and how many bytes. */
static void
on_either(unsigned vcpu, u32 info, u64 va, void *data)
{
	on_some(vcpu, data, va, api_mem_size_log2(info),
		api_mem_is_store(info));
}

/* On a machine that cares about alignment. */
static void
on_watched(unsigned vcpu, u32 info, u64 va, void *data)
{
	unsigned size_log2 = api_mem_size_log2(info);
	bool store = api_mem_is_store(info);

	if (va & ((1ull << size_log2) - 1))
		misaligned_access(access_of(data), va, size_log2);
	if (store && core_may_order(&core, access_of(data)))
		ordered_store(access_of(data), va);
	if (store && plugin.config->l1d.write_through)
		slow_access(vcpu, ACCESS_WHAT(1u << size_log2, store), va,
			    data);
	else
		on_some(vcpu, data, va, size_log2, store);
}

/* A store to a write-through cache is never done with the cache alone. */
static void
on_write_through(unsigned vcpu, u32 info, u64 va, void *data)
{
	unsigned bytes = 1u << api_mem_size_log2(info);
	bool store = api_mem_is_store(info);

	if (!store || !near_store(&core, va, access_of(data), bytes))
		slow_access(vcpu, ACCESS_WHAT(bytes, store), va, data);
	else if (SIM_UNLIKELY(core.indirect))
		look(access_of(data));
}

/* Whatever it is, on whatever machine. */
static void
on_any(unsigned vcpu, u32 info, u64 va, void *data)
{
	if (plugin.config->pipe.watch_alignment)
		on_watched(vcpu, info, va, data);
	else if (plugin.config->l1d.write_through)
		on_write_through(vcpu, info, va, data);
	else
		on_either(vcpu, info, va, data);
}

/* One of a pair that may want the same bank. */
static void
on_banked(unsigned vcpu, u32 info, u64 va, void *data)
{
	if (!core.recording)
		core_bank(&core, access_of(data), va);
	on_any(vcpu, info, va, data);
}

/* One of an MMX instruction whose misses are told apart. */
static void
on_mmx(unsigned vcpu, u32 info, u64 va, void *data)
{
	const struct block_access *a = access_of(data);
	api_access_fn *fn = a->flags & ACCESS_BANK ? on_banked : on_any;
	struct mmx_look before;

	if (core.recording) {
		fn(vcpu, info, va, data);
		return;
	}
	before = mmx_look(&core);
	fn(vcpu, info, va, data);
	mmx_count(&core, &before);
}

/* An access that the block has not counted: a tick and a count of its own. */
static void
on_dynamic(unsigned vcpu, u32 info, u64 va, void *data)
{
	if (!core.recording) {
		core.now++;
		count_access(&core, api_mem_is_store(info));
	}
	on_any(vcpu, info, va, data);
}

/*
 * In a system, where not everything is counted.  An instruction that was told
 * to access no memory, but does so in QEMU (a segment register that is loaded
 * from its table), is given the access of one before it, of another block.
 */
bool
plugin_counts(const void *access)
{
	const struct block_access *a = access;

	return a >= plugin.access && a < plugin.access + plugin.n_access;
}

static void
on_system(unsigned vcpu, u32 info, u64 va, void *data)
{
	if (plugin_counts(access_of(data)))
		on_any(vcpu, info, va, data);
}

static void
on_system_dynamic(unsigned vcpu, u32 info, u64 va, void *data)
{
	if (plugin_counts(access_of(data)))
		on_dynamic(vcpu, info, va, data);
}

api_access_fn *
callback_access(const struct insn *in, const struct block_access *a)
{
	const struct sim_config *config = plugin.config;
	bool align = config->pipe.watch_alignment;
	bool through = in->n_store && config->l1d.write_through;
	bool changes = in->n_store && plugin.changes;
	bool known = in->flags & INSN_MEM_KNOWN && in->size_log2 <= 3 &&
		     !(in->n_load && in->n_store);
	enum access_extra extra = !align ? ACCESS_PLAIN
				  : a->flags & ACCESS_BANK ? ACCESS_BANKED
							   : ACCESS_ALIGN;

	if (!plugin.timing)
		return on_access_count;
	if (plugin.system)
		return in->n_load + in->n_store ? on_system
						: on_system_dynamic;
	if (in->n_load + in->n_store == 0)
		return on_dynamic;
	if (a->flags & ACCESS_IS_MMX && !core.window)
		return on_mmx;
	if (a->flags & ACCESS_BANK &&
	    (through || changes || !known || !align))
		return on_banked;
	if (through || changes || !known)
		return align ? on_watched : through ? on_write_through
						    : on_either;
	if (align && in->n_store && config->mem.ordered)
		extra = ACCESS_ORDERED;
	return on_known[extra][in->n_store != 0][in->size_log2];
}

/* Where contexts share a pipeline, it is known from its block. */
void
callback_barrier(unsigned vcpu, void *access)
{
	if (core.recording && plugin.config->topo.tcs == 1)
		turns_access(vcpu, access, 0, 0, false);
	if (core.recording)
		return;
	if (plugin.system && !plugin_counts(access))
		return;
	core_barrier(&core, access);
	look(access);
}

/* ---- The process ----------------------------------------------------- */

static void
on_vcpu_start(unsigned vcpu)
{
	turns_vcpu_start(vcpu);
}

static void
on_syscall(unsigned vcpu, s64 number, const u64 arg[8])
{
	enum call call = call_of(number);

	core_take_back(&core);
	linked_syscall();
	ledger_call(call, arg);
	places_syscall(call);
	follow_syscall(number, arg);
	channel_syscall(number, arg);
	turns_syscall(vcpu, number, arg);
	random_syscall(call, arg);
	affinity_syscall(number, arg);
}

static void
on_syscall_return(unsigned vcpu, s64 number, s64 result)
{
	enum call call = call_of(number);

	affinity_syscall_return();
	channel_syscall_return();
	channel_hwperf_returned(call, result);
	turns_syscall_return(vcpu, number, result);
	random_syscall_return(result);
	ledger_call_returned(call, result);
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

static int
find_isa(const char *target)
{
	static const char *const names[ISA_N] = {
		[ISA_X86_64] = "x86_64", [ISA_I386] = "i386",
		[ISA_MIPSEL] = "mipsel", [ISA_MIPS] = "mips",
		[ISA_ALPHA] = "alpha",
	};

	for (int i = 0; i < ISA_N; i++)
		if (!strcmp(target, names[i]))
			return i;
	return -1;
}

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
	int error;

	if (!path || strlen(path) >= sizeof plugin.machine_path)
		return -EINVAL;
	strcpy(plugin.machine_path, path);
	if (fd < 0)
		fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0 || fcntl(fd, F_SETFD, FD_CLOEXEC))
		return -errno;
	error = machine_attach(&plugin.map, fd);
	if (error)
		close(fd);
	return error;
}

static int
fail(const char *what, int error)
{
	fprintf(stderr, "pmcsim: %s: %s\n", what, strerror(-error));
	return 1;
}

/* A process under QEMU's user emulator. */
static int
start_process(u64 id, const struct arguments *a)
{
	int error = process_start(a->retire);

	if (error)
		return fail("starting to count", error);
	process_bind(a->tc);
	error = sampling_start();
	if (!error)
		error = profiling_start();
	if (error)
		return fail("watching counters", error);
	hwperf_watch_start();
	channel_ia64_start();
	pfm_watch_start();
	turns_start();
	ticks_start();
	if (a->pin)
		turns_pin();
	block_decoder(translate_again);
	api_register(id, &handlers);
	return 0;
}

bool
plugin_asked_for(unsigned signal)
{
	for (u32 e = 0; e < plugin.config->n_events; e++) {
		const struct sim_event *event = &plugin.config->event[e];

		for (unsigned i = 0; i < event->n; i++)
			if (event->term[i].signal == signal)
				return true;
	}
	return false;
}

int
plugin_look(void)
{
	u32 need = plugin.map.m->need;

	if (core.window && need & NEED_FLIGHT)
		window_flights(&core);
	return core.window && need & NEED_ORDER ? window_compare(&core) : 0;
}

API_EXPORT int
qemu_plugin_install(u64 id, const struct api_info *info, int argc,
		    char **argv)
{
	struct arguments a = {.fd = -1};
	int isa = find_isa(info->target_name), error;

	read_arguments(&a, argc, argv);
	error = api_install();
	if (error)
		return fail("this QEMU's plugin interface", error);
	if (isa < 0)
		return fail(info->target_name, -ENOTSUP);
	error = attach(a.machine, a.fd);
	if (error)
		return fail(a.machine ? a.machine : "machine", error);
	plugin.isa = (enum decode_isa)isa;
	plugin.config = &plugin.map.m->config;
	plugin.timing = plugin.map.m->need &
			(NEED_TIMING | NEED_WATCH | NEED_PROFILE);
	plugin.changes = plugin_asked_for(SIG_DCACHE_CHANGED);
	linked_start();
	error = core_init(&core, plugin.config);
	if (!error)
		error = plugin_look();
	if (error)
		return fail("starting to count", error);
	if (!info->system_emulation)
		return start_process(id, &a);
	error = system_start(id);
	return error ? fail("starting to count", error) : 0;
}
