/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The plugin cannot change registers.  But where QEMU executes such an
 * instruction, it executes the host's rdtsc, and the handler of a signal can
 * put the result where that would: QEMU's rdtsc is made an instruction that
 * faults.  (To ask the kernel to let rdtsc fail, PR_SET_TSC, does not do: on
 * some virtual machines that succeeds and changes nothing.)
 *
 * Where QEMU's rdtsc is, is found the first time: from the callback on the
 * thread goes step by step (the trap flag) until it is about to execute one.
 */
#include "ticks.h"
#include "target/cycles.h"

#include "pipeline/window.h"
#include "waits.h"

#include <sys/mman.h>
#include <ucontext.h>

#define RDTSC_BYTES 2		/* 0f 31 */
#define RDTSCP_BYTES 3		/* 0f 01 f9 */
#define HLT 0xf4		/* one byte: faults like the kernel's refusal */
#define TRAP_FLAG 0x100
#define MAX_STEPS 100000	/* a helper of QEMU's has some hundred */
#define PAGE_BYTES 4096u

static bool wanted;
static struct sigaction before, before_step; /* QEMU's, of the signals */

/* Instructions whose way through QEMU is not the same. */
enum reader { READER_TSC, READER_TSCP, READERS };

/* Where QEMU reads the host's counter for each; NULL: not known yet. */
static const u8 *site[READERS];

/* The instruction that follows reads this. */
static __thread struct {
	bool armed;
	bool stepping;
	enum reader reader;
	unsigned steps;
	u64 value;
} result;

void
ticks_start(void)
{
	u8 system = target.config->system;

	wanted = target.timing && (target.map.m->machine_clock ||
				   system == SYSTEM_OPENBSD ||
				   system == SYSTEM_TRU64);
	cycles_start();
}

u64
ticks_now(void)
{
	return cycles_read(core_cycle(&core));
}

/* Which of them x86's instruction is: its prefixes, of which any number is
 * good, change nothing. */
static int
reader_of(const struct insn *in, const u8 data[INSN_BYTES])
{
	const u8 *end = data + in->size;

	if (in->size >= RDTSC_BYTES && end[-2] == 0x0f && end[-1] == 0x31)
		return READER_TSC;
	if (in->size >= RDTSCP_BYTES && end[-3] == 0x0f && end[-2] == 0x01 &&
	    end[-1] == 0xf9)
		return READER_TSCP;
	return -1;
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
		return reader_of(in, data) >= 0;
	case ISA_ALPHA:
		return word >> 26 == 0x18 && (word & 0xffff) == 0xc000;
	default:
		return false;
	}
}

static bool
is_site(const u8 *at)
{
	return at == site[READER_TSC] || at == site[READER_TSCP];
}

/* What rdtsc would do; not armed: for an instruction of which no program is to
 * know, QEMU's own. */
static void
read_instead(greg_t *reg)
{
	u64 value = result.armed ? result.value : __builtin_ia32_rdtsc();

	result.armed = false;
	reg[REG_RAX] = (greg_t)(value & UINT32_MAX);
	reg[REG_RDX] = (greg_t)(value >> 32);
	reg[REG_RIP] += 2;	/* behind rdtsc */
}

static void
on_fault(int number, siginfo_t *info, void *context)
{
	greg_t *reg = ((ucontext_t *)context)->uc_mcontext.gregs;

	if (info->si_code != SI_KERNEL || !is_site((u8 *)reg[REG_RIP]))
		wait_not_ours(&before, number, info, context);
	else
		read_instead(reg);
}

/* One byte, so that no thread sees half of it. */
static void
make_fault(const u8 *at, enum reader reader)
{
	void *page = (void *)((uintptr_t)at & ~(uintptr_t)(PAGE_BYTES - 1));

	if (!is_site(at)) {
		if (mprotect(page, PAGE_BYTES,
			     PROT_READ | PROT_WRITE | PROT_EXEC))
			return;
		__atomic_store_n((u8 *)at, HLT, __ATOMIC_SEQ_CST);
		mprotect(page, PAGE_BYTES, PROT_READ | PROT_EXEC);
	}
	site[reader] = at;
}

/* About to execute the instruction at that address. */
static void
on_step(int number, siginfo_t *info, void *context)
{
	greg_t *reg = ((ucontext_t *)context)->uc_mcontext.gregs;
	const u8 *at = (const u8 *)reg[REG_RIP];

	if (!result.stepping || info->si_code != TRAP_TRACE) {
		wait_not_ours(&before_step, number, info, context);
		return;
	}
	if (is_site(at) || (at[0] == 0x0f && at[1] == 0x31)) {
		make_fault(at, result.reader);
		read_instead(reg);
	} else if (++result.steps < MAX_STEPS) {
		return;
	} else {
		machine_doubt(target.map.m, DOUBT_TICKS_MISSED);
		result.armed = false;
	}
	result.stepping = false;
	reg[REG_EFL] &= ~(greg_t)TRAP_FLAG;
}

/* From here on the thread goes step by step. */
static void
step(enum reader reader)
{
	wait_listen(SIGTRAP, on_step, &before_step);
	result.reader = reader;
	result.steps = 0;
	result.stepping = true;
	/* Behind the red zone. */
	__asm__ volatile("lea -128(%%rsp), %%rsp; pushfq; orl %0, (%%rsp);"
			 "popfq; lea 128(%%rsp), %%rsp" :
			 : "i"(TRAP_FLAG) : "memory", "cc");
}

static void
give(u64 cycle, enum reader reader)
{
	result.value = cycles_read(cycle);
	result.armed = true;
	if (!site[reader])
		step(reader);
}

/* What a callback is given: how far from the end of its block, or which of its
 * instructions; and which instruction it is. */
#define READER_OF(data) ((enum reader)((uintptr_t)(data) & 1))
#define PLACE_OF(data) ((uintptr_t)(data) >> 1)

/* Time goes on within a block as it is scheduled. */
static void
on_read(unsigned vcpu, void *data)
{
	(void)vcpu;
	give(core_cycle(&core) - PLACE_OF(data), READER_OF(data));
}

/* In a window, as it issues; while blocks are recorded that is not known. */
static void
on_read_window(unsigned vcpu, void *data)
{
	(void)vcpu;
	if (core.recording)
		give(core_cycle(&core), READER_OF(data));
	else
		give(window_issues(&core, (unsigned)PLACE_OF(data)),
		     READER_OF(data));
}

void
ticks_watch(struct qemu_plugin_insn *q, const struct block *b,
	    const struct insn *insn, unsigned i, const u8 data[INSN_BYTES])
{
	uintptr_t place = core.window ? i : b->cycles - cycles_before(insn, i);
	enum reader reader = target.isa == ISA_ALPHA
				     ? READER_TSC
				     : (enum reader)reader_of(&insn[i], data);

	wait_listen(SIGSEGV, on_fault, &before);
	qemu_plugin_register_vcpu_insn_exec_cb(
		q, core.window ? on_read_window : on_read, API_NO_REGS,
		(void *)(place << 1 | reader));
}
