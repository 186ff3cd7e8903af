/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One instruction, whatever the target's instruction set: what a pipeline
 * model needs to know about it before it runs.  The decoders of
 * simulator/qemu/decode/ fill it; simulator/code/block.c turns it into costs.
 */
#ifndef SIM_INSN_H
#define SIM_INSN_H

#include "machine/insn_class.h"
#include "machine/types.h"

enum insn_branch {
	BRANCH_NONE,
	BRANCH_DIRECT_COND, /* PC-relative conditional */
	BRANCH_JUMP,	    /* direct, unconditional */
	BRANCH_CALL,	    /* direct call */
	BRANCH_IND_JUMP,    /* through a register or memory */
	BRANCH_IND_CALL,
	BRANCH_RETURN,
	BRANCH_REP,	    /* x86 string instruction that repeats itself */
	BRANCH_COND_CALL,   /* MIPS bltzal, bgezal: conditional, links */
};

static inline bool
branch_is_unconditional(u8 branch)
{
	return branch >= BRANCH_JUMP && branch <= BRANCH_RETURN;
}

/* Flags of an instruction. */
enum {
	INSN_LOADS = 1 << 0,
	INSN_STORES = 1 << 1,
	INSN_IS_FP = 1 << 2,	  /* counted as a floating-point instruction */
	INSN_IS_MIPS16 = 1 << 3,
	INSN_IS_DSP = 1 << 4,
	INSN_IS_SC = 1 << 5,	  /* store-conditional */
	INSN_IS_LL = 1 << 6,
	INSN_IS_FORK = 1 << 7,
	INSN_IS_YIELD = 1 << 8,
	INSN_IS_LOCKED = 1 << 9,  /* x86 lock prefix or implied */
	INSN_LIKELY = 1 << 10,	  /* MIPS branch-likely */
	/*
	 * The decoder vouches for the memory accesses: exactly n_load loads
	 * followed by n_store stores of 1 << size_log2 bytes each.  Without
	 * it, they are counted as they happen; of BRANCH_REP they have that
	 * size.
	 */
	INSN_MEM_KNOWN = 1 << 11,
	INSN_UNKNOWN = 1 << 12,	  /* not decoded: treated as CLASS_ALU */
	INSN_IS_STACK = 1 << 13,  /* moves the stack pointer implicitly */
	INSN_WRITES_PART = 1 << 14, /* dst[0]: 8 or 16 bits of it */
	INSN_READS_PART = 1 << 15, /* general sources: 8 or 16 bits of them */
	INSN_IS_SEGMENT = 1 << 16, /* loads a segment register */
	INSN_IS_SERIAL = 1 << 17, /* empties the pipeline: cpuid, iret */
	INSN_IS_BARRIER = 1 << 18, /* orders memory: fence, mb, sync */
	INSN_IS_MMX = 1 << 19,	/* x86: names an MMX register, or emms */
	INSN_IS_EMMS = 1 << 20,
	INSN_IS_SSE = 1 << 21,	/* x86: names an SSE register */
	INSN_IS_ESCAPED = 1 << 22, /* x86: one of the prefixes is 0F */
	INSN_DRAINS = 1 << 23,	/* waits until memory is quiet: mb, mfence */
	INSN_SATURATES = 1 << 24, /* MMX: results do not wrap */
	INSN_IS_X87 = 1 << 25,
	INSN_CLEARS = 1 << 26,	/* x86: xor, sub of a register with itself */
	INSN_FP_CONDITION = 1 << 27, /* MIPS, Alpha: branch by a condition
				      * that floating point has found */
	INSN_FP_SIGN = 1 << 28,	/* MIPS: absolute value or negation */
	INSN_ZEROES = 1 << 29,	/* x86: its result is zero whatever was there: xor,
				 * sub, pxor, ... of a register with itself */
	INSN_MOVES = 1 << 30,	/* x86: all of a register to another one */
};

/*
 * x86: what may become one micro-operation with the conditional branch behind
 * it, on processors that do that with such instructions: of registers and
 * immediates only.
 */
enum insn_fuse {
	FUSE_NONE,
	FUSE_COMPARE = 1 << 0,	/* cmp, test */
	FUSE_SUM = 1 << 1,	/* add, sub, and */
	FUSE_STEP = 1 << 2,	/* inc, dec */
	FUSE_LOGIC = 1 << 3	/* or, xor */
};

/* What a conditional branch looks at; of the other one, a mask of what the
 * branch may look at. */
