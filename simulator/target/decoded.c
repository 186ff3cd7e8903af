/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "decoded.h"
#include "target.h"

#include <string.h>

#define KNOWN_BITS 11

/* Instructions seen last, by a hash of their bytes.  What they are depends on
 * nothing else but the instruction set. */
static struct known {
	u64 bytes[2];
	struct insn insn;	/* size 0: none */
} __attribute__((aligned(64))) known[1 << KNOWN_BITS];

/*
 * On MIPS and Alpha an instruction makes one access, though QEMU may do it
 * in pieces (lwl, swr) or as a compare-and-swap (sc).
 */
static void
one_access(struct insn *in)
{
	if (target_is_x86() || in->flags & (INSN_MEM_KNOWN | INSN_UNKNOWN))
		return;
	if (in->flags & INSN_STORES)
		in->n_store = 1;
	else if (in->flags & INSN_LOADS)
		in->n_load = 1;
}

void
decode_insn(struct insn *in, u64 pc, const u8 data[INSN_BYTES], unsigned size,
	    bool mips16)
{
	switch (target.isa) {
	case ISA_X86_64:
	case ISA_I386:
		decode_x86(in, pc, data, size, target.isa == ISA_X86_64);
		break;
	case ISA_MIPSEL:
	case ISA_MIPS:
		decode_mips(in, pc, data, size, target.isa == ISA_MIPS,
			    mips16);
		break;
	default:
		decode_alpha(in, pc, data, size);
		break;
	}
	if (in->branch == BRANCH_DIRECT_COND || in->branch == BRANCH_COND_CALL)
		in->backward = decode_is_backward(target.isa, data, size,
						  mips16);
	one_access(in);
}

/* Where one with these bytes is, if it has been seen. */
static struct known *
known_place(const u64 bytes[2])
{
	return &known[(bytes[0] ^ bytes[1] << 7) * 0x9e3779b97f4a7c15 >>
		      (64 - KNOWN_BITS)];
}

void
decoded_soon(const u8 data[INSN_BYTES])
{
	u64 bytes[2];

	memcpy(bytes, data, sizeof bytes);
	__builtin_prefetch(known_place(bytes));
}

void
decoded_insn(struct insn *in, u64 pc, const u8 data[INSN_BYTES],
	     unsigned size, bool mips16)
{
	struct known *k;
	u64 bytes[2];

	if (mips16) {
		decode_insn(in, pc, data, size, true);
		return;
	}
	memcpy(bytes, data, sizeof bytes);
	k = known_place(bytes);
	if (k->bytes[0] != bytes[0] || k->bytes[1] != bytes[1] ||
	    k->insn.size != size || !size) {
		memcpy(k->bytes, bytes, sizeof bytes);
		decode_insn(&k->insn, pc, data, size, false);
	}
	*in = k->insn;
	in->pc = pc;
}
