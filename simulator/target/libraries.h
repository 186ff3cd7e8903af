/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files that this engine's program has been loaded from, beside itself.  A
 * target may change its root or what is mounted: then a program of the engine's
 * would be executed, but not find its libraries, or find others, and end.
 */
#ifndef TARGET_LIBRARIES_H
#define TARGET_LIBRARIES_H

#include <stdbool.h>

/* Once, while they are there. */
void libraries_note(void);

/* Whether they still are, at their places. */
bool libraries_are_there(void);

#endif
