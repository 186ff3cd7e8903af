/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Repeated string instructions whose turns are not all modelled: config.h's
 * string_bytes. */
#ifndef QEMU_STRINGS_H
#define QEMU_STRINGS_H

#include "plugin.h"

/* Whether b ends with such an instruction: the callback of its execution is
 * strings_block() then, and its accesses are watched by strings_watch(). */
bool strings_steps(const struct block *b);
void strings_block(unsigned vcpu, void *block);

/* Registers fn for the accesses of that instruction, q; not told of those of
 * turns that are left out. */
void strings_watch(struct qemu_plugin_insn *q, api_access_fn *fn, void *data);

#endif
