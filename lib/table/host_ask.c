/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the kernel and the processor say of this host. */
#include "host.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __x86_64__
#include <cpuid.h>
#endif

#define FOLDER "/sys/devices/system/cpu"
#define MOST_CACHES 16

/* ---- The kernel -------------------------------------------------------- */

/* The first word of the file at path, which is freed; false: there is none. */
static bool
read_word(char *path, char word[32])
{
	FILE *in = path ? fopen(path, "re") : NULL;
	bool got = false;

	if (in) {
		got = fscanf(in, "%31s", word) == 1;
		fclose(in);
	}
	free(path);
	return got;
}

/* The same of the file of a cache. */
static bool
read_cache(const char *folder, const char *name, unsigned index, char word[32])
{
	char *path;

	if (asprintf(&path, "%s/cpu0/cache/index%u/%s", folder, index, name) <
	    0)
		path = NULL;
	return read_word(path, word);
}

static unsigned long long
read_hz(const char *folder)
{
	char *path, word[32];

	if (asprintf(&path, "%s/cpu0/cpufreq/cpuinfo_max_freq", folder) < 0)
		path = NULL;
	return read_word(path, word) ? strtoull(word, NULL, 10) * 1000 : 0;
}

/* "48K" or "32M" or a plain number; 0: none of them. */
static unsigned
read_number(const char *folder, const char *name, unsigned index)
{
	char word[32], *end;
	unsigned long n;

	if (!read_cache(folder, name, index, word) || !isdigit(word[0]))
		return 0;
	n = strtoul(word, &end, 10);
	if (*end == 'K')
		n *= 1024;
	else if (*end == 'M')
		n *= 1024 * 1024;
	return n <= 1u << 30 ? (unsigned)n : 0;
}

/* The place of a cache that is of that level and type. */
static struct host_cache *
place(struct host_facts *f, unsigned level, const char *type)
{
	if (level == 1 && !strcmp(type, "Data"))
		return &f->l1d;
	if (level == 1 && !strcmp(type, "Instruction"))
		return &f->l1i;
	if (strcmp(type, "Unified"))
		return NULL;
	return level == 2 ? &f->l2 : level == 3 ? &f->l3 : NULL;
}

void
host_ask_folder(struct host_facts *f, const char *folder)
{
	char type[32];

	for (unsigned i = 0; i < MOST_CACHES; i++) {
		struct host_cache *c;

		if (!read_cache(folder, "type", i, type))
			break;
		c = place(f, read_number(folder, "level", i), type);
		if (!c)
			continue;
		c->size = read_number(folder, "size", i);
		c->ways = read_number(folder, "ways_of_associativity", i);
		c->line = read_number(folder, "coherency_line_size", i);
	}
	f->hz = read_hz(folder);
}

/* ---- The processor ----------------------------------------------------- */

#ifdef __x86_64__

struct words {
	unsigned a, b, c, d;
};

/* cpuid of a leaf; false: it has none of that number. */
static bool
ask(unsigned leaf, unsigned sub, struct words *w)
{
	return __get_cpuid_count(leaf, sub, &w->a, &w->b, &w->c, &w->d);
}

/* Words as a text, without spaces at both ends and several in between. */
static void
spell(char *text, size_t size, const unsigned *word, unsigned n)
{
	const char *from = (const char *)word;
	size_t used = 0;

	for (unsigned i = 0; i < 4 * n && from[i] && used + 1 < size; i++) {
		char c = from[i];

		if (c == ' ' && (!used || text[used - 1] == ' '))
			continue;
		text[used++] = isprint((unsigned char)c) ? c : '?';
	}
	while (used && text[used - 1] == ' ')
		used--;
	text[used] = '\0';
}

static void
ask_names(struct host_facts *f)
{
	unsigned word[12];
	struct words w;

	if (ask(0, 0, &w)) {
		word[0] = w.b;
		word[1] = w.d;
		word[2] = w.c;
		spell(f->vendor, sizeof f->vendor, word, 3);
	}
	for (unsigned i = 0; i < 3; i++) {
		if (!ask(0x80000002 + i, 0, &w))
			return;
		memcpy(word + 4 * i, &w, sizeof w);
	}
	spell(f->brand, sizeof f->brand, word, 12);
}

/* Intel: a list of TLBs. */
static void
ask_intel(struct host_facts *f)
{
	struct words w;
	unsigned most;

	if (!ask(0x18, 0, &w))
		return;
	most = w.a;
	for (unsigned sub = 0; sub <= most && ask(0x18, sub, &w); sub++) {
		unsigned type = w.d & 31, level = w.d >> 5 & 7;
		unsigned ways = w.b >> 16;
		struct host_tlb tlb = {ways * w.c, w.d & 256 ? 0 : ways};

		if (!(w.b & 1))
			continue;	/* not of 4 kB */
		if (level == 1 && (type == 1 || type == 4))
			f->dtlb = tlb;
		else if (level == 1 && type == 2)
			f->itlb = tlb;
		else if (level == 2 && type == 3)
			f->both = tlb;
	}
}

/* AMD: the ways of the second level are a code. */
static unsigned
amd_ways(unsigned code, unsigned entries)
{
	static const unsigned char ways[16] = {
		[1] = 1, [2] = 2, [4] = 4, [6] = 8, [8] = 16, [10] = 32,
		[11] = 48, [12] = 64, [13] = 96, [14] = 128};

	if (code == 9)	/* leaf 8000001D has it, of caches alone */
		return 0;
	return code == 15 ? entries : ways[code];
}

static struct host_tlb
amd_tlb(unsigned entries, unsigned ways)
{
	if (!entries || !ways)
		return (struct host_tlb){0};
	return (struct host_tlb){entries, ways >= entries ? 0 : ways};
}

static void
ask_amd(struct host_facts *f)
{
	struct words w;

	if (ask(0x80000005, 0, &w)) {
		f->itlb = amd_tlb(w.b & 255, w.b >> 8 & 255);
		f->dtlb = amd_tlb(w.b >> 16 & 255, w.b >> 24);
	}
	if (ask(0x80000006, 0, &w)) {
		unsigned code = w.b & 0xfff, data = w.b >> 16 & 0xfff;

		f->second_i = amd_tlb(code, amd_ways(w.b >> 12 & 15, code));
		f->second_d = amd_tlb(data, amd_ways(w.b >> 28, data));
	}
}

void
host_ask_processor(struct host_facts *f)
{
	struct words w;

	ask_names(f);
	if (!strcmp(f->vendor, "GenuineIntel"))
		ask_intel(f);
	else if (!strcmp(f->vendor, "AuthenticAMD"))
		ask_amd(f);
	if (!f->hz && ask(0x16, 0, &w))
		f->hz = (w.b & 0xffff) * 1000000ull;
}

#else

void
host_ask_processor(struct host_facts *f)
{
	(void)f;
}

#endif

void
host_ask(struct host_facts *f)
{
	const char *folder = getenv("PMCSIM_HOST_CPU");

	*f = (struct host_facts){0};
	host_ask_folder(f, folder ? folder : FOLDER);
	host_ask_processor(f);
}
