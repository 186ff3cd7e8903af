/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The subcommands of pmcsim.  argv[0] is the subcommand; exit status. */
#ifndef COMMANDS_H
#define COMMANDS_H

#include "cmd_engine.h"
#include "common/machine_name.h"

extern const struct tool list_tool, check_tool, new_tool, write_tool;
extern const struct tool cat_tool, run_tool, rm_tool, system_tool;
extern const struct tool compare_tool, stat_tool, study_tool;

int cmd_list(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_new(int argc, char **argv);
int cmd_write(int argc, char **argv);
int cmd_cat(int argc, char **argv);
int cmd_run(int argc, char **argv);
int cmd_rm(int argc, char **argv);
int cmd_system(int argc, char **argv);
int cmd_compare(int argc, char **argv);
int cmd_stat(int argc, char **argv);
int cmd_study(int argc, char **argv);

#endif
