/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Repeated movs and stos on processors that move many bytes at once, and all that
 * repeat themselves where nothing is modelled.  QEMU executes them element by
 * element, each turn but the first in a block of its own; of these only the first
 * of each step is told.  The native engine executes a step at once, so that both
 * tell the same.
 */
#include "strings.h"

#include "turns/turns.h"

#include <errno.h>
#include <stdlib.h>

/* By processor of QEMU's: the element that it is at, and whether its turn is left
 * out. */
static struct {
	u32 element;
	bool left_out;
} strings[TURNS_VCPUS];

struct watched {
	api_access_fn *fn;
	void *data;
};

#define WHOLE UINT32_MAX

/* Elements of a step; WHOLE: more than there are. */
static u32
step_of(const struct block *b)
{
	if (b->branch == BRANCH_REP && !target.timing)
		return WHOLE;
	return b->detail->step ? b->detail->step : 1;
}

bool
strings_steps(const struct block *b)
{
	return step_of(b) > 1 && !target.system;
}

/* Whether the instruction is being executed already.  Where threads execute side
 * by side that is not known. */
static bool
goes_on(unsigned vcpu, const struct block *b)
{
	const struct block *in = core.recording ? turns_in(vcpu) : core.prev;

	if (b->n_insn > 1)
		return false;
	return turns_none() || (in && in->branch == BRANCH_REP &&
				block_branch_pc(in) == b->vaddr);
}

void
strings_block(unsigned vcpu, void *block)
{
	const struct block *b = block;
	unsigned i = vcpu % TURNS_VCPUS;

	strings[i].element = goes_on(vcpu, b) ? strings[i].element + 1 : 0;
	strings[i].left_out = strings[i].element % step_of(b);
	if (!strings[i].left_out)
		callback_whole(b)(vcpu, block);
}

static void
on_access(unsigned vcpu, u32 info, u64 va, void *data)
{
	const struct watched *w = data;

	if (!strings[vcpu % TURNS_VCPUS].left_out)
		w->fn(vcpu, info, va, w->data);
}

void
strings_watch(struct qemu_plugin_insn *q, api_access_fn *fn, void *data)
{
	struct watched *w = malloc(sizeof *w);

	if (!w)
		process_die("memory for a string instruction", ENOMEM);
	*w = (struct watched){fn, data};
	qemu_plugin_register_vcpu_mem_cb(q, on_access, API_NO_REGS,
					 API_READ_WRITE, w);
}
