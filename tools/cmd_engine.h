/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TOOLS_CMD_ENGINE_H
#define TOOLS_CMD_ENGINE_H

/*
 * "pmcsim engine": argv[0] is the subcommand's name.  The exit status: 0,
 * 125 if there is no engine in the end, 64 for wrong usage.
 */
int cmd_engine(int argc, char **argv);

#endif
