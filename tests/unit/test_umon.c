/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Profiles in files: read as they were written, or refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "pmcsim.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[64];

static int
make_file(void **state)
{
	int fd;

	(void)state;
	strcpy(path, "/tmp/pmcsim-umon.XXXXXX");
	fd = mkstemp(path);
	return fd < 0 ? -1 : close(fd);
}

static int
remove_file(void **state)
{
	(void)state;
	return unlink(path);
}

static const char *const modules[] = {"", "/bin/a b\\\n\377", "/lib/c.so"};
static const char *const builds[] = {NULL, "0123abcd", NULL};
static const struct pmcsim_image images[] = {{1, 0, false, 7},
					     {2, 1, true, 9}};
static const struct pmcsim_place places[] = {
	{1, 0, 0x10, 0x10, 0, {1, 0}},
	{1, 1, 0x20, 0x400020, 0, {2, 5}},
	{2, 2, 0x30, 0x7f0030, 0, {3, 1}},
};
static const struct pmcsim_place called[] = {
	{1, 0, 0x10, 0x10, 0, {1, 0}},
	{1, 1, 0x20, 0x400020, 1, {2, 5}},
	{2, 2, 0x30, 0x7f0030, 2, {3, 1}},
};
static const struct pmcsim_call calls[] = {{0, 1, 0x1c, 3}, {1, 1, 0x44, 0}};
static struct pmcsim_profile profile = {
	.n_events = 2, .period = 100, .each = {100, 10},
	.total = {650, 60}, .rest = {50, 0},
	.module = modules, .build = builds, .n_modules = 3, .image = images, .n_images = 2,
	.place = places, .n_places = 3, .lost = 4,
};
static char *command[] = {(char *)"run me", (char *)"", NULL};
static const struct pmcsim_umon sample = {
	.cpu = (char *)"ev5", .command = command,
	.event = {(char *)"cycles0", (char *)"loads"},
	.label = {(char *)"Cycles", (char *)"Load operations"},
	.clock_hz = 300000000, .stride = 16, .partial = true, .doubts = 1,
	.profile = &profile,
};

/* What is written, at *text; its length. */
static size_t
write_umon(const struct pmcsim_umon *u, char **text)
{
	size_t n;
	FILE *out = open_memstream(text, &n);

	assert_non_null(out);
	pmcsim_umon_write(u, out);
	assert_int_equal(fclose(out), 0);
	return n;
}

static size_t
write_sample(char **text)
{
	return write_umon(&sample, text);
}

static int
read_text(const char *text, size_t n, struct pmcsim_umon **u)
{
	struct pmcsim_error error = {""};
	FILE *out = fopen(path, "w");
	int rc;

	assert_non_null(out);
	assert_int_equal(fwrite(text, 1, n, out), n);
	assert_int_equal(fclose(out), 0);
	rc = pmcsim_umon_read(path, u, &error);
	assert_true((rc == 0) == (error.text[0] == '\0'));
	return rc;
}

static void
assert_is_sample(const struct pmcsim_umon *u)
{
	const struct pmcsim_profile *p = u->profile;

	assert_string_equal(u->cpu, "ev5");
	assert_string_equal(u->command[0], "run me");
	assert_string_equal(u->command[1], "");
	assert_null(u->command[2]);
	assert_string_equal(u->event[1], "loads");
	assert_string_equal(u->label[1], "Load operations");
	assert_true(u->partial);
	assert_int_equal(u->doubts, 1);
	assert_int_equal(u->stride, 16);
	assert_int_equal(u->clock_hz, 300000000);
	assert_int_equal(p->n_events, 2);
	assert_int_equal(p->each[1], 10);
	assert_int_equal(p->total[0], 650);
	assert_int_equal(p->rest[0], 50);
	assert_int_equal(p->lost, 4);
	assert_int_equal(p->n_modules, 3);
	for (size_t i = 0; i < 3; i++)
		assert_string_equal(p->module[i], modules[i]);
	assert_null(p->build[0]);
	assert_string_equal(p->build[1], "0123abcd");
	assert_null(p->build[2]);
	assert_int_equal(p->n_images, 2);
	assert_true(p->image[1].forked && p->image[1].pid == 9);
	assert_int_equal(p->n_places, 3);
	assert_memory_equal(p->place, places, sizeof places);
}

