/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "gather.h"
#include "host_internal.h"
#include "state.h"
#include "vectors.h"

#include <string.h>

/* Of the area of XSAVE: MMX's registers, the lowest parts of the others and
 * those behind them, which have other places by the processor. */
#define X87 32u
#define LOWEST 160u
#define PART 16u
#define REGISTERS 16u		/* that have such parts; others are in one piece */
enum { OF_AVX = 2, OF_MASKS = 5, OF_UPPER = 6, OF_OTHERS = 7 };

/* The bytes of an index, if it is a gather or a scatter; else 0. */
static u8
gather_index(const struct host_view *v)
{
	switch (v->z.mnemonic) {
	case ZYDIS_MNEMONIC_VPGATHERDD:
	case ZYDIS_MNEMONIC_VPGATHERDQ:
	case ZYDIS_MNEMONIC_VGATHERDPS:
	case ZYDIS_MNEMONIC_VGATHERDPD:
	case ZYDIS_MNEMONIC_VPSCATTERDD:
	case ZYDIS_MNEMONIC_VPSCATTERDQ:
	case ZYDIS_MNEMONIC_VSCATTERDPS:
	case ZYDIS_MNEMONIC_VSCATTERDPD:
		return 4;
	case ZYDIS_MNEMONIC_VPGATHERQD:
	case ZYDIS_MNEMONIC_VPGATHERQQ:
	case ZYDIS_MNEMONIC_VGATHERQPS:
	case ZYDIS_MNEMONIC_VGATHERQPD:
	case ZYDIS_MNEMONIC_VPSCATTERQD:
	case ZYDIS_MNEMONIC_VPSCATTERQQ:
	case ZYDIS_MNEMONIC_VSCATTERQPS:
	case ZYDIS_MNEMONIC_VSCATTERQPD:
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

/* The operand in memory, and the mask: of AVX2's a vector, which comes last, of
 * AVX-512's a register of its own. */
static void
take_indexes(struct host_insn *h, const struct host_view *v, u8 index_bytes)
{
	bool evex = v->z.encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX;
	bool store = v->op[0].type == ZYDIS_OPERAND_TYPE_MEMORY;
	const ZydisDecodedOperand *memory = &v->op[store ? 0 : evex ? 2 : 1];
	const ZydisDecodedOperand *mask = &v->op[evex ? 1 : 2];
	bool wide = evex ? v->z.raw.evex.W : v->z.raw.vex.W;
	u8 bytes = wide ? 8 : 4;
	u8 wider = bytes > index_bytes ? bytes : index_bytes;

	h->gather = (struct host_gather){
		.n = (u8)(v->z.avx.vector_length / 8 / wider),
		.bytes = bytes,
		.index_bytes = index_bytes,
		.index = (u8)ZydisRegisterGetId(memory->mem.index),
		.mask = (u8)ZydisRegisterGetId(mask->reg.value),
		.scale = memory->mem.scale,
		.bits = evex,
	};
}

void
host_gather(struct host_insn *h, const struct host_view *v)
{
	u8 index_bytes = gather_index(v);

	if (v->z.mnemonic == ZYDIS_MNEMONIC_MASKMOVQ ||
	    v->z.mnemonic == ZYDIS_MNEMONIC_MASKMOVDQU ||
	    v->z.mnemonic == ZYDIS_MNEMONIC_VMASKMOVDQU)
		take_bytes(h, v);
	if (index_bytes)
		take_indexes(h, v, index_bytes);
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

	if (mmx)
		return area + X87 + PART * reg + i;
	if (reg >= REGISTERS)
		return area + vectors_place(OF_OTHERS) +
		       4 * PART * (reg - REGISTERS) + i;
	if (i < PART)
		return area + LOWEST + PART * reg + i;
	if (i < 2 * PART)
		return area + vectors_place(OF_AVX) + PART * reg + i - PART;
	return area + vectors_place(OF_UPPER) + 2 * PART * reg + i -
	       2 * PART;
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
	const u8 *area = (const u8 *)(uintptr_t)host_state.kept;
	u64 mask;

	if (!g->bits)
		return element(g->mask, i, g->bytes, g->mmx) < 0;
	memcpy(&mask, area + vectors_place(OF_MASKS) + 8 * g->mask,
	       sizeof mask);
	return mask >> i & 1;
}

u64
gather_place(const struct host_gather *g, unsigned i)
{
	if (!g->index_bytes)
		return (u64)i * g->bytes;
	return (u64)element(g->index, i, g->index_bytes, false) * g->scale;
}
