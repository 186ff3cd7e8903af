/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The target's instructions as copies. */
#include "copy_internal.h"
#include "explain.h"

#define SIB_NONE 0x25		/* a displacement alone */
#define MODRM_SIB 4
#define MODRM_RIP 5

#define PREFIX_DS 0x3e		/* says nothing */

#define TARGET EMIT_GS(HOST_AT(host_state.target))
#define PUT_ASIDE EMIT_GS(HOST_AT(CODE_ASIDE))

/* The low register that an instruction has nothing to do with: it is in CODE_ASIDE
 * while the copy has an address in it. */
static u8
other_register(const struct host_insn *h)
{
	static const u8 low[] = {HOST_RCX, HOST_RSI, HOST_RDI, HOST_RBX,
				 HOST_RAX, HOST_RDX};
	unsigned i = 0;

	while (h->names >> low[i] & 1)
		i++;
	return low[i];
}

/* With the displacement by an absolute address. */
static void
copy_absolute(struct emitter *e, const struct host_insn *h, const u8 *code)
{
	emit_copy(e, code, h->modrm_at);
	emit_byte(e, (u8)((code[h->modrm_at] & 0x38) | MODRM_SIB));
	emit_byte(e, SIB_NONE);
	emit_word(e, (u32)h->target);
	emit_copy(e, code + h->behind_at, h->size - (unsigned)h->behind_at);
}

/* No segment, and a base that needs no more bits. */
static void
make_flat(u8 *copy, const struct host_insn *h)
{
	u8 *extend = &copy[h->extend_at];

	copy[h->gs_at] = PREFIX_DS;
	if (!h->extend_at)
		return;
	if (extend[-1] == 0xc4 || extend[-1] == 0x62)
		*extend |= 0x60;	/* stored inverted */
	else
		*extend &= (u8)~3;
}

/* ... by a register that has the address. */
static void
copy_through(struct emitter *e, const struct host_insn *h, const u8 *code)
{
	u8 r = other_register(h), *copy;

	emit_op(e, EMIT_STORE, EMIT_64, r, PUT_ASIDE);
	if (h->by_gs)
		emit_address(e, r, &h->pointer, 0);
	else
		emit_number(e, r, h->target);
	copy = e->p;
	emit_copy(e, code, h->modrm_at);
	emit_byte(e, (u8)((code[h->modrm_at] & 0x38) | r));
	emit_copy(e, code + h->behind_at, h->size - (unsigned)h->behind_at);
	if (h->by_gs)
		make_flat(copy, h);
	emit_op(e, EMIT_LOAD, EMIT_64, r, PUT_ASIDE);
}

static void
copy_relative(struct emitter *e, const struct host_insn *h, const u8 *code)
{
	s64 distance = (s64)(h->target - (u64)(uintptr_t)(e->p + h->size));
	u32 word = (u32)distance;
	u8 *start = e->p;

	if (distance == (s32)distance) {
		emit_copy(e, code, h->size);
		memcpy(start + h->disp_at, &word, 4);
	} else if (h->target < 1u << 31) {
		copy_absolute(e, h, code);
	} else {
		copy_through(e, h, code);
	}
}

static void
copy_plain(struct emitter *e, const struct host_insn *h, const u8 *code)
{
	if (h->by_gs)
		copy_through(e, h, code);
	else if (h->disp_at)
		copy_relative(e, h, code);
	else
		emit_copy(e, code, h->size);
}

void
copy_leave(struct emitter *e, struct code_block *b, u64 target)
{
	exit_emit(e, exit_new(b, CODE_DIRECT, target));
}

/* The target is in the state. */
static void
leave_indirect(struct emitter *e, struct code_block *b)
{
	exit_emit(e, exit_new(b, CODE_INDIRECT, 0));
}

/* The target is in R11, which is in CODE_ASIDE. */
static void
leave_by_r11(struct emitter *e, struct code_block *b)
{
	u64 number = exit_new(b, CODE_INDIRECT, 0);

	explain_part(e, "an exit: is its target known?");
	arrive_find(e, number);
}

static void
copy_condition(struct emitter *e, struct code_block *b,
	       const struct host_insn *h, u64 behind)
{
	exit_emit_if(e, h->condition,
		     exit_new(b, CODE_DIRECT, h->target));
	copy_leave(e, b, behind);
}