static void
reads_what_was_written(void **state)
{
	struct pmcsim_umon *u;
	char *text;
	size_t n = write_sample(&text);

	(void)state;
	assert_int_equal(read_text(text, n, &u), 0);
	assert_is_sample(u);
	assert_true(pmcsim_umon_is(path));
	pmcsim_umon_free(u);
	free(text);
}

static void
refuses_what_is_cut_off(void **state)
{
	struct pmcsim_umon *u;
	char *text;
	size_t n = write_sample(&text);

	(void)state;
	for (size_t k = 0; k < n; k++)
		assert_int_equal(read_text(text, k, &u), -EINVAL);
	free(text);
}

/* The checksum covers all but its own line, which is compared. */
static void
refuses_what_is_changed(void **state)
{
	struct pmcsim_umon *u;
	char *text;
	size_t n = write_sample(&text);

	(void)state;
	for (size_t k = 0; k < n; k++)
		for (unsigned bit = 0; bit < 8; bit++) {
			char was = text[k];

			text[k] = (char)(was ^ (1 << bit));
			/* Digits of the checksum may be capitals. */
			if (k < n - 17 || bit != 5)
				assert_int_equal(read_text(text, n, &u),
						 -EINVAL);
			text[k] = was;
		}
	free(text);
}

/* Replaces a text, and the checksum with the right one. */
static int
read_forged_of(const struct pmcsim_umon *of, const char *from, const char *to)
{
	struct pmcsim_umon *u;
	char *text, *forged, *end, *at;
	size_t n = write_umon(of, &text);
	uint64_t sum = UINT64_C(0xcbf29ce484222325);
	int rc;

	forged = calloc(n + strlen(to) + 1, 1);
	assert_non_null(forged);
	at = strstr(text, from);
	assert_non_null(at);
	sprintf(forged, "%.*s%s%s", (int)(at - text), text, to,
		at + strlen(from));
	end = strstr(forged, "\nend ") + 1;
	for (const char *c = forged; c < end; c++)
		sum = (sum ^ (unsigned char)*c) * 0x100000001b3;
	sprintf(end, "end %016llx\n", (unsigned long long)sum);
	rc = read_text(forged, strlen(forged), &u);
	if (!rc)
		pmcsim_umon_free(u);
	free(text);
	free(forged);
	return rc;
}

static int
read_forged(const char *from, const char *to)
{
	return read_forged_of(&sample, from, to);
}

static void
refuses_what_does_not_add_up(void **state)
{
	static const char *const bad[][2] = {
		{"umon 3", "umon 4"},
		{"umon 3", "umon 1"},
		{"umon 3", "umon 33"},
		{"umon 3", "umon 2"},
		{"0123abcd", "0123abcx"},
		{"0123abcd", "0123abc"},
		{"0123abcd", "0123abcd ef"},
		{" 50 counted", " 50"},
		{" 50 counted", " 50 guessed"},
		{" 50 counted", " 50 estimated"},
		{" 650 50", " 651 50"},
		{" 650 50", " 650 651"},
		{" 100 650", " 0 650"},
		{" 100 650", " 18446744073709551615 650"},
		{"at 1 0 10 10 1 0", "at 1 3 10 10 1 0"},
		{"at 1 0 10 10 1 0", "at 1 0 10 10 1"},
		{"at 1 0 10 10 1 0", "at 1 0 10 10 1 0 0"},
		{"at 1 0 10 10 1 0", "at -1 0 10 10 1 0"},
		{"at 1 0 10 10 1 0", "at 1 0 10 10 99999999999999999999 0"},
		{"at 1 0 10 10 1 0", "at 1 0 1g 10 1 0"},
		{"cpu ev5", "cpu ev5\ncpu ev5"},
		{"cpu ev5\n", ""},
		{"command run\\040me", "command run\\04"},
		{"command run\\040me", "command run\\000me"},
		{"state partial", "state begun"},
		{"module \\\n", ""},
		{"process 1 0", "what 1 0"},
		{"at 1 0", "event loads Loads 1 0 0 counted\nat 1 0"},
		{"process 1 0", "ratio a b 0 1 2 1\nprocess 1 0"},
		{"process 1 0", "ratio a b 0 0 1 1\nprocess 1 0"},
		{"process 1 0", "ratio a b 0 1 1\nprocess 1 0"},
		{"at 1 0", "function 0 10 8 f\nat 1 0"},
		{"at 1 0", "function 3 10 8 f\nat 1 0"},
		{"at 1 0", "function 1 10 8\nat 1 0"},
		{"at 1 0", "function 1 10 8 \\\nat 1 0"},
		{"at 1 0", "function 1 10 8 f g\nat 1 0"},
		{"at 1 0", "function 1 10 ffffffffffffffff f\nat 1 0"},
	};

	(void)state;
	assert_int_equal(read_forged("cpu ev5", "cpu ev4"), 0);
	assert_int_equal(read_forged(" 0123abcd", ""), 0);
	assert_int_equal(read_forged("process 1 0", "ratio a b 0 100 1 1\n"
				     "process 1 0"), 0);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_int_equal(read_forged(bad[i][0], bad[i][1]), -EINVAL);
}

