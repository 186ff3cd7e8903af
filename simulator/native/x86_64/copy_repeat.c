/* SPDX-License-Identifier: GPL-2.0-or-later */
/* String instructions that repeat themselves, as copies. */
#include "copy_internal.h"

#include "target/target.h"

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

#define WHOLE 0			/* a step: all elements that there are */

/* Elements of a repeated movs or stos that are one step: more than 1 if they are
 * executed at once; WHOLE: of any string instruction. */
static unsigned
step_of(const struct host_insn *h)
{
	if (!target.timing)
		return WHOLE;
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

/* A step, or an element; an exit to the instruction itself, which finds the rest. */
static void
copy_round(struct emitter *e, struct code_block *b,
	   const struct code_source *s, unsigned i, unsigned step)
{
	const struct host_insn *h = &s->host[i];
	const u8 *code = copy_bytes(s, i);
	u64 pc = s->insn[i].pc;
	u8 *on = jump_if_done(e, h), *done = emit_jump(e), *last;

	emit_reach(on, e->p);
	check_insn(e, s, i);
	last = step > 1 ? copy_step(e, h, code, step)
			: copy_element(e, h, code);
	copy_leave(e, b, pc);
	emit_reach(done, e->p);
	if (last)
		emit_reach(last, e->p);
	copy_leave(e, b, pc + h->size);
}

/*
 * One round of a string instruction that repeats itself: the engine counts as
 * QEMU's does, which enters a block for each of them and a last one that finds
 * nothing left.  Where nothing is modelled one round is all of it.
 */
void
copy_repeat(struct emitter *e, struct code_block *b,
	    const struct code_source *s, unsigned i)
{
	const struct host_insn *h = &s->host[i];
	unsigned step = step_of(h);

	if (step != WHOLE) {
		copy_round(e, b, s, i, step);
		return;
	}
	check_insn(e, s, i);
	emit_copy(e, copy_bytes(s, i), h->size);
	copy_leave(e, b, s->insn[i].pc + h->size);
}

void
copy_repeat_take_back(const struct host_insn *h, u64 reg[HOST_REGS])
{
	if (step_of(h) > 1)
		reg[HOST_RCX] += REST;
}
