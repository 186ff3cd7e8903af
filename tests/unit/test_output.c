/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Output files: complete, or as they were. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "pmcsim.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[64];

static int
enter_folder(void **state)
{
	(void)state;
	strcpy(folder, "/tmp/pmcsim-output.XXXXXX");
	return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int
leave_folder(void **state)
{
	(void)state;
	unlink("f");
	return chdir("/") == 0 && rmdir(folder) == 0 ? 0 : -1;
}

static unsigned
count_files(void)
{
	DIR *dir = opendir(".");
	unsigned n = 0;

	assert_non_null(dir);
	for (struct dirent *e; (e = readdir(dir));)
		n += e->d_name[0] != '.';
	closedir(dir);
	return n;
}

static void
assert_contents(const char *expected)
{
	char text[256] = "";
	FILE *in = fopen("f", "r");
	size_t n;

	assert_non_null(in);
	n = fread(text, 1, sizeof(text) - 1, in);
	text[n] = '\0';
	fclose(in);
	assert_string_equal(text, expected);
}

static void
write_file(const char *text, bool append)
{
	struct pmcsim_output *output;
	FILE *out;

	assert_int_equal(pmcsim_output_open("f", append, &output, &out), 0);
	fputs(text, out);
	assert_int_equal(pmcsim_output_close(output), 0);
}

static void
test_absent_until_closed(void **state)
{
	struct pmcsim_output *output;
	FILE *out;

	(void)state;
	assert_int_equal(pmcsim_output_open("f", false, &output, &out), 0);
	fputs("new\n", out);
	fflush(out);
	assert_int_equal(access("f", F_OK), -1);
	assert_int_equal(pmcsim_output_close(output), 0);
	assert_contents("new\n");
	assert_int_equal(count_files(), 1);
}

static void
test_abandoned_leaves_what_was(void **state)
{
	struct pmcsim_output *output;
	FILE *out;

	(void)state;
	write_file("old\n", false);
	for (int append = 0; append < 2; append++) {
		assert_int_equal(pmcsim_output_open("f", append, &output, &out),
				 0);
		fputs("half", out);
		pmcsim_output_abandon(output);
		assert_contents("old\n");
		assert_int_equal(count_files(), 1);
	}
}

static void
test_replaces_and_appends(void **state)
{
	struct stat st;

	(void)state;
	write_file("one\n", false);
	assert_int_equal(chmod("f", 0604), 0);
	write_file("two\n", true);
	assert_contents("one\ntwo\n");
	write_file("three\n", false);
	assert_contents("three\n");
	assert_int_equal(stat("f", &st), 0);
	assert_int_equal(st.st_mode & 07777, 0604);
}

/* Appenders that meet wait for each other: no line is lost. */
static void
test_appenders_take_turns(void **state)
{
	enum { PROCESSES = 4, LINES = 25 };
	struct stat st;
	int status;

	(void)state;
	write_file("", false);
	for (int i = 0; i < PROCESSES; i++) {
		if (fork() != 0)
			continue;
		for (int k = 0; k < LINES; k++)
			write_file("line\n", true);
		_exit(0);
	}
	for (int i = 0; i < PROCESSES; i++) {
		assert_true(wait(&status) > 0);
		assert_int_equal(status, 0);
	}
	assert_int_equal(stat("f", &st), 0);
	assert_int_equal(st.st_size, PROCESSES * LINES * 5);
	assert_int_equal(count_files(), 1);
}

static void
test_devices_are_written_to(void **state)
{
	struct pmcsim_output *output;
	struct stat st;
	FILE *out;

	(void)state;
	assert_int_equal(pmcsim_output_open("/dev/null", false, &output, &out),
			 0);
	fputs("gone", out);
	assert_int_equal(pmcsim_output_close(output), 0);
	assert_int_equal(stat("/dev/null", &st), 0);
	assert_true(S_ISCHR(st.st_mode));
	assert_int_equal(pmcsim_output_open("/dev/full", false, &output, &out),
			 0);
	fputs("lost", out);
	assert_int_equal(pmcsim_output_close(output), -ENOSPC);
}

static void
test_places_that_cannot_be(void **state)
{
	struct pmcsim_output *output;
	FILE *out;

	(void)state;
	assert_int_equal(pmcsim_output_open(".", false, &output, &out),
			 -EISDIR);
	assert_int_equal(pmcsim_output_open("no/f", false, &output, &out),
			 -ENOENT);
	assert_int_equal(pmcsim_output_check("no/f"), -ENOENT);
	assert_int_equal(pmcsim_output_check("f"), 0);
	assert_int_equal(access("f", F_OK), -1);
}

/* Names that leave no room for more. */
static void
test_long_names(void **state)
{
	char name[300];
	struct pmcsim_output *output;
	FILE *out;

	(void)state;
	for (size_t n = 98; n <= 255; n += n < 108 ? 1 : 49) {
		memset(name, 'x', n);
		memcpy(name + 98, "\xe2\x82\xac", 3);
		name[n] = '\0';
		assert_int_equal(pmcsim_output_open(name, false, &output,
						    &out), 0);
		assert_int_equal(count_files(), 1);
		assert_int_equal(pmcsim_output_close(output), 0);
		assert_int_equal(access(name, F_OK), 0);
		assert_int_equal(count_files(), 1);
		assert_int_equal(unlink(name), 0);
	}
	memset(name, 'x', 256);
	name[256] = '\0';
	assert_int_equal(pmcsim_output_check(name), -ENAMETOOLONG);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, enter_folder, leave_folder)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_absent_until_closed),
		TEST(test_abandoned_leaves_what_was),
		TEST(test_replaces_and_appends),
		TEST(test_appenders_take_turns),
		TEST(test_devices_are_written_to),
		TEST(test_places_that_cannot_be),
		TEST(test_long_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
