/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The subcommands of pmcsim.  argv[0] is the subcommand; exit status. */
#ifndef COMMANDS_H
#define COMMANDS_H

#include "pmcsim/cmd_engine.h"
#include "tool.h"

extern const struct tool list_tool, check_tool, new_tool, write_tool;
extern const struct tool cat_tool, run_tool, rm_tool, system_tool;
extern const struct tool compare_tool;

int cmd_list(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_new(int argc, char **argv);
int cmd_write(int argc, char **argv);
int cmd_cat(int argc, char **argv);
int cmd_run(int argc, char **argv);
int cmd_rm(int argc, char **argv);
int cmd_system(int argc, char **argv);
int cmd_compare(int argc, char **argv);

/*
 * The file of a machine: a name without slash is kept in the user's state
 * folder, which create makes.  The caller's; ends the tool on failure.
 */
char *machine_path(const struct tool *tool, const char *name, bool create);

/* The folder of machines that have names; the caller's. */
char *machine_folder(const struct tool *tool);

/* Opens the machine of that name or file, or ends the tool; options are
 * those of "pmcsim new" that make one for this tool, each with a space
 * behind it. */
struct pmcsim_machine *machine_open(const struct tool *tool,
				    const char *name, const char *options);

/* The only operand, or the tool ends; what says which one is missing. */
const char *only_operand(const struct tool *tool, int argc, char **argv,
			 const char *what);

#endif
