/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * x87: opcodes D8 to DF.  The stack counts as one register.  Its values have
 * 80 bits, so products, quotients and roots cost what doubles do.
 */
#include "x86_table.h"

#define FOP(class, width, how, ...) OP(class, width, FP | (how), __VA_ARGS__)
#define FNOP FOP(NOP, NONE, 0, 0)
#define FREG(class) FOP(class, NONE, 0, RW(ST))

/* Arithmetic with an operand in memory. */
#define ARITH_MEM(width) { \
	FOP(FADD, width, 0, RW(ST), R(Ev)), \
	FOP(FMUL_D, width, 0, RW(ST), R(Ev)), \
	FOP(FCMP, width, 0, RW(ST), R(Ev)), \
	FOP(FCMP, width, 0, RW(ST), R(Ev)), \
	FOP(FADD, width, 0, RW(ST), R(Ev)), \
	FOP(FADD, width, 0, RW(ST), R(Ev)), \
	FOP(FDIV_X, width, 0, RW(ST), R(Ev)), \
	FOP(FDIV_X, width, 0, RW(ST), R(Ev)) }

#define FLOAD(class, width, how) FOP(class, width, how, RW(ST), R(Ev))
/* Stores: the stack moves when the value is popped. */
#define FSTORE(class, width) FOP(class, width, MOVE, W(Ev), R(ST))
#define FSTORE_POP(class, width) FOP(class, width, MOVE, W(Ev), RW(ST))
#define FENV_LOAD FOP(SYSREG, NONE, LOOSE, W(ST), R(Ev))
#define FENV_STORE FOP(SYSREG, NONE, LOOSE, W(Ev), RW(ST))

static const struct x86_op d8_mem[8] = ARITH_MEM(D);
static const struct x86_op da_mem[8] = ARITH_MEM(D);
static const struct x86_op dc_mem[8] = ARITH_MEM(Q);
static const struct x86_op de_mem[8] = ARITH_MEM(W);

static const struct x86_op d9_mem[8] = {
	[0] = FLOAD(FMOVE, D, MOVE),
	[2] = FSTORE(FMOVE, D),
	[3] = FSTORE_POP(FMOVE, D),
	[4] = FENV_LOAD,
	[5] = FLOAD(SYSREG, W, 0),
	[6] = FENV_STORE,
	[7] = FSTORE(SYSREG, W),
};

static const struct x86_op db_mem[8] = {
	[0] = FLOAD(FCVT, D, 0),
	[1] = FSTORE_POP(FCVT, D),
	[2] = FSTORE(FCVT, D),
	[3] = FSTORE_POP(FCVT, D),
	[5] = FLOAD(FMOVE, NONE, MOVE | LOOSE),
	[7] = FOP(FMOVE, NONE, MOVE | LOOSE, W(Ev), RW(ST)),
};

static const struct x86_op dd_mem[8] = {
	[0] = FLOAD(FMOVE, Q, MOVE),
	[1] = FSTORE_POP(FCVT, Q),
	[2] = FSTORE(FMOVE, Q),
	[3] = FSTORE_POP(FMOVE, Q),
	[4] = FENV_LOAD,
	[6] = FENV_STORE,
	[7] = FSTORE(SYSREG, W),
};

static const struct x86_op df_mem[8] = {
	[0] = FLOAD(FCVT, W, 0),
	[1] = FSTORE_POP(FCVT, W),
	[2] = FSTORE(FCVT, W),
	[3] = FSTORE_POP(FCVT, W),
	[4] = FLOAD(FCVT, NONE, LOOSE),
	[5] = FLOAD(FCVT, Q, 0),
	[6] = FOP(FCVT, NONE, MOVE | LOOSE, W(Ev), RW(ST)),
	[7] = FSTORE_POP(FCVT, Q),
};

static const struct x86_op d8_reg[8] = {
	FREG(FADD), FREG(FMUL_D), FREG(FCMP), FREG(FCMP),
	FREG(FADD), FREG(FADD), FREG(FDIV_X), FREG(FDIV_X),
};

static const struct x86_op d9_d0[8] = { [0] = FNOP };

static const struct x86_op d9_e0[8] = {
	[0] = FREG(FCPYS), [1] = FREG(FCPYS),
	[4] = FREG(FCMP), [5] = FREG(FCMP),
};

static const struct x86_op d9_f0[8] = {
	FREG(FSQRT_D), FREG(FSQRT_D), FREG(FSQRT_D), FREG(FSQRT_D),
	FREG(FSQRT_D), FREG(FDIV_D), FREG(FMOVE), FREG(FMOVE),
};

static const struct x86_op d9_f8[8] = {
	FREG(FDIV_D), FREG(FSQRT_D), FREG(FSQRT_X), FREG(FSQRT_D),
	FREG(FCVT), FREG(FSQRT_D), FREG(FSQRT_D), FREG(FSQRT_D),
};

static const struct x86_op d9_reg[8] = {
	FREG(FMOVE), FREG(FXCH), BY(RM, d9_d0), FREG(FMOVE),
	BY(RM, d9_e0), FREG(FMOVE), BY(RM, d9_f0), BY(RM, d9_f8),
};

#define FCMOV FOP(FCMOV, NONE, RF, RW(ST))

static const struct x86_op da_reg[8] = {
	FCMOV, FCMOV, FCMOV, FCMOV, [5] = FREG(FCMP),
};

static const struct x86_op db_e0[8] = {
	[0] = FNOP, [1] = FNOP, [4] = FNOP,
	[2] = FOP(SYSREG, NONE, 0, RW(ST)), [3] = FOP(SYSREG, NONE, 0, W(ST)),
};

static const struct x86_op db_reg[8] = {
	FCMOV, FCMOV, FCMOV, FCMOV, BY(RM, db_e0),
	FOP(FCMP, NONE, WF, R(ST)), FOP(FCMP, NONE, WF, R(ST)),
};

static const struct x86_op dd_reg[8] = {
	FREG(FMOVE), FREG(FMOVE), FREG(FMOVE), FREG(FMOVE),
	FREG(FCMP), FREG(FCMP),
};

static const struct x86_op df_e0[8] = {
	[0] = FOP(SYSREG, NONE, 0, W(Ab), R(ST)),
};

static const struct x86_op df_reg[8] = {
	[0] = FREG(FMOVE), [1] = FREG(FMOVE), [2] = FREG(FMOVE),
	[3] = FREG(FMOVE), [4] = BY(RM, df_e0),
	[5] = FOP(FCMP, NONE, WF, RW(ST)), [6] = FOP(FCMP, NONE, WF, RW(ST)),
};

const struct x86_op x86_fpu[16] = {
	BY(REG, d8_mem), BY(REG, d8_reg), BY(REG, d9_mem), BY(REG, d9_reg),
	BY(REG, da_mem), BY(REG, da_reg), BY(REG, db_mem), BY(REG, db_reg),
	BY(REG, dc_mem), BY(REG, d8_reg), BY(REG, dd_mem), BY(REG, dd_reg),
	BY(REG, de_mem), BY(REG, d8_reg), BY(REG, df_mem), BY(REG, df_reg),
};
