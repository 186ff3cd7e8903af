/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Machines of the library, for programs that have many, one after the other. */
#include "cpu_fixture.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

/* The lowest descriptor that is free. */
static int
next_descriptor(void)
{
	int fd = open("/dev/null", O_RDONLY);

	assert_true(fd >= 0);
	close(fd);
	return fd;
}

/* The first one leaves the descriptor of code that all share. */
static void
machines_in_memory_leave_nothing_open(void **state)
{
	const struct pmcsim_cpu *cpu = *state;
	struct pmcsim_machine *m;
	struct pmcsim_error error;
	int fd = -1;

	for (unsigned i = 0; i < 4; i++) {
		assert_int_equal(pmcsim_machine_new(cpu, NULL, &m, &error), 0);
		pmcsim_machine_free(m);
		if (!i)
			fd = next_descriptor();
		assert_int_equal(next_descriptor(), fd);
	}
}

static void
machines_in_files_leave_nothing_open(void **state)
{
	char folder[] = "/tmp/test_library.XXXXXX", path[sizeof folder + 2];
	const struct pmcsim_cpu *cpu = *state;
	int fd = next_descriptor();
	struct pmcsim_machine *m;
	struct pmcsim_error error;

	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof path, "%s/m", folder);
	assert_int_equal(pmcsim_machine_new(cpu, path, &m, &error), 0);
	pmcsim_machine_free(m);
	assert_int_equal(next_descriptor(), fd);
	assert_int_equal(pmcsim_machine_open(path, &m, &error), 0);
	pmcsim_machine_free(m);
	assert_int_equal(next_descriptor(), fd);
	assert_true(pmcsim_machine_new(cpu, path, &m, &error) < 0);
	assert_int_equal(next_descriptor(), fd);
	/* Of no machine. */
	assert_int_equal(truncate(path, 0), 0);
	assert_true(pmcsim_machine_open(path, &m, &error) < 0);
	assert_int_equal(next_descriptor(), fd);
	unlink(path);
	rmdir(folder);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(machines_in_memory_leave_nothing_open),
		cmocka_unit_test(machines_in_files_leave_nothing_open),
	};

	return cmocka_run_group_tests(tests, load_34k, unload);
}