enum insn_condition {
	CONDITION_ZERO = 1 << 0,
	CONDITION_CARRY = 1 << 1, /* and zero */
	CONDITION_SIGNED = 1 << 2, /* less, greater */
	CONDITION_OTHER = 1 << 3, /* sign, parity, overflow alone */
	CONDITION_ANY = (1 << 4) - 1
};

/*
 * Kinds that few processors count apart; no instruction is of two.  Their
 * signals are in the same order.
 */
enum insn_kind {
	INSN_PLAIN,
	INSN_MMX_MULTIPLY,
	INSN_MMX_SHIFT,
	INSN_MMX_PACK,
	INSN_MMX_UNPACK,
	INSN_MMX_LOGICAL,
	INSN_MMX_ARITHMETIC, /* also compare, average, minimum, maximum */
	INSN_SSE_SCALAR,
	INSN_PREFETCH_NTA,
	INSN_PREFETCH_T1,
	INSN_PREFETCH_T2,
	INSN_STORE_WEAK,	/* MMX, SSE: past the caches */
	INSN_SEGMENT_ES,
	INSN_SEGMENT_DS,
	INSN_SEGMENT_FS,
	INSN_SEGMENT_GS,
	INSN_KINDS
};

/* How an instruction may go through the Pentium's two pipes. */
enum insn_pair {
	PAIR_NONE,	/* alone, in U */
	PAIR_UV,	/* first or second */
	PAIR_U,		/* only first */
	PAIR_V,		/* only second, else alone */
	PAIR_FP,	/* first, if the second is PAIR_FXCH */
	PAIR_FXCH	/* second, behind PAIR_FP */
};

/*
 * Registers: 0..31 general, 32..63 floating-point or vector, then the rest.
 * A register that is always zero (MIPS $0, Alpha $31, $f31) is left out.
 */
enum {
	REG_FP0 = 32,
	REG_FLAGS = 64,	/* x86 flags, MIPS FP condition, DSP control */
	REG_HILO = 65,	/* MIPS accumulator 0; 66..68 are accumulators 1..3 */
	REG_FPSTATUS = 69, /* x87 stack as a whole */
	REG_N = 72,
	REG_NONE = 0xff
};

/* x86: mm0 to mm7. */
static inline bool
insn_is_mmx_register(unsigned reg)
{
	return reg - (REG_FP0 + 16u) < 8u;
}

#define INSN_ADDR 2
#define INSN_SRC 4
#define INSN_DST 4

/* Parts of a general register of x86, as a mask of bytes; all of them: 0 of
 * what is written, PART_ALL of what is read. */
enum { PART_LOW = 1, PART_HIGH = 2, PART_WORD = 3, PART_ALL = 15 };

struct insn {
	u64 pc;
	u32 flags;
	u8 size;	/* bytes */
	u8 cls;		/* enum insn_class */
	u8 branch;	/* enum insn_branch */
	u8 n_load : 4;	/* accesses; 0 if they are counted as they happen */
	u8 n_store : 4;
	u8 size_log2;
	u8 pair : 4;	/* enum insn_pair; what is most like it on x86 */
	u8 prefixes : 4; /* bytes that cost the Pentium's decoder a cycle */
	u8 micro;	/* cycles of the Pentium's microcode, 0: none */
	u8 uops;	/* micro-operations of the P6, at least 1 */
	u8 addr[INSN_ADDR]; /* registers that form an address, or REG_NONE */
	u8 src[INSN_SRC];   /* registers read by the operation */
	u8 data;	    /* register whose value is stored, or REG_NONE */
	u8 dst[INSN_DST];   /* registers written */
	u8 kind;	    /* enum insn_kind */
	u8 fuse : 4;	    /* enum insn_fuse */
	u8 condition : 4;   /* enum insn_condition */
	/* x86: parts of general registers, of src and data those that are
	 * read, 0: none, it is kept; of dst those that are written. */
	u8 src_part[INSN_SRC], data_part, dst_part[INSN_DST];
	bool dst_loaded;    /* dst[0] comes straight from memory */
	bool backward;	    /* direct branch to a lower address */
};

/*
 * An instruction with no registers, class ALU, one micro-operation: where
 * decoders start from.
 */
void insn_init(struct insn *in, u64 pc, unsigned size);

/* Adds a register to a list of n; a full list ignores it (INSN_DST etc.).  Its
 * place, or n. */
unsigned insn_reg(u8 *list, unsigned n, unsigned reg);

#endif
