/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What comes out of a board, whatever a command has put there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/engine_fetch.h"
#include "machine/types.h"
#include "system/system_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define DEPTH 1500	/* folders: a path longer than PATH_MAX */

static char folder[] = "/tmp/pmcsim-result.XXXXXX";

static int
set_up(void **state)
{
	(void)state;
	strcpy(folder + strlen(folder) - 6, "XXXXXX");
	return mkdtemp(folder) && !chdir(folder) ? 0 : -1;
}

static int
tear_down(void **state)
{
	(void)state;
	return chdir("/") || fetch_remove_tree(folder) ||
	       access(folder, F_OK) == 0;
}

static void
put(const char *name, const char *text)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

/* What system_pass_on() writes, of at most 64 bytes; "" if it fails. */
static const char *
passed(int expected)
{
	static const volatile int never;
	static char text[65];
	int to = open("passed", O_RDWR | O_CREAT | O_TRUNC, 0600);
	ssize_t n;

	assert_true(to >= 0);
	assert_int_equal(system_pass_on(folder, "stdout", to, &never),
			 expected);
	n = pread(to, text, sizeof text - 1, 0);
	assert_true(n >= 0);
	text[n] = '\0';
	close(to);
	return text;
}

static void
a_file_is_passed_on(void **state)
{
	(void)state;
	put("stdout", "two\nlines");
	assert_string_equal(passed(0), "two\nlines");
	unlink("stdout");
	assert_string_equal(passed(0), "");
}

static void
nothing_else_is_passed_on(void **state)
{
	struct sockaddr_un at = {.sun_family = AF_UNIX, .sun_path = "stdout"};
	int fd;

	(void)state;
	put("secret", "secret");
	assert_int_equal(symlink("secret", "stdout"), 0);
	assert_string_equal(passed(-EPROTO), "");
	unlink("stdout");
	assert_int_equal(symlink("/dev/zero", "stdout"), 0);
	assert_string_equal(passed(-EPROTO), "");
	unlink("stdout");
	/* One that is not waited for. */
	assert_int_equal(mkfifo("stdout", 0600), 0);
	assert_string_equal(passed(-EPROTO), "");
	unlink("stdout");
	assert_int_equal(mkdir("stdout", 0700), 0);
	assert_string_equal(passed(-EPROTO), "");
	rmdir("stdout");
	fd = socket(AF_UNIX, SOCK_STREAM, 0);
	assert_int_equal(bind(fd, (struct sockaddr *)&at, sizeof at), 0);
	assert_string_equal(passed(-EPROTO), "");
	close(fd);
}

static void
no_more_than_a_board_has_is_passed_on(void **state)
{
	(void)state;
	put("stdout", "text");
	assert_int_equal(truncate("stdout", 1ll << 40), 0);
	assert_string_equal(passed(-EFBIG), "");
	assert_int_equal(truncate("stdout", SYSTEM_OUTPUT_LIMIT + 1ll), 0);
	assert_string_equal(passed(-EFBIG), "");
}

static void
a_full_disk_and_a_stop_are_noticed(void **state)
{
	static const volatile int never, now = 15;
	int full = open("/dev/full", O_WRONLY);

	(void)state;
	put("stdout", "text");
	if (full >= 0)
		assert_int_equal(system_pass_on(folder, "stdout", full,
						&never), -ENOSPC);
	close(full);
	assert_int_equal(system_pass_on(folder, "stdout", 1, &now), -EINTR);
}

/* ---- The end --------------------------------------------------------- */

static void
tokens_differ(void **state)
{
	char a[SYSTEM_TOKEN], b[SYSTEM_TOKEN];

	(void)state;
	assert_int_equal(system_token_make(a), 0);
	assert_int_equal(system_token_make(b), 0);
	assert_int_equal(strspn(a, "0123456789abcdef"), SYSTEM_TOKEN - 1);
	assert_int_equal(strlen(a), SYSTEM_TOKEN - 1);
	assert_string_not_equal(a, b);
}

static void
only_the_token_ends_a_command(void **state)
{
	static const struct {
		const char *rest;
		int rc, status;
	} line[] = {
		{"0123abcd 0", 0, 0},
		{"0123abcd 255", 0, 255},
		{"0123abcd 3 lost", -ENOSPC, 3},
		{"125", -ENOEXEC, -1},
		{"0", -EAGAIN, -1},
		{"", -EAGAIN, -1},
		{"0123abce 0", -EAGAIN, -1},
		{"0123abcd", -EAGAIN, -1},
		{"0123abcd0", -EAGAIN, -1},
		{" 0123abcd 0", -EAGAIN, -1},
		{"0123abcd ", -EPROTO, -1},
		{"0123abcd -1", -EPROTO, -1},
		{"0123abcd  1", -EPROTO, -1},
		{"0123abcd 256", -EPROTO, -1},
		{"0123abcd 99999999999999999999", -EPROTO, -1},
		{"0123abcd 1x", -EPROTO, -1},
		{"0123abcd 1 los", -EPROTO, -1},
	};

	(void)state;
	for (size_t i = 0; i < SIM_COUNT(line); i++) {
		int status = -1;

		assert_int_equal(system_read_end(line[i].rest, "0123abcd",
						 &status), line[i].rc);
		assert_int_equal(status, line[i].status);
	}
}

