/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The plugin: what its files share.
 *
 *	plugin.c	arguments, handlers, the callbacks of the fast path
 *	translate.c	a translated block of QEMU's to a struct block
 *	process.c	this process's slot and segments; fork and exit
 *	follow.c	execve: the next program runs under the engine too
 *	channel.c	requests of the target to the emulated device
 *	affinity.c	sched_setaffinity of contexts that the host lacks
 *	linked.c	which store-conditionals have stored
 *	turns.c		threads in turn, queues of what they executed
 *	system.c	a whole system instead of a process
 *
 * One process has one core; its threads are hardware contexts of it.
 */
#ifndef QEMU_PLUGIN_H
#define QEMU_PLUGIN_H

#include "core/core.h"
#include "api.h"
#include "code/decode/decode.h"

struct plugin {
	struct machine_map map;
	const struct sim_config *config; /* in the mapping */
	unsigned slot;		/* of this process */
	enum isa isa;
	bool timing;		/* all is modelled: NEED_TIMING */
	u64 id;			/* QEMU's for this plugin */
	u64 guest_base;		/* host address - guest address */
	bool guest_base_known;
	bool system;		/* QEMU emulates a whole system */
	/* In a system: of the block in execution, if that is counted. */
	const struct block_access *access;
	unsigned n_access;
	char machine_path[256];	/* as given in the arguments */
	bool inherit;		/* the next program gets map.fd instead */
};

/* Hidden: code that is not beside them finds them as quickly. */
#define PLUGIN_HIDDEN __attribute__((visibility("hidden")))
extern PLUGIN_HIDDEN struct plugin plugin;
extern PLUGIN_HIDDEN struct core core;

/* Lets the window look at what counters have been told to count; 0 or a
 * negative errno code. */
int plugin_look(void);

/*
 * The target uses the device.  What it counts there may be more than the
 * machine was made for: each process of this run models all from its next
 * system call on, one with threads when a single one is left.
 */
void plugin_used(void);

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

/* Tells why the process cannot go on, and ends it. */
__attribute__((noreturn)) void process_die(const char *what, int error);

/* Memory of the process that lives as long as it does; NULL if exhausted. */
void *process_alloc(size_t bytes);

/* Gives back what was taken last; false if something was taken since. */
bool process_take_back(const void *last, size_t bytes);

/* Counts of this process go to that context from now on. */
void process_bind(unsigned tc);

/* The user that the process believes to be. */
u32 process_uid(void);

/* The process ends: everything is added up, the slot given back. */
void process_exit(void);

/* translate.c: makes blocks of tb and registers their callbacks. */
void translate(struct qemu_plugin_tb *tb);

/* The same step by step, without a callback for the block.  Decodes tb: how
 * many instructions surely belong to it, all or all but one; these, until the
 * next one is decoded; n of them from the first on as a block, or NULL. */
unsigned translate_decode(struct qemu_plugin_tb *tb);
const struct insn *translate_insns(void);
struct block *translate_block(struct qemu_plugin_tb *tb, unsigned first,
			      unsigned n);

/* Decodes the instructions of a block again, see block_decoder(). */
const struct insn *translate_again(const struct block *b);

/* The first n instructions of a block, or all, as another one, of the mode
 * that blocks are made for now; NULL if there is no room. */
struct block *translate_part(const struct block *b, unsigned n);

/* Callbacks of the fast path, by lines of the block and kind of access; last:
 * the instruction may be the last one of QEMU's block. */
api_exec_fn *callback_block(const struct block *b);
api_access_fn *callback_access(const struct insn *in,
			       const struct block_access *a, bool last);

/* What callbacks of that access are to be given. */
void *access_data(const struct block_access *a);

/* Whether an event of the machine has that signal. */
bool plugin_asked_for(unsigned signal);

/* In a system: whether an access is of the block in execution, and that is
 * counted. */
bool plugin_counts(const void *access);

/* An access of the fast path has made that signal happen. */
void plugin_count_at(const struct block_access *a, unsigned signal);

/* Called where an access of a block is a barrier. */
void callback_barrier(unsigned vcpu, void *access);

/* A store that QEMU announces in parts, and what is called before it. */
bool callback_has_parts(const struct insn *in);
void callback_parts_begin(unsigned vcpu, void *data);

/* guest memory: 0 or -EFAULT, never a signal */
int guest_read(void *dest, u64 addr, size_t bytes);
int guest_write(u64 addr, const void *src, size_t bytes);

/* A number in the target's byte order, of its pointers' size. */
u64 guest_word(const void *data);
unsigned guest_word_size(void);

/* What entry i of a vector as readv() takes it refers to; 0 or -EFAULT. */
int guest_piece(u64 vector, u64 i, u64 *address, u64 *bytes);

/* turns.c, see turns.h; follow.c, channel.c: called before system calls. */
void follow_syscall(s64 number, const u64 arg[8]);
void channel_syscall(s64 number, const u64 arg[8]);

#endif
