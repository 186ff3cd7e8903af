/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host_internal.h"

#include <string.h>

u8
host_general(ZydisRegister r)
{
	ZydisRegister all = ZydisRegisterGetLargestEnclosing(
		ZYDIS_MACHINE_MODE_LONG_64, r);

	if (all < ZYDIS_REGISTER_RAX || all > ZYDIS_REGISTER_R15)
		return HOST_NONE;
	return (u8)(all - ZYDIS_REGISTER_RAX);
}

static u16
bit(u8 reg)
{
	return reg < HOST_REGS ? (u16)(1u << reg) : 0;
}

/* The arithmetic flags of a mask of Zydis'. */
static u8
flags_of(u32 mask)
{
	static const u32 flag[] = {
		ZYDIS_CPUFLAG_CF, ZYDIS_CPUFLAG_PF, ZYDIS_CPUFLAG_AF,
		ZYDIS_CPUFLAG_ZF, ZYDIS_CPUFLAG_SF, ZYDIS_CPUFLAG_OF};
	u8 flags = 0;

	for (unsigned i = 0; i < SIM_COUNT(flag); i++)
		if (mask & flag[i])
			flags |= (u8)(1u << i);
	return flags;
}

/* Shifts leave the flags alone if they shift by nothing. */
static bool
may_keep_flags(const struct host_view *v)
{
	const ZydisDecodedOperand *last;

	switch (v->z.mnemonic) {
	case ZYDIS_MNEMONIC_SHL:
	case ZYDIS_MNEMONIC_SHR:
	case ZYDIS_MNEMONIC_SAR:
	case ZYDIS_MNEMONIC_ROL:
	case ZYDIS_MNEMONIC_ROR:
	case ZYDIS_MNEMONIC_RCL:
	case ZYDIS_MNEMONIC_RCR:
	case ZYDIS_MNEMONIC_SHLD:
	case ZYDIS_MNEMONIC_SHRD:
		last = &v->op[v->z.operand_count_visible - 1];
		return last->type != ZYDIS_OPERAND_TYPE_IMMEDIATE ||
		       !(last->imm.value.u & 31);
	default:
		return false;
	}
}

static void
take_flags(struct host_insn *h, const struct host_view *v)
{
	const ZydisAccessedFlags *f = v->z.cpu_flags;

	if (!f)
		return;
	h->flags_read = flags_of(f->tested);
	if (!may_keep_flags(v))
		h->flags_written = flags_of(f->modified | f->set_0 |
					    f->set_1 | f->undefined);
}

/* The register stays as it was if nothing is found, which is not as manuals have
 * it, but as processors do; if a selector is none; without a shadow stack. */
static bool
may_keep_register(const struct host_view *v)
{
	switch (v->z.mnemonic) {
	case ZYDIS_MNEMONIC_BSF:
	case ZYDIS_MNEMONIC_BSR:
	case ZYDIS_MNEMONIC_LAR:
	case ZYDIS_MNEMONIC_LSL:
	case ZYDIS_MNEMONIC_RDSSPD:
	case ZYDIS_MNEMONIC_RDSSPQ:
		return true;
	default:
		return false;
	}
}

static void
take_register(struct host_insn *h, const struct host_view *v,
	      const ZydisDecodedOperand *o)
{
	const ZydisOperandActions reads = ZYDIS_OPERAND_ACTION_READ |
					  ZYDIS_OPERAND_ACTION_CONDREAD;
	u16 r = bit(host_general(o->reg.value));
	bool sometimes = o->actions & ZYDIS_OPERAND_ACTION_CONDWRITE ||
			 may_keep_register(v);

	h->names |= r;
	if (o->actions & reads)
		h->reads |= r;
	if (!(o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE))
		return;
	h->changes |= r;
	if (o->size < 32 || sometimes)
		h->reads |= r;
	else
		h->writes |= r;
}

