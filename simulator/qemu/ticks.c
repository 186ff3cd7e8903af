/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The plugin cannot change registers.  But where QEMU executes such an
 * instruction, it executes the host's rdtsc.  The kernel can be asked to let
 * that fail (PR_SET_TSC), and then the handler of the signal is its result.
 */
#include "ticks.h"
#include "pipeline/block_build.h"

#include "pipeline/window.h"
#include "turns_internal.h"

#include <sys/prctl.h>
#include <ucontext.h>

#define RDTSC 0x310fu		/* as a word in memory */
#define RDTSCP 0xf9010fu

static bool wanted;
static u64 base;		/* of the counter, when this program started */
static struct sigaction before;	/* what QEMU does with the signal */
static u64 last;		/* that was read */

/* The instruction that follows reads this. */
static __thread struct {
	bool armed;
	u64 value;
} result;

/* On the Pentium that of pctr(4), of all programs; else a clock's. */
static u64
find_base(void)
{
	if (target.config->system != SYSTEM_OPENBSD)
		return MACHINE_UPTIME * target.config->clock_hz;
	return machine_cycles_read(&target.map);
}

void
ticks_start(void)
{
	u8 system = target.config->system;

	wanted = target.timing && (target.map.m->machine_clock ||
				   system == SYSTEM_OPENBSD ||
				   system == SYSTEM_TRU64);
	base = find_base();
}

/* Time never goes back. */
static u64
go_on(u64 now)
{
	if (now > last)
		last = now;
	return last;
}

u64
ticks_now(void)
{
	return go_on(base + core_cycle(&core));
}

bool
ticks_reads(const struct insn *in, const u8 data[INSN_BYTES])
{
	u32 word = data[0] | data[1] << 8 | data[2] << 16 |
		   (u32)data[3] << 24;

	if (!wanted || in->cls != CLASS_SYSREG)
		return false;
	switch (target.isa) {
	case ISA_X86_64:
	case ISA_I386:
		return (word & 0xffff) == RDTSC ||
		       (word & 0xffffff) == RDTSCP;
	case ISA_ALPHA:
		return word >> 26 == 0x18 && (word & 0xffff) == 0xc000;
	default:
		return false;
	}
}

static void
on_fault(int number, siginfo_t *info, void *context)
{
	greg_t *reg = ((ucontext_t *)context)->uc_mcontext.gregs;

	if (!result.armed || info->si_code != SI_KERNEL) {
		wait_not_ours(&before, number, info, context);
		return;
	}
	result.armed = false;
	prctl(PR_SET_TSC, PR_TSC_ENABLE, 0, 0, 0);
	reg[REG_RAX] = (greg_t)(result.value & UINT32_MAX);
	reg[REG_RDX] = (greg_t)(result.value >> 32);
	reg[REG_RIP] += 2;	/* behind rdtsc */
}

static void
give(u64 now)
{
	result.value = go_on(now);
	result.armed = !prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0);
}

/* Time goes on within a block as it is scheduled. */
static void
on_read(unsigned vcpu, void *cycles_back)
{
	(void)vcpu;
	give(base + core_cycle(&core) - (uintptr_t)cycles_back);
}

/* In a window, as it issues; while blocks are recorded nobody knows yet. */
static void
on_read_window(unsigned vcpu, void *insn)
{
	(void)vcpu;
	if (core.recording)
		give(base + core_cycle(&core));
	else
		give(base + window_issues(&core, (unsigned)(uintptr_t)insn));
}

/* Of its first n instructions, without the block's memory. */
static unsigned
cycles_of(const struct insn *insn, unsigned n)
{
	struct block *part = n ? process_block_room(block_bound(n)) : NULL;

	if (!part ||
	    block_build(part, target.config, insn, n, 0, process_alloc))
		return 0;
	process_take_back(part->detail, block_detail_bytes(part->detail));
	return part->cycles;
}

void
ticks_watch(struct qemu_plugin_insn *q, const struct block *b,
	    const struct insn *insn, unsigned i)
{
	unsigned is = core.window ? i : b->cycles - cycles_of(insn, i);

	wait_listen(SIGSEGV, on_fault, &before);
	qemu_plugin_register_vcpu_insn_exec_cb(
		q, core.window ? on_read_window : on_read, API_NO_REGS,
		(void *)(uintptr_t)is);
}
