/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The seam between a target's process and the engine that executes it.
 *
 * An engine, in order:
 *	1. attaches to the machine (machine_attach()), fills in target, sets up
 *	   core (pipeline_init()), and hands down its table: engine = ...;
 *	2. process_start() takes a slot; sampling_start(), profiling_start(),
 *	   calling_start() look at what the machine asks for;
 *	3. translates: for each basic block that is to be executed, places_code(),
 *	   the decoder, process_block_room(), block_build(),
 *	   process_block_done(), profiling_block();
 *	4. executes: at a block's entry fast_enter(), window_enter() or
 *	   profiler_enter(), at each of its accesses fast_data() or core.access;
 *	5. before a system call: ledger_call(), places_syscall(),
 *	   aliases_syscall(), random_syscall(), channel_request(); behind it
 *	   ledger_call_returned(), random_syscall_return(),
 *	   aliases_syscall_return();
 *	6. before execve: target_settle(), calling_end(), hwperf_watch_keep();
 *	   at the end process_exit().
 * fork is followed by process.c, by pthread_atfork().
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

#endif
