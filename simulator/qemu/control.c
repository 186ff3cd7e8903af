/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "control.h"

#include "target/x87.h"

#include <string.h>

/* The next access of the thread is an instruction's first one: the others are
 * of the rest of its environment. */
static __thread bool begins;

static void
on_load(unsigned vcpu, void *unused)
{
	(void)vcpu;
	(void)unused;
	begins = true;
}

static void
on_read(unsigned vcpu, u32 info, u64 va, void *unused)
{
	u16 word;

	(void)vcpu;
	(void)unused;
	if (!begins || api_mem_is_store(info))
		return;
	begins = false;
	memcpy(&word, (const void *)(uintptr_t)(target.guest_base + va),
	       sizeof word);
	x87_set(word);
}

static void
on_reset(unsigned vcpu, void *unused)
{
	(void)vcpu;
	(void)unused;
	x87_set(X87_RESET);
}

void
control_watch(struct qemu_plugin_insn *q, const u8 *bytes, unsigned size)
{
	bool is_64 = target.isa == ISA_X86_64;

	if ((!is_64 && target.isa != ISA_I386) || target.system ||
	    !target.timing)
		return;
	switch (x87_control_of(bytes, size, is_64)) {
	case X87_LOADS:
		qemu_plugin_register_vcpu_insn_exec_cb(q, on_load,
						       API_NO_REGS, NULL);
		qemu_plugin_register_vcpu_mem_cb(q, on_read, API_NO_REGS,
						 API_READ_WRITE, NULL);
		break;
	case X87_RESETS:
		qemu_plugin_register_vcpu_insn_exec_cb(q, on_reset,
						       API_NO_REGS, NULL);
		break;
	case X87_NONE:
		break;
	}
}
