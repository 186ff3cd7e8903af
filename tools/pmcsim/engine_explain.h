/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ENGINE_EXPLAIN_H
#define ENGINE_EXPLAIN_H

#include "common/tool.h"

/*
 * Runs a command (NULL-terminated, perhaps with "--" in front) under the native
 * engine, on that CPU (NULL: mips34k), all of which is modelled or (timing is
 * false) nothing, and prints what it made of the code at an address.  The exit status: 0, TOOL_FAILED if none was executed there.
 */
int engine_explain(const struct tool *tool, const char *address,
		   const char *cpu, bool timing, char **command);

#endif
