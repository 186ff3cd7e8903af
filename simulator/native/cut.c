/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cut.h"

#include "guard.h"

#include <stdio.h>

#define PAGE_BITS 12
#define MAX_OPERATIONS 4000	/* of QEMU's, for a block */

const struct host_insn *
cut_insn(u64 pc)
{
	const struct host_insn *h = host_at(pc);
	u64 last = h ? pc + h->size - 1u : pc;

	if (last >> PAGE_BITS != pc >> PAGE_BITS && !guard_executes(last))
		return NULL;
	return h;
}

/* The instruction at pc as the next one; false: there is none that this engine
 * executes. */
static bool
take_insn(struct cut *now, u64 pc)
{
	const struct host_insn *h = cut_insn(pc);
	u8 *data = now->data[now->n];

	if (!h || h->kind == HOST_BAD)
		return false;
	now->host[now->n] = *h;
	memset(data, 0, INSN_BYTES);
	memcpy(data, (const void *)(uintptr_t)pc, h->size);
	decoded_insn(&now->insn[now->n], pc, data, h->size, false);
	return true;
}

static bool
ends_block(const struct host_insn *h)
{
	return h->kind != HOST_COPY && h->kind != HOST_ASK;
}

/*
 * About how many operations QEMU makes of an instruction, with what the plugin
 * has it call: it ends a block that has got too many.  Of no-ops, this is
 * exact.
 */
static unsigned
operations(const struct host_insn *h, const struct insn *in)
{
	unsigned accesses = in->n_load + in->n_store;

	if (!h->names && !h->n_memory && !h->flags_written)
		return in->cls == CLASS_NOP ? 20 : 24;
	if (in->cls == CLASS_NOP)
		return 20;
	if (accesses)
		return 20 + 17 * accesses + (h->flags_written ? 4 : 0);
	return h->flags_written ? 26 : 22;
}

/* Whether it may write the code behind it, and nothing else tells that. */
static bool
ends_alone(const struct host_insn *h, u64 pc, bool alone)
{
	bool stores = false;

	for (unsigned i = 0; i < h->n_memory; i++)
		stores |= h->memory[i].store;
	return alone || (stores && guard_change(pc) == HOST_UNNOTICED);
}

/* One that hardly any program uses: far jumps, strings behind GS. */
__attribute__((noreturn)) static void
refuse(u64 pc)
{
	fprintf(stderr, "pmcsim: the native engine does not execute the "
		"instruction at 0x%llx: run the program with --engine qemu\n",
		(unsigned long long)pc);
	process_exit();
	process_stop();
}

unsigned
cut_block(struct cut *now, u64 pc, bool alone)
{
	u64 page = pc >> PAGE_BITS;
	const struct insn *last;
	unsigned room = MAX_OPERATIONS, made;

	for (now->n = 0; now->n < BLOCK_MAX_INSN;) {
		if (!take_insn(now, pc)) {
			if (!now->n)
				refuse(pc);
			break;
		}
		last = &now->insn[now->n];
		if (now->n && cut_last_byte(last) >> PAGE_BITS != page)
			return now->n;
		made = operations(&now->host[now->n], last);
		if (ends_alone(&now->host[now->n], pc, alone))
			made = room;
		pc += last->size;
		if (ends_block(&now->host[now->n++]) ||
		    pc >> PAGE_BITS != page || made >= room)
			break;
		room -= made;
	}
	last = &now->insn[now->n - 1];
	return now->n > 1 && (last->pc + HOST_MAX_BYTES) >> PAGE_BITS != page
		       ? now->n - 1 : now->n;
}
