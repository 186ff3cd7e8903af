/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "block_count.h"

#include <string.h>

/* The signal of the instruction's class; SIG_INSN if it has none. */
static const u8 class_signal[CLASS_N] = {
	[CLASS_NOP] = SIG_INSN_NOP,
	[CLASS_PAUSE] = SIG_INSN_NOP,
	[CLASS_PREFETCH] = SIG_INSN_PREFETCH,
	[CLASS_MUL] = SIG_INSN_MUL,
	[CLASS_MUL64] = SIG_INSN_MUL,
	[CLASS_MUL2] = SIG_INSN_MUL,
	[CLASS_MULH] = SIG_INSN_MUL,
	[CLASS_MULT] = SIG_INSN_MUL,
	[CLASS_DIV] = SIG_INSN_DIV,
	[CLASS_DIV64] = SIG_INSN_DIV,
	[CLASS_FADD ... CLASS_FSQRT_X] = SIG_INSN_FLOP,
	[CLASS_FCMP] = SIG_INSN_FP_COMPARE,
	[CLASS_FROUND ... CLASS_FCVT] = SIG_INSN_FP_CONVERT,
};

/* A second one. */
static const u8 class_detail[CLASS_N] = {
	[CLASS_FMUL ... CLASS_FMADD] = SIG_INSN_FP_MUL,
	[CLASS_FDIV_Y ... CLASS_FDIV_X] = SIG_INSN_FP_DIV,
};

/* Kinds that few instructions are of, or few processors ask for. */
static const struct {
	u32 flag;
	u8 signal;
} rare[] = {
	{INSN_IS_MIPS16, SIG_INSN_MIPS16},
	{INSN_IS_DSP, SIG_INSN_DSP},
	{INSN_IS_SC, SIG_INSN_SC},
	{INSN_IS_LL, SIG_INSN_LINKED},
	{INSN_IS_FORK, SIG_INSN_FORK},
	{INSN_IS_YIELD, SIG_INSN_YIELD},
	{INSN_IS_SEGMENT, SIG_INSN_SEGMENT},
	{INSN_IS_LOCKED, SIG_INSN_LOCKED},
	{INSN_IS_SERIAL, SIG_INSN_SERIAL},
	{INSN_IS_BARRIER, SIG_INSN_BARRIER},
	{INSN_IS_MMX, SIG_INSN_MMX},
	{INSN_IS_EMMS, SIG_INSN_EMMS},
	{INSN_SATURATES, SIG_INSN_MMX_SATURATES},
	{INSN_FP_SIGN, SIG_INSN_FP_CONVERT},
	{INSN_IS_SSE, SIG_INSN_SSE},
};

/* All flags of rare. */
#define FLAGS_RARE                                                     \
	(INSN_IS_MIPS16 | INSN_IS_DSP | INSN_IS_SC | INSN_IS_LL |      \
	 INSN_IS_FORK | INSN_IS_YIELD | INSN_IS_SEGMENT |              \
	 INSN_IS_LOCKED | INSN_IS_SERIAL | INSN_IS_BARRIER |           \
	 INSN_IS_MMX | INSN_IS_EMMS | INSN_IS_SSE | INSN_SATURATES |   \
	 INSN_FP_SIGN)

_Static_assert(SIG_INSN_SEGMENT_GS - SIG_INSN_MMX_MULTIPLY ==
		       INSN_SEGMENT_GS - INSN_MMX_MULTIPLY,
	       "kinds and their signals are in one order");

/* Registers of the system, as those of a MIPS's coprocessor 0 are: instructions
 * for caches have an address, and go to the unit for loads and stores. */
static bool
is_of_system(const struct insn *in)
{
	return in->cls == CLASS_SYSREG && in->addr[0] == REG_NONE &&
	       !(in->flags & (INSN_LOADS | INSN_STORES | INSN_IS_FP));
}

/* Whether a queue issues it: some are done when they are decoded. */
static bool
is_issued(const struct insn *in)
{
	return in->cls != CLASS_NOP && in->cls != CLASS_PAUSE &&
	       in->cls != CLASS_SYSCALL &&
	       !is_of_system(in) && !(in->flags & INSN_FP_CONDITION) &&
	       (in->branch == BRANCH_NONE ||
		in->branch == BRANCH_DIRECT_COND ||
		in->branch == BRANCH_COND_CALL || in->branch == BRANCH_REP);
}

