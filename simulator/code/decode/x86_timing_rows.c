/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows of x86_timing.c.  Pipes: the Pentium's optimisation rules.  Cycles
 * and micro-operations: as generally known of these processors; the longer
 * the microcode, the less sure.
 */
#include "x86_timing.h"

#define UV {.pair = PAIR_UV}
#define PU {.pair = PAIR_U}
#define PV {.pair = PAIR_V}
#define FX {.pair = PAIR_FP}
/* Cycles with a register and with memory, micro-operations likewise. */
#define NP(c, cm, u, um) \
	{.cycles = (c), .memory = (cm), .uops = (u), .memory_uops = (um)}
#define UOPS(p, u, um) {.pair = (p), .uops = (u), .memory_uops = (um)}
#define GROUP(rows) {.group = (rows)}
#define SEGMENT(c, u) \
	{.cycles = (c), .uops = (u), .flags = TIME_SEGMENT}
#define SERIAL(c, u) \
	{.cycles = (c), .uops = (u), .flags = TIME_SERIAL}
#define STRING(c, step, u) {.cycles = (c), .other = (step), .uops = (u)}

/* Operation o: E,G  G,E  rax,immediate. */
#define ARITH(o) [(o) ... (o) + 5] = UV
/* adc, sbb. */
#define CARRY(o) \
	[(o) ... (o) + 1] = UOPS(PAIR_U, 2, 6), \
	[(o) + 2 ... (o) + 3] = UOPS(PAIR_U, 2, 3), \
	[(o) + 4 ... (o) + 5] = UOPS(PAIR_U, 2, 2)

static const struct x86_time immediate[8] = {
	UV, UV, UOPS(PAIR_U, 2, 6), UOPS(PAIR_U, 2, 6), UV, UV, UV, UV,
};
static const struct x86_time move[8] = { UV };
static const struct x86_time inc_dec[8] = { UV, UV };
static const struct x86_time shift_imm[8] = {
	{.cycles = 0}, {.cycles = 0}, NP(8, 10, 9, 12), NP(8, 10, 9, 12),
	PU, PU, PU, PU,
};
static const struct x86_time shift_one[8] = {
	PU, PU, UOPS(PAIR_U, 2, 5), UOPS(PAIR_U, 2, 5), PU, PU, PU, PU,
};
static const struct x86_time shift_cl[8] = {
	NP(4, 5, 0, 0), NP(4, 5, 0, 0), NP(7, 9, 9, 12), NP(7, 9, 9, 12),
	NP(4, 5, 0, 0), NP(4, 5, 0, 0), NP(4, 5, 0, 0), NP(4, 5, 0, 0),
};
static const struct x86_time unary_b[8] = {
	[4] = NP(11, 11, 2, 3), [5] = NP(11, 11, 2, 3),
	[6] = NP(17, 17, 3, 4), [7] = NP(22, 22, 3, 4),
};
static const struct x86_time unary_v[8] = {
	[4] = {.uops = 3, .memory_uops = 4},
	[5] = {.uops = 3, .memory_uops = 4},
	[6] = {.cycles = 41, .other = 25, .uops = 4, .memory_uops = 5},
	[7] = {.cycles = 46, .other = 30, .uops = 4, .memory_uops = 5},
};
static const struct x86_time group_5[8] = {
	UV, UV, NP(2, 2, 5, 6), NP(4, 4, 28, 28), NP(2, 2, 1, 2),
	NP(4, 4, 21, 21), NP(2, 2, 4, 4),
};