/* What an operand refers to, as an address before the instruction. */
static void
locate(struct host_memory *m, const struct host_view *v,
       const ZydisDecodedOperand *o)
{
	bool rip = o->mem.base == ZYDIS_REGISTER_RIP ||
		   o->mem.base == ZYDIS_REGISTER_EIP;

	m->base = host_general(o->mem.base);
	m->index = host_general(o->mem.index);
	m->scale = o->mem.scale;
	m->disp = o->mem.disp.has_displacement ? o->mem.disp.value : 0;
	m->segment = o->mem.segment == ZYDIS_REGISTER_FS   ? HOST_FS
		     : o->mem.segment == ZYDIS_REGISTER_GS ? HOST_GS
							   : HOST_FLAT;
	/* The stack's pointer has 64 bits whatever prefixes say: linkers put
	 * one before a call that they have changed. */
	m->narrow = v->z.address_width == 32 &&
		    (m->base != HOST_RSP ||
		     o->visibility != ZYDIS_OPERAND_VISIBILITY_HIDDEN);
	m->bytes = o->size / 8 ? o->size / 8 : 1;
	m->known = o->mem.type == ZYDIS_MEMOP_TYPE_MEM;
	if (v->z.mnemonic == ZYDIS_MNEMONIC_XLAT)
		m->index = HOST_NONE;
	if (rip)
		m->disp += (s64)(v->pc + v->z.length);
	/* push and call store below the pointer that they find. */
	if (o->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN &&
	    m->base == HOST_RSP &&
	    o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE)
		m->disp -= m->bytes;
	/* pop stores where the pointer that it leaves says. */
	if (v->z.mnemonic == ZYDIS_MNEMONIC_POP && m->base == HOST_RSP &&
	    o->visibility != ZYDIS_OPERAND_VISIBILITY_HIDDEN)
		m->disp += m->bytes;
	if (v->z.mnemonic == ZYDIS_MNEMONIC_LEAVE)
		m->base = HOST_RBP;
}

/* Whether its memory operand is not accessed. */
static bool
only_names_memory(const struct host_view *v)
{
	switch (v->z.meta.category) {
	case ZYDIS_CATEGORY_NOP:
	case ZYDIS_CATEGORY_WIDENOP:
	case ZYDIS_CATEGORY_PREFETCH:
		return true;
	default:
		return v->z.mnemonic == ZYDIS_MNEMONIC_LEA ||
		       v->z.mnemonic == ZYDIS_MNEMONIC_CLFLUSH ||
		       v->z.mnemonic == ZYDIS_MNEMONIC_CLFLUSHOPT;
	}
}

static void
take_memory(struct host_insn *h, const struct host_view *v,
	    const ZydisDecodedOperand *o)
{
	struct host_memory *m = &h->memory[h->n_memory];

	h->reads |= bit(host_general(o->mem.base)) | bit(host_general(o->mem.index));
	h->names |= bit(host_general(o->mem.base)) | bit(host_general(o->mem.index));
	if (o->mem.segment == ZYDIS_REGISTER_GS && !only_names_memory(v)) {
		h->by_gs = true;
		if (o->visibility != ZYDIS_OPERAND_VISIBILITY_HIDDEN)
			locate(&h->pointer, v, o);
	}
	if (only_names_memory(v) || h->n_memory == HOST_MEMORY ||
	    o->mem.type == ZYDIS_MEMOP_TYPE_AGEN)
		return;
	m->load = o->actions & ZYDIS_OPERAND_ACTION_MASK_READ;
	m->store = o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE;
	locate(m, v, o);
	m->known |= h->gather.n;
	h->n_memory++;
}

