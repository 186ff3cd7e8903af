/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Code in bytes on machines that issue more than one instruction per cycle:
 * when each instruction issues, and what is counted.
 */
#ifndef TEST_ISSUE_FIXTURE_H
#define TEST_ISSUE_FIXTURE_H

#include "block_text.h"
#include "core/edge.h"
#include "pipeline/issue.h"
#include "code/decode/decode.h"
#include "pipeline/block_build.h"

#include <stdio.h>

struct code {
	struct insn insn[BLOCK_MAX_INSN];
	unsigned n;
};

/* All of it when it has been issued. */
struct issued {
	u16 offset[BLOCK_MAX_INSN];
	u32 count[SIG_N];
	u64 cycles;
};

static inline unsigned
hex_bytes(const char **hex, u8 *bytes, unsigned max)
{
	unsigned n = 0;

	while (**hex && **hex != ';' && n < max) {
		char *end;

		bytes[n++] = (u8)strtoul(*hex, &end, 16);
		*hex = end;
		while (**hex == ' ')
			++*hex;
	}
	if (**hex == ';')
		++*hex;
	return n;
}

/* i386 code: bytes of instructions with semicolons between them. */
static inline struct code
code_i386(u64 pc, const char *hex)
{
	struct code c = {.n = 0};

	while (*hex) {
		u8 bytes[16];
		unsigned n = hex_bytes(&hex, bytes, 15);

		decode_x86(&c.insn[c.n++], pc, bytes, n, false);
		pc += n;
	}
	return c;
}

/* Alpha code: words, hexadecimal. */
static inline struct code
code_alpha(u64 pc, const char *words)
{
	struct code c = {.n = 0};

	while (*words) {
		char *end;
		u32 word = (u32)strtoul(words, &end, 16);
		u8 bytes[4] = {(u8)word, (u8)(word >> 8), (u8)(word >> 16),
			       (u8)(word >> 24)};

		decode_alpha(&c.insn[c.n++], pc, bytes, 4);
		pc += 4;
		words = end + (*end == ' ');
	}
	return c;
}

/* The same n times over. */
static inline struct code
code_repeat(struct code c, unsigned n)
{
	unsigned length = c.n;

	for (; n > 1; n--)
		for (unsigned i = 0; i < length; i++) {
			c.insn[c.n] = c.insn[i];
			c.insn[c.n].pc = c.insn[c.n - 1].pc +
					 c.insn[c.n - 1].size;
			c.n++;
		}
	return c;
}

/* Sums that must hold: see the signals. */
static inline void
check_sums(const struct issued *r, unsigned n)
{
	u64 insns = 0, cycles = 0, stalls = 0;

	for (unsigned i = 0; i < ISSUE_MAX; i++) {
		insns += (i + 1) * r->count[SIG_ISSUE_1 + i];
		cycles += r->count[SIG_ISSUE_1 + i];
	}
	for (int s = SIG_IFU_ICACHE; s <= SIG_ALU_WBB; s++)
		stalls += r->count[s];
	assert_int_equal(insns, n);
	assert_int_equal(cycles, r->count[SIG_CYCLE_ISSUE]);
	assert_int_equal(cycles + stalls, r->cycles);
}

static inline struct issued
issue_code(const struct sim_config *config, const struct code *c)
{
	struct issued r = {.cycles = 0};
	struct schedule s;

	schedule_init(&s);
	issue_block(&s, &config->pipe, c->insn, c->n, r.offset, r.count);
	r.cycles = s.next;
	check_sums(&r, c->n);
	return r;
}

/* The cycles that instructions issue in, "0 0 1". */
static inline const char *
offsets_text(const struct issued *r, unsigned n)
{
	static char text[8 * BLOCK_MAX_INSN];
	size_t used = 0;

	for (unsigned i = 0; i < n; i++)
		used += (size_t)snprintf(text + used, sizeof text - used,
					 "%s%u", i ? " " : "", r->offset[i]);
	return text;
}

/* A block of that code, and the cycles when q follows p at once. */
static inline struct block *
code_block(const struct sim_config *config, const struct code *c)
{
	struct block *b = take(block_bound(c->n));

	assert_int_equal(block_build(b, config, c->insn, c->n, true, 0,
				     take), 0);
	return b;
}

static inline u64
edge_cycles(const struct block *p, const struct block *q, u64 stall[SIG_N])
{
	struct edge e;

	schedule_edge(&e, p, q, 0);
	return edge_charge(&e, stall);
}

/* Cycles of a loop of that one block, branches predicted. */
static inline u64
loop_cycles(const struct sim_config *config, const struct code *c)
{
	struct block *b = code_block(config, c);
	u64 stall[SIG_N] = {0};

	return b->cycles + edge_cycles(b, b, stall);
}

/* ---- Machines --------------------------------------------------------- */

static inline void
set_class(struct sim_config *c, unsigned cls, u16 latency, u16 repeat,
	  u8 unit, u8 ports)
{
	c->pipe.cls[cls] = (struct class_config){
		.latency = latency, .repeat = repeat, .unit = unit,
		.ports = ports};
}

/* The Pentium. */
static inline struct sim_config
pentium(void)
{
	struct sim_config c = *pipeline_config();

	c.pipe.issue = (struct issue_config){
		.rule = ISSUE_PAIRS, .width = 2, .prefix_overlaps = true};
	for (unsigned i = 0; i < CLASS_N; i++)
		set_class(&c, i, 1, 1, UNIT_NONE, 0);
	set_class(&c, CLASS_MUL, 10, 10, UNIT_NONE, 0);
	set_class(&c, CLASS_FADD, 3, 1, UNIT_FPU, 0);
	set_class(&c, CLASS_FMUL_D, 3, 2, UNIT_FPU, 0);
	set_class(&c, CLASS_FDIV_X, 39, 39, UNIT_FPU, 0);
	c.pipe.load_use = 1;
	c.pipe.load_address = c.pipe.alu_address = 2;
	c.pipe.store_data_slack = 0;
	c.pipe.taken_bubble = 0;
	c.pipe.fetch_bytes = 32;
	return c;
}

