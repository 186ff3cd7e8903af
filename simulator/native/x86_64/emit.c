/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "emit.h"

#define NO_BASE 5		/* ModRM and SIB: a displacement alone */
#define HAS_SIB 4
#define BY_RIP 5

static u8
low(u8 reg)
{
	return reg & 7;
}

static u8
scale_bits(u8 scale)
{
	return scale == 8 ? 3 : scale == 4 ? 2 : scale == 2 ? 1 : 0;
}

/* ModRM, SIB and displacement. */
static void
emit_modrm(struct emitter *e, u8 reg, struct emit_memory m)
{
	u8 mod = 2, index = m.index == HOST_NONE ? HAS_SIB : low(m.index);
	bool sib = m.index != HOST_NONE || m.base == HOST_NONE ||
		   low(m.base) == HOST_RSP;

	if (m.base == HOST_NONE) {
		emit_byte(e, (u8)(low(reg) << 3 | HAS_SIB));
		emit_byte(e, (u8)(scale_bits(m.scale) << 6 | index << 3 |
				  NO_BASE));
		emit_word(e, (u32)m.disp);
		return;
	}
	if (!m.disp && low(m.base) != HOST_RBP)
		mod = 0;
	else if (m.disp == (signed char)m.disp)
		mod = 1;
	emit_byte(e, (u8)(mod << 6 | low(reg) << 3 |
			  (sib ? HAS_SIB : low(m.base))));
	if (sib)
		emit_byte(e, (u8)(scale_bits(m.scale) << 6 | index << 3 |
				  low(m.base)));
	if (mod == 1)
		emit_byte(e, (u8)m.disp);
	else if (mod == 2)
		emit_word(e, (u32)m.disp);
}

static void
emit_rex(struct emitter *e, bool wide, u8 reg, u8 index, u8 base, bool need)
{
	u8 rex = (u8)(0x40 | wide << 3 | (reg >> 3 & 1) << 2 |
		      (index != HOST_NONE ? index >> 3 : 0) << 1 |
		      (base != HOST_NONE ? base >> 3 : 0));

	if (rex != 0x40 || need)
		emit_byte(e, rex);
}

static void
emit_opcode(struct emitter *e, unsigned op)
{
	if (op > 0xff)
		emit_byte(e, (u8)(op >> 8));
	emit_byte(e, (u8)op);
}

static void
emit_any(struct emitter *e, unsigned op, enum emit_size size, u8 reg,
	 struct emit_memory m)
{
	if (m.gs)
		emit_byte(e, 0x65);
	emit_rex(e, size == EMIT_64, reg, m.index, m.base, size == EMIT_8);
	emit_opcode(e, op);
	emit_modrm(e, reg, m);
}

void
emit_op(struct emitter *e, enum emit_op op, enum emit_size size, u8 reg,
	struct emit_memory m)
{
	emit_any(e, op, size, reg, m);
}

void
emit_rr(struct emitter *e, enum emit_op op, enum emit_size size, u8 reg,
	u8 from)
{
	emit_rex(e, size == EMIT_64, reg, HOST_NONE, from, size == EMIT_8);
	emit_opcode(e, op);
	emit_byte(e, (u8)(0xc0 | low(reg) << 3 | low(from)));
}

void
emit_ri(struct emitter *e, enum emit_alu op, enum emit_size size, u8 reg,
	s32 number)
{
	bool small = number == (signed char)number;

	emit_rex(e, size == EMIT_64, 0, HOST_NONE, reg, false);
	emit_byte(e, small ? 0x83 : 0x81);
	emit_byte(e, (u8)(0xc0 | op << 3 | low(reg)));
	if (small)
		emit_byte(e, (u8)number);
	else
		emit_word(e, (u32)number);
}

void
emit_test(struct emitter *e, u8 reg, s32 number)
{
	emit_rex(e, false, 0, HOST_NONE, reg, false);
	emit_byte(e, 0xf7);
	emit_byte(e, (u8)(0xc0 | low(reg)));
	emit_word(e, (u32)number);
}

void
emit_shift(struct emitter *e, bool left, enum emit_size size, u8 reg, u8 bits)
{
	emit_rex(e, size == EMIT_64, 0, HOST_NONE, reg, false);
	emit_byte(e, 0xc1);
	emit_byte(e, (u8)(0xc0 | (left ? 4 : 5) << 3 | low(reg)));
	emit_byte(e, bits);
}

void
emit_number(struct emitter *e, u8 reg, u64 number)
{
	bool wide = number >> 32;

	emit_rex(e, wide, 0, HOST_NONE, reg, false);
	emit_byte(e, (u8)(0xb8 | low(reg)));
	emit_copy(e, &number, wide ? 8 : 4);
}

void
emit_increment(struct emitter *e, struct emit_memory m)
{
	emit_any(e, 0xff, EMIT_64, 0, m);
}

static void
emit_near(struct emitter *e, unsigned op, u8 reg, const void *object)
{
	emit_rex(e, true, reg, HOST_NONE, HOST_NONE, false);
	emit_opcode(e, op);
	emit_byte(e, (u8)(low(reg) << 3 | BY_RIP));
	emit_word(e, (u32)((u64)(uintptr_t)object -
			   (u64)(uintptr_t)(e->p + 4)));
}

void
emit_op_near(struct emitter *e, enum emit_op op, u8 reg, const void *object)
{
	emit_near(e, op, reg, object);
}

void
emit_increment_near(struct emitter *e, const void *object)
{
	emit_near(e, 0xff, 0, object);
}

