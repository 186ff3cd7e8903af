/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of events on all CPUs: which are found, what is counted, and what is
 * wrong with a file of them. */
#include "cpu_fixture.h"
#include "table/lexicon.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/pmcsim-lexicon-XXXXXX";
static char path[80];

static int
make_folder(void **state)
{
	char names[80];

	(void)state;
	if (!mkdtemp(folder))
		return -1;
	snprintf(names, sizeof names, "%s/names", folder);
	snprintf(path, sizeof path, "%s/names/linux.yaml", folder);
	setenv("PMCSIM_EVENTS", folder, 1);
	return mkdir(names, 0777);
}

static int
remove_folder(void **state)
{
	char names[80];

	(void)state;
	snprintf(names, sizeof names, "%s/names", folder);
	unlink(path);
	rmdir(names);
	return rmdir(folder);
}

static const char good[] =
	"name: linux\n"
	"description: some\n"
	"words:\n"
	"  - name: sum\n"
	"    aliases: [total]\n"
	"    text: Sum.\n"
	"    precision: exact\n"
	"    origins:\n"
	"      - has: l3\n"
	"        signals: [l3.access]\n"
	"      - has: l2\n"
	"        signals: [l2.access, \"insn*3\", -insn.load]\n"
	"  - name: alone\n"
	"    text: Without a second level.\n"
	"    precision: exact\n"
	"    origins:\n"
	"      - {has: l1-only, signals: [insn]}\n"
	"  - {name: never, text: No model has it.}\n"
	"metrics:\n"
	"  - {name: m, over: sum, under: alone, times: 5, unit: u, text: t}\n";

static void
write_file(const char *text)
{
	FILE *out = fopen(path, "w");

	assert_non_null(out);
	fputs(text, out);
	assert_int_equal(fclose(out), 0);
}

static struct pmcsim_cpu *
load_cpu(void)
{
	struct pmcsim_error error;
	struct pmcsim_cpu *cpu;

	assert_int_equal(pmcsim_cpu_load(TEST_DATA_DIR "/tables/small.yaml",
					 &cpu, &error), 0);
	return cpu;
}

/* small.yaml has two levels of caches. */
static void
test_good(void **state)
{
	struct pmcsim_cpu *cpu = load_cpu();
	struct pmcsim_lexicon *l;
	struct pmcsim_error error;
	const struct pmcsim_named *e;
	const struct pmcsim_quotient_of *m;
	size_t n;

	(void)state;
	write_file(good);
	assert_int_equal(pmcsim_lexicon_load(cpu, &l, &error), 0);
	e = pmcsim_lexicon_events(l, &n);
	assert_true(n > 3);
	assert_int_equal(pmcsim_lexicon_find(l, "Total"), 0);
	assert_int_equal(pmcsim_lexicon_find(l, "alone"), 1);
	assert_int_equal(pmcsim_lexicon_find(l, "none"), -ENOENT);
	assert_int_equal(pmcsim_lexicon_find(l, "r"), -ENOENT);
	assert_int_equal(pmcsim_lexicon_find(l, "rg"), -ENOENT);
	assert_int_equal(pmcsim_lexicon_find(l, "r100000000000000000"),
			 -ENOENT);
	assert_int_equal(e[0].precision, PMCSIM_EXACT);
	assert_int_equal(e[1].precision, PMCSIM_NOT_MODELLED);
	assert_int_equal(e[2].precision, PMCSIM_NOT_MODELLED);
	assert_false(e[2].of_table);
	assert_true(e[3].of_table);
	assert_int_equal(l->event[0].n, 3);
	assert_int_equal(l->event[0].term[0].signal, SIG_L2_ACCESS);
	assert_int_equal(l->event[0].term[1].factor, 3);
	assert_true(l->event[0].term[2].less);
	assert_false(pmcsim_lexicon_is_untimed(
		l, &(struct pmcsim_ask){.named = 0, .modes = 8}));
	m = pmcsim_lexicon_metrics(l, &n);
	assert_int_equal(n, 1);
	assert_int_equal(m->over, 0);
	assert_int_equal(m->under, 1);
	assert_int_equal(m->times, 5);
	pmcsim_lexicon_free(l);
	pmcsim_cpu_free(cpu);
}

