/* SPDX-License-Identifier: GPL-2.0-or-later */
/* /proc/cpuinfo, of the processor that programs see. */
#include "cpu.h"

#include "target/target.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define EXTENDED 0x80000001u
#define BRAND 0x80000002u	/* ... and the two behind it: its name */
#define BRAND_LEAVES 3

/* Words of features, in the kernel's order. */
static const struct word {
	u32 leaf, sub;
	u8 reg;
} words[] = {
	{1, 0, LEVEL_EDX},	  {EXTENDED, 0, LEVEL_EDX},
	{1, 0, LEVEL_ECX},	  {EXTENDED, 0, LEVEL_ECX},
	{7, 0, LEVEL_EBX},	  {0xd, 1, LEVEL_EAX},
	{7, 0, LEVEL_ECX},
};

/* The kernel's names of those that each level has. */
static const struct name {
	u8 word;		/* of words[] */
	u8 bit;
	const char *text;
} names[] = {
	{0, 0, "fpu"},	     {0, 2, "de"},	{0, 3, "pse"},
	{0, 4, "tsc"},	     {0, 5, "msr"},	{0, 6, "pae"},
	{0, 7, "mce"},	     {0, 8, "cx8"},	{0, 9, "apic"},
	{0, 11, "sep"},	     {0, 12, "mtrr"},	{0, 13, "pge"},
	{0, 14, "mca"},	     {0, 15, "cmov"},	{0, 16, "pat"},
	{0, 17, "pse36"},    {0, 19, "clflush"}, {0, 22, "acpi"},
	{0, 23, "mmx"},	     {0, 24, "fxsr"},	{0, 25, "sse"},
	{0, 26, "sse2"},     {0, 27, "ss"},	{1, 11, "syscall"},
	{1, 20, "nx"},	     {1, 22, "mmxext"}, {1, 26, "pdpe1gb"},
	{1, 27, "rdtscp"},   {1, 29, "lm"},	{2, 31, "hypervisor"},
	{3, 2, "svm"},	     {3, 4, "cr8_legacy"}, {4, 7, "smep"},
	{4, 9, "erms"},	     {4, 20, "smap"},	{5, 0, "xsaveopt"},
	{5, 2, "xgetbv1"},   {6, 2, "umip"},	{6, 3, "pku"},
	{6, 16, "la57"},
};

static const char *
name_of(unsigned word, unsigned bit)
{
	for (unsigned i = 0; i < SIM_COUNT(names); i++)
		if (names[i].word == word && names[i].bit == bit)
			return names[i].text;
	for (unsigned i = 0; i < level_features && !words[word].sub; i++)
		if (level_feature[i].leaf == words[word].leaf &&
		    level_feature[i].reg == words[word].reg &&
		    level_feature[i].bit == bit)
			return level_feature[i].linux;
	return NULL;
}

static void
write_flags(FILE *f)
{
	fputs("flags\t\t:", f);
	for (unsigned word = 0; word < SIM_COUNT(words); word++) {
		struct cpu_words w = cpu_id(words[word].leaf, words[word].sub);
		const u32 value[] = {[LEVEL_EAX] = w.eax, [LEVEL_EBX] = w.ebx,
				     [LEVEL_ECX] = w.ecx, [LEVEL_EDX] = w.edx};

		for (unsigned bit = 0; bit < 32; bit++) {
			const char *name = name_of(word, bit);

			/* The system's own, which the kernel does not list. */
			if (!name || !strcmp(name, "osxsave"))
				continue;
			if (value[words[word].reg] >> bit & 1)
				fprintf(f, " %s", name);
		}
	}
	putc('\n', f);
}

static void
write_names(FILE *f)
{
	struct cpu_words vendor = cpu_id(0, 0), part;
	char text[BRAND_LEAVES * sizeof part + 1] = "";

	for (u32 i = 0; i < BRAND_LEAVES; i++) {
		part = cpu_id(BRAND + i, 0);
		memcpy(text + i * sizeof part, &part, sizeof part);
	}
	fprintf(f, "vendor_id\t: %.4s%.4s%.4s\n", (char *)&vendor.ebx,
		(char *)&vendor.edx, (char *)&vendor.ecx);
	fprintf(f, "cpu family\t: %u\nmodel\t\t: %u\nmodel name\t: %s\n"
		"stepping\t: %u\n", cpu_id(1, 0).eax >> 8 & 15,
		(cpu_id(1, 0).eax >> 4 & 15) |
			(cpu_id(1, 0).eax >> 16 & 15) << 4,
		text, cpu_id(1, 0).eax & 15);
}

static void
write_processor(FILE *f, long number, long all)
{
	u64 khz = target.config->clock_hz / 1000;
	u32 sizes = cpu_id(0x80000008, 0).eax;

	fprintf(f, "processor\t: %ld\n", number);
	write_names(f);
	fprintf(f, "cpu MHz\t\t: %llu.%03llu\n",
		(unsigned long long)khz / 1000, (unsigned long long)khz % 1000);
	fprintf(f, "physical id\t: 0\nsiblings\t: %ld\ncore id\t\t: %ld\n"
		"cpu cores\t: %ld\napicid\t\t: %ld\ninitial apicid\t: %ld\n",
		all, number, all, number, number);
	fprintf(f, "fpu\t\t: yes\nfpu_exception\t: yes\n"
		"cpuid level\t: %u\nwp\t\t: yes\n", cpu_id(0, 0).eax);
	write_flags(f);
	fprintf(f, "bogomips\t: %llu.00\n", (unsigned long long)khz / 500);
	fprintf(f, "clflush size\t: 64\ncache_alignment\t: 64\n"
		"address sizes\t: %u bits physical, %u bits virtual\n"
		"power management:\n\n", sizes & 255, sizes >> 8 & 255);
}

void
cpu_describe(FILE *f)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);

	for (long i = 0; i < n; i++)
		write_processor(f, i, n);
}
