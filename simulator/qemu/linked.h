/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Load-linked and store-conditional: QEMU stores if the address is that of the
 * load and the value there is what it was, and says neither.  It announces no
 * access if the address is another one, and one as if it had stored if the
 * value is; so the value is looked at before.
 *
 * A whole system has one CPU, whose link an interrupt breaks by its address:
 * there, an access that is announced has stored.
 */
#ifndef QEMU_LINKED_H
#define QEMU_LINKED_H

#include "plugin.h"

/* Once the machine's configuration is known. */
void linked_start(void);

/* Watches an instruction, if it is one of those; its own callback for the
 * access must have been registered before. */
void linked_watch(struct qemu_plugin_insn *q, const struct insn *in,
		  struct block_access *a);

/* A system call, which may change the map of memory. */
void linked_syscall(void);

#endif