void
emit_put(struct emitter *e, enum emit_size size, struct emit_memory m,
	 s32 number)
{
	emit_any(e, size == EMIT_8 ? 0xc6 : 0xc7, size, 0, m);
	if (size == EMIT_8)
		emit_byte(e, (u8)number);
	else
		emit_word(e, (u32)number);
}

void
emit_add_number(struct emitter *e, struct emit_memory m, s32 number)
{
	emit_any(e, 0x81, EMIT_64, EMIT_ALU_ADD, m);
	emit_word(e, (u32)number);
}

void
emit_compare(struct emitter *e, struct emit_memory m, s32 number)
{
	emit_any(e, 0x81, EMIT_64, EMIT_ALU_CMP, m);
	emit_word(e, (u32)number);
}

void
emit_compare_8(struct emitter *e, struct emit_memory m, s32 number)
{
	emit_any(e, 0x80, EMIT_32, EMIT_ALU_CMP, m);
	emit_byte(e, (u8)number);
}

u8 *
emit_jcc(struct emitter *e, unsigned cc)
{
	emit_byte(e, 0x0f);
	emit_byte(e, (u8)(0x80 | cc));
	emit_word(e, 0);
	return e->p - 4;
}

u8 *
emit_jump(struct emitter *e)
{
	emit_byte(e, 0xe9);
	emit_word(e, 0);
	return e->p - 4;
}

void
emit_reach(u8 *distance, const u8 *to)
{
	s32 bytes = (s32)(to - (distance + 4));

	memcpy(distance, &bytes, sizeof bytes);
}

void
emit_call(struct emitter *e, struct emit_memory m)
{
	emit_any(e, 0xff, EMIT_32, 2, m);
}

void
emit_jump_by(struct emitter *e, struct emit_memory m)
{
	emit_any(e, 0xff, EMIT_32, 4, m);
}

void
emit_jump_to(struct emitter *e, u8 reg)
{
	emit_rex(e, false, 0, HOST_NONE, reg, false);
	emit_byte(e, 0xff);
	emit_byte(e, (u8)(0xe0 | low(reg)));
}

void
emit_pop_to(struct emitter *e, struct emit_memory m)
{
	emit_any(e, 0x8f, EMIT_32, 0, m);
}

void
emit_push(struct emitter *e, u8 reg)
{
	emit_rex(e, false, 0, HOST_NONE, reg, false);
	emit_byte(e, (u8)(0x50 | low(reg)));
}

void
emit_pop(struct emitter *e, u8 reg)
{
	emit_rex(e, false, 0, HOST_NONE, reg, false);
	emit_byte(e, (u8)(0x58 | low(reg)));
}

void
emit_push_number(struct emitter *e, s32 number)
{
	emit_byte(e, 0x68);
	emit_word(e, (u32)number);
}

u8 *
emit_push_near(struct emitter *e)
{
	static const u8 code[] = {0xff, 0x35}; /* push [rip + distance] */

	emit_copy(e, code, sizeof code);
	emit_word(e, 0);
	return e->p - 4;
}

void
emit_flags_save(struct emitter *e)
{
	static const u8 code[] = {0x9f, 0x0f, 0x90, 0xc0}; /* lahf; seto al */

	emit_copy(e, code, sizeof code);
}

void
emit_flags_restore(struct emitter *e)
{
	static const u8 code[] = {0x04, 0x7f, 0x9e}; /* add al, 127; sahf */

	emit_copy(e, code, sizeof code);
}

/* An address behind the base of a segment, which is looked up; flags stay as
 * they are. */
static void
address_by_segment(struct emitter *e, u8 reg, const struct host_memory *m,
		   s64 disp)
{
	struct emit_memory at = {reg, m->base, 1, false, (s32)disp};

	emit_op(e, EMIT_LOAD, EMIT_64, reg,
		m->segment == HOST_FS ? EMIT_GS(HOST_AT(host_state.fs))
				      : EMIT_GS(HOST_AT(host_state.gs)));
	if (m->base == HOST_RSP) {
		at.base = HOST_RSP;
		at.index = reg;
	}
	emit_op(e, EMIT_LEA, EMIT_64, reg, at);
	if (m->index == HOST_NONE)
		return;
	at = (struct emit_memory){reg, m->index, m->scale, false, 0};
	emit_op(e, EMIT_LEA, EMIT_64, reg, at);
}

void
emit_address(struct emitter *e, u8 reg, const struct host_memory *m,
	     s32 bytes)
{
	enum emit_size size = m->narrow ? EMIT_32 : EMIT_64;
	s64 disp = m->disp + bytes;
	struct emit_memory at = {m->base, m->index, m->scale, false, 0};

	if (m->segment != HOST_FLAT) {
		address_by_segment(e, reg, m, disp);
		return;
	}
	if (disp == (s32)disp && (m->base != HOST_NONE ||
				  m->index != HOST_NONE)) {
		at.disp = (s32)disp;
		emit_op(e, EMIT_LEA, size, reg, at);
		return;
	}
	emit_number(e, reg, m->narrow ? (u32)disp : (u64)disp);
	if (m->index != HOST_NONE) {
		at.base = reg;
		emit_op(e, EMIT_LEA, size, reg, at);
	}
	if (m->base != HOST_NONE) {
		at = (struct emit_memory){reg, m->base, 1, false, 0};
		if (m->base == HOST_RSP) {
			at.base = HOST_RSP;
			at.index = reg;
		}
		emit_op(e, EMIT_LEA, size, reg, at);
	}
}
