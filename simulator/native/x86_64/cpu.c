/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The processor that programs see: that of QEMU 7.2, so that libraries choose
 * the same routines under both engines, and on every host. */
#include "cpu.h"

#include <cpuid.h>

struct leaf {
	u32 leaf, sub;
	struct cpu_words words;
};

/* What QEMU's processor "max" answers; others are zero. */
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
	{0x0000000b, 2, {0x00000000, 0x00000000,
			 0x00000002, 0x00000000}},
	{0x0000000b, 3, {0x00000000, 0x00000000,
			 0x00000003, 0x00000000}},
	{0x0000000d, 0, {0x0000021f, 0x00000a88,
			 0x00000a88, 0x00000000}},
	{0x0000000d, 1, {0x00000005, 0x000003c8,
			 0x00000000, 0x00000000}},
	{0x0000000d, 2, {0x00000100, 0x00000240,
			 0x00000000, 0x00000000}},
	{0x0000000d, 3, {0x00000040, 0x000003c0,
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

/* What of that code needs that looks: a host without it is none. */
#define NEEDED_1 0x36d83201u	/* SSE3 to SSE4.2, AVX, FMA, AES, F16C ... */
#define NEEDED_7 0x00000128u	/* BMI1, AVX2, BMI2 */

#define XCR0 0x21f
#define LEAF_EXTENDED 0x80000000u

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

struct cpu_words
cpu_id(u32 leaf, u32 sub)
{
	leaf = within(leaf);
	if (!has_subleaves(leaf))
		sub = 0;
	for (unsigned i = 0; i < SIM_COUNT(leaves); i++)
		if (leaves[i].leaf == leaf && leaves[i].sub == sub)
			return leaves[i].words;
	return (struct cpu_words){0, 0, 0, 0};
}

u64
cpu_features(void)
{
	return cpu_id(1, 0).edx;
}

u64
cpu_xcr0(void)
{
	return XCR0;
}

bool
cpu_can_execute(void)
{
	u32 a, b, c, d;

	if (!__get_cpuid(1, &a, &b, &c, &d) || ~c & NEEDED_1)
		return false;
	return __get_cpuid_count(7, 0, &a, &b, &c, &d) && !(~b & NEEDED_7);
}

u16
cpu_x87_control(void)
{
	u16 word;

	__asm__ volatile("fnstcw %0" : "=m"(word));
	return word;
}
