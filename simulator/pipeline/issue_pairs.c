/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two pipes in lockstep, as the Pentium has them.  Whether two instructions
 * pair is decided by what they are, before their operands are looked at; a
 * pair then waits and goes together, and the next one begins when both are
 * done.  A conflict of a pair's accesses shows when their addresses are known
 * (align.c).  Not modelled: that nothing pairs when a line is executed for the
 * first time.
 */
#include "issue.h"

#include <string.h>

/* How an instruction uses memory. */
enum how { HOW_ONE_CYCLE, HOW_LOADS, HOW_MODIFIES, HOW_LONG };

static enum how
how_long(const struct insn *in)
{
	bool computes = !in->dst_loaded && !(in->flags & INSN_IS_FP) &&
			in->branch == BRANCH_NONE;

	if (in->micro)
		return HOW_LONG;
	if (in->flags & INSN_LOADS && in->flags & INSN_STORES)
		return HOW_MODIFIES;
	return in->flags & INSN_LOADS && computes ? HOW_LOADS : HOW_ONE_CYCLE;
}

/* Cycles that an instruction takes on its own, without prefixes. */
static unsigned
cycles_alone(const struct pipeline_config *pipe, const struct insn *in)
{
	static const u8 extra[] = {
		[HOW_LOADS] = 1, [HOW_MODIFIES] = 2, [HOW_LONG] = 0};
	const struct class_config *cost = &pipe->cls[in->cls];
	enum how how = how_long(in);

	if (how == HOW_LONG)
		return in->micro;
	return (cost->unit == UNIT_NONE ? cost->repeat : 1u) + extra[how];
}

/*
 * Cycles of a pair.  Two that both modify memory, or one behind such a one,
 * overlap in one cycle only.
 */
static unsigned
cycles_paired(const struct pipeline_config *pipe, const struct insn *a,
	      const struct insn *b)
{
	unsigned first = cycles_alone(pipe, a), second = cycles_alone(pipe, b);

	if (how_long(a) == HOW_MODIFIES && how_long(b) != HOW_ONE_CYCLE)
		return first + second - 1;
	return first > second ? first : second;
}

/* The register that a push, pop, call or return moves, or REG_NONE. */
static unsigned
stack_register(const struct insn *in)
{
	if (!(in->flags & INSN_IS_STACK))
		return REG_NONE;
	for (unsigned i = 0; i < INSN_DST && in->dst[i] != REG_NONE; i++)
		if (memchr(in->addr, in->dst[i], INSN_ADDR))
			return in->dst[i];
	return REG_NONE;
}

/* Bytes in front of it that each take the decoder a cycle. */
static unsigned
prefixes_of(const struct pipeline_config *pipe, const struct insn *in)
{
	bool none = pipe->issue.escape_free && in->flags & INSN_IS_ESCAPED;

	return in->prefixes - (none && in->prefixes);
}

/* Whether b goes through the second pipe while a goes through the first. */
static bool
pairs(const struct pipeline_config *pipe, const struct insn *a,
      const struct insn *b)
{
	unsigned stack = stack_register(a);

	if (prefixes_of(pipe, b))
		return false;
	if (a->pair == PAIR_FP)
		return b->pair == PAIR_FXCH;
	if (a->pair != PAIR_UV && a->pair != PAIR_U)
		return false;
	if (b->pair != PAIR_UV && b->pair != PAIR_V)
		return false;
	return !issue_depends(a, b, stack == stack_register(b) ? stack
								: REG_NONE);
}

/* When it can issue.  What lea computes is an address, and waited for so. */
static struct issue
earliest(const struct issue_run *run, const struct insn *in)
{
	struct issue w = schedule_issue(run->s, run->pipe, in);

	if (!issue_is_address(run->pipe, in))
		return w;
	for (unsigned i = 0; i < INSN_SRC && in->src[i] != REG_NONE; i++) {
		struct issue a = {
			.at = run->s->ready_addr[in->src[i]],
			.cause = SIG_ALU_AGEN,
			.reg = in->src[i],
		};

		w = issue_later(w, a);
	}
	return w;
}

/*
 * Books in, which began in cycle at and ends in cycle end.  A unit goes on
 * by itself; the stack pointer is ready as an address at once where it is
 * moved implicitly, and so are the pointers of a string instruction that repeats
 * itself; fxch only renames.
 */
static void
book(struct issue_run *run, const struct insn *in, u64 at, u64 end)
{
	const struct class_config *cost = &run->pipe->cls[in->cls];
	struct schedule *s = run->s;

	if (in->cls == CLASS_FXCH)
		return;
	if (cost->unit != UNIT_NONE) {
		schedule_book(s, run->pipe, in, at);
		return;
	}
	for (unsigned i = 0; i < INSN_DST && in->dst[i] != REG_NONE; i++) {
		unsigned r = in->dst[i];
		bool loaded = i == 0 && in->dst_loaded;
		bool implicit =
			in->branch == BRANCH_REP || r == stack_register(in);

		s->ready[r] = end + (loaded ? run->pipe->load_use : 1u);
		s->ready_addr[r] = end + (implicit ? 1u
					  : loaded ? run->pipe->load_address
						   : run->pipe->alu_address);
		s->cause[r] = loaded ? SIG_ALU_LOADUSE : SIG_ALU_OTHER;
	}
}

/* Cycles that the decoder takes for the prefixes of what goes first. */
static unsigned
prefix_cycles(const struct pipeline_config *pipe, const struct insn *in)
{
	if (pipe->issue.prefix_overlaps && cycles_alone(pipe, in) > 1)
		return 0;
	return prefixes_of(pipe, in);
}

/* Issues k instructions together; returns the cycle they issue at. */
static void
issue_group(struct issue_run *run, const struct insn *in, unsigned k,
	    u16 *offset)
{
	struct schedule *s = run->s;
	unsigned decode = prefix_cycles(run->pipe, in), accesses = 0;
	unsigned cycles = cycles_alone(run->pipe, in);
	struct issue w = {.at = s->next + decode};

	for (unsigned i = 0; i < k; i++) {
		w = issue_later(w, earliest(run, &in[i]));
		accesses += issue_accesses(&in[i]);
	}
	if (k == 2)
		cycles = cycles_paired(run->pipe, &in[0], &in[1]);
	run->count[SIG_IFU_DECODE] += decode;
	run->count[w.cause] += (u32)(w.at - s->next - decode);
	run->count[SIG_ALU_BUSY] += cycles - 1;
	issue_count(run, k, accesses);
	for (unsigned i = 0; i < k; i++) {
		offset[i] = (u16)w.at;
		run->count[SIG_ISSUE_MMX_FIRST + i] +=
			(in[i].flags & INSN_IS_MMX) != 0;
		book(run, &in[i], w.at, w.at + cycles - 1);
	}
	s->next = w.at + cycles;
}

void
issue_pairs(struct issue_run *run)
{
	unsigned k;

	for (unsigned i = 0; i < run->n; i += k) {
		const struct insn *in = &run->in[i];

		k = i + 1 < run->n && pairs(run->pipe, in, in + 1) ? 2 : 1;
		issue_group(run, in, k, run->offset + i);
	}
}
