/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions that QEMU calls in other objects, put others in their place. */
#ifndef QEMU_IMPORT_H
#define QEMU_IMPORT_H

#include <stdbool.h>

/*
 * From now on QEMU's program, and nothing else in this process, calls ours
 * where it has called the function of that name, whose type ours has.  False:
 * it does not call any.
 */
bool import_replace(const char *name, void (*ours)(void));

#endif