/* Short jumps only: over the jump that goes on. */
static void
copy_jcxz(struct emitter *e, struct code_block *b, const struct host_insn *h,
	  const u8 *code, u64 behind)
{
	u8 *on;

	emit_copy(e, code, h->size - 1u);
	emit_byte(e, 5);
	on = emit_jump(e);
	copy_leave(e, b, h->target);
	emit_reach(on, e->p);
	copy_leave(e, b, behind);
}

/* In one store, which the return's load is forwarded: two of 32 bits are not. */
static void
push_return(struct emitter *e, u64 address)
{
	struct emitter *cold = code_cold_emitter();

	if (address < 1u << 31) {
		emit_push_number(e, (s32)address);
		return;
	}
	emit_reach(emit_push_near(e), cold->p);
	explain_data(cold, "where it returns to");
	emit_copy(cold, &address, sizeof address);
}

static void
copy_call(struct emitter *e, struct code_block *b, const struct host_insn *h,
	  u64 behind)
{
	push_return(e, behind);
	copy_leave(e, b, h->target);
}

/* Whether one instruction loads an indirect branch's target, whose operand is a
 * register and a distance. */
static bool
loads_at_once(const struct host_insn *h)
{
	const struct host_memory *m = &h->pointer;

	return m->segment == HOST_FLAT && !m->narrow &&
	       m->disp == (s32)m->disp &&
	       (m->base != HOST_NONE || m->index != HOST_NONE);
}

/* Of one in memory into a register, which is put aside: that is all that has been
 * changed if it faults. */
static void
load_target(struct emitter *e, const struct host_insn *h, u8 r)
{
	const struct host_memory *m = &h->pointer;
	struct emit_memory at = {m->base, m->index, m->scale, false,
				 (s32)m->disp};

	emit_op(e, EMIT_STORE, EMIT_64, r, PUT_ASIDE);
	if (!loads_at_once(h)) {
		emit_address(e, r, m, 0);
		at = EMIT_BASE(r, 0);
	}
	emit_op(e, EMIT_LOAD, EMIT_64, r, at);
}

/* The target of an indirect branch into the state. */
static void
note_target(struct emitter *e, const struct host_insn *h)
{
	u8 r = other_register(h);

	if (h->source != HOST_NONE) {
		emit_op(e, EMIT_STORE, EMIT_64, h->source, TARGET);
		return;
	}
	load_target(e, h, r);
	emit_op(e, EMIT_STORE, EMIT_64, r, TARGET);
	emit_op(e, EMIT_LOAD, EMIT_64, r, PUT_ASIDE);
}

/* The target of an indirect branch into R11, which is put aside: from that register, or
 * from the state if it is NONE. */
static void
take_target(struct emitter *e, u8 source)
{
	emit_op(e, EMIT_STORE, EMIT_64, HOST_R11, PUT_ASIDE);
	if (source == HOST_NONE)
		emit_op(e, EMIT_LOAD, EMIT_64, HOST_R11, TARGET);
	else
		emit_rr(e, EMIT_LOAD, EMIT_64, HOST_R11, source);
}

/* A target in RSP is that of before the push; R11 is the program's until then, as that
 * may fault. */
static void
copy_call_indirect(struct emitter *e, struct code_block *b,
		   const struct host_insn *h, u64 behind)
{
	bool brief = arrive_are_brief();
	u8 source = brief && h->source != HOST_RSP ? h->source : HOST_NONE;

	if (source == HOST_NONE)
		note_target(e, h);
	push_return(e, behind);
	if (brief) {
		take_target(e, source);
		leave_by_r11(e, b);
	} else {
		leave_indirect(e, b);
	}
}

static void
copy_jump_indirect(struct emitter *e, struct code_block *b,
		   const struct host_insn *h)
{
	bool in_memory = h->source == HOST_NONE;

	if (!arrive_are_brief()) {
		note_target(e, h);
		leave_indirect(e, b);
		return;
	}
	if (in_memory && loads_at_once(h)) {
		load_target(e, h, HOST_R11);
	} else {
		if (in_memory)
			note_target(e, h);
		take_target(e, h->source);
	}
	leave_by_r11(e, b);
}

