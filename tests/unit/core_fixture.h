/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A core of its own, without a machine's segments. */
#ifndef TEST_CORE_FIXTURE_H
#define TEST_CORE_FIXTURE_H

#include "pipeline/window.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

/* The caller frees it; its signals go where the caller points them. */
static inline struct core *
set_up_core(const struct sim_config *config)
{
	size_t bytes = (sizeof(struct core) + 63) & ~(size_t)63;
	struct core *core = aligned_alloc(64, bytes);

	assert_non_null(core);
	memset(core, 0, sizeof *core);
	assert_int_equal(pipeline_init(core, config), 0);
	return core;
}

#endif