static void
reads_calls(void **state)
{
	static const char *const bad[][2] = {
		{"umon 4", "umon 3"},
		{"call 0 1 1c 3\n", ""},
		{"call 0 1 1c 3", "call 1 1 1c 3"},
		{"call 0 1 1c 3", "call 0 3 1c 3"},
		{"call 0 1 1c 3", "call 0 1 1c"},
		{"call 0 1 1c 3", "call 0 1 1c 3 4"},
		{"20 400020 1 2 5", "20 400020 3 2 5"},
		{"20 400020 1 2 5", "20 400020 2 5"},
	};
	struct pmcsim_umon *u;
	char *text;
	size_t n;

	(void)state;
	profile.calls = true;
	profile.call = calls;
	profile.n_calls = 2;
	profile.place = called;
	n = write_sample(&text);
	assert_int_equal(read_text(text, n, &u), 0);
	assert_true(u->profile->calls);
	assert_int_equal(u->profile->n_calls, 2);
	assert_memory_equal(u->profile->call, calls, sizeof calls);
	assert_memory_equal(u->profile->place, called, sizeof called);
	pmcsim_umon_free(u);
	free(text);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_int_equal(read_forged(bad[i][0], bad[i][1]), -EINVAL);
	profile.calls = false;
	profile.call = NULL;
	profile.n_calls = 0;
	profile.place = places;
}

static void
reads_files_without_build_ids(void **state)
{
	(void)state;
	profile.build = NULL;
	assert_int_equal(read_forged("umon 3", "umon 2"), 0);
	assert_int_equal(read_forged("umon 3", "umon 1"), -EINVAL);
	profile.build = builds;
}

static struct pmcsim_umon_region regions[] = {
	{.is = {.name = "a b", .entries = 3, .unended = 1, .unbegun = 2,
		.left_out = 4}, .count = {70, 6}},
	{.is = {.name = "c", .entries = 1}, .count = {30, 0}},
};

static void
reads_regions(void **state)
{
	static const char *const bad[][2] = {
		{"umon 5", "umon 3"},
		{"region c part 1", "region c only 1"},
		{"region c part 1", "region c some 1"},
		{"region c part 1", "region \\ part 1"},
		{"region c part 1 0", "region c part 1 2"},
		{" 30 0\nprocess", " 30\nprocess"},
		{" 30 0\nprocess", " 30 0 0\nprocess"},
		{"process 1 0", "event loads Loads 1 0 0 counted\nprocess 1 0"},
	};
	struct pmcsim_umon with = sample, *u;
	char *text;
	size_t n;

	(void)state;
	with.region = regions;
	with.n_regions = 2;
	n = write_umon(&with, &text);
	assert_int_equal(read_text(text, n, &u), 0);
	assert_is_sample(u);
	assert_int_equal(u->n_regions, 2);
	assert_false(u->only);
	assert_string_equal(u->region[0].is.name, "a b");
	assert_int_equal(u->region[0].is.entries, 3);
	assert_int_equal(u->region[0].is.unended, 1);
	assert_int_equal(u->region[0].is.unbegun, 2);
	assert_int_equal(u->region[0].is.left_out, 4);
	assert_int_equal(u->region[0].count[0], 70);
	assert_int_equal(u->region[0].count[1], 6);
	assert_int_equal(u->region[1].count[0], 30);
	pmcsim_umon_free(u);
	free(text);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_int_equal(read_forged_of(&with, bad[i][0], bad[i][1]),
				 -EINVAL);
	with.n_regions = 1;
	with.only = true;
	n = write_umon(&with, &text);
	assert_int_equal(read_text(text, n, &u), 0);
	assert_true(u->only);
	pmcsim_umon_free(u);
	free(text);
}

