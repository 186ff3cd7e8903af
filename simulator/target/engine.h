/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The seam between a target's process and the engine that executes it.
 *
 * An engine, in order:
 *	1. attaches to the machine (engine_attach()), hands down its table
 *	   (engine = ...), fills in target.isa, and lets the core be set up
 *	   (engine_model());
 *	2. takes a slot (process_start(), process_bind()), and lets all that
 *	   watches look at what the machine asks for (engine_watch());
 *	3. translates: for each basic block that is to be executed, places_code(),
 *	   the decoder, process_block_room(), block_build(),
 *	   process_block_done(), profiling_block();
 *	4. executes: at a block's entry fast_enter(), window_enter() or
 *	   profiler_enter(), at each of its accesses fast_data() or core.access;
 *	5. before a system call: ledger_call(), places_syscall(),
 *	   aliases_syscall(), mapped_syscall(), random_syscall(),
 *	   channel_request(); behind it mapped_syscall_return(),
 *	   ledger_call_returned(), random_syscall_return(),
 *	   aliases_syscall_return();
 *	6. before execve: target_settle(), calling_end(), hwperf_watch_keep();
 *	   at the end process_exit().
 * fork is followed by process.c, by at_fork().
 */
#ifndef TARGET_ENGINE_H
#define TARGET_ENGINE_H

#include "machine/machine_log.h"
#include "target.h"
#include "watch/calls.h"

/* What the engine does for the rooms below it. */
struct target_engine {
	/* The path of the program that is executed, the caller's, or NULL; the
	 * first address of its code, false: not known. */
	char *(*program)(void);
	bool (*program_start)(u64 *address);
	/* The path of the machine. */
	const char *(*machine_path)(void);
	/* The target uses a device.  What it counts there may be more than the
	 * machine was made for: each process of this run models all from its
	 * next system call on, one with threads when a single one is left. */
	void (*model_all)(void);
	/* The cycles that a counter of the processor would show now. */
	u64 (*ticks)(void);
	/* What threads have recorded is worked off. */
	void (*work_off)(void);
	/* A thread is about to enter block t: which calls lead there. */
	void (*called)(unsigned thread, struct calls *calls,
		       const struct block *t);
	/* What threads count is told: before the counters go on to other
	 * events, and before the process ends. */
	void (*counts_split)(void);
	void (*counts_end)(void);
	/* In a child just forked: the context of the thread that forks; and
	 * only that thread is left. */
	unsigned (*fork_tc)(void);
	void (*fork_child)(void);
	/* In a system: completes a record of the log. */
	void (*sampled)(struct log_sample *entry);
};

extern TARGET_HIDDEN const struct target_engine *engine;

/* begin.c: each returns 0 or a negative errno code. */

/* The machine at that path, or already open: fd, or -1. */
int engine_attach(const char *path, int fd);

/* target.config, target.timing and core, as the machine has them. */
int engine_model(void);

/* Samples, profiles, call paths, and the devices' own watches; of a process
 * that has a slot. */
int engine_watch(void);

/* A process without a model of time, whose target uses a device now: all is modelled
 * from here on, and code made again. */
void engine_model_all(void);

#endif
