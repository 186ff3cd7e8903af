/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An instruction of the target as code that is to be copied: how long it is,
 * which registers and flags it needs, which memory it accesses. */
#ifndef NATIVE_HOST_H
#define NATIVE_HOST_H

#include "machine/types.h"

#include <stdbool.h>

enum host_reg { HOST_RAX, HOST_RCX, HOST_RDX, HOST_RBX, HOST_RSP, HOST_RBP,
		HOST_RSI, HOST_RDI, HOST_R10 = 10, HOST_R11,
		HOST_REGS = 16, HOST_NONE = 16 };

/* What is done with an instruction. */
enum host_kind {
	HOST_COPY,
	HOST_JCC,
	HOST_JCXZ,		/* jrcxz, loop and the like */
	HOST_JUMP,
	HOST_CALL,
	HOST_JUMP_IND,
	HOST_CALL_IND,
	HOST_RETURN,
	HOST_SYSCALL,
	HOST_REP,		/* a string instruction that repeats itself */
	HOST_ASK,		/* the engine answers: cpuid, rdtsc */
	HOST_ASK_ENDS,		/* ... and a block ends behind it: popf */
	HOST_ENDS,		/* copied, and a block ends behind it */
	HOST_BAD		/* is not executed here */
};

/* Instructions that save and restore all registers of some kinds, and other
 * operands of many parts. */
enum host_area { HOST_NO_AREA, HOST_FXSAVE, HOST_FXRSTOR, HOST_XSAVE,
		 HOST_XRSTOR, HOST_FSTENV, HOST_FLDENV, HOST_FSAVE,
		 HOST_FRSTOR, HOST_FBLD, HOST_FBSTP };

/* Segments whose base is not 0. */
enum host_segment { HOST_FLAT, HOST_FS, HOST_GS };

/* A piece of memory that an instruction accesses. */
struct host_memory {
	u8 base, index;		/* HOST_NONE: none */
	u8 scale;
	u8 segment;		/* enum host_segment: behind its base */
	bool narrow;		/* addresses of 32 bits */
	bool load, store;
	bool known;		/* false: no address can be worked out */
	u16 bytes;
	s64 disp;		/* of one at a known address: that */
};

#define HOST_MEMORY 3

/* Loads by a vector of indexes, or stores of one element behind the other, of
 * those that a mask has. */
struct host_gather {
	u8 n;			/* elements; 0: it is no such instruction */
	u8 bytes, index_bytes;	/* of one, and of an index; 0: there is none */
	u8 index, mask;		/* vector registers */
	u8 scale;
	bool mmx;		/* the mask is one of those */
	bool bits;		/* ... or one of AVX-512's */
};

/* What leads further than its operand says: a register of a bit's number, in
 * words of so many bytes, or of a byte's (0). */
struct host_further {
	u8 reg;
	u8 bytes;
};

struct host_insn {
	u8 size;
	u8 kind;		/* enum host_kind */
	u8 condition;		/* HOST_JCC: low bits of the opcode */
	u8 prefix;		/* HOST_REP: place of the prefix F2 or F3 */
	u8 until;		/* ... and of cmps and scas: that prefix */
	u8 disp_at;		/* place of a displacement from RIP, or 0 */
	u8 modrm_at;		/* ... of its ModRM byte */
	u8 behind_at;		/* ... of what is behind the operand in memory */
	bool by_gs;		/* that operand is behind the base of GS: */
	u8 gs_at;		/* place of the prefix, */
	u8 extend_at;		/* and of REX, or of VEX' and EVEX' bits like
				   it, or 0 */
	u8 counter;		/* HOST_REP: bits of its counter, 32 or 64 */
	u8 source;		/* register of an indirect branch, or NONE */
	u16 behind;		/* HOST_RETURN: bytes that it drops */
	u64 target;		/* of a branch, or what RIP leads to */
	u16 reads, writes;	/* general registers; writes: all of them */
	u16 names;		/* those that it has to do with at all */
	u16 changes;		/* written, all or a part of them */
	bool moves;		/* RSP, by so many bytes: */
	s32 by;
	u8 flags_read, flags_written;
	bool sets_direction;	/* or may do so: std, popf */
	bool may_fault;		/* it accesses memory, or divides */
	u8 area;		/* enum host_area, of registers */
	u8 n_memory;
	struct host_memory memory[HOST_MEMORY];
	struct host_gather gather; /* from what memory[0] leads to */
	struct host_further further; /* reg: HOST_NONE, mostly */
	struct host_memory pointer; /* where an indirect branch's target is, or
				   what is behind the base of GS */
};

/* Registers that are a base without a displacement or more bits. */
#define HOST_LOW (1u << HOST_RAX | 1u << HOST_RCX | 1u << HOST_RDX | \
		  1u << HOST_RBX | 1u << HOST_RSI | 1u << HOST_RDI)

#define HOST_FLAGS 63		/* all that flags_read and _written may have */

#define HOST_MAX_BYTES 15	/* of an instruction */
#define HOST_PAGE_BYTES 4096u

/* The instruction at pc of the target, as long as its code does not change;
 * NULL: there is none.  Until the next one is asked for.  And that it may have
 * changed. */
const struct host_insn *host_at(u64 pc);
void host_forget(void);

/* From now on all registers are needed where an instruction may fault: a handler
 * sees them, and may go on elsewhere. */
void host_faults_are_told(void);
extern bool host_tells_faults;
void host_forget_page(u64 page);	/* address of it */

/*
 * Whether the target may write code there while other code stays: then nothing
 * of it is looked at for code of other pages; of a page whose writes are not
 * noticed, not even for its own.
 */
enum host_change { HOST_STAYS, HOST_NOTICED, HOST_UNNOTICED };
extern enum host_change (*host_may_change)(u64 pc);

/* Whether some that are kept, or were, may lie there. */
bool host_has_read(u64 at, u64 bytes);

/*
 * Pages that what has been made of code depends on, a bit for each, which others
 * may share.  Notes one; copies the bits; tells whether that of a page is there, and
 * clears it.
 */
#define HOST_DEPENDENCIES (1u << 12)
void host_depend(u64 page);
void host_dependencies(u64 bits[HOST_DEPENDENCIES]);
bool host_has_dependency(const u64 bits[HOST_DEPENDENCIES], u64 page);
void host_clear_dependency(u64 bits[HOST_DEPENDENCIES], u64 page);

/* Decodes the instruction at pc; false: there is none. */
bool host_decode(struct host_insn *h, u64 pc, const u8 *code, unsigned bytes);

#endif