/* The file with one thing changed, and the sentence about it. */
static void
test_bad(void **state)
{
	static const struct {
		const char *from, *to, *sentence;
	} bad[] = {
		{"[l3.access]", "[l3.excess]",
		 ":10: signal 'l3.excess' is none, or given twice, or one too "
		 "many"},
		{"-insn.load", "insn", ":12: signal 'insn' is none, or given "
		 "twice, or one too many"},
		{"over: sum", "over: some", ":20: no event is called 'some'"},
		{"under: alone", "under: all", ":20: no event is called 'all'"},
		{"has: l3", "has: l4", ":9: 'l4' is not a word that 'has' can "
		 "be"},
		{"times: 5", "time: 5", ":20: unknown key 'time'"},
	};
	struct pmcsim_cpu *cpu = load_cpu();

	(void)state;
	for (size_t i = 0; i < SIM_COUNT(bad); i++) {
		struct pmcsim_error error;
		struct pmcsim_lexicon *l;
		char text[sizeof good + 40];
		const char *at = strstr(good, bad[i].from);

		assert_non_null(at);
		snprintf(text, sizeof text, "%.*s%s%s", (int)(at - good),
			 good, bad[i].to, at + strlen(bad[i].from));
		write_file(text);
		assert_int_equal(pmcsim_lexicon_load(cpu, &l, &error),
				 -EINVAL);
		assert_null(l);
		assert_int_equal(strncmp(error.text, path, strlen(path)), 0);
		assert_string_equal(error.text + strlen(path),
				    bad[i].sentence);
	}
	pmcsim_cpu_free(cpu);
}

/* The small machine with these fixed counters. */
static struct pmcsim_cpu *
load_fixed(const char *fixed)
{
	FILE *in = fopen(TEST_DATA_DIR "/tables/small.yaml", "r"), *out;
	char table[80], line[200];
	struct pmcsim_error error;
	struct pmcsim_cpu *cpu;

	snprintf(table, sizeof table, "%s/fixed.yaml", folder);
	out = fopen(table, "w");
	assert_non_null(in);
	assert_non_null(out);
	fprintf(out, "fixed_counters:\n%s", fixed);
	while (fgets(line, sizeof line, in))
		fputs(line, out);
	fclose(in);
	assert_int_equal(fclose(out), 0);
	assert_int_equal(pmcsim_cpu_load(table, &cpu, &error), 0);
	unlink(table);
	return cpu;
}

/* Fixed counters are above the two of the machine, with them or alone. */
static void
test_fixed(void **state)
{
	static const struct {
		const char *name;
		unsigned counters;
	} expected[] = {{"sum", 0x8 | 0x3}, {"total", 0x8 | 0x3},
			{"INSNS", 0x4}, {"CYCLES", 0x8 | 0x1}};
	struct pmcsim_cpu *cpu =
		load_fixed("  - {events: [INSNS], only: true}\n"
			   "  - {events: [total, CYCLES]}\n");
	struct pmcsim_error error;
	struct pmcsim_lexicon *l;

	(void)state;
	write_file(good);
	assert_int_equal(pmcsim_lexicon_load(cpu, &l, &error), 0);
	for (size_t i = 0; i < SIM_COUNT(expected); i++) {
		int n = pmcsim_lexicon_find(l, expected[i].name);

		assert_true(n >= 0);
		assert_int_equal(pmcsim_lexicon_counters(l, (size_t)n),
				 expected[i].counters);
	}
	pmcsim_lexicon_free(l);
	pmcsim_cpu_free(cpu);
}

static void
test_bad_fixed(void **state)
{
	static const struct {
		const char *fixed, *sentence;
	} bad[] = {
		{"  - {events: [sum]}\n  - {events: [sum, some]}\n",
		 "fixed.yaml:3: no event is called 'some'"},
		{"  - {events: [sum]}\n  - {events: [sum]}\n"
		 "  - {events: [sum]}\n  - {events: [sum]}\n"
		 "  - {events: [sum]}\n  - {events: [sum]}\n"
		 "  - {events: [sum]}\n  - {events: [sum]}\n"
		 "  - {events: [sum]}\n",
		 "fixed.yaml:1: more than 8 fixed counters"},
	};

	(void)state;
	write_file(good);
	for (size_t i = 0; i < SIM_COUNT(bad); i++) {
		struct pmcsim_cpu *cpu = load_fixed(bad[i].fixed);
		struct pmcsim_error error;
		struct pmcsim_lexicon *l;

		assert_int_equal(pmcsim_lexicon_load(cpu, &l, &error),
				 -EINVAL);
		assert_null(l);
		assert_string_equal(error.text + strlen(folder) + 1,
				    bad[i].sentence);
		pmcsim_cpu_free(cpu);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fixed),
		cmocka_unit_test(test_bad_fixed),
		cmocka_unit_test(test_good),
		cmocka_unit_test(test_bad),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
