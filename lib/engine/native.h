/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The native engine, which executes x86-64 programs without QEMU. */
#ifndef LIB_NATIVE_H
#define LIB_NATIVE_H

#include "command.h"

/* Whether programs of that instruction set are to be executed by it. */
bool native_is_chosen(enum isa isa);

/* As command_make(). */
int native_command(struct command *command, const struct program *target,
		   const char *machine_path, struct pmcsim_error *error);

#endif
