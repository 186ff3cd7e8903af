/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A process of the target under an engine: which machine counts what it does,
 * its slot and segments there, its memory.  One process has one core; its
 * threads are hardware contexts of it.
 *
 *	process.c	slot, segments, fork, exit, memory
 *	call.h		which system call a number is
 *	channel.h	requests to the devices; device_file.h: their files
 *	detour.h	those where system calls cannot be answered
 *	sampling.h	overflows; hwperf_watch.h, pfm_watch.h: by a device
 *	profiling.h	counts per instruction
 *	calling.h	which calls led to a sample
 *	regioning.h	counts of regions
 *	places.h	where code comes from
 *	aliases.h	whether it is written through another mapping
 *	mapped.h	what of its memory is of files
 *	cycles.h	the cycle counter that programs read
 *	ledger_calls.h	what system calls are charged
 *	random.h	random numbers that are the same each time
 *
 * What these need of the engine is engine.h.
 */
#ifndef TARGET_H
#define TARGET_H

#include "code/decode/decode.h"
#include "core/core.h"

struct target {
	struct machine_map map;
	const struct sim_config *config; /* in the mapping */
	unsigned slot;		/* of this process */
	enum isa isa;
	bool timing;		/* all is modelled: NEED_TIMING */
	bool system;		/* not a process: a whole system runs */
	u64 guest_base;		/* host address - address of the target */
	bool guest_base_known;
};

/* Seconds since the machine was switched on, when a program starts. */
#define MACHINE_UPTIME 1000u

/* Hidden: code that is not beside them finds them as quickly. */
#define TARGET_HIDDEN __attribute__((visibility("hidden")))
extern TARGET_HIDDEN struct target target;
extern TARGET_HIDDEN struct core core;

/* The process's slot of the machine. */
static inline struct machine_slot *
target_slot(void)
{
	return &target.map.m->slot[target.slot];
}

static inline bool
target_is_x86(void)
{
	return target.isa == ISA_X86_64 || target.isa == ISA_I386;
}

/* Lets the window look at what counters have been told to count; 0 or a
 * negative errno code. */
int target_look(void);

/* Whether more is modelled than counts of blocks: all, or that threads that share a
 * core, or have one each, take their turns by its cycles. */
bool target_is_modelled(void);

/* Programs of this run use the device: all from then on model everything. */
SIM_INLINE bool
target_is_used(void)
{
	return __atomic_load_n(&target.map.m->used, __ATOMIC_RELAXED);
}

/* Whether an event of the machine has that signal. */
bool target_asked_for(unsigned signal);

/* What threads have recorded and what the core has begun is in the machine,
 * for others to read. */
void target_settle(void);

/* process.c */

/* Takes a slot; retires slot old, if that is not 0, of the program that
 * executed this one.  0 or -errno. */
int process_start(unsigned old);

/* A slot for blocks that run in another mode than user; 0 or -errno.
 * process_mode(): blocks are made in that mode's slot from now on. */
int process_add_mode(enum sim_mode mode);
void process_mode(enum sim_mode mode);
struct machine_slot *process_mode_slot(enum sim_mode mode);

/* Memory for a block in the current segment; NULL if there is none left.
 * The block must be put in place by process_block_done(). */
void *process_block_room(size_t bytes);
void process_block_done(size_t bytes);

/* Ends the process before the program has come to its end: reports of the run
 * say so, and standard error, which has been told why. */
__attribute__((noreturn)) void process_stop(void);

/* The same, and tells why. */
__attribute__((noreturn)) void process_die(const char *what, int error);

/* Memory of the process that lives as long as it does; NULL if exhausted. */
void *process_alloc(size_t bytes);

/* Gives back what was taken last; false if something was taken since. */
bool process_take_back(const void *last, size_t bytes);

/*
 * Segments of blocks are to lie there, one behind the other, so that another process
 * may have the same in their place.  How many there are; false: none, or not all of
 * them are there.  And takes n of them in a process that has none; false: they are
 * elsewhere.
 */
void process_place(u8 *segments);
bool process_segments(unsigned *n);
bool process_take_segments(unsigned n);

/* The segment that b lies in, and its number, less than PROCESS_SEGMENTS; or NULL. */
#define PROCESS_SEGMENTS 4096
struct machine_segment *process_segment_with(const struct block *b,
					     unsigned *number);

/* Counts of this process go to that context from now on. */
void process_bind(unsigned tc);

/* What it has counted on a context so far, with its blocks or without. */
void process_look(unsigned tc, bool blocks, u64 sum[SIG_N]);

/* The process's blocks one by one, as they were made: the next one, or NULL as long as
 * there is none; at is 0 at first. */
struct process_place {
	unsigned segment;
	size_t offset;
};
const struct block *process_next_block(struct process_place *at);

/* The user that the process believes to be. */
u32 process_uid(void);

/* Whether this is the process that the run began with. */
bool process_is_first(void);

/* The process ends: everything is added up, the slot given back. */
void process_exit(void);

/* guest memory: 0 or -EFAULT, never a signal */
int guest_read(void *dest, u64 addr, size_t bytes);
int guest_write(u64 addr, const void *src, size_t bytes);

/* In a child that has been forked: both, from now on. */
void guest_forked(void);

/* Of at most so many bytes of the target's from there, how many are on the same page:
 * the next one may not be there. */
size_t guest_on_page(u64 addr, size_t most);

/* A number in the target's byte order, of its pointers' size. */
u64 guest_word(const void *data);
unsigned guest_word_size(void);

/* What entry i of a vector as readv() takes it refers to; 0 or -EFAULT. */
int guest_piece(u64 vector, u64 i, u64 *address, u64 *bytes);

#endif
