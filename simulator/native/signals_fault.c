/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Faults: of the target's code, which is told with the registers that it has, or
 * of its stores to pages whose code has been read. */
#include "signals_internal.h"

#include "guard.h"
#include "periods.h"

#include <linux/audit.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The processor's traps. */
enum { TRAP_BREAKPOINT = 3, TRAP_OPCODE = 6, TRAP_GENERAL = 13, TRAP_PAGE = 14 };

#define FETCH 0x14		/* TRAP_PAGE: the user's, of an instruction */
#define FROM_PAGE 1		/* ... that is there */
#define CALL_IS_FILTERED 1	/* of SIGSYS: asm-generic/siginfo.h has SYS_SECCOMP */
#define ADDRESS_BITS 47		/* that memory of programs has */

bool
signals_is_fault(const siginfo_t *info)
{
	switch (info->si_signo) {
	case SIGSEGV:
	case SIGBUS:
	case SIGFPE:
	case SIGILL:
	case SIGTRAP:
		return info->si_code > 0;
	default:
		return false;
	}
}

/* The order of registers in a context, by their numbers. */
const u8 signals_place[HOST_REGS] = {
	REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI,
	REG_RDI, REG_R8, REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14,
	REG_R15};

/* The instruction of the target's that the fault is told for; 0: none.  A
 * breakpoint is told behind it. */
static u64
faulting(const greg_t *g)
{
	const u8 *at = (const u8 *)(uintptr_t)g[REG_RIP];
	u64 pc;

	if (g[REG_TRAPNO] != TRAP_BREAKPOINT)
		return code_origin(at);
	pc = code_origin(at - 1);
	return pc ? pc + host_at(pc)->size : 0;
}

/* Goes back to the engine, as an exit would, before the instruction at pc. */
static void
leave(greg_t *g, u64 pc)
{
	const u8 *at = (const u8 *)(uintptr_t)g[REG_RIP];
	u64 in = code_origin(at);

	for (unsigned r = 0; r < HOST_REGS; r++)
		host_state.reg[r] = (u64)g[signals_place[r]];
	if (in)
		copy_take_back(host_at(in), at, host_state.reg);
	host_state.flags = (u64)g[REG_EFL] & ~0x10000ull;
	host_state.target = pc;
	host_state.exit = CODE_FAULT;
	blocks_left(code_block_with(at));
	g[REG_RIP] = (greg_t)(uintptr_t)host_left;
}

bool
signals_take_fault(const siginfo_t *info, ucontext_t *uc)
{
	struct signals *now = signals_now;
	greg_t *g = uc->uc_mcontext.gregs;
	u64 pc = faulting(g);
	/* SIGILL and SIGFPE tell where the instruction is, not what it accesses. */
	bool tells_place = info->si_addr == (void *)(uintptr_t)g[REG_RIP];

	if (!pc || !host_state.inside)
		return false;
	leave(g, pc);
	now->fault.info = *info;
	if (tells_place)
		now->fault.info.si_addr = (void *)(uintptr_t)pc;
	now->fault.tells[0] = (u64)g[REG_TRAPNO];
	now->fault.tells[1] = (u64)g[REG_ERR];
	now->fault.tells[2] = (u64)g[REG_CR2];
	now->fault.is = true;
	return true;
}

void
signals_take_store(u64 at, greg_t *g)
{
	const u8 *from = (const u8 *)(uintptr_t)g[REG_RIP];
	u64 pc;

	if (!host_state.inside || !code_holds(from)) {
		blocks_forget();
		code_unlink();
		return;
	}
	pc = code_origin(from);
	if (blocks_written(at & ~(NATIVE_PAGE - 1), from))
		leave(g, pc);
}

/* Whether the instruction at pc, if it is one, needs more bytes than there are up to
 * that address. */
static bool
reaches(u64 pc, u64 end)
{
	u8 data[HOST_MAX_BYTES] = {0};
	struct host_insn insn;

	return end - pc < HOST_MAX_BYTES && !guest_read(data, pc, end - pc) &&
	       host_decode(&insn, pc, data, sizeof data) &&
	       insn.size > end - pc;
}

/* Code of that page may not be executed, or is none. */
static struct fault
fault_of_page(u64 at)
{
	bool mapped = guard_mapped_up_to(at) > at;
	u8 byte;

	return (struct fault){
		.info = {.si_signo = SIGSEGV,
			 .si_code = mapped ? SEGV_ACCERR : SEGV_MAPERR,
			 .si_addr = (void *)(uintptr_t)at},
		.tells = {TRAP_PAGE,
			  FETCH | (guest_read(&byte, at, 1) ? 0 : FROM_PAGE),
			  at}};
}

/* Where no instruction is that may be executed: not even an address, no page, or none
 * that is known. */
static struct fault
fault_of_code(u64 pc)
{
	u64 end = (pc | (NATIVE_PAGE - 1)) + 1;

	if ((pc + (1ull << ADDRESS_BITS)) >> (ADDRESS_BITS + 1))
		return (struct fault){
			.info = {.si_signo = SIGSEGV, .si_code = SI_KERNEL},
			.tells = {TRAP_GENERAL}};
	if (!guard_executes(pc))
		return fault_of_page(pc);
	if (reaches(pc, end) && !guard_executes(end))
		return fault_of_page(end);
	return (struct fault){
		.info = {.si_signo = SIGILL, .si_code = ILL_ILLOPN,
			 .si_addr = (void *)(uintptr_t)pc},
		.tells = {TRAP_OPCODE}};
}

void
signals_die(int sig)
{
	u64 one = 1ull << (sig - 1);

	periods_end();
	signals_die_of(sig);
	host_kernel(SYS_tgkill, (u64)getpid(), (u64)gettid(), (u64)sig, 0);
	host_kernel(SYS_rt_sigprocmask, SIG_UNBLOCK, (u64)(uintptr_t)&one, 0,
		    MASK_BYTES);
	/* Not all signals end a process. */
	periods_begin();
}

static bool
is_blocked(int sig)
{
	u64 blocked = 0;

	host_kernel(SYS_rt_sigprocmask, SIG_BLOCK, 0, (u64)(uintptr_t)&blocked,
		    MASK_BYTES);
	return blocked >> (sig - 1) & 1;
}

/* The calling thread gets that; where the target has no handler, or does not let it
 * come, it ends the process. */
static void
force(const struct fault *fault)
{
	int sig = fault->info.si_signo;

	if (is_blocked(sig) ||
	    signals_of[sig].handler <= (u64)(uintptr_t)SIG_IGN)
		signals_die(sig);
	signals_now->fault = *fault;
	signals_now->fault.is = true;
}

void
signals_no_code(u64 pc)
{
	struct fault fault = fault_of_code(pc);

	force(&fault);
}

void
signals_trap_call(u64 number, u16 data, u64 pc)
{
	struct fault fault = {
		.info = {.si_signo = SIGSYS, .si_errno = data,
			 .si_code = CALL_IS_FILTERED}};

	fault.info.si_call_addr = (void *)(uintptr_t)pc;
	fault.info.si_syscall = (int)number;
	fault.info.si_arch = AUDIT_ARCH_X86_64;
	force(&fault);
}
