/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints what of the processor a program sees: its level as CPUID tells, what
 * XGETBV answers, and how the flags of /proc/cpuinfo agree. */
#include <cpuid.h>
#include <stdio.h>
#include <string.h>

static const struct {
	const char *name;
	unsigned leaf, word, bit;
} feature[] = {
	{"sse4_2", 1, 2, 20}, {"popcnt", 1, 2, 23}, {"cx16", 1, 2, 13},
	{"avx", 1, 2, 28},    {"movbe", 1, 2, 22},  {"fma", 1, 2, 12},
	{"avx2", 7, 1, 5},    {"bmi2", 7, 1, 8},    {"avx512f", 7, 1, 16},
	{"avx512vl", 7, 1, 31}, {"lahf_lm", 0x80000001, 2, 0},
	{"abm", 0x80000001, 2, 5},
};

static int
is_listed(const char *name)
{
	char line[4096], *word;
	FILE *f = fopen("/proc/cpuinfo", "r");

	while (fgets(line, sizeof line, f))
		if (!strncmp(line, "flags", 5))
			for (word = strtok(line, " \n"); word;
			     word = strtok(NULL, " \n"))
				if (!strcmp(word, name)) {
					fclose(f);
					return 1;
				}
	fclose(f);
	return 0;
}

int
main(int argc, char **argv)
{
	unsigned low = 0, high = 0, w[4];

	(void)argv;
	for (unsigned i = 0; i < sizeof feature / sizeof *feature; i++) {
		__cpuid_count(feature[i].leaf, 0, w[0], w[1], w[2], w[3]);
		int has = w[feature[i].word] >> feature[i].bit & 1;

		if (has)
			printf("%s ", feature[i].name);
		if (argc > 1 && has != is_listed(feature[i].name))
			printf("(not in cpuinfo) ");
	}
	__cpuid(1, w[0], w[1], w[2], w[3]);
	if (w[2] >> 27 & 1)
		__asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
	printf("xcr0 %x\n", low & 0xe7);
	return 0;
}
