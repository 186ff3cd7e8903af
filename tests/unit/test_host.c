/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of a host of which this and that is known. */
#include "engine/engine_fetch.h"
#include "table/host.h"
#include "table/table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static struct yaml_cpu cpu;
static char *text;

/* The table is made and read. */
static void
make(const struct host_facts *f)
{
	struct pmcsim_error error;
	struct table_file file;

	assert_int_equal(host_table(f, &text, &error), 0);
	assert_int_equal(table_file_parse(&file, TABLE_CPU, "host", text,
					  strlen(text), &error), 0);
	assert_int_equal(table_check_machine(&file, &error), 0);
	assert_string_equal(file.cpu->name, "host");
	cpu.config = file.cpu->config;
	table_file_free(&file);
}

static void
says(const char *line)
{
	print_message("# %s\n", line);
	assert_non_null(strstr(text, line));
}

static void
is_cache(const struct cache_config *c, unsigned size, unsigned ways,
	 unsigned line)
{
	assert_int_equal(c->size, size);
	assert_int_equal(c->ways, ways);
	assert_int_equal(c->line, line);
}

static void
test_amd(void **state)
{
	static const struct host_facts f = {
		.vendor = "AuthenticAMD", .brand = "AMD Something 9",
		.hz = 3000000000,
		.l1i = {32768, 8, 64}, .l1d = {49152, 12, 64},
		.l2 = {1048576, 8, 64}, .l3 = {100663296, 16, 64},
		.itlb = {64, 0}, .dtlb = {72, 0},
		.second_i = {512, 4}, .second_d = {3072, 24}};

	(void)state;
	make(&f);
	assert_int_equal(cpu.config.clock_hz, 3000000000);
	is_cache(&cpu.config.l1i, 32768, 8, 64);
	is_cache(&cpu.config.l1d, 49152, 12, 64);
	is_cache(&cpu.config.l2, 1048576, 8, 64);
	/* Not a power of two. */
	is_cache(&cpu.config.l3, 67108864, 16, 64);
	says("l3: 100663296 bytes are 98304 sets; modelled are 65536, of "
	     "67108864 bytes\n");
	assert_true(cpu.config.l3.victim);
	assert_int_equal(cpu.config.dtlb.entries, 72);
	assert_int_equal(cpu.config.dtlb.ways, 0);
	assert_int_equal(cpu.config.jtlb.entries, 512);
	assert_int_equal(cpu.config.jtlb.ways, 4);
	assert_int_equal(cpu.config.jtlb_data.entries, 2048);
	says("jtlb_data: 3072 entries of 24 ways are not modelled; zen3's\n");
	says("size: 1048576  # this host\n");
	says("AMD Something 9: its caches and TLBs, on the core of zen3\n");
	free(text);
}

static void
test_intel(void **state)
{
	static const struct host_facts f = {
		.vendor = "GenuineIntel", .l1d = {49152, 12, 64},
		.both = {2048, 16}};

	(void)state;
	make(&f);
	assert_int_equal(cpu.config.clock_hz, 4000000000);
	says("clock_hz: not known; skylake's\n");
	says("l1i: not known; skylake's\n");
	says("l3: not known; skylake's\n");
	is_cache(&cpu.config.l1d, 49152, 12, 64);
	is_cache(&cpu.config.l1i, 32768, 8, 64);
	assert_int_equal(cpu.config.jtlb.entries, 2048);
	assert_int_equal(cpu.config.jtlb.ways, 16);
	says("a processor without a name: its caches and TLBs, on the core of "
	     "skylake\n");
	free(text);
}

/* What no model has, whatever it is, is left as it is. */
static void
test_odd(void **state)
{
	static const struct host_facts f = {
		.vendor = "GenuineIntel", .hz = 12, .l1d = {1 << 30, 8, 64},
		.l1i = {32768, 65, 64}, .l2 = {262144, 4, 48},
		.l3 = {64, 16, 64}, .itlb = {48, 4}, .dtlb = {64, 3},
		.both = {1u << 20, 4}};

	(void)state;
	make(&f);
	assert_int_equal(cpu.config.clock_hz, 4000000000);
	is_cache(&cpu.config.l1d, 32768, 8, 64);
	is_cache(&cpu.config.l1i, 32768, 8, 64);
	is_cache(&cpu.config.l2, 262144, 4, 64);
	is_cache(&cpu.config.l3, 8388608, 16, 64);
	assert_int_equal(cpu.config.itlb.entries, 128);
	assert_int_equal(cpu.config.dtlb.entries, 64);
	assert_int_equal(cpu.config.dtlb.ways, 4);
	assert_int_equal(cpu.config.jtlb.entries, 1536);
	says("l1i: 32768 bytes of 65 ways and lines of 64 are not modelled; "
	     "skylake's\n");
	says("itlb: 48 entries of 4 ways are not modelled; skylake's\n");
	free(text);
}

/* ---- The kernel's folder ----------------------------------------------- */

static char folder[] = "/tmp/pmcsim-host-XXXXXX";

static void
put(unsigned index, const char *name, const char *what)
{
	char path[200];
	FILE *out;

	snprintf(path, sizeof path, "%s/cpu0/cache/index%u", folder, index);
	mkdir(path, 0700);
	strcat(path, "/");
	strcat(path, name);
	out = fopen(path, "w");
	assert_non_null(out);
	fprintf(out, "%s\n", what);
	fclose(out);
}

static void
put_cache(unsigned index, const char *level, const char *type,
	  const char *size, const char *ways)
{
	put(index, "level", level);
	put(index, "type", type);
	put(index, "size", size);
	put(index, "ways_of_associativity", ways);
	put(index, "coherency_line_size", "64");
}

static void
test_folder(void **state)
{
	struct host_facts f = {0};
	char path[200];

	(void)state;
	assert_non_null(mkdtemp(folder));
	host_ask_folder(&f, folder);
	assert_int_equal(f.l1d.size, 0);
	snprintf(path, sizeof path, "%s/cpu0", folder);
	mkdir(path, 0700);
	strcat(path, "/cache");
	mkdir(path, 0700);
	put_cache(0, "1", "Data", "48K", "12");
	put_cache(1, "1", "Instruction", "32K", "8");
	put_cache(2, "2", "Unified", "2M", "16");
	put_cache(3, "3", "Unified", "what", "x");
	put_cache(4, "4", "Unified", "1M", "16");
	host_ask_folder(&f, folder);
	assert_int_equal(f.l1d.size, 49152);
	assert_int_equal(f.l1d.ways, 12);
	assert_int_equal(f.l1i.size, 32768);
	assert_int_equal(f.l2.size, 2097152);
	assert_int_equal(f.l2.line, 64);
	assert_int_equal(f.l3.size, 0);
	assert_int_equal(f.hz, 0);
	assert_int_equal(fetch_remove_tree(folder), 0);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_amd),
		cmocka_unit_test(test_intel),
		cmocka_unit_test(test_odd),
		cmocka_unit_test(test_folder),
	};

	setenv("PMCSIM_EVENTS", TEST_DATA_DIR "/../../events", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
