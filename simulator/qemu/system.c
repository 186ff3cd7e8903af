/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "system.h"

#include "core/memory.h"
#include "core/tick.h"
#include "target/built.h"
#include "system_halves.h"
#include "system_isa.h"
#include "system_profile.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

/* What a block of QEMU's is to us: a block for each mode it has run in. */
struct passage {
	struct block *of[MODE_N];
	const struct block_detail *detail; /* of the first: has the accesses */
	api_exec_fn *enter;
	struct system_block place;
	struct profile_place profile;
	struct halves_place halves;
};

static struct {
	const struct system_isa *isa;
	bool counting;		/* between the marks */
	enum sim_mode mode;	/* that the core counts in */
	struct passage *last;	/* counted, or NULL */
} running;

static struct system_facts *
facts(void)
{
	return &target.map.m->facts;
}

/* ---- Execution ------------------------------------------------------- */

/* In order, each mode has its part of the cycles that something is under way;
 * of a window, the mode that asked for it has all. */
static void
switch_mode(enum sim_mode mode, u64 next)
{
	core_pause(&core, next);
	if (!core.window)
		memory_leave(&core, core_cycle(&core));
	system_profile_leave();
	core_bind(&core, process_mode_slot(mode), 0);
	system_profile_arrive(mode);
	if (!core.window)
		memory_return(&core, core_cycle(&core));
	running.mode = mode;
}

static void
count_entry(enum system_vector vector)
{
	struct system_facts *f = facts();

	if (vector == VECTOR_NONE)
		return;
	if (vector == VECTOR_REFILL) {
		f->refill++;
		return;
	}
	f->exception++;
	f->interrupt += vector == VECTOR_INTERRUPT;
	f->page += vector == VECTOR_PAGE;
	if (vector == VECTOR_CALL) {
		f->syscall++;
		process_mode_slot(MODE_USER)->sig[0][SIG_OS_SYSCALL]++;
	}
}

/* The place's block for a mode that it has not run in before. */
static struct block *
another_block(struct passage *p, enum sim_mode mode)
{
	const struct block *like = p->of[MODE_KERNEL];

	if (!like)
		like = p->of[MODE_USER];
	process_mode(mode);
	p->of[mode] = translate_part(like, like->n_insn);
	if (!p->of[mode])
		process_die("room for counts", ENOSPC);
	return p->of[mode];
}

static struct half
last_half(void)
{
	struct passage *last = running.last;

	return (struct half){
		.place = &last->halves, .block = last->of[running.mode],
		.mode = running.mode, .owner = system_profile_owner(),
	};
}

/* An exception has returned to pc.  Of a block that ends with a system call it
 * is not known before whether that was what led to the kernel. */
static void
mend_returned(u64 pc)
{
	if (!halves_returned(pc))
		return;
	facts()->syscall--;
	process_mode_slot(MODE_USER)->sig[0][SIG_OS_SYSCALL]--;
}

/* The block before goes on at pc, without an exception. */
static void
mend_redone(u64 pc)
{
	struct half h = last_half();
	struct block *part;

	if (!halves_is_redone(h.block, running.last->place.target, pc))
		return;
	part = halves_redone(&h, pc);
	if (part)
		core.prev = part;
}

/* What an exception has cut short, or comes back to; true if it may have cut
 * something short.  Samples were taken of blocks as a whole, and stay. */
static bool
mend_halves(const struct system_block *to, enum system_vector vector)
{
	const struct passage *last = running.last;
	u64 pc = to->pc;
	struct half h;

	if (!last || (target.map.m->n_profile && !core.profiler))
		return false;
	if (vector == VECTOR_NONE) {
		if (last->place.returns)
			mend_returned(pc);
		else if (pc - last->place.pc - 1 <
			 last->place.end - last->place.pc - 1)
			mend_redone(pc);
		return false;
	}
	if (vector == VECTOR_CALL && to->vector == VECTOR_CALL)
		return false;	/* that is sure */
	h = last_half();
	/* Interrupts come between blocks, or the times of a string
	 * instruction. */
	if (vector == VECTOR_INTERRUPT && h.block->branch != BRANCH_REP)
		return false;
	h.called = vector == VECTOR_CALL;
	halves_left(&h);
	return true;
}

static void
on_place(unsigned vcpu, void *data)
{
	struct passage *p = data;
	struct system_entry entry;
	struct block *b;
	bool half;

	running.isa->enter(&p->place, &entry);
	if (!running.counting)
		return;
	b = p->of[entry.mode];
	count_entry(entry.vector);
	half = mend_halves(&p->place, entry.vector);
	if (entry.mode != running.mode)
		switch_mode(entry.mode, p->place.pc);
	if (SIM_UNLIKELY(!b))
		b = another_block(p, entry.mode);
	plugin.access = block_access(p->detail);
	plugin.n_access = p->detail->n_access;
	system_profile_enter(&p->profile, b, &entry);
	p->enter(vcpu, b);
	if (half)
		halves_resolved(core_outcome(&core));
	system_profile_entered(&p->profile);
	running.last = p;
}

static void
on_start(unsigned vcpu, void *data)
{
	(void)vcpu;
	(void)data;
	facts()->started++;
	running.counting = true;
}