/* A console that says text, and no more. */
static void
console_saying(struct system_qemu *q, const char *text)
{
	int end[2];

	*q = (struct system_qemu){.pid = -1, .monitor = -1};
	assert_int_equal(pipe(end), 0);
	assert_int_equal(write(end[1], text, strlen(text)), strlen(text));
	close(end[1]);
	q->console[0] = end[0];
	q->console[1] = -1;
}

static void
forged_ends_are_passed_over(void **state)
{
	static const volatile int never;
	char text[1024] = "pmcsim done 0\nsome text\n"
		"pmcsim done 00000000 0\n";
	struct system_qemu q;
	int status = -1;

	(void)state;
	/* A line longer than there is room for goes on as another one. */
	memset(text + strlen(text), 'x', 511);
	strcat(text, "pmcsim done 77777777 1\nno pmcsim done 0123abcd 4\n"
	       "pmcsim done 0123abcd 5\n");
	console_saying(&q, text);
	assert_int_equal(system_await_end(&q, "0123abcd", 60, &never,
					  &status), 0);
	assert_int_equal(status, 5);
	assert_int_equal(system_await_end(&q, "0123abcd", 60, &never,
					  &status), -EPIPE);
	close(q.console[0]);
}

/* ---- The job --------------------------------------------------------- */

/* All of the script. */
static void
read_script(const struct system_job *job, char *text, size_t size)
{
	char path[PATH_MAX];
	FILE *in;
	size_t n;

	snprintf(path, sizeof path, "%s/script", job->folder);
	in = fopen(path, "r");
	assert_non_null(in);
	n = fread(text, 1, size - 1, in);
	assert_true(n < size - 1);
	text[n] = '\0';
	fclose(in);
}

static void
a_script_of_the_host_is_given_to_its_interpreter(void **state)
{
	static char script[] = "./s.sh", word[] = "it's";
	static char text[1 << 18];
	char *argv[] = {script, word, NULL}, path[2 * PATH_MAX];
	struct pmcsim_error error;
	struct system_job job;

	(void)state;
	put("s.sh", "#!/bin/sh -e\necho \"$@\"\n");
	assert_int_equal(chmod("s.sh", 0755), 0);
	if (access("/bin/sh", X_OK))
		skip();
	assert_int_equal(system_job_make(&job, pmcsim_system_find_board("pc"),
					 argv, &error), 0);
	read_script(&job, text, sizeof text);
	assert_non_null(strstr(text, "\nmeasure '/bin/sh' '/bin/sh' '-e' "
			       "'./s.sh' 'it'\\''s' < "));
	snprintf(path, sizeof path, "%s/root%s/s.sh", job.folder, folder);
	assert_int_equal(access(path, R_OK), 0);
	system_job_remove(&job);
}

static void
the_script_has_no_token(void **state)
{
	static char name[] = "true";
	static char text[1 << 18];
	char *argv[] = {name, NULL};
	struct pmcsim_error error;
	struct system_job job;

	(void)state;
	assert_int_equal(system_job_make(&job,
					 pmcsim_system_find_board("malta"),
					 argv, &error), 0);
	read_script(&job, text, sizeof text);
	assert_int_equal(strncmp(text, "set -- \"${go##* }\"\nunset go\n",
				 28), 0);
	system_job_remove(&job);
}

/* As a user that is not allowed everything. */
static void
whatever_is_in_a_folder_is_removed(void **state)
{
	bool root = geteuid() == 0;
	char name[256], outside[] = "/tmp/pmcsim-outside.XXXXXX";
	int at, fd = mkstemp(outside);

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	if (root)
		assert_int_equal(chown(folder, 65534, 65534) ||
				 seteuid(65534), 0);
	assert_int_equal(mkdir("tree", 0700), 0);
	at = open("tree", O_RDONLY | O_DIRECTORY);
	memset(name, 'n', 200);
	name[200] = '\0';
	for (int i = 0; i < DEPTH; i++) {
		int next;

		assert_int_equal(mkdirat(at, name, 0700), 0);
		next = openat(at, name, O_RDONLY | O_DIRECTORY);
		assert_true(next >= 0);
		assert_int_equal(symlinkat(outside, at, "link"), 0);
		assert_int_equal(symlinkat("..", next, "up"), 0);
		assert_int_equal(mknodat(next, "7", S_IFIFO | 0600, 0), 0);
		assert_int_equal(fchmod(at, i & 1 ? 0 : 0500), 0);
		close(at);
		at = next;
	}
	close(at);
	assert_int_equal(chmod("tree", 0), 0);
	assert_int_equal(fetch_remove_tree("tree"), 0);
	assert_int_equal(access("tree", F_OK), -1);
	assert_int_equal(symlink(outside, "link"), 0);
	assert_int_equal(fetch_remove_tree("link"), 0);
	assert_int_equal(access("link", F_OK), -1);
	assert_int_equal(fetch_remove_tree("absent"), 0);
	if (root)
		assert_int_equal(seteuid(0), 0);
	assert_int_equal(access(outside, F_OK), 0);
	unlink(outside);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_file_is_passed_on),
		TEST(nothing_else_is_passed_on),
		TEST(no_more_than_a_board_has_is_passed_on),
		TEST(a_full_disk_and_a_stop_are_noticed),
		cmocka_unit_test(tokens_differ),
		cmocka_unit_test(only_the_token_ends_a_command),
		cmocka_unit_test(forged_ends_are_passed_over),
		TEST(a_script_of_the_host_is_given_to_its_interpreter),
		TEST(the_script_has_no_token),
		TEST(whatever_is_in_a_folder_is_removed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
