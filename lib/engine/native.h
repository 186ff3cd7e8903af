/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The native engine, which executes x86-64 programs without QEMU. */
#ifndef LIB_NATIVE_H
#define LIB_NATIVE_H

#include "command.h"

#include <stdio.h>

/* Takes what $PMCSIM_ENGINE says if no engine has been chosen: 0 or -EINVAL. */
int native_asked(struct pmcsim_error *error);

/* Whether threads take turns on the machine that is used from now on; if they do
 * not, QEMU executes programs, unless an engine was named. */
void native_allow(bool in_turns);

/* Whether programs of that instruction set are to be executed by it. */
bool native_is_chosen(enum isa isa);

/* Where it is, as an item of the plugin's arguments, if x86-64 programs are to
 * be executed by it, and it is somewhere. */
void native_write_path(FILE *f);

/* As command_make(). */
int native_command(struct command *command, const struct program *target,
		   const char *machine_path, struct pmcsim_error *error);

#endif