static void
copy_return(struct emitter *e, struct code_block *b,
	    const struct host_insn *h)
{
	bool brief = arrive_are_brief();

	if (brief) {
		emit_op(e, EMIT_STORE, EMIT_64, HOST_R11, PUT_ASIDE);
		emit_pop(e, HOST_R11);
	} else {
		emit_pop_to(e, TARGET);
	}
	if (h->behind)
		emit_op(e, EMIT_LEA, EMIT_64, HOST_RSP,
			EMIT_BASE(HOST_RSP, h->behind));
	if (brief)
		leave_by_r11(e, b);
	else
		leave_indirect(e, b);
}

/* An instruction that the engine answers. */
static void
copy_ask(struct emitter *e, u64 pc)
{
	emit_op(e, EMIT_STORE, EMIT_64, HOST_RSP,
		EMIT_GS(HOST_AT(host_state.reg[HOST_RSP])));
	emit_op(e, EMIT_LOAD, EMIT_64, HOST_RSP,
		EMIT_GS(HOST_AT(host_state.stack)));
	emit_op(e, EMIT_STORE, EMIT_64, HOST_RAX,
		EMIT_GS(HOST_AT(host_state.slot[5])));
	emit_number(e, HOST_RAX, pc);
	emit_push(e, HOST_RAX);
	emit_op(e, EMIT_LOAD, EMIT_64, HOST_RAX,
		EMIT_GS(HOST_AT(host_state.slot[5])));
	emit_call(e, EMIT_GS(HOST_AT(host_state.ask)));
	emit_op(e, EMIT_LOAD, EMIT_64, HOST_RSP,
		EMIT_GS(HOST_AT(host_state.reg[HOST_RSP])));
}

/* The register that is in CODE_ASIDE where the copy may fault, at that place of it;
 * HOST_NONE: none. */
static u8
aside(const struct host_insn *h, const u8 *at)
{
	bool jumps = h->kind == HOST_JUMP_IND || h->kind == HOST_CALL_IND;
	u8 modrm;

	if (h->by_gs || (jumps && h->source == HOST_NONE && !loads_at_once(h)))
		return other_register(h);
	if (!h->disp_at)
		return HOST_NONE;
	modrm = at[h->modrm_at] & 7;
	return modrm == MODRM_SIB || modrm == MODRM_RIP ? HOST_NONE : modrm;
}

void
copy_take_back(const struct host_insn *h, const u8 *at, u64 reg[HOST_REGS])
{
	u8 r = aside(h, at);

	if (r != HOST_NONE)
		reg[r] = CODE_ASIDE;
	if (h->kind == HOST_REP)
		copy_repeat_take_back(h, reg);
}

void
copy_insn(struct emitter *e, struct code_block *b,
	  const struct code_source *s, unsigned i)
{
	const struct host_insn *h = &s->host[i];
	u64 behind = s->insn[i].pc + h->size;
	const u8 *code = copy_bytes(s, i);

	if (h->kind != HOST_REP)
		check_insn(e, s, i);
	explain_part(e, "the instruction");
	switch (h->kind) {
	case HOST_JCC:
		copy_condition(e, b, h, behind);
		return;
	case HOST_JCXZ:
		copy_jcxz(e, b, h, code, behind);
		return;
	case HOST_CALL:
		copy_call(e, b, h, behind);
		return;
	case HOST_CALL_IND:
		copy_call_indirect(e, b, h, behind);
		return;
	case HOST_JUMP:
		copy_leave(e, b, h->target);
		return;
	case HOST_JUMP_IND:
		copy_jump_indirect(e, b, h);
		return;
	case HOST_RETURN:
		copy_return(e, b, h);
		return;
	case HOST_SYSCALL:
		exit_emit(e, exit_new(b, CODE_CALLS_KERNEL, behind));
		return;
	case HOST_REP:
		copy_repeat(e, b, s, i);
		return;
	case HOST_ASK:
	case HOST_ASK_ENDS:
		copy_ask(e, s->insn[i].pc);
		break;
	default:
		copy_plain(e, h, code);
		break;
	}
	if (i + 1 == s->n)
		copy_leave(e, b, behind);
}
