/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opcodes of one byte. */
#include "x86_table.h"

#define NO_64 { .row = ROW_UNKNOWN }
#define ONLY_32(name, row) static const struct x86_op name[2] = { NO_64, row }

/* The eight arithmetic operations, at o: E,G  G,E  rax,immediate. */
#define ARITH(o, access, how) \
	[(o) + 0] = OP(ALU, B, how, access(Eb), R(Gb)), \
	[(o) + 1] = OP(ALU, V, how, access(Ev), R(Gv)), \
	[(o) + 2] = OP(ALU, B, how, access(Gb), R(Eb)), \
	[(o) + 3] = OP(ALU, V, how, access(Gv), R(Ev)), \
	[(o) + 4] = OP(ALU, NONE, how, access(Ab)), \
	[(o) + 5] = OP(ALU, NONE, how, access(Av))

/* Immediate group 1. */
#define GROUP_1(opnd, width) { \
	OP(ALU, width, WF, RW(opnd)), OP(ALU, width, WF, RW(opnd)), \
	OP(ALU, width, RF | WF, RW(opnd)), OP(ALU, width, RF | WF, RW(opnd)), \
	OP(ALU, width, WF, RW(opnd)), OP(ALU, width, WF, RW(opnd)), \
	OP(ALU, width, WF, RW(opnd)), OP(ALU, width, WF, R(opnd)) }

static const struct x86_op group_1b[8] = GROUP_1(Eb, B);
static const struct x86_op group_1v[8] = GROUP_1(Ev, V);
ONLY_32(byte_alias, BY(REG, group_1b));

/* Shifts and rotates by an immediate, or by cl. */
#define GROUP_2(opnd, width, ...) { \
	OP(SHIFT, width, WF, RW(opnd), __VA_ARGS__), \
	OP(SHIFT, width, WF, RW(opnd), __VA_ARGS__), \
	OP(SHIFT, width, RF | WF, RW(opnd), __VA_ARGS__), \
	OP(SHIFT, width, RF | WF, RW(opnd), __VA_ARGS__), \
	OP(SHIFT, width, WF, RW(opnd), __VA_ARGS__), \
	OP(SHIFT, width, WF, RW(opnd), __VA_ARGS__), \
	OP(SHIFT, width, WF, RW(opnd), __VA_ARGS__), \
	OP(SHIFT, width, WF, RW(opnd), __VA_ARGS__) }

static const struct x86_op shift_b[8] = GROUP_2(Eb, B, OPND_NONE);
static const struct x86_op shift_v[8] = GROUP_2(Ev, V, OPND_NONE);
static const struct x86_op shift_b_cl[8] = GROUP_2(Eb, B, R(C));
static const struct x86_op shift_v_cl[8] = GROUP_2(Ev, V, R(C));

static const struct x86_op group_3b[8] = {
	OP(ALU, B, WF, R(Eb)), OP(ALU, B, WF, R(Eb)),
	OP(ALU, B, 0, RW(Eb)), OP(ALU, B, WF, RW(Eb)),
	OP(MUL, B, WF, RW(A), R(Eb)), OP(MUL, B, WF, RW(A), R(Eb)),
	OP(DIV, B, WF, RW(A), R(Eb)), OP(DIV, B, WF, RW(A), R(Eb)),
};

static const struct x86_op group_3v[8] = {
	OP(ALU, V, WF, R(Ev)), OP(ALU, V, WF, R(Ev)),
	OP(ALU, V, 0, RW(Ev)), OP(ALU, V, WF, RW(Ev)),
	OP(MUL, V, WF | WIDE, RW(Av), W(Dv), R(Ev)),
	OP(MUL, V, WF | WIDE, RW(Av), W(Dv), R(Ev)),
	OP(DIV, V, WF | WIDE, RW(A), RW(D), R(Ev)),
	OP(DIV, V, WF | WIDE, RW(A), RW(D), R(Ev)),
};

static const struct x86_op group_4[8] = {
	OP(ALU, B, WF, RW(Eb)), OP(ALU, B, WF, RW(Eb)),
};

static const struct x86_op group_5[8] = {
	OP(ALU, V, WF, RW(Ev)), OP(ALU, V, WF, RW(Ev)),
	BR(IND_CALL, S, PUSH, R(Ev)), BR(IND_CALL, NONE, PUSH | LOOSE, R(Ev)),
	BR(IND_JUMP, S, 0, R(Ev)), BR(IND_JUMP, NONE, LOOSE, R(Ev)),
	OP(ALU, S, PUSH, R(Ev)),
};

static const struct x86_op pop_ev[8] = { OP(ALU, S, POP, W(Ev)) };
static const struct x86_op mov_ib[8] = { OP(ALU, B, 0, W(Eb)) };
static const struct x86_op mov_iz[8] = { OP(ALU, V, 0, W(Ev)) };

static const struct x86_op movsxd[2] = {
	OP(ALU, D, MOVE, W(Gv), R(Ev)), OP(ALU, W, WF, RW(Ev), R(Gv)),
};

