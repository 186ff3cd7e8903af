/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "shown.h"

#include "engine.h"
#include "native.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int chosen = -1;		/* enum level; -1: not told */

int
pmcsim_isa_choose(const char *level, struct pmcsim_error *error)
{
	const char *asked = level ? level : getenv("PMCSIM_ISA");

	if (!asked || !*asked)
		asked = level_name(LEVEL_USUAL);
	chosen = level_named(asked);
	if (chosen < LEVEL_N)
		return 0;
	chosen = -1;
	return engine_fail(error, -EINVAL,
			   "%s%s: the levels of x86-64 are v1, v2, v3 and v4",
			   level ? "" : "$PMCSIM_ISA: ", asked);
}

int
engine_level_asked(struct pmcsim_error *error)
{
	return chosen < 0 ? pmcsim_isa_choose(NULL, error) : 0;
}

enum level
engine_level(void)
{
	if (engine_level_asked(NULL))
		return LEVEL_USUAL;
	return (enum level)chosen;
}

int
engine_qemu_cpu(enum isa isa, char **cpu, struct pmcsim_error *error)
{
	const char *always = isa_row[isa].cpu;
	bool failed = false;

	*cpu = NULL;
	if (engine_level() > LEVEL_USUAL && !native_is_chosen(ISA_X86_64))
		return engine_fail(error, -EINVAL,
				   "QEMU executes no x86-64-%s: run the "
				   "program with --engine native",
				   level_name(engine_level()));
	if (always)
		*cpu = strdup(always);
	if (isa == ISA_X86_64)
		*cpu = level_qemu(engine_level(), &failed);
	return failed || (always && !*cpu)
		       ? engine_fail(error, -ENOMEM, "out of memory") : 0;
}
