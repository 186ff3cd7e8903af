/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads what valgrind's lackey says of each access (--trace-mem=yes) and puts
 * it through caches by cachegrind's rules, and by ours, one more at a time.
 * See cachegrind, beside this file.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_BITS 5
#define MAX_WAYS 64
#define MAX_SETS 256
#define MAX_RUN 4096		/* accesses of a run of instructions */

enum rule {
	/* An access of two lines looks for each, and may miss both. */
	RULE_LINES = 1 << 0,
	/* Lines that were stored to go to the second level when they leave. */
	RULE_WRITEBACK = 1 << 1,
	/* The lines of instructions that follow each other come before their
	 * data. */
	RULE_BLOCK = 1 << 2
};

struct cache {
	unsigned sets, ways;
	/* By set, used last first; number of the line << 1 | stored to. */
	uint64_t entry[MAX_SETS][MAX_WAYS];
};

enum { I1, D1_READ, D1_WRITE, LL, COUNTS };

struct model {
	const char *name;
	unsigned rules;
	struct cache i1, d1, ll;
	unsigned long long count[COUNTS];
};

static struct model model[] = {
	{.name = "cachegrind's rules"},
	{.name = "each line is looked for", .rules = RULE_LINES},
	{.name = "lines are written back", .rules = RULE_WRITEBACK},
	{.name = "code comes before data", .rules = RULE_BLOCK},
	{.name = "all three",
	 .rules = RULE_LINES | RULE_WRITEBACK | RULE_BLOCK},
};

#define MODELS (sizeof model / sizeof *model)

struct access {
	char kind;
	uint64_t address;
	unsigned size;
};

/* Looks for a line; true: it missed, and in the place of *left, or of none (0),
 * it is there now. */
static bool
look(struct cache *c, uint64_t line, bool store, uint64_t *left)
{
	uint64_t *entry = c->entry[line & (c->sets - 1)], found = 0;
	unsigned i;

	for (i = 0; i < c->ways - 1 && entry[i] >> 1 != line; i++)
		;
	*left = 0;
	if (entry[i] >> 1 == line)
		found = entry[i];
	else
		*left = entry[i];
	memmove(entry + 1, entry, i * sizeof *entry);
	*entry = (found ? found : line << 1) | store;
	return !found;
}

static bool
look_near(struct model *m, struct cache *c, uint64_t line, bool store)
{
	uint64_t left, other;
	bool missed = look(c, line, store, &left);

	if (m->rules & RULE_WRITEBACK && left & 1)
		m->count[LL] += look(&m->ll, left >> 1, true, &other);
	return missed;
}

/* Both lines of an access of two are looked for, and one miss is counted. */
static void
access_both(struct model *m, struct cache *c, unsigned count, uint64_t first,
	    uint64_t last, bool store)
{
	bool missed = false, missed_ll = false;
	uint64_t left;

	for (uint64_t line = first; line <= last; line++)
		missed |= look_near(m, c, line, store);
	for (uint64_t line = first; missed && line <= last; line++)
		missed_ll |= look(&m->ll, line, false, &left);
	m->count[count] += missed;
	m->count[LL] += missed_ll;
}

static void
do_access(struct model *m, const struct access *a)
{
	uint64_t first = a->address >> LINE_BITS;
	uint64_t last = (a->address + a->size - 1) >> LINE_BITS;
	struct cache *c = a->kind == 'I' ? &m->i1 : &m->d1;
	unsigned count = a->kind == 'I' ? I1 :
			 a->kind == 'S' ? D1_WRITE : D1_READ;
	bool store = a->kind == 'S' || a->kind == 'M';

	if (!(m->rules & RULE_LINES)) {
		access_both(m, c, count, first, last, store);
		return;
	}
	for (; first <= last; first++)
		access_both(m, c, count, first, first, store);
}

static void
do_run(struct model *m, const struct access *a, size_t n)
{
	for (size_t i = 0; m->rules & RULE_BLOCK && i < n; i++)
		if (a[i].kind == 'I')
			do_access(m, &a[i]);
	for (size_t i = 0; i < n; i++)
		if (!(m->rules & RULE_BLOCK) || a[i].kind != 'I')
			do_access(m, &a[i]);
}

static void
end_run(const struct access *a, size_t n)
{
	for (size_t i = 0; i < MODELS; i++)
		do_run(&model[i], a, n);
}

/* " L 1ffefff8,8" or "I  04001000,3" */
static bool
read_access(const char *line, struct access *a)
{
	unsigned long long address;

	if (line[0] == 'I' ? line[1] != ' ' : line[0] != ' ' ||
	    !strchr("LSM", line[1]))
		return false;
	a->kind = line[0] == 'I' ? 'I' : line[1];
	if (sscanf(line + 2, "%llx,%u", &address, &a->size) != 2)
		return false;
	a->address = address;
	return a->size != 0;
}

int
main(void)
{
	static struct access run[MAX_RUN];
	size_t n = 0;
	uint64_t next = 0;
	char line[256];

	for (size_t i = 0; i < MODELS; i++) {
		model[i].i1 = model[i].d1 = (struct cache){128, 4, {{0}}};
		model[i].ll = (struct cache){128, 64, {{0}}};
	}
	while (fgets(line, sizeof line, stdin)) {
		struct access a;

		if (!read_access(line, &a))
			continue;
		if (n == MAX_RUN || (a.kind == 'I' && a.address != next)) {
			end_run(run, n);
			n = 0;
		}
		if (a.kind == 'I')
			next = a.address + a.size;
		run[n++] = a;
	}
	end_run(run, n);
	for (size_t i = 0; i < MODELS; i++)
		printf("%-25s%12llu%12llu%12llu%12llu\n", model[i].name,
		       model[i].count[I1], model[i].count[D1_READ],
		       model[i].count[D1_WRITE], model[i].count[LL]);
	return 0;
}
