/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CMD_ENGINE_H
#define CMD_ENGINE_H

#include "common/tool.h"

extern const struct tool engine_tool;

/* "pmcsim engine"; argv[0] is the subcommand's name.  The exit status. */
int cmd_engine(int argc, char **argv);

#endif
