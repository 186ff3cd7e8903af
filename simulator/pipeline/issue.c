/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "issue.h"

#include <string.h>

struct issue
issue_later(struct issue a, struct issue b)
{
	return b.at > a.at ? b : a;
}

void
issue_count(struct issue_run *run, unsigned n, unsigned accesses)
{
	run->count[SIG_CYCLE_ISSUE]++;
	run->count[SIG_ISSUE_1 + n - 1]++;
	run->count[SIG_ISSUE_MEMORY] += accesses > 1;
}

static bool
touches(const struct insn *in, unsigned reg)
{
	return memchr(in->addr, (int)reg, INSN_ADDR) ||
	       memchr(in->src, (int)reg, INSN_SRC) || in->data == reg ||
	       memchr(in->dst, (int)reg, INSN_DST);
}

bool
issue_depends(const struct insn *a, const struct insn *b, unsigned except)
{
	for (unsigned i = 0; i < INSN_DST && a->dst[i] != REG_NONE; i++)
		if (a->dst[i] != REG_FLAGS && a->dst[i] != except &&
		    touches(b, a->dst[i]))
			return true;
	return false;
}

unsigned
issue_form(const struct insn *in)
{
	bool fp = in->data != REG_NONE && in->data >= REG_FP0 &&
		  in->data < REG_FLAGS;

	switch (in->branch) {
	case BRANCH_NONE:
	case BRANCH_REP:
		break;
	case BRANCH_DIRECT_COND:
		fp = in->src[0] != REG_NONE && in->src[0] >= REG_FP0 &&
		     in->src[0] < REG_FLAGS;
		return fp ? FORM_FP_BRANCH : FORM_BRANCH;
	case BRANCH_JUMP:
	case BRANCH_CALL:
	case BRANCH_COND_CALL:
		return FORM_BRANCH;
	default:
		return FORM_JUMP;
	}
	if (in->flags & INSN_STORES)
		return in->flags & INSN_IS_SC ? FORM_STORE_COND
		       : fp ? FORM_FP_STORE : FORM_STORE;
	if (in->flags & INSN_LOADS)
		return in->flags & INSN_IS_LL ? FORM_LOAD_LOCKED : FORM_LOAD;
	return FORM_CLASS;
}

static void
issue_single(struct issue_run *run)
{
	struct schedule *s = run->s;

	for (unsigned i = 0; i < run->n; i++) {
		struct issue w = schedule_issue(s, run->pipe, &run->in[i]);

		run->count[w.cause] += (u32)(w.at - s->next);
		run->offset[i] = (u16)w.at;
		schedule_book(s, run->pipe, &run->in[i], w.at);
	}
	run->count[SIG_CYCLE_ISSUE] += run->n;
}

void
issue_block(struct schedule *s, const struct pipeline_config *pipe,
	    const struct insn *in, unsigned n, u16 *offset,
	    u32 count[SIG_BLOCK_N])
{
	struct issue_run run = {s, pipe, in, n, offset, count};

	switch (pipe->issue.rule) {
	case ISSUE_SINGLE:
		issue_single(&run);
		break;
	case ISSUE_PAIRS:
		issue_pairs(&run);
		break;
	case ISSUE_SLOTS:
		issue_slots(&run);
		break;
	default:
		issue_bundles(&run);
		break;
	}
}
