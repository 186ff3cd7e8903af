/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The target's instructions as copies. */
#include "explain.h"

#include "target/target.h"

#define SIB_NONE 0x25		/* a displacement alone */
#define MODRM_SIB 4
#define MODRM_RIP 5

static const u8 *
bytes_of(const struct code_source *s, unsigned i)
{
	return (const u8 *)(uintptr_t)s->insn[i].pc;
}

#define PREFIX_DS 0x3e		/* says nothing */

/* The register that a copy needs for an address, while it has it. */
#define ASIDE host_state.slot[6]

/* The low register that an instruction has nothing to do with. */
static u8
other_register(const struct host_insn *h)
{
	static const u8 low[] = {HOST_RSI, HOST_RDI, HOST_RBX, HOST_RAX,
				 HOST_RCX, HOST_RDX};
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
	struct emit_memory slot = EMIT_GS(HOST_AT(ASIDE));
	u8 r = other_register(h), *copy;

	emit_op(e, EMIT_STORE, EMIT_64, r, slot);
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
	emit_op(e, EMIT_LOAD, EMIT_64, r, slot);
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

static void
leave_direct(struct emitter *e, struct code_block *b, u64 target)
{
	exit_emit(e, exit_new(b, CODE_DIRECT, target));
}

static void
leave_indirect(struct emitter *e, struct code_block *b)
{
	exit_emit(e, exit_new(b, CODE_INDIRECT, 0));
}

static void
copy_condition(struct emitter *e, struct code_block *b,
	       const struct host_insn *h, u64 behind)
{
	exit_emit_if(e, h->condition,
		     exit_new(b, CODE_DIRECT, h->target));
	leave_direct(e, b, behind);
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
	leave_direct(e, b, h->target);
	emit_reach(on, e->p);
	leave_direct(e, b, behind);
}

static void
push_return(struct emitter *e, u64 address)
{
	if (address < 1u << 31) {
		emit_push_number(e, (s32)address);
		return;
	}
	emit_op(e, EMIT_LEA, EMIT_64, HOST_RSP, EMIT_BASE(HOST_RSP, -8));
	emit_put(e, EMIT_32, EMIT_BASE(HOST_RSP, 4), (s32)(address >> 32));
	emit_put(e, EMIT_32, EMIT_BASE(HOST_RSP, 0), (s32)(u32)address);
}

/* The target of an indirect branch into the state. */
static void
note_target(struct emitter *e, const struct host_insn *h)
{
	struct emit_memory slot = EMIT_GS(HOST_AT(ASIDE));
	struct emit_memory to = EMIT_GS(HOST_AT(host_state.target));
	u8 r = other_register(h);

	if (h->source != HOST_NONE) {
		emit_op(e, EMIT_STORE, EMIT_64, h->source, to);
		return;
	}
	emit_op(e, EMIT_STORE, EMIT_64, r, slot);
	emit_address(e, r, &h->pointer, 0);
	emit_op(e, EMIT_LOAD, EMIT_64, r, EMIT_BASE(r, 0));
	emit_op(e, EMIT_STORE, EMIT_64, r, to);
	emit_op(e, EMIT_LOAD, EMIT_64, r, slot);
}

static void
copy_return(struct emitter *e, struct code_block *b,
	    const struct host_insn *h)
{
	emit_pop_to(e, EMIT_GS(HOST_AT(host_state.target)));
	if (h->behind)
		emit_op(e, EMIT_LEA, EMIT_64, HOST_RSP,
			EMIT_BASE(HOST_RSP, h->behind));
	leave_indirect(e, b);
}

/* jrcxz or jecxz to a place behind. */
static u8 *
jump_if_done(struct emitter *e, const struct host_insn *h)
{
	u8 *on;

	if (h->counter == 32)
		emit_byte(e, 0x67);
	emit_byte(e, 0xe3);
	emit_byte(e, 5);
	on = emit_jump(e);
	return on;
}

/* Elements of a repeated movs or stos that are one step: more than 1 if they are
 * executed at once. */
static unsigned
step_of(const struct host_insn *h)
{
	for (unsigned k = 0; !h->until && k < h->n_memory; k++)
		if (h->memory[k].store)
			return pipeline_string_step(&target.config->pipe,
						    h->memory[k].bytes);
	return 1;
}

#define REST host_state.slot[6]		/* elements behind the step */
#define BEYOND host_state.slot[7]	/* of the step, less than a whole one */

/* RCX to the elements of one step, or all that there are. */
static void
begin_step(struct emitter *e, const struct host_insn *h, unsigned step)
{
	struct emit_memory rax = EMIT_GS(HOST_AT(host_state.slot[5]));
	u8 *few;

	if (h->counter == 32)
		emit_rr(e, EMIT_LOAD, EMIT_32, HOST_RCX, HOST_RCX);
	emit_op(e, EMIT_STORE, EMIT_64, HOST_RCX, EMIT_GS(HOST_AT(REST)));
	emit_op(e, EMIT_STORE, EMIT_64, HOST_RAX, rax);
	emit_flags_save(e);
	emit_ri(e, EMIT_ALU_CMP, EMIT_64, HOST_RCX, (s32)step);
	few = emit_jcc(e, EMIT_JB);
	emit_number(e, HOST_RCX, step);
	emit_reach(few, e->p);
	emit_op(e, EMIT_SUB_FROM, EMIT_64, HOST_RCX, EMIT_GS(HOST_AT(REST)));
	emit_op(e, EMIT_STORE, EMIT_64, HOST_RCX, EMIT_GS(HOST_AT(BEYOND)));
	emit_add_number(e, EMIT_GS(HOST_AT(BEYOND)), -(s32)step);
	emit_flags_restore(e);
	emit_op(e, EMIT_LOAD, EMIT_64, HOST_RAX, rax);
}

/* A step of a string instruction.  Behind it: the jump that is taken if it was
 * the last one, as one that is not whole is. */
static u8 *
copy_step(struct emitter *e, const struct host_insn *h, const u8 *code,
	  unsigned step)
{
	u8 *on, *last;

	begin_step(e, h, step);
	emit_copy(e, code, h->size);
	emit_op(e, EMIT_LOAD, EMIT_64, HOST_RCX, EMIT_GS(HOST_AT(BEYOND)));
	on = jump_if_done(e, h);
	emit_op(e, EMIT_LOAD, EMIT_64, HOST_RCX, EMIT_GS(HOST_AT(REST)));
	last = emit_jump(e);
	emit_reach(on, e->p);
	emit_op(e, EMIT_LOAD, EMIT_64, HOST_RCX, EMIT_GS(HOST_AT(REST)));
	on = emit_jump(e);
	emit_reach(last, e->p);
	return on;
}

/* One element; the jump that is taken if it ends the search, or NULL. */
static u8 *
copy_element(struct emitter *e, const struct host_insn *h, const u8 *code)
{
	enum emit_size size = h->counter == 32 ? EMIT_32 : EMIT_64;

	emit_copy(e, code, h->prefix);
	emit_copy(e, code + h->prefix + 1, h->size - h->prefix - 1u);
	emit_op(e, EMIT_LEA, size, HOST_RCX, EMIT_BASE(HOST_RCX, -1));
	if (!h->until)
		return NULL;
	return emit_jcc(e, h->until == 0xf3 ? EMIT_JNE : EMIT_JE);
}

/*
 * One round of a string instruction that repeats itself: the engine counts as
 * QEMU's does, which enters a block for each of them and a last one that finds
 * nothing left.
 */
static void
copy_repeat(struct emitter *e, struct code_block *b,
	    const struct code_source *s, unsigned i)
{
	const struct host_insn *h = &s->host[i];
	const u8 *code = bytes_of(s, i);
	u64 pc = s->insn[i].pc;
	unsigned step = step_of(h);
	u8 *on = jump_if_done(e, h), *done = emit_jump(e), *last;

	emit_reach(on, e->p);
	check_insn(e, s, i);
	last = step > 1 ? copy_step(e, h, code, step)
			: copy_element(e, h, code);
	leave_direct(e, b, pc);
	emit_reach(done, e->p);
	if (last)
		emit_reach(last, e->p);
	leave_direct(e, b, pc + h->size);
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

/* The register that is ASIDE where the copy may fault, at that place of it;
 * HOST_NONE: none. */
static u8
aside(const struct host_insn *h, const u8 *at)
{
	u8 modrm;

	if (h->by_gs || ((h->kind == HOST_JUMP_IND ||
			  h->kind == HOST_CALL_IND) &&
			 h->source == HOST_NONE))
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
		reg[r] = ASIDE;
	if (h->kind == HOST_REP && step_of(h) > 1)
		reg[HOST_RCX] += REST;
}

void
copy_insn(struct emitter *e, struct code_block *b,
	  const struct code_source *s, unsigned i)
{
	const struct host_insn *h = &s->host[i];
	u64 behind = s->insn[i].pc + h->size;
	const u8 *code = bytes_of(s, i);

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
		push_return(e, behind);
		leave_direct(e, b, h->target);
		return;
	case HOST_JUMP:
		leave_direct(e, b, h->target);
		return;
	case HOST_CALL_IND:
		note_target(e, h);
		push_return(e, behind);
		leave_indirect(e, b);
		return;
	case HOST_JUMP_IND:
		note_target(e, h);
		leave_indirect(e, b);
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
		leave_direct(e, b, behind);
}