enum { P0 = 1, P1 = 2, P2 = 4, P3 = 8 };

/* Both Alphas: latencies of ALU results. */
static inline struct sim_config
alpha(u8 width, u8 group, u8 int_ports, u8 fp_ports)
{
	struct sim_config c = *pipeline_config();

	c.pipe.issue = (struct issue_config){
		.rule = ISSUE_SLOTS, .width = width, .group_bytes = group};
	for (unsigned i = 0; i < CLASS_N; i++)
		set_class(&c, i, 1, 1, UNIT_NONE, int_ports);
	for (unsigned i = CLASS_FMOVE; i <= CLASS_FCVT; i++)
		set_class(&c, i, 1, 1, UNIT_NONE, fp_ports);
	c.pipe.alu_address = 1;
	c.pipe.unit_address = 0;
	c.pipe.taken_bubble = 1;
	c.pipe.store_data_slack = 0;
	return c;
}

/* The 21064: pairs of one aligned quadword. */
static inline struct sim_config
ev4(void)
{
	struct sim_config c = alpha(2, 8, P0, P1);

	set_class(&c, CLASS_SHIFT, 2, 1, UNIT_NONE, P0);
	set_class(&c, CLASS_CMOV, 2, 1, UNIT_NONE, P0);
	set_class(&c, CLASS_MUL, 21, 21, UNIT_MDU, P0);
	set_class(&c, CLASS_MUL64, 23, 23, UNIT_MDU, P0);
	set_class(&c, CLASS_FADD, 6, 1, UNIT_NONE, P1);
	set_class(&c, CLASS_FMUL_D, 6, 1, UNIT_NONE, P1);
	set_class(&c, CLASS_FDIV_D, 63, 63, UNIT_FPU, P1);
	for (unsigned i = CLASS_PREFETCH; i < CLASS_N; i++)
		set_class(&c, i, 1, 1, UNIT_NONE, P1);
	c.pipe.issue.accesses = 1;
	memcpy(c.pipe.issue.ports, (const u16[FORM_N]){
		[FORM_LOAD] = P0 | P1, [FORM_LOAD_LOCKED] = P0 | P1,
		[FORM_STORE] = P1, [FORM_FP_STORE] = P0,
		[FORM_STORE_COND] = P1, [FORM_BRANCH] = P1,
		[FORM_FP_BRANCH] = P0, [FORM_JUMP] = P1}, sizeof c.pipe.issue.ports);
	c.pipe.load_use = c.pipe.load_address = 3;
	return c;
}

/* The 21164: E0, E1, FA, FM are pipes 0 to 3. */
static inline struct sim_config
ev5(void)
{
	struct sim_config c = alpha(4, 16, P0 | P1, P2);

	set_class(&c, CLASS_SHIFT, 1, 1, UNIT_NONE, P0);
	set_class(&c, CLASS_CMOV, 2, 1, UNIT_NONE, P0 | P1);
	set_class(&c, CLASS_MUL, 8, 4, UNIT_MDU, P0);
	set_class(&c, CLASS_MUL64, 12, 8, UNIT_MDU, P0);
	set_class(&c, CLASS_MULH, 14, 8, UNIT_MDU, P0);
	set_class(&c, CLASS_FADD, 4, 1, UNIT_NONE, P2);
	set_class(&c, CLASS_FMUL_D, 4, 1, UNIT_NONE, P3);
	set_class(&c, CLASS_FDIV_D, 22, 22, UNIT_FPU, P2);
	set_class(&c, CLASS_FCPYS, 4, 1, UNIT_NONE, P2 | P3);
	set_class(&c, CLASS_SYNC, 1, 1, UNIT_NONE, P0);
	set_class(&c, CLASS_SYSCALL, 1, 1, UNIT_NONE, P1);
	c.pipe.issue.store_alone = c.pipe.issue.compare_early = true;
	memcpy(c.pipe.issue.ports, (const u16[FORM_N]){
		[FORM_LOAD] = P0 | P1, [FORM_LOAD_LOCKED] = P0,
		[FORM_STORE] = P0, [FORM_FP_STORE] = P0,
		[FORM_STORE_COND] = P0, [FORM_BRANCH] = P1,
		[FORM_FP_BRANCH] = P2, [FORM_JUMP] = P1}, sizeof c.pipe.issue.ports);
	c.pipe.load_use = c.pipe.load_address = 2;
	return c;
}

/* Itanium: m units for memory, loads and stores among them. */
static inline struct sim_config
itanium(u8 m, u8 loads, u8 stores, bool mmf_alone)
{
	struct sim_config c = *pipeline_config();

	c.pipe.issue = (struct issue_config){
		.rule = ISSUE_BUNDLES, .width = 6, .bundles = 2,
		.units_m = m, .units_i = 2, .units_f = 2, .units_b = 3,
		.units_load = loads, .units_store = stores,
		.mmf_alone = mmf_alone};
	for (unsigned i = 0; i < CLASS_N; i++)
		set_class(&c, i, 1, 1, UNIT_NONE, 0);
	set_class(&c, CLASS_FADD, 4, 1, UNIT_NONE, 0);
	set_class(&c, CLASS_MUL64, 4, 1, UNIT_NONE, 0);
	c.pipe.load_use = c.pipe.load_address = 1;
	c.pipe.alu_address = 1;
	c.pipe.taken_bubble = 0;
	return c;
}

#endif
