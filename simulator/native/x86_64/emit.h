/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A small assembler: the forms that blocks and checks are made of. */
#ifndef NATIVE_EMIT_H
#define NATIVE_EMIT_H

#include "state.h"

#include <string.h>

struct emitter {
	u8 *p;			/* where the next instruction goes */
};

/* An operand in memory; gs: behind the engine's state. */
struct emit_memory {
	u8 base, index;		/* HOST_NONE: none */
	u8 scale;
	bool gs;
	s32 disp;
};

#define EMIT_GS(at) \
	(struct emit_memory){HOST_NONE, HOST_NONE, 1, true, (at)}
#define EMIT_GS_INDEX(at, reg, by) \
	(struct emit_memory){HOST_NONE, (reg), (by), true, (at)}
#define EMIT_BASE(reg, at) \
	(struct emit_memory){(reg), HOST_NONE, 1, false, (at)}

enum emit_size { EMIT_8, EMIT_32, EMIT_64 };

/* Opcodes of "op reg, memory" where memory is the second one, and of stores. */
enum emit_op {
	EMIT_ADD = 0x03, EMIT_SUB = 0x2b, EMIT_CMP = 0x3b, EMIT_XOR = 0x33,
	EMIT_OR = 0x0b, EMIT_LOAD = 0x8b, EMIT_STORE = 0x89, EMIT_LEA = 0x8d,
	EMIT_LOAD_8 = 0x0fb6, EMIT_LOAD_16 = 0x0fb7, EMIT_STORE_8 = 0x88,
	EMIT_ADD_TO = 0x01, EMIT_SUB_FROM = 0x29,
};

/* Numbers of "op reg, number". */
enum emit_alu { EMIT_ALU_ADD = 0, EMIT_ALU_OR = 1, EMIT_ALU_AND = 4,
		EMIT_ALU_SUB = 5, EMIT_ALU_XOR = 6, EMIT_ALU_CMP = 7 };

/* Conditions, as in the opcodes. */
enum emit_cc { EMIT_JB = 2, EMIT_JAE = 3, EMIT_JE = 4, EMIT_JNE = 5,
	       EMIT_JA = 7, EMIT_JLE = 14 };

static inline void
emit_byte(struct emitter *e, u8 byte)
{
	*e->p++ = byte;
}

static inline void
emit_word(struct emitter *e, u32 word)
{
	memcpy(e->p, &word, 4);
	e->p += 4;
}

static inline void
emit_copy(struct emitter *e, const void *code, unsigned bytes)
{
	memcpy(e->p, code, bytes);
	e->p += bytes;
}

/* op reg, memory; or a store. */
void emit_op(struct emitter *e, enum emit_op op, enum emit_size size, u8 reg,
	     struct emit_memory m);

/* op reg, reg */
void emit_rr(struct emitter *e, enum emit_op op, enum emit_size size, u8 reg,
	     u8 from);

/* op reg, number */
void emit_ri(struct emitter *e, enum emit_alu op, enum emit_size size, u8 reg,
	     s32 number);

/* test reg, number */
void emit_test(struct emitter *e, u8 reg, s32 number);

/* Shifts to the left or right. */
void emit_shift(struct emitter *e, bool left, enum emit_size size, u8 reg,
		u8 bits);

/* reg = number */
void emit_number(struct emitter *e, u8 reg, u64 number);

/* inc memory; mov memory, number (of 1 or 4 bytes, extended to 8) */
void emit_increment(struct emitter *e, struct emit_memory m);
void emit_put(struct emitter *e, enum emit_size size, struct emit_memory m,
	      s32 number);

/* Whether an object is so near that code, there and a bit farther on, reaches it by
 * its distance; then the same of 64 bits there. */
static inline bool
emit_is_near(const struct emitter *e, const void *object)
{
	s64 distance = (s64)((u64)(uintptr_t)object - (u64)(uintptr_t)e->p);

	return distance < 0x7fff0000 && distance > -0x7fff0000;
}

void emit_op_near(struct emitter *e, enum emit_op op, u8 reg, const void *object);
void emit_increment_near(struct emitter *e, const void *object);

/* Adds a number to 64 bits in memory. */
void emit_add_number(struct emitter *e, struct emit_memory m, s32 number);

/* Compares 64 bits, or 8, in memory with a number. */
void emit_compare(struct emitter *e, struct emit_memory m, s32 number);
void emit_compare_8(struct emitter *e, struct emit_memory m, s32 number);

/* So many bytes that are never executed. */
static inline void
emit_nothing(struct emitter *e, unsigned bytes)
{
	memset(e->p, 0xcc, bytes);
	e->p += bytes;
}

/* Jumps; where the distance stands, for emit_reach(). */
u8 *emit_jcc(struct emitter *e, unsigned cc);
u8 *emit_jump(struct emitter *e);
void emit_reach(u8 *distance, const u8 *to);

/* call, jmp and pop of memory; jump to, push and pop of a register; push of a number,
 * or of 64 bits of the code: where their distance stands, for emit_reach(). */
void emit_call(struct emitter *e, struct emit_memory m);
void emit_jump_by(struct emitter *e, struct emit_memory m);
void emit_jump_to(struct emitter *e, u8 reg);
void emit_pop_to(struct emitter *e, struct emit_memory m);
void emit_push(struct emitter *e, u8 reg);
void emit_pop(struct emitter *e, u8 reg);
void emit_push_number(struct emitter *e, s32 number);
u8 *emit_push_near(struct emitter *e);

/* The arithmetic flags to RAX and back. */
void emit_flags_save(struct emitter *e);
void emit_flags_restore(struct emitter *e);

/*
 * reg = the address that m has, so many bytes on; m is known, and reg is none
 * of its registers.  The base of a segment is looked up: threads have others, and so
 * has each program before its C library has set it.
 */
void emit_address(struct emitter *e, u8 reg, const struct host_memory *m,
		  s32 bytes);

#endif
