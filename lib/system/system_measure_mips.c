/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The program that measures, for MIPS: it forks, marks the start, and executes
 * the command in the child; the parent waits, marks the stop, and ends with
 * the command's status.  It is so short that it is assembled here, so that
 * no compiler for the board is needed.
 */
#include "system_internal.h"
#include "system_measure.h"

#include "program/system_marks.h"
#include "machine/types.h"

#include <elf.h>
#include <string.h>

enum reg { ZERO = 0, V0 = 2, A0 = 4, A1, A2, A3, T0 = 8, T1, S0 = 16, S1,
	   SP = 29 };

/* Linux's calls of MIPS o32. */
enum call { CALL_EXIT = 4001, CALL_FORK = 4002, CALL_EXECVE = 4011,
	    CALL_WAIT4 = 4114, CALL_CLOCK_GETTIME = 4263,
	    CALL_CLOCK_NANOSLEEP = 4265 };

#define IMMEDIATE(op, rt, rs, imm)                                    \
	((u32)(op) << 26 | (u32)(rs) << 21 | (u32)(rt) << 16 |        \
	 ((imm) & 0xffff))
#define ADDIU(rt, rs, imm) IMMEDIATE(0x09, rt, rs, imm)
#define ANDI(rt, rs, imm) IMMEDIATE(0x0c, rt, rs, imm)
#define LUI(rt, imm) IMMEDIATE(0x0f, rt, ZERO, imm)
#define LW(rt, imm, rs) IMMEDIATE(0x23, rt, rs, imm)
#define SW(rt, imm, rs) IMMEDIATE(0x2b, rt, rs, imm)
/* To so many instructions behind the delay slot. */
#define BEQ(rs, rt, n) IMMEDIATE(0x04, rt, rs, n)
#define BNE(rs, rt, n) IMMEDIATE(0x05, rt, rs, n)
#define SLL(rd, rt, sa) ((u32)(rt) << 16 | (u32)(rd) << 11 | (sa) << 6)
#define SRL(rd, rt, sa) (SLL(rd, rt, sa) | 0x02)
#define ADDU(rd, rs, rt)                                              \
	((u32)(rs) << 21 | (u32)(rt) << 16 | (u32)(rd) << 11 | 0x21)
#define MOVE(rd, rs) ADDU(rd, rs, ZERO)
#define NOP 0u
#define SYSCALL 0x0cu
#define LI(rt, value) ADDIU(rt, ZERO, value)

/*
 * On entry, the stack holds argc, argv and 0, the environment and 0.
 *
 * First it sleeps until an instant that has long been: QEMU restores a
 * snapshot without the timer of this CPU, and the kernel, which believes that
 * its next tick is on the way, only starts the timer for something that is
 * due before.
 *
 * Then it sleeps until a second has begun, when the kernel does what it does
 * now and then, and waits for a tick, so that both come at the same places of
 * a command in each run.
 */
static const u32 code[] = {
	MOVE(S0, SP),
	ADDIU(SP, SP, -64),
	SW(ZERO, 0, SP),
	SW(ZERO, 4, SP),
	LI(A0, CLOCK_MONOTONIC),
	LI(A1, TIMER_ABSTIME),
	MOVE(A2, SP),
	MOVE(A3, ZERO),
	LI(V0, CALL_CLOCK_NANOSLEEP),
	SYSCALL,
	LI(A0, CLOCK_MONOTONIC),
	MOVE(A1, SP),
	LI(V0, CALL_CLOCK_GETTIME),
	SYSCALL,
	LW(T0, 0, SP),
	ADDIU(T0, T0, 1),
	SW(T0, 0, SP),
	LUI(T0, LATER_NS >> 16),
	SW(T0, 4, SP),
	LI(A0, CLOCK_MONOTONIC),
	LI(A1, TIMER_ABSTIME),
	MOVE(A2, SP),
	MOVE(A3, ZERO),
	LI(V0, CALL_CLOCK_NANOSLEEP),
	SYSCALL,
	LI(A0, CLOCK_MONOTONIC_COARSE),
	MOVE(A1, SP),
	LI(V0, CALL_CLOCK_GETTIME),
	SYSCALL,
	LW(S1, 4, SP),
	LI(A0, CLOCK_MONOTONIC_COARSE),
	MOVE(A1, SP),
	LI(V0, CALL_CLOCK_GETTIME),
	SYSCALL,
	LW(T0, 4, SP),
	BEQ(T0, S1, -6),
	NOP,
	LI(V0, CALL_FORK),
	SYSCALL,
	BNE(A3, ZERO, 12),	/* it cannot fork */
	NOP,
	BNE(V0, ZERO, 13),	/* the parent */
	NOP,
	LW(A0, 8, S0),		/* child: execve(argv[1], argv + 2, env) */
	ADDIU(A1, S0, 12),
	LW(T0, 0, S0),
	SLL(T0, T0, 2),
	ADDU(T0, T0, S0),
	ADDIU(A2, T0, 8),
	SYSTEM_MARK_START,
	LI(V0, CALL_EXECVE),
	SYSCALL,
	LI(A0, 127),
	LI(V0, CALL_EXIT),
	SYSCALL,
	MOVE(A0, V0),		/* parent: wait4(child, sp, 0, 0) */
	MOVE(A1, SP),
	MOVE(A2, ZERO),
	MOVE(A3, ZERO),
	LI(V0, CALL_WAIT4),
	SYSCALL,
	SYSTEM_MARK_STOP,
	LW(T0, 0, SP),
	ANDI(T1, T0, 0x7f),
	BEQ(T1, ZERO, 2),
	SRL(A0, T0, 8),
	ADDIU(A0, T1, 128),	/* killed by a signal */
	LI(V0, CALL_EXIT),
	SYSCALL,
};

#define BASE 0x10000000u
#define FLAGS_O32 0x1000u	/* EF_MIPS_ABI: the 32-bit one */

struct image {
	Elf32_Ehdr header;
	Elf32_Phdr segment;
	u32 code[SIM_COUNT(code)];
};

_Static_assert(sizeof(struct image) <= SYSTEM_MEASURE_MAX, "it fits");

size_t
system_measure_mipsel(unsigned char program[SYSTEM_MEASURE_MAX])
{
	struct image image = {
		MEASURE_FILE(32, EM_MIPS,
			     EF_MIPS_NOREORDER | FLAGS_O32 | EF_MIPS_ARCH_32R2,
			     BASE, 0x10000),
	};

	memcpy(image.code, code, sizeof code);
	memcpy(program, &image, sizeof image);
	return sizeof image;
}
