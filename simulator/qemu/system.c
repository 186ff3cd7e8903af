/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "system.h"

#include "../system_marks.h"
#include "system_modes.h"
#include "system_profile.h"
#include "system_words.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

/* What a block of QEMU's is to us: a block for each mode it has run in. */
struct passage {
	struct block *of[MODE_N];
	api_exec_fn *enter;
	u32 pc;
	u8 effect;		/* enum modes_effect */
	bool syscall;		/* it ends with one */
	struct profile_place profile;
};

static struct {
	struct modes modes;
	enum sim_mode mode;	/* that the core counts in */
	const struct passage *last;
} running;

static struct system_facts *
facts(void)
{
	return &plugin.map.m->facts;
}

/* ---- Execution ------------------------------------------------------- */

static void
switch_mode(enum sim_mode mode, u64 next)
{
	core_pause(&core, next);
	system_profile_leave();
	core_bind(&core, process_mode_slot(mode), 0);
	system_profile_arrive(mode);
	running.mode = mode;
}

static void
count_entry(enum modes_vector vector)
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
	if (vector == VECTOR_GENERAL && running.last &&
	    running.last->syscall) {
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

static void
on_place(unsigned vcpu, void *data)
{
	struct passage *p = data;
	enum modes_vector vector;
	enum sim_mode mode = modes_enter(&running.modes, p->pc,
					 (enum modes_effect)p->effect,
					 &vector);
	struct block *b = p->of[mode];

	if (plugin.counting) {
		count_entry(vector);
		if (mode != running.mode)
			switch_mode(mode, p->pc);
		if (SIM_UNLIKELY(!b))
			b = another_block(p, mode);
		system_profile_enter(&p->profile, b, mode, vector);
		p->enter(vcpu, b);
		system_profile_entered(&p->profile);
	}
	running.last = p;
}

static void
on_start(unsigned vcpu, void *data)
{
	(void)vcpu;
	(void)data;
	facts()->started++;
	plugin.counting = true;
}

static void
on_stop(unsigned vcpu, void *data)
{
	(void)vcpu;
	(void)data;
	if (!plugin.counting)
		return;
	core_pause(&core, 0);
	core_settle(&core);
	facts()->vectors = running.modes.based ? running.modes.base : 0;
	plugin.counting = false;
	__atomic_store_n(&facts()->stopped, facts()->stopped + 1,
			 __ATOMIC_RELEASE);
}

static void
on_wait(unsigned vcpu, void *data)
{
	(void)vcpu;
	(void)data;
	facts()->wait += plugin.counting;
}

/* ---- Translation ----------------------------------------------------- */

static void
watch_word(struct qemu_plugin_insn *q, u32 word)
{
	api_exec_fn *fn = NULL;

	if (word == SYSTEM_MARK_START)
		fn = on_start;
	else if (word == SYSTEM_MARK_STOP)
		fn = on_stop;
	else if ((word & MASK_WAIT) == WORD_WAIT)
		fn = on_wait;
	if (fn)
		qemu_plugin_register_vcpu_insn_exec_cb(q, fn, API_NO_REGS,
						       NULL);
}

/* The instruction words of a block, 0 for those of MIPS16e. */
static unsigned
read_words(struct qemu_plugin_tb *tb, u32 word[BLOCK_MAX_INSN])
{
	size_t n = qemu_plugin_tb_n_insns(tb);

	for (size_t i = 0; i < n; i++) {
		struct qemu_plugin_insn *q = qemu_plugin_tb_get_insn(tb, i);
		u8 data[4];

		word[i] = 0;
		if (api_insn_data(q, data, sizeof data) < sizeof data)
			continue;
		word[i] = plugin.isa == ISA_MIPS ?
			(u32)data[0] << 24 | data[1] << 16 | data[2] << 8 |
			data[3] :
			(u32)data[3] << 24 | data[2] << 16 | data[1] << 8 |
			data[0];
		watch_word(q, word[i]);
	}
	return (unsigned)n;
}

static void
system_translate(struct qemu_plugin_tb *tb)
{
	static u32 word[BLOCK_MAX_INSN];
	u32 pc = (u32)qemu_plugin_tb_vaddr(tb);
	bool user = pc < MODES_KERNEL_BASE;
	struct passage *p = process_alloc(sizeof *p);
	unsigned n = read_words(tb, word);
	struct block *b;

	process_mode(user ? MODE_USER : MODE_KERNEL);
	b = translate_block(tb);
	if (!p || !b)
		process_die("room for counts", ENOSPC);
	*p = (struct passage){.pc = pc, .enter = callback_block(b)};
	p->of[user ? MODE_USER : MODE_KERNEL] = b;
	p->effect = (u8)(user ? EFFECT_NONE : modes_effect(word, n));
	p->syscall = translate_insns()[n - 1].cls == CLASS_SYSCALL;
	system_profile_place(&p->profile, word, n, pc, b);
	qemu_plugin_register_vcpu_tb_exec_cb(tb, on_place, API_NO_REGS, p);
}

/* ---- Start and end --------------------------------------------------- */

static void
system_end(void)
{
	static const enum sim_mode modes[] = {MODE_EXL, MODE_KERNEL,
					      MODE_USER};

	on_stop(0, NULL);
	for (unsigned i = 0; i < SIM_COUNT(modes); i++) {
		process_mode(modes[i]);
		machine_slot_retire(&plugin.map, plugin.slot);
	}
}

static const struct api_handlers handlers = {
	.translate = system_translate,
	.exit = system_end,
};

int
system_start(u64 id)
{
	int error;

	if (plugin.isa != ISA_MIPSEL && plugin.isa != ISA_MIPS)
		return -ENOTSUP;
	plugin.system = true;
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
	block_decoder(translate_again);
	api_register(id, &handlers);
	return 0;
}