static void
take_operands(struct host_insn *h, const struct host_view *v)
{
	for (unsigned i = 0; i < v->z.operand_count; i++) {
		const ZydisDecodedOperand *o = &v->op[i];

		if (o->type == ZYDIS_OPERAND_TYPE_REGISTER)
			take_register(h, v, o);
		else if (o->type == ZYDIS_OPERAND_TYPE_MEMORY)
			take_memory(h, v, o);
	}
	/* xor and sub of a register with itself need nothing of it. */
	if ((v->z.mnemonic == ZYDIS_MNEMONIC_XOR ||
	     v->z.mnemonic == ZYDIS_MNEMONIC_SUB) &&
	    v->op[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
	    v->op[1].type == ZYDIS_OPERAND_TYPE_REGISTER &&
	    v->op[0].reg.value == v->op[1].reg.value && v->op[0].size >= 32)
		h->reads &= (u16)~bit(host_general(v->op[0].reg.value));
}

static void
take_rip(struct host_insn *h, const struct host_view *v)
{
	const ZydisDecodedInstruction *z = &v->z;

	if (!(z->attributes & ZYDIS_ATTRIB_HAS_MODRM) || z->raw.modrm.mod ||
	    z->raw.modrm.rm != 5)
		return;
	h->disp_at = z->raw.disp.offset;
	h->modrm_at = z->raw.modrm.offset;
	h->behind_at = h->disp_at + 4u;
	h->target = v->pc + z->length + (u64)z->raw.disp.value;
}

/* Where the parts of an encoding are that have to do with an operand behind
 * the base of GS.  Not executed are those whose operand has no ModRM, as string
 * instructions, gathers, and addresses behind RIP or of 32 bits. */
static void
take_gs(struct host_insn *h, const struct host_view *v, const u8 *code)
{
	const ZydisDecodedInstruction *z = &v->z;

	if (!h->by_gs)
		return;
	if (!(z->attributes & ZYDIS_ATTRIB_HAS_MODRM) || !h->pointer.bytes ||
	    h->gather.n || h->disp_at || z->address_width == 32 ||
	    !(~h->names & HOST_LOW)) {
		h->kind = HOST_BAD;
		return;
	}
	while (code[h->gs_at] != 0x65)
		h->gs_at++;
	h->modrm_at = z->raw.modrm.offset;
	h->behind_at = z->raw.imm[0].size ? z->raw.imm[0].offset : z->length;
	if (z->attributes & ZYDIS_ATTRIB_HAS_REX)
		h->extend_at = z->raw.rex.offset;
	else if (z->attributes & ZYDIS_ATTRIB_HAS_EVEX)
		h->extend_at = z->raw.evex.offset + 1u;
	else if (z->attributes & ZYDIS_ATTRIB_HAS_VEX && z->raw.vex.size == 3)
		h->extend_at = z->raw.vex.offset + 1u;
}

/* Instructions that move the stack pointer by what they say. */
static void
take_stack(struct host_insn *h, const struct host_view *v)
{
	const ZydisDecodedOperand *o = v->op;
	bool own = o[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
		   o[0].reg.value == ZYDIS_REGISTER_RSP;

	switch (v->z.mnemonic) {
	case ZYDIS_MNEMONIC_PUSH:
		h->moves = v->z.operand_width == 64;
		h->by = -8;
		break;
	case ZYDIS_MNEMONIC_POP:
		h->moves = v->z.operand_width == 64 && !own;
		h->by = 8;
		break;
	case ZYDIS_MNEMONIC_ADD:
	case ZYDIS_MNEMONIC_SUB:
		h->moves = own && o[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE;
		h->by = (s32)o[1].imm.value.s *
			(v->z.mnemonic == ZYDIS_MNEMONIC_SUB ? -1 : 1);
		break;
	default:
		break;
	}
}

static enum host_area
area_of(const struct host_view *v)
{
	switch (v->z.mnemonic) {
	case ZYDIS_MNEMONIC_FXSAVE:
	case ZYDIS_MNEMONIC_FXSAVE64:
		return HOST_FXSAVE;
	case ZYDIS_MNEMONIC_FXRSTOR:
	case ZYDIS_MNEMONIC_FXRSTOR64:
		return HOST_FXRSTOR;
	case ZYDIS_MNEMONIC_XSAVE:
	case ZYDIS_MNEMONIC_XSAVE64:
	case ZYDIS_MNEMONIC_XSAVEOPT:
	case ZYDIS_MNEMONIC_XSAVEOPT64:
		return HOST_XSAVE;
	case ZYDIS_MNEMONIC_XRSTOR:
	case ZYDIS_MNEMONIC_XRSTOR64:
		return HOST_XRSTOR;
	case ZYDIS_MNEMONIC_FNSTENV:
		return HOST_FSTENV;
	case ZYDIS_MNEMONIC_FLDENV:
		return HOST_FLDENV;
	case ZYDIS_MNEMONIC_FNSAVE:
		return HOST_FSAVE;
	case ZYDIS_MNEMONIC_FRSTOR:
		return HOST_FRSTOR;
	case ZYDIS_MNEMONIC_FBLD:
		return HOST_FBLD;
	case ZYDIS_MNEMONIC_FBSTP:
		return HOST_FBSTP;
	default:
		return HOST_NO_AREA;
	}
}

static void
take_branch(struct host_insn *h, const struct host_view *v)
{
	const ZydisDecodedOperand *o = &v->op[0];

	switch (h->kind) {
	case HOST_JCC:
	case HOST_JCXZ:
	case HOST_JUMP:
	case HOST_CALL:
		h->target = v->pc + v->z.length + o->imm.value.u;
		h->condition = v->z.opcode & 15;
		break;
	case HOST_JUMP_IND:
	case HOST_CALL_IND:
		if (o->type == ZYDIS_OPERAND_TYPE_MEMORY)
			locate(&h->pointer, v, o);
		else
			h->source = host_general(o->reg.value);
		break;
	case HOST_RETURN:
		if (o->type == ZYDIS_OPERAND_TYPE_IMMEDIATE)
			h->behind = (u16)o->imm.value.u;
		break;
	default:
		break;
	}
}

/* A string instruction with a prefix that lets it repeat itself. */
static void
take_repeat(struct host_insn *h, const struct host_view *v, const u8 *code)
{
	bool compares = v->z.attributes &
			(ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE);

	if (!compares && !(v->z.attributes & ZYDIS_ATTRIB_HAS_REP))
		return;
	h->kind = HOST_REP;
	h->counter = (u8)v->z.address_width;
	for (h->prefix = 0; (code[h->prefix] & 0xfe) != 0xf2; h->prefix++)
		;
	h->until = compares ? code[h->prefix] : 0;
	h->reads |= 1u << HOST_RCX;
	h->names |= 1u << HOST_RCX;
	h->writes = 0;
	h->flags_written = 0;
}

/* cmps: what RDI leads to is loaded first. */
static void
order_compare(struct host_insn *h, const struct host_view *v)
{
	struct host_memory first;

	if (v->z.meta.category != ZYDIS_CATEGORY_STRINGOP ||
	    h->n_memory != 2 || h->memory[1].store ||
	    h->memory[0].base != HOST_RSI)
		return;
	first = h->memory[0];
	h->memory[0] = h->memory[1];
	h->memory[1] = first;
}

bool
host_decode(struct host_insn *h, u64 pc, const u8 *code, unsigned bytes)
{
	static ZydisDecoder decoder;
	static bool ready;
	struct host_view v = {.pc = pc};

	if (!ready)
		ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64,
				 ZYDIS_STACK_WIDTH_64);
	ready = true;
	memset(h, 0, sizeof *h);
	h->source = HOST_NONE;
	if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, code, bytes, &v.z,
						 v.op)))
		return false;
	h->size = v.z.length;
	h->kind = (u8)host_kind_of(&v);
	h->sets_direction = v.z.mnemonic == ZYDIS_MNEMONIC_STD ||
			    v.z.mnemonic == ZYDIS_MNEMONIC_POPFQ ||
			    v.z.mnemonic == ZYDIS_MNEMONIC_POPF;
	h->area = (u8)area_of(&v);
	take_flags(h, &v);
	host_gather(h, &v);
	host_further(h, &v);
	take_operands(h, &v);
	h->may_fault = h->n_memory || v.z.mnemonic == ZYDIS_MNEMONIC_DIV ||
		       v.z.mnemonic == ZYDIS_MNEMONIC_IDIV;
	take_stack(h, &v);
	take_rip(h, &v);
	take_branch(h, &v);
	take_repeat(h, &v, code);
	take_gs(h, &v, code);
	order_compare(h, &v);
	return true;
}
