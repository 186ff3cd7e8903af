/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "level.h"

#include <stdio.h>
#include <string.h>
#ifdef __x86_64__
#include <cpuid.h>
#endif

#define EXTENDED 0x80000001u

static const char *const name[LEVEL_N] = {"v1", "v2", "v3", "v4"};

/*
 * Beside what defines the levels, features that came with their first
 * processors.  Those of LEVEL_NONE are QEMU's, of which hosts have not all.
 */
const struct level_feature level_feature[] = {
	{LEVEL_V2, LEVEL_ECX, 0, 1, "pni", "pni", false},
	{LEVEL_V2, LEVEL_ECX, 1, 1, "pclmulqdq", "pclmulqdq", false},
	{LEVEL_V2, LEVEL_ECX, 3, 1, "monitor", "monitor", true},
	{LEVEL_V2, LEVEL_ECX, 9, 1, "ssse3", "ssse3", false},
	{LEVEL_V2, LEVEL_ECX, 13, 1, "cx16", "cx16", false},
	{LEVEL_V2, LEVEL_ECX, 19, 1, "sse4.1", "sse4_1", false},
	{LEVEL_V2, LEVEL_ECX, 20, 1, "sse4.2", "sse4_2", false},
	{LEVEL_V2, LEVEL_ECX, 23, 1, "popcnt", "popcnt", false},
	{LEVEL_V2, LEVEL_ECX, 25, 1, "aes", "aes", false},
	{LEVEL_V2, LEVEL_ECX, 0, EXTENDED, "lahf-lm", "lahf_lm", false},
	{LEVEL_V3, LEVEL_ECX, 12, 1, "fma", "fma", false},
	{LEVEL_V3, LEVEL_ECX, 22, 1, "movbe", "movbe", false},
	{LEVEL_V3, LEVEL_ECX, 26, 1, "xsave", "xsave", false},
	{LEVEL_V3, LEVEL_ECX, 27, 1, NULL, "osxsave", false},
	{LEVEL_V3, LEVEL_ECX, 28, 1, "avx", "avx", false},
	{LEVEL_V3, LEVEL_ECX, 29, 1, "f16c", "f16c", false},
	{LEVEL_V3, LEVEL_ECX, 30, 1, "rdrand", "rdrand", true},
	{LEVEL_V3, LEVEL_EBX, 0, 7, "fsgsbase", "fsgsbase", true},
	{LEVEL_V3, LEVEL_EBX, 3, 7, "bmi1", "bmi1", false},
	{LEVEL_V3, LEVEL_EBX, 5, 7, "avx2", "avx2", false},
	{LEVEL_V3, LEVEL_EBX, 8, 7, "bmi2", "bmi2", false},
	{LEVEL_V3, LEVEL_EBX, 14, 7, "mpx", "mpx", true},
	{LEVEL_V3, LEVEL_ECX, 5, EXTENDED, "abm", "abm", false},
	{LEVEL_V4, LEVEL_EBX, 16, 7, NULL, "avx512f", false},
	{LEVEL_V4, LEVEL_EBX, 17, 7, NULL, "avx512dq", false},
	{LEVEL_V4, LEVEL_EBX, 19, 7, "adx", "adx", false},
	{LEVEL_V4, LEVEL_EBX, 28, 7, NULL, "avx512cd", false},
	{LEVEL_V4, LEVEL_EBX, 30, 7, NULL, "avx512bw", false},
	{LEVEL_V4, LEVEL_EBX, 31, 7, NULL, "avx512vl", false},
	{LEVEL_NONE, LEVEL_EBX, 22, 7, "pcommit", "pcommit", false},
	{LEVEL_NONE, LEVEL_EBX, 23, 7, "clflushopt", "clflushopt", false},
	{LEVEL_NONE, LEVEL_EBX, 24, 7, "clwb", "clwb", false},
	{LEVEL_NONE, LEVEL_ECX, 9, 7, "vaes", "vaes", false},
	{LEVEL_NONE, LEVEL_ECX, 6, EXTENDED, "sse4a", "sse4a", false},
	{LEVEL_NONE, LEVEL_EDX, 30, EXTENDED, "3dnowext", "3dnowext", false},
	{LEVEL_NONE, LEVEL_EDX, 31, EXTENDED, "3dnow", "3dnow", false},
};

const unsigned level_features = SIM_COUNT(level_feature);

enum level
level_named(const char *text)
{
	enum level level = 0;

	while (level < LEVEL_N && strcmp(name[level], text))
		level++;
	return level;
}

const char *
level_name(enum level level)
{
	return name[level];
}

#ifdef __x86_64__

static bool
host_has(const struct level_feature *f)
{
	u32 word[4];

	return __get_cpuid_count(f->leaf, 0, &word[LEVEL_EAX],
				 &word[LEVEL_EBX], &word[LEVEL_ECX],
				 &word[LEVEL_EDX]) &&
	       word[f->reg] >> f->bit & 1;
}

const char *
level_lacks(enum level level)
{
	for (unsigned i = 0; i < level_features; i++) {
		const struct level_feature *f = &level_feature[i];

		if (f->level <= level && !f->answered && !host_has(f))
			return f->linux;
	}
	return NULL;
}

#else

const char *
level_lacks(enum level level)
{
	(void)level;
	return "x86-64";
}

#endif

char *
level_qemu(enum level level, bool *failed)
{
	char *text = NULL;
	size_t size;
	FILE *f;

	*failed = false;
	if (level >= LEVEL_USUAL)
		return NULL;
	f = open_memstream(&text, &size);
	*failed = !f;
	if (!f)
		return NULL;
	fputs("max", f);
	for (unsigned i = 0; i < level_features; i++)
		if (level_feature[i].level > level && level_feature[i].qemu)
			fprintf(f, ",-%s", level_feature[i].qemu);
	*failed = fclose(f);
	return text;
}
