/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Instructions that the engine answers: what a program sees of the processor,
 * of time and of chance, the base of FS, and flags that the engine's own code
 * must not have.
 */
#include "native.h"
#include "periods.h"
#include "threads.h"

#include "machine/mix.h"
#include "target/cycles.h"
#include "turns/turns.h"
#include "x86_64/cpu.h"

#include <errno.h>

#define FLAG_CARRY 0x1u
#define FLAG_TRAP 0x100u
#define FLAG_ALIGNMENT 0x40000u
#define FLAGS_ARITHMETIC 0x8d5u
#define FLAGS_SETTABLE 0x200cd5u /* arithmetic, direction, ID */
#define FLAGS_ALWAYS 0x202u

/* An instruction's bytes: behind its prefixes, and what these say. */
struct asked {
	const u8 *code;		/* its opcode */
	bool half, wide;	/* operands of 16 and of 64 bits */
	u8 base;		/* what REX adds to a register of ModRM */
};

static struct asked
look_at(u64 pc)
{
	struct asked a = {.code = (const u8 *)(uintptr_t)pc};

	for (; *a.code == 0x66 || (*a.code & 0xfe) == 0xf2; a.code++)
		a.half |= *a.code == 0x66;
	if ((*a.code & 0xf0) == 0x40) {
		a.wide = *a.code & 8;
		a.base = (u8)(8 * (*a.code & 1));
		a.code++;
	}
	return a;
}

static void
put_ticks(u64 pc)
{
	const struct block *in;
	u64 ticks;

	turns_tell(threads_number);
	periods_pass();
	in = core.recording ? turns_in(threads_number) : core.prev;
	ticks = target.timing ? cycles_at(in, pc) : __builtin_ia32_rdtsc();

	host_state.reg[HOST_RAX] = (u32)ticks;
	host_state.reg[HOST_RDX] = ticks >> 32;
}

static void
put_cpuid(void)
{
	u64 *reg = host_state.reg;
	struct cpu_words w = cpu_id((u32)reg[HOST_RAX], (u32)reg[HOST_RCX]);

	reg[HOST_RAX] = w.eax;
	reg[HOST_RBX] = w.ebx;
	reg[HOST_RCX] = w.ecx;
	reg[HOST_RDX] = w.edx;
}

/* The host's, or the next ones of the machine's seed. */
static u64
random_word(void)
{
	static u64 taken;
	bool there = false;
	u64 word;

	if (target.map.m->seeded)
		return mix64(mix64(target.map.m->seed) + ++taken);
	while (!there)
		__asm__ volatile("rdrand %0" : "=r"(word), "=@ccc"(there));
	return word;
}

/* rdrand and rdseed: there are always some. */
static void
put_random(const struct asked *a, u64 *reg)
{
	u64 word = random_word();

	*reg = a->wide ? word :
	       a->half ? (*reg & ~0xffffull) | (u16)word : (u32)word;
	host_state.flags = (host_state.flags & ~(u64)FLAGS_ARITHMETIC) |
			   FLAG_CARRY;
}

/* The flag for checks of alignment is the program's alone: the engine's code
 * could not be executed with it, and nothing is checked. */
static void
push_flags(u64 *reg)
{
	u64 flags = host_state.flags | host_state.alignment;

	reg[HOST_RSP] -= sizeof flags;	/* of any alignment */
	memcpy((void *)(uintptr_t)reg[HOST_RSP], &flags, sizeof flags);
}

static void
pop_flags(u64 *reg)
{
	u64 flags;

	memcpy(&flags, (const void *)(uintptr_t)reg[HOST_RSP], sizeof flags);
	if (flags & FLAG_TRAP)
		process_die("a step of one instruction", ENOSYS);
	reg[HOST_RSP] += sizeof(u64);
	host_state.alignment = flags & FLAG_ALIGNMENT;
	host_state.flags = (flags & FLAGS_SETTABLE) | FLAGS_ALWAYS;
}

/* Those of two bytes of opcode with ModRM: of it, the lowest bit says which base,
 * FS' or GS', and the next one whether it is set. */
static bool
answer_group(const struct asked *a)
{
	u8 op = a->code[1], modrm = a->code[2], which = modrm >> 3 & 7;
	u64 *reg = &host_state.reg[(modrm & 7) | a->base];
	u64 *base = which & 1 ? &host_state.gs : &host_state.fs;

	if (op == 0xc7 && which >= 6) {
		put_random(a, reg);
	} else if (op == 0xae && which < 2) {
		*reg = a->wide ? *base : (u32)*base;
	} else if (op == 0xae && which < 4) {
		*base = a->wide ? *reg : (u32)*reg;
		host_set_fs(host_state.fs);
	} else {
		return false;
	}
	return true;
}

static bool
answer_system(const struct asked *a, u64 pc)
{
	u64 *reg = host_state.reg;

	switch (a->code[2]) {
	case 0xf9:
		put_ticks(pc);
		reg[HOST_RCX] = 0;
		return true;
	case 0xd0:
		reg[HOST_RAX] = cpu_xcr0();
		reg[HOST_RDX] = 0;
		return true;
	default:
		return false;
	}
}

void
calls_ask(u64 pc)
{
	struct asked a = look_at(pc);
	bool done = true;

	if (a.code[0] == 0x9c)
		push_flags(host_state.reg);
	else if (a.code[0] == 0x9d)
		pop_flags(host_state.reg);
	else if (a.code[0] == 0x8e)
		done = true;	/* a selector for FS or GS has no base to it */
	else if (a.code[1] == 0xa2)
		put_cpuid();
	else if (a.code[1] == 0x31)
		put_ticks(pc);
	else
		done = a.code[1] == 0x01 ? answer_system(&a, pc)
					 : answer_group(&a);
	if (!done)
		process_die("an instruction that is not answered", ENOSYS);
}