ONLY_32(push_sreg, OP(ALU, S, PUSH, 0));
ONLY_32(pop_sreg, OP(SYSREG, NONE, POP | LOOSE, 0));
ONLY_32(adjust_al, OP(ALU, NONE, RF | WF, RW(Ab)));
ONLY_32(adjust_ax, OP(ALU, NONE, RF | WF, RW(A)));
ONLY_32(inc_dec, OP(ALU, NONE, WF, RW(Zv)));
ONLY_32(pusha, OP(ALU, NONE, PUSH | LOOSE, R(A), R(C), R(D), R(B)));
ONLY_32(popa, OP(ALU, NONE, POP | LOOSE, W(A), W(C), W(D), W(B)));
ONLY_32(bound, OP(ALU, NONE, LOOSE, R(Gv), R(Ev)));
ONLY_32(call_far, BR(IND_CALL, NONE, PUSH | LOOSE, 0));
ONLY_32(jump_far, BR(IND_JUMP, NONE, LOOSE, 0));
ONLY_32(load_far, OP(SYSREG, NONE, LOOSE, W(Gv), R(Ev)));
ONLY_32(into, OP(SYSCALL, NONE, RF, 0));
ONLY_32(aam, OP(DIV, NONE, WF, RW(A)));
ONLY_32(aad, OP(MUL, NONE, WF, RW(A)));
ONLY_32(salc, OP(ALU, NONE, RF, W(Ab)));

#define SYS(...) OP(SYSREG, NONE, LOOSE, __VA_ARGS__)

