/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Instructions that load or reset the x87's control word, which QEMU keeps to
 * itself: the word is read where they do. */
#ifndef QEMU_CONTROL_H
#define QEMU_CONTROL_H

#include "plugin.h"

/* Watches instruction q of x86 code if it is one of them; not on boards, where
 * the precision stays that of 64 bits. */
void control_watch(struct qemu_plugin_insn *q, const u8 *bytes, unsigned size);

#endif