static void
add_sse(struct tally *t, const struct insn *in)
{
	bool computes = in->flags & INSN_IS_FP;

	t->n[SIG_INSN_SSE_COMPUTES] += computes;
	t->n[SIG_INSN_SSE_COMPUTES_SCALAR] +=
		computes && in->kind == INSN_SSE_SCALAR;
}

static void
add_rare(struct tally *t, const struct insn *in)
{
	u32 flags = in->flags;

	for (unsigned i = 0; i < SIM_COUNT(rare); i++)
		if (flags & rare[i].flag)
			t->n[rare[i].signal]++;
	if (flags & INSN_IS_MMX) {
		t->n[SIG_INSN_MMX_LOAD] += flags & INSN_LOADS ? 1 : 0;
		t->n[SIG_INSN_MMX_STORE] += flags & INSN_STORES ? 1 : 0;
		t->n[SIG_UOP_MMX] += in->uops;
	}
	if (flags & INSN_IS_SSE)
		add_sse(t, in);
}

void
tally_insn(struct tally *t, const struct insn *in)
{
	const u32 other = INSN_LOADS | INSN_STORES | INSN_IS_FP;

	t->n[SIG_INSN]++;
	t->n[in->flags & INSN_IS_FP ? SIG_INSN_FPU : SIG_INSN_INT]++;
	if (in->flags & INSN_LOADS)
		t->n[SIG_INSN_LOAD]++;
	if (in->flags & INSN_STORES)
		t->n[SIG_INSN_STORE]++;
	t->n[SIG_DACCESS] += in->n_load + in->n_store;
	t->n[SIG_DACCESS_STORE] += in->n_store;
	if (class_signal[in->cls])
		t->n[class_signal[in->cls]]++;
	if (class_detail[in->cls])
		t->n[class_detail[in->cls]]++;
	if (is_issued(in))
		t->n[SIG_INSN_ISSUED]++;
	if (!(in->flags & other) && in->branch == BRANCH_NONE &&
	    in->cls < CLASS_PREFETCH)
		t->n[SIG_INSN_OPERATE]++;
	if ((in->flags & other) == INSN_IS_FP && in->branch == BRANCH_NONE)
		t->n[SIG_INSN_FP_OPERATE]++;
	if (in->flags & FLAGS_RARE)
		add_rare(t, in);
	if (in->kind)
		t->n[SIG_INSN_MMX_MULTIPLY + in->kind - INSN_MMX_MULTIPLY]++;
}

void
tally_branch(struct tally *t, const struct insn *in)
{
	switch (in->branch) {
	case BRANCH_JUMP:
		t->n[SIG_JUMP]++;
		break;
	case BRANCH_CALL:
		t->n[SIG_CALL]++;
		break;
	case BRANCH_IND_JUMP:
	case BRANCH_IND_CALL:
		t->n[SIG_JUMP_IND]++;
		break;
	case BRANCH_RETURN:
		t->n[SIG_RETURN]++;
		break;
	}
}

/* Counts s and s + 1. */
static u64
two_counts(const struct tally *t, unsigned s)
{
	u64 both;

	memcpy(&both, &t->n[s], sizeof both);
	return both;
}

/* The first signal from s on that counts anything, or to: few do. */
static unsigned
next_signal(const struct tally *t, unsigned s, unsigned to)
{
	while (s + 8 <= to && !(two_counts(t, s) | two_counts(t, s + 2) |
				two_counts(t, s + 4) | two_counts(t, s + 6)))
		s += 8;
	while (s < to && !t->n[s])
		s++;
	return s;
}

u16
tally_put(const struct tally *t, unsigned from, unsigned to,
	  struct block_count *list)
{
	u16 n = 0;

	while ((from = next_signal(t, from, to)) < to) {
		u32 count = t->n[from];

		for (; count > COUNT_MAX; count -= COUNT_MAX)
			list[n++] = (struct block_count){(u8)from, COUNT_MAX};
		list[n++] = (struct block_count){(u8)from++, (u8)count};
	}
	return n;
}
