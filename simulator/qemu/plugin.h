/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The plugin: what its files share.
 *
 *	plugin.c	arguments, handlers, the callbacks of the fast path
 *	translate.c	a translated block of QEMU's to a struct block
 *	follow.c	execve: the next program runs under the engine too
 *	affinity.c	sched_setaffinity of contexts that the host lacks
 *	strings.c	repeated string instructions that go by steps
 *	linked.c	which store-conditionals have stored
 *	waits.c		ends waits of threads that take turns (turns/)
 *	clocks.c	the machine's clock where QEMU reads the host's
 *	system.c	a whole system instead of a process
 *
 * One process has one core; its threads are hardware contexts of it.
 */
#ifndef QEMU_PLUGIN_H
#define QEMU_PLUGIN_H

#include "api.h"
#include "target/engine.h"

#define PAGE_BITS 12		/* of pages that QEMU's blocks end with */

struct plugin {
	u64 id;			/* QEMU's for this plugin */
	/* In a system: of the block in execution, if that is counted. */
	const struct block_access *access;
	unsigned n_access;
	char machine_path[256];	/* as given in the arguments */
	bool inherit;		/* the next program gets map.fd instead */
};

extern TARGET_HIDDEN struct plugin plugin;

/* translate.c: makes blocks of tb and registers their callbacks. */
void translate(struct qemu_plugin_tb *tb);

/* The same step by step, without a callback for the block.  Decodes tb: how
 * many instructions surely belong to it, all or all but one; these, until the
 * next one is decoded; n of them from the first on as a block, or NULL. */
unsigned translate_decode(struct qemu_plugin_tb *tb);
const struct insn *translate_insns(void);
struct block *translate_block(struct qemu_plugin_tb *tb, unsigned first,
			      unsigned n);

/* The first n instructions of a block, or all, as another one, of the mode
 * that blocks are made for now; NULL if there is no room. */
struct block *translate_part(const struct block *b, unsigned n);

/* Callbacks of the fast path, by lines of the block and kind of access; last:
 * the instruction may be the last one of QEMU's block. */
api_exec_fn *callback_block(const struct block *b);

/* ... but for turns that are left out: strings.c. */
api_exec_fn *callback_whole(const struct block *b);
api_access_fn *callback_access(const struct insn *in,
			       const struct block_access *a, bool last);

/* What callbacks of that access are to be given. */
void *access_data(const struct block_access *a);

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

/* follow.c: called before system calls. */
void follow_syscall(s64 number, const u64 arg[8]);

/* Called when a system call has returned, or with an error when it will not;
 * what was changed for its sake is put back. */
void syscall_returned(s64 result);

#endif
