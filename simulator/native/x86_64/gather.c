/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "gather.h"
#include "host_internal.h"
#include "state.h"

#include <string.h>

/* Of the area of XSAVE: MMX's registers, lower and upper halves of the others. */
#define X87 32u
#define LOWER 160u
#define UPPER 576u
#define HALF 16u

/* The bytes of an index, if it is a gather of AVX2; else 0. */
static u8
gather_index(const struct host_view *v)
{
	if (v->z.encoding != ZYDIS_INSTRUCTION_ENCODING_VEX)
		return 0;
	switch (v->z.mnemonic) {
	case ZYDIS_MNEMONIC_VPGATHERDD:
	case ZYDIS_MNEMONIC_VPGATHERDQ:
	case ZYDIS_MNEMONIC_VGATHERDPS:
	case ZYDIS_MNEMONIC_VGATHERDPD:
		return 4;
	case ZYDIS_MNEMONIC_VPGATHERQD:
	case ZYDIS_MNEMONIC_VPGATHERQQ:
	case ZYDIS_MNEMONIC_VGATHERQPS:
	case ZYDIS_MNEMONIC_VGATHERQPD:
		return 8;
	default:
		return 0;
	}
}

/* Bytes that a mask lets be stored. */
static void
take_bytes(struct host_insn *h, const struct host_view *v)
{
	const ZydisDecodedOperand *mask = &v->op[v->z.operand_count_visible - 1];

	h->gather = (struct host_gather){
		.n = (u8)(mask->size / 8),
		.bytes = 1,
		.mask = (u8)ZydisRegisterGetId(mask->reg.value),
		.scale = 1,
		.mmx = v->z.mnemonic == ZYDIS_MNEMONIC_MASKMOVQ,
	};
}

void
host_gather(struct host_insn *h, const struct host_view *v)
{
	const ZydisDecodedOperand *memory = &v->op[1], *mask = &v->op[2];
	u8 index_bytes = gather_index(v), bytes, wider;

	if (v->z.mnemonic == ZYDIS_MNEMONIC_MASKMOVQ ||
	    v->z.mnemonic == ZYDIS_MNEMONIC_MASKMOVDQU ||
	    v->z.mnemonic == ZYDIS_MNEMONIC_VMASKMOVDQU)
		take_bytes(h, v);
	if (!index_bytes)
		return;
	bytes = v->z.raw.vex.W ? 8 : 4;
	wider = bytes > index_bytes ? bytes : index_bytes;
	h->gather = (struct host_gather){
		.n = (u8)(v->z.avx.vector_length / 8 / wider),
		.bytes = bytes,
		.index_bytes = index_bytes,
		.index = (u8)ZydisRegisterGetId(memory->mem.index),
		.mask = (u8)ZydisRegisterGetId(mask->reg.value),
		.scale = memory->mem.scale,
	};
}

void
host_further(struct host_insn *h, const struct host_view *v)
{
	h->further = (struct host_further){.reg = HOST_NONE};
	switch (v->z.mnemonic) {
	case ZYDIS_MNEMONIC_XLAT:
		h->further.reg = HOST_RAX;
		break;
	case ZYDIS_MNEMONIC_BT:
	case ZYDIS_MNEMONIC_BTC:
	case ZYDIS_MNEMONIC_BTR:
	case ZYDIS_MNEMONIC_BTS:
		if (v->op[0].type != ZYDIS_OPERAND_TYPE_MEMORY ||
		    v->op[1].type != ZYDIS_OPERAND_TYPE_REGISTER)
			break;
		h->further.reg = host_general(v->op[1].reg.value);
		h->further.bytes = (u8)(v->op[1].size / 8);
		break;
	default:
		break;
	}
}

u64
gather_further(u8 bytes, u64 value)
{
	if (bytes == 8)
		return (u64)((s64)value >> 6) * bytes;
	if (bytes == 4)
		return (u64)(s64)((s32)value >> 5) * bytes;
	return bytes ? (u64)(s64)((int16_t)value >> 4) * bytes : (u8)value;
}

void
gather_look(void)
{
	host_keep_vectors();
}

/* Where byte i of a register is. */
static const u8 *
byte_of(u8 reg, unsigned i, bool mmx)
{
	const u8 *area = (const u8 *)(uintptr_t)host_state.kept;
	unsigned half = mmx ? X87 : i < HALF ? LOWER : UPPER;

	return area + half + HALF * reg + i % HALF;
}

/* Element i of a register, of one, four or eight bytes, with its sign. */
static s64
element(u8 reg, unsigned i, unsigned bytes, bool mmx)
{
	const u8 *at = byte_of(reg, i * bytes, mmx);
	s32 word;
	s64 both;

	if (bytes == 1)
		return (int8_t)*at;
	if (bytes == sizeof word) {
		memcpy(&word, at, sizeof word);
		return word;
	}
	memcpy(&both, at, sizeof both);
	return both;
}

bool
gather_loads(const struct host_gather *g, unsigned i)
{
	return element(g->mask, i, g->bytes, g->mmx) < 0;
}

u64
gather_place(const struct host_gather *g, unsigned i)
{
	if (!g->index_bytes)
		return (u64)i * g->bytes;
	return (u64)element(g->index, i, g->index_bytes, false) * g->scale;
}