static void
stop_counting(void)
{
	if (!running.counting)
		return;
	core_pause(&core, 0);
	core_settle(&core);
	facts()->vectors = running.isa->vectors();
	running.counting = false;
	plugin.n_access = 0;
	running.last = NULL;
}

static void
on_stop(unsigned vcpu, void *data)
{
	(void)vcpu;
	(void)data;
	facts()->stopped++;
	stop_counting();
}

static void
on_wait(unsigned vcpu, void *data)
{
	(void)vcpu;
	(void)data;
	facts()->wait += running.counting;
}

/* ---- Translation ----------------------------------------------------- */

static void
watch(struct qemu_plugin_insn *q, enum system_mark mark)
{
	static api_exec_fn *const fn[] = {
		[MARK_START] = on_start,
		[MARK_STOP] = on_stop,
		[MARK_WAIT] = on_wait,
	};

	if (mark != MARK_NONE)
		qemu_plugin_register_vcpu_insn_exec_cb(q, fn[mark],
						       API_NO_REGS, NULL);
}

static void
read_code(struct qemu_plugin_tb *tb, struct system_code *code)
{
	size_t n = qemu_plugin_tb_n_insns(tb);

	for (size_t i = 0; i < n; i++) {
		struct qemu_plugin_insn *q = qemu_plugin_tb_get_insn(tb, i);

		code[i].size = (u8)api_insn_data(q, code[i].byte,
						 sizeof code[i].byte);
		watch(q, running.isa->mark(&code[i]));
	}
}

/* Where the branch goes to that ends n instructions; it is the last one or in
 * front of its delay slot. */
static u64
target_of(const struct insn *in, const struct system_code *code, unsigned n)
{
	unsigned at = n > 1 && in[n - 1].branch == BRANCH_NONE ? n - 2 : n - 1;

	return decode_target(target.isa, &in[at], code[at].byte);
}

/* What is to be known about n instructions from the first on. */
static struct passage *
make_passage(struct qemu_plugin_tb *tb, const struct system_code *code,
	     unsigned first, unsigned n)
{
	const struct insn *insn = translate_insns();
	struct passage *p = process_alloc(sizeof *p);
	enum sim_mode mode;
	struct block *b;

	if (!p)
		process_die("room for counts", ENOSPC);
	*p = (struct passage){.place = {
		.pc = insn[first].pc,
		.end = insn[first + n - 1].pc + insn[first + n - 1].size,
		.syscall = insn[first + n - 1].cls == CLASS_SYSCALL,
		.target = target_of(insn + first, code + first, n),
	}};
	running.isa->place(&p->place, code + first, n);
	mode = p->place.user ? MODE_USER : MODE_KERNEL;
	process_mode(mode);
	b = translate_block(tb, first, n);
	if (!b)
		process_die("room for counts", ENOSPC);
	p->enter = callback_block(b);
	p->of[mode] = b;
	p->detail = b->detail;
	system_profile_place(&p->profile, &p->place, b);
	return p;
}

static void
system_translate(struct qemu_plugin_tb *tb)
{
	static struct system_code code[BLOCK_MAX_INSN];
	unsigned n = (unsigned)qemu_plugin_tb_n_insns(tb);
	unsigned whole = translate_decode(tb);

	read_code(tb, code);
	qemu_plugin_register_vcpu_tb_exec_cb(tb, on_place, API_NO_REGS,
					     make_passage(tb, code, 0, whole));
	if (whole < n)
		qemu_plugin_register_vcpu_insn_exec_cb(
			qemu_plugin_tb_get_insn(tb, whole), on_place,
			API_NO_REGS, make_passage(tb, code, whole, 1));
}

/* ---- Start and end --------------------------------------------------- */

static void
system_end(void)
{
	static const enum sim_mode modes[] = {MODE_EXL, MODE_KERNEL,
					      MODE_USER};

	stop_counting();
	for (unsigned i = 0; i < SIM_COUNT(modes); i++) {
		process_mode(modes[i]);
		machine_slot_retire(&target.map, target.slot);
	}
}

static const struct api_handlers handlers = {
	.translate = system_translate,
	.exit = system_end,
};

static const struct system_isa *
isa_of(enum isa isa)
{
	switch (isa) {
	case ISA_MIPSEL:
	case ISA_MIPS:
		return system_isa_mips(isa == ISA_MIPS);
	case ISA_X86_64:
		return system_isa_x86(&target.map.m->vectors);
	default:
		return NULL;
	}
}

int
system_start(u64 id)
{
	int error;

	running.isa = isa_of(target.isa);
	if (!running.isa)
		return -ENOTSUP;
	target.system = true;
	tick_stop(&core);
	error = process_start(0);
	if (!error)
		error = process_add_mode(MODE_KERNEL);
	if (!error)
		error = process_add_mode(MODE_EXL);
	if (error)
		return error;
	process_mode(MODE_USER);
	running.mode = MODE_USER;
	core_bind(&core, process_mode_slot(MODE_USER), 0);
	error = system_profile_start();
	if (error)
		return error;
	block_decoder(built_again);
	api_register(id, &handlers);
	return 0;
}