/* Calls and regions are a version of their own. */
static void
reads_regions_beside_calls(void **state)
{
	struct pmcsim_umon with = sample, *u;
	char *text;
	size_t n;

	(void)state;
	with.region = regions;
	with.n_regions = 2;
	profile.calls = true;
	profile.call = calls;
	profile.n_calls = 2;
	profile.place = called;
	n = write_umon(&with, &text);
	assert_int_equal(strncmp(text, "pmcsim-umon 6\n", 14), 0);
	assert_int_equal(read_text(text, n, &u), 0);
	assert_true(u->profile->calls);
	assert_int_equal(u->n_regions, 2);
	assert_memory_equal(u->profile->place, called, sizeof called);
	pmcsim_umon_free(u);
	free(text);
	profile.calls = false;
	profile.call = NULL;
	profile.n_calls = 0;
	profile.place = places;
}

static void
adds_regions_up(void **state)
{
	struct pmcsim_umon with = sample, other = sample, *u;
	struct pmcsim_umon_region more[] = {
		{.is = {.name = "b", .entries = 9}, .count = {5, 5}},
		regions[0],
	};
	struct pmcsim_error error;
	char *text;
	size_t n;

	(void)state;
	with.region = regions;
	with.n_regions = 2;
	other.region = more;
	other.n_regions = 2;
	n = write_umon(&with, &text);
	assert_int_equal(read_text(text, n, &u), 0);
	assert_int_equal(pmcsim_umon_add(u, &other, &error), 0);
	assert_int_equal(u->n_regions, 3);
	assert_int_equal(u->region[0].is.entries, 6);
	assert_int_equal(u->region[0].is.unended, 2);
	assert_int_equal(u->region[0].is.unbegun, 4);
	assert_int_equal(u->region[0].is.left_out, 8);
	assert_int_equal(u->region[0].count[0], 140);
	assert_string_equal(u->region[1].is.name, "b");
	assert_int_equal(u->region[1].is.entries, 9);
	assert_int_equal(u->region[2].count[0], 30);
	/* One region alone is not the whole. */
	other.n_regions = 1;
	other.only = true;
	assert_int_equal(pmcsim_umon_add(u, &other, &error), -EINVAL);
	assert_string_equal(error.text,
			    "profiles of different regions cannot be added "
			    "up");
	pmcsim_umon_free(u);
	free(text);
}

/* Functions of code that is in no file. */
static void
lists_functions(void **state)
{
	static struct pmcsim_listed listed[] = {
		{2, 0x20, 0x10, (char *)"first"},
		{2, 0x30, 0x8, (char *)"(entry)"},
		{2, 0x38, 0x8, (char *)"last"},
	};
	struct pmcsim_umon with = sample, *u;
	struct pmcsim_symbols *symbols;
	struct pmcsim_symbol symbol;
	struct pmcsim_error error;
	char *text;
	size_t n;
	FILE *out = open_memstream(&text, &n);

	(void)state;
	with.listed = listed;
	with.n_listed = 3;
	assert_non_null(out);
	pmcsim_umon_write(&with, out);
	assert_int_equal(fclose(out), 0);
	assert_int_equal(read_text(text, n, &u), 0);
	assert_int_equal(u->n_listed, 3);
	symbols = pmcsim_umon_symbols(u);
	assert_non_null(symbols);
	pmcsim_symbol_find(symbols, modules[2], 0x34, true, &symbol);
	assert_string_equal(symbol.name, "(entry)");
	assert_int_equal(symbol.start, 0x30);
	assert_int_equal(symbol.size, 8);
	assert_null(symbol.file);
	pmcsim_symbol_find(symbols, modules[2], 0x40, false, &symbol);
	assert_null(symbol.name);
	assert_true(pmcsim_symbols_function(symbols, modules[2], 2, &symbol));
	assert_string_equal(symbol.name, "last");
	assert_false(pmcsim_symbols_function(symbols, modules[2], 3,
					     &symbol));
	pmcsim_symbols_free(symbols);
	/* Only with the same. */
	assert_int_equal(pmcsim_umon_add(u, &with, &error), 0);
	assert_int_equal(pmcsim_umon_add(u, &sample, &error), -EINVAL);
	assert_string_equal(error.text,
			    "profiles of different kernels cannot be added "
			    "up");
	pmcsim_umon_free(u);
	free(text);
}