const struct x86_time x86_time_one[256] = {
	ARITH(0x00), [0x06] = NP(1, 1, 3, 3), [0x07] = SEGMENT(3, 8),
	ARITH(0x08), [0x0e] = NP(1, 1, 3, 3),
	CARRY(0x10), [0x16] = NP(1, 1, 3, 3), [0x17] = SEGMENT(3, 8),
	CARRY(0x18), [0x1e] = NP(1, 1, 3, 3), [0x1f] = SEGMENT(3, 8),
	ARITH(0x20), [0x27] = NP(3, 3, 1, 1),
	ARITH(0x28), [0x2f] = NP(3, 3, 1, 1),
	ARITH(0x30), [0x37] = NP(3, 3, 1, 1),
	ARITH(0x38), [0x3f] = NP(3, 3, 1, 1),
	[0x40 ... 0x4f] = UV,
	[0x50 ... 0x57] = UOPS(PAIR_UV, 3, 3),
	[0x58 ... 0x5f] = UOPS(PAIR_UV, 2, 2),
	[0x60] = NP(5, 5, 18, 18), [0x61] = NP(5, 5, 10, 10),
	[0x62] = NP(8, 8, 6, 6),
	[0x68] = UOPS(PAIR_UV, 3, 3), [0x6a] = UOPS(PAIR_UV, 3, 3),
	[0x6c ... 0x6f] = STRING(13, 5, 10),
	[0x70 ... 0x7f] = PV,
	[0x80 ... 0x83] = GROUP(immediate),
	[0x84 ... 0x85] = UV,
	[0x86 ... 0x87] = NP(3, 9, 3, 8),
	[0x88 ... 0x8b] = UV, [0x8d] = UV,
	[0x8e] = SEGMENT(3, 8), [0x8f] = NP(3, 3, 5, 5),
	[0x90] = UV, [0x91 ... 0x97] = NP(2, 2, 3, 3),
	[0x98] = NP(3, 3, 1, 1), [0x99] = NP(2, 2, 1, 1),
	[0x9a] = NP(4, 4, 28, 28),
	[0x9c] = NP(4, 4, 16, 16), [0x9d] = NP(6, 6, 17, 17),
	[0x9e] = NP(2, 2, 1, 1), [0x9f] = NP(2, 2, 1, 1),
	[0xa0 ... 0xa3] = UV,
	[0xa4 ... 0xa5] = STRING(4, 1, 5), [0xa6 ... 0xa7] = STRING(5, 4, 5),
	[0xa8 ... 0xa9] = UV,
	[0xaa ... 0xab] = STRING(3, 1, 3), [0xac ... 0xad] = STRING(2, 3, 2),
	[0xae ... 0xaf] = STRING(4, 4, 3),
	[0xb0 ... 0xbf] = UV,
	[0xc0 ... 0xc1] = GROUP(shift_imm),
	[0xc2] = NP(3, 3, 5, 5), [0xc3] = NP(2, 2, 4, 4),
	[0xc4 ... 0xc5] = SEGMENT(4, 11),
	[0xc6 ... 0xc7] = GROUP(move),
	[0xc8] = NP(15, 15, 15, 15), [0xc9] = NP(3, 3, 3, 3),
	[0xca ... 0xcb] = NP(4, 4, 23, 23),
	[0xcc] = NP(13, 13, 20, 20), [0xcd] = NP(16, 16, 20, 20),
	[0xce] = NP(4, 4, 5, 5), [0xcf] = SERIAL(8, 50),
	[0xd0 ... 0xd1] = GROUP(shift_one), [0xd2 ... 0xd3] = GROUP(shift_cl),
	[0xd4] = NP(18, 18, 4, 4), [0xd5] = NP(10, 10, 3, 3),
	[0xd7] = NP(4, 4, 2, 2),
	[0xe0 ... 0xe1] = NP(8, 8, 11, 11), [0xe2] = NP(5, 5, 11, 11),
	[0xe3] = NP(5, 5, 2, 2),
	[0xe4 ... 0xe7] = NP(12, 12, 14, 14),
	[0xe8] = UOPS(PAIR_V, 4, 4), [0xe9] = PV,
	[0xea] = NP(3, 3, 21, 21), [0xeb] = PV,
	[0xec ... 0xef] = NP(12, 12, 14, 14),
	[0xf5] = NP(2, 2, 1, 1),
	[0xf6] = GROUP(unary_b), [0xf7] = GROUP(unary_v),
	[0xf8 ... 0xf9] = NP(2, 2, 1, 1), [0xfa ... 0xfb] = NP(7, 7, 9, 9),
	[0xfc ... 0xfd] = NP(2, 2, 4, 4),
	[0xfe] = GROUP(inc_dec), [0xff] = GROUP(group_5),
};