const struct x86_op x86_one[256] = {
	ARITH(0x00, RW, WF),
	[0x06] = BY(MODE, push_sreg), [0x07] = BY(MODE, pop_sreg),
	ARITH(0x08, RW, WF),
	[0x0e] = BY(MODE, push_sreg),
	ARITH(0x10, RW, RF | WF),
	[0x16] = BY(MODE, push_sreg), [0x17] = BY(MODE, pop_sreg),
	ARITH(0x18, RW, RF | WF),
	[0x1e] = BY(MODE, push_sreg), [0x1f] = BY(MODE, pop_sreg),
	ARITH(0x20, RW, WF),
	[0x27] = BY(MODE, adjust_al),
	ARITH(0x28, RW, WF),
	[0x2f] = BY(MODE, adjust_al),
	ARITH(0x30, RW, WF),
	[0x37] = BY(MODE, adjust_ax),
	ARITH(0x38, R, WF),
	[0x3f] = BY(MODE, adjust_ax),
	[0x40 ... 0x4f] = BY(MODE, inc_dec),
	[0x50 ... 0x57] = OP(ALU, S, PUSH | MOVE, R(Zv)),
	[0x58 ... 0x5f] = OP(ALU, S, POP | MOVE, W(Zv)),
	[0x60] = BY(MODE, pusha), [0x61] = BY(MODE, popa),
	[0x62] = BY(MODE, bound), [0x63] = BY(MODE, movsxd),
	[0x68] = OP(ALU, S, PUSH, 0),
	[0x69] = OP(MUL, V, WF | WIDE, W(Gv), R(Ev)),
	[0x6a] = OP(ALU, S, PUSH, 0),
	[0x6b] = OP(MUL, V, WF | WIDE, W(Gv), R(Ev)),
	[0x6c ... 0x6d] = OP(SYSREG, NONE, STDI | LOOSE, R(D)),
	[0x6e ... 0x6f] = OP(SYSREG, NONE, LDSI | LOOSE, R(D)),
	[0x70 ... 0x7f] = BR(DIRECT_COND, NONE, RF, 0),
	[0x80] = BY(REG, group_1b), [0x81] = BY(REG, group_1v),
	[0x82] = BY(MODE, byte_alias), [0x83] = BY(REG, group_1v),
	[0x84] = OP(ALU, B, WF, R(Eb), R(Gb)),
	[0x85] = OP(ALU, V, WF, R(Ev), R(Gv)),
	[0x86] = OP(ALU, B, MOVE | EXCH, RW(Eb), RW(Gb)),
	[0x87] = OP(ALU, V, MOVE | EXCH, RW(Ev), RW(Gv)),
	[0x88] = OP(ALU, B, MOVE, W(Eb), R(Gb)),
	[0x89] = OP(ALU, V, MOVE, W(Ev), R(Gv)),
	[0x8a] = OP(ALU, B, MOVE, W(Gb), R(Eb)),
	[0x8b] = OP(ALU, V, MOVE, W(Gv), R(Ev)),
	[0x8c] = OP(ALU, W, 0, W(Ev)),
	[0x8d] = OP(LEA, NONE, LEA, W(Gv), R(Ev)),
	[0x8e] = SYS(R(Ev)),
	[0x8f] = BY(REG, pop_ev),
	[0x90 ... 0x97] = OP(ALU, NONE, 0, RW(Zv), RW(Av)),
	[0x98] = OP(ALU, NONE, 0, RW(Av)),
	[0x99] = OP(ALU, NONE, 0, W(Dv), R(Av)),
	[0x9a] = BY(MODE, call_far),
	[0x9b] = OP(NOP, NONE, FP, 0),
	[0x9c] = OP(ALU, S, PUSH | RF, 0),
	[0x9d] = OP(ALU, S, POP | WF, 0),
	[0x9e] = OP(ALU, NONE, WF, R(A)),
	[0x9f] = OP(ALU, NONE, RF, W(Ab)),
	[0xa0] = OP(ALU, B, MOVE, W(Ab), R(O)),
	[0xa1] = OP(ALU, V, MOVE, W(Av), R(O)),
	[0xa2] = OP(ALU, B, MOVE, W(O), R(Ab)),
	[0xa3] = OP(ALU, V, MOVE, W(O), R(Av)),
	[0xa4] = OP(STRING, B, LDSI | STDI, 0),
	[0xa5] = OP(STRING, V, LDSI | STDI, 0),
	[0xa6] = OP(STRING, B, LDSI | LDDI | WF, 0),
	[0xa7] = OP(STRING, V, LDSI | LDDI | WF, 0),
	[0xa8] = OP(ALU, NONE, WF, R(Ab)), [0xa9] = OP(ALU, NONE, WF, R(Av)),
	[0xaa] = OP(STRING, B, STDI | MOVE, R(Ab)),
	[0xab] = OP(STRING, V, STDI | MOVE, R(Av)),
	[0xac] = OP(STRING, B, LDSI | MOVE, W(Ab)),
	[0xad] = OP(STRING, V, LDSI | MOVE, W(Av)),
	[0xae] = OP(STRING, B, LDDI | WF, R(Ab)),
	[0xaf] = OP(STRING, V, LDDI | WF, R(Av)),
	[0xb0 ... 0xb7] = OP(ALU, NONE, 0, W(Zb)),
	[0xb8 ... 0xbf] = OP(ALU, NONE, 0, W(Zv)),
	[0xc0] = BY(REG, shift_b), [0xc1] = BY(REG, shift_v),
	[0xc2 ... 0xc3] = BR(RETURN, S, POP, 0),
	[0xc4 ... 0xc5] = BY(MODE, load_far),
	[0xc6] = BY(REG, mov_ib), [0xc7] = BY(REG, mov_iz),
	[0xc8] = OP(ALU, NONE, SPECIAL | LOOSE, 0),
	[0xc9] = OP(ALU, S, SPECIAL, 0),
	[0xca ... 0xcb] = BR(RETURN, NONE, POP | LOOSE, 0),
	[0xcc] = OP(SYSCALL, NONE, LOOSE, 0),
	[0xcd] = OP(SYSCALL, NONE, LOOSE, RW(A), R(B), R(C), R(D)),
	[0xce] = BY(MODE, into),
	[0xcf] = { .row = ROW_OP, .cls = CLASS_SYSREG, .branch = BRANCH_RETURN,
		   .flags = POP | WF | LOOSE },
	[0xd0] = BY(REG, shift_b), [0xd1] = BY(REG, shift_v),
	[0xd2] = BY(REG, shift_b_cl), [0xd3] = BY(REG, shift_v_cl),
	[0xd4] = BY(MODE, aam), [0xd5] = BY(MODE, aad), [0xd6] = BY(MODE, salc),
	[0xd7] = OP(ALU, B, SPECIAL | MOVE, W(Ab)),
	[0xd8] = BY(MOD, x86_fpu + 0), [0xd9] = BY(MOD, x86_fpu + 2),
	[0xda] = BY(MOD, x86_fpu + 4), [0xdb] = BY(MOD, x86_fpu + 6),
	[0xdc] = BY(MOD, x86_fpu + 8), [0xdd] = BY(MOD, x86_fpu + 10),
	[0xde] = BY(MOD, x86_fpu + 12), [0xdf] = BY(MOD, x86_fpu + 14),
	[0xe0 ... 0xe1] = BR(DIRECT_COND, NONE, RF, RW(C)),
	[0xe2] = BR(DIRECT_COND, NONE, 0, RW(C)),
	[0xe3] = BR(DIRECT_COND, NONE, 0, R(C)),
	[0xe4 ... 0xe5] = SYS(W(Av)), [0xe6 ... 0xe7] = SYS(R(A)),
	[0xe8] = BR(CALL, S, PUSH, 0),
	[0xe9] = BR(JUMP, NONE, 0, 0),
	[0xea] = BY(MODE, jump_far),
	[0xeb] = BR(JUMP, NONE, 0, 0),
	[0xec ... 0xed] = SYS(W(Av), R(D)), [0xee ... 0xef] = SYS(R(A), R(D)),
	[0xf1] = OP(SYSCALL, NONE, LOOSE, 0),
	[0xf4] = SYS(0),
	[0xf5] = OP(ALU, NONE, RF | WF, 0),
	[0xf6] = BY(REG, group_3b), [0xf7] = BY(REG, group_3v),
	[0xf8 ... 0xf9] = OP(ALU, NONE, WF, 0),
	[0xfa ... 0xfb] = SYS(0),
	[0xfc ... 0xfd] = OP(ALU, NONE, WF, 0),
	[0xfe] = BY(REG, group_4), [0xff] = BY(REG, group_5),
};
