/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The processor that programs see: that of QEMU 7.2, as far as its level goes,
 * so that libraries choose the same routines under both engines, and on every
 * host. */
#include "cpu.h"

struct leaf {
	u32 leaf, sub;
	struct cpu_words words;
};

/* What QEMU's processor "max" answers; others are zero.  What of it depends on
 * the level is told by level_feature[], and by xsave_v4[]. */
static const struct leaf leaves[] = {
	{0x00000000, 0, {0x0000000d, 0x68747541,
			 0x444d4163, 0x69746e65}},
	{0x00000001, 0, {0x00060fb1, 0x00000800,
			 0xfed8320b, 0x0fcbfbfd}},
	{0x00000005, 0, {0x00000000, 0x00000000,
			 0x00000003, 0x00000000}},
	{0x00000006, 0, {0x00000004, 0x00000000,
			 0x00000000, 0x00000000}},
	{0x00000007, 0, {0x00000000, 0x01d843a9,
			 0x8001020c, 0x00000000}},
	{0x0000000b, 0, {0x00000000, 0x00000001,
			 0x00000100, 0x00000000}},
	{0x0000000b, 1, {0x00000000, 0x00000001,
			 0x00000201, 0x00000000}},
	{0x0000000d, 0, {0x0000021f, 0x00000a88,
			 0x00000a88, 0x00000000}},
	{0x0000000d, 1, {0x00000005, 0x000003c8,
			 0x00000000, 0x00000000}},
	{0x0000000d, 2, {0x00000100, 0x00000240,
			 0x00000000, 0x00000000}},
	{0x0000000d, 3, {0x00000040, 0x000003c0,
			 0x00000000, 0x00000000}},
	{0x0000000d, 4, {0x00000040, 0x00000400,
			 0x00000000, 0x00000000}},
	{0x0000000d, 9, {0x00000008, 0x00000a80,
			 0x00000000, 0x00000000}},
	{0x80000000, 0, {0x8000000a, 0x68747541,
			 0x444d4163, 0x69746e65}},
	{0x80000001, 0, {0x00060fb1, 0x00000000,
			 0x00000075, 0xedd3fbfd}},
	{0x80000002, 0, {0x554d4551, 0x47435420,
			 0x55504320, 0x72657620}},
	{0x80000003, 0, {0x6e6f6973, 0x352e3220,
			 0x0000002b, 0x00000000}},
	{0x80000005, 0, {0x01ff01ff, 0x01ff01ff,
			 0x40020140, 0x40020140}},
	{0x80000006, 0, {0x00000000, 0x42004200,
			 0x02008140, 0x00808140}},
	{0x80000008, 0, {0x00003928, 0x00000000,
			 0x00000000, 0x00000000}},
	{0x8000000a, 0, {0x00000001, 0x00000010,
			 0x00000000, 0x10010001}},
};

/* What XSAVE has to save beside that on processors with AVX-512. */
static const struct leaf xsave_v4[] = {
	{0x0000000d, 0, {0x000002ff, 0x00000a88,
			 0x00000a88, 0x00000000}},
	{0x0000000d, 5, {0x00000040, 0x00000440,
			 0x00000000, 0x00000000}},
	{0x0000000d, 6, {0x00000200, 0x00000480,
			 0x00000000, 0x00000000}},
	{0x0000000d, 7, {0x00000400, 0x00000680,
			 0x00000000, 0x00000000}},
};

#define LEAF_TOPOLOGY 0xbu
#define LEAF_XSAVE 0xdu
#define LEAF_EXTENDED 0x80000000u

static enum level shown = LEVEL_USUAL;

void
cpu_show(enum level level)
{
	shown = level;
}

static u32 *
register_of(struct cpu_words *w, unsigned reg)
{
	u32 *const of[] = {[LEVEL_EAX] = &w->eax, [LEVEL_EBX] = &w->ebx,
			   [LEVEL_ECX] = &w->ecx, [LEVEL_EDX] = &w->edx};

	return of[reg];
}

/* Whether its words depend on ECX. */
static bool
has_subleaves(u32 leaf)
{
	return leaf == 4 || leaf == 7 || leaf == 0xb || leaf == 0xd ||
	       leaf == 0x14;
}

/* One that is too high is answered as the last basic one. */
static u32
within(u32 leaf)
{
	u32 first = leaf & LEAF_EXTENDED;

	for (unsigned i = 0; i < SIM_COUNT(leaves); i++)
		if (leaves[i].leaf == first && leaf <= leaves[i].words.eax)
			return leaf;
	return leaves[0].words.eax;
}

static struct cpu_words
look_up(const struct leaf *list, size_t n, u32 leaf, u32 sub)
{
	for (size_t i = 0; i < n; i++)
		if (list[i].leaf == leaf && list[i].sub == sub)
			return list[i].words;
	return (struct cpu_words){0, 0, 0, 0};
}

static struct cpu_words
xsave_words(u32 sub)
{
	struct cpu_words w = {0, 0, 0, 0};

	if (shown >= LEVEL_V4)
		w = look_up(xsave_v4, SIM_COUNT(xsave_v4), LEAF_XSAVE, sub);
	if (!w.eax && shown >= LEVEL_V3)
		w = look_up(leaves, SIM_COUNT(leaves), LEAF_XSAVE, sub);
	return w;
}

struct cpu_words
cpu_id(u32 leaf, u32 sub)
{
	struct cpu_words w;

	leaf = within(leaf);
	if (!has_subleaves(leaf))
		sub = 0;
	if (leaf == LEAF_XSAVE)
		return xsave_words(sub);
	w = look_up(leaves, SIM_COUNT(leaves), leaf, sub);
	if (leaf == LEAF_TOPOLOGY)
		w.ecx |= sub & 0xff;	/* of a level that is not there, too */
	for (unsigned i = 0; i < level_features && !sub; i++) {
		const struct level_feature *f = &level_feature[i];
		u32 *word = register_of(&w, f->reg);

		if (f->leaf != leaf)
			continue;
		*word &= ~(1u << f->bit);
		*word |= (u32)(f->level <= shown) << f->bit;
	}
	return w;
}

u64
cpu_features(void)
{
	return cpu_id(1, 0).edx;
}

u64
cpu_xcr0(void)
{
	return cpu_id(LEAF_XSAVE, 0).eax;
}

u16
cpu_x87_control(void)
{
	u16 word;

	__asm__ volatile("fnstcw %0" : "=m"(word));
	return word;
}
