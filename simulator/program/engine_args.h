/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What QEMU's command lines have in common: that of the first program, which
 * lib/engine/command.c writes, and those of the next ones (qemu/follow.c). */
#ifndef PROGRAM_ENGINE_ARGS_H
#define PROGRAM_ENGINE_ARGS_H

#include "program.h"

#include <stdio.h>

/* Writes a value with its commas doubled, as QEMU wants them in an item. */
void engine_write_value(FILE *f, const char *value);

/*
 * What of a target's environment (NULL: none) goes into QEMU's, and what to
 * args, for QEMU to hand it on without heeding it.
 */
void engine_split_environment(char *const *target, struct strings *args,
			      struct strings *env);

/* The program and its arguments, the last ones on a command line. */
void engine_add_program(struct strings *args, const struct program *p);

#endif