static void
adds_up(void **state)
{
	struct pmcsim_umon *u, *v;
	struct pmcsim_error error;
	char *text;
	size_t n = write_sample(&text);

	(void)state;
	assert_int_equal(read_text(text, n, &u), 0);
	assert_int_equal(read_text(text, n, &v), 0);
	assert_int_equal(pmcsim_umon_add(u, v, &error), 0);
	assert_int_equal(u->profile->total[0], 1300);
	assert_int_equal(u->profile->rest[0], 100);
	assert_int_equal(u->profile->n_modules, 3);
	assert_int_equal(u->profile->n_places, 6);
	assert_int_equal(u->profile->place[5].image, 4);
	assert_int_equal(u->profile->image[3].parent, 3);
	/* Another build of the second module. */
	free((void *)v->profile->build[1]);
	((const char **)(void *)v->profile->build)[1] = strdup("ef");
	assert_int_equal(pmcsim_umon_add(u, v, &error), 0);
	assert_int_equal(u->profile->n_modules, 4);
	assert_string_equal(u->profile->module[3], modules[1]);
	assert_string_equal(u->profile->build[3], "ef");
	assert_int_equal(u->profile->place[7].module, 3);
	v->profile->each[1] = 11;
	assert_int_equal(pmcsim_umon_add(u, v, &error), -EINVAL);
	assert_string_equal(error.text,
			    "profiles of different periods cannot be added "
			    "up");
	v->profile->each[1] = 10;
	v->profile->total[1] = UINT64_MAX;
	assert_int_equal(pmcsim_umon_add(u, v, &error), -E2BIG);
	pmcsim_umon_free(u);
	pmcsim_umon_free(v);
	free(text);
}

/* Places of two images; what is put together has one of each. */
static void
rounds_places(void **state)
{
	const struct pmcsim_place fine[] = {
		{1, 1, 0x10, 0x400010, 0, {1, 0}},
		{2, 1, 0x10, 0x500010, 0, {2, 7}},
		{1, 1, 0x14, 0x400014, 0, {3, 0}},
		{1, 1, 0x20, 0x400020, 0, {4, 1}},
		{2, 2, 0x1c, 0x7f001c, 0, {5, 0}},
	};
	const struct pmcsim_place by_16[] = {
		{1, 1, 0x10, 0x400010, 0, {4, 0}},
		{2, 1, 0x10, 0x500010, 0, {2, 7}},
		{1, 1, 0x20, 0x400020, 0, {4, 1}},
		{2, 2, 0x10, 0x7f0010, 0, {5, 0}},
	};
	const struct pmcsim_place in_all[] = {
		{1, 1, 0, 0x400000, 0, {8, 1}},
		{2, 1, 0, 0x500000, 0, {2, 7}},
		{2, 2, 0, 0x7f0000, 0, {5, 0}},
	};
	struct pmcsim_place place[5];
	struct pmcsim_profile p = {.place = place};

	(void)state;
	memcpy(place, fine, sizeof place);
	p.n_places = 5;
	pmcsim_profile_round(&p, 4);
	assert_int_equal(p.n_places, 5);
	assert_memory_equal(place, fine, sizeof fine);
	pmcsim_profile_round(&p, 16);
	assert_int_equal(p.n_places, 4);
	assert_memory_equal(place, by_16, sizeof by_16);
	pmcsim_profile_round(&p, 0);
	assert_int_equal(p.n_places, 3);
	assert_memory_equal(place, in_all, sizeof in_all);
}

static void
refuses_what_is_no_file(void **state)
{
	struct pmcsim_error error;
	struct pmcsim_umon *u;

	(void)state;
	assert_int_equal(pmcsim_umon_read("/dev/zero", &u, &error), -EINVAL);
	assert_int_equal(pmcsim_umon_read("/nowhere/x", &u, &error),
			 -ENOENT);
	assert_false(pmcsim_umon_is("/nowhere/x"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_what_was_written),
		cmocka_unit_test(refuses_what_is_cut_off),
		cmocka_unit_test(refuses_what_is_changed),
		cmocka_unit_test(refuses_what_does_not_add_up),
		cmocka_unit_test(reads_files_without_build_ids),
		cmocka_unit_test(reads_calls),
cmocka_unit_test(reads_regions),
cmocka_unit_test(reads_regions_beside_calls),
cmocka_unit_test(adds_regions_up),
		cmocka_unit_test(adds_up),
		cmocka_unit_test(lists_functions),
		cmocka_unit_test(rounds_places),
		cmocka_unit_test(refuses_what_is_no_file),
	};

	return cmocka_run_group_tests(tests, make_file, remove_file);
}