const struct x86_time x86_time_two[256] = {
	[0x30] = SERIAL(30, 50), [0x31] = NP(6, 6, 31, 31),
	[0x32 ... 0x33] = NP(20, 20, 30, 30),
	[0x40 ... 0x4f] = NP(0, 0, 2, 3),
	[0x77] = NP(0, 0, 11, 11),
	[0x80 ... 0x8f] = PV,
	[0x90 ... 0x9f] = NP(1, 2, 1, 3),
	[0xa0] = NP(1, 1, 3, 3), [0xa1] = SEGMENT(3, 8),
	[0xa2] = SERIAL(14, 23),
	[0xa3] = NP(4, 9, 1, 7), [0xa4] = NP(4, 4, 2, 5),
	[0xa5] = NP(4, 5, 2, 6),
	[0xa8] = NP(1, 1, 3, 3), [0xa9] = SEGMENT(3, 8),
	[0xab] = NP(7, 13, 1, 10), [0xac] = NP(4, 4, 2, 5),
	[0xad] = NP(4, 5, 2, 6),
	[0xb0 ... 0xb1] = NP(5, 6, 5, 8),
	[0xb2] = SEGMENT(4, 11), [0xb3] = NP(7, 13, 1, 10),
	[0xb4 ... 0xb5] = SEGMENT(4, 11),
	[0xb6 ... 0xb7] = NP(3, 3, 1, 1),
	[0xba] = NP(4, 8, 1, 4), [0xbb] = NP(7, 13, 1, 10),
	[0xbc ... 0xbd] = NP(20, 20, 2, 3),
	[0xbe ... 0xbf] = NP(3, 3, 1, 1),
	[0xc0 ... 0xc1] = NP(3, 4, 4, 7), [0xc7] = NP(10, 10, 15, 15),
	[0xc8 ... 0xcf] = NP(1, 1, 2, 2),
};

/* Environment and state of the x87, transcendental functions. */
#define ENV_LOAD NP(32, 32, 30, 30)
#define ENV_STORE NP(48, 48, 50, 50)
#define LONG {.uops = 50}
#define INT_MEM NP(4, 4, 6, 6)

const struct x86_time x86_time_fpu_memory[8][8] = {
	{ FX, FX, FX, FX, FX, FX, FX, FX },
	{ FX, NP(0, 0, 0, 0), NP(2, 2, 2, 2), NP(2, 2, 2, 2), ENV_LOAD,
	  NP(7, 7, 11, 11), ENV_STORE, NP(2, 2, 3, 3) },
	{ INT_MEM, INT_MEM, INT_MEM, INT_MEM, INT_MEM, INT_MEM, INT_MEM,
	  INT_MEM },
	{ NP(3, 3, 4, 4), NP(6, 6, 4, 4), NP(6, 6, 4, 4), NP(6, 6, 4, 4),
	  NP(0, 0, 0, 0), NP(3, 3, 4, 4), NP(0, 0, 0, 0), NP(3, 3, 6, 6) },
	{ FX, FX, FX, FX, FX, FX, FX, FX },
	{ FX, NP(6, 6, 4, 4), NP(2, 2, 2, 2), NP(2, 2, 2, 2),
	  NP(70, 70, 72, 72), NP(0, 0, 0, 0), NP(124, 124, 141, 141),
	  NP(2, 2, 3, 3) },
	{ INT_MEM, INT_MEM, INT_MEM, INT_MEM, INT_MEM, INT_MEM, INT_MEM,
	  INT_MEM },
	{ NP(3, 3, 4, 4), NP(6, 6, 4, 4), NP(6, 6, 4, 4), NP(6, 6, 4, 4),
	  NP(48, 48, 57, 57), NP(3, 3, 4, 4), NP(148, 148, 165, 165),
	  NP(6, 6, 4, 4) },
};

const struct x86_time x86_time_fpu_register[8][8] = {
	{ FX, FX, FX, FX, FX, FX, FX, FX },
	{ FX, {.pair = PAIR_FXCH}, {.cycles = 1}, {.cycles = 2} },
	{ UOPS(0, 2, 2), UOPS(0, 2, 2), UOPS(0, 2, 2), UOPS(0, 2, 2),
	  {.uops = 2}, {.uops = 2} },
	{ UOPS(0, 2, 2), UOPS(0, 2, 2), UOPS(0, 2, 2), UOPS(0, 2, 2),
	  NP(9, 9, 3, 3) },
	{ FX, FX, FX, FX, FX, FX, FX, FX },
	{ {.cycles = 1}, {.cycles = 4}, {.cycles = 1}, {.cycles = 1}, FX, FX },
	{ FX, FX, FX, FX, FX, FX, FX, FX },
	{ [4] = NP(6, 6, 7, 7) },
};

const struct x86_time x86_time_fpu_d9[4][8] = {
	{ FX, FX, [4] = FX, [5] = NP(17, 17, 1, 1) },
	{ NP(2, 2, 2, 2), NP(5, 5, 2, 2), NP(5, 5, 2, 2), NP(5, 5, 2, 2),
	  NP(5, 5, 2, 2), NP(5, 5, 2, 2), NP(2, 2, 1, 1) },
	{ LONG, LONG, LONG, LONG, LONG, {.uops = 23}, NP(1, 1, 1, 1),
	  NP(1, 1, 1, 1) },
	{ {.uops = 23}, LONG, NP(0, 0, 1, 1), LONG, {.uops = 30}, {.uops = 30},
	  LONG, LONG },
};
