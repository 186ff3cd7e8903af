/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The 34K's table, for tests that look into it. */
#ifndef TEST_CPU_FIXTURE_H
#define TEST_CPU_FIXTURE_H

#include "pmcsim.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#ifndef TEST_DATA_DIR
#error "the build must define TEST_DATA_DIR, the folder tests/data"
#endif

#define EVENTS TEST_DATA_DIR "/../../events"

static inline int
load_34k(void **state)
{
	struct pmcsim_error error;
	struct pmcsim_cpu *cpu;

	setenv("PMCSIM_EVENTS", EVENTS, 1);
	if (pmcsim_cpu_load("mips34k", &cpu, &error)) {
		print_error("%s\n", error.text);
		return -1;
	}
	*state = cpu;
	return 0;
}

static inline int
unload(void **state)
{
	pmcsim_cpu_free(*state);
	return 0;
}

#endif
