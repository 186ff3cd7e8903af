/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The plugin in QEMU's system emulator: one CPU, of which what happens
 * between two marks is counted, in the mode that it happens in.
 *
 * A mark is an instruction that does nothing and that no program would
 * write.  The program that starts the target executes them.
 */
#ifndef QEMU_SYSTEM_H
#define QEMU_SYSTEM_H

#include "plugin.h"

/* Takes slots and registers the handlers for the plugin's id; 0 or -errno. */
int system_start(u64 id);

#endif
