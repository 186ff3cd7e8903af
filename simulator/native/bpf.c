/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bpf.h"

#include <string.h>

#define BITS 32			/* of a register */
#define ALL_WORDS 0xffff	/* of the memory, a bit each */

_Static_assert(BPF_MEMWORDS == 16, "a bit for each");

/* ---- Whether they are a filter ------------------------------------------- */

/* What it does with its constant or X. */
static bool
is_arithmetic(const struct sock_filter *i)
{
	bool constant = BPF_SRC(i->code) == BPF_K;

	switch (BPF_OP(i->code)) {
	case BPF_ADD:
	case BPF_SUB:
	case BPF_MUL:
	case BPF_OR:
	case BPF_AND:
	case BPF_XOR:
		return true;
	case BPF_DIV:
		return !constant || i->k;
	case BPF_LSH:
	case BPF_RSH:
		return !constant || i->k < BITS;
	case BPF_NEG:
		return constant;
	default:
		return false;
	}
}

/* So many instructions follow it. */
static bool
is_jump(const struct sock_filter *i, unsigned left)
{
	switch (BPF_OP(i->code)) {
	case BPF_JA:
		return BPF_SRC(i->code) == BPF_K && i->k < left;
	case BPF_JEQ:
	case BPF_JGT:
	case BPF_JGE:
	case BPF_JSET:
		return i->jt < left && i->jf < left;
	default:
		return false;
	}
}

static bool
is_known(const struct sock_filter *i, unsigned left)
{
	switch (i->code) {
	case BPF_LD | BPF_W | BPF_ABS:
		return i->k % sizeof(u32) == 0 &&
		       i->k < sizeof(struct seccomp_data);
	case BPF_LD | BPF_W | BPF_LEN:
	case BPF_LDX | BPF_W | BPF_LEN:
	case BPF_LD | BPF_IMM:
	case BPF_LDX | BPF_IMM:
	case BPF_MISC | BPF_TAX:
	case BPF_MISC | BPF_TXA:
	case BPF_RET | BPF_K:
	case BPF_RET | BPF_A:
		return true;
	case BPF_LD | BPF_MEM:
	case BPF_LDX | BPF_MEM:
	case BPF_ST:
	case BPF_STX:
		return i->k < BPF_MEMWORDS;
	}
	if (i->code & ~(BPF_CLASS(~0) | BPF_OP(~0) | BPF_SRC(~0)))
		return false;
	return BPF_CLASS(i->code) == BPF_ALU ? is_arithmetic(i) :
	       BPF_CLASS(i->code) == BPF_JMP && is_jump(i, left);
}

/* What those that may be next find: words that may not have been written when this one
 * is over.  unwritten has that of this one, and of all behind it. */
static void
pass_on(u16 *unwritten, const struct sock_filter *i, u16 lacks)
{
	if (BPF_CLASS(i->code) == BPF_RET)
		return;
	if (BPF_CLASS(i->code) != BPF_JMP) {
		unwritten[1] |= lacks;
	} else if (BPF_OP(i->code) == BPF_JA) {
		unwritten[1 + i->k] |= lacks;
	} else {
		unwritten[1 + i->jt] |= lacks;
		unwritten[1 + i->jf] |= lacks;
	}
}

/* No word is read before it is written.  Jumps go forward, so one pass is all. */
static bool
reads_what_is_written(const struct sock_filter *code, unsigned n)
{
	u16 unwritten[BPF_MAXINSNS] = {ALL_WORDS};

	for (unsigned at = 0; at < n; at++) {
		const struct sock_filter *i = &code[at];
		unsigned class = BPF_CLASS(i->code);
		u16 lacks = unwritten[at], word = (u16)(1u << (i->k & 15));

		if (class == BPF_ST || class == BPF_STX)
			lacks &= (u16)~word;
		else if ((class == BPF_LD || class == BPF_LDX) &&
			 BPF_MODE(i->code) == BPF_MEM && lacks & word)
			return false;
		pass_on(&unwritten[at], i, lacks);
	}
	return true;
}

bool
bpf_is_filter(const struct sock_filter *code, unsigned n)
{
	if (!n || n > BPF_MAXINSNS || BPF_CLASS(code[n - 1].code) != BPF_RET)
		return false;
	for (unsigned i = 0; i < n; i++)
		if (!is_known(&code[i], n - i - 1))
			return false;
	return reads_what_is_written(code, n);
}

/* ---- What they return ---------------------------------------------------- */

struct registers {
	u32 a, x;
	u32 memory[BPF_MEMWORDS];
};

/* Returns false where the filter ends, as by a division by nothing. */
static bool
work_out(struct registers *r, const struct sock_filter *i)
{
	u32 by = BPF_SRC(i->code) == BPF_K ? i->k : r->x;

	switch (BPF_OP(i->code)) {
	case BPF_ADD: r->a += by; break;
	case BPF_SUB: r->a -= by; break;
	case BPF_MUL: r->a *= by; break;
	case BPF_OR: r->a |= by; break;
	case BPF_AND: r->a &= by; break;
	case BPF_XOR: r->a ^= by; break;
	case BPF_LSH: r->a <<= by % BITS; break;
	case BPF_RSH: r->a >>= by % BITS; break;
	case BPF_NEG: r->a = -r->a; break;
	default:
		if (!by)
			return false;
		r->a /= by;
	}
	return true;
}

/* How many instructions it leaves out. */
static u32
jump(const struct registers *r, const struct sock_filter *i)
{
	u32 with = BPF_SRC(i->code) == BPF_K ? i->k : r->x;
	bool holds;

	switch (BPF_OP(i->code)) {
	case BPF_JA:
		return i->k;
	case BPF_JEQ:
		holds = r->a == with;
		break;
	case BPF_JGT:
		holds = r->a > with;
		break;
	case BPF_JGE:
		holds = r->a >= with;
		break;
	default:
		holds = r->a & with;
	}
	return holds ? i->jt : i->jf;
}

static u32
loaded(const struct registers *r, const struct sock_filter *i,
       const struct seccomp_data *call)
{
	u32 word;

	switch (BPF_MODE(i->code)) {
	case BPF_ABS:
		memcpy(&word, (const char *)call + i->k, sizeof word);
		return word;
	case BPF_MEM:
		return r->memory[i->k];
	case BPF_LEN:
		return sizeof *call;
	default:
		return i->k;
	}
}

u32
bpf_run(const struct sock_filter *code, const struct seccomp_data *call)
{
	struct registers r = {0};

	for (const struct sock_filter *i = code;; i++)
		switch (BPF_CLASS(i->code)) {
		case BPF_LD:
			r.a = loaded(&r, i, call);
			break;
		case BPF_LDX:
			r.x = loaded(&r, i, call);
			break;
		case BPF_ST:
			r.memory[i->k] = r.a;
			break;
		case BPF_STX:
			r.memory[i->k] = r.x;
			break;
		case BPF_ALU:
			if (!work_out(&r, i))
				return SECCOMP_RET_KILL_THREAD;
			break;
		case BPF_JMP:
			i += jump(&r, i);
			break;
		case BPF_RET:
			return BPF_RVAL(i->code) == BPF_A ? r.a : i->k;
		default:
			if (i->code == (BPF_MISC | BPF_TAX))
				r.x = r.a;
			else
				r.a = r.x;
		}
}
